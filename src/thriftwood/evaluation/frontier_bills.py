"""What a case costs each point of a frontier on cases not learnt from, and what it costs without a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.baselines import TodayClassifier
from thriftwood.costs import Costs
from thriftwood.evaluation.comparisons import answered_by
from thriftwood.evaluation.measures import Predictions
from thriftwood.evaluation.ranking import Contender
from thriftwood.evaluation.sweep import Cases

FloatArray = NDArray[np.float64]


def contender_of(name: str, folds: Sequence[Predictions], cases: Cases, matrix: FloatArray) -> Contender:
    """Return what the judged cases of all folds cost a model."""
    return _contender(name, cases, matrix, [(one.test_cost, one.labels) for one in folds])


def nobody_of(cases: Cases, matrix: FloatArray) -> Contender:
    """Return what they cost if nobody is tested: each fold has the answer that is cheapest for the others."""
    answered = []
    for split in cases.splits:
        counts = np.bincount(cases.labels[split.grow], minlength=len(matrix))
        answer = int((counts @ matrix).argmin())
        answered.append((np.zeros(len(split.judge)), np.full(len(split.judge), answer)))
    return _contender("nobody", cases, matrix, answered)


def today_of(cases: Cases, costs: Costs, matrix: FloatArray) -> Contender:
    """Return what they cost today, where a panel is learnt from the other folds."""
    y, answered = np.asarray(cases.y), []
    for split in cases.splits:
        rows = split.grow.astype(np.intp), split.judge.astype(np.intp)
        answered.append(answered_by(TodayClassifier(costs), cases.X, y, costs, *rows)[:2])
    return _contender("today", cases, matrix, answered)


def _contender(
    name: str, cases: Cases, matrix: FloatArray, answered: Sequence[tuple[FloatArray, NDArray[Any]]]
) -> Contender:
    """Put the folds, each with what its cases paid and were answered, one after the other."""
    actual = np.concatenate([cases.labels[split.judge] for split in cases.splits])
    answers = np.concatenate([answers for _, answers in answered])
    return Contender(
        name,
        np.concatenate([paid for paid, _ in answered]),
        np.asarray(matrix[actual, answers]),
        answers == actual,
        np.repeat(np.arange(len(answered)), [len(paid) for paid, _ in answered]),
        float("nan"),
        float(np.mean([len(split.judge) / len(split.grow) for split in cases.splits])),
    )
