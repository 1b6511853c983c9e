"""`measure_sureness`: how sure a learner's types are, on sources it has not seen and types left out whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.rising import rising
from thriftwood.flowtype.curves import curves_of
from thriftwood.flowtype.learning import FeatureTable
from thriftwood.flowtype.sureness import LEAST_SHARE, LONG, SHORT, Guard, Sureness
from thriftwood.models.model import Model
from thriftwood.models.tree.confidence import smoothed_share

RATE = 0.05
FOLDS = 3
Learn = Callable[[FeatureTable], Model]


class SourcesError(ValueError):
    """There are not sources enough to measure how sure types are."""


class _Judged(NamedTuple):
    """Chunks that a model had not seen."""

    said: NDArray[np.str_]
    share: NDArray[np.float64]
    kind: NDArray[np.str_]
    """What they are."""
    far: tuple[NDArray[np.float64], ...]
    """By each guard."""


def measure_sureness(
    learn: Learn, cases: FeatureTable, *, rate: float = RATE, seed: int = 0, left_out: bool = True
) -> Sureness:
    """Measure how sure the types of a learner are.

    Parameters
    ----------
    learn : callable
        Learns from a table and returns what answers.
    cases : FeatureTable
        All chunks; sources are dealt into three folds.
    rate : float
        The share of chunks of known types that may be called unknown by mistake.
    seed : int
        Deals the sources.
    left_out : bool
        Whether to measure how many chunks of types that were left out are noticed; it takes as many fits as
        there are types.

    Raises
    ------
    SourcesError
        If there are fewer than three sources, or a type is of one alone.
    ValueError
        If the rate is no share.
    """
    if not 0.0 < rate < 1.0:
        raise ValueError(f"The rate of false alarms must be between 0 and 1. Got {rate}.")
    folds = list(_folds(cases, seed))
    judged = [_judged(learn, cases.take(~unseen), cases.take(unseen)) for unseen in folds]
    said = np.concatenate([one.said for one in judged])
    share = np.concatenate([one.share for one in judged])
    kind = np.concatenate([one.kind for one in judged])
    source = np.concatenate([cases.source[unseen] for unseen in folds])
    types, right = np.unique(cases.y).tolist(), said == kind
    far = [np.concatenate([one.far[place] for one in judged]) for place in range(2)]
    found = Sureness(
        rising(share.tolist(), right.tolist()),
        (),
        0.0,
        rate,
        curves=curves_of(types, said, share, right, source),
        mistaken={one: dict(Counter(kind[(said == one) & ~right].tolist())) for one in types},
    )
    sure = _sure(found, said, share)
    # Half of the mistakes may come of answers that are hardly sure, and the rest of what looks strange.
    least = min(LEAST_SHARE, float(np.sort(sure)[int(rate / 2 * len(sure))]))
    vague = sure < least
    rest = (rate - vague.mean()) / max(1.0 - vague.mean(), 1e-9)
    guards = [
        replace(
            Guard.of(features, cases.values, cases.y),
            limit=_limits(distances[~vague], said[~vague], rest, types),
        )
        for features, distances in zip((SHORT, LONG), far, strict=True)
    ]
    found = replace(found, guards=tuple(guards), least=least)
    figures = {"alarms": float(_unknown(found, judged).mean())}
    if left_out and len(types) > 2:
        noticed = []
        for out in types:
            # Every type is in some fold; where it has few sources, not in each.
            unseen = next(fold for fold in folds if (fold & (cases.y == out)).any())
            seen = cases.take(~unseen & (cases.y != out))
            new = _judged(learn, seen, cases.take(unseen & (cases.y == out)))
            noticed.append(_unknown(found, [new]).mean())
        figures["noticed"] = float(np.mean(noticed))
    return replace(found, figures=figures)


def _folds(cases: FeatureTable, seed: int) -> Iterator[NDArray[np.bool_]]:
    """Deal the sources; every fold leaves some of each type to learn from."""
    names = np.unique(cases.source)
    if len(names) < FOLDS:
        raise SourcesError(
            f"How sure types are is measured on sources that were not learnt from, in {FOLDS} parts; there "
            f"are {len(names)} sources. Give files of more origins, or leave it out (--false-alarms 0)."
        )
    dealt = np.random.default_rng(seed).permutation(names)
    for first in range(FOLDS):
        unseen = np.isin(cases.source, dealt[first::FOLDS])
        lacking = sorted(set(cases.y[unseen]) - set(cases.y[~unseen]))
        if lacking:
            raise SourcesError(
                f"All files of the type {str(lacking[0])!r} are of few sources, so that how sure it is "
                "cannot be measured on others. Give files of other origins, or leave it out "
                "(--false-alarms 0)."
            )
        yield unseen


def _judged(learn: Learn, seen: FeatureTable, unseen: FeatureTable) -> _Judged:
    model = learn(seen)
    said, share = answers_of(model, unseen)
    far = tuple(
        Guard.of(features, seen.values, seen.y).distances(unseen.values, said.tolist())
        for features in (SHORT, LONG)
    )
    return _Judged(said, share, unseen.y, far)


def answers_of(model: Model, cases: FeatureTable) -> tuple[NDArray[np.str_], NDArray[np.float64]]:
    """Return the answers of a model and what it says of each: of a tree the smoothed share at the leaf."""
    assert model.classes is not None
    classes = model.classes.tolist()
    tree = model.single_tree
    if tree is None:
        shares = np.asarray(model.predict_proba(cases.X))
        numbers = model.answers_of(model.table(cases.X))
        return np.array([classes[n] for n in numbers], dtype=np.str_), shares[np.arange(len(cases)), numbers]
    leaves = tree.apply(cases.X).tolist()
    known = {}
    for leaf in set(leaves):
        answer = tree.answer(leaf)
        known[leaf] = str(answer), smoothed_share(tree, leaf, classes.index(answer))
    return (
        np.array([known[leaf][0] for leaf in leaves], dtype=np.str_),
        np.array([known[leaf][1] for leaf in leaves]),
    )


def _limits(
    far: NDArray[np.float64], said: NDArray[np.str_], rate: float, types: list[str]
) -> dict[str, float]:
    """Return for each type the distance that at most this share of its chunks lies beyond."""
    found = {}
    for kind in types:
        own = np.sort(far[said == kind])
        allowed = int(rate * (len(own) + 1))
        found[kind] = float(own[len(own) - 1 - allowed]) if allowed < len(own) else float(np.max(far))
    return found


def _unknown(sureness: Sureness, judged: list[_Judged]) -> NDArray[np.bool_]:
    """Tell which chunks of 16 KB would be called unknown."""
    guard = sureness.guards[-1]
    found = []
    for one in judged:
        limit = np.array([guard.limit[kind] for kind in one.said.tolist()])
        found.append((one.far[-1] > limit) | (_sure(sureness, one.said, one.share) < sureness.least))
    return np.concatenate(found)


def _sure(sureness: Sureness, said: NDArray[np.str_], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the calibrated shares of answers."""
    answers = zip(said.tolist(), shares.tolist(), strict=True)
    return np.array([sureness.share(answer, share) for answer, share in answers])
