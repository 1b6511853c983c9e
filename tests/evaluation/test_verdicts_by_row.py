"""Verdicts and reports where a mistake costs every case another sum."""

import numpy as np
import pandas as pd
import pytest

import thriftwood as tw

PRICES = tw.Costs({"income": 2, "years": 1}, currency="EUR", case_name="customer", today=["income"])


@pytest.fixture(scope="module")
def lender():
    """A third of 600 customers to judge by; each has a loss of their own."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"income": rng.normal(size=600), "years": rng.normal(size=600)})
    y = np.where(X["income"] + 0.5 * rng.normal(size=600) > 0.5, "lost", "paid")
    own = np.zeros((600, 2))
    own[y == "lost", 1] = rng.lognormal(4, 1, (y == "lost").sum())
    own[y == "paid", 0] = 20
    old, new = slice(0, 400), slice(400, 600)
    model = tw.ThriftClassifier(PRICES, leaves="class").fit(X[old], y[old], error_costs=own[old])
    return model, (X[old], y[old], own[old]), (X[new], y[new], own[new])


def test_the_verdict_is_that_of_the_bill(lender):
    model, _, (X, y, own) = lender
    found, bill = tw.verdict(model, X, y, error_costs=own), tw.bill(model, X, y, error_costs=own)
    assert (found.cost, found.interval) == (bill.mean_cost, bill.interval)
    assert found.in_hindsight
    assert "counts 1" not in found.sentence


def test_nobodys_answer_is_that_of_the_training_cases_and_their_losses(lender):
    model, old, (X, y, own) = lender
    found = tw.verdict(model, X, y, error_costs=own, learnt_from=old)
    everybody = int(old[2].sum(axis=0).argmin())
    assert found.against_nobody.mean == pytest.approx(found.cost - own[:, everybody].mean())
    assert not found.in_hindsight


def test_prices_that_say_nothing_of_mistakes_are_told(lender):
    model, _, (X, y, _) = lender
    said = "Every mistake counts 1: the prices say nothing of mistakes."
    assert tw.verdict(model, X, y).sentence.endswith(said)
    assert tw.verdict(model, X, y, tw.Costs(default_price=2)).sentence.endswith(said)
    named = PRICES.replace(errors_default=5)
    assert said not in tw.verdict(model, X, y, named).sentence


def test_losses_of_the_training_cases_alone_are_refused(lender):
    model, old, (X, y, own) = lender
    for given in ({"learnt_from": old}, {"learnt_from": old[:2], "error_costs": own}):
        with pytest.raises(ValueError, match=r"pass error_costs=\.\.\., what they cost these cases"):
            tw.verdict(model, X, y, **given)


def test_a_report_charges_them(lender):
    model, _, (X, y, own) = lender
    bill = tw.bill(model, X, y, error_costs=own)
    page = model.report(X, y, error_costs=own)
    assert f"{bill.mean_cost:.2f} EUR a customer" in page.html
    assert "counts 1" not in page.html
