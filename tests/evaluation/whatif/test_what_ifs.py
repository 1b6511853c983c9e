"""`tw.what_if`: what a case costs along the way, any learner, Ctrl-C and wrong questions."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thriftwood as tw
from thriftwood.learning.thrift_judging import parts

ERRORS = {"sick": {"well": 60}, "well": {"sick": 25}}


def clinic(seed=0, n_rows=120, n_columns=4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns)).round(1)
    y = np.where(X[:, 0] + 0.5 * X[:, 1] + rng.normal(size=n_rows) > 0, "sick", "well")
    return X, y, tw.Costs({f"x{place}": place + 1 for place in range(n_columns)}, errors=ERRORS)


def test_an_unseen_case_costs_what_cross_validation_says():
    X, y, costs = clinic()
    learner = tw.OptimalTreeClassifier(max_depth=2, bins=8)
    found = tw.what_if(X, y, costs, price={"x0": (0, 30)}, learner=learner, folds=4, random_state=3)
    labels = (y == "well").astype(np.int32)
    for value in (0.1, 7.3, 29.0):
        prices = costs.replace(tests={**costs.tests, "x0": value})
        bills, untested = np.zeros(len(y)), np.zeros(len(y))
        for part in parts(labels, 4, 3):
            rest = np.setdiff1d(np.arange(len(y)), part)
            model = learner.set_params(costs=prices).fit(X[rest], y[rest])
            bill = tw.bill(model, X[part], y[part])
            bills[part] = bill.test_cost + bill.error_cost
            nobody = tw.NobodyClassifier(costs=prices).fit(X[rest], y[rest])
            untested[part] = tw.bill(nobody, X[part], y[part]).error_cost
        assert found.cost(value) == pytest.approx(bills.mean())
        assert found.cost_error(value) == pytest.approx(bills.std() / np.sqrt(len(y)))
        assert found.untested_cost(value) == pytest.approx(untested.mean())


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 1000), st.sampled_from(["min-total-cost", "eg2", "csdt", "c45"]))
def test_flips_of_any_learner_lie_between_two_fits_that_differ(seed, name):
    X, y, costs = clinic(seed, 60, 3)
    vary = {"error": {("sick", "well"): (5, 300)}} if name == "csdt" else {"price": {"x1": (0, 40)}}
    found = tw.what_if(X, y, costs, **vary, learner=name, folds=2)
    assert not found.exact
    for before, after in zip(found.steps, found.steps[1:], strict=False):
        flip = next(flip for flip in found.flips if flip.at == before.high)
        assert flip.settled
        trees = [found.learner_at(value).fit(X, y).tree_ for value in (flip.low, flip.high)]
        for tree, step in zip(trees, (before, after), strict=True):
            assert tree.predict(X).tolist() == step.tree.predict(X).tolist()
            assert tree.features_used == step.tests
        assert trees[0].core != trees[1].core
    if name == "c45":  # it does not look at prices
        assert found.flips == ()
        assert found.break_even == (np.inf if found[0].share else 0.0)


def test_everything_is_there_and_is_the_same_every_time():
    X, y, costs = clinic()
    found, again = (tw.what_if(X, y, costs, price={"x0": (0, 30)}) for _ in range(2))
    assert str(found) == str(again)
    assert len(found) == len(found.steps) == len(found.table) == len(found.flips) + 1
    assert found.tree(found.flips[0].at) is found[1].tree
    assert found[0].tree.costs.tests["x0"].price == pytest.approx(0.0)
    assert found.now == 1
    assert found.n_fits > 10
    assert found.sentence in str(found)
    assert found.sentence in found._repr_html_()
    assert "2 flips" in repr(found) or "flip" in repr(found)
    curve = found.curve(5)
    assert curve["cost"].tolist() == [found.cost(value) for value in (0, 7.5, 15, 22.5, 30)]
    with pytest.raises(ValueError, match="outside the range from 0 to 30"):
        found.cost(31)


def test_sentences_say_who_buys_in_the_words_of_the_price_list():
    X, y = [[0]] * 6 + [[1]] * 4, ["well"] * 6 + ["sick"] * 4
    costs = tw.Costs({"x0": 1}, errors_default=10, currency="EUR", case_name="patient")
    learner = tw.OptimalTreeClassifier(max_depth=1)
    ask = {"learner": learner, "folds": 2}
    said = {
        (0, 10): "x0 is bought by everybody up to 4 EUR and by nobody beyond.",
        (0, 3): "x0 is bought by everybody all the way from 0 EUR to 3 EUR.",
        (5, 9): "x0 is bought by nobody all the way from 5 EUR to 9 EUR.",
    }
    for ends, words in said.items():
        found = tw.what_if(X, y, costs, price={"x0": ends}, **ask)
        assert found.sentence.startswith(words)
        assert ("The most that should be paid for x0 is 4 EUR; it costs 1 EUR now." in found.sentence) == (
            ends != (0, 10)
        )
    mistakes = tw.what_if(X, y, costs, error={("sick", "well"): (1, 9)}, **ask)
    # Answering well to all costs 4 * c / 10, testing 1: the tree begins where that is more.
    assert "goes from 1 EUR to 9 EUR: at 2.50 EUR." in mistakes.sentence
    assert "An unseen patient costs 0.40 EUR at 1 EUR and 1 EUR at 9 EUR" in mistakes.sentence


def test_weights_are_cases_that_come_again():
    X, y, costs = clinic(n_rows=40)
    weights = np.random.default_rng(0).integers(1, 4, len(y))
    learner = tw.OptimalTreeClassifier(max_depth=2)
    once = tw.what_if(X, y, costs, price={"x0": (0, 30)}, learner=learner, sample_weight=weights)
    more = tw.what_if(
        np.repeat(X, weights, axis=0), np.repeat(y, weights), costs, price={"x0": (0, 30)}, learner=learner
    )
    assert [flip.at for flip in once.flips] == pytest.approx([flip.at for flip in more.flips])
    assert once.break_even == pytest.approx(more.break_even)


@pytest.mark.parametrize(
    ("learner", "said"),
    [
        (tw.CostTreeRegressor(), "said of classes, and a CostTreeRegressor predicts numbers"),
        ("bagging", "learner='bagging' does not learn a single tree"),
        ("thrift", r"does not learn a single tree.* tw.ThriftClassifier\(leaves='class'\)"),
        (5, "learner=int does not learn a single tree"),
    ],
)
def test_learners_that_cannot_be_followed(learner, said):
    X, y, costs = clinic(n_rows=20)
    with pytest.raises(TypeError, match=said):
        tw.what_if(X, y, costs, price={"x0": (0, 1)}, learner=learner)


def test_numbers_to_predict_and_payment_upfront_are_refused():
    X, _, costs = clinic(n_rows=20)
    with pytest.raises(ValueError, match="Unknown label type"):
        tw.what_if(X, np.linspace(0.1, 1.3, 20), costs.replace(errors=None), price={"x0": (0, 1)})
    X, y, costs = clinic(n_rows=20)
    with pytest.raises(ValueError, match="what_if has costs with payment='upfront'"):
        tw.what_if(X, y, costs.replace(payment="upfront"), price={"x0": (0, 1)})
    for wrong in ({"folds": 1}, {"random_state": -1}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            tw.what_if(X, y, costs, price={"x0": (0, 1)}, **wrong)


def test_progress_rises_to_the_end():
    X, y, costs = clinic(n_rows=40)
    calls = []
    tw.what_if(X, y, costs, price={"x0": (0, 30)}, folds=3, progress=lambda *told: calls.append(told))
    assert calls == sorted(calls)
    assert calls[-1] == (400, 400)


PROGRAM = """
    import os, signal, sys, threading, time, warnings
    import numpy as np
    import thriftwood as tw

    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 14))
    y = np.where(X[:, :4].sum(axis=1) + rng.normal(size=1500) > 0, "a", "b")
    costs = tw.Costs({f"x{i}": 1 for i in range(14)}, errors_default=100)
    pressed = []

    def press(done, total):
        if not pressed and done >= int(sys.argv[1]):
            pressed.append(time.process_time())
            os.kill(os.getpid(), signal.SIGINT)

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        learner = tw.OptimalTreeClassifier(max_depth=2, bins=16)
        found = tw.what_if(X, y, costs, error={("a", "b"): (1, 500)}, learner=learner, progress=press)
    print(found.interrupted, time.process_time() - pressed[0] < 1.0)
    print(len(found.unseen.parts), all(flip.settled for flip in found.flips))
    print([str(warning.message) for warning in said])
    print(found.sentence)
"""


@pytest.mark.parametrize(("done", "folds", "settled"), [(5, 0, False), (250, 1, True)])
def test_ctrl_c_keeps_what_was_found(done, folds, settled):
    command = [sys.executable, "-c", textwrap.dedent(PROGRAM), str(done)]
    run = subprocess.run(command, capture_output=True, text=True, env=os.environ, check=False)
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    assert lines[:2] == ["True True", f"{folds} {settled}"]
    assert "Ctrl-C was pressed; kept is" in lines[2]
    assert ("Ctrl-C was pressed before all of the range was looked at." in lines[3]) != settled
