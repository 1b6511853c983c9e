"""`Growth`: its checks, its bounds, and what each setting does to a tree."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

import thriftwood as tw
from thriftwood import _core
from thriftwood.datasets import make_small

X, Y = make_small(200)[:2]


def grown(**settings):
    return tw.CostTreeClassifier(growth=tw.Growth(**settings)).fit(X, Y).tree_


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (
            {"max_depth": 0},
            "'max_depth' parameter of Growth must be a whole number from 1 to .* or None. Got 0",
        ),
        ({"max_depth": True}, "max_depth.*Got True of type bool"),
        ({"max_depth": 2.5}, "max_depth.*Got 2.5 of type float"),
        ({"min_split_weight": -1}, r"min_split_weight.*a number in the range \[0, inf\). Got -1"),
        ({"min_branch_weight": float("nan")}, "min_branch_weight.*Got nan"),
        ({"order": "dept"}, "order.*one of 'depth', 'breadth', 'best'. Got 'dept'.*Did you mean 'depth'?"),
        ({"missing": "surogate"}, "missing.*Did you mean 'surrogate'?"),
        ({"bins": 257}, "bins.*from 2 to 256, 'auto' or None"),
        ({"bins": [1]}, r"bins.*Got \[1\] of type list"),
        ({"confidence": 1.0}, r"confidence.*\(0, 1\) or None"),
        ({"two_branches": "yes"}, "two_branches.*True or False. Got 'yes'"),
        ({"use_surrogate": True}, "use_surrogate.*one of 0, 1, 2. Got True"),
    ],
)
def test_errors_name_the_parameter_its_bounds_and_what_came(settings, words):
    with pytest.raises(ValueError, match=words):
        grown(**settings)


def test_a_wrong_value_is_noticed_after_an_equal_right_one():
    grown(max_depth=1)
    with pytest.raises(ValueError, match="Got True"):
        grown(max_depth=True)


def test_values_are_kept_and_cloned_and_set():
    growth = tw.Growth(max_depth=3, order="best")
    assert clone(growth).get_params() == growth.get_params()
    assert growth.set_params(max_depth=5).max_depth == 5
    assert repr(tw.Growth(max_leaves=4)) == "Growth(max_leaves=4)"


def test_every_parameter_has_a_rule_and_its_default_keeps_it():
    defaults = tw.Growth().get_params()
    assert set(defaults) == set(tw.Growth.rules)
    assert all(tw.Growth.rules[name].accepts(value) for name, value in defaults.items())


def test_changing_a_growth_between_fits_changes_the_next_tree():
    model = tw.CostTreeClassifier(growth=tw.Growth(max_depth=1)).fit(X, Y)
    assert model.get_depth() == 1
    model.growth.max_depth = 2
    assert model.fit(X, Y).get_depth() == 2


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_max_depth(depth):
    assert grown(max_depth=depth).depth == depth


@pytest.mark.parametrize("order", ["depth", "breadth", "best"])
def test_the_order_of_growth_only_matters_when_it_is_stopped(order):
    assert grown(order=order).core == grown().core
    assert grown(order=order, max_leaves=5).n_leaves == 5


def test_best_first_gains_at_least_as_much_with_the_same_leaves():
    def impurity(tree):
        leaves = tree.core.kind == 0
        return (tree.core.impurity * tree.core.weight)[leaves].sum()

    assert impurity(grown(order="best", max_leaves=6)) <= impurity(grown(order="breadth", max_leaves=6))


@given(st.integers(2, 60), st.integers(1, 40))
def test_minimum_weights(split, branch):
    core = grown(min_split_weight=split, min_branch_weight=branch).core
    assert (core.weight[core.kind > 0] >= split).all()
    assert (core.weight[1:] >= branch).all()


def test_min_decrease_is_scikit_learns_min_impurity_decrease():
    ours = grown(min_decrease=0.01)
    theirs = DecisionTreeClassifier(min_impurity_decrease=0.01, random_state=0).fit(X, Y)
    assert ours.n_leaves == theirs.get_n_leaves()


def test_a_split_that_gains_nothing_is_made_when_the_next_one_needs_it():
    exclusive_or = [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert tw.CostTreeClassifier().fit(exclusive_or, [0, 1, 1, 0]).score(exclusive_or, [0, 1, 1, 0]) == 1
    stopped = tw.CostTreeClassifier(growth=tw.Growth(gain_floor=0.0)).fit(exclusive_or, [0, 1, 1, 0])
    assert stopped.get_n_leaves() == 1


def test_chi_square_before_growth_leaves_the_golf_root_alone():
    golf = tw.load_dataset("golf-nominal")
    growth = {"nominal": "multiway", "min_branch_weight": 0.0}
    tested = tw.CostTreeClassifier("entropy", growth=tw.Growth(confidence=0.95, **growth)).fit(golf.X, golf.y)
    assert tested.get_n_leaves() == 1  # the smallest p of the four features is 0.094
    looser = tw.CostTreeClassifier("entropy", growth=tw.Growth(confidence=0.90, **growth)).fit(golf.X, golf.y)
    assert looser.tree_[0].test == "Humidity"  # p = .094; Outlook gains more but has p = .170


def test_bins_auto_is_exact_up_to_50_000_rows():
    growth = tw.Growth()
    assert growth.settings("gini", 50_000, 1).bins == 0
    assert growth.settings("gini", 50_001, 1).bins == 255
    assert growth.settings("absolute_error", 50_001, 1).bins == 0
    assert tw.Growth(missing="surrogate").settings("gini", 50_001, 1).bins == 0
    assert tw.Growth(cut_at="observed").settings("gini", 50_001, 1).bins == 0
    assert tw.Growth(min_gap=1e-5).settings("gini", 50_001, 1).bins == 0
    assert tw.Growth(bins=None).settings("gini", 50_001, 1).bins == 0
    assert tw.Growth(bins=16).settings("gini", 10, 1).bins == 16


def test_bins_that_the_other_settings_rule_out_are_an_error():
    for settings, words in (
        ({"missing": "surrogate"}, "bins=16, but missing='surrogate' needs exact thresholds"),
        ({"cut_at": "observed"}, "cut_at='observed' needs exact.*bins=None or cut_at='midpoint'"),
        ({"min_gap": 0.5}, "min_gap=0.5 needs exact thresholds. Set bins=None or min_gap=0.0"),
    ):
        with pytest.raises(ValueError, match=words):
            grown(bins=16, **settings)
        assert grown(bins=None, **settings).n_nodes > 1
    with pytest.raises(ValueError, match="criterion='absolute_error' needs exact thresholds"):
        tw.CostTreeRegressor("absolute_error", growth=tw.Growth(bins=np.int64(16))).fit(X, Y)


def test_rules_that_the_criterion_does_not_know_are_an_error():
    with pytest.raises(ValueError, match="average_gain=True, a rule of 'gain_ratio', 'cs-id3'"):
        grown(average_gain=True)
    for settings in ({"confidence": 0.9}, {"share_rule": True}, {"cut_penalty": True}):
        with pytest.raises(ValueError, match="counts classes, but 'squared_error' predicts numbers"):
            tw.CostTreeRegressor(growth=tw.Growth(**settings)).fit(X, Y)


def test_a_correction_without_its_test_is_an_error():
    with pytest.raises(
        ValueError, match="bonferroni=True, a rule of the chi-square test, but confidence=None"
    ):
        grown(bonferroni=True)
    assert grown(bonferroni=True, confidence=0.5).n_nodes > 1


@pytest.mark.parametrize("nominal", ["multiway", "grouped"])
def test_surrogates_need_tests_with_two_branches(nominal):
    with pytest.raises(ValueError, match=f"'surrogate' and nominal='{nominal}', but surrogates exist"):
        grown(missing="surrogate", nominal=nominal)


def test_medians_merge_no_categories():
    table, target = [["a"], ["b"], ["c"], ["d"]], [1.0, 1.0, 5.0, 5.0]
    with pytest.raises(ValueError, match="nominal='grouped', but criterion='absolute_error' merges no"):
        tw.CostTreeRegressor("absolute_error", growth=tw.Growth(nominal="grouped")).fit(table, target)
    for nominal, leaves in (("binary", 2), ("multiway", 4)):
        model = tw.CostTreeRegressor("absolute_error", growth=tw.Growth(nominal=nominal)).fit(table, target)
        assert model.get_n_leaves() == leaves


def test_defaults_are_the_cores():
    ours, core = tw.Growth().settings("gini", 9, 1), _core.Settings()
    methods = "parameter", "set_parameter", "set_budget"
    names = [name for name in dir(_core.Settings) if not name.startswith("_") and name not in methods]
    assert "min_split_weight" in names
    for name in names:
        np.testing.assert_array_equal(getattr(ours, name), getattr(core, name), err_msg=name)


def test_settings_are_translated_to_the_cores_words():
    settings = tw.Growth(use_surrogate=0, surrogate_style=1, missing="error", nominal="multiway").settings(
        "gini", 9, 3
    )
    assert isinstance(settings, _core.Settings)
    assert (settings.after_surrogates, settings.max_surrogates) == ("stop", 0)
    assert settings.surrogate_known_only
    assert not settings.reuse_nominal
    assert settings.missing == "branch"
    assert settings.threads == 3


def with_holes(share=0.2):
    rng = np.random.default_rng(0)
    holes = X.copy()
    holes[rng.random(X.shape) < share] = np.nan
    return holes


@pytest.mark.parametrize("missing", ["fractional", "surrogate", "branch", "majority"])
def test_missing_values_are_learnt_from_and_predicted(missing):
    holes = with_holes()
    model = tw.CostTreeClassifier(growth=tw.Growth(missing=missing, max_depth=6)).fit(holes, Y)
    assert model.score(holes, Y) > 0.8
    np.testing.assert_allclose(model.predict_proba(holes).sum(axis=1), 1)


def test_missing_error_refuses_them_at_fit_and_at_predict_but_takes_unseen_categories():
    growth = tw.Growth(missing="error")
    with pytest.raises(ValueError, match=r"Input X contains NaN.\n.*CostTreeClassifier was told to refuse"):
        tw.CostTreeClassifier(growth=growth).fit(with_holes(), Y)
    model = tw.CostTreeClassifier(growth=growth).fit(X, Y)
    with pytest.raises(ValueError, match="contains NaN"):
        model.predict(with_holes())
    colours = tw.CostTreeClassifier(growth=growth).fit([["red"], ["red"], ["blue"]], [0, 0, 1])
    assert colours.predict([["green"]]).tolist() == [0]  # the answer of the node that asks
    with pytest.raises(ValueError, match="contains NaN"):
        colours.predict([[None]])


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (pd.DataFrame({"age": [1, 2], "colour": ["red", None]}), "column 'colour' has no value in row 1"),
        (np.array([[1.0, 2.0], [np.nan, 3.0]]), "column 0 has no value in row 1"),
        (sparse.csr_matrix([[0.0, 1.0, 0.0], [0.0, 0.0, np.nan]]), "column 2 has no value in row 1"),
    ],
)
def test_id3_names_the_missing_value_and_a_way_out(table, words):
    with pytest.raises(ValueError, match=rf"{words}.*algorithm\('id3', missing='fractional'\)"):
        tw.algorithm("id3").fit(table, ["no", "yes"])
    assert tw.algorithm("id3", missing="fractional").fit(table, ["no", "yes"]).tree_.n_nodes >= 1
