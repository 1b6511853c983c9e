"""Agrawal: loan applicants, by the ten functions of Agrawal, Imielinski & Swami (1993)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.parameters import Whole, parameter_error
from thriftwood.streams.generators.stream import BLOCK, Cases, FloatArray, Labels, Stream

Mask = NDArray[np.bool_]


class Agrawal(Stream):
    """Loan applicants: six numbers and three codes, two classes; class 0 is the authors' group A.

    Parameters
    ----------
    function : int
        Which of the ten functions decides, 1 to 10; with drift the first of them.
    noise : float
        How far a number is moved after the class was given: by up to this share of its range, either way.
    random_state, drift_every, drift_width
        As of every `Stream`; a change leads to the next function.

    Examples
    --------
    >>> X, y = Agrawal(function=1, noise=0.0).take(1000)
    >>> age = X[:, 2]
    >>> bool(((y == 0) == ((age < 40) | (age >= 60))).all())
    True
    """

    feature_names = ("salary", "commission", "age", "elevel", "car", "zipcode", "hvalue", "hyears", "loan")
    n_concepts: ClassVar[int] = 10

    def __init__(
        self,
        function: int = 2,
        *,
        noise: float = 0.05,
        random_state: int = 0,
        drift_every: int | None = None,
        drift_width: int = 0,
    ) -> None:
        rule = Whole(1, 10)
        if not rule.accepts(function):
            raise parameter_error("Agrawal", "function", function, rule)
        self.function = function
        super().__init__(random_state, noise, drift_every, drift_width)

    def label(self, X: FloatArray, concept: int) -> Labels:
        """Return 0 where the function says group A, else 1."""
        which = (self.function - 1 + concept) % 10
        return np.asarray(~_FUNCTIONS[which](*X.T), dtype=np.int64)

    def _block(self, first: int) -> Cases:
        random = self._random
        salary = random.uniform(20_000, 150_000, BLOCK)
        commission = np.where(salary >= 75_000, 0.0, random.uniform(10_000, 75_000, BLOCK))
        age = random.integers(20, 81, BLOCK).astype(float)
        elevel = random.integers(0, 5, BLOCK).astype(float)
        car = random.integers(1, 21, BLOCK).astype(float)
        zipcode = random.integers(0, 9, BLOCK).astype(float)
        hvalue = (9 - zipcode) * 100_000 * random.uniform(0.5, 1.5, BLOCK)
        hyears = random.integers(1, 31, BLOCK).astype(float)
        loan = random.uniform(0, 500_000, BLOCK)
        X = np.column_stack([salary, commission, age, elevel, car, zipcode, hvalue, hyears, loan])
        y = self.by_concept(X, first, self.label)
        for column, low, high in _RANGES:
            values = X[:, column]
            moved = values + random.uniform(-1, 1, BLOCK) * self.noise * (high - low)
            X[:, column] = np.where((column == 1) & (values == 0), 0.0, np.clip(moved, low, high))
        X[:, [2, 7]] = np.rint(X[:, [2, 7]])
        return X, y


# The numbers that noise moves: column, least and largest value.
_RANGES = (
    (0, 20_000, 150_000),
    (1, 10_000, 75_000),
    (2, 20, 80),
    (6, 50_000, 1_350_000),
    (7, 1, 30),
    (8, 0, 500_000),
)


def _within(value: FloatArray, low: float, high: float) -> Mask:
    return (low <= value) & (value <= high)


def _by_age(age: FloatArray, young: Mask, middle: Mask, old: Mask) -> Mask:
    return np.where(age < 40, young, np.where(age < 60, middle, old))


def _banded(age: FloatArray, money: FloatArray) -> Mask:
    bands = (50_000, 100_000), (75_000, 125_000), (25_000, 75_000)
    return _by_age(age, *(_within(money, low, high) for low, high in bands))


def _schooled(age: FloatArray, elevel: FloatArray) -> Mask:
    return _by_age(age, elevel <= 1, _within(elevel, 1, 3), elevel >= 2)


def _fourth(age: FloatArray, elevel: FloatArray, salary: FloatArray) -> Mask:
    low, middle, high = (_within(salary, b, b + 50_000) for b in (25_000, 50_000, 75_000))
    schooled = _schooled(age, elevel)
    yes = _by_age(age, low, middle, middle)
    no = _by_age(age, middle, high, low)
    return np.where(schooled, yes, no)


def _fifth(age: FloatArray, salary: FloatArray, loan: FloatArray) -> Mask:
    low, middle, high = (_within(loan, b, b + 200_000) for b in (100_000, 200_000, 300_000))
    paid = _banded(age, salary)
    yes = _by_age(age, low, middle, high)
    no = _by_age(age, middle, high, low)
    return np.where(paid, yes, no)


def _equity(hvalue: FloatArray, hyears: FloatArray) -> FloatArray:
    return np.where(hyears >= 20, hvalue * (hyears - 20) / 10, 0.0)


# salary, commission, age, elevel, car, zipcode, hvalue, hyears, loan
_FUNCTIONS = (
    lambda s, c, a, e, _, z, v, h, m: (a < 40) | (a >= 60),
    lambda s, c, a, e, _, z, v, h, m: _banded(a, s),
    lambda s, c, a, e, _, z, v, h, m: _schooled(a, e),
    lambda s, c, a, e, _, z, v, h, m: _fourth(a, e, s),
    lambda s, c, a, e, _, z, v, h, m: _fifth(a, s, m),
    lambda s, c, a, e, _, z, v, h, m: _banded(a, s + c),
    lambda s, c, a, e, _, z, v, h, m: 2 * (s + c) / 3 - m / 5 - 20_000 > 0,
    lambda s, c, a, e, _, z, v, h, m: 2 * (s + c) / 3 - 5_000 * e - 20_000 > 0,
    lambda s, c, a, e, _, z, v, h, m: 2 * (s + c) / 3 - 5_000 * e - m / 5 - 10_000 > 0,
    lambda s, c, a, e, _, z, v, h, m: 2 * (s + c) / 3 - 5_000 * e + _equity(v, h) / 5 - 10_000 > 0,
)
