"""Logistic regression for coded columns: by Newton's method for several classes too, quick for small fits.

It makes the sum of weighted log losses plus half the squared coefficients least, as scikit-learn's
``LogisticRegression()`` does. Two classes, and more coefficients than second derivatives are made for, are
left to `thriftwood.learning.scores.logistic`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from thriftwood.learning.scores.logistic import FREE, logistic
from thriftwood.models.score_card import chances

FloatArray = NDArray[np.float64]

MOST_SOLVED = 600
"""Coefficients up to which second derivatives are made."""
STEPS = 50
ALL_ALIKE = 1e-10
"""Of the mean second derivative, added to each: the scores of all classes may rise alike."""


def fit_logistic(
    coded: FloatArray,
    labels: NDArray[np.int32],
    n_classes: int,
    weights: FloatArray,
    *,
    start: FloatArray | None = None,
    tolerance: float = 1e-9,
) -> FloatArray:
    """Return the coefficients, of shape (1 + n_columns, n_classes), the intercepts first.

    Parameters
    ----------
    coded : array of shape (n_rows, n_columns)
        Standardised numbers.
    labels : array of shape (n_rows,)
        Class numbers.
    n_classes : int
        How many there are; with two the coefficients of the first are 0.
    weights : array of shape (n_rows,)
        How much each row counts.
    start : array of shape (1 + n_columns, n_classes), optional
        Where to begin.
    tolerance : float
        With several classes: ends where a step would make the loss of a case less by no more than this.

    Examples
    --------
    >>> x = np.array([[-1.0], [-0.5], [0.5], [1.0]])
    >>> float(fit_logistic(x, np.array([0, 1, 0, 1], dtype=np.int32), 2, np.ones(4))[1, 1].round(3))
    0.308
    """
    design = np.hstack([np.ones((len(coded), 1)), coded])
    shape = design.shape[1], n_classes
    if n_classes == 1:
        return np.zeros(shape)
    if n_classes == 2:
        begin = None if start is None else start[:, 1:]
        found = logistic(design, labels, 2, 1.0, weights, begin)
        return np.hstack([np.zeros((len(found), 1)), found])
    if shape[0] * shape[1] > MOST_SOLVED:
        return logistic(design, labels, n_classes, 1.0, weights, start)
    begin = np.zeros(shape) if start is None else start
    return _Several(design, labels, n_classes, weights).by_newton(begin, tolerance)


class _Several:
    """The loss of several classes, to be made least, and its derivatives."""

    def __init__(
        self, design: FloatArray, labels: NDArray[np.int32], n_classes: int, weights: FloatArray
    ) -> None:
        self.design, self.weights = design, weights
        self.truth = np.eye(n_classes)[labels]
        self.penalty = np.ones((design.shape[1], n_classes))
        self.penalty[0] = FREE

    def loss(self, coefficients: FloatArray) -> float:
        """Return the weighted log losses and the penalty."""
        scores = self.design @ coefficients
        top = scores.max(axis=1)
        summed = top + np.log(np.exp(scores - top[:, None]).sum(axis=1))
        fit = summed - (self.truth * scores).sum(axis=1)
        return float(self.weights @ fit + 0.5 * (self.penalty * coefficients**2).sum())

    def slope(self, coefficients: FloatArray, shares: FloatArray) -> FloatArray:
        """Return the first derivatives."""
        off = (shares - self.truth) * self.weights[:, None]
        return np.asarray(self.design.T @ off + self.penalty * coefficients)

    def bend(self, shares: FloatArray) -> FloatArray:
        """Return the second derivatives, coefficients class by class."""
        n_columns, n_classes = self.penalty.shape
        second = np.zeros((n_classes, n_columns, n_classes, n_columns))
        for one in range(n_classes):
            for other in range(one, n_classes):
                both = shares[:, one] * ((one == other) - shares[:, other]) * self.weights
                second[one, :, other, :] = self.design.T @ (self.design * both[:, None])
                second[other, :, one, :] = second[one, :, other, :].T
        flat = second.reshape(n_classes * n_columns, n_classes * n_columns)
        flat[np.diag_indices_from(flat)] += self.penalty.T.ravel()
        flat[np.diag_indices_from(flat)] += ALL_ALIKE * np.trace(flat) / len(flat)
        return flat

    def by_newton(self, coefficients: FloatArray, tolerance: float) -> FloatArray:
        """Step to where the second derivatives say the least is, until nothing is gained."""
        n_columns, n_classes = self.penalty.shape
        least, enough = self.loss(coefficients), tolerance * float(self.weights.sum())
        for _ in range(STEPS):
            shares = chances(self.design @ coefficients)
            slope = self.slope(coefficients, shares)
            solved = cho_solve(cho_factor(self.bend(shares)), slope.T.ravel())
            step = solved.reshape(n_classes, n_columns).T
            if 0.5 * float((slope * step).sum()) <= enough:
                break
            while (loss := self.loss(coefficients - step)) > least and np.abs(step).max() > 1e-9:
                step = 0.5 * step
            if loss > least:
                break
            coefficients, least = coefficients - step, loss
        return coefficients
