"""Who gets which test, in a sentence: worked shares."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thriftwood as tw
from thriftwood.evaluation.statement import Words, words_of
from thriftwood.report.sentence import SIMPLE, order_sentence, whom

PATIENTS = Words("patient", "patients", "EUR")


class Shares:
    """A bill of which only the shares of the tests matter."""

    answers = np.array(["well", "ill"])
    predicted = np.array([1, 1])
    n_cases = 2

    def __init__(self, shares, free=()):
        self.test_columns = {
            "test": list(shares),
            "share": np.array(list(shares.values())),
            "full_price": np.array([0.0 if name in free else 5.0 for name in shares]),
        }


def said(free=(), **shares):
    return order_sentence(Shares(shares, free), PATIENTS)


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (1.0, "everybody"),
        (0.995, "everybody"),
        (0.994, "99 of 100 patients"),
        (0.96, "19 of 20 patients"),
        (0.9, "9 of 10 patients"),
        (0.74, "3 of 4 patients"),
        (0.66, "2 of 3 patients"),
        (0.5, "every second patient"),
        (0.4, "2 of 5 patients"),
        (0.34, "every third patient"),
        (0.31, "3 of 10 patients"),
        (0.26, "every fourth patient"),
        (0.2, "every fifth patient"),
        (0.1, "every tenth patient"),
        (0.07, "1 in 15 patients"),
        (0.05, "1 in 20 patients"),
        (0.049, "fewer than 1 in 20 patients"),
        (0.001, "fewer than 1 in 20 patients"),
    ],
)
def test_the_nearest_simple_fraction(share, words):
    assert whom(share, PATIENTS) == words


@given(st.floats(0.05, 0.994))
def test_no_simple_fraction_is_nearer(share):
    assert whom(share, PATIENTS) in {
        whom(part / whole, PATIENTS)
        for part, whole in SIMPLE
        if abs(part / whole - share) <= min(abs(a / b - share) for a, b in SIMPLE)
    }


def test_everybody_and_every_fourth():
    assert said(FTI=1.0, TSH=0.25) == "Order FTI for everybody and TSH for every fourth patient"


def test_tests_for_the_same_part_are_named_together():
    assert said(a=1, b=0.3, c=1) == "Order a and c for everybody, and b for 3 of 10 patients"


def test_rare_tests_are_added_up():
    assert said(a=1, b=0.04, c=0.01, d=0.002) == (
        "Order a for everybody and 3 more tests for fewer than 1 in 20 patients"
    )
    assert said(a=1, b=0.04) == "Order a for everybody and 1 more test for fewer than 1 in 20 patients"
    assert said(a=0.02) == "Order a for fewer than 1 in 20 patients"


def test_four_tests_are_named_and_the_others_bounded_from_above():
    assert said(a=1, b=0.9, c=0.8, d=0.7, e=0.31, f=0.02) == (
        "Order a for everybody, b for 9 of 10 patients, c for 4 of 5 patients, d for 7 of 10 patients and "
        "2 more tests for at most 1 in 3 patients"
    )
    assert said(**dict.fromkeys("abcdef", 1.0)) == ("Order a, b, c, d and 2 more tests for everybody")


@given(st.lists(st.floats(0.001, 1.0), min_size=5, max_size=9))
def test_the_bound_of_the_others_holds(shares):
    words = said(**{f"t{number}": share for number, share in enumerate(shares)})
    *_, fourth = named = sorted(shares)[::-1][:4]
    rest = [share for share in sorted(shares)[::-1][4:] if whom(share, PATIENTS) != whom(fourth, PATIENTS)]
    assert all(whom(share, PATIENTS) in words for share in named if share >= 0.05)
    if "at most" in words:
        part, whole = words.rpartition("at most ")[2].split(" ")[0:3:2]
        assert int(part) / int(whole) >= max(rest) - 1e-12


def test_free_columns_and_tests_that_nobody_got_are_not_ordered():
    assert said(free=("age",), age=1, a=0.5, b=0.0) == "Order a for every second patient"


def test_where_nothing_is_paid():
    assert said() == 'Order no test: answer "ill" for everybody'
    assert said(free=("age", "sex"), age=1, sex=0.3) == (
        "Order no test: age and sex, which cost nothing, decide"
    )


def test_long_names_are_cut():
    assert len(said(**{"x" * 1000: 1.0})) < 80


def test_the_words_are_those_of_the_price_list():
    costs = tw.Costs(case_name="inquiry", currency="€")
    assert words_of(costs) == Words("inquiry", "inquiries", "€")
    assert words_of(costs).money(12) == "12 €"
    assert words_of(tw.Costs()).money(0.5) == "0.50"


def test_a_bill_says_it():
    """Of eight cases all buy TSH, two go on to T3; age is free."""
    X = pd.DataFrame({"TSH": [1, 1, 1, 1, 1, 1, 2, 2], "T3": [1, 2, 1, 2, 1, 2, 1, 2]})
    y = np.array(["well"] * 6 + ["ill", "worse"])
    costs = tw.Costs({"TSH": 20, "T3": 10}, errors_default=90, case_name="patient")
    model = tw.CostTreeClassifier("entropy", costs=costs).fit(X, y)
    bill = tw.bill(model, X, y)
    assert order_sentence(bill, words_of(costs)) == "Order TSH for everybody and T3 for every fourth patient"


def test_a_priced_test_that_nobody_bought_is_not_free():
    X, y = [[0, 0], [0, 0], [1, 0], [1, 1]], ["a", "a", "b", "c"]
    tree = tw.CostTreeClassifier().fit(X, y).tree_  # x1 is asked where x0 is 1
    bill = tw.bill(tree, X[:2], y[:2], tw.Costs({"x0": 0, "x1": 100}))
    assert order_sentence(bill, PATIENTS) == "Order no test: x0, which costs nothing, decides"
