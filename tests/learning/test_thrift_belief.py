"""What is taken is believed to cost: what folds say, drawn toward what tests usually save."""

import numpy as np
import pytest

import thriftwood as tw
from thriftwood.learning.thrift_belief import SPREAD, USUAL, believed
from thriftwood.learning.thrift_bills import mean_bill
from thriftwood.learning.thrift_choice import duels
from thriftwood.learning.thrift_judging import Judged


def compared(error, tests=0.0, n_cases=400):
    """Testing nobody costs 100 a case, the tree 40, with such a standard error of the difference."""
    swing = error * np.sqrt(n_cases) * np.tile([1.0, -1.0], n_cases // 2)
    bills = {"constant": np.full(n_cases, 100.0), "much doubt": 40.0 + swing}
    paid = {"constant": 0.0, "much doubt": tests}
    results = [Judged(name, name, *mean_bill(bill, None), bill, paid[name]) for name, bill in bills.items()]
    return duels(results, None)


@pytest.mark.parametrize(
    ("error", "tests", "dearest", "cost"),
    [
        (0.0, 0.0, 0.0, 40.0),  # sure folds are believed
        (30.0, 0.0, 0.0, 57.5),  # as sure as the belief before: half way from 75 to 40
        (18.0, 0.0, 24.0 * 400, 57.5),  # one more dearest mistake of 24 a case: hypot(18, 24) is 30
        (1e6, 0.0, 0.0, 75.0),  # folds that say nothing
        (1e6, 10.0, 0.0, 85.0),  # that tests must be paid is sure
    ],
)
def test_folds_and_what_tests_usually_save_count_by_how_sure_they_are(error, tests, dearest, cost):
    assert (USUAL, SPREAD) == (0.25, 0.3)
    assert believed(compared(error, tests), 1, 100.0, dearest) == pytest.approx(cost, abs=1e-4)


def test_nobody_tested_costs_what_folds_say():
    assert believed(compared(30.0), 0, 100.0, 0.0) == 100.0


def test_the_sentence_says_what_is_believed_and_candidates_what_folds_say():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = (X[:, 0] + 0.7 * rng.normal(size=120) > 0).astype(int)
    figures = []
    for every in (0.0, 500.0):
        errors = {0: {0: every, 1: every + 50}, 1: {0: every + 50, 1: every}}
        model = tw.ThriftClassifier(tw.Costs({f"x{i}": 1 for i in range(3)}, errors=errors)).fit(X, y)
        taken = next(one for one in model.candidates_ if one.name == model.chosen_)
        said = float(model.choice_.partition("It costs about ")[2].split()[0])
        assert taken.cost < said < model.candidates_[0].cost
        figures.append(said)
    assert figures[1] - figures[0] == pytest.approx(500, abs=0.1)  # what every answer costs is no saving


def test_where_score_cards_were_asked_for_nothing_was_chosen():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = (X[:, 0] > 0).astype(int)
    costs = tw.Costs({f"x{i}": 1 for i in range(3)}, errors_default=50)
    model = tw.ThriftClassifier(costs, leaves="score").fit(X, y)
    assert f"They cost {model.candidates_[-1].about} an unseen case" in model.choice_
