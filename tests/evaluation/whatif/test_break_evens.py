"""`tw.break_even`: bought up to that price and not beyond, and what the bill is without the test."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

import thriftwood as tw
from thriftwood.evaluation.intervals import UNSEEN_DIFFERENCE, Spread, fold_interval
from thriftwood.learning.thrift_judging import parts

NEAR = 1e-7


def wards(seed, n_rows=60, delayed=False, charge_missing=True):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, size=(n_rows, 3)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = np.where(
        np.nan_to_num(X[:, 0]) + np.nan_to_num(X[:, 1]) + rng.normal(size=n_rows) > 3, "sick", "well"
    )
    y[:2] = "sick", "well"
    tests = {
        "x0": tw.Test(float(rng.integers(0, 9)), needs=["draw"], delayed=delayed),
        "x1": tw.Test(float(rng.integers(0, 9)), needs=["draw"]),
        "x2": 1.0,
    }
    errors = {"sick": {"well": 40}, "well": {"sick": 15}}
    return X, y, tw.Costs(tests, {"draw": 2}, errors, charge_missing=charge_missing)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 5000), st.booleans(), st.booleans())
def test_bought_up_to_that_price_and_not_beyond(seed, delayed, charge_missing):
    X, y, costs = wards(seed, delayed=delayed, charge_missing=charge_missing)
    learner = tw.OptimalTreeClassifier(max_depth=2, leaf_fee=5)
    found = tw.break_even(X, y, costs, learner=learner, folds=2)
    assert {worth.name for worth in found} == {"x0", "x1", "x2", "draw"}
    for worth in found:
        needed = {"x0", "x1"} if worth.name == "draw" else {worth.name}

        def fitted(price, worth=worth):
            if worth.kind == "shared":
                own = costs.replace(shared={"draw": price})
            else:
                test = costs.tests[worth.name]
                own = costs.replace(
                    tests={**costs.tests, worth.name: tw.Test(price, test.needs, test.delayed)}
                )
            return learner.set_params(costs=own).fit(X, y)

        if math.isfinite(worth.break_even):
            assert not needed & set(fitted(worth.break_even * (1 + NEAR) + NEAR).tree_.features_used)
        if math.isfinite(worth.break_even) and worth.break_even > NEAR:
            below = fitted(worth.break_even * (1 - NEAR))
            blank = X.copy()
            blank[:, [int(name[1:]) for name in needed]] = 0.0
            assert needed & set(below.tree_.features_used)
            assert below.cost_ < learner.fit(blank, y).cost_ + 1e-12


def test_a_test_that_tells_what_another_does_is_worth_what_that_costs():
    X = np.array([[0, 0]] * 6 + [[1, 1]] * 4)
    y = ["well"] * 6 + ["sick"] * 4
    costs = tw.Costs({"x0": 1, "x1": 1.5}, errors_default=10)
    found = tw.break_even(X, y, costs, learner=tw.OptimalTreeClassifier(max_depth=1), folds=2)
    assert (found["x0"].break_even, found["x0"].share, found["x0"].saves) == (1.5, 1.0, 0.5)
    assert (found["x1"].break_even, found["x1"].share, found["x1"].saves) == (1.0, 0.0, 0.0)
    assert found.cost == 1.0
    assert found["x0"].cost_without == 1.5
    assert found.untested_cost == 4.0


def test_without_a_test_is_a_table_without_its_column():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(80, 3)).round(1)
    y = np.where(X[:, 0] + X[:, 1] + rng.normal(size=80) > 0, "sick", "well")
    costs = tw.Costs({"x0": 1, "x1": 1, "x2": 1}, errors_default=30)
    for learner in (tw.OptimalTreeClassifier(max_depth=2, bins=8), "min-total-cost"):
        found = tw.break_even(X, y, costs, learner=learner, folds=4)
        rest = tw.Costs({"x0": 1, "x1": 1}, errors_default=30)
        without = tw.break_even(X[:, [1, 2]], y, rest, learner=learner, folds=4)
        assert found["x0"].cost_without == pytest.approx(without.cost)
        assert found["x0"].saves == pytest.approx(found["x0"].cost_without - found.cost)


def test_other_learners_by_looking():
    X, y = [[0]] * 6 + [[1]] * 4, ["well"] * 6 + ["sick"] * 4
    costs = tw.Costs({"x0": 1}, errors_default=10)
    found = tw.break_even(X, y, costs, learner="min-total-cost", folds=2)
    assert found["x0"].break_even == pytest.approx(4.0)
    blind = tw.break_even(X, y, costs, learner="c45", folds=2)
    assert blind["x0"].break_even == math.inf
    assert " any " in str(blind)


def test_tests_are_chosen_and_named():
    X, y, costs = wards(1)
    found = tw.break_even(X, y, costs, tests=["draw", 0], folds=2)
    assert {worth.name for worth in found} == {"draw", "x0"}
    assert len(tw.break_even(X, y, costs, tests="x2", folds=2)) == len(found.table) - 1
    with pytest.raises(KeyError, match="x9"):
        found["x9"]
    for wrong, said in (
        ["x7", "no price of 'x7'"],
        [["drow"], "Did you mean 'draw'"],
        [[], "nothing to look at"],
    ):
        with pytest.raises(ValueError, match=said):
            tw.break_even(X, y, costs, tests=wrong, folds=2)
    with pytest.raises(ValueError, match="no price of any test of this table"):
        tw.break_even(X, y, tw.Costs(errors_default=1), folds=2)
    with pytest.raises(ValueError, match="there are none"):
        tw.break_even(X, y, None, folds=2)


def test_a_group_s_lower_price_is_the_least_that_is_looked_at():
    X = np.array([[0, 0]] * 6 + [[1, 1]] * 4)
    tests = {"x0": tw.Test(9, group="g", after=5), "x1": tw.Test(9, group="g", after=5)}
    costs = tw.Costs(tests, errors_default=10)
    found = tw.break_even(
        X, ["a"] * 6 + ["b"] * 4, costs, learner=tw.OptimalTreeClassifier(max_depth=1), folds=2
    )
    assert found["x0"].break_even == 0.0  # worth 4, and it costs 5 at least


def test_sparse_tables_and_text():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(60, 3)).astype(float)
    y = np.where(X[:, 0] > 0, "sick", "well")
    costs = tw.Costs({"x0": 1, "x1": 1}, errors_default=20)
    dense, sparse = (tw.break_even(table, y, costs, folds=3) for table in (X, csr_matrix(X)))
    assert str(dense) == str(sparse)
    words = [["yes" if cell else "no" for cell in row] for row in X]
    assert str(tw.break_even(words, y, costs, folds=3)) == str(dense)


def test_what_is_not_proven_is_not_said_to_be_nearly_as_good():
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = np.where(X[:, 0] + X[:, 1] > 0, "sick", "well")
    found = tw.break_even(X, y, tw.Costs({"x0": 1, "x1": 1}, errors_default=10), folds=2)
    doubtful = replace(found, worths=tuple(replace(worth, low=-1.0) for worth in found))
    assert "No single test is proven to save anything: no interval" in doubtful.sentence
    first, second = found.worths
    second_alone = replace(found, worths=(replace(first, low=-1.0), replace(second, low=0.1)))
    assert f"{second.name} is proven to save: without it" in second_alone.sentence


def test_sentences_say_what_is_worth_its_price():
    X, y = [[0, 0]] * 30 + [[1, 0]] * 20, ["well"] * 30 + ["sick"] * 20
    costs = tw.Costs({"x0": 1, "x1": 1}, errors_default=10, currency="EUR", case_name="patient")
    ask = {"learner": tw.OptimalTreeClassifier(max_depth=1), "folds": 2}
    found = tw.break_even(X, y, costs, **ask)
    assert found.sentence == (
        "An unseen patient costs 1 EUR at today's prices; testing nobody costs 4 EUR. x0 saves most: without "
        "it a patient costs 3 EUR more. It costs 1 EUR now and is bought up to 4 EUR. x1 is not bought at "
        "today's prices."
    )
    dear = tw.break_even(X, y, costs.replace(tests={"x0": 6, "x1": 6}), **ask)
    assert dear.sentence.endswith(
        "No test is worth its price today. x0 comes nearest: it costs 6 EUR and is bought up to 4 EUR."
    )
    assert "No test is worth its price today." in dear._repr_html_()
    assert repr(dear).startswith("<BreakEvens: 2 prices, ")


def test_ctrl_c_keeps_the_tests_that_were_done():
    X, y, costs = wards(2)

    def press(done, total):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.warns(UserWarning, match="kept are the 2 of 4 prices"):
        found = tw.break_even(X, y, costs, folds=2, progress=press)
    assert found.interrupted
    assert len(found) == 2
    assert "Ctrl-C was pressed before all was found." in found.sentence
    with pytest.raises(KeyboardInterrupt):
        tw.break_even(X, y, costs, folds=2, progress=lambda *told: (_ for _ in ()).throw(KeyboardInterrupt))


def test_intervals_are_those_of_folds_and_of_a_quarter_held_out():
    rng = np.random.default_rng(0)
    for n_rows, n_folds in ((200, 4), (3200, 1)):
        X = rng.normal(size=(n_rows, 2)).round(1)
        y = np.where(X[:, 0] + 0.5 * rng.normal(size=n_rows) > 0, "sick", "well")
        costs = tw.Costs({"x0": 1, "x1": 1}, errors_default=20)
        learner = tw.OptimalTreeClassifier(max_depth=1, bins=8)
        found = tw.break_even(X, y, costs, learner=learner, folds=4)
        assert found.n_folds == n_folds
        bills, without = np.zeros(n_rows), np.zeros(n_rows)
        held = parts((y == "well").astype(np.int32), 4, 0)
        for part in held:
            rest = np.setdiff1d(np.arange(n_rows), part)
            for columns, own in (([0, 1], bills), ([1], without)):
                prices = tw.Costs({f"x{place}": 1 for place in range(len(columns))}, errors_default=20)
                model = learner.set_params(costs=prices).fit(X[rest][:, columns], y[rest])
                own[part] = tw.bill(model, X[part][:, columns], y[part]).cost
        order = np.concatenate(held)
        saved = (without - bills)[order]
        if n_folds == 4:
            fold = np.repeat(np.arange(4), [len(part) for part in held])
            ends = fold_interval(saved, fold)
        else:
            ends = Spread.of(saved, least=-22, most=22, unseen=UNSEEN_DIFFERENCE).interval
        assert (found["x0"].low, found["x0"].high) == pytest.approx(tuple(ends))
        assert found["x0"].saves == pytest.approx(saved.mean())
        assert 0 < found.low < found.cost < found.high
        assert (found["x1"].low, found["x1"].high) == (0, 0)  # nobody asks for it, with it or without


def test_bought_by_counts_those_who_pay_less_after_another_of_the_group():
    """Everybody buys both tests of the group, the second for 0: its own price is paid by nobody."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(80, 2)).astype(float)
    y = np.where(X[:, 0] != X[:, 1], "sick", "well")
    costs = tw.Costs(
        {"x0": tw.Test(1, group="lab", after=0), "x1": tw.Test(1, group="lab", after=0)}, errors_default=50
    )
    found = tw.break_even(X, y, costs, learner=tw.OptimalTreeClassifier(max_depth=2))
    assert {worth.name: worth.share for worth in found} == {"x0": 1.0, "x1": 1.0}
