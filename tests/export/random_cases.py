"""Trees of every kind with prices of every kind, and rows with missing values and new categories."""

import numpy as np
from evaluation.plain_ledger import random_costs
from finished_trees import random_finished, random_row

from thriftwood import _core
from thriftwood.costs import Costs
from thriftwood.models import Tree

NOMINAL = ("hair", "coat", "size")


def random_prices(rng, names, **settings):
    """Prices with shared resources, groups, delays; sequential or upfront; missing values charged or not."""
    costs = random_costs(rng, len(names), **settings)
    tests = {name: costs.tests[f"x{place}"] for place, name in enumerate(names)}
    return Costs(tests, costs.shared, payment=costs.payment, charge_missing=costs.charge_missing)


def random_case(seed, n_rows=25, *, one_way=False, surrogates=True):
    """A tree, which may have answers that are no class, and rows for it.

    `one_way`: no route of the tree goes down several branches.
    """
    rng = np.random.default_rng(seed)
    made = random_finished(rng, regression=bool(rng.integers(4) == 0), surrogates=surrogates)
    arrays = made.core.to_arrays()
    further = ()
    if not made.regression and rng.integers(2):
        further = ("refer", "repeat later")[: int(rng.integers(3))]
        arrays["loss"] = rng.integers(0, 5, 3 * (3 + len(further))).astype(float)
        arrays["label"] = rng.integers(0, 3 + len(further), made.n_nodes).astype(np.int32)
    if one_way:
        for name in ("missing_route", "unseen_route"):
            stop_or_first = np.where(rng.random(made.n_nodes) < 0.5, 0, -2)
            changed = (arrays[name] == -1) & (arrays["kind"] != 0)
            arrays[name] = np.where(changed, stop_or_first, arrays[name]).astype(np.int32)
    costs = random_prices(rng, made.feature_names) if rng.integers(5) else None
    tree = Tree(_core.Tree.from_arrays(arrays), made.encoder, made.classes, costs, further)
    rows = [random_row(rng, missing=0.3) for _ in range(n_rows)]
    for row in rows:
        row.update({name: "new" for name in NOMINAL if rng.random() < 0.1})
    return tree, rows
