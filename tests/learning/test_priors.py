"""Error costs as weights of cases: C4.5CS and altered priors, by their worked numbers and random tables."""

import warnings

import numpy as np
import pytest

import thriftwood as tw
from thriftwood import _core
from thriftwood.learning.priors import altered_priors, instance_weights, mistake_costs

GOLF, NOMINAL = (tw.load_dataset(name) for name in ("golf", "golf-nominal"))


def dear(no):
    """A mistake about a day with "No" costs so much, one about "Yes" 1."""
    return tw.Costs(errors={"Yes": {"No": 1}, "No": {"Yes": no}})


def estimate(model, data):
    """C4.5's estimate of the errors of a fitted tree's grown form, by the weights it is pruned with."""
    prepared = model.prepare(data.X, data.y, None)
    problem = prepared.problem
    grown = _core.collapse(problem.grow())
    return _core.prune_pessimistic(grown, problem.table, problem.labels, problem.judging_weights)


def test_weights_of_the_worked_examples():
    totals = np.array([5.0, 9.0])  # No, Yes
    no, yes = instance_weights(dear(5).error_matrix(["No", "Yes"]), totals)
    assert (yes, no) == pytest.approx((0.411765, 2.058824), abs=5e-7)
    assert np.array([9 * yes, 5 * no]) / 14 == pytest.approx([0.264706, 0.735294], abs=5e-7)
    no, yes = instance_weights(dear(3).error_matrix(["No", "Yes"]), totals)
    assert (yes, no) == pytest.approx((0.583333, 1.75), abs=5e-7)
    assert np.array([9 * yes, 5 * no]) / 14 == pytest.approx([0.375, 0.625])
    # Printed with rows of predicted classes: C(j) is the sum of a column there, of a row here.
    printed = np.array([[0.0, 2, 5], [1, 0, 3], [4, 1, 0]])
    assert mistake_costs(printed.T).tolist() == [5, 3, 8]


def test_the_whole_weight_stays_and_the_scale_of_costs_does_not_matter():
    rng = np.random.default_rng(0)
    for _ in range(50):
        k = rng.integers(2, 6)
        loss, totals = rng.random((k, k)) * 10, rng.random(k) * 100
        np.fill_diagonal(loss, 0)
        for weigh in (instance_weights, altered_priors):
            factors = weigh(loss, totals)
            assert (factors * totals).sum() == pytest.approx(totals.sum())
            np.testing.assert_allclose(weigh(loss * 1e90, totals * 1e-40), factors)
        np.testing.assert_allclose(instance_weights(loss, totals), altered_priors(loss, totals))


def test_the_weighted_root_of_the_nominal_table():
    model = tw.CostTreeClassifier(
        "entropy",
        costs=dear(3),
        loss_in_growth="instance_weights",
        answer="most_likely",
        growth=tw.Growth(max_depth=1, nominal="multiway"),
    )
    core = model.fit(NOMINAL.X, NOMINAL.y).tree_.core
    assert core.impurity[0] == pytest.approx(0.954434, abs=5e-7)
    assert core.gain[0] == pytest.approx(0.296555, abs=5e-7)
    assert model.tree_[0].test == "Outlook"


def test_c45cs_on_the_golf_table():
    model = tw.algorithm("c45cs", costs=dear(3)).fit(GOLF.X, GOLF.y)
    tree = model.tree_
    leaves = {str(tree.condition(n)): (tree.answer(n), tree.counts(n)) for n in range(1, 4)}
    assert {name: answer for name, (answer, _) in leaves.items()} == {
        "Outlook = Sunny": "No",
        "Outlook = Overcast": "Yes",
        "Outlook = Rain": "No",
    }
    counts = [(leaf[1]["Yes"], leaf[1]["No"]) for leaf in leaves.values()]
    assert np.ravel(counts) == pytest.approx([1.166667, 5.25, 2.333333, 0, 1.75, 3.5], abs=5e-7)
    pruned, errors = estimate(model, GOLF)
    assert pruned == tree.core
    assert errors == pytest.approx(6.602459, abs=5e-7)
    model = tw.algorithm("c45cs", costs=dear(5)).fit(GOLF.X, GOLF.y)
    assert (model.get_n_leaves(), model.tree_.answer(0)) == (1, "No")
    assert estimate(model, GOLF)[1] == pytest.approx(5.470111, abs=5e-7)


def test_altered_priors_on_the_golf_table_are_pruned_to_a_leaf():
    model = tw.algorithm("c45-priors", costs=dear(3)).fit(GOLF.X, GOLF.y)
    tree = model.tree_
    assert (tree.n_leaves, tree.answer(0)) == (1, "Yes")
    assert tree.counts(0) == pytest.approx({"No": 5.0, "Yes": 9.0})
    # A leaf, U(14, 5), against three leaves of 5, 4 and 5 days.
    upper = [n and e + _core.extra_errors(n, e) for n, e in ((14, 5), (5, 2), (4, 0), (5, 2))]
    assert estimate(model, GOLF)[1] == pytest.approx(upper[0]) == pytest.approx(6.794993, abs=5e-7)
    assert sum(upper[1:]) == pytest.approx(7.65, abs=5e-3)


def table(seed, n=150):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5)).round(1)
    X[rng.random(X.shape) < 0.05] = np.nan
    y = (np.nan_to_num(X[:, 0]) + np.nan_to_num(X[:, 1]) ** 2 + rng.normal(size=n) > 1).astype(int)
    return X, y


def test_both_grow_the_same_tree_and_prune_differently():
    tests = ("kind", "feature", "threshold", "first_child", "missing_route")
    different = 0
    for seed in range(12):
        X, y = table(seed)
        costs = tw.Costs(errors=[[0, 1], [2 + seed % 9, 0]])
        grown, pruned = [], []
        for name in ("c45cs", "c45-priors"):
            grown.append(tw.algorithm(name, costs=costs, pruning=None).fit(X, y).tree_.core)
            pruned.append(tw.algorithm(name, costs=costs).fit(X, y).tree_.core)
        for field in tests:
            np.testing.assert_array_equal(getattr(grown[0], field), getattr(grown[1], field))
        different += pruned[0].n_nodes != pruned[1].n_nodes
    assert different > 6


def test_pruning_under_altered_priors_is_that_of_the_cases_as_they_are():
    # C4.5's pruning of a given tree does not look at the weights it was grown with.
    for seed in range(6):
        X, y = table(seed)
        model = tw.algorithm("c45-priors", costs=tw.Costs(errors=[[0, 1], [6, 0]])).fit(X, y)
        problem = model.prepare(X, y, None).problem
        plain, _ = _core.prune_pessimistic(_core.collapse(problem.grow()), problem.table, problem.labels)
        for field in ("kind", "feature", "threshold", "label"):
            np.testing.assert_array_equal(getattr(model.tree_.core, field), getattr(plain, field))
        np.testing.assert_allclose(model.tree_.core.values, plain.values, atol=1e-9)


def test_c45cs_is_c45_on_cases_of_these_weights():
    X, y = table(3)
    costs = tw.Costs(errors=[[0, 1], [4, 0]])
    weights = instance_weights(costs.error_matrix([0, 1]), np.bincount(y).astype(float))[y]
    assert (
        tw.algorithm("c45cs", costs=costs).fit(X, y).tree_.core
        == tw.algorithm("c45").fit(X, y, sample_weight=weights).tree_.core
    )


@pytest.mark.parametrize("name", ["c45cs", "c45-priors"])
def test_without_error_costs_both_are_c45(name):
    X, y = table(1)
    plain = tw.algorithm("c45").fit(X, y).tree_.core
    assert tw.algorithm(name).fit(X, y).tree_.core == plain
    alike = tw.algorithm(name, costs=tw.Costs(errors_default=7)).fit(X, y).tree_.core
    for field in ("kind", "feature", "threshold", "label"):
        np.testing.assert_array_equal(getattr(alike, field), getattr(plain, field))


def test_mistakes_that_cost_nothing_leave_their_class_out_with_a_warning():
    X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], list("aabbcc")
    costs = tw.Costs(errors={"a": {"b": 1, "c": 1}, "b": {"a": 0, "c": 0}, "c": {"a": 2, "b": 2}})
    with pytest.warns(tw.CostWarning) as caught:
        model = tw.CostTreeClassifier(
            costs=costs, loss_in_growth="instance_weights", answer="most_likely"
        ).fit(X, y)
    said = " ".join(str(warning.message) for warning in caught)
    assert "Mistakes about the classes ['b'] cost nothing, so their cases weigh nothing" in said
    assert model.tree_.core.weight[0] == pytest.approx(6.0)
    assert model.predict_proba(X)[:, 1].tolist() == [0.0] * 6


def test_what_weights_cannot_say_is_warned_of():
    X, y = table(0)
    twice = tw.CostTreeClassifier(costs=tw.Costs(errors=[[0, 1], [5, 0]]), loss_in_growth="instance_weights")
    with pytest.warns(tw.CostWarning, match="counts error costs twice"):
        twice.fit(X, y)
    y = (np.arange(150) % 3).astype(int)
    three = tw.algorithm("c45cs", costs=tw.Costs(errors=[[0, 1, 2], [1, 0, 1], [1, 1, 0]]))
    with pytest.warns(tw.CostWarning, match="it is lost which mistake costs how much"):
        three.fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        three.set_params(costs=tw.Costs(errors=[[0, 2, 2], [1, 0, 1], [7, 7, 0]])).fit(X, y)


def test_the_two_ways_of_counting_mistakes_do_not_go_together():
    model = tw.CostTreeClassifier("gini-loss", costs=dear(3), loss_in_growth="instance_weights")
    with (
        pytest.warns(tw.CostWarning),
        pytest.raises(ValueError, match=r"'gini-loss' counts these costs itself. Set loss_in_growth=None"),
    ):
        model.fit(NOMINAL.X, NOMINAL.y)
