"""LASC: components of tests, weighed by prices that count less and less down the tree.

Worked numbers, trees of random tables against a grower that tries every component, and laws.
"""

import math

import numpy as np
import pandas as pd
import pytest
from learning.growing_tables import T14, Data, core_settings, random_data, shape
from learning.lasc_reference import Grower
from learning.priced_reference import PriceTags, random_tags

import thriftwood as tw
from thriftwood import _core

DAYS = tw.load_dataset("golf-nominal")
X, Y = DAYS.X.astype(str), np.asarray(DAYS.y)  # categories in alphabetical order
SORTED = Data([np.unique(X[name], return_inverse=True)[1].tolist() for name in X], [3, 3, 2, 2], T14.target)
OUTLOOK, TEMP, HUMIDITY, WIND = range(4)
RULES = {"criterion": "lasc", "nominal": "value", "reuse_nominal": True, "missing": "fractional"}


def tags_of(prices, upfront=False):
    none = [None] * len(prices)
    return PriceTags(list(prices), [[] for _ in prices], {}, none, none, upfront)


def grown(data, tags, **rules):
    prices = _core.Prices(tags.costs.compile(range(len(data.values))))
    return shape(_core.grow(data.table, core_settings(**RULES | rules), prices=prices, **data.core_target()))


def asked_by(component):
    return [None if test is None else (test.feature, test.cut) for test in component]


# Worked numbers


def test_exclusive_or_takes_three_tests_at_once():
    data = Data([[0, 0, 1, 1] * 2, [0, 1, 0, 1] * 2], [2, 2], [0, 1, 1, 0] * 2)
    reference = Grower(data, tags_of([1, 1]), **RULES)
    cases = [(row, 1.0) for row in range(8)]
    best = reference.best(cases, [], 0)
    root, left, _ = best
    assert reference.worth((root, None, None), cases, []) is None
    assert reference.worth((root, left, None), cases, [])[1] == pytest.approx(0.333333, abs=1e-6)
    assert reference.worth(best, cases, [])[1] == pytest.approx(0.5)
    assert grown(data, tags_of([1, 1])) == (0, (0, 1), (1, (0, 1), 0, 1), (1, (0, 1), 1, 0))
    assert grown(data, tags_of([1, 1]), lookahead=False) == 0


@pytest.mark.parametrize("prices_of_two", [(0, 1), (1, 0), (0, 0), (2, 1)])
def test_exclusive_or_with_a_free_test(prices_of_two):
    data = Data([[0, 0, 1, 1] * 2, [0, 1, 0, 1] * 2], [2, 2], [0, 1, 1, 0] * 2)
    tree = grown(data, tags_of(prices_of_two))
    assert tree == Grower(data, tags_of(prices_of_two), **RULES).tree()
    assert isinstance(tree, tuple)


def test_the_root_of_the_fourteen_days():
    reference = Grower(SORTED, tags_of([4, 1, 2, 0.5]), **RULES)
    cases = [(row, 1.0) for row in range(14)]
    best = reference.best(cases, [], 0)
    assert asked_by(best) == [(WIND, 0), (TEMP, 1), (HUMIDITY, 0)]  # Strong, Hot, High
    assert reference.worth(best, cases, [])[1] == pytest.approx(0.594379, abs=1e-6)
    assert reference.worth((best[0], None, None), cases, [])[1] == pytest.approx(0.385016, abs=1e-6)
    tree = tw.algorithm("lasc", costs=DAYS.costs).fit(X, Y).tree_
    assert [(node.depth, str(node.condition), node.test) for node in tree if 0 < node.depth < 2] == [
        (1, "Wind = Strong", "Temp"),
        (1, "Wind = Weak", "Humidity"),
    ]
    strong, weak = (node for node in tree if node.depth == 1)
    share = np.array([strong.weight, weak.weight]) / 14
    gain = tree.core.gain[0] + share @ tree.core.gain[[strong.number, weak.number]]
    cost = (0.5 + share @ [1, 2]) / 4
    assert gain == pytest.approx(0.307804, abs=1e-6)
    assert cost == pytest.approx(0.517857, abs=1e-6)
    assert gain / cost == pytest.approx(0.594379, abs=1e-6)


def test_the_same_days_as_a_quarter_of_all_cases():
    reference = Grower(SORTED, tags_of([4, 1, 2, 0.5]), **RULES)
    reference.total = 56.0
    cases = [(row, 1.0) for row in range(14)]
    best = reference.best(cases, [], 0)
    assert asked_by(best) == [(OUTLOOK, 2), (HUMIDITY, 0), (WIND, 0)]  # Sunny, High, Strong
    assert reference.worth(best, cases, [])[1] == pytest.approx(0.614776, abs=1e-6)
    # 42 further days of a third class, which a free test tells: it comes first, alone.
    more = X.assign(Month="May")
    other = more.iloc[[0] * 42].assign(Month="June")
    model = tw.algorithm("lasc", costs=DAYS.costs.replace(tests={**DAYS.costs.tests, "Month": 0}))
    tree = model.fit(pd.concat([more, other]), [*Y, *["none"] * 42]).tree_
    days = next(node for node in tree if node.depth == 1 and not node.is_leaf)
    assert tree[0].test == "Month"
    assert days.weight == 14
    assert days.test == "Outlook"
    below = [node for node in tree if node.depth == 2]
    assert [(str(node.condition), node.test) for node in below] == [
        ("Outlook = Sunny", "Humidity"),
        ("Outlook in {Overcast, Rain}", "Wind"),
    ]


# Every component tried


def random_rules(seed):
    rng = np.random.default_rng(seed)
    pick = lambda *values: values[rng.integers(len(values))]  # noqa: E731
    return {
        "alpha": pick(0.1, 0.5, 1.0, 2.0, 8.0),
        "norm": pick("max", "mean", "sum", "none"),
        "missing": ["fractional", "fractional", "majority", "branch"][seed % 4],
        "lookahead": seed % 5 > 0,
        "min_split_weight": pick(0.0, 4.0),
        "min_branch_weight": pick(0.0, 1.0, 2.0),
        "max_depth": pick(0, 0, 3),
        "reuse_is_free": seed % 7 > 0,
    }


@pytest.mark.parametrize("upfront", [False, True])
def test_trees_of_random_tables_are_those_of_trying_every_component(upfront):
    with_tests = 0
    for seed in range(100):
        data = random_data(seed, n_classes=2 + seed % 3)
        tags, rules = random_tags(seed, len(data.values), upfront), random_rules(seed)
        tree = grown(data, tags, **rules)
        assert tree == Grower(data, tags, **RULES | rules).tree(), seed
        with_tests += isinstance(tree, tuple)
    assert with_tests > 80


def test_larger_trees_and_exact_columns_too():
    differ = 0
    for seed in range(20):
        data = random_data(seed, n_classes=2 + seed % 3, n_rows=60, continuous=seed % 2 == 1)
        tags = random_tags(seed, len(data.values), seed % 3 == 0)
        tree = grown(data, tags, min_split_weight=4.0)
        assert tree == Grower(data, tags, **RULES, min_split_weight=4.0).tree(), seed
        differ += tree != grown(data, tags, min_split_weight=4.0, lookahead=False)
    assert differ > 10


def test_a_branch_of_missing_values_is_an_outcome_too():
    # Three outcomes tell more than one bit.
    for seed in range(100):
        data = random_data(seed, n_classes=4, missing=0.3)
        tags = random_tags(seed, len(data.values), seed % 2 == 1)
        rules = {"missing": "branch", "alpha": 4.0}
        assert grown(data, tags, **rules) == Grower(data, tags, **RULES | rules).tree(), seed


# Laws


def table(seed, n_rows=150, missing=0.05):
    rng = np.random.default_rng(seed)
    cells = rng.integers(0, 7, (n_rows, 6)).astype(float)
    classes = (cells[:, 0] + cells[:, 3] > 6) + (cells[:, 5] > 4) * (rng.random(n_rows) < 0.8)
    cells[rng.random(cells.shape) < missing] = np.nan
    return cells, classes.astype(int)


def prices(seed, factor=1.0, **rest):
    rng = np.random.default_rng(seed)
    return tw.Costs({column: factor * float(rng.integers(0, 9)) / 4 for column in range(6)}, **rest)


def lasc(**settings):
    return tw.algorithm("lasc", nominal_features=[3, 4, 5], **settings)


@pytest.mark.parametrize("payment", ["sequential", "upfront"])
@pytest.mark.parametrize("norm", ["max", "mean", "sum"])
def test_the_unit_of_prices_does_not_matter(norm, payment):
    for seed in range(6):
        for factor in (0.125, 10.0, 1024.0):
            one, other = (
                lasc(costs=prices(seed, f, payment=payment), norm=norm).fit(*table(seed)).tree_.core
                for f in (1.0, factor)
            )
            assert one == other


def test_unless_prices_are_not_measured_by_any():
    trees = [lasc(costs=prices(2, f), norm="none").fit(*table(2)).tree_.core for f in (1.0, 100.0)]
    assert trees[0] != trees[1]


def test_a_large_alpha_leaves_plain_gain_below_the_root():
    for seed in range(8):
        cells, classes = table(seed, missing=0.0)
        growth = tw.Growth(nominal="value", gain_floor=1e-9)
        settings = {"nominal_features": [3, 4, 5], "growth": growth}
        model = tw.CostTreeClassifier(tw.Lasc(alpha=1e6, lookahead=False), costs=prices(seed), **settings)
        tree = model.fit(cells, classes).tree_
        ends = [tree.core.first_child[0], tree.core.first_child[0] + 1]
        path = model.decision_path(cells).toarray()
        for end in ends:
            rows = path[:, end] > 0
            if len(set(classes[rows])) < 2:
                continue
            plain = tw.CostTreeClassifier("entropy", **settings).fit(cells[rows], classes[rows])
            assert _conditions(tree, end) == _conditions(plain.tree_, 0)


def _conditions(tree, node):
    """Tests and gains below a node; cuts depend on no more than the rows there."""
    core = tree.core
    if core.kind[node] == 0:
        return None
    first = core.first_child[node]
    children = [_conditions(tree, child) for child in range(first, first + core.n_children[node])]
    return int(core.feature[node]), round(float(core.gain[node]), 9), children


def test_where_all_is_free_the_largest_gain_of_a_component_decides():
    data = random_data(3, n_rows=40)
    free, rules = tags_of([0] * len(data.values)), {"min_split_weight": 4.0}
    reference = Grower(data, free, **RULES | rules)
    cases = [(row, weight) for row, weight in enumerate(data.weights or [1.0] * data.n_rows)]
    tier, gain = reference.worth(reference.best(cases, [], 0), cases, [])
    assert tier == 1
    gains = [reference.worth(component, cases, []) for component in reference.components(cases, 0)]
    assert gain == pytest.approx(max(value for _, value in filter(None, gains)))
    assert grown(data, free, **rules) == reference.tree()


@pytest.mark.parametrize("order", ["breadth", "best"])
def test_the_order_of_growth_does_not_matter_to_what_is_paid_on_the_way(order):
    for seed in range(40):
        data = random_data(seed, n_classes=3)
        tags = random_tags(seed, len(data.values), False)
        assert grown(data, tags, order=order) == grown(data, tags)


@pytest.mark.parametrize("payment", ["sequential", "upfront"])
@pytest.mark.parametrize("order", ["depth", "breadth", "best"])
def test_limits_hold_for_components(order, payment):
    cells, classes = table(5)
    for limits in ({"max_depth": 1}, {"max_depth": 2}, {"max_leaves": 2}, {"max_leaves": 4}):
        tree = lasc(costs=prices(5, payment=payment), order=order, **limits).fit(cells, classes).tree_
        assert tree.depth <= limits.get("max_depth", math.inf)
        assert 2 <= tree.n_leaves <= limits.get("max_leaves", math.inf)


def test_the_least_decrease_is_a_rule_for_the_component():
    # The first column tells little for next to nothing, the second everything for 1.
    little = [float(i < 3) for i in range(40)]
    classes = [int(i < 20) for i in range(40)]
    cells = np.column_stack([little, classes])
    costs = tw.Costs({0: 1e-6, 1: 1})
    for floor in ({}, {"min_decrease": 0.2}, {"gain_floor": 0.2}):
        tree = tw.algorithm("lasc", costs=costs, max_depth=1, **floor).fit(cells, classes).tree_
        assert tree[0].test == ("x1" if floor else "x0")
    xor = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] * 2
    model = tw.algorithm("lasc", costs=costs, min_decrease=0.9).fit(xor, [0, 1, 1, 0] * 2)
    assert model.get_n_leaves() == 4  # no test alone gains anything


@pytest.mark.parametrize("missing", ["surrogate", "branch", "majority"])
def test_other_ways_of_missing_values(missing):
    cells, classes = table(7, missing=0.2)
    model = lasc(costs=prices(7), missing=missing).fit(cells, classes)
    assert model.score(cells, classes) > 0.8


@pytest.mark.parametrize("payment", ["sequential", "upfront"])
def test_one_thread_and_two_give_the_same_tree(payment):
    rng = np.random.default_rng(0)
    cells = rng.normal(size=(3000, 12)).round(2)
    classes = (cells[:, 0] > 0.3) + (cells[:, 1] * cells[:, 2] > 0) * (cells[:, 3] > 0)
    classes = np.where(rng.random(len(classes)) < 0.05, 0, classes)
    cells[rng.random(cells.shape) < 0.01] = np.nan
    tests = {0: 5, 1: tw.Test(1, needs=["r"]), 2: tw.Test(1, needs=["r"]), 3: 2}
    costs = tw.Costs(tests, shared={"r": 3}, default_price=1, payment=payment)
    one, two = (
        tw.algorithm("lasc", costs=costs, n_jobs=n_jobs, min_weight=40).fit(cells, classes).tree_.core
        for n_jobs in (1, 2)
    )
    assert one == two
    assert one.n_leaves > 20


# The published learner


def test_the_published_learner():
    model = tw.algorithm("lasc", min_weight=6)
    assert model.criterion == "lasc"
    assert tw.Lasc().get_params() == {"alpha": 1.0, "norm": "max", "lookahead": True}
    assert (model.growth.nominal, model.growth.min_split_weight, model.pruning) == ("value", 6, None)
    assert tw.algorithm("lasc").growth.min_split_weight == 4
    assert tw.algorithm("lasc", alpha=0.1, lookahead=False).criterion.alpha == 0.1


def test_light_nodes_stay_leaves():
    tree = tw.algorithm("lasc", costs=DAYS.costs).fit(X, Y).tree_
    assert all(node.weight >= 4 for node in tree if not node.is_leaf)


@pytest.mark.parametrize("nominal", ["multiway", "grouped"])
def test_tests_of_many_outcomes_are_refused(nominal):
    with pytest.raises(
        ValueError, match=f"nominal='{nominal}', but criterion='lasc' plans for the two outcomes"
    ):
        tw.algorithm("lasc", costs=DAYS.costs, nominal=nominal).fit(X, Y)


# One value against the others, for every criterion


def test_one_category_against_all_others():
    model = tw.CostTreeClassifier("entropy", growth=tw.Growth(1, nominal="value")).fit(X, Y)
    assert [str(node.condition) for node in model.tree_ if node.depth] == [
        "Outlook = Overcast",
        "Outlook in {Rain, Sunny}",
    ]
    with pytest.raises(
        ValueError, match="nominal='value', but criterion='absolute_error' has no tests of one"
    ):
        tw.CostTreeRegressor("absolute_error", growth=tw.Growth(nominal="value")).fit(X, range(14))


def test_cases_that_stay_can_tell_more_than_a_bit():
    rows, labels = [], []
    values = ["a", "b", None]
    for half in (0, 1):
        for label in range(3):
            for i in range(9):
                first, second = (
                    (values[label], values[i % 3]) if half == 0 else (values[i % 3], values[label])
                )
                rows.append(["lr"[half], first, second, "u" if (label == 0) != (i >= 7) else "v"])
                labels.append(label)
    table = np.array(rows, dtype=object)
    lab = {f"x{i}": tw.Test(0.05, needs=["lab"]) for i in range(3)}
    costs = tw.Costs(lab | {"x3": 0.2}, shared={"lab": 0.95})
    roots = [
        tw.algorithm("lasc", costs=costs, missing=missing, max_depth=2).fit(table, labels).tree_[0].test
        for missing in ("stay", "branch")
    ]
    assert roots == ["x0", "x0"]  # 1.585 bits for 1.05, more than two outcomes can tell
