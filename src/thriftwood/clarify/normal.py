"""What recorded runs look like, label by label: whether a run is like any of them, and how sure a label is.

A tree knows the causes that it was shown and forces every other one into one of them. Of the runs of each
label the least and the greatest value of everything the tree asks for are therefore kept, and what they
showed for nothing: words and lines of messages, exceptions, how they ended. What of a run is outside of
that, against the label it was given, adds up to its *oddness*:

    sum over what is counted of how far log(1 + count) is out of the range, in spreads of the label
    + the surprise of each kind of evidence of which it shows something that no run of the label shows
    + the surprise of a sign the tree asks for that all runs of the label have and this one has not, or none

The *spread* of a label is the width of its range, drawn towards the standard deviation of all runs as if
`DRAWN` runs had that one (`spreads`): a count that is just outside of a wide range says little, as the
next run of the label may have it; where 60 runs agree, another count is odd however near it is.

The *surprise* is Good and Turing's: minus the logarithm of the share of the label's runs that show something
of the kind which no other of its runs shows. Where every run says something of its own, as messages with
names in them do, new words mean little; where all say the same they mean a lot. Models of version 2 have no
surprises: there each sign asked for, each new line, and a new ending count 1. Models to version 3 have the
standard deviation of all runs for the spread of every label.

A run that is odder than a limit is *unknown*. The limit is such that at most a chosen share of recorded runs
is odder: of those that trees of folds had not seen, and of all runs, each by what is normal in the others.
Both are asked because ranges and surprises of folds are not those of the model.

Confidence is what folds say about leaves like this one, times how far the label is to be trusted: every
label in turn is left out whole, and labels that attract runs of causes they were never shown are trusted
less, as if one failure in `UNRECORDED` had such a cause.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from thriftwood.base.rising import stepped
from thriftwood.clarify.patterns import Sign, SignKind

UNRECORDED = 2
DRAWN = 10
"""Runs with the spread of all runs; the range of fewer runs than these says less than that spread does."""
MOST_KNOWN = 2000
"""Things of a kind that are kept for a label, the commonest."""
ASKED = "asked"
"""The kind of what is odd about signs that the tree asks for."""
FRESH: tuple[SignKind, ...] = ("ending", "raises", "raised in", "says", "word")
"""Kinds of signs of which something new is odd; a duration is a number."""
ROUNDING = 1e-12
"""By how much an oddness may be off: thirds of a surprise do not add up to it, logarithms end differently."""
Odd = int | Sign
"""What is odd about a run: a feature of the tree, or a sign that no run of the label shows."""


@dataclass(frozen=True)
class Normal:
    """What is normal for each label, and when to say that a run is like none.

    Attributes
    ----------
    low, high : mapping of label to tuple of float
        The range of every feature of the tree.
    spread : mapping of label to tuple of float
        What a distance from its range is measured by, in log(1 + value); 0 of a sign.
    known : mapping of label to (mapping of kind to frozenset of str)
        What recorded runs of each label showed; kinds that are missing are not looked at.
    surprise : mapping of label to (mapping of kind to float), or None
        How odd it is that a run shows something new of a kind; None: each such thing counts 1.
    limit : float
        Odder runs are unknown.
    rate : float
        The share of known runs that was to be called unknown by mistake, at most.
    steps : tuple of (float, float)
        From the share of a label at its leaf, after Laplace, to how often such leaves were right on folds.
    trust : mapping of label to float
        The share of the runs given this label that are of a recorded cause.
    figures : mapping of str to float
        ``alarms``, known runs called unknown, by folds that the limit is not taken from; ``noticed``, runs of
        labels that were left out called unknown; ``misled``, those of them that got a label with a confidence
        above 0.8, where labels are trusted as far as the other labels that were left out tell. NaN-free.
    """

    low: Mapping[str, tuple[float, ...]]
    high: Mapping[str, tuple[float, ...]]
    spread: Mapping[str, tuple[float, ...]]
    known: Mapping[str, Mapping[str, frozenset[str]]]
    surprise: Mapping[str, Mapping[str, float]] | None
    limit: float
    rate: float
    steps: tuple[tuple[float, float], ...]
    trust: Mapping[str, float]
    figures: Mapping[str, float] = field(default_factory=dict)

    def odd(
        self, label: str, row: Sequence[float], shown: Collection[Sign] | None
    ) -> list[tuple[Odd, float]]:
        """Return what is odd about a run for its label, and by how much."""
        found: list[tuple[Odd, float]] = []
        asked: list[Odd] = []
        low, high, spread = self.low[label], self.high[label], self.spread[label]
        for place, value in enumerate(row):
            if math.isnan(value) or low[place] <= value <= high[place]:
                continue
            if not spread[place]:
                asked.append(place)
                continue
            bound = low[place] if value < low[place] else high[place]
            found.append((place, abs(math.log1p(value) - math.log1p(bound)) / spread[place]))
        found += self._weighed(label, ASKED, asked)
        if shown is None:
            return found
        for kind, known in self.known[label].items():
            new: list[Odd] = [
                *sorted(
                    (one for one in shown if one.kind == kind and one.text not in known),
                    key=lambda one: one.text,
                )
            ]
            # One that was killed for taking too long ended in two ways; one of them is enough.
            if kind == "ending" and any(one.kind == kind and one.text in known for one in shown):
                new = []
            found += self._weighed(label, kind, new[:1] if kind == "ending" else new)
        return found

    def _weighed(self, label: str, kind: str, things: Sequence[Odd]) -> list[tuple[Odd, float]]:
        """Share the surprise of a kind among the things that are odd."""
        if self.surprise is None or not things:
            return [(thing, 1.0) for thing in things]
        return [(thing, self.surprise[label][kind] / len(things)) for thing in things]

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of signs that are looked at."""
        return frozenset(kind for known in self.known.values() for kind in known)

    def oddness(self, label: str, row: Sequence[float], shown: Collection[Sign] | None) -> float:
        """Return how odd a run is for its label."""
        return float(sum(much for _, much in self.odd(label, row, shown)))

    def is_unknown(self, label: str, row: Sequence[float], shown: Collection[Sign] | None) -> bool:
        """Tell whether a run is like none that was recorded."""
        return self.is_too_odd(self.oddness(label, row, shown))

    def is_too_odd(self, much: float) -> bool:
        """Tell whether an oddness is above the limit."""
        return much > self.bound

    @property
    def bound(self) -> float:
        """The limit and what sums and logarithms may differ by: a run at the limit is no odder than it."""
        return bound_of(self.limit)

    def check(self, labels: Sequence[str], n_features: int) -> None:
        """Make sure that it is about these labels, and about so many features.

        Raises
        ------
        ValueError
            If it is not.
        """
        surprises = self.known if self.surprise is None else self.surprise
        for what in (self.low, self.high, self.spread, self.trust, self.known, surprises):
            if set(what) != set(labels):
                raise ValueError("what is normal must be known for the labels of the tree, and no others")
        for label, surprise in (self.surprise or {}).items():
            if set(surprise) != {ASKED, *self.known[label]}:
                raise ValueError("of every kind of sign that is known it must be known how odd others are")
        if any(
            len(row) != n_features for rows in (self.low, self.high, self.spread) for row in rows.values()
        ):
            raise ValueError(f"what is normal must be known for each of the {n_features} features")

    # Files

    def to_content(self) -> dict[str, Any]:
        """Return it in types that JSON has."""
        return {
            "low": {label: list(row) for label, row in self.low.items()},
            "high": {label: list(row) for label, row in self.high.items()},
            "spread": {label: list(row) for label, row in self.spread.items()},
            "known": {
                label: {kind: sorted(texts) for kind, texts in kinds.items()}
                for label, kinds in self.known.items()
            },
            "surprise": None
            if self.surprise is None
            else {label: dict(kinds) for label, kinds in self.surprise.items()},
            "limit": self.limit,
            "rate": self.rate,
            "steps": [list(step) for step in self.steps],
            "trust": dict(self.trust),
            "figures": dict(self.figures),
        }

    @classmethod
    def from_content(cls, content: Any) -> Normal:
        """Read what `to_content` gave, now or when models had version 2 or 3.

        Raises
        ------
        ValueError, TypeError, KeyError, AttributeError
            For anything else.
        """
        steps = tuple((_number(first), _number(share)) for first, share in content["steps"])
        if not steps or list(steps) != sorted(steps):
            raise ValueError("the steps of the confidence must rise")
        return cls(
            low={str(label): tuple(map(_number, row)) for label, row in content["low"].items()},
            high={str(label): tuple(map(_number, row)) for label, row in content["high"].items()},
            spread=_spread(content),
            known=_known(content["known"] if "known" in content else _known_by_version_2(content)),
            surprise=_surprise(content.get("surprise")),
            limit=_number(content["limit"]),
            rate=_number(content["rate"]),
            steps=steps,
            trust={str(label): _number(share) for label, share in content["trust"].items()},
            figures={str(name): _number(value) for name, value in content["figures"].items()},
        )

    def confidence(self, label: str, share: float) -> float:
        """Return how sure a label is, from its share at the leaf."""
        return stepped(self.steps, share) * self.trust[label]


def bound_of(limit: float) -> float:
    """Return what is to be exceeded for being odder than a limit, whatever was rounded.

    Examples
    --------
    >>> 0.1 + 0.2 > 0.3, 0.1 + 0.2 > bound_of(0.3), 0.31 > bound_of(0.3)
    (True, False, True)
    """
    return limit * (1.0 + ROUNDING) + ROUNDING


def _number(value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value) or value < -1.0:
        raise TypeError(f"what is normal is told in numbers, got {value!r}")
    return float(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a shape or an ending is a text, got {value!r}")
    return value


def _known(content: Any) -> dict[str, dict[str, frozenset[str]]]:
    return {
        str(label): {_kind(kind): frozenset(map(_text, texts)) for kind, texts in kinds.items()}
        for label, kinds in content.items()
    }


def _known_by_version_2(content: Any) -> dict[str, dict[str, Any]]:
    """Lines of messages were those of all labels together."""
    shapes, endings = content["shapes"], content["endings"]
    said = {"says": shapes} if shapes else {}
    return {label: said | ({"ending": endings[label]} if endings else {}) for label in content["low"]}


def _spread(content: Any) -> dict[str, tuple[float, ...]]:
    """To version 3 all labels had the spread of all runs."""
    rows = content["spread"] if "spread" in content else dict.fromkeys(content["low"], content["scale"])
    return {str(label): tuple(map(_number, row)) for label, row in rows.items()}


def _surprise(content: Any) -> dict[str, dict[str, float]] | None:
    if content is None:
        return None
    return {
        str(label): {str(kind): _number(much) for kind, much in kinds.items()}
        for label, kinds in content.items()
    }


def _kind(word: Any) -> str:
    if word not in FRESH:
        raise ValueError(f"what is known is of one of the kinds {', '.join(FRESH)}, got {word!r}")
    return str(word)


def ranges(
    rows: Sequence[Sequence[float]], labels: Sequence[str]
) -> tuple[dict[str, tuple[float, ...]], dict[str, tuple[float, ...]]]:
    """Return the least and the greatest value of each feature, by label.

    Examples
    --------
    >>> ranges([[1, 5], [3, 5], [9, 0]], ["a", "a", "b"])
    ({'a': (1.0, 5.0), 'b': (9.0, 0.0)}, {'a': (3.0, 5.0), 'b': (9.0, 0.0)})
    """
    low: dict[str, tuple[float, ...]] = {}
    high: dict[str, tuple[float, ...]] = {}
    for label, row in zip(labels, rows, strict=True):
        values = tuple(map(float, row))
        low[label] = tuple(map(min, low.get(label, values), values))
        high[label] = tuple(map(max, high.get(label, values), values))
    return low, high


def spreads(
    low: Sequence[float], high: Sequence[float], n_runs: int, of_all: Sequence[float]
) -> tuple[float, ...]:
    """Return what distances from the range of a label are measured by, for each feature.

    Parameters
    ----------
    low, high : sequence of float
        The range of the label.
    n_runs : int
        Of the label.
    of_all : sequence of float
        The standard deviation of log(1 + value) over all runs; where it is 0, so is what is returned.

    Examples
    --------
    >>> [round(one, 2) for one in spreads([5, 9, 0], [5, 99, 1], 60, [0.5, 2.0, 0.0])]
    [0.07, 2.26, 0.0]
    """
    n = n_runs + DRAWN
    return tuple(
        (n_runs * (math.log1p(most) - math.log1p(least)) + DRAWN * spread) / n if spread else 0.0
        for least, most, spread in zip(low, high, of_all, strict=True)
    )
