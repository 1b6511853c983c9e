"""Models: a tree, what to watch for it, and what to say, in one file.

A file, version 4, is one JSON object, whose first line, to its patterns, is all that a program reads which
explains itself and ends well (`thriftwood.clarify.explaining`)::

    {"format": "thriftwood-clarify", "version": 4, "kind": "python",
     "patterns": [["inside", "f", "g"], ...],       its first features: what is counted
     "tree": {...},                                 as a file of a tree holds it
     "signs": [["ending", "exit 1"], ...],          its others: what a run shows for nothing
     "messages": {"a label": "what to tell", ...},
     "build": {"a module or binary": "its identity", ...},
     "bodies": {"m:parse:3": "1f...", ...},         fingerprints of the functions of the plan
     "in_doubt": ["a label", ...],                  labels that another build put in doubt
     "normal": {...},                               `thriftwood.clarify.normal`, or null
     "endings": {"a label": {"exit 1": 8}, ...},    how many recorded runs of it ended so
     "figures": {"accuracy": 0.9, ...}, "sha256": "..."}

``sha256`` is the digest of the object without it. Reading a file checks everything and runs nothing.
Files of version 1, which had no signs, of 2, which did not keep by label what runs said, and of 3, which had
one spread of counts for all labels, are read and diagnose as they did.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn

from thriftwood.base.saving import save_text
from thriftwood.clarify.endings import Endings
from thriftwood.clarify.evidence import KIND_OF
from thriftwood.clarify.launching import ProgramKind
from thriftwood.clarify.learning import Learned
from thriftwood.clarify.normal import Normal
from thriftwood.clarify.patterns import Pattern, Sign, check_watchable
from thriftwood.clarify.plan import Plan, from_words, to_words
from thriftwood.costs.names import nearest
from thriftwood.models import Tree
from thriftwood.models.files.kinds import CLARIFY, TreeFileError
from thriftwood.models.files.trees import MOST_BYTES, digest, json_of

FORMAT, VERSION = CLARIFY, 4
ENTRIES_1 = (
    *("format", "version", "sha256", "tree", "patterns", "messages"),
    *("build", "kind", "endings", "figures"),
)
ENTRIES = (*ENTRIES_1, "signs", "normal", "bodies", "in_doubt")
READ = frozenset(kind for kind, evidence in KIND_OF.items() if evidence in ("exception", "message"))
"""Kinds of signs that take what a run wrote."""
FIGURES = ("accuracy", "confirmed", "share", "events", "all_calls", "span", "n_runs", "loaded")


class ModelFileError(ValueError):
    """What was read is no model, or not one this version of the library reads."""


@dataclass(frozen=True)
class Model:
    """A model that diagnoses a program.

    Attributes
    ----------
    tree : Tree
        Its features are the patterns of the plan, in their order, then the signs.
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
    signs : tuple of Sign
        What the tree asks that a run shows for nothing.
    normal : Normal or None
        What is normal for each label; None: no run is called unknown.
    bodies : mapping of str to str
        Fingerprints of the functions of the plan, as far as they are known.
    in_doubt : tuple of str
        Labels that rest on functions which another build changed; see `thriftwood.clarify.releases`.
    """

    tree: Tree
    plan: Plan
    messages: Mapping[str, str] = field(default_factory=dict)
    build: Mapping[str, str] = field(default_factory=dict)
    kind: ProgramKind = "python"
    figures: Mapping[str, float] = field(default_factory=dict)
    endings: Endings = field(default_factory=dict)
    signs: tuple[Sign, ...] = ()
    normal: Normal | None = None
    bodies: Mapping[str, str] = field(default_factory=dict)
    in_doubt: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.tree.classes is None:
            raise ValueError("The tree of a model must answer with labels; this one answers with numbers.")
        names = tuple(str(feature) for feature in (*self.plan.patterns, *self.signs))
        if names != self.tree.feature_names:
            raise ValueError(
                "The patterns and signs of a model must be the features of its tree, in their order."
            )
        check_messages(self.messages, self.labels)
        if self.normal is not None:
            self.normal.check(self.labels, len(names))
        if set(self.in_doubt) - set(self.labels):
            raise ValueError("Labels in doubt must be labels of the tree.")

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that it can answer."""
        assert self.tree.classes is not None
        return tuple(map(str, self.tree.classes.tolist()))

    @property
    def reads_message(self) -> bool:
        """Whether it asks what a run wrote to standard error."""
        asked = {sign.kind for sign in self.signs} | (self.normal.kinds if self.normal is not None else set())
        return not asked.isdisjoint(READ)

    @property
    def reads_ending(self) -> bool:
        """Whether it asks how a run ended, or anything else that a run shows."""
        known = self.normal is not None and bool(self.normal.kinds)
        return known or bool(self.signs)

    def row(self, counts: Sequence[int], shown: Collection[Sign] | None) -> list[float]:
        """Return the value of each feature of the tree: NaN for signs where nobody knows what was shown."""
        if shown is None:
            return [*map(float, counts), *(math.nan for _ in self.signs)]
        return [*map(float, counts), *(float(sign in shown) for sign in self.signs)]

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
        bodies: Mapping[str, str] | None = None,
    ) -> Model:
        """Make the model of a tree that was learnt.

        `build` is that of the functions it watches, `loaded` the share of runs that had something of it.
        """
        check_watchable(learnt.patterns)
        plan = Plan(tuple(p for p in learnt.patterns if isinstance(p, Pattern)))
        figures = {
            "accuracy": learnt.chosen.accuracy,
            "confirmed": learnt.chosen.confirmed,
            "share": max(learnt.watched_share, learnt.chosen.share),
            "events": plan.events(learnt.mean_calls),
            "all_calls": learnt.all_calls,
            "span": learnt.span,
            "n_runs": float(learnt.n_runs),
            "loaded": loaded,
        }
        signs = tuple(sign for sign in learnt.patterns if isinstance(sign, Sign))
        asked = set(plan.functions) - set(plan.strangers)
        return cls(
            learnt.tree,
            plan,
            dict(messages),
            dict(build),
            kind,
            figures,
            endings or {},
            signs,
            learnt.normal,
            {f: body for f, body in (bodies or {}).items() if f in asked},
        )

    def text(self, label: str) -> str:
        """Return what is said for a label: its message, or the label where nobody wrote one."""
        return self.messages.get(label) or label

    def with_messages(self, messages: Mapping[str, str]) -> Model:
        """Return the same with other texts."""
        return replace(self, messages=dict(messages))

    # Files

    def to_json(self) -> str:
        """Write the model as text."""
        head = {
            "format": FORMAT,
            "version": VERSION,
            "kind": self.kind,
            "patterns": [to_words(pattern) for pattern in self.plan.patterns],
        }
        rest = {
            "tree": json.loads(self.tree.to_json()),
            "signs": [[sign.kind, sign.text] for sign in self.signs],
            "messages": dict(self.messages),
            "build": dict(self.build),
            "endings": {label: dict(counts) for label, counts in self.endings.items()},
            "figures": dict(self.figures),
            "bodies": dict(self.bodies),
            "in_doubt": list(self.in_doubt),
            "normal": None if self.normal is None else self.normal.to_content(),
        }
        rest["sha256"] = digest({**head, **rest})
        return f"{json.dumps(head)[:-1]},{json.dumps(rest, allow_nan=False, indent=1)[1:]}"

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
        written = content.get("format") if isinstance(content, dict) else None
        if written != FORMAT:
            _refuse(f"its format is {written!r}, not {FORMAT!r}. `thriftwood clarify learn` writes one")
        if type(content.get("version")) is not int or not 1 <= content["version"] <= VERSION:
            _refuse(f"its version is {content.get('version')!r}; this library reads versions 1 to {VERSION}")
        entries = ENTRIES_1 if content["version"] == 1 else ENTRIES
        if set(content) != set(entries):
            _refuse(f"its entries must be {', '.join(entries)}")
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
                tuple(_sign(one) for one in content.get("signs", ())),
                None if content.get("normal") is None else Normal.from_content(content["normal"]),
                _texts(content.get("bodies", {}), "bodies"),
                tuple(_label(one) for one in content.get("in_doubt", ())),
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


def _sign(words: Any) -> Sign:
    if not isinstance(words, list) or len(words) != 2 or not all(isinstance(word, str) for word in words):
        raise TypeError(f"a sign is its kind and a text, got {words!r}")
    for kind in KIND_OF:
        if kind == words[0]:
            return Sign(kind, words[1])
    raise ValueError(f"a sign is of one of the kinds {', '.join(KIND_OF)}, got {words[0]!r}")


def _label(word: Any) -> str:
    if not isinstance(word, str):
        raise TypeError(f"a label in doubt is a text, got {word!r}")
    return word


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
