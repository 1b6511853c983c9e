"""Error costs as the matrix [actual, predicted]."""

import numpy as np
import pytest
from costs.strategies import error_costs
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import cross_val_score

import thriftwood as tw
from thriftwood.costs import CostError, Costs

SICK = Costs(errors={"sick": {"healthy": 50}, "healthy": {"sick": 10}})


def test_rows_are_actual_and_columns_predicted_in_the_order_of_the_classes():
    assert SICK.error_matrix(["healthy", "sick"]).tolist() == [[0, 10], [50, 0]]
    assert SICK.error_matrix(["sick", "healthy"]).tolist() == [[0, 50], [10, 0]]


def test_an_array_is_taken_as_it_is_and_returned_as_a_copy():
    costs = Costs(errors=np.array([[-1, 10], [50, 0]]))
    matrix = costs.error_matrix(["a", "b"])
    assert matrix.tolist() == [[-1, 10], [50, 0]]
    matrix[0, 0] = 99
    assert costs.error_matrix(["a", "b"])[0, 0] == -1


def test_no_errors_mean_plain_accuracy_and_a_default_alone_a_constant_penalty():
    assert Costs().error_matrix([0, 1, 2]).tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert Costs(errors_default=50).error_matrix([0, 1]).tolist() == [[0, 50], [50, 0]]
    assert Costs().error_matrix(["only"]).tolist() == [[0]]


def test_the_default_fills_mistakes_and_never_right_answers():
    costs = Costs(errors={"b": {"a": 5}, "c": {"c": -2}}, errors_default=1)
    assert costs.error_matrix("abc").tolist() == [[0, 1, 1], [5, 0, 1], [1, 1, -2]]


@pytest.mark.parametrize(
    "classes",
    [np.array([0, 1]), np.array([0.0, 1.0]), np.array(["0", "1"]), [0, 1], np.array([0, 1], dtype=object)],
)
def test_labels_of_any_type_find_their_costs(classes):
    assert Costs(errors={0: {1: 5}, 1: {0: 2}}).error_matrix(classes).tolist() == [[0, 5], [2, 0]]


def test_truth_values_are_labels():
    costs = Costs(errors={True: {False: 5}, False: {True: 2}})
    assert costs.error_matrix(np.array([False, True])).tolist() == [[0, 2], [5, 0]]


def test_a_mistake_without_a_cost_is_named_with_the_way_out():
    with pytest.raises(
        CostError, match=r"answer 'unsure' when the truth is 'healthy' \(and of 3 more pairs\)"
    ):
        SICK.error_matrix(["healthy", "sick", "unsure"])
    with pytest.raises(CostError, match=r"Add errors\['b'\]\['a'\], or set errors_default"):
        Costs(errors={"a": {"b": 1}}).error_matrix("ab")


def test_an_unknown_class_is_named_with_the_nearest_ones():
    with pytest.raises(CostError, match=r"errors\['sick'\]: there is no class 'sick' .* Did you mean 'sik'"):
        SICK.error_matrix(["healthy", "sik"])
    with pytest.raises(CostError, match=r"errors\['a'\]\['z'\]: there is no class 'z' .* Choices: 'a', 'b'"):
        Costs(errors={"a": {"z": 1}}).error_matrix("ab")


def test_an_array_of_another_size_and_repeated_classes_are_refused():
    with pytest.raises(CostError, match="2 x 2 array, but there are 3 classes: 'a', 'b', 'c'"):
        Costs(errors=[[0, 1], [1, 0]]).error_matrix("abc")
    with pytest.raises(CostError, match="class '1' occurs twice"):
        Costs().error_matrix([1, "1"])


@given(st.data(), st.integers(1, 5))
def test_a_full_dictionary_and_its_array_are_the_same_costs(data, k):
    rows = data.draw(st.lists(st.lists(error_costs, min_size=k, max_size=k), min_size=k, max_size=k))
    names = [f"c{i}" for i in range(k)]
    table = {a: dict(zip(names, row, strict=True)) for a, row in zip(names, rows, strict=True)}
    by_name = Costs(errors=table).error_matrix(names)
    assert by_name.dtype == np.float64
    assert by_name.flags.c_contiguous
    np.testing.assert_array_equal(by_name, Costs(errors=rows).error_matrix(names))


def test_a_class_that_the_data_lack_is_no_error():
    costs = Costs(
        errors={
            "type1": {"type2": 1, "rare": 2},
            "type2": {"type1": 3, "rare": 4},
            "rare": {"type1": 50, "type2": 60},
        }
    )
    assert costs.error_matrix(["type1", "type2"]).tolist() == [[0, 1], [3, 0]]
    assert costs.error_matrix(["rare", "type1"]).tolist() == [[0, 50], [2, 0]]
    assert costs.error_matrix(["type2"]).tolist() == [[0]]


@pytest.mark.parametrize(
    "errors",
    [
        {"sick": {"healthy": 50}, "helthy": {"sick": 10}},
        {"sick": {"helthy": 50}, "healthy": {"sick": 10}},
        {"Sick": {"healthy": 50}, "healthy": {"sick": 10}},
    ],
)
def test_a_name_that_looks_like_a_slip_is_an_error(errors):
    with pytest.raises(CostError, match=r"there is no class '(helthy|Sick)' in the data. Did you mean"):
        Costs(errors=errors, errors_default=1).error_matrix(["healthy", "sick"])


def test_a_fold_without_the_rare_class_is_learnt_from_and_scored():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.array(["a", "b"] * 29 + ["rare"] * 2)
    y[:2] = "rare"
    costs = Costs(
        errors={one: {other: 1 for other in ("a", "b", "rare") if other != one} for one in ("a", "b", "rare")}
    )
    model = tw.CostTreeClassifier(costs=costs)
    first, last = np.arange(30), np.arange(30, 58)  # the second part has no rare case
    assert len(cross_val_score(model, X, y, cv=[(last, first), (first, last)])) == 2
