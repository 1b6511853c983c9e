"""The first line about a model: what a case costs, against testing nobody and today."""

import numpy as np
import pytest

import thriftwood as tw
from thriftwood.evaluation import Difference, Interval, Verdict, against_today
from thriftwood.evaluation.today import fitted_today

CLINIC = tw.Costs(currency="EUR", case_name="patient", today=["TSH"])
LESS, MORE, SAME = Difference(-4, -6, -2), Difference(3, 1, 5), Difference(0, -1, 1)


@pytest.mark.parametrize(
    ("nobody", "today", "said", "dearer"),
    [
        (LESS, LESS, ": 4 (2 to 6) less than testing nobody, 4 (2 to 6) less than today's panel.", ()),
        (LESS, None, ": 4 (2 to 6) less than testing nobody.", ()),
        (SAME, None, ": the same as testing nobody.", ()),
        (
            Difference(-4, -9, 1),
            None,
            ": 4 (-1 to 9) less than testing nobody, which may be chance.",
            (),
        ),
        (
            LESS,
            MORE,
            ", 3 (1 to 5) more than today's panel, 4 (2 to 6) less than testing nobody.",
            ("today's panel",),
        ),
        (
            MORE,
            MORE,
            ", 3 (1 to 5) more than testing nobody, 3 (1 to 5) more than today's panel.",
            ("testing nobody", "today's panel"),
        ),
    ],
)
def test_what_is_cheaper_comes_first_and_loudly(nobody, today, said, dearer):
    verdict = Verdict(12.5, Interval(10, 15), nobody, today, CLINIC)
    lead = f"DEARER THAN {' AND '.join(dearer).upper()}: " if dearer else ""
    assert str(verdict) == f"{lead}12.50 EUR a patient (10 to 15){said}"
    assert verdict.dearer_than == dearer
    assert verdict.content["dearer_than"] == list(dearer)


def test_the_words_are_those_of_the_price_list():
    plain = Verdict(12, Interval(10, 14), None, None, tw.Costs())
    assert str(plain) == "12 a case (10 to 14)."
    loans = Verdict(12, Interval(10, 14), None, None, tw.Costs(case_name="application"), "Of 3 held out.")
    assert str(loans) == "12 an application (10 to 14). Of 3 held out."


def table(n, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, np.where(X[:, 0] + 0.6 * rng.normal(size=n) > 0, "sick", "well")


COSTS = tw.Costs({0: 2, 1: 3, 2: 4}, errors_default=60, today=[0, 1])


def test_it_is_the_bill_and_its_differences():
    model = tw.algorithm(costs=COSTS).fit(*table(200))
    X, y = table(150, seed=1)
    bill, found = tw.bill(model, X, y), tw.verdict(model, X, y)
    assert (found.cost, found.interval) == (bill.mean_cost, bill.interval)
    assert found.against_nobody == bill.against_untested
    practice = fitted_today(COSTS, *table(200))
    known = tw.verdict(model, X, y, learnt_from=table(200))
    assert known.against_today == pytest.approx(bill.against(tw.bill(practice, X, y)), abs=1e-9)
    # Learnt from the same cases in turn, it differs from that a little.
    assert found.against_today.mean == pytest.approx(known.against_today.mean, abs=4)
    assert against_today(bill, X).difference == found.against_today


def test_without_the_truth_there_is_none():
    X, y = table(60)
    model = tw.algorithm(costs=COSTS).fit(X, y)
    with pytest.raises(ValueError, match="known only with the true classes"):
        tw.verdict(model, X, None)
