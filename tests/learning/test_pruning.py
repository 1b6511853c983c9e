"""Pruning rules as parameters of an estimator; what each native rule does is tested with the core."""

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import thriftwood as tw
from thriftwood import _core
from thriftwood.datasets import make_small
from thriftwood.learning.pruning.cost_complexity import mean_and_error
from thriftwood.learning.pruning.folds import folds, validation_part

X, Y = make_small(200)[:2]
NOISY = np.where(np.random.default_rng(0).random(len(Y)) < 0.2, 1 - Y, Y)
RULES = [
    tw.Pessimistic(),
    tw.CostComplexity(),
    tw.CostComplexity(alpha=0.01),
    tw.ReducedError(),
    tw.ReducedError(order="bottom_up"),
    tw.CrossValidatedComplexity(repeats=3),
    tw.MDL(),
    tw.MDL("partial"),
    tw.MDL("hybrid"),
    tw.MDL("quinlan_rivest"),
]


def fitted(pruning, y=NOISY, **settings):
    return tw.CostTreeClassifier(pruning=pruning, random_state=0, **settings).fit(X, y)


def problem(y=NOISY, weights=None):
    return tw.CostTreeClassifier().prepare(X, y, weights).problem


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_a_pruned_tree_is_smaller_and_the_rule_survives_cloning(rule):
    full = fitted(None)
    pruned = fitted(rule)
    assert 1 <= pruned.get_n_leaves() < full.get_n_leaves()
    assert clone(rule).get_params() == rule.get_params()
    assert fitted(clone(rule)).tree_ == pruned.tree_


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_one_row_and_one_class_are_no_trouble(rule):
    assert tw.CostTreeClassifier(pruning=rule).fit([[1.0]], ["only"]).predict([[5.0]]).tolist() == ["only"]
    assert tw.CostTreeClassifier(pruning=rule).fit([[1.0], [2.0]], [1, 1]).get_n_leaves() == 1
    assert tw.CostTreeClassifier(pruning=rule).fit([[1.0], [2.0]], [0, 1]).get_n_leaves() <= 2


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (
            tw.Pessimistic(cf=0),
            r"'cf' parameter of Pessimistic must be a number in the range \(0, 1\]. Got 0",
        ),
        (tw.Pessimistic(cf="low"), "cf.*Got 'low' of type str"),
        (tw.Pessimistic(z="tabel"), "'z' parameter.*Did you mean 'table'?"),
        (tw.CostComplexity(alpha=-1), "'alpha' parameter of CostComplexity.*or None. Got -1"),
        (
            tw.CostComplexity(cv=1),
            "'cv' parameter of CostComplexity must be a whole number of at least 2. Got 1",
        ),
        (tw.ReducedError(validation=1), r"'validation' parameter of ReducedError.*\(0, 1\). Got 1"),
        (tw.CrossValidatedComplexity(repeats=0), "'repeats' parameter.*Got 0"),
        (tw.MDL("ful"), "'encoding' parameter of MDL.*Did you mean 'full'?"),
    ],
)
def test_errors_name_the_parameter_its_bounds_and_what_came(rule, words):
    with pytest.raises(ValueError, match=words):
        fitted(rule)


def test_something_else_as_a_rule_is_an_error():
    with pytest.raises(
        TypeError, match=r"'pruning' parameter of CostTreeClassifier.*Pessimistic\(\) or None"
    ):
        fitted("pessimistic")


@pytest.mark.parametrize("rule", [tw.Pessimistic(), tw.MDL()], ids=repr)
def test_rules_for_classes_refuse_numbers(rule):
    with pytest.raises(ValueError, match=f"{type(rule).__name__} prunes trees that tell classes apart"):
        tw.CostTreeRegressor(pruning=rule).fit(X, Y)


def test_a_smaller_confidence_factor_prunes_more():
    sizes = [fitted(tw.Pessimistic(cf)).get_n_leaves() for cf in (1.0, 0.5, 0.25, 0.1, 0.01)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1]


@given(st.floats(0, 0.2))
def test_alpha_by_impurity_is_scikit_learns_ccp_alpha(alpha):
    # Between two alphas of the path, so that rounding at an exact tie decides nothing.
    path = tw.CostTreeClassifier().cost_complexity_pruning_path(X, NOISY).ccp_alphas
    alpha += 1e-9
    if np.abs(path - alpha).min() < 1e-9:
        return
    ours = fitted(tw.CostComplexity(alpha, risk="impurity"))
    theirs = DecisionTreeClassifier(ccp_alpha=alpha, random_state=0).fit(X, NOISY)
    assert ours.get_n_leaves() == theirs.get_n_leaves()


def test_the_pruning_path_is_scikit_learns():
    ours = tw.CostTreeClassifier().cost_complexity_pruning_path(X, NOISY)
    theirs = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, NOISY)
    # scikit-learn lists equal alphas one by one; the trees at distinct alphas are the same.
    rounded = np.round(theirs.ccp_alphas, 12)
    last = np.append(np.diff(rounded) > 1e-12, True)
    np.testing.assert_allclose(ours.ccp_alphas, theirs.ccp_alphas[last], atol=1e-10)
    np.testing.assert_allclose(ours.impurities, theirs.impurities[last], atol=1e-10)


def test_the_pruning_path_of_a_regression_tree_is_scikit_learns():
    rng = np.random.default_rng(0)
    target = X[:, 0] + rng.normal(size=len(X))
    ours = tw.CostTreeRegressor().cost_complexity_pruning_path(X, target)
    theirs = DecisionTreeRegressor(random_state=0).cost_complexity_pruning_path(X, target)
    np.testing.assert_allclose(ours.ccp_alphas[-10:], theirs.ccp_alphas[-10:], rtol=1e-6)
    np.testing.assert_allclose(ours.impurities[-10:], theirs.impurities[-10:], rtol=1e-6)


ALTERED = {"costs": tw.Costs(errors=[[0, 1], [10, 0]]), "loss_in_growth": "altered_priors"}


def test_with_altered_priors_too_each_alpha_of_the_path_cuts_to_its_tree():
    path = tw.CostTreeClassifier(**ALTERED).cost_complexity_pruning_path(X, NOISY)
    grown = tw.CostTreeClassifier(**ALTERED).prepare(X, NOISY, None).problem.grow()
    leaves = _core.ccp_path(grown, "impurity")[1]
    cut = [
        fitted(tw.CostComplexity(alpha * (1 + 1e-9), risk="impurity"), **ALTERED).get_n_leaves()
        for alpha in path.ccp_alphas
    ]
    assert cut == leaves.tolist()
    assert cut[-1] == 1
    assert fitted(tw.CostComplexity(path.ccp_alphas[-1] * 0.999, risk="impurity"), **ALTERED).tree_.depth > 0


@pytest.mark.parametrize("risk", ["loss", "impurity"])
def test_with_altered_priors_the_leaves_still_hold_the_weights_of_the_training_table(risk):
    for alpha in (None, 0.01):
        core = fitted(tw.CostComplexity(alpha, risk=risk), **ALTERED).tree_.core
        np.testing.assert_allclose(core.values[core.kind == 0].sum(axis=0), np.bincount(NOISY))


def test_cross_validation_by_impurity_takes_one_of_the_nested_trees_of_altered_priors():
    chosen = fitted(tw.CostComplexity(risk="impurity"), **ALTERED).tree_
    grown = tw.CostTreeClassifier(**ALTERED).prepare(X, NOISY, None).problem.grow()
    alphas, leaves, _, _ = _core.ccp_path(grown, "impurity")
    step = leaves.tolist().index(chosen.n_leaves)
    assert chosen == fitted(tw.CostComplexity(alphas[step], risk="impurity"), **ALTERED).tree_


def test_the_standard_error_of_equal_weights_is_that_of_the_mean():
    losses = np.random.default_rng(0).random((3, 50))
    for weights in (None, np.full(50, 1e-3), np.full(50, 1e6)):
        means, errors = mean_and_error(losses, weights)
        np.testing.assert_allclose(means, losses.mean(axis=1))
        np.testing.assert_allclose(errors, losses.std(axis=1) / np.sqrt(50))


def test_weights_of_3_and_1_are_worth_as_much_as_eight_tenths_of_the_cases():
    losses, weights = np.tile([0.0, 0.0, 1.0, 1.0], 5)[None], np.tile([3.0, 1.0], 10)
    _, errors = mean_and_error(losses, weights)
    np.testing.assert_allclose(errors, 0.5 / np.sqrt(0.8 * 20))  # (20 * 2)^2 / (20 * 5) = 16 cases


@pytest.mark.parametrize("scale", [1e-3, 1000.0])
def test_the_scale_of_the_weights_does_not_change_the_pruned_tree(scale):
    def leaves(factor):
        weights = factor * (1.0 + np.arange(len(X)) % 3)
        rule = tw.CostComplexity(se_rule=1)
        model = tw.CostTreeClassifier(pruning=rule, random_state=0).fit(X, NOISY, sample_weight=weights)
        return model.get_n_leaves()

    assert leaves(scale) == leaves(1.0)


def test_cross_validation_with_no_slack_takes_a_larger_tree():
    assert (
        fitted(tw.CostComplexity(se_rule=0)).get_n_leaves()
        >= fitted(tw.CostComplexity(se_rule=1)).get_n_leaves()
    )
    assert fitted(tw.CostComplexity(se_rule=100)).get_n_leaves() == 1


def test_cp_is_a_share_of_the_roots_risk():
    root = fitted(None).tree_.core
    risk = root.risk[0] / root.weight[0]
    by_cp, by_alpha = fitted(tw.CostComplexity(0.0, cp=0.05)), fitted(tw.CostComplexity(0.05 * risk))
    assert by_cp.tree_ == by_alpha.tree_


def test_cross_validated_trees_are_among_the_nested_ones():
    chosen = fitted(tw.CostComplexity()).tree_.n_leaves
    _, leaves, _, _ = _core.ccp_path(fitted(None).tree_.core, "loss")
    assert chosen in leaves


def test_pure_noise_is_pruned_to_the_root():
    noise = np.random.default_rng(1).integers(0, 2, len(X))
    assert fitted(tw.CostComplexity(), noise).get_n_leaves() == 1


@given(st.integers(2, 12), st.integers(0, 2**31 - 1))
def test_folds_spread_every_class_evenly(n_folds, seed):
    fold = folds(problem(), n_folds, seed)
    for label in (0, 1):
        counts = np.bincount(fold[np.asarray(NOISY) == label], minlength=n_folds)
        assert counts.max() - counts.min() <= 1


def test_cases_without_weight_are_in_no_fold_and_in_no_part():
    weights = (np.arange(len(X)) % 3 > 0).astype(float)
    fold = folds(problem(weights=weights), 5, 0)
    assert ((fold < 0) == (weights == 0)).all()
    growing, kept = validation_part(problem(weights=weights), 0.25, 0)
    assert sorted([*growing, *kept]) == np.flatnonzero(weights).tolist()


@given(st.floats(0.05, 0.95), st.integers(0, 2**31 - 1))
def test_the_validation_part_takes_its_share_of_every_class(share, seed):
    growing, kept = validation_part(problem(), share, seed)
    assert sorted([*growing, *kept]) == list(range(len(X)))
    for label in (0, 1):
        n = (label == NOISY).sum()
        assert abs((NOISY[kept] == label).sum() - share * n) <= 1


@pytest.mark.parametrize("rule", [tw.ReducedError, tw.CrossValidatedComplexity])
def test_a_share_that_keeps_no_case_aside_is_an_error(rule):
    iris = load_iris(return_X_y=True)
    with pytest.raises(
        ValueError, match=r"validation=0.003 keeps none of the 150 cases aside.*0.0067 or more"
    ):
        tw.CostTreeClassifier(pruning=rule(validation=0.003)).fit(*iris)
    assert tw.CostTreeClassifier(pruning=rule(validation=0.0067)).fit(*iris).get_n_leaves() >= 1


@given(st.floats(0, 1, exclude_min=True, exclude_max=True), st.integers(2, 40))
def test_neither_part_is_ever_empty(share, n):
    task = tw.CostTreeClassifier().prepare(X[:n], NOISY[:n], None).problem
    if round(share * n) == 0:
        with pytest.raises(ValueError, match=f"none of the {n} cases"):
            validation_part(task, share, 0)
        return
    growing, kept = validation_part(task, share, 0)
    assert len(growing) > 0
    assert len(kept) > 0


def test_reduced_error_answers_the_kept_cases_no_worse_than_the_full_tree():
    task = problem()
    growing, kept = validation_part(task, 1 / 3, 0)
    full = task.grow(growing)
    pruned = fitted(tw.ReducedError()).tree_.core
    right = [(tree.predict_labels(task.table) == task.labels)[kept].sum() for tree in (full, pruned)]
    assert right[0] <= right[1]


@pytest.mark.parametrize("order", ["breadth", "best"])
@pytest.mark.parametrize("complexity", ["internal_nodes", "leaves", "nodes"])
def test_growth_stops_at_the_first_split_that_reaches_the_complexity(order, complexity):
    rule = tw.CrossValidatedComplexity(order=order, complexity=complexity)
    size = {
        "internal_nodes": lambda tree: tree.n_nodes - tree.n_leaves,
        "leaves": lambda tree: tree.n_leaves,
        "nodes": lambda tree: tree.n_nodes,
    }[complexity]
    step = 2 if complexity == "nodes" else 1
    for wanted in (1.0, 3.5, 6.0):
        assert wanted <= size(rule.grown_to(wanted, problem())) < wanted + step


@pytest.mark.parametrize("order", ["breadth", "best"])
@pytest.mark.parametrize("complexity", ["leaves", "nodes"])
def test_branches_of_any_number_and_penalised_gains_are_counted_as_they_grow(order, complexity):
    rng = np.random.default_rng(0)
    colours = rng.choice(["red", "green", "blue", "grey", "black"], len(X))
    table = [
        [*numbers, colour, shape]
        for numbers, colour, shape in zip(
            X.tolist(),
            colours.tolist(),
            rng.choice(["round", "square", "flat"], len(X)).tolist(),
            strict=True,
        )
    ]
    growth = tw.Growth(nominal="multiway", cut_penalty=True, gain_floor=-1.0)
    task = tw.CostTreeClassifier("entropy", growth=growth).prepare(table, NOISY, None).problem
    rule = tw.CrossValidatedComplexity(order=order, complexity=complexity)

    def grown(splits):
        settings = copy.copy(task.settings)
        settings.order, settings.max_splits = order, splits
        return task.grow(settings=settings)

    trees = [grown(splits) for splits in range(40)]
    sizes = [tree.n_leaves if complexity == "leaves" else tree.n_nodes for tree in trees]
    assert {2, 3, 5} <= set(trees[-1].n_children.tolist())
    for wanted in np.arange(0.0, sizes[-1], 1.5):
        first = next(tree for tree, size in zip(trees, sizes, strict=True) if size >= wanted)
        assert rule.grown_to(wanted, task) == first
    assert rule.grown_to(1e6, task).n_leaves == grown(float("inf")).n_leaves


def test_golf_at_complexity_two_best_first_stops_with_rain_a_leaf():
    golf = tw.load_dataset("golf-nominal")
    task = tw.algorithm("id3").prepare(golf.X, golf.y, None).problem
    tree = tw.Tree(tw.CrossValidatedComplexity(order="best").grown_to(2.0, task), task.encoder, ["No", "Yes"])
    assert tree.features_used == ("Outlook", "Humidity")
    rain = next(node for node in tree if str(node.condition) == "Outlook = Rain")
    assert rain.is_leaf
    assert rain.answer == "Yes"


def test_error_costs_are_what_reduced_error_and_cost_complexity_prune_by():
    costs = tw.Costs(errors=[[0, 1], [20, 0]])
    for rule in (tw.ReducedError(), tw.CostComplexity()):
        cheap = fitted(rule, costs=costs)
        assert (cheap.predict(X) == 1).mean() > (fitted(rule).predict(X) == 1).mean()


def test_a_grid_search_reaches_into_growth_and_pruning():
    model = tw.CostTreeClassifier(growth=tw.Growth(), pruning=tw.Pessimistic())
    search = GridSearchCV(model, {"pruning__cf": [0.01, 0.5], "growth__max_depth": [1, 5]}, cv=3).fit(
        X, NOISY
    )
    assert set(search.best_params_) == {"pruning__cf", "growth__max_depth"}
    assert search.best_estimator_.pruning.cf == search.best_params_["pruning__cf"]


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
@pytest.mark.parametrize(
    "rule", [tw.CostComplexity(), tw.ReducedError(), tw.CrossValidatedComplexity(repeats=2)], ids=repr
)
def test_regression_trees_are_pruned(criterion, rule):
    target = X[:, 0] + np.random.default_rng(0).normal(size=len(X))
    model = tw.CostTreeRegressor(criterion, pruning=rule, random_state=0).fit(X, target)
    assert 1 <= model.get_n_leaves() < tw.CostTreeRegressor(criterion).fit(X, target).get_n_leaves() / 2
