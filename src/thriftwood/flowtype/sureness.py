"""How sure a type is, and when a stream is of none of them.

A model knows the types that it was shown and calls every other stream one of them. Two things are therefore
kept beside it, both measured on sources that had no part in learning:

- *curves* from what a model says of its answer (the share at the leaf of a tree, smoothed) to how often such
  answers were right, one for each type: the calibrated share. What it leaves goes to the types that such
  answers were *mistaken* for. Files of earlier versions have *steps* of all types together.
- *guards*: six cheap statistics, of 2 KB and of 16 KB where there are as many. How far those of a chunk lie
  from the chunks of the type it got, in the spread of that type (Mahalanobis), is compared with chunks of
  that type that were not learnt from: it is *unlike* if fewer than `rate` of them lie as far (a conformal
  p-value).

A stream whose type is less sure than `least`, or that is unlike its type, is unknown; together at most about
`rate` of the chunks of known types are, on sources that were not learnt from.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.rising import stepped
from thriftwood.flowtype.chunk import FEATURES, SIZES, Chunk
from thriftwood.flowtype.curves import Curve

UNKNOWN = "unknown"
"""The answer for a stream that is like none of the types."""
STATISTICS = ("mean", "variance", "autocorrelation", "entropy", "skewness", "kurtosis")
SHORT = tuple(f"{name}@2k" for name in STATISTICS)
LONG = (*SHORT, *(f"{name}@16k" for name in STATISTICS))
LEAST_SHARE = 0.5
"""An answer that is more likely wrong than right is none, where the rate leaves room for that."""
Rows = NDArray[np.float64]


@dataclass(frozen=True)
class Guard:
    """Where the chunks of each type lie, by a few statistics.

    Attributes
    ----------
    features : tuple of str
        Names of `FEATURES`.
    centre : mapping of type to tuple of float
        Their means, after `straightened`.
    root : mapping of type to tuple of tuple of float
        What makes their spread 1 in all directions: rows of the inverse of the covariance's root.
    limit : mapping of type to float
        What lies farther from the centre is unlike the type.
    """

    features: tuple[str, ...]
    centre: Mapping[str, tuple[float, ...]]
    root: Mapping[str, tuple[tuple[float, ...], ...]]
    limit: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, features: tuple[str, ...], values: Rows, types: NDArray[np.str_]) -> Guard:
        """Measure chunks of known types; `values` has a column per name of `FEATURES`."""
        rows = straightened(features, values)
        ground = 1e-6 * np.diag(rows.var(axis=0) + 1e-12)
        centre, root = {}, {}
        for kind in np.unique(types).tolist():
            own = rows[types == kind]
            spread = (np.cov(own.T) if len(own) > 1 else np.zeros_like(ground)) + ground
            centre[kind] = tuple(own.mean(axis=0).tolist())
            root[kind] = tuple(map(tuple, np.linalg.inv(np.linalg.cholesky(spread)).tolist()))
        return cls(features, centre, root)

    def distances(self, values: Rows, answers: Sequence[str]) -> Rows:
        """Return how far each row lies from the centre of the type it got."""
        rows = straightened(self.features, values)
        answered = np.array(answers, dtype=np.str_)
        found = np.zeros(len(rows))
        for kind in set(answers):
            mine = answered == kind
            moved = rows[mine] - np.array(self.centre[kind])
            found[mine] = np.sqrt(((moved @ np.array(self.root[kind]).T) ** 2).sum(axis=1))
        return found


def straightened(features: Sequence[str], values: Rows) -> Rows:
    """Return the columns of these features on scales on which types are clouds, not corners."""
    found = values[:, [FEATURES.index(name) for name in features]].copy()
    for place, name in enumerate(features):
        column = found[:, place]
        if name.startswith("entropy"):
            found[:, place] = np.log(8.02 - column)  # of packed and encrypted bytes all but 8 bits
        elif name.startswith("variance"):
            found[:, place] = np.log1p(column)
        else:
            found[:, place] = np.arcsinh(column)
    return found


@dataclass(frozen=True)
class Sureness:
    """What is known of a model's answers besides the model; `thriftwood.flowtype.measuring` measures it.

    Attributes
    ----------
    steps : tuple of (float, float)
        From what the model says of its answer to how often such answers were right, all types together: for
        files without `curves`, and for earlier versions that read the file.
    guards : tuple of Guard
        The last one that a chunk is long enough for is asked.
    least : float
        What is less sure is unknown.
    rate : float
        The share of chunks of known types that may be called unknown by mistake.
    figures : mapping of str to float
        ``alarms``, known chunks of unseen sources called unknown; ``noticed``, chunks of types left out whole
        called unknown, the mean over types.
    curves : mapping of type to Curve
        The same as `steps` for answers of each type; none in files of earlier versions.
    mistaken : mapping of type to mapping of type to int
        How many chunks of unseen sources that were answered so were of each other type.
    """

    steps: tuple[tuple[float, float], ...]
    guards: tuple[Guard, ...]
    least: float
    rate: float
    figures: Mapping[str, float] = field(default_factory=dict)
    curves: Mapping[str, Curve] = field(default_factory=dict)
    mistaken: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def guard(self, chunk: Chunk) -> Guard:
        """Return the guard that a chunk is long enough for."""
        return [one for one in self.guards if all(map(chunk.has, one.features))][-1]

    def share(self, answer: str, said: float) -> float:
        """Return how often such answers that a model is so sure of were right."""
        return self.curves[answer].share(said) if self.curves else stepped(self.steps, said)

    def shares(self, told: Mapping[Any, float], answer: Any, share: float) -> dict[Any, float]:
        """Return the shares of all types where the answer has this one and the model told those."""
        if not self.curves:
            return calibrated(told, answer, share)
        return spread(told, answer, share, self.mistaken[str(answer)])

    def is_unlike(self, chunk: Chunk, answer: str) -> bool:
        """Compute the guard's statistics, and tell whether the chunk is unlike the type it got."""
        guard = self.guard(chunk)
        values = np.full((1, len(FEATURES)), np.nan)
        for name in guard.features:
            values[0, FEATURES.index(name)] = chunk.feature(name)
        return bool(guard.distances(values, [answer])[0] > guard.limit[answer])

    def to_content(self) -> dict[str, Any]:
        """Return it in types that JSON has."""
        by_type = {
            "curves": {kind: list(curve) for kind, curve in self.curves.items()},
            "mistaken": {kind: dict(counts) for kind, counts in self.mistaken.items()},
        }
        return {
            "steps": [list(step) for step in self.steps],
            "guards": [
                {
                    "features": list(one.features),
                    "centre": {kind: list(row) for kind, row in one.centre.items()},
                    "root": {kind: [list(row) for row in rows] for kind, rows in one.root.items()},
                    "limit": dict(one.limit),
                }
                for one in self.guards
            ],
            "least": self.least,
            "rate": self.rate,
            "figures": dict(self.figures),
            **(by_type if self.curves else {}),
        }

    @classmethod
    def from_content(cls, content: Any, types: Sequence[str]) -> Sureness:
        """Read what `to_content` gave, for a model of these types.

        Raises
        ------
        ValueError, TypeError, KeyError, AttributeError
            For anything else.
        """
        steps = tuple((_number(first), _number(right)) for first, right in content["steps"])
        if not steps or list(steps) != sorted(steps):
            raise ValueError("the steps of shares must rise")
        guards = tuple(_guard(one, types) for one in content["guards"])
        if not guards or any(not name.endswith(f"@{SIZES[0] // 1024}k") for name in guards[0].features):
            raise ValueError("the first guard must be of the smallest size")
        return cls(
            steps,
            guards,
            _number(content["least"]),
            _number(content["rate"]),
            {str(name): _number(value) for name, value in content["figures"].items()},
            *_by_type(content, types),
        )


def calibrated(shares: Mapping[Any, float], answer: Any, share: float) -> dict[Any, float]:
    """Give the answer its calibrated share; what was most likely stays so.

    The others keep their proportions. Where one of them would overtake the answer all shares are drawn
    towards equal ones instead: less than an equal share is what few chunks say.

    Examples
    --------
    >>> [round(one, 2) for one in calibrated({"ENC": 0.6, "TXT": 0.1, "ZIP": 0.3}, "ENC", 0.8).values()]
    [0.8, 0.05, 0.15]
    >>> [round(one, 2) for one in calibrated({"ENC": 0.6, "TXT": 0.0, "ZIP": 0.4}, "ENC", 0.44).values()]
    [0.44, 0.2, 0.36]
    """
    even = 1.0 / len(shares)
    others = {kind: value for kind, value in shares.items() if kind != answer}
    most, rest = max(others.values(), default=0.0), sum(others.values())
    left = 1.0 - share
    found = {kind: left * (value / rest if rest > 0 else 1.0 / len(others)) for kind, value in others.items()}
    if most <= shares[answer] and max(found.values(), default=0.0) > share:
        part = max(share - even, 0.0) / (shares[answer] - even) if shares[answer] > even else 0.0
        return {kind: even + part * (value - even) for kind, value in shares.items()}
    return {kind: share if kind == answer else found[kind] for kind in shares}


def spread(
    shares: Mapping[Any, float], answer: Any, share: float, mistaken: Mapping[str, int]
) -> dict[Any, float]:
    """Give the answer its share, and the rest to the types that it was mistaken for.

    A case is added to those that were counted, half of it by what the model says of the others, half evenly.
    Where another type would be above an answer that the model holds the likeliest, both get their mean: that
    an answer is rather another type is what few chunks say.

    Examples
    --------
    >>> mistaken = {"ZIP": 20}
    >>> [round(one, 2) for one in spread({"ENC": 1.0, "TXT": 0, "ZIP": 0}, "ENC", 0.8, mistaken).values()]
    [0.8, 0.0, 0.2]
    >>> [round(one, 2) for one in spread({"ENC": 1.0, "TXT": 0, "ZIP": 0}, "ENC", 0.44, mistaken).values()]
    [0.49, 0.01, 0.49]
    """
    others = {kind: value for kind, value in shares.items() if kind != answer}
    if not others:
        return {answer: share}
    whole, n = sum(others.values()), len(others)
    parts = {
        kind: mistaken.get(str(kind), 0) + 0.5 / n + 0.5 * (value / whole if whole > 0 else 1.0 / n)
        for kind, value in others.items()
    }
    left = (1.0 - share) / sum(parts.values())
    found = {kind: left * parts[kind] if kind != answer else share for kind in shares}
    level, alike = share, [answer]
    if shares[answer] >= max(others.values()):
        for kind in sorted(others, key=found.__getitem__, reverse=True):
            if found[kind] > level:
                alike.append(kind)
                level = sum(found[one] for one in alike) / len(alike)
    return {**found, **dict.fromkeys(alike, level)}


def _by_type(content: Any, types: Sequence[str]) -> tuple[dict[str, Curve], dict[str, dict[str, int]]]:
    """Read what is known of each type's answers: nothing in files of earlier versions."""
    if "curves" not in content and "mistaken" not in content:
        return {}, {}
    curves = {kind: Curve(*map(_number, curve)) for kind, curve in content["curves"].items()}
    mistaken = {kind: dict(counts) for kind, counts in content["mistaken"].items()}
    if set(curves) != set(types) or set(mistaken) != set(types):
        raise ValueError("curves and mistakes must be those of the types of the model, and no others")
    if any(curve.slope < 0 for curve in curves.values()):
        raise ValueError("the curves of shares must rise")
    for counts in mistaken.values():
        if not set(counts) <= set(types) or any(type(n) is not int or n < 0 for n in counts.values()):
            raise ValueError("mistakes are counted, for types of the model")
    return curves, mistaken


def _guard(content: Any, types: Sequence[str]) -> Guard:
    features = tuple(content["features"])
    if not features or any(name not in FEATURES for name in features):
        raise ValueError("a guard is of features of flowtype")
    guard = Guard(
        features,
        {kind: tuple(map(_number, row)) for kind, row in content["centre"].items()},
        {kind: tuple(tuple(map(_number, row)) for row in rows) for kind, rows in content["root"].items()},
        {kind: _number(limit) for kind, limit in content["limit"].items()},
    )
    n = len(features)
    for known in (guard.centre, guard.root, guard.limit):
        if set(known) != set(types):
            raise ValueError("guards must know the types of the model, and no others")
    if any(len(row) != n for row in guard.centre.values()) or any(
        [len(row) for row in rows] != [n] * n for rows in guard.root.values()
    ):
        raise ValueError("a guard must know each of its features")
    return guard


def _number(value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise TypeError(f"how sure types are is told in numbers, got {value!r}")
    return float(value)
