"""`Ledger`: which case bought which test; and, beside it, what a model answers."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]


class Ledger(Protocol):
    """Case r bought the entries ``starts[r]`` to ``starts[r + 1] - 1``, in this order."""

    @property
    def test_cost(self) -> FloatArray:
        """Per case: what its tests cost."""

    @property
    def starts(self) -> NDArray[np.int64]:
        """Per case: where its entries begin; and the end of all."""

    @property
    def test(self) -> NDArray[np.int32]:
        """Per entry: the number of the feature."""

    @property
    def share(self) -> FloatArray:
        """Per entry: how much of the case bought it: 1 unless a missing value spread it."""

    @property
    def cost(self) -> FloatArray:
        """Per entry: what was paid, weighted by share."""


class Charged(NamedTuple):
    """What a model answers to the cases of a table, and what they buy for it."""

    answers: NDArray[Any]
    """Per case: the number of the class, or the number that is answered."""
    ledger: Ledger
    apart_cost: FloatArray | None = None
    """Per case: what the trees consulted would cost if each paid for its own tests; None where that is no
    question."""
    n_consulted: NDArray[np.int32] | None = None
    """Per case: how many trees or stages it was asked by; None for models that ask all or have one."""


def asked_in(ledger: Ledger, n_features: int) -> Mask:
    """Tell which tests each case bought by a ledger: an array of shape (n_rows, n_features)."""
    n_rows = len(ledger.starts) - 1
    asked = np.zeros((n_rows, n_features), dtype=bool)
    asked[np.repeat(np.arange(n_rows), np.diff(ledger.starts)), ledger.test] = True
    return asked
