"""missing="branch": a test may ask only whether there is a value."""

import math

import numpy as np
import pytest
from learning.growing_tables import CART, Data, random_data
from learning.reference import assert_grown_by_the_rules

import thriftwood as tw

NAN = math.nan
BRANCH = tw.Growth(missing="branch")
NUMBERS = [[0.0], [0.0], [0.0], [NAN], [NAN]]
COLOURS = [["red"], ["red"], ["red"], [None], [None]]
CLASSES = [0, 0, 0, 1, 1]


@pytest.mark.parametrize("criterion", ["gini", "entropy", "gain_ratio"])
def test_numbers_that_are_all_alike_and_missing_ones(criterion):
    model = tw.CostTreeClassifier(criterion, growth=BRANCH).fit(NUMBERS, CLASSES)
    assert (model.tree_.n_nodes, model.tree_.n_leaves) == (3, 2)
    np.testing.assert_array_equal(model.predict(NUMBERS), CLASSES)
    assert model.predict([[-9e9], [7.0], [NAN]]).tolist() == [0, 0, 1]


@pytest.mark.parametrize("nominal", ["binary", "value", "multiway", "grouped"])
def test_one_category_and_missing_ones(nominal):
    growth = tw.Growth(missing="branch", nominal=nominal)
    model = tw.CostTreeClassifier(growth=growth).fit(COLOURS, CLASSES)
    assert model.tree_.n_nodes == 3
    np.testing.assert_array_equal(model.predict(COLOURS), CLASSES)


def test_categories_that_must_stay_together():
    X = [["red"], ["red"], ["blue"], ["green"], [None], [None], [None], [None]]
    growth = tw.Growth(missing="branch", min_branch_weight=3)
    model = tw.CostTreeClassifier(growth=growth).fit(X, [0, 0, 0, 0, 1, 1, 1, 1])
    assert model.tree_.n_nodes == 3
    assert model.predict([["red"], ["blue"], ["green"], [None]]).tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
@pytest.mark.parametrize("X", [NUMBERS, COLOURS])
def test_regression(criterion, X):
    model = tw.CostTreeRegressor(criterion, growth=BRANCH).fit(X, [1.0, 1.0, 1.0, 5.0, 5.0])
    assert model.tree_.n_nodes == 3
    assert model.predict(X).tolist() == [1.0, 1.0, 1.0, 5.0, 5.0]


@pytest.mark.parametrize(("least", "nodes"), [(2, 3), (2.5, 1), (3, 1)])
@pytest.mark.parametrize("two_branches", [False, True])
def test_both_branches_need_the_least_weight(least, nodes, two_branches):
    growth = tw.Growth(missing="branch", min_branch_weight=least, two_branches=two_branches)
    assert tw.CostTreeClassifier(growth=growth).fit(NUMBERS, CLASSES).tree_.n_nodes == nodes


@pytest.mark.parametrize("missing", ["stay", "fractional", "majority", "surrogate"])
def test_other_ways_of_missing_values_have_no_such_test(missing):
    growth = tw.Growth(missing=missing)
    assert tw.CostTreeClassifier(growth=growth).fit(NUMBERS, CLASSES).tree_.n_nodes == 1


def test_what_can_be_cut_is_cut():
    X, y = [[1.0], [1.0], [2.0], [2.0], [NAN], [NAN]], [0, 0, 1, 1, 2, 2]
    tree = tw.CostTreeClassifier(growth=BRANCH).fit(X, y).tree_
    assert (tree.n_nodes, tree.core.threshold[0]) == (4, 1.5)


@pytest.mark.parametrize(("confidence", "nodes"), [(0.95, 3), (0.9999, 1)])
@pytest.mark.parametrize("X", [NUMBERS, COLOURS])
def test_a_chi_square_test_compares_known_and_missing(X, confidence, nodes):
    growth = tw.Growth(missing="branch", confidence=confidence)
    assert tw.CostTreeClassifier(growth=growth).fit(X, CLASSES).tree_.n_nodes == nodes


@pytest.mark.parametrize("n_values", [1, 40])
@pytest.mark.parametrize("bins", [None, 8])
def test_columns_of_all_forms(n_values, bins):
    """Few values are counted, many kept in order, and bins are coded; the least weight forbids any cut."""
    rng = np.random.default_rng(0)
    x = np.where(rng.random(200) < 0.4, NAN, rng.integers(0, n_values, 200))
    growth = tw.Growth(missing="branch", bins=bins, min_branch_weight=70)
    model = tw.CostTreeClassifier(growth=growth).fit(x[:, None], np.isnan(x))
    assert model.tree_.n_nodes == 3
    np.testing.assert_array_equal(model.predict(x[:, None]), np.isnan(x))


@pytest.mark.parametrize("seed", range(120))
@pytest.mark.parametrize("nominal", ["binary", "value", "multiway"])
def test_every_node_follows_the_rules(seed, nominal):
    data = random_data(seed, n_classes=2 + seed % 2, missing=0.7)
    rules = CART | {"missing": "branch", "nominal": nominal, "min_branch_weight": float(seed % 4)}
    assert assert_grown_by_the_rules(data, **rules) > 0


def test_three_cells_are_enough_to_see_it_in_the_core():
    tree = Data([[0.0, 0.0, 0.0, NAN, NAN]], [0], CLASSES).grow(**CART | {"missing": "branch"})
    assert (tree.n_nodes, tree.missing_route[0], tree.gain[0]) == (3, 1, pytest.approx(0.48))


@pytest.mark.parametrize(
    ("criterion", "costs"),
    [
        ("lsid3", None),
        ("lasc", tw.Costs({"x0": 1})),
        ("act", tw.Costs({"x0": 1}, errors={0: {1: 50}, 1: {0: 50}})),
        ("min-total-cost", tw.Costs({"x0": 1}, errors={0: {1: 50}, 1: {0: 50}})),
        ("csgain-ratio", tw.Costs({"x0": 1})),
    ],
)
def test_criteria_of_every_kind_take_it(criterion, costs):
    growth = tw.Growth(missing="branch", nominal="value" if criterion == "lasc" else "binary")
    settings = {"gamma": 0.01} if criterion == "csgain-ratio" else {}
    chosen = tw.CsGainRatio(**settings) if settings else criterion
    model = tw.CostTreeClassifier(chosen, growth=growth, costs=costs, random_state=0)
    assert model.fit(NUMBERS, CLASSES).tree_.n_nodes == 3


def test_a_component_may_begin_with_it():
    growth = tw.Growth(missing="branch", nominal="value")
    for X, name in ((NUMBERS, "x0"), (COLOURS, "x0")):
        model = tw.CostTreeClassifier("lasc", growth=growth, costs=tw.Costs({name: 1})).fit(X, CLASSES)
        assert model.tree_.n_nodes == 3


class TestShown:
    model = tw.CostTreeClassifier(growth=BRANCH, costs=tw.Costs({"x0": 3})).fit(NUMBERS, CLASSES)

    def test_in_words(self):
        text = str(self.model.tree_)
        assert "x0 is known: 0" in text
        assert "x0 is missing: 1" in text
        assert [str(rule).split(" then")[0] for rule in self.model.tree_.rules()] == [
            "if x0 is known",
            "if x0 is missing",
        ]

    def test_saved_and_loaded(self, tmp_path):
        self.model.tree_.save(tmp_path / "tree.json")
        assert tw.load(tmp_path / "tree.json") == self.model.tree_

    def test_billed(self):
        assert tw.bill(self.model, NUMBERS, CLASSES).mean_test_cost == 3.0

    def test_consulted(self):
        for value, answer in ((12.0, 0), (None, 1)):
            case = self.model.consult()
            assert case.tell("x0", value).answer == answer

    def test_exported(self, tmp_path):
        space = {}
        exec(tw.export_python(self.model.tree_), space)
        predict = space["predict"]
        assert [predict({"x0": value}) for value in (0.0, 1e300, None)] == [0, 0, 1]
        assert "1.797" in tw.export_c(self.model.tree_)
        assert "is known" in tw.export_rules(self.model.tree_)
