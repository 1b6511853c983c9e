"""The watchdog: exact bills, expected mistakes, few false alarms, and the right column named."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom
from sklearn.tree import DecisionTreeClassifier

import thriftwood as tw
from thriftwood.evaluation.watched_branches import came_to
from thriftwood.evaluation.watching import watch
from thriftwood.models.tree.walk import endings

COSTS = tw.Costs({"u": 1, "v": 2, "c": 3, "d": 4}, errors={"sick": {"well": 60}, "well": {"sick": 20}})


def drawn(n, seed, *, missing=0.1):
    """Cases with numbers, a column of categories and missing values."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"u": rng.normal(size=n), "v": rng.normal(size=n)})
    X["c"] = rng.choice(list("abcde"), n, p=[0.4, 0.3, 0.15, 0.1, 0.05])
    X["d"] = rng.integers(0, 8, n)
    sick = X["u"] + (X["c"] == "b") + 1.5 * X["v"] * (X["c"] == "a") + rng.normal(size=n) > 0.7
    for name in ("u", "c"):
        X.loc[rng.random(n) < missing, name] = None
    return X, np.where(sick, "sick", "well")


@pytest.fixture(scope="module")
def tree():
    X, y = drawn(600, 0)
    return tw.algorithm("c45", costs=COSTS).fit(X, y)


@pytest.mark.parametrize("rate", [0.01, 0.1])
def test_resampled_training_cases_raise_no_more_alarms_than_stated(tree, rate):
    X, _ = drawn(600, 0)
    rng = np.random.default_rng(1)
    alarms = sum(tw.watchdog(tree, X.iloc[rng.integers(0, 600, 300)], rate=rate).alarm for _ in range(200))
    assert alarms <= binom.ppf(0.999, 200, rate)


def test_fresh_cases_of_the_same_kind_raise_no_more_alarms_than_stated():
    alarms = compared = 0
    for seed in range(60):
        X, y = drawn(250, 2 * seed)
        model = tw.algorithm("id3", costs=COSTS, missing="branch").fit(X, y)
        new, _ = drawn(150, 2 * seed + 1)
        alarms += tw.watchdog(model, new, rate=0.1).alarm
        compared += tw.watchdog(model, new, rate=0.1, reference=X).alarm
    assert max(alarms, compared) <= binom.ppf(0.999, 60, 0.1)
    assert compared > 0  # a rate of 10 % that never alarms would see nothing


MOVES = {
    "u": lambda column: column + 1.0,
    "v": lambda column: column * 3.0,
    "c": lambda column: column.where(column != "a", "b"),
}


@pytest.mark.parametrize("name", MOVES)
def test_the_column_that_moved_is_named(tree, name):
    assert name in tree.tree_.features_used
    X, _ = drawn(600, 0)
    new, _ = drawn(400, 1)
    assert tw.watchdog(tree, new).moved == ()
    moved = new.assign(**{name: MOVES[name](new[name])})
    for reference in (None, X):
        found = tw.watchdog(tree, moved, reference=reference)
        assert found.alarm
        assert found.moved[0] == name
        assert name in found.sentence
        assert name in found.changes


def test_a_column_below_the_one_that_moved_only_follows():
    # Where u is large, v is asked; v goes with u, so that more cases with a large u have a small v.
    rng = np.random.default_rng(0)

    def cases(n, shift):
        u = rng.normal(size=n)
        v = u + rng.normal(size=n) / 2
        sick = (u > 0) & (v > 0.8)
        return np.column_stack([u + shift, v]), np.where(sick, "sick", "well")

    X, y = cases(2000, 0.0)
    model = tw.CostTreeClassifier(growth=tw.Growth(max_depth=2)).fit(X, y)
    assert model.tree_.features_used == ("x1", "x0") or model.tree_.features_used == ("x0", "x1")
    found = tw.watchdog(model, cases(1500, 1.5)[0])
    assert found.moved == ("x0",)


def test_tests_are_billed_exactly_and_mistakes_as_the_leaves_expect():
    X, y = [[1]] * 10 + [[2]] * 10, ["sick"] * 1 + ["well"] * 9 + ["sick"] * 8 + ["well"] * 2
    costs = tw.Costs({"x0": 3}, errors={"sick": {"well": 60}, "well": {"sick": 20}})
    model = tw.CostTreeClassifier(costs=costs).fit(X, y)
    found = tw.watchdog(model, [[1], [1], [1], [2]])
    assert found.mean_test_cost == 3.0
    # Two cases of the whole table, 9 of 20 of which are sick, are added to each leaf.
    left, right = (1 + 2 * 9 / 20) / 12, (2 + 2 * 11 / 20) / 12
    assert found.mean_error_cost == pytest.approx((3 * min(left * 60, (1 - left) * 20) + right * 20) / 4)
    assert found.usual_test_cost == 3.0
    assert found.usual_error_cost == pytest.approx((left * 60 + right * 20) / 2)
    assert found.mean_cost == 3.0 + found.mean_error_cost
    assert found.leaves["share"].tolist() == [0.75, 0.25]
    assert found.leaves["usual"].tolist() == [0.5, 0.5]
    free = tw.watchdog(model.tree_.with_costs(None), [[1], [2]])
    assert (free.mean_test_cost, free.mean_error_cost < 1) == (0.0, True)


def test_on_the_training_cases_it_expects_what_it_says_of_training(tree):
    X, y = drawn(600, 0, missing=0.0)
    model = tw.algorithm("c45", costs=COSTS).fit(X, y)
    found = tw.watchdog(model, X)
    assert found.usual_test_cost == pytest.approx(found.mean_test_cost)
    assert found.usual_error_cost == pytest.approx(found.mean_error_cost)
    assert found.mean_test_cost == pytest.approx(tw.bill(model, X).mean_test_cost)
    assert [check.p_value for check in found.checks] == [1.0] * len(found.checks)


def test_a_category_that_was_never_there_raises_an_alarm(tree):
    X, _ = drawn(400, 1)
    found = tw.watchdog(tree, X.assign(c=X["c"].replace("e", "E")))
    assert ("c", "categories") in [(check.column, check.what) for check in found.checks if check.alarms]
    assert "'E' in" in found.changes
    assert not tw.watchdog(tree, X.assign(c=[*X["c"][:-1], "E"])).alarm  # a single one is no news


def test_missing_values_are_news_to_a_reference_and_a_remark_without():
    X, y = drawn(600, 0)
    model = tw.algorithm("c45", costs=COSTS).fit(X, y)
    new, _ = drawn(300, 1)
    gone = new.assign(u=np.nan)
    assert tw.watchdog(model, gone, reference=X).moved[0] == "u"
    assert "u missing: 100.0 %" in tw.watchdog(model, gone, reference=X).changes
    (remark,) = tw.watchdog(model, gone).remarks
    assert "u (100 %)" in remark
    assert tw.watchdog(model, gone).missing["u"] == 1.0


@pytest.mark.parametrize("name", ["bagging", "gradient-boosting", "everything"])
def test_other_models_are_compared_with_a_reference(name):
    X, y = drawn(300, 0)
    model = tw.algorithm(name, costs=COSTS).fit(X, y)
    with pytest.raises(ValueError, match=r"does not say .* Pass reference=X_training"):
        tw.watchdog(model, X)
    assert not tw.watchdog(model, drawn(200, 1)[0], reference=X).alarm
    moved = X.assign(u=X["u"] + 1)
    found = tw.watchdog(model, moved, reference=X)
    assert "u" in found.moved
    assert found.mean_test_cost == pytest.approx(tw.bill(model, moved).mean_test_cost)
    if name == "bagging":
        assert found.mean_error_cost is None
        assert "votes" in found.why_no_errors
        assert "no errors: votes" in str(found)
    else:
        shares, answers = model.predict_proba(moved), model.predict(moved)
        loss = COSTS.error_matrix(model.classes_)
        expected = (shares @ loss)[np.arange(300), np.searchsorted(model.classes_, answers)]
        assert found.mean_error_cost == pytest.approx(expected.mean())


def test_score_cards_are_compared_with_a_reference():
    data = tw.load_dataset("wisconsin-diagnostic")
    rows = np.random.default_rng(0).permutation(len(data.y))[:300]
    X, y = data.X.iloc[rows], data.y[rows]
    model = tw.ThriftClassifier(data.costs, leaves="score").fit(X, y)
    new = data.X.drop(index=X.index)
    assert not tw.watchdog(model, new, reference=X).alarm
    name = model.model_.features_used[0]
    assert name in tw.watchdog(model, new.assign(**{name: 2 * new[name]}), reference=X).moved
    with pytest.raises(ValueError, match="a cascade of"):
        tw.watchdog(model, new)


def test_weighted_trees_numbers_and_other_libraries():
    X, y = drawn(200, 0, missing=0.0)
    weights = np.random.default_rng(0).uniform(0.5, 2, 200)
    numbers = X[["u", "v"]]
    weighted = tw.CostTreeClassifier(costs=tw.Costs({"u": 1})).fit(numbers, y, sample_weight=weights)
    with pytest.raises(ValueError, match="weighted cases"):
        tw.watchdog(weighted, numbers)
    found = tw.watchdog(weighted, numbers, reference=numbers)
    assert (found.alarm, found.mean_error_cost) == (False, None)
    regression = tw.CostTreeRegressor().fit(numbers, numbers["u"])
    with pytest.raises(ValueError, match="a regression tree"):
        tw.watchdog(regression, numbers)
    found = tw.watchdog(regression, numbers, reference=numbers)
    assert found.why_no_errors == "the model answers with numbers"
    with pytest.raises(TypeError, match="models of thriftwood"):
        tw.watchdog(DecisionTreeClassifier().fit(numbers, y), numbers)
    for rate in (0.0, 1.0):
        with pytest.raises(ValueError, match="between 0 and 1"):
            tw.watchdog(weighted, numbers, rate=rate)


def test_parts_are_the_whole_and_no_parts_nothing(tree):
    X, _ = drawn(300, 3)
    whole = tw.watchdog(tree, X)
    parts = watch(tree.model_, [X[:100], X[100:101], X[101:]])
    assert parts.checks == whole.checks
    assert parts.mean_cost == pytest.approx(whole.mean_cost)
    reference, _ = drawn(600, 0)
    whole = tw.watchdog(tree, X, reference=reference)
    parts = watch(tree.model_, [X[:100], X[100:]], reference=[reference[:10], reference[10:]])
    assert parts.checks == whole.checks
    with pytest.raises(ValueError, match="no new cases"):
        watch(tree.model_, [])
    with pytest.raises(ValueError, match="reference has no cases"):
        watch(tree.model_, [X], reference=[])


@pytest.mark.parametrize("missing", ["fractional", "surrogate", "branch", "stay", "majority"])
def test_cases_come_to_nodes_as_they_are_walked(missing):
    X, y = drawn(200, 0, missing=0.3)
    growth = tw.Growth(missing=missing)
    tree = tw.CostTreeClassifier(costs=COSTS, growth=growth).fit(X, y).tree_
    new, _ = drawn(100, 1, missing=0.3)
    new.loc[:5, "c"] = "new"
    encoded = tree.encode(new)
    by_hand = np.zeros(tree.n_nodes)
    for row in range(100):
        known = {feature: float(encoded.columns[feature][row]) for feature in range(4)}
        for end in endings(tree, known):
            for node in tree.path(end.node):
                by_hand[node] += end.share
    assert came_to(tree, encoded) == pytest.approx(by_hand)


def test_a_leaf_alone_has_nothing_to_compare():
    X, y = drawn(50, 0)
    found = tw.watchdog(tw.algorithm("nobody", costs=COSTS).fit(X, y), X)
    assert (found.alarm, found.checks, found.mean_test_cost) == (False, (), 0.0)
    assert "Against" not in str(found)


def test_answers_that_are_no_class_are_charged_as_the_costs_say():
    X, y = [[k] for k in range(40)], ["sick" if k % 3 == 0 else "well" for k in range(40)]
    costs = tw.Costs(errors={"sick": {"well": 60}, "well": {"sick": 20}}, answers={"refer": 2})
    model = tw.CostTreeClassifier(costs=costs, growth=tw.Growth(min_branch_weight=10)).fit(X, y)
    assert tw.watchdog(model, X).mean_error_cost == pytest.approx(2.0)
    other = tw.watchdog(model, X, costs.replace(answers={}))
    assert (other.mean_error_cost, "'refer'" in other.why_no_errors) == (None, True)


cells = st.one_of(st.none(), st.sampled_from(["a", "b", "new", ""]))
numbers = st.one_of(st.just(np.nan), st.floats(-1e300, 1e300), st.just(0.0))


@settings(max_examples=25)
@given(st.lists(st.tuples(numbers, numbers, cells, st.integers(-5, 10**6)), min_size=1, max_size=30))
def test_any_cases_are_looked_at(tree, rows):
    X = pd.DataFrame([*rows, (0.0, 0.0, "a", 0)], columns=["u", "v", "c", "d"]).astype({"c": object})
    found = tw.watchdog(tree, X, rate=0.05)
    assert found.n_cases == len(X)
    assert found.leaves["share"].sum() == pytest.approx(1.0)
    assert all(0.0 < check.p_value <= 1.0 for check in found.checks)
    assert found.alarm == any(check.p_value <= 0.05 for check in found.checks)
    assert found.mean_test_cost == pytest.approx(tw.bill(tree, X).mean_test_cost)
    reference, _ = drawn(100, 0)
    compared = tw.watchdog(tree, X, rate=0.05, reference=reference)
    assert compared.alarm == any(check.p_value <= 0.05 for check in compared.checks)
    assert str(compared)
    assert str(found)


def test_one_case_or_a_tree_without_a_test_proves_nothing():
    data = tw.load_dataset("wisconsin-diagnostic")
    model = tw.algorithm("eg2", costs=data.costs).fit(data.X, data.y)
    said = tw.watchdog(model, data.X[:1]).sentence
    assert said.startswith("No alarm: 1 new case differs no more from the 569 of training")
    assert said.endswith("than by chance. So few show only what is glaring.")
    leaf = tw.NobodyClassifier(data.costs).fit(data.X, data.y)
    assert "nothing to check: the model asks for no test" in tw.watchdog(leaf, data.X).sentence


def test_free_missing_values_leave_the_usual_price_of_tests_unknown():
    data = tw.load_dataset("wisconsin-diagnostic")
    costs = data.costs.replace(charge_missing=False)
    model = tw.algorithm("eg2", costs=costs).fit(data.X, data.y)
    found = tw.watchdog(model, data.X)
    assert (found.usual_test_cost, found.usual_cost) == (None, None)
    assert found.usual_error_cost == pytest.approx(found.mean_error_cost)
