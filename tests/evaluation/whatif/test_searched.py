"""Trees of the least cost: flips are exact, and nothing is missed between them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thriftwood as tw

NEAR = 1e-7
LEARNERS = [None, tw.OptimalTreeClassifier(max_depth=2, leaf_fee=3)]  # here: rooms are loaded on first use


@st.composite
def problems(draw):
    seed = draw(st.integers(0, 10_000))
    rng = np.random.default_rng(seed)
    n_rows, n_columns = draw(st.integers(12, 60)), draw(st.integers(2, 4))
    X = rng.integers(0, 4, size=(n_rows, n_columns)).astype(float)
    if draw(st.booleans()):
        X[rng.random(X.shape) < 0.15] = np.nan
    noise = rng.normal(size=n_rows)
    y = np.where(np.nan_to_num(X[:, 0]) + np.nan_to_num(X[:, 1]) + noise > 3, "sick", "well")
    y[:2] = "sick", "well"
    tests = {
        f"x{place}": tw.Test(
            float(rng.integers(0, 8)), needs=["draw"] * (place % 2), delayed=draw(st.booleans())
        )
        for place in range(n_columns)
    }
    errors = {"sick": {"well": 40}, "well": {"sick": 15}}
    costs = tw.Costs(tests, {"draw": 2}, errors, charge_missing=draw(st.booleans()))
    vary = draw(
        st.sampled_from(
            [
                {"price": {"x0": (0, 25)}},
                {"shared": {"draw": (0, 25)}},
                {"error": {("sick", "well"): (1, 300)}},
            ]
        )
    )
    learner = draw(st.sampled_from(LEARNERS))
    weights = draw(st.sampled_from([None, rng.integers(1, 4, n_rows)]))
    return X, y, costs, vary, learner, weights


@settings(max_examples=25, deadline=None)
@given(problems())
def test_flips_are_exact_and_between_them_no_tree_is_cheaper(problem):
    X, y, costs, vary, learner, weights = problem
    found = tw.what_if(X, y, costs, **vary, learner=learner, folds=2, sample_weight=weights)
    assert found.exact
    width = found.varied.high - found.varied.low
    for number, step in enumerate(found.steps):
        for value in (step.low + NEAR * width, (step.low + step.high) / 2, step.high - NEAR * width):
            fitted = found.learner_at(value).fit(X, y, sample_weight=weights)
            own = found.trees.billed(fitted.tree_, found.varied, found.trees.weights)
            # The fit has the cost of the step's tree, and where several have it the same line all the way.
            assert found.trees.cost(found.path.legs[number].fit, value) == pytest.approx(
                fitted.cost_, abs=1e-9
            )
            if step.high - step.low > 1e-5 * width:
                assert found.trees.same(own, found.path.legs[number].fit)
    for before, after in zip(found.steps, found.steps[1:], strict=False):
        assert before.share > after.share  # the dearer, the fewer pay


def test_a_worked_example():
    # 12 sick and 12 well. x0 tells 8 of the sick for certain, and x1 the other 4 where x0 is 0.
    X = [[1, 0]] * 8 + [[0, 1]] * 4 + [[0, 0]] * 12
    y = ["sick"] * 12 + ["well"] * 12
    costs = tw.Costs({"x0": 1, "x1": 1}, errors_default=12)
    found = tw.what_if(
        X, y, costs, price={"x1": (0, 10)}, learner=tw.OptimalTreeClassifier(max_depth=2), folds=2
    )
    # Asked after x0, x1 is bought by 16 of 24 and saves 4 mistakes of 12: worth it up to 4 * 12 / 16 = 3.
    # Asked first it is bought by all, and 20 of 24 buy x0 then: 20/24 instead of 1 + 16/24 * x1, never less
    # than asking x0 first unless x1 costs less than 0.5: 20/24 + x1 < 1 + 16/24 * x1.
    assert [flip.at for flip in found.flips] == pytest.approx([0.5, 3.0])
    assert [step.share for step in found] == pytest.approx([1, 16 / 24, 0])
    assert [step.tests for step in found] == [("x1", "x0"), ("x0", "x1"), ("x0",)]
    assert found.break_even == pytest.approx(3.0)


def test_where_the_fee_bends_no_flip_is_missed():
    # The answer for all, and with it what a leaf costs, changes where well and sick cost the same: at 30.
    rng = np.random.default_rng(1)
    X = rng.normal(size=(90, 3))
    y = np.where(X[:, 0] + rng.normal(size=90) > 0.4, "sick", "well")
    costs = tw.Costs({"x0": 1, "x1": 1, "x2": 2}, errors={"sick": {"well": 9}, "well": {"sick": 15}})
    found = tw.what_if(X, y, costs, error={("sick", "well"): (1, 400)}, folds=2)
    for value in np.linspace(1, 400, 57):
        cost = found.trees.cost(found.path.at(value), value)
        assert cost == pytest.approx(found.learner_at(value).fit(X, y).cost_, abs=1e-9)


def test_what_makes_flips_inexact_is_searched_by_halves():
    X, y = [[0], [1]] * 8, ["a", "b"] * 8
    costs = tw.Costs({"x0": 1}, errors_default=10)
    for setting in ({"budget": 7}, {"smoothing": "laplace"}, {"rollouts": 4}):
        learner = tw.OptimalTreeClassifier(max_depth=1, **setting)
        found = tw.what_if(X, y, costs, price={"x0": (0, 20)}, learner=learner, folds=2)
        assert not found.exact
        (flip,) = found.flips
        assert flip.settled
        for value, leaves in ((flip.low, 2), (flip.high, 1)):
            assert (
                learner.set_params(costs=tw.Costs({"x0": value}, errors_default=10)).fit(X, y).tree_.n_leaves
                == leaves
            )
    kept = tw.what_if(X, y, costs, price={"x0": (0, 20)}, learner=tw.OptimalTreeClassifier(budget=7), folds=2)
    assert [flip.at for flip in kept.flips] == pytest.approx([5.0])  # 8 of 16 mistakes of 10


def test_cases_of_one_class_have_no_question():
    with pytest.raises(ValueError, match="All cases are of one class"):
        tw.what_if([[0], [1]], ["a", "a"], tw.Costs({"x0": 1}, errors_default=1), price={"x0": (0, 1)})
