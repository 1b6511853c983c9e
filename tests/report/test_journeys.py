"""A journey costs what the bill charges, and ends where the tree says."""

import numpy as np
import pytest
from evaluation.plain_ledger import random_costs
from finished_trees import random_finished, random_row, table_of

import thriftwood as tw
from thriftwood.report.cases import encoded_column
from thriftwood.report.journeys import journey, needed_features, paid


def priced(rng, tree):
    """A random price list for the tree's own names."""
    costs = random_costs(rng, tree.n_features)
    return costs.replace(tests=dict(zip(tree.feature_names, costs.tests.values(), strict=True)))


@pytest.mark.parametrize("seed", range(150))
def test_a_journey_costs_what_the_bill_charges(seed):
    rng = np.random.default_rng(seed)
    tree = random_finished(rng, surrogates=bool(seed % 3))
    costs = priced(rng, tree)
    table = table_of(tree, [random_row(rng, missing=0.3) for _ in range(12)])
    bill = tw.bill(tree, table, costs=costs)
    encoded = tree.encoder.encode(table)
    columns = {f: encoded_column(encoded, f) for f in needed_features(tree)}
    ends = tree.apply(table)
    for row in range(12):
        steps = journey(tree, costs, {f: float(column[row]) for f, column in columns.items()})
        assert paid(steps) == pytest.approx(bill.test_cost[row], abs=1e-9)
        assert sum(step.share for step in steps if step.ends) == pytest.approx(1.0)
        assert int(ends[row]) in [step.node for step in steps if step.ends]
        single = all(step.share == 1 for step in steps)
        if single:
            assert steps[-1].bill == pytest.approx(bill.test_cost[row])
            assert [step.node for step in steps] == tree.path(steps[-1].node)
            bought = [name for step in steps for name, _ in step.bought]
            assert bought == bill.purchases.tests(tree.feature_names)[row]


def test_upfront_everything_is_bought_at_the_first_node():
    golf = tw.load_dataset("golf-nominal")
    costs = golf.costs.replace(payment="upfront")
    tree = tw.algorithm("c45").fit(golf.X, golf.y).tree_
    steps = journey(tree, costs, dict.fromkeys(needed_features(tree), 0.0))
    assert steps[0].bought == (("Outlook", 4.0), ("Humidity", 2.0), ("Wind", 0.5))
    assert all(step.bought == () for step in steps[1:])
