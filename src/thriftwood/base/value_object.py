"""`ValueObject`: settings that travel together, equal when all of them are."""

from __future__ import annotations

from typing import Any

import numpy as np

from thriftwood.base.estimator import Estimator


class ValueObject(Estimator):
    """Parameters in the manner of scikit-learn, compared and hashed by their values.

    Examples
    --------
    >>> import thriftwood as tw
    >>> tw.Growth(max_depth=3) == tw.Growth(max_depth=3), tw.MDL() == tw.ExpectedLoss()
    (True, False)
    """

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), *self._values()))

    def _values(self) -> tuple[Any, ...]:
        return tuple(map(_fixed, self.get_params(deep=False).values()))


def _fixed(value: Any) -> Any:
    """Turn lists and arrays into tuples, which compare as a whole and have a hash."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    return tuple(map(_fixed, value)) if isinstance(value, list | tuple) else value
