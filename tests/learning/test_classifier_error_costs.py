"""fit(error_costs=...): trees that grow for the cheapest answers where costs differ by row."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import config_context
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import thriftwood as tw
from thriftwood.learning.pruning.folds import folds, validation_part

RULES = [
    None,
    tw.Pessimistic(),
    tw.CostComplexity(alpha=0.01),
    tw.CostComplexity(),
    tw.ReducedError(),
    tw.ReducedError(order="bottom_up"),
    tw.CrossValidatedComplexity(repeats=2),
    tw.MDL(),
    tw.ExpectedCost(),
    tw.ExpectedLoss(),
]


def table(seed, n_classes, n_rows=80):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (n_rows, 3)).astype(float)
    y = (X[:, 0] + rng.integers(0, 3, n_rows)).astype(int) % n_classes
    return X, y, rng.integers(0, 8, (n_rows, n_classes)).astype(float)


def summed(model, X, costs, weights=None):
    """What each answer costs the cases of each leaf, by leaf."""
    costs = costs if weights is None else costs * weights[:, None]
    leaves = model.apply(X)
    return {leaf: costs[leaves == leaf].sum(axis=0) for leaf in np.unique(leaves)}


@pytest.mark.parametrize("rule", RULES, ids=repr)
@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_every_leaf_answers_what_costs_its_cases_least_and_knows_their_classes(rule, n_classes):
    X, y, costs = table(n_classes, n_classes)
    weights = np.random.default_rng(1).integers(1, 4, len(y)).astype(float)
    growth = tw.Growth(max_depth=4)
    model = tw.CostTreeClassifier(growth=growth, pruning=rule, random_state=0)
    model.fit(X, y, sample_weight=weights, error_costs=costs)
    leaves, answers, shares = model.apply(X), model.predict(X), model.predict_proba(X)
    core = model.tree_.core
    for leaf, total in summed(model, X, costs, weights).items():
        here = leaves == leaf
        assert (answers[here] == model.classes_[total.argmin()]).all()
        counts = np.bincount(y[here], weights[here], minlength=n_classes)
        assert np.allclose(shares[here], counts / counts.sum())
        assert np.allclose(core.values[leaf], counts)
        assert np.isclose(core.risk[leaf], total.min())
        assert np.isclose(core.weight[leaf], weights[here].sum())


@pytest.mark.parametrize("criterion", ["gini", "entropy", "gain_ratio", "leaf-cost"])
def test_two_classes_grow_as_the_cheaper_class_weighted_by_what_it_saves(criterion):
    X, y, costs = table(3, 2)
    by_row = tw.CostTreeClassifier(criterion).fit(X, y, error_costs=costs).tree_.core
    saved = np.abs(costs[:, 0] - costs[:, 1])
    weights = saved * (len(y) / saved.sum())
    plain = tw.CostTreeClassifier(criterion).fit(X, costs.argmin(axis=1), sample_weight=weights).tree_.core
    assert by_row.feature.tolist() == plain.feature.tolist()
    assert np.array_equal(by_row.threshold, plain.threshold)
    assert np.allclose(by_row.gain * by_row.weight, plain.gain * plain.weight)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_one_for_every_mistake_is_the_tree_without_costs(n_classes):
    X, y, _ = table(5, n_classes)
    growth = tw.Growth(max_depth=3)
    plain = tw.CostTreeClassifier(growth=growth).fit(X, y)
    by_row = tw.CostTreeClassifier(growth=growth).fit(X, y, error_costs=1 - np.eye(n_classes)[y])
    assert by_row.tree_.core.feature.tolist() == plain.tree_.core.feature.tolist()
    assert np.array_equal(by_row.tree_.core.values, plain.tree_.core.values)
    assert np.array_equal(by_row.predict(X), plain.predict(X))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(0, 100))
def test_a_constant_added_to_a_row_changes_nothing(seed, n_classes, most):
    X, y, costs = table(seed, n_classes, n_rows=30)
    more = np.random.default_rng(seed).integers(0, most + 1, (len(y), 1))
    model = tw.CostTreeClassifier(growth=tw.Growth(max_depth=3))
    first = model.fit(X, y, error_costs=costs).predict(X)
    assert np.array_equal(model.fit(X, y, error_costs=costs + more).predict(X), first)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4))
def test_a_split_by_leaf_cost_is_the_cheapest_of_all(seed, n_classes):
    X, y, costs = table(seed, n_classes, n_rows=25)
    model = tw.CostTreeClassifier("leaf-cost", growth=tw.Growth(max_depth=1)).fit(X, y, error_costs=costs)
    found = sum(total.min() for total in summed(model, X, costs).values())
    best = costs.sum(axis=0).min()
    for feature, cut in itertools.product(range(3), np.arange(0.5, 5.5)):
        low = X[:, feature] <= cut
        if low.any() and not low.all():
            best = min(best, costs[low].sum(axis=0).min() + costs[~low].sum(axis=0).min())
    assert np.isclose(found, best)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4), st.booleans())
def test_a_split_by_total_cost_has_the_lowest_bill_of_all(seed, n_classes, weighted):
    X, y, costs = table(seed, n_classes, n_rows=25)
    y[:n_classes] = np.arange(n_classes)
    rng = np.random.default_rng(seed)
    costs[rng.random(25) < 0.3] = 2.0  # to whom all answers are the same: they pay for tests as others do
    weights = rng.integers(1, 4, 25).astype(float) if weighted else np.ones(25)
    prices = tw.Costs({"x0": 0.5, "x1": 0.1, "x2": 0.9})
    model = tw.CostTreeClassifier("min-total-cost", costs=prices, growth=tw.Growth(max_depth=1))
    model.fit(X, y, sample_weight=weights, error_costs=costs)
    found = tw.bill(model, X, y, sample_weight=weights, error_costs=costs).total_cost
    own = costs * weights[:, None]
    best = own.sum(axis=0).min()
    for (feature, price), cut in itertools.product(enumerate((0.5, 0.1, 0.9)), np.arange(0.5, 5.5)):
        low = X[:, feature] <= cut
        if low.any() and not low.all():
            tested = price * weights.sum()
            best = min(best, tested + own[low].sum(axis=0).min() + own[~low].sum(axis=0).min())
    assert np.isclose(found, best)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("more", [{}, {"lookahead": 2}, {"missing": "stay"}])
def test_total_cost_by_row_is_that_of_the_matrix_where_rows_are_alike(n_classes, more):
    X, y, _ = table(11, n_classes)
    rng = np.random.default_rng(11)
    y = np.where(rng.random(80) < 0.8, (X[:, 0] > 2) * (n_classes - 1) * (X[:, 2] > 1), y).astype(int)
    X[::7, 1] = np.nan
    errors = rng.integers(20, 40, (n_classes, n_classes)) * (1 - np.eye(n_classes))
    prices = tw.Costs({"x0": 1, "x1": 0.5, "x2": 0.25})
    grown = {"growth": tw.Growth(max_depth=4, **more)}
    by_class = tw.CostTreeClassifier("min-total-cost", costs=prices.replace(errors=errors), **grown)
    by_row = tw.CostTreeClassifier("min-total-cost", costs=prices, **grown)
    one, other = by_class.fit(X, y).tree_.core, by_row.fit(X, y, error_costs=errors[y]).tree_.core
    assert one.n_nodes >= 5
    assert one.feature.tolist() == other.feature.tolist()
    assert np.array_equal(one.threshold, other.threshold, equal_nan=True)
    assert np.allclose(one.gain, other.gain)
    assert np.allclose(one.values, other.values)
    assert np.array_equal(by_class.predict(X), by_row.predict(X))


@pytest.mark.parametrize("smoothing", ["laplace", 3.0])
def test_smoothed_shares_are_of_the_true_classes(smoothing):
    X, y, costs = table(25, 3)
    plain, smoothed = (
        tw.CostTreeClassifier(growth=tw.Growth(max_depth=3), smoothing=how).fit(X, y, error_costs=costs)
        for how in (None, smoothing)
    )
    added = np.ones(3) if smoothing == "laplace" else 3.0 * np.bincount(y) / len(y)
    counts = plain.tree_.core.values[plain.apply(X)]
    expected = (counts + added) / (counts + added).sum(axis=1, keepdims=True)
    assert np.allclose(smoothed.predict_proba(X), expected)
    means = np.array([costs[y == label].mean(axis=0) for label in range(3)])
    leaves, added_cost = (
        smoothed.apply(X),
        added @ means,
    )  # what is added costs as much as its class on average
    for leaf, total in summed(plain, X, costs).items():
        assert (smoothed.predict(X)[leaves == leaf] == (total + added_cost).argmin()).all()
    risks = [model.tree_.core.risk[model.tree_.core.kind == 0].sum() for model in (plain, smoothed)]
    assert risks[0] <= risks[1]  # the smoothed answers cost the training cases more, if anything


def test_a_matrix_by_row_is_smoothed_as_the_matrix():
    X, y = [[0.0]] * 4, np.array([0, 0, 0, 1])
    errors = np.array([[0, 1], [2.5, 0]])  # 2.5 against 3; with one more of each class 5 against 4
    for smoothing, answer in ((None, 0), ("laplace", 1)):
        by_matrix = tw.CostTreeClassifier(costs=tw.Costs(errors=errors), smoothing=smoothing).fit(X, y)
        by_row = tw.CostTreeClassifier(smoothing=smoothing).fit(X, y, error_costs=errors[y])
        assert by_matrix.predict(X)[0] == by_row.predict(X)[0] == answer


def test_a_matrix_for_each_case_counts_by_the_true_class():
    X, y, _ = table(7, 3)
    matrices = np.random.default_rng(7).random((len(y), 3, 3))
    by_matrix = tw.CostTreeClassifier().fit(X, y, error_costs=matrices)
    by_answer = tw.CostTreeClassifier().fit(X, y, error_costs=matrices[np.arange(len(y)), y])
    assert by_matrix.tree_.core == by_answer.tree_.core


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_case_of_weight_two_is_two_cases(n_classes):
    X, y, costs = table(9, n_classes)
    weights = np.random.default_rng(9).integers(1, 3, len(y))
    rows = np.repeat(np.arange(len(y)), weights)
    growth = tw.Growth(max_depth=3)
    weighted = tw.CostTreeClassifier(growth=growth).fit(X, y, weights, costs).tree_.core
    repeated = tw.CostTreeClassifier(growth=growth).fit(X[rows], y[rows], error_costs=costs[rows]).tree_.core
    assert weighted.feature.tolist() == repeated.feature.tolist()
    assert np.allclose(weighted.values, repeated.values)


def test_threads_change_nothing():
    X, y, costs = table(11, 3, n_rows=20_000)
    trees = [tw.CostTreeClassifier(n_jobs=jobs).fit(X, y, error_costs=costs).tree_.core for jobs in (1, 3)]
    assert trees[0] == trees[1]


def test_missing_values_and_categories_go_their_way():
    rng = np.random.default_rng(13)
    colour = rng.choice(["red", "green", None], 60)
    number = np.where(rng.random(60) < 0.3, np.nan, rng.normal(size=60))
    X = np.array([colour, number], dtype=object).T
    y = rng.integers(0, 3, 60)
    costs = rng.random((60, 3))
    model = tw.CostTreeClassifier(growth=tw.Growth(max_depth=3)).fit(X, y, error_costs=costs)
    assert np.isclose(model.tree_.core.weight[0], 60)
    assert np.isclose(model.tree_.core.risk[0], costs.sum(axis=0).min())
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1)


def test_votes_of_a_case_stay_together_when_cases_are_kept_aside():
    X, y, costs = table(15, 4)
    problem = tw.CostTreeClassifier().prepare(X, y, None, error_costs=costs).problem
    case_of = problem.votes.case_of
    assert len(case_of) > len(np.unique(case_of))  # some vote several times
    fold = folds(problem, 5, 0)
    growing, kept = validation_part(problem, 0.3, 0)
    for case in np.unique(case_of):
        assert len(set(fold[case_of == case])) == 1
    assert not set(case_of[growing]) & set(case_of[kept])
    assert len(growing) + len(kept) == len(case_of)
    assert 0.25 < len(np.unique(case_of[kept])) / len(np.unique(case_of)) < 0.35


def test_csdt_stops_where_a_split_saves_too_little():
    X = np.arange(10.0)[:, None]
    y = np.array([0] * 5 + [1] * 5)
    costs = np.where(np.arange(2) == y[:, None], 0.0, 1000.0)
    costs[0] = [6.0, 0.0]
    # The first split leaves 6 of 4000 to be saved, so it saves 99.85 %; the second all of the 6.
    for least, leaves in ((0.001, 3), (0.9984, 3), (0.9986, 1)):
        model = tw.algorithm("csdt", min_gain=least, pruning=None).fit(X, y, error_costs=costs)
        assert model.get_n_leaves() == leaves
    assert tw.algorithm("csdt", min_gain=0.5).growth.min_relative_gain == 0.5


def test_leaf_cost_takes_a_matrix_as_well():
    X, y, _ = table(17, 3)
    errors = np.array([[0, 1, 7], [2, 0, 3], [9, 4, 0.0]])
    by_matrix = tw.CostTreeClassifier("leaf-cost", costs=tw.Costs(errors=errors)).fit(X, y)
    by_row = tw.CostTreeClassifier("leaf-cost").fit(X, y, error_costs=errors[y])
    assert np.array_equal(by_matrix.predict(X), by_row.predict(X))
    assert np.isclose(by_matrix.tree_.core.risk[0], by_row.tree_.core.risk[0])


def test_what_cannot_be_together_is_refused_in_words():
    X, y, costs = table(19, 2)
    with pytest.raises(ValueError, match="Only one of them can say what mistakes cost"):
        tw.CostTreeClassifier(costs=tw.Costs(errors_default=3)).fit(X, y, error_costs=costs)
    priced = tw.Costs({"x0": 1}, default_price=0)
    with pytest.raises(ValueError, match=r"cannot take error_costs by row\. Use criterion='min-total-cost'"):
        tw.CostTreeClassifier("cstree", costs=priced).fit(X, y, error_costs=costs)
    for refused, said in (
        ({"criterion": tw.MinTotalCost(allow_negative=True)}, "Set allow_negative=False"),
        ({"criterion": "min-total-cost", "pruning": tw.MDL()}, r"it is not pruned\. Set pruning=None"),
    ):
        with pytest.raises(ValueError, match=said):
            tw.CostTreeClassifier(costs=priced, **refused).fit(X, y, error_costs=costs)
    with pytest.raises(ValueError, match="CostForestClassifier with criterion='min-total-cost' draws cases"):
        tw.CostForestClassifier(criterion="min-total-cost", costs=priced).fit(X, y, error_costs=costs)
    with pytest.raises(ValueError, match="counts these costs itself"):
        tw.CostTreeClassifier("leaf-cost", loss_in_growth="altered_priors").fit(X, y)
    with pytest.raises(ValueError, match="Set answer='cheapest', or leave error_costs out"):
        tw.CostTreeClassifier(answer="most_likely").fit(X, y, error_costs=costs)
    with pytest.raises(ValueError, match="Set loss_in_growth=None, or leave error_costs out"):
        tw.CostTreeClassifier(loss_in_growth="altered_priors").fit(X, y, error_costs=costs)
    with pytest.raises(ValueError, match=r"where tests have prices\. Use pruning=ExpectedLoss\(\)"):
        tw.CostTreeClassifier(costs=priced, pruning=tw.ExpectedCost()).fit(X, y, error_costs=costs)
    free = tw.Costs(default_price=0)
    tw.CostTreeClassifier(costs=free, pruning=tw.ExpectedCost()).fit(X, y, error_costs=costs)
    with pytest.raises(ValueError, match="nothing to learn"):
        tw.CostTreeClassifier().fit(X, y, error_costs=np.ones((len(y), 2)))
    with pytest.raises(ValueError, match=r"Got shape \(80, 3\), but there are 2 classes"):
        tw.CostTreeClassifier().fit(X, y, error_costs=np.ones((80, 3)))


def test_prices_guide_growth_beside_costs_by_row():
    X, y, costs = table(21, 2)
    X = np.c_[X, X[:, 0]]
    priced = tw.Costs({"x0": 100, "x1": 1, "x2": 1, "x3": 1})
    model = tw.algorithm("eg2", costs=priced).fit(X, y, error_costs=costs)
    assert "x0" not in [node.test for node in model.tree_ if not node.is_leaf]


@pytest.mark.parametrize("routing", [False, True])
def test_costs_by_row_reach_the_tree_through_scikit_learn(routing):
    X, y, costs = table(23, 2)
    model = tw.CostTreeClassifier()
    with config_context(enable_metadata_routing=routing):
        found = cross_validate(model, X, y, params={"error_costs": costs}, cv=3, return_estimator=True)
        assert all(len(one.tree_.core.loss) for one in found["estimator"])
        search = GridSearchCV(model, {"growth__max_depth": [1, 2]}, cv=3).fit(X, y, error_costs=costs)
        assert len(search.best_estimator_.tree_.core.loss)
        pipe = make_pipeline(FunctionTransformer(), model)
        name = "error_costs" if routing else "costtreeclassifier__error_costs"
        assert len(pipe.fit(X, y, **{name: costs})[-1].tree_.core.loss)
