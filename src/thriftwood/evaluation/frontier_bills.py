"""What a case costs each point of a frontier on cases not learnt from, and what it costs without a model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from thriftwood.baselines import TodayClassifier
from thriftwood.costs import Costs
from thriftwood.evaluation.comparisons import answered_by
from thriftwood.evaluation.measures import Predictions
from thriftwood.evaluation.ranking import Contender
from thriftwood.evaluation.sweep import Cases

FloatArray = NDArray[np.float64]


def contender_of(name: str, folds: Sequence[Predictions], matrix: FloatArray) -> Contender:
    """Return what the judged cases of all folds cost, one fold after the other."""
    actual = np.concatenate([one.actual for one in folds])
    labels = np.concatenate([one.labels for one in folds])
    return Contender(
        name,
        np.concatenate([one.test_cost for one in folds]),
        np.asarray(matrix[actual, labels]),
        labels == actual,
        np.repeat(np.arange(len(folds)), [len(one.actual) for one in folds]),
        float("nan"),
    )


def nobody_of(cases: Cases, matrix: FloatArray) -> Contender:
    """Return what they cost if nobody is tested: each fold has the answer that is cheapest for the others."""
    error, right = [], []
    for split in cases.splits:
        actual = cases.labels[split.judge]
        counts = np.bincount(cases.labels[split.grow], minlength=len(matrix))
        answer = int((counts @ matrix).argmin())
        error.append(matrix[actual, answer])
        right.append(actual == answer)
    return Contender("nobody", *_of_folds([np.zeros(len(one)) for one in error], error, right), float("nan"))


def today_of(cases: Cases, costs: Costs, matrix: FloatArray) -> Contender:
    """Return what they cost today, where a panel is learnt from the other folds."""
    paid, error, right = [], [], []
    y = np.asarray(cases.y)
    for split in cases.splits:
        rows = split.grow.astype(np.intp), split.judge.astype(np.intp)
        own, answers, _ = answered_by(TodayClassifier(costs), cases.X, y, costs, *rows)
        actual = cases.labels[split.judge]
        paid.append(own)
        error.append(matrix[actual, answers])
        right.append(answers == actual)
    return Contender("today", *_of_folds(paid, error, right), float("nan"))


def _of_folds(
    paid: list[FloatArray], error: list[FloatArray], right: list[NDArray[np.bool_]]
) -> tuple[FloatArray, FloatArray, NDArray[np.bool_], NDArray[np.intp]]:
    fold = np.repeat(np.arange(len(paid)), [len(one) for one in paid])
    return np.concatenate(paid), np.concatenate(error), np.concatenate(right), fold
