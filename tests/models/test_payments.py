"""What nodes say that a case has paid is what the bill charges the cases that come there."""

from itertools import pairwise

import numpy as np
import pytest
from evaluation.plain_ledger import random_costs
from finished_trees import random_finished, random_row, table_of

import thriftwood as tw
from thriftwood.models.tree.conditions import IsMissing
from thriftwood.models.tree.tree import Tree
from thriftwood.table.native import core_table


def missing_branch(**settings):
    """A number with a branch for missing values, and a second test below it."""
    X = np.array([[1.0, 0.0], [2.0, 0.0], [np.nan, 0.0], [np.nan, 1.0]] * 5)
    y = ["no", "yes", "no", "maybe"] * 5
    costs = tw.Costs(
        {"x0": tw.Test(10, needs=["kit"]), "x1": tw.Test(3, needs=["kit"])}, {"kit": 1}, **settings
    )
    return tw.CostTreeClassifier(costs=costs, growth=tw.Growth(missing="branch")).fit(X, y).tree_, X


def bills(tree):
    return {str(rule.condition_text): rule.price for rule in tree.rules()}


def test_a_missing_value_that_is_not_charged_is_on_no_bill():
    tree, X = missing_branch(charge_missing=False)
    assert bills(tree) == {
        "x0 <= 1.5": 11,
        "x0 > 1.5": 11,
        "x0 is missing and x1 <= 0.5": 4,  # the kit is bought for x1
        "x0 is missing and x1 > 0.5": 4,
    }
    assert tw.bill(tree, X).test_cost.tolist() == [11, 11, 4, 4] * 5
    assert bills(missing_branch()[0])["x0 is missing and x1 <= 0.5"] == 14


def test_nor_is_it_paid_upfront():
    tree, X = missing_branch(charge_missing=False, payment="upfront")
    assert list(bills(tree).values()) == [14, 14, 4, 4]
    assert tw.bill(tree, X).test_cost.tolist() == [14, 14, 4, 4] * 5


def by_branches_that_say_so(tree, row, path):
    """Whether every missing value took a branch that has a name for it."""
    for node, child in pairwise(path):
        if row[tree.feature_names[tree.flat.feature[node]]] is None:
            if not isinstance(tree.condition(child), IsMissing):
                return False
        elif isinstance(tree.condition(child), IsMissing):
            return False  # a category without a branch: it was measured, and paid
    return True


@pytest.mark.parametrize("payment", ["sequential", "upfront"])
@pytest.mark.parametrize("charge_missing", [True, False])
def test_the_bill_at_a_leaf_is_what_its_cases_pay(payment, charge_missing):
    compared = 0
    for seed in range(120):
        rng = np.random.default_rng(seed)
        tree = random_finished(rng, surrogates=False)
        costs = random_costs(rng, tree.n_features)
        costs = costs.replace(
            tests=dict(zip(tree.feature_names, costs.tests.values(), strict=True)),
            payment=payment,
            charge_missing=charge_missing,
        )
        tree = Tree(tree.core, tree.encoder, tree.classes, costs)
        rows = [random_row(rng, missing=0.3) for _ in range(30)]
        table = table_of(tree, rows)
        paid = tw.bill(tree, table).test_cost
        starts, visited = tree.core.decision_path(core_table(tree.encoder.encode(table), tree.encoder))
        for number, row in enumerate(rows):
            nodes = set(visited[starts[number] : starts[number + 1]].tolist())
            end = max(nodes, key=lambda node: tree.flat.depth[node])
            path = tree.path(end)
            absent = [name for name in tree.features_used if row[name] is None]
            walked = {
                tree.feature_names[tree.flat.feature[node]] for node in path if tree.flat.feature[node] >= 0
            }
            # Upfront, or with a delayed test, what lies beside the path counts as well.
            if (
                tree[end].is_leaf
                and nodes == set(path)
                and set(absent) <= walked
                and by_branches_that_say_so(tree, row, path)
            ):
                assert tree[end].bill == pytest.approx(paid[number])
                compared += bool(absent)
    assert compared > 20
