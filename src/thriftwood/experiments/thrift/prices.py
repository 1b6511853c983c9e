"""Price lists that are drawn: three shapes of prices, three levels of what mistakes cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs import Costs, Test

SHAPES = ("few dear", "shared", "free")
LEVELS = {"cheap": 0.3, "middle": 1.5, "dear": 10.0}
"""What testing nobody costs a case, as a multiple of what all tests cost."""
RATIOS = (1, 5, 20, 50)
"""How much worse it is to miss the rarest class than any other."""


def drawn_costs(
    names: Sequence[str], y: NDArray[Any], shape: str, level: str, rng: np.random.Generator
) -> Costs:
    """Draw a price list.

    Parameters
    ----------
    names : list of str
        The columns.
    y : array
        The classes of the cases.
    shape : str
        "few dear": a fifth of the tests costs ten times as much. "shared": a third of the tests needs a step
        that costs as much as five of them, and each of them costs little. "free": a tenth of the tests, one
        at least, costs nothing. Prices differ by a factor of about e in all of them.
    level : str
        What mistakes cost; see `LEVELS`.
    rng : Generator
        What draws.

    Examples
    --------
    >>> costs = drawn_costs(["a", "b"], np.array([0, 0, 1]), "free", "dear", np.random.default_rng(0))
    >>> answers = costs.error_matrix([0, 1]).T @ [2 / 3, 1 / 3]
    >>> bool(np.isclose(answers.min(), 10 * costs.total(["a", "b"])))
    True
    """
    price = np.exp(rng.normal(0.0, 1.0, len(names)))
    shared: dict[str, float] = {}
    needs: dict[int, list[str]] = {}
    chosen = rng.permutation(len(names))
    if shape == "few dear":
        price[chosen[: max(1, len(names) // 5)]] *= 10.0
    elif shape == "shared":
        shared["step"] = 5.0 * float(price.mean())
        for test in chosen[: max(2, len(names) // 3)].tolist():
            needs[test] = ["step"]
            price[test] *= 0.2
    else:
        price[chosen[: max(1, len(names) // 10)]] = 0.0
    tests = {
        name: Test(round(float(price[test]), 4), needs=needs.get(test, ())) for test, name in enumerate(names)
    }
    return with_mistakes(Costs(tests, shared=shared), names, y, LEVELS[level], int(rng.choice(RATIOS)))


def with_mistakes(costs: Costs, names: Sequence[str], y: NDArray[Any], multiple: float, ratio: int) -> Costs:
    """Return a price list with error costs: testing nobody costs a multiple of all tests."""
    classes, counts = np.unique(y, return_counts=True)
    errors = 1.0 - np.eye(len(classes))
    errors[counts.argmin()] *= ratio
    nobody = float((counts @ errors).min() / counts.sum())
    errors *= multiple * costs.total(names) / nobody
    named = {
        one: {other: float(errors[i, j]) for j, other in enumerate(classes.tolist()) if i != j}
        for i, one in enumerate(classes.tolist())
    }
    return costs.replace(errors=named, errors_default=None)
