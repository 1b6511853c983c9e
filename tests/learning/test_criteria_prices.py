"""Criteria that weigh prices: worked numbers of Quinlan's fourteen days, and prices of 0.

Outlook costs 4, Temp 1, Humidity 2 and Wind 0.5.
"""

import math

import numpy as np
import pytest
from learning.criterion_trees import classifier

import thriftwood as tw
from thriftwood import _core

DAYS = tw.load_dataset("golf-nominal")
COSTS = DAYS.costs
UPFRONT = COSTS.replace(payment="upfront")
SORTED = DAYS.X.astype(str)  # text columns have their categories in alphabetical order
PRICE = {"Outlook": 4, "Temp": 1, "Humidity": 2, "Wind": 0.5}


def bits(weights):
    shares = np.asarray(weights, dtype=float) / np.sum(weights)
    return -sum(p * math.log2(p) for p in shares if p > 0)


def grown(name, X=DAYS.X, costs=UPFRONT, **settings):
    """The learner's tree before pruning, where one case is enough for a branch."""
    settings = {"pruning": None, "min_weight": 1} | settings
    return tw.algorithm(name, costs=costs, **settings).fit(X, DAYS.y).tree_


def gain_and_split_info(feature):
    column = DAYS.X[[feature]]
    gain = tw.algorithm("id3").fit(column, DAYS.y).tree_.core.gain[0]
    return gain, bits(column[feature].value_counts())


def bought_by(tree):
    """The features the tree tests, in the order in which they were bought."""
    return [tree.feature_names[feature] for feature in _core.tests_of(tree.core)]


def below(tree, condition):
    return next(node for node in tree if str(node.condition) == condition)


def objective(tree, gamma):
    """Information about the class less gamma times what all tests of the tree cost (equation 3)."""
    core = tree.core
    leaves = core.kind == 0
    left = sum(w * h for w, h in zip(core.weight[leaves], core.impurity[leaves], strict=True))
    return core.impurity[0] - left / core.weight[0] - gamma * COSTS.total(bought_by(tree))


def errors(tree):
    return int((tree.predict(DAYS.X) != np.asarray(DAYS.y)).sum())


ROOTS = [
    ("entropy", {}, lambda g, s, c: g, (0.246750, 0.029223, 0.151836, 0.048127)),
    ("gain_ratio", {}, lambda g, s, c: g / s, (0.156428, 0.018773, 0.151836, 0.048849)),
    ("cs-id3", {}, lambda g, s, c: g * g / c, (0.015221, 0.000854, 0.011527, 0.004632)),
    ("idx", {}, lambda g, s, c: g / c, (0.061687, 0.029223, 0.075918, 0.096254)),
    ("idx", {"gamma": 0.75}, lambda g, s, c: g / c**0.75, (0.087239, 0.029223, 0.090282, 0.080940)),
    ("idx", {"gamma": 0.5}, lambda g, s, c: g / c**0.5, (0.123375, 0.029223, 0.107364, 0.068062)),
    ("eg2", {}, lambda g, s, c: (2**g - 1) / (c + 1), (0.037306, 0.010231, 0.036994, 0.022615)),
    (
        "eg2",
        {"w": 1.5},
        lambda g, s, c: (2**g - 1) / (c + 1) ** 1.5,
        (0.016684, 0.007234, 0.021359, 0.018465),
    ),
    ("mitchell", {"gamma": 0.05}, lambda g, s, c: g - 0.05 * c, (0.046750, -0.020777, 0.051836, 0.023127)),
    ("csgain", {"gamma": 0.05}, lambda g, s, c: g - 0.05 * c, (0.046750, -0.020777, 0.051836, 0.023127)),
    ("csgain", {"gamma": 0.07}, lambda g, s, c: g - 0.07 * c, (-0.033250, -0.040777, 0.011836, 0.013127)),
    (
        "csgain-ratio",
        {"gamma": 0.02},
        lambda g, s, c: g / s - 0.02 * c,
        (0.076428, -0.001227, 0.111836, 0.038849),
    ),
    ("cs-c45", {"w": 0.5}, lambda g, s, c: g / s / c**0.5, (0.078214, 0.018773, 0.107364, 0.069082)),
]


@pytest.mark.parametrize(("criterion", "settings", "score", "published"), ROOTS)
@pytest.mark.parametrize("payment", ["sequential", "upfront"])
def test_scores_and_choice_at_the_root(criterion, settings, score, published, payment):
    scores = {name: score(*gain_and_split_info(name), PRICE[name]) for name in PRICE}
    assert list(scores.values()) == pytest.approx(published, abs=1e-6)
    model = classifier(
        criterion, costs=COSTS.replace(payment=payment), growth=tw.Growth(nominal="multiway"), **settings
    )
    assert model.fit(DAYS.X, DAYS.y).tree_[0].test == max(scores, key=scores.get)


def test_two_ways_of_paying_for_one_tree():
    tree = tw.algorithm("id3").fit(DAYS.X, DAYS.y)
    assert bought_by(tree.tree_) == ["Outlook", "Humidity", "Wind"]
    assert tw.bill(tree, DAYS.X, DAYS.y, COSTS).mean_test_cost == pytest.approx(4.892857, abs=1e-6)
    assert tw.bill(tree, DAYS.X, DAYS.y, UPFRONT).upfront_cost == pytest.approx(6.5)


def test_csgain_with_gamma_02():
    tree = grown("csgain", gamma=0.02)
    gain = tree.core.gain
    assert tree[0].test == "Outlook"
    assert gain[0] - 0.02 * 4 == pytest.approx(0.166750, abs=1e-6)
    sunny, rain = below(tree, "Outlook = Sunny"), below(tree, "Outlook = Rain")
    assert (sunny.test, rain.test) == ("Humidity", "Wind")
    assert 5 / 14 * gain[sunny.number] - 0.02 * 2 == pytest.approx(0.306768, abs=1e-6)
    assert 5 / 14 * gain[rain.number] - 0.02 * 0.5 == pytest.approx(0.336768, abs=1e-6)
    rainy = (DAYS.X["Outlook"] == "Rain").to_numpy()  # where Humidity, bought on the left, is free
    again = tw.algorithm("id3", max_depth=1).fit(DAYS.X.loc[rainy, ["Humidity"]], DAYS.y[rainy]).tree_
    assert 5 / 14 * again.core.gain[0] == pytest.approx(0.007133, abs=1e-6)
    assert bought_by(tree) == ["Outlook", "Humidity", "Wind"]
    assert COSTS.total(bought_by(tree)) == 6.5
    assert objective(tree, 0.02) == pytest.approx(0.810286, abs=1e-6)


def test_csgain_with_gamma_05_tests_what_is_paid_again():
    tree = grown("csgain", gamma=0.05)
    gain, weight = tree.core.gain, tree.core.weight
    high, normal = below(tree, "Humidity = High"), below(tree, "Humidity = Normal")
    assert (tree[0].test, high.test, normal.test) == ("Humidity", "Outlook", "Outlook")
    assert gain[0] - 0.05 * 2 == pytest.approx(0.051836, abs=1e-6)
    assert gain[high.number] / 2 - 0.05 * 4 == pytest.approx(0.149757, abs=1e-6)
    assert gain[normal.number] / 2 == pytest.approx(0.099059, abs=1e-6)  # Outlook is paid by now
    wind = next(node.number for node in tree if node.test == "Wind")
    assert weight[wind] / 14 * gain[wind] - 0.05 * 0.5 == pytest.approx(0.117857, abs=1e-6)
    assert bought_by(tree) == ["Humidity", "Outlook", "Wind"]
    assert COSTS.total(bought_by(tree)) == 6.5
    assert objective(tree, 0.05) == pytest.approx(0.615286, abs=1e-6)


def test_csgain_with_gamma_07_is_greedy():
    tree = grown("csgain", SORTED, gamma=0.07)
    assert bought_by(tree) == ["Wind", "Temp"]
    assert COSTS.total(bought_by(tree)) == 1.5
    assert errors(tree) == 4
    assert objective(tree, 0.07) == pytest.approx(0.102096, abs=1e-6)
    assert objective(grown("csgain", gamma=0.02), 0.07) == pytest.approx(0.485286, abs=1e-6)


@pytest.mark.parametrize("criterion", ["csgain", "mitchell", "csgain-ratio"])
@pytest.mark.parametrize("gamma", [0.2, 1e6, 1e308])
def test_nothing_is_bought_that_is_not_worth_its_price(criterion, gamma):
    tree = grown(criterion, gamma=gamma)
    assert tree.n_nodes == 1
    assert COSTS.total(bought_by(tree)) == 0
    assert grown("csgain", gamma=0.1).n_nodes == 1


def test_what_is_not_worth_its_price_is_bought_when_that_is_allowed():
    tree = grown("csgain", gamma=0.2, allow_negative=True, max_depth=1)
    scores = {name: gain_and_split_info(name)[0] - 0.2 * PRICE[name] for name in PRICE}
    assert max(scores.values()) < 0
    assert tree[0].test == max(scores, key=scores.get) == "Wind"


@pytest.mark.parametrize("payment", ["sequential", "upfront"])
def test_mitchell_buys_for_five_cases_what_csgain_does_not(payment):
    # Outlook is free, so both ask it first.
    costs = tw.Costs({"Humidity": 2, "Wind": 0.5}, payment=payment)
    X = DAYS.X.drop(columns="Temp")
    mitchell, csgain = (grown(name, X, costs, gamma=0.2) for name in ("mitchell", "csgain"))
    sunny = below(mitchell, "Outlook = Sunny")
    gain = mitchell.core.gain[sunny.number]
    assert gain - 0.2 * 2 == pytest.approx(0.570951, abs=1e-6)
    assert 5 / 14 * gain - 0.2 * 2 == pytest.approx(-0.053232, abs=1e-6)
    assert sunny.test == "Humidity"
    assert below(csgain, "Outlook = Sunny").is_leaf
    assert below(csgain, "Outlook = Rain").test == "Wind"  # 5/14 * 0.970951 - 0.2 * 0.5 > 0


def test_csgain_ratio_at_the_sunny_node():
    sunny = np.asarray(DAYS.X["Outlook"] == "Sunny")
    above = bits(DAYS.X["Outlook"].value_counts())
    assert above == pytest.approx(1.577406, abs=1e-6)
    scores = {}
    for name in ("Temp", "Humidity", "Wind"):
        column, y = DAYS.X.loc[sunny, [name]], np.asarray(DAYS.y)[sunny]
        gain = tw.algorithm("id3").fit(column, y).tree_.core.gain[0]
        scores[name] = 5 / 14 * gain / (above * bits(column[name].value_counts()))
    assert list(scores.values()) == pytest.approx([0.084938, 0.226411, 0.004657], abs=1e-6)
    charged = [scores[name] - 0.02 * PRICE[name] for name in scores]
    assert charged == pytest.approx([0.064938, 0.186411, -0.005343], abs=1e-6)
    # Outlook is free, so the root asks it; at the Sunny node Humidity is worth up to 0.226411 / 2 a unit.
    costs, X = tw.Costs({"Humidity": 2, "Wind": 0.5}), DAYS.X.drop(columns="Temp")
    for gamma, test in ((0.02, "Humidity"), (0.11, "Humidity"), (0.12, None)):
        tree = grown("csgain-ratio", X, costs, gamma=gamma)
        assert tree[0].test == "Outlook"
        assert below(tree, "Outlook = Sunny").test == test


def test_csgain_ratio_by_the_tests_above_alone():
    sunny = np.asarray(DAYS.X["Outlook"] == "Sunny")
    above = bits(DAYS.X["Outlook"].value_counts())
    charged = []
    for name in ("Temp", "Humidity", "Wind"):
        gain = (
            tw.algorithm("id3").fit(DAYS.X.loc[sunny, [name]], np.asarray(DAYS.y)[sunny]).tree_.core.gain[0]
        )
        charged.append(5 / 14 * gain / above - 0.02 * PRICE[name])
    assert charged == pytest.approx([0.109270, 0.179834, -0.005478], abs=1e-6)
    # Worth of Humidity at the Sunny node: 0.219834 without its own split information, 0.226411 with it.
    costs, X = tw.Costs({"Humidity": 2, "Wind": 0.5}), DAYS.X.drop(columns="Temp")
    for gamma, ancestors, inclusive in ((0.109, "Humidity", "Humidity"), (0.111, None, "Humidity")):
        for path, test in (("ancestors", ancestors), ("inclusive", inclusive)):
            tree = grown("csgain-ratio", X, costs, gamma=gamma, path=path)
            assert below(tree, "Outlook = Sunny").test == test


def test_csgain_ratio_with_a_limit_of_the_factor():
    # At the Sunny node 1 / (1.577406 * 0.970951) = 0.652923 multiplies 5/14 of a bit less 0.029.
    costs, X = tw.Costs({"Humidity": 2, "Wind": 0.5}), DAYS.X.drop(columns="Temp")
    for limit, gamma, test in ((0.66, 0.113, "Humidity"), (0.6, 0.113, None), (0.6, 0.103, "Humidity")):
        tree = grown("csgain-ratio", X, costs, gamma=gamma, max_path_factor=limit)
        assert tree[0].test == "Outlook"
        assert below(tree, "Outlook = Sunny").test == test


def test_every_gain_adds_up_to_the_information_about_the_class():
    rng = np.random.default_rng(3)
    for trial in range(60):
        n = int(rng.integers(10, 200))
        X = rng.integers(0, 6, (n, 4)).astype(float)
        nominal = [int(column) for column in np.flatnonzero(rng.random(4) < 0.5)]
        y = rng.integers(0, 2 + trial % 3, n)
        costs = tw.Costs({column: float(rng.integers(0, 5)) for column in range(4)}, payment="upfront")
        model = classifier(
            ["csgain", "csgain-ratio"][trial % 2],
            costs=costs,
            gamma=0.01 * (trial % 4),
            growth=tw.Growth(nominal=["multiway", "binary", "grouped"][trial % 3]),
            nominal_features=nominal,
        )
        core = model.fit(X, y).tree_.core
        share = core.weight / core.weight[0]
        leaves = core.kind == 0
        gained = (share * core.gain)[~leaves].sum()
        assert gained == pytest.approx(core.impurity[0] - (share * core.impurity)[leaves].sum(), abs=1e-12)


# Prices of 0 (the limit of a ratio)

CASES = 40
CLASS = [i % 2 for i in range(CASES)]
FULL = [float(c) for c in CLASS]  # tells the class
PART = [float(c and i < 20) for i, c in enumerate(CLASS)]  # tells something
MORE = [float(c and i < 30) for i, c in enumerate(CLASS)]  # tells a little more
NONE = [float(i // 2 % 2) for i in range(CASES)]  # tells nothing


def root(criterion, columns, prices, **settings):
    table = np.array(columns).T
    model = classifier(criterion, costs=tw.Costs(dict(enumerate(prices))), **settings)
    return model.fit(table, CLASS).tree_.core.feature[0]


@pytest.mark.parametrize("criterion", ["cs-id3", "idx", "cs-c45"])
def test_a_free_test_that_tells_something_comes_first(criterion):
    assert root(criterion, [FULL, PART], [1, 0]) == 1
    assert root(criterion, [FULL, PART], [1e-6, 0]) == 1
    assert root(criterion, [FULL, PART, MORE], [1, 0, 0]) == 2


@pytest.mark.parametrize("criterion", ["cs-id3", "idx", "cs-c45", "eg2"])
def test_a_free_test_that_tells_nothing_does_not(criterion):
    assert root(criterion, [NONE, PART], [0, 1000]) == 1
    assert root(criterion, [NONE, PART], [0, 0]) == 1


def test_eg2_needs_no_rule_for_free_tests():
    assert root("eg2", [FULL, PART], [0.1, 0]) == 0


@pytest.mark.parametrize(("criterion", "settings"), [("idx", {"gamma": 0}), ("cs-c45", {"w": 0})])
def test_free_tests_are_like_others_when_prices_do_not_count(criterion, settings):
    assert root(criterion, [PART, FULL], [0, 5], **settings) == 1


@pytest.mark.parametrize("criterion", ["mitchell", "csgain", "csgain-ratio"])
def test_free_tests_are_never_charged(criterion):
    assert root(criterion, [FULL, PART], [1, 0], gamma=1e6) == 1
