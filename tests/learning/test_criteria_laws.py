"""Criteria that weigh prices: laws that hold for every table, and the two ways of paying."""

import numpy as np
import pytest
from learning.criterion_trees import COUNTING, classifier
from learning.growing_tables import C45, CART, ID3
from learning.priced_reference import assert_weighed_by_the_rules

import thriftwood as tw

PLAIN = C45 | {"average_gain": False}
MONEY = ("min-total-cost", "cstree")
IN_BITS = ("cs-id3", "idx", "eg2", "mitchell", "csgain", "csgain-ratio", "cs-c45", "pm")
WEIGHED = {
    "cs-id3": {},
    "idx": {"gamma": 0.7},
    "eg2": {"w": 0.8},
    "mitchell": {"gamma": 0.05},
    "csgain": {"gamma": 0.02},
    "csgain-ratio": {"gamma": 0.02},
    "cs-c45": {"w": 0.6},
    "pm": {},
    "min-total-cost": {},
    "cstree": {},
}
ALONE = {"lasc": {"alpha": 0.7, "norm": "mean", "lookahead": False}}
ADDITIVE = ("mitchell", "csgain", "csgain-ratio")


def table(seed, n_rows=150):
    """Numbers and categories, some of them missing, and classes that depend on them."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 7, (n_rows, 6)).astype(float)
    y = (X[:, 0] + X[:, 3] > 6) + (X[:, 5] > 4) * (rng.random(n_rows) < 0.8)
    X[rng.random(X.shape) < 0.05] = np.nan
    return X, y.astype(int)


def prices(seed, factor=1.0, **rest):
    rng = np.random.default_rng(seed)
    return tw.Costs({column: factor * float(rng.integers(0, 9)) / 4 for column in range(6)}, **rest)


def core(name, X, y, **settings):
    return tw.algorithm(name, nominal_features=[3, 4, 5], **settings).fit(X, y).tree_.core


# Against formulas in plain Python


@pytest.mark.parametrize("criterion", WEIGHED | ALONE)
@pytest.mark.parametrize("payment", ["sequential", "upfront"])
def test_every_choice_is_the_best_by_the_formula(criterion, payment):
    rules = (WEIGHED | ALONE)[criterion] | {"criterion": criterion}
    nodes = 0
    for seed in range(100):
        growth = PLAIN if seed % 2 else ID3 | {"gain_floor": 1e-12}
        if criterion in MONEY:
            growth = [growth, CART, ID3][seed % 3] | {"missing": ["stay", "fractional"][seed % 4 // 3]}
            growth |= {"cut_penalty": False}
        classes = 2 + seed % 4 // 2
        nodes += assert_weighed_by_the_rules(
            seed, payment == "upfront", n_classes=classes, **(growth | rules)
        )
    assert nodes > (400 if criterion in MONEY else 600)  # many are not worth a test


@pytest.mark.parametrize(
    ("criterion", "changes"),
    [
        ("csgain-ratio", {"path": "ancestors", "max_path_factor": 1e9}),
        ("csgain-ratio", {"max_path_factor": 0.8}),
        ("csgain-ratio", {"path": "ancestors", "max_path_factor": 0.7}),
        ("pm", {"info": "gain"}),
        ("pm", {"missing": "stay"}),
        *((criterion, {"average_gain": True}) for criterion in IN_BITS),
        *((criterion, {"allow_negative": True, "cut_penalty": False}) for criterion in MONEY),
        *((criterion, {"reuse_is_free": False, "cut_penalty": False}) for criterion in MONEY),
    ],
)
def test_other_readings_follow_the_formula_too(criterion, changes):
    rules = PLAIN | WEIGHED[criterion] | changes | {"criterion": criterion}
    nodes = [
        assert_weighed_by_the_rules(seed, seed % 2 == 1, n_classes=2 + seed % 3 // 2, **rules)
        for seed in range(60)
    ]
    assert sum(nodes) > 150


@pytest.mark.parametrize("criterion", ["csgain", "csgain-ratio", "idx", "cs-c45"])
def test_list_prices_and_negative_worth_follow_the_formula_too(criterion):
    changes = {"reuse_is_free": False} | ({"allow_negative": True} if criterion in ADDITIVE else {})
    rules = PLAIN | WEIGHED[criterion] | changes | {"criterion": criterion}
    assert sum(assert_weighed_by_the_rules(seed, seed % 2 == 1, **rules) for seed in range(60)) > 300


# Prices that do not count


@pytest.mark.parametrize("payment", ["sequential", "upfront"])
@pytest.mark.parametrize(
    ("criterion", "settings", "same_as"),
    [
        ("idx", {"gamma": 0}, {"criterion": "gain"}),
        ("eg2", {"w": 0}, {"criterion": "gain"}),
        ("mitchell", {"gamma": 0}, {"criterion": "gain"}),
        ("csgain", {"gamma": 0}, {"criterion": "gain"}),
        ("csgain-ratio", {"gamma": 0}, {"average_gain": False}),
        ("csgain-ratio", {"gamma": 0, "average_gain": True}, {}),
        ("csgain-ratio", {"gamma": 0, "path": "ancestors"}, {"criterion": "gain"}),
        ("cs-c45", {"w": 0}, {}),
    ],
)
def test_without_weight_prices_change_nothing(criterion, settings, same_as, payment):
    for seed in range(15):
        X, y = table(seed)
        costs = prices(seed, payment=payment)
        for growth in ({}, {"pruning": None, "min_weight": 1}, {"group_values": True}):
            tree = core(criterion, X, y, costs=costs, **settings, **growth)
            assert tree == core("c45", X, y, **same_as, **growth)


@pytest.mark.parametrize("criterion", WEIGHED)
def test_prices_count_otherwise(criterion):
    plain = {"cs-c45": {}, "csgain-ratio": {"average_gain": False}}.get(criterion, {"criterion": "gain"})
    errors = {"errors_default": 20} if criterion in COUNTING else {}
    pairs = [
        (
            core(criterion, *table(seed), costs=prices(seed, **errors), **WEIGHED[criterion]),
            core(criterion, *table(seed), costs=prices(seed, 0.0, **errors), **WEIGHED[criterion])
            if errors
            else core("c45", *table(seed), **plain),
        )
        for seed in range(5)
    ]
    assert any(one != other for one, other in pairs)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "gain_ratio"])
def test_other_criteria_do_not_look_at_prices(criterion):
    X, y = table(1)
    plain = tw.CostTreeClassifier(criterion).fit(X, y)
    priced = tw.CostTreeClassifier(criterion, costs=prices(1, payment="upfront")).fit(X, y)
    assert plain.tree_.core == priced.tree_.core


# The unit of prices


@pytest.mark.parametrize("payment", ["sequential", "upfront"])
@pytest.mark.parametrize("factor", [0.125, 10.0, 1024.0])
@pytest.mark.parametrize("criterion", ADDITIVE)
def test_additive_criteria_know_prices_times_gamma_alone(criterion, factor, payment):
    gamma = WEIGHED[criterion]["gamma"]
    for seed in range(8):
        X, y = table(seed)
        one = core(criterion, X, y, costs=prices(seed, payment=payment), gamma=gamma)
        other = core(criterion, X, y, costs=prices(seed, factor, payment=payment), gamma=gamma / factor)
        assert one == other


@pytest.mark.parametrize("payment", ["sequential", "upfront"])
@pytest.mark.parametrize("factor", [0.125, 10.0, 1024.0])
@pytest.mark.parametrize("criterion", ["cs-id3", "idx", "cs-c45"])
def test_ratio_criteria_do_not_know_the_unit(criterion, factor, payment):
    for seed in range(8):
        X, y = table(seed)
        settings = WEIGHED[criterion]
        one = core(criterion, X, y, costs=prices(seed, payment=payment), **settings)
        assert one == core(criterion, X, y, costs=prices(seed, factor, payment=payment), **settings)


def test_eg2_knows_the_unit():
    days = tw.load_dataset("golf-nominal")
    for factor, test in ((1, "Outlook"), (100, "Wind")):
        costs = tw.Costs({name: factor * known.price for name, known in days.costs.tests.items()})
        assert tw.algorithm("eg2", costs=costs, pruning=None).fit(days.X, days.y).tree_[0].test == test


# What is paid already

# Eight classes: x0 tells which two, x1 and x2 tell which of the two.
EIGHT = np.array([[float(c // 2), float(c % 2), float(c % 2)] for c in range(8) for _ in range(5)])
OF_EIGHT = [c for c in range(8) for _ in range(5)]


def second_tests(tests, cost_reuse="effective", shared=None, gamma=0.01):
    costs = tw.Costs(tests, shared=shared or {})
    model = tw.CostTreeClassifier(
        tw.CsGain(gamma=gamma),
        costs=costs,
        cost_reuse=cost_reuse,
        growth=tw.Growth(nominal="multiway"),
        nominal_features=[0],
    )
    tree = model.fit(EIGHT, OF_EIGHT).tree_
    assert tree[0].test == "x0"
    return {node.test for node in tree if node.test} - {"x0"}


def test_the_second_test_of_a_group_is_cheaper():
    tests = {0: tw.Test(1, group="g", after=0.5), 1: tw.Test(5, group="g", after=0.1), 2: 1}
    assert second_tests(tests) == {"x1"}
    assert second_tests(tests, cost_reuse="list") == {"x2"}
    assert second_tests({0: 1, 1: 5, 2: 1}) == {"x2"}


def test_a_shared_resource_is_paid_once():
    tests = {0: tw.Test(0.1, needs=["draw"]), 1: tw.Test(0.1, needs=["draw"]), 2: 1}
    assert second_tests(tests, shared={"draw": 5}) == {"x1"}
    assert second_tests(tests, shared={"draw": 5}, cost_reuse="list") == {"x2"}


def test_a_second_cut_of_the_same_feature_is_free():
    X, y = np.arange(30.0).reshape(-1, 1), [c for c in range(3) for _ in range(10)]
    model = tw.CostTreeClassifier(tw.CsGain(gamma=0.8), costs=tw.Costs({0: 1}))
    assert model.fit(X, y).get_n_leaves() == 3  # 2/3 of a bit, for nothing
    assert model.set_params(cost_reuse="list").fit(X, y).get_n_leaves() == 2  # 2/3 of a bit is less than 0.8


# Four classes: x0 tells which two, x1 which of the two; x2 does so only where x0 is 1.
FOUR = np.array([[a, b, float(a and b)] for a in (0.0, 1.0) for b in (0.0, 1.0) for _ in range(5)])
OF_FOUR = [c for c in range(4) for _ in range(5)]


@pytest.mark.parametrize(
    "criterion", ["csgain", "mitchell", "csgain-ratio", "idx", "cs-id3", "eg2", "cs-c45"]
)
def test_what_another_branch_paid_is_free_only_upfront(criterion):
    gamma = {"gamma": 0.1} if criterion in ADDITIVE else {}
    expected = {"sequential": ["x0", "x1", "x2"], "upfront": ["x0", "x1", "x1"]}
    for payment, tests in expected.items():
        costs = tw.Costs({0: 0.5, 1: 2, 2: 1}, payment=payment)
        tree = classifier(criterion, costs=costs, **gamma).fit(FOUR, OF_FOUR).tree_
        assert [node.test for node in tree if node.test] == tests


def test_upfront_buys_in_depth_first_order_from_the_left():
    # As above with the sides exchanged: the left branch buys x2, so the right one pays for x1 in both ways.
    flipped = FOUR * [-1, 1, 1]
    for payment in ("sequential", "upfront"):
        costs = tw.Costs({0: 0.5, 1: 2, 2: 1}, payment=payment)
        tree = tw.CostTreeClassifier(tw.CsGain(gamma=0.1), costs=costs).fit(flipped, OF_FOUR).tree_
        assert [node.test for node in tree if node.test] == ["x0", "x2", "x1"]


# Threads


@pytest.mark.parametrize("payment", ["sequential", "upfront"])
@pytest.mark.parametrize(
    ("criterion", "settings"), [("csgain-ratio", {"gamma": 1e-4}), ("idx", {"gamma": 0.5}), ("cstree", {})]
)
def test_one_thread_and_two_give_the_same_tree(criterion, settings, payment):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(24_000, 6)).round(2)
    y = (X[:, 0] > 0.3) + (X[:, 1] * X[:, 2] > 0) * (X[:, 3] > 0)
    y = np.where(rng.random(len(y)) < 0.05, 0, y)
    costs = tw.Costs(
        {0: 5, 1: tw.Test(1, needs=["r"]), 2: tw.Test(1, needs=["r"]), 3: 2, 4: 0.1, 5: 0.2},
        shared={"r": 3},
        payment=payment,
        errors_default=1e6,
    )
    one, two = (
        classifier(criterion, costs=costs, n_jobs=n_jobs, **settings).fit(X, y).tree_.core
        for n_jobs in (1, 2)
    )
    assert one == two
    assert one.n_leaves > 100


@pytest.mark.parametrize("criterion", ["csgain", "mitchell"])
@pytest.mark.parametrize("price", [1, 3, 49, 1e-3])
def test_a_test_worth_exactly_its_price_is_not_bought_whatever_the_unit(criterion, price):
    table, labels = [[0.0], [1.0]] * 8, [0, 1] * 8  # one bit
    model = classifier(criterion, gamma=1 / price, costs=tw.Costs({"x0": price}))
    assert model.fit(table, labels).get_n_leaves() == 1


@pytest.mark.parametrize("seed", range(30))
def test_weighted_gains_add_up_to_what_the_tree_tells_about_the_class(seed):
    rng = np.random.default_rng(seed)
    table = np.column_stack([rng.integers(0, 5, (80, 2)), rng.random((80, 2)).round(1)])
    labels, weights = rng.integers(0, 3, 80), rng.random(80) + 0.1
    costs = tw.Costs({f"x{i}": float(rng.random()) for i in range(4)}, payment="upfront")
    growth = tw.Growth(nominal="multiway", min_split_weight=4)
    model = tw.CostTreeClassifier(
        tw.CsGain(gamma=1e-3), costs=costs, growth=growth, nominal_features=[0, 1]
    ).fit(table, labels, weights)
    core = model.tree_.core
    inner = core.feature >= 0
    gained = (core.weight * core.gain)[inner].sum() / weights.sum()

    def bits(node):
        shares = core.values[node] / core.values[node].sum()
        return -(shares[shares > 0] * np.log2(shares[shares > 0])).sum()

    leaves = [node for node in np.flatnonzero(~inner) if core.weight[node] > 0]
    told = bits(0) - sum(core.weight[leaf] * bits(leaf) for leaf in leaves) / weights.sum()
    assert inner.sum() > 3
    assert gained == pytest.approx(told, abs=1e-12)
