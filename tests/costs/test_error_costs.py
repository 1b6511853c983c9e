"""Error costs by row: what is accepted, what is refused in which words."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from thriftwood.costs import CostError, answer_costs, cost_matrices, mean_matrix

CLASSES = ["bad", "good"]
LABELS = np.array([0, 1, 1])
COSTS = [[0, 5], [1, 0], [2, 0]]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("dear", "This str is no array of numbers"),
        ([["a", "b"]] * 3, "This list is no array of numbers"),
        ([[1, 2], [3]], "This list is no array of numbers"),
        (np.ones((3, 2), dtype=bool), "no array of numbers"),
        (np.array([["1", "0"]] * 3, dtype=object), "This ndarray is no array of numbers"),
        ([1, 2, 3], r"Got shape \(3,\)"),
        ([[1, 2]], r"there are 3 cases. Got shape \(1, 2\)"),
        (np.ones((3, 3)), r"Got shape \(3, 3\), but there are 2 classes: 'bad', 'good'"),
        (np.ones((3, 2, 3)), "there are 2 classes"),
        ([[0, 5], [1, 0], [-2, 0]], "must not be negative. Got -2 in row 2, answer 'bad'. Where answers"),
        ([[0, 5], [1, np.nan], [2, 0]], "Got nan in row 1, answer 'good'"),
        ([[0, np.inf], [1, 0], [2, 0]], "from 0 to 1e\\+100. Got inf in row 0, answer 'good'"),
        (np.full((3, 2, 2), -1.0), "Got -1 in row 0, answer 'bad' when the truth is 'bad'"),
    ],
)
def test_what_is_no_cost_by_row_is_refused(given, words):
    with pytest.raises(CostError, match=words):
        answer_costs(given, LABELS, CLASSES)


def test_a_matrix_per_case_gives_the_row_of_the_true_class():
    matrices = np.arange(12.0).reshape(3, 2, 2)
    assert answer_costs(matrices, LABELS, CLASSES).tolist() == [[0, 1], [6, 7], [10, 11]]
    assert answer_costs(COSTS, LABELS, CLASSES).tolist() == COSTS
    assert cost_matrices(matrices, 3, CLASSES).tolist() == matrices.tolist()


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "arrow"])
def test_columns_of_a_frame_are_the_classes_in_any_order(make):
    frame = make({"good": [5.0, 0.0, 0.0], "bad": [0.0, 1.0, 2.0]})
    assert answer_costs(frame, LABELS, CLASSES).tolist() == COSTS
    with pytest.raises(CostError, match=r"for each class: 'bad', 'good'\. Got the columns 'x', 'y'"):
        answer_costs(make({"x": [5.0, 0.0, 0.0], "y": [0.0, 1.0, 2.0]}), LABELS, CLASSES)
    with pytest.raises(CostError, match="Got the columns 'good'"):
        answer_costs(make({"good": [5.0, 0.0, 0.0]}), LABELS, CLASSES)


def test_columns_of_a_frame_are_compared_as_text():
    frame = pd.DataFrame({1: [5, 0, 0], 0: [0, 1, 2]})
    assert answer_costs(frame, LABELS, np.array([0.0, 1.0])).tolist() == COSTS


def test_a_frame_whose_rows_are_not_there_yet_is_refused():
    frame = pl.LazyFrame({"good": [5.0, 0.0, 0.0], "bad": [0.0, 1.0, 2.0]})
    with pytest.raises(CostError, match="This LazyFrame is no array of numbers"):
        answer_costs(frame, LABELS, CLASSES)


def test_a_decision_needs_matrices():
    with pytest.raises(CostError, match=r"once the truth is known.*shape \(3, 2, 2\)"):
        cost_matrices(COSTS, 3, CLASSES)


def test_mean_costs_count_cases_by_weight_and_leave_absent_classes_at_zero():
    found = mean_matrix(np.array(COSTS, dtype=float), LABELS, np.array([1.0, 3.0, 1.0]))
    assert found.tolist() == [[0, 5], [1.25, 0]]
    assert mean_matrix(np.array([[1.0, 2.0, 3.0]]), np.array([1]), None).tolist() == [
        [0] * 3,
        [1, 2, 3],
        [0] * 3,
    ]
