"""`LazyRow`: a case whose values cost time, and are computed when a model asks for them."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.models.ledger import FloatArray


class LazyRow(Protocol):
    """One case whose values are computed when a native walk asks for them.

    In all of its methods `places` has, for each column of the model, the number of its value in the row.
    """

    def endings(self, tree: _core.Tree, places: NDArray[np.int32], /) -> list[tuple[int, float]]:
        """Return where it ends in a tree, as (node, share of the case)."""

    def decide(self, panel: _core.Panel, places: NDArray[np.int32], /) -> int:
        """Return the number of the class that a panel answers."""

    def scores(
        self,
        booster: _core.Booster,
        places: NDArray[np.int32],
        stop: float,
        prices: _core.Prices | None,
        /,
    ) -> FloatArray:
        """Return the scores of the classes by a booster."""
