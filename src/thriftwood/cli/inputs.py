"""What a user names on the command line, read: cases, models, prices, learners."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.spelling import close_names, decimal_comma
from thriftwood.baselines.base import PanelLearner
from thriftwood.cli.advice import in_shell
from thriftwood.cli.models import SEVERAL
from thriftwood.cli.options import STANDARD
from thriftwood.cli.printing import note
from thriftwood.cli.progress import progress
from thriftwood.costs import CostError, Costs, Today
from thriftwood.costs.names import nearest, quoted
from thriftwood.datasets.columns import Column
from thriftwood.datasets.files import FileTable, TableParts, WholeTable, open_parts, open_table
from thriftwood.datasets.files.reading import ENDINGS
from thriftwood.datasets.files.table import LEAST, as_table
from thriftwood.evaluation.batches import Batch, Batches
from thriftwood.evaluation.comparisons import Learner
from thriftwood.learners import algorithm
from thriftwood.learning.class_tree import ClassTree
from thriftwood.models import load
from thriftwood.models.files.kinds import TreeFileError
from thriftwood.models.files.loading import from_json
from thriftwood.models.model import Model
from thriftwood.table.named import NamedColumns
from thriftwood.table.unseen import UnseenWarning

WORDS: dict[str, bool | None] = {"true": True, "false": False, "none": None}


@dataclass(frozen=True)
class Cases:
    """A table to learn from, and the classes of its rows."""

    source: str
    columns: list[Column]
    y: NDArray[np.str_]
    today: Column | None = None
    """Today's answers, which nobody learns from."""

    def __len__(self) -> int:
        return len(self.y)

    @property
    def X(self) -> NamedColumns:
        """The table without the target."""
        return as_table(self.columns, len(self.y))

    @property
    def X_today(self) -> NamedColumns:
        """The table with today's answers, if there are any."""
        return as_table([*self.columns, *([] if self.today is None else [self.today])], len(self.y))

    @property
    def labels(self) -> NDArray[np.int32]:
        """The class numbers, in the order of the sorted classes."""
        return np.unique(self.y, return_inverse=True)[1].astype(np.int32)

    def take(self, rows: NDArray[np.bool_]) -> Cases:
        """Return the rows marked True."""
        today = None if self.today is None else self.today.take(rows)
        return Cases(self.source, [column.take(rows) for column in self.columns], self.y[rows], today)


def table_of(path: Path, encoding: str | None = None) -> FileTable:
    """Read a table, and say what is to be known about how it was read; - is CSV from standard input."""
    if path == STANDARD:
        table = open_table("stdin.csv", sys.stdin.buffer.read(), encoding=encoding)
    else:
        with progress(f"reading {path.name}"):
            table = open_table(path, encoding=encoding)
    for remark in table.notes:
        note(in_shell(remark))
    return table


def cases_of(
    path: Path,
    target: str | None,
    costs: Costs | None,
    ignored: Collection[str] | None,
    nominal: Collection[str] | None,
    encoding: str | None,
) -> Cases:
    """Read a table to learn from, with these costs."""
    table = table_of(path, encoding)
    target = table.target if target is None else target
    if target is None:
        raise ValueError(
            f"Which column is to be learnt? Say --target COLUMN. {table.source} has {quoted(table.names)}."
        )
    y = table.labels(target)
    check_target_free(costs, target, table.names)
    today = None if costs is None else costs.today
    check_today(today, table.names, target)
    answers = None if today is None else today.answers
    left_out = {*(ignored or ()), target} | ({answers} if answers is not None else set())
    columns = table.chosen(left_out, set(nominal or ()) - left_out)
    if len(np.unique(y)) < 2:
        raise ValueError(
            f"All {len(y)} rows of {table.source} have the same {target!r}, {str(y[0])!r}: there is nothing "
            "to tell apart. Give cases of at least two classes."
        )
    if len(y) >= LEAST and len(np.unique(y)) == len(y):
        raise ValueError(
            f"Column {target!r} of {table.source} is different in each of its {len(y)} rows, such as "
            f"{str(y[0])!r}, where classes were wanted. Name a column whose values come again."
        )
    if not columns:
        raise ValueError(f"{table.source} has no column to learn from besides the target {target!r}.")
    for remark in table.column_remarks({*left_out, *(nominal or ())}):
        note(remark)
    return Cases(table.source, columns, y, None if answers is None else table[answers].column())


def model_of(path: Path) -> Model:
    """Read a saved tree, panel or booster; - is standard input."""
    try:
        found: Model = from_json(sys.stdin.buffer.read()) if path == STANDARD else load(path)
    except TreeFileError as error:
        if path == STANDARD:
            raise
        if path.suffix.lower() == ".gz" or path.suffix.lower() in ENDINGS:
            raise ValueError(
                f"{path} is a table by its ending, where a model that `thriftwood fit -o` wrote was wanted. "
                "Where both are named, the model comes first."
            ) from None
        raise ValueError(f"{path}: {error}") from None
    return found


class ModelAndParts(NamedTuple):
    """A model and the file with the cases that it is to decide."""

    model: Model
    parts: TableParts


def model_and_parts(model: Path, path: Path, encoding: str | None) -> ModelAndParts:
    """Read a model, open a table, and say what is to be known about how it is read."""
    if model == path == STANDARD:
        raise ValueError("The model and the table cannot both come from standard input. Name a file for one.")
    return ModelAndParts(model_of(model), parts_of(path, encoding))


def parts_of(path: Path, encoding: str | None) -> TableParts:
    """Open a table to be read some rows at a time, and say what is to be known about how it is read."""
    if path == STANDARD:
        return WholeTable(table_of(path, encoding))
    with progress(f"reading {path.name}"):
        parts = open_parts(path, encoding=encoding)
    for remark in parts.notes:
        note(in_shell(remark))
    return parts


def with_progress(batches: Batches, output: Path | None) -> Iterator[Batch]:
    """Read batches; a bar shows how far they are, unless results come to the same terminal."""
    warnings.simplefilter("ignore", UnseenWarning)  # a note says it of the whole table
    if output == STANDARD:
        yield from batches
        return
    with progress("answering") as tell:
        for batch in batches:
            yield batch
            tell(batch.first_row + len(batch), batches.n_rows)


def costs_of(path: Path | None, ignored: Collection[str] | None = None) -> Costs | None:
    """Read a price list, if one is named, without the prices of columns that are not learnt from."""
    if path is None:
        return None
    costs = Costs.from_file(path)
    return costs.only([name for name in costs.tests if name not in ignored]) if ignored else costs


def check_target_free(costs: Costs | None, target: str, columns: Collection[str]) -> None:
    """Refuse a price of what is to be learnt, however its capitals are written."""
    for name in () if costs is None else costs.tests:
        if name == target or (name not in columns and close_names(name, columns, most=1) == [target]):
            meant = "" if name == target else f" Did you mean {target!r}?"
            raise ValueError(
                f"The price list has a price for {name!r}.{meant} {target!r} is the column to be learnt, and "
                "no test: take its line out of [tests], or give another --target."
            )


def check_today(today: Today | None, columns: Collection[str], target: str | None) -> None:
    """Raise if today's practice names a column that the table does not have, or the one to be learnt."""
    named = () if today is None else [*(today.tests or ()), *([today.answers] if today.answers else [])]
    for name in named:
        if name not in columns:
            raise CostError(f"[today] names {name!r}, which is no column. {nearest(name, columns)}")
        if name == target:
            raise CostError(f"[today] names {name!r}, the column to be learnt. Today does not know it yet.")


def saved_learner_of(
    name: str, settings: Sequence[str], costs: Costs | None, seed: int, *, saved: bool = True
) -> Learner:
    """Make a learner whose model has a file, or can be shown if it is not `saved`; see `learner_of`."""
    model = learner_of(name, settings, costs, seed)
    if model.learns.has_file or (isinstance(model, PanelLearner) and not saved):
        return model
    if isinstance(model, PanelLearner):
        raise ValueError(
            f"{name!r} learns a score of the same tests for everybody, for which there is no file. Leave "
            f"--output out. {_what_to_do(name)}"
        )
    raise ValueError(
        f"{name!r} learns several models together, for which there is no file. Learners of one tree have "
        f"one, and of several trees {SEVERAL}. {_what_to_do(name)}"
    )


def tree_learner_of(name: str, settings: Sequence[str], costs: Costs | None, seed: int) -> ClassTree:
    """Make a learner that learns a single tree; see `learner_of`."""
    model = learner_of(name, settings, costs, seed)
    if isinstance(model, ClassTree):
        return model
    saved = f"`thriftwood fit --algorithm {name}` saves them, and " if model.learns.has_file else ""
    learns = "a score" if isinstance(model, PanelLearner) else "several models together"
    raise ValueError(
        f"{name!r} learns {learns}, and this command shows and saves a single tree. "
        f"{saved}{_what_to_do(name)}"
    )


def _what_to_do(name: str) -> str:
    return (
        f"`thriftwood compare --algorithms {name},c45` says what it costs; in Python tw.algorithm({name!r}) "
        "makes it."
    )


def learner_of(name: str, settings: Sequence[str], costs: Costs | None, seed: int) -> Learner:
    """Make a learner from its name and ``NAME=VALUE`` settings; two runs with one seed give the same one."""
    model = algorithm(name, **dict(map(setting_of, settings)))
    if not isinstance(model, Learner):
        raise ValueError(
            f"The algorithm {name!r} does not learn classes. `thriftwood algorithms` lists others."
        )
    if model.get_params(deep=False).get("random_state", seed) is None:
        model.set_params(random_state=seed)
    model.set_params(costs=costs)
    return model


def with_budget(budget: float | None) -> list[str]:
    """Write --budget as the setting of a learner that it is.

    >>> with_budget(2.5), with_budget(None)
    (['budget=2.5'], [])
    """
    return [] if budget is None else [f"budget={budget!r}"]


def setting_of(text: str) -> tuple[str, Any]:
    """Read ``NAME=VALUE``; a list is written in brackets.

    >>> setting_of("w=0.5"), setting_of("max_depth=3"), setting_of("missing=branch")
    (('w', 0.5), ('max_depth', 3), ('missing', 'branch'))
    >>> setting_of("alphas=[0.1, 1]")
    ('alphas', [0.1, 1])
    """
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name:
        raise ValueError(f"A setting is written NAME=VALUE, for example max_depth=3. Got {text!r}.")
    if value.startswith("[") and value.endswith("]"):
        return name, [value_of(part.strip()) for part in value[1:-1].split(",") if part.strip()]
    if "," in value:
        comma = decimal_comma(value)
        raise ValueError(f"A list is written in brackets: {name}=[{value}]. Got {text!r}.{comma}")
    return name, value_of(value)


def value_of(text: str) -> Any:
    """Read a value: true, false, none, a number, or text.

    >>> [value_of(text) for text in ("true", "none", "3", "0.5", "1e4", "best")]
    [True, None, 3, 0.5, 10000, 'best']
    """
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    for kind in (int, _float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _float(text: str) -> float:
    """Read a number; 1e4 is a whole one."""
    number = float(text)
    return int(number) if "e" in text.lower() and number.is_integer() else number
