"""Logistic regression with a ridge: by Newton's steps for two classes, by L-BFGS for more."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from thriftwood.models.ledger import FloatArray
from thriftwood.models.score_card import chances

SMALL_STEP = 1e-4
"""Steps end where no weight moves by more: a hundredth of a point."""
MOST_STEPS = 30
FREE = 1e-6
"""The ridge of the first column, where counting begins: it is not held back."""
LEAST_RIDGE = 1e-12
"""Of the largest second derivative: where cases weigh 1e20, rounding takes a smaller ridge away."""


def add_ridge(bend: FloatArray, ridge: FloatArray | float) -> None:
    """Add a ridge to second derivatives, at least as much as keeps them from being singular.

    Examples
    --------
    >>> bend = np.full((2, 2), 1e20)
    >>> add_ridge(bend, 1.0)
    >>> int(np.linalg.matrix_rank(bend, tol=1e-14 * 1e20))
    2
    """
    diagonal = np.diag_indices(len(bend))
    bend[diagonal] += np.maximum(ridge, LEAST_RIDGE * bend[diagonal].max(initial=0.0))


def logistic(
    columns: FloatArray,
    labels: NDArray[np.int32],
    n_classes: int,
    ridge: float,
    case_weights: FloatArray,
    start: FloatArray | None = None,
) -> FloatArray:
    """Return weights of columns, of shape (n_columns, 1) for two classes, else (n_columns, n_classes).

    Parameters
    ----------
    columns : array of shape (n_rows, n_columns)
        The first is 1 everywhere.
    labels, n_classes
        The classes of the cases.
    ridge : float
        How much the square of a weight costs.
    case_weights : array of shape (n_rows,)
        How much each case counts.
    start : array, optional
        Weights to begin with, of the first columns.

    Examples
    --------
    >>> ones = np.ones((4, 1))
    >>> weights = logistic(ones, np.array([0, 1, 1, 1], dtype=np.int32), 2, 1.0, np.ones(4))
    >>> chances(ones[:1] @ weights).round(3).tolist()
    [[0.25, 0.75]]
    """
    weights = np.zeros((columns.shape[1], 1 if n_classes == 2 else n_classes))
    if start is not None:
        weights[: len(start)] = start
    held = np.full((columns.shape[1], 1), ridge)
    held[0] = FREE
    if n_classes == 2:
        target = (labels == 1).astype(np.float64)
        return newton(columns, target, held[:, 0], case_weights, weights[:, 0])[:, None]
    return _many(columns, labels, held, case_weights, weights)


def newton(
    columns: FloatArray,
    target: FloatArray,
    held: FloatArray,
    case_weights: FloatArray,
    weights: FloatArray,
    beside: FloatArray | float = 0.0,
    most_steps: int = MOST_STEPS,
) -> FloatArray:
    """Return the weights for two classes, by Newton's steps, each halved until it makes things no worse.

    Parameters
    ----------
    columns : array of shape (n_rows, n_columns)
        What is weighed.
    target : array of shape (n_rows,)
        1 for the cases of the second class, 0 for the others.
    held : array of shape (n_columns,)
        How much the square of each weight costs.
    case_weights : array of shape (n_rows,)
        How much each case counts.
    weights : array of shape (n_columns,)
        Those to begin with.
    beside : array of shape (n_rows,), optional
        Scores that each case has besides.
    most_steps : int
        After so many it ends, near the least or not.

    Examples
    --------
    >>> column, target = np.ones((100, 1)), np.arange(100) < 50
    >>> begin = np.array([0.0]), -3.0  # one case of twenty was expected to be of the second class
    >>> newton(column, target * 1.0, np.array([1.0]), np.ones(100), *begin).round(1).tolist()
    [2.9]
    """

    def loss(of: FloatArray) -> float:
        score = columns @ of + beside
        fit = np.logaddexp(0.0, score) - target * score
        return float(case_weights @ fit + 0.5 * held @ (of * of))

    least = loss(weights)
    for _ in range(most_steps):
        chance = chances((columns @ weights + beside)[:, None])[:, 1]
        slope = columns.T @ (case_weights * (chance - target)) + held * weights
        bend = (columns * (case_weights * chance * (1.0 - chance))[:, None]).T @ columns
        add_ridge(bend, held)
        step = np.asarray(np.linalg.solve(bend, slope), dtype=np.float64)
        while (now := loss(weights - step)) > least + 1e-9 * abs(least) and not _small(step):
            step = 0.5 * step
        weights, least = weights - step, min(least, now)
        if _small(step):
            break
    return weights


def _small(step: FloatArray) -> bool:
    """Tell whether a step moves no weight by much; without weights none does."""
    return bool(np.abs(step).max(initial=0.0) <= SMALL_STEP)


def _many(
    columns: FloatArray,
    labels: NDArray[np.int32],
    held: FloatArray,
    case_weights: FloatArray,
    weights: FloatArray,
) -> FloatArray:
    shape = weights.shape
    truth = np.zeros((len(labels), shape[1]))
    truth[np.arange(len(labels)), labels] = 1.0

    def loss_and_slope(flat: FloatArray) -> tuple[float, FloatArray]:
        of = flat.reshape(shape)
        score = columns @ of
        score -= score.max(axis=1, keepdims=True)
        total = np.log(np.exp(score).sum(axis=1))
        fit = total - score[np.arange(len(labels)), labels]
        off = np.exp(score - total[:, None]) - truth
        slope = columns.T @ (case_weights[:, None] * off) + held * of
        return float(case_weights @ fit + 0.5 * (held * of * of).sum()), slope.ravel()

    options = {"maxiter": 2 * MOST_STEPS, "ftol": 1e-7}
    found = minimize(loss_and_slope, weights.ravel(), jac=True, method="L-BFGS-B", options=options)
    return np.asarray(found.x).reshape(shape)
