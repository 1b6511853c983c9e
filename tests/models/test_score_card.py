"""Score cards: points in proportion, flat beyond the ends, and chances of the classes."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thriftwood.models.score_card import (
    CategoryPoints,
    NumberPoints,
    ScoreCard,
    chances,
    check_card,
    column_of,
)
from thriftwood.table import Encoder

AGE = NumberPoints(0, (10.0, 20.0, 40.0), ((0,), (50,), (10,)), (7,))
SMOKER = CategoryPoints(1, ((-5,), (30,)), (2,))


@pytest.mark.parametrize(
    ("age", "points"), [(5, 0), (10, 0), (13, 15), (20, 50), (30, 30), (40, 10), (99, 10), (np.nan, 7)]
)
def test_points_of_a_number_are_in_proportion_between_its_values(age, points):
    assert AGE.of(np.array([age])).item() == points


def test_points_of_categories_missing_and_unseen():
    assert SMOKER.of(np.array([0, 1, -1, -2], dtype=np.int32)).ravel().tolist() == [-5, 30, 2, 0]


def test_a_hundred_points_multiply_the_odds_by_e():
    card = ScoreCard((0,), (AGE,))
    low, high = card.shares([np.array([10.0, 20.0])])
    assert math.isclose(high[1] / high[0], low[1] / low[0] * math.exp(0.5))


def test_points_add_up():
    card = ScoreCard((-50,), (AGE, SMOKER))
    columns = [np.array([20.0, 10.0]), np.array([1, 0], dtype=np.int32)]
    assert card.scores(columns).ravel().tolist() == [30, -55]


def test_a_card_without_tests_gives_all_cases_the_same_chances():
    assert ScoreCard((0, 0, 0)).shares([], 2).tolist() == [[1 / 3] * 3] * 2


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=6).filter(lambda row: len(row) != 2))
def test_chances_add_up_to_one(row):
    found = chances(np.array([row]))
    assert math.isclose(found.sum(), 1.0)
    assert (found >= 0).all()


@pytest.mark.parametrize(
    ("card", "said"),
    [
        (ScoreCard((0, 0)), "one score for two classes"),
        (ScoreCard((0,), (AGE, AGE)), "each test once"),
        (ScoreCard((0,), (NumberPoints(9, (1.0, 2.0), ((0,), (1,)), (0,)),)), "of the 2 columns"),
        (ScoreCard((0,), (NumberPoints(0, (1.0, 2.0), ((0, 1), (1, 1)), (0,)),)), "1 points"),
        (ScoreCard((0,), (NumberPoints(0, (2.0, 1.0), ((0,), (1,)), (0,)),)), "which rise"),
        (ScoreCard((0,), (NumberPoints(0, (1.0, np.inf), ((0,), (1,)), (0,)),)), "which rise"),
        (ScoreCard((0,), (NumberPoints(1, (1.0, 2.0), ((0,), (1,)), (0,)),)), "not for numbers"),
        (ScoreCard((0,), (CategoryPoints(1, ((0,),), (0,)),)), "each of its categories"),
        (ScoreCard((0,), (CategoryPoints(0, ((0,),), (0,)),)), "each of its categories"),
    ],
)
def test_parts_that_do_not_go_together_are_refused(card, said):
    encoder = Encoder()
    encoder.fit_encode([[1.0, "no"], [2.0, "yes"]])
    with pytest.raises(ValueError, match=said):
        check_card(card, encoder.columns)


def test_columns_of_all_kinds_of_tables():
    from scipy.sparse import csr_matrix

    rows = np.array([[1.0, 0.0], [0.0, 3.0]])
    for table in (rows, csr_matrix(rows)):
        assert column_of(Encoder().fit_encode(table), 1).tolist() == [0.0, 3.0]
    assert column_of(Encoder().fit_encode([[1.0, "b"], [2.0, "a"]]), 1).tolist() in ([1, 0], [0, 1])
