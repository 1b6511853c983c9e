"""Answers from shares of classes and costs of mistakes; costs are ``[actual, predicted]`` throughout."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Labels = NDArray[np.int32]

SLACK = 1e-12
"""Costs that differ by less, relatively, are equal: the order of summation must not decide."""


def expected_costs(shares: FloatArray, loss: FloatArray) -> FloatArray:
    """Return what each answer is expected to cost, for every row of shares.

    Examples
    --------
    >>> expected_costs(np.array([[0.7, 0.3]]), np.array([[0.0, 1.0], [5.0, 0.0]]))
    array([[1.5, 0.7]])
    """
    return np.asarray(shares @ loss if loss.ndim == 2 else np.einsum("ia,iap->ip", shares, loss))


def cheapest(shares: FloatArray, loss: FloatArray | None, keep: Labels | None = None) -> Labels:
    """Return the answer of least expected cost for every row; of equal ones the first, or the one to keep.

    Parameters
    ----------
    shares : array of shape (n_rows, n_classes)
        How likely each class is.
    loss : array of shape (n_classes, n_classes) or (n_rows, n_classes, n_classes), or None
        ``[actual, predicted]``, for all rows or for each; None: 1 for every mistake.
    keep : array of int, optional
        For each row the answer that stays where no other is cheaper.

    Examples
    --------
    >>> loss = np.array([[0.0, 1.0], [5.0, 0.0]])
    >>> cheapest(np.array([[0.75, 0.25], [0.9, 0.1], [5 / 6, 1 / 6]]), loss)
    array([1, 0, 0], dtype=int32)
    >>> cheapest(np.array([[5 / 6, 1 / 6]]), loss, keep=np.array([1], dtype=np.int32))
    array([1], dtype=int32)
    """
    if loss is None:
        loss = 1.0 - np.eye(shares.shape[1])
    costs = expected_costs(shares, loss)
    least = costs.min(axis=1)
    # What the sums could be off by goes with the size of what was added, not with that of the result.
    size = (shares * np.abs(loss).max(axis=-1)).sum(axis=1)
    near = costs <= (least + SLACK * size)[:, None]
    answers: Labels = near.argmax(axis=1).astype(np.int32)
    if keep is not None:
        answers = np.where(near[np.arange(len(keep)), keep], keep, answers)
    return answers


def likeliest(shares: FloatArray) -> Labels:
    """Return the class with the largest share for every row; of those equal but for rounding the first.

    Examples
    --------
    >>> likeliest(np.array([[0.2, 0.8], [0.5, 0.5]]))
    array([1, 0], dtype=int32)
    """
    return cheapest(shares, None)


def regrets(loss: FloatArray) -> FloatArray:
    """Return what each answer costs more than the best one for the class; decisions stay the same.

    Examples
    --------
    >>> regrets(np.array([[-2.0, 1.0], [5.0, 1.0]]))
    array([[0., 3.],
           [4., 0.]])
    """
    return np.asarray(loss - loss.min(axis=1, keepdims=True))


def class_costs(loss: FloatArray) -> FloatArray:
    """Return what the mistakes of each class cost together (Ting's C(j)); for two classes, the one mistake.

    Examples
    --------
    >>> class_costs(np.array([[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [5.0, 3.0, 0.0]]))
    array([5., 3., 8.])
    """
    return np.asarray(loss.sum(axis=1) - np.diag(loss))
