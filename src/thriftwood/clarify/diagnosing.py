"""`diagnose`: what a run's counts say about its failure, and by which way through the tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from os import PathLike

from thriftwood.clarify.builds import check_build
from thriftwood.clarify.learning import named_counts
from thriftwood.clarify.model import Model
from thriftwood.clarify.profile import Profile
from thriftwood.clarify.watching import read_watched


@dataclass(frozen=True)
class Step:
    """A test on the way.

    Attributes
    ----------
    pattern : str
        What was counted.
    count : int
        How often it was seen.
    condition : str
        What follows, as the tree asks it: ``f>g <= 2``.
    """

    pattern: str
    count: int
    condition: str


@dataclass(frozen=True)
class Diagnosis:
    """What a failure is, as far as the counts tell.

    Attributes
    ----------
    label : str
        The class.
    message : str or None
        What its text says; None if nobody wrote one.
    confidence : float
        The share of runs at the same leaf that had this label when the tree was learnt.
    n_alike : float
        How many runs that were.
    shares : dict of str to float
        The share of every label there.
    steps : tuple of Step
        The way through the tree.
    counts : dict of str to int
        All that was counted, by pattern.
    """

    label: str
    message: str | None
    confidence: float
    n_alike: float
    shares: dict[str, float]
    steps: tuple[Step, ...]
    counts: dict[str, int]


def diagnose(model: Model, seen: Sequence[int] | Profile) -> Diagnosis:
    """Say what the counts of a run mean.

    Parameters
    ----------
    model : Model
        Tree, plan and messages.
    seen : sequence of int, or Profile
        A count per pattern of the plan, as `read_watched` gives; or the profile of a recorded run.

    Raises
    ------
    ValueError
        If the number of counts is not that of the plan, or a profile is one of another build.
    """
    if isinstance(seen, Profile):
        check_build(seen.build, model.build)
        seen = model.plan.count(seen)
    patterns, tree = model.plan.patterns, model.tree
    if len(seen) != len(patterns):
        raise ValueError(f"The plan has {len(patterns)} patterns, so as many counts. Got {len(seen)} counts.")
    leaf = int(tree.apply(named_counts(tree.feature_names, [seen]))[0])
    path = tree.path(leaf)
    steps = []
    for parent, child in pairwise(path):
        feature = tree.flat.feature[parent]
        steps.append(Step(str(patterns[feature]), int(seen[feature]), str(tree.condition(child))))
    label = str(tree.answer(leaf))
    shares = dict(zip(model.labels, tree.shares(leaf), strict=True))
    return Diagnosis(
        label=label,
        message=model.messages.get(label),
        confidence=shares[label],
        n_alike=float(tree.flat.weight[leaf]),
        shares=shares,
        steps=tuple(steps),
        counts={str(pattern): int(count) for pattern, count in zip(patterns, seen, strict=True)},
    )


def diagnose_run(model: Model, path: str | PathLike[str]) -> Diagnosis:
    """Diagnose a watched run: a file of one process, the folder of a run, or the last run of a folder."""
    return diagnose(model, read_watched(path, model).values)
