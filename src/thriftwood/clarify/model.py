"""Models: a tree, what to watch for it, and what to say, in one file.

A file, version 1, is one JSON object::

    {"format": "thriftwood-clarify", "version": 1, "sha256": "...",
     "tree": {...},                                 as a file of a tree holds it
     "patterns": [["inside", "f", "g"], ...],       one per feature of the tree
     "messages": {"a label": "what to tell", ...},
     "build": {"a module or binary": "its identity", ...},
     "kind": "python",
     "endings": {"a label": {"exit 1": 8}, ...},    how many recorded runs of it ended so
     "figures": {"accuracy": 0.9, ...}}

``sha256`` is the digest of the object without it. Reading a file checks everything and runs nothing.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn

from thriftwood.base.saving import save_text
from thriftwood.clarify.endings import Endings
from thriftwood.clarify.launching import ProgramKind
from thriftwood.clarify.learning import Learned
from thriftwood.clarify.patterns import Pattern, check_watchable
from thriftwood.clarify.plan import Plan, from_words, to_words
from thriftwood.costs.names import nearest
from thriftwood.models import Tree
from thriftwood.models.files.kinds import TreeFileError
from thriftwood.models.files.trees import MOST_BYTES, digest, json_of

FORMAT, VERSION = "thriftwood-clarify", 1
ENTRIES = (
    *("format", "version", "sha256", "tree", "patterns", "messages"),
    *("build", "kind", "endings", "figures"),
)
FIGURES = ("accuracy", "confirmed", "share", "events", "all_calls", "span", "n_runs", "loaded")


class ModelFileError(ValueError):
    """What was read is no model, or not one this version of the library reads."""


@dataclass(frozen=True)
class Model:
    """A model that diagnoses a program.

    Attributes
    ----------
    tree : Tree
        Its features are the patterns of the plan, in their order.
    plan : Plan
        What to watch for.
    messages : mapping of str to str
        What to tell for a label; labels without a text have none.
    build : mapping of str to str
        What identifies the sources or binaries of the watched functions; see `thriftwood.clarify.builds`.
    kind : {"python", "native"}
        What the program is.
    figures : mapping of str to float
        What was known when it was learnt: ``accuracy`` by the folds it was chosen by and ``confirmed`` by
        others; ``share`` of the cost of watching everything; ``events``, watched calls in a run on average,
        of ``all_calls``; ``span``; ``n_runs``; ``loaded``, the share of them that loaded anything of `build`.
    endings : mapping of str to (mapping of str to int)
        How many recorded runs of each label ended with ``exit 1``, ``signal 11``, ``timeout``; empty if that
        is not known.
    """

    tree: Tree
    plan: Plan
    messages: Mapping[str, str] = field(default_factory=dict)
    build: Mapping[str, str] = field(default_factory=dict)
    kind: ProgramKind = "python"
    figures: Mapping[str, float] = field(default_factory=dict)
    endings: Endings = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.tree.classes is None:
            raise ValueError("The tree of a model must answer with labels; this one answers with numbers.")
        names = tuple(str(pattern) for pattern in self.plan.patterns)
        if names != self.tree.feature_names:
            raise ValueError("The patterns of a model must be the features of its tree, in their order.")
        check_messages(self.messages, self.labels)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that it can answer."""
        assert self.tree.classes is not None
        return tuple(map(str, self.tree.classes.tolist()))

    @classmethod
    def of(
        cls,
        learnt: Learned,
        *,
        build: Mapping[str, str],
        kind: ProgramKind,
        messages: Mapping[str, str],
        loaded: float = 1.0,
        endings: Endings | None = None,
    ) -> Model:
        """Make the model of a tree that was learnt.

        `build` is that of the functions it watches, `loaded` the share of runs that had something of it.
        """
        check_watchable(learnt.patterns)
        plan = Plan(tuple(p for p in learnt.patterns if isinstance(p, Pattern)))
        figures = {
            "accuracy": learnt.chosen.accuracy,
            "confirmed": learnt.chosen.confirmed,
            "share": learnt.chosen.share,
            "events": plan.events(learnt.mean_calls),
            "all_calls": learnt.all_calls,
            "span": learnt.span,
            "n_runs": float(learnt.n_runs),
            "loaded": loaded,
        }
        return cls(learnt.tree, plan, dict(messages), dict(build), kind, figures, endings or {})

    def with_messages(self, messages: Mapping[str, str]) -> Model:
        """Return the same with other texts."""
        return replace(self, messages=dict(messages))

    # Files

    def to_json(self) -> str:
        """Write the model as text."""
        content = {
            "format": FORMAT,
            "version": VERSION,
            "tree": json.loads(self.tree.to_json()),
            "patterns": [to_words(pattern) for pattern in self.plan.patterns],
            "messages": dict(self.messages),
            "build": dict(self.build),
            "kind": self.kind,
            "endings": {label: dict(counts) for label, counts in self.endings.items()},
            "figures": dict(self.figures),
        }
        return json.dumps({**content, "sha256": digest(content)}, allow_nan=False, indent=1)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file."""
        save_text(path, self.to_json() + "\n", encoding="ascii")

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Model:
        """Read a model from a file.

        Raises
        ------
        ModelFileError
            If the file is no model.
        """
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        try:
            return cls.from_json(data)
        except ModelFileError as problem:
            raise ModelFileError(f"{path}: {problem}") from None

    @classmethod
    def from_json(cls, text: str | bytes) -> Model:
        """Read what `to_json` wrote."""
        try:
            content = json_of(text)
        except TreeFileError as problem:
            _refuse(problem.reason)
        return cls.from_content(content)

    @classmethod
    def from_content(cls, content: Any) -> Model:
        """Make it of the JSON object that its file is."""
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            _refuse("it is none. `thriftwood clarify learn` writes one")
        if type(content.get("version")) is not int or content["version"] != VERSION:
            _refuse(f"its version is {content.get('version')!r}; this library reads version {VERSION}")
        if set(content) != set(ENTRIES):
            _refuse(f"its entries must be {', '.join(ENTRIES)}")
        try:
            unchanged = content["sha256"] == digest(content)
        except (ValueError, RecursionError) as problem:  # an infinity written as a number too large
            _refuse(f"it cannot be read as JSON ({problem})")
        if not unchanged:
            _refuse("its content does not fit its sha256. It was changed or damaged after it was saved")
        try:
            return cls(
                Tree.from_content(content["tree"]),
                Plan(tuple(_pattern(one) for one in content["patterns"])),
                _texts(content["messages"], "messages"),
                _texts(content["build"], "build"),
                _kind(content["kind"]),
                _figures(content["figures"]),
                _endings(content["endings"]),
            )
        except (ValueError, TypeError, KeyError, AttributeError) as problem:
            _refuse(str(problem).rstrip("."))


# Messages


def read_messages(path: str | PathLike[str]) -> dict[str, str]:
    """Read what to tell for each label from a TOML or JSON file: ``label = "text"``.

    Raises
    ------
    ValueError
        If it is not such a file.
    """
    path = Path(path)
    text = path.read_text(encoding="utf-8")
    try:
        content = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
        return _texts(content, "the file")
    except (ValueError, TypeError) as problem:
        raise ValueError(f'{path} must have a line label = "text" for each label: {problem}.') from None


def check_messages(messages: Mapping[str, str], labels: Iterable[str]) -> None:
    """Refuse a text for a label that does not exist."""
    labels = list(labels)
    for label in messages:
        if label not in labels:
            raise ValueError(f"There is a message for the label {label!r}, which no run has. "
                             f"{nearest(label, labels)}")  # fmt: skip


# Reading


def _refuse(why: str) -> NoReturn:
    raise ModelFileError(f"This is no model that can be read: {why}.")


def _pattern(words: Any) -> Pattern:
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise TypeError(f"a pattern is a list of words, got {words!r}")
    return from_words(words)


def _texts(content: Any, where: str) -> dict[str, str]:
    if not isinstance(content, dict) or not all(isinstance(text, str) for text in content.values()):
        raise TypeError(f"{where} must map names to texts")
    return dict(content)


def _kind(word: Any) -> ProgramKind:
    if word == "python":
        return "python"
    if word == "native":
        return "native"
    raise ValueError(f"kind must be 'python' or 'native', got {word!r}")


def _endings(content: Any) -> dict[str, dict[str, int]]:
    if not isinstance(content, dict) or not all(isinstance(counts, dict) for counts in content.values()):
        raise TypeError("endings must map labels to how many runs ended how")
    for number in (number for counts in content.values() for number in counts.values()):
        if type(number) is not int or number < 1:
            raise TypeError(f"endings must be counts of runs, got {number!r}")
    return {label: dict(counts) for label, counts in content.items()}


def _figures(content: Any) -> dict[str, float]:
    if not isinstance(content, dict) or set(content) - set(FIGURES):
        raise TypeError(f"figures must be numbers for {', '.join(FIGURES)}")
    for name, number in content.items():
        if type(number) not in (int, float) or not math.isfinite(number):
            raise TypeError(f"the figure {name} must be a number, got {number!r}")
    return {name: float(number) for name, number in content.items()}
