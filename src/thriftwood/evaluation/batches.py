"""`read_batches`: a table in a file, given to a model some rows at a time."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from thriftwood.costs.names import class_name, quoted
from thriftwood.datasets.files import FileTable, TableParts, matched, open_parts
from thriftwood.datasets.files.labels import LabelReader
from thriftwood.datasets.files.matching import check_present, names_of
from thriftwood.models.conversion import as_model
from thriftwood.models.model import Model
from thriftwood.table.named import NamedColumns
from thriftwood.table.unseen import Unseen, UnseenCount, UnseenTally


@dataclass(frozen=True, eq=False)
class Batch:
    """Some rows of a file, as a model takes them.

    Attributes
    ----------
    X : table
        The columns that the model knows, for `predict`, `predict_proba` and `bill`.
    y : ndarray or None
        The true answers, if a target was named: the model's own classes, or numbers.
    kept : dict from str to list
        The columns that were to be kept, as texts, None where missing.
    first_row : int
        The number of rows before these.
    unseen : list of Unseen
        Columns that the model asks for with categories that it does not know.
    """

    X: NamedColumns
    y: Any
    kept: dict[str, list[str | None]]
    first_row: int
    unseen: list[Unseen]

    def __len__(self) -> int:
        return self.X.n_rows


class Batches:
    """The rows of a file in their order, in batches; made by `read_batches`, and read anew each time.

    Attributes
    ----------
    n_rows : int
        The number of rows of the file.
    target : str or None
        The column of the true answers.
    notes : tuple of Advice
        What a user should know about how the file was read; each is a sentence by str().
    """

    def __init__(
        self, parts: TableParts, model: Model, target: str | None = None, keep: Collection[str] = ()
    ) -> None:
        self.model, self.target, self.keep = model, target, tuple(keep)
        self.n_rows, self.notes = parts.n_rows, parts.notes
        self._parts = parts
        self._asked = {model.feature_index[name] for name in model.features_asked}
        check_present(parts, model.features_asked)
        parts.check_names([*keep, *(() if target is None else [target])])
        learnt = [name for name in names_of(model.columns) if name in parts.names]
        self._needed = dict.fromkeys([*learnt, *keep, *(() if target is None else [target])])
        self._labels = None
        if target is not None and model.classes is not None:
            self._labels = LabelReader(parts.parts([target]), target)
            self._known = {class_name(label): label for label in model.classes.tolist()}
        self._tally = self._fresh_tally()

    def __iter__(self) -> Iterator[Batch]:
        self._tally = self._fresh_tally()
        for part in self._parts.parts(self._needed):
            X = matched(part, self.model.columns, self.model.features_asked)
            encoded = self.model.encoder.encode(X)
            self._tally.add(encoded)
            unseen = [one for one in encoded.unseen if one.column.index in self._asked]
            kept = {name: part[name].texts() for name in self.keep}
            yield Batch(X, self._truth(part), kept, part.first_row, unseen)

    @property
    def unseen(self) -> list[UnseenCount]:
        """Columns that the model asks for with categories it does not know, in the batches read so far."""
        return self._tally.found

    def _fresh_tally(self) -> UnseenTally:
        coded = self.model.encoder.coded_columns
        return UnseenTally(column for column in coded if column.index in self._asked)

    def _truth(self, part: FileTable) -> Any:
        if self.target is None:
            return None
        if self._labels is None or self.model.classes is None:
            return part[self.target].numbers()
        texts = self._labels.labels(part).tolist()
        if not self._known.keys() >= set(texts):
            raise self._unknown_classes(self._labels)
        return np.array([self._known[text] for text in texts], dtype=self.model.classes.dtype)

    def _unknown_classes(self, labels: LabelReader) -> ValueError:
        unknown: dict[str, None] = {}
        for part in self._parts.parts([labels.target]):
            unknown |= dict.fromkeys(text for text in labels.labels(part).tolist() if text not in self._known)
        kind = self.model.kind
        return ValueError(
            f"Column {self.target!r} of {self._parts.source} has classes that the {kind} does not know: "
            f"{quoted(unknown)}. Its classes are {quoted(self._known)}. Is it a {kind} of another table?"
        )


def read_batches(
    path: str | os.PathLike[str],
    model: Any,
    target: str | None = None,
    *,
    keep: Collection[str] = (),
    encoding: str | None = None,
) -> Batches:
    """Read a table from a file for a model, some rows at a time: for files that memory does not hold.

    Parameters
    ----------
    path : path
        A file as `read_table` takes it. A large CSV, TSV or (with pyarrow) Parquet file is read in batches of
        up to 50,000 rows; others are one batch.
    model : fitted estimator or Model
        Whose columns are wanted: they are read with the kinds and categories that it learnt. Others are left
        alone, and one that the model never asks for may be absent.
    target : str, optional
        The column of the true answers.
    keep : collection of str
        Further columns to be had as texts, such as identifiers.
    encoding : str, optional
        As in `read_table`.

    Returns
    -------
    Batches
        To be iterated over, more than once if need be.

    Raises
    ------
    ValueError
        If the file lacks a column that the model asks for; while batches are read, if a cell is not what its
        column takes. Rows are counted through the whole file.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> model = tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "golf.csv")
    ...     golf.X.assign(Play=golf.y).to_csv(path, index=False)
    ...     batches = read_batches(path, model, target="Play")
    ...     answers = [answer for batch in batches for answer in model.predict(batch.X)]
    ...     total = tw.total_bill(tw.bill(model, batch.X, batch.y) for batch in batches)
    >>> len(answers), round(total.mean_cost, 6)
    (14, 4.892857)
    """
    asked = as_model(model)
    if not hasattr(asked, "encoder") or asked.setup.steps:
        raise TypeError(
            "A model of another library, or one at the end of a pipeline, reads tables in its own way: "
            "read the file with a frame library, some rows at a time, and bill those."
        )
    return Batches(open_parts(path, encoding=encoding), asked, target, keep)
