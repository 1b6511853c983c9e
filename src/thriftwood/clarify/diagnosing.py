"""`diagnose`: what a run's counts say about its failure, and by which way through the tree."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from os import PathLike

from thriftwood.clarify.builds import check_build
from thriftwood.clarify.endings import Ending, read_ending
from thriftwood.clarify.learning import named_counts
from thriftwood.clarify.model import Model
from thriftwood.clarify.oddities import odd_words
from thriftwood.clarify.patterns import Sign, in_words
from thriftwood.clarify.profile import Profile
from thriftwood.clarify.telling import close_to, doubt_about, said_of, stated
from thriftwood.clarify.watching import RUN, read_signs, read_watched
from thriftwood.costs.names import counted


@dataclass(frozen=True)
class Step:
    """A test on the way.

    Attributes
    ----------
    pattern : str
        What was counted, or a sign: ``[exit 1]``.
    count : int or None
        How often it was seen; of a sign, 1 or 0; None if nobody knows.
    condition : str
        What follows, as the tree asks it: ``f>g <= 2``.
    """

    pattern: str
    count: int | None
    condition: str
    watched: bool = True
    """Whether it was counted; otherwise it is a sign, which costs nothing."""
    words: str = ""
    """What was counted or looked at, in plain words."""


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
        How sure the label is: how often leaves like this one were right on folds, times how far the label
        is to be trusted where causes were left out (`thriftwood.clarify.normal`). Of a model of version 1,
        after Laplace: (n_of_label + 1) / (n_alike + number of labels). Never 1.
    n_alike : int
        How many recorded runs are at the same leaf.
    n_of_label : int
        How many of them have this label.
    n_runs : int
        How many runs were learnt from.
    confirmed : float or None
        The share of runs that trees which had not seen them answered correctly; None if it is not known.
    shares : dict of str to float
        The share of every label at the leaf.
    steps : tuple of Step
        The way through the tree.
    counts : dict of str to int
        All that was counted, by pattern.
    ended : Ending or None
        How the run ended; None if it is not known.
    doubt : str or None
        Why the label may not hold: recorded runs of it did not end so.
    trust : float or None
        How far the label is trusted, which the confidence has in it: runs of labels that were left out, which
        stand for causes that nobody recorded, were taken for it. None if that is not known.
    unknown : bool
        Whether the run is like none that was recorded; the label is then only the nearest.
    odd : tuple of str
        What is unlike recorded runs of the label, in words, the oddest first.
    said : str
        What a user reads: the message, or the label, with as much doubt as the confidence leaves
        (`thriftwood.clarify.telling`); that the run did not fail; that it is like none that was recorded.
    """

    label: str
    message: str | None
    confidence: float
    n_alike: int
    n_of_label: int
    n_runs: int
    confirmed: float | None
    shares: dict[str, float]
    steps: tuple[Step, ...]
    counts: dict[str, int]
    ended: Ending | None = None
    doubt: str | None = None
    trust: float | None = None
    unknown: bool = False
    odd: tuple[str, ...] = ()
    said: str = ""

    @property
    def nothing_seen(self) -> bool:
        """Whether nothing that was asked on the way happened: the label rests on what was not seen."""
        return _nothing_seen(self.steps)


def _nothing_seen(steps: Sequence[Step]) -> bool:
    return len(steps) > 0 and all(step.watched and not step.count for step in steps)


def diagnose(
    model: Model,
    seen: Sequence[int] | Profile,
    ended: Ending | None = None,
    shown: Collection[Sign] | None = None,
) -> Diagnosis:
    """Say what the counts of a run mean.

    Parameters
    ----------
    model : Model
        Tree, plan and messages.
    seen : sequence of int, or Profile
        A count per pattern of the plan, as `read_watched` gives; or the profile of a recorded run.
    ended : Ending, optional
        How the run ended. A label whose recorded runs never ended so is doubted.
    shown : collection of Sign, optional
        What the run showed for nothing, by `thriftwood.clarify.evidence.signs_of`. Without it, the tests of
        the tree that ask for signs go the way of most recorded runs.

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
        raise ValueError(
            f"The plan has {counted(len(patterns), 'pattern')}, so as many counts. "
            f"Got {counted(len(seen), 'count')}."
        )
    row = model.row(seen, shown)
    leaf = int(tree.apply(named_counts(tree.feature_names, [row]))[0])
    path = tree.path(leaf)
    steps = []
    for parent, child in pairwise(path):
        feature = tree.flat.feature[parent]
        value = None if math.isnan(row[feature]) else int(row[feature])
        name, watched = tree.feature_names[feature], feature < len(patterns)
        words = in_words(patterns[feature]) if watched else model.signs[feature - len(patterns)].words
        steps.append(Step(name, value, str(tree.condition(child)), watched, words))
    label = str(tree.answer(leaf))
    shares = dict(zip(model.labels, tree.shares(leaf), strict=True))
    n_alike = round(float(tree.flat.weight[leaf]))
    n_of_label = round(shares[label] * n_alike)
    confidence = (n_of_label + 1) / (n_alike + len(model.labels))
    normal, unknown = model.normal, False
    odd: tuple[str, ...] = ()
    if normal is not None:
        confidence = normal.confidence(label, confidence)
        found = normal.odd(label, row, shown)
        unknown = normal.is_too_odd(sum(much for _, much in found))
        odd = odd_words(normal, label, row, found, (*patterns, *model.signs))
    how = None if ended is None else ended.words
    doubt = doubt_about(label, how, model.endings, model.in_doubt)
    sure = stated(confidence, nothing_seen=_nothing_seen(steps))
    other = close_to(label, sure, shares, how, model.endings)
    second = None if other is None else model.text(other)
    said = said_of(model.text(label), sure, second, ended=how, doubt=doubt, unknown=unknown)
    return Diagnosis(
        label=label,
        message=model.messages.get(label),
        confidence=confidence,
        n_alike=n_alike,
        n_of_label=n_of_label,
        n_runs=round(float(tree.flat.weight[0])),
        confirmed=model.figures.get("confirmed"),
        shares=shares,
        steps=tuple(steps),
        counts={str(pattern): int(count) for pattern, count in zip(patterns, seen, strict=True)},
        ended=ended,
        doubt=doubt,
        trust=None if normal is None else normal.trust[label],
        unknown=unknown,
        odd=odd,
        said=said,
    )


def diagnose_run(model: Model, path: str | PathLike[str]) -> Diagnosis:
    """Diagnose a watched run: a file of one process, the folder of a run, or the last run of a folder."""
    counts = read_watched(path, model)
    if counts.folder is None:
        return diagnose(model, counts.values)
    return diagnose(model, counts.values, read_ending(counts.folder / RUN), read_signs(counts.folder, model))
