"""What recorded runs look like, label by label: whether a run is like any of them, and how sure a label is.

A tree knows the causes that it was shown and forces every other one into one of them. Of the runs of each
label the least and the greatest value of everything the tree asks for are therefore kept, how they ended,
and all shapes of messages. What of a run is outside of that, against the label it was given, adds up to its
*oddness*:

    sum over what is counted of how far log(1 + count) is out of the range, in standard deviations of all runs
    + 1 for each sign that all runs of the label have, or none
    + 1 for each line of the message whose shape no recorded run has
    + 1 if no recorded run of the label ended so

A run that is odder than a limit is *unknown*. The limit is taken from folds, such that a chosen share of
recorded runs, which the tree had not seen, is called unknown by mistake.

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
from thriftwood.clarify.patterns import Sign

UNRECORDED = 2
MOST_SHAPES = 2000
ODD_ENDING = "how it ended"


@dataclass(frozen=True)
class Normal:
    """What is normal for each label, and when to say that a run is like none.

    Attributes
    ----------
    low, high : mapping of label to tuple of float
        The range of every feature of the tree.
    scale : tuple of float
        The standard deviation of log(1 + value) over all runs; 0 of a sign.
    shapes : frozenset of str
        Of lines of messages that recorded runs wrote; empty: not looked at.
    endings : mapping of label to tuple of str
        How recorded runs ended; empty: not looked at.
    limit : float
        Odder runs are unknown.
    rate : float
        The share of known runs that was to be called unknown by mistake, at most.
    steps : tuple of (float, float)
        From the share of a label at its leaf, after Laplace, to how often such leaves were right on folds.
    trust : mapping of label to float
        The share of the runs given this label that are of a recorded cause.
    figures : mapping of str to float
        ``alarms``, known runs of folds called unknown; ``noticed``, runs of labels that were left out called
        unknown; ``misled``, those of them that got a label with a confidence above 0.8. NaN-free.
    """

    low: Mapping[str, tuple[float, ...]]
    high: Mapping[str, tuple[float, ...]]
    scale: tuple[float, ...]
    shapes: frozenset[str]
    endings: Mapping[str, tuple[str, ...]]
    limit: float
    rate: float
    steps: tuple[tuple[float, float], ...]
    trust: Mapping[str, float]
    figures: Mapping[str, float] = field(default_factory=dict)

    def odd(
        self, label: str, row: Sequence[float], shown: Collection[Sign] | None
    ) -> list[tuple[int | str, float]]:
        """Return what is odd about a run for its label: the feature or the line, and by how much."""
        found: list[tuple[int | str, float]] = []
        low, high = self.low[label], self.high[label]
        for place, value in enumerate(row):
            if math.isnan(value) or low[place] <= value <= high[place]:
                continue
            if not self.scale[place]:
                found.append((place, 1.0))
                continue
            bound = low[place] if value < low[place] else high[place]
            found.append((place, abs(math.log1p(value) - math.log1p(bound)) / self.scale[place]))
        if shown is None:
            return found
        if self.shapes:
            said = sorted(sign.text for sign in shown if sign.kind == "says")
            found += [(text, 1.0) for text in said if text not in self.shapes]
        if self.endings and not any(
            sign.kind == "ending" and sign.text in self.endings[label] for sign in shown
        ):
            found.append((ODD_ENDING, 1.0))
        return found

    def oddness(self, label: str, row: Sequence[float], shown: Collection[Sign] | None) -> float:
        """Return how odd a run is for its label."""
        return float(sum(much for _, much in self.odd(label, row, shown)))

    def is_unknown(self, label: str, row: Sequence[float], shown: Collection[Sign] | None) -> bool:
        """Tell whether a run is like none that was recorded."""
        return self.oddness(label, row, shown) > self.limit

    def check(self, labels: Sequence[str], n_features: int) -> None:
        """Make sure that it is about these labels, and about so many features.

        Raises
        ------
        ValueError
            If it is not.
        """
        for what in (self.low, self.high, self.trust, *([self.endings] if self.endings else [])):
            if set(what) != set(labels):
                raise ValueError("what is normal must be known for the labels of the tree, and no others")
        if any(len(row) != n_features for row in (self.scale, *self.low.values(), *self.high.values())):
            raise ValueError(f"what is normal must be known for each of the {n_features} features")

    # Files

    def to_content(self) -> dict[str, Any]:
        """Return it in types that JSON has."""
        return {
            "low": {label: list(row) for label, row in self.low.items()},
            "high": {label: list(row) for label, row in self.high.items()},
            "scale": list(self.scale),
            "shapes": sorted(self.shapes),
            "endings": {label: list(those) for label, those in self.endings.items()},
            "limit": self.limit,
            "rate": self.rate,
            "steps": [list(step) for step in self.steps],
            "trust": dict(self.trust),
            "figures": dict(self.figures),
        }

    @classmethod
    def from_content(cls, content: Any) -> Normal:
        """Read what `to_content` gave.

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
            scale=tuple(map(_number, content["scale"])),
            shapes=frozenset(map(_text, content["shapes"])),
            endings={str(label): tuple(map(_text, those)) for label, those in content["endings"].items()},
            limit=_number(content["limit"]),
            rate=_number(content["rate"]),
            steps=steps,
            trust={str(label): _number(share) for label, share in content["trust"].items()},
            figures={str(name): _number(value) for name, value in content["figures"].items()},
        )

    def confidence(self, label: str, share: float) -> float:
        """Return how sure a label is, from its share at the leaf."""
        return stepped(self.steps, share) * self.trust[label]


def _number(value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value) or value < -1.0:
        raise TypeError(f"what is normal is told in numbers, got {value!r}")
    return float(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a shape or an ending is a text, got {value!r}")
    return value


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
