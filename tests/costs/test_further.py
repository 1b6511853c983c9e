"""Answers that are no class, such as "refer to an expert"."""

import pickle
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thriftwood.costs import CostError, Costs
from thriftwood.costs.answers import cheapest
from thriftwood.costs.further import class_matrix, never_cheapest, worth_giving
from thriftwood.costs.reasonable import remarks

BY_COLUMN = {"sick": {"well": 50, "refer": 9}, "well": {"sick": 10, "refer": 5}}


def test_further_answers_are_columns_behind_those_of_the_classes_in_the_order_named():
    costs = Costs(errors=BY_COLUMN, answers={"later": 7, "ask": {"sick": 1, "well": 2}})
    assert costs.error_matrix(["sick", "well"]).tolist() == [[0, 50, 9, 7, 1], [10, 0, 5, 7, 2]]
    assert costs.error_matrix(["well", "sick"]).tolist() == [[0, 10, 5, 7, 2], [50, 0, 9, 7, 1]]
    assert costs.further_answers(["sick", "well"]) == ("refer", "later", "ask")


def test_they_need_no_errors_by_name_and_go_with_arrays_and_a_default():
    assert Costs(answers={"refer": 0.3}).error_matrix([0, 1]).tolist() == [[0, 1, 0.3], [1, 0, 0.3]]
    by_array = Costs(errors=[[0, 4], [2, 0]], answers={"refer": 1})
    assert by_array.error_matrix([0, 1]).tolist() == [[0, 4, 1], [2, 0, 1]]
    by_default = Costs(errors_default=8, answers={"refer": 1})
    assert by_default.error_matrix("ab").tolist() == [[0, 8, 1], [8, 0, 1]]


def test_a_column_that_may_be_a_rare_class_is_no_further_answer():
    assert Costs(errors=BY_COLUMN, errors_default=1).further_answers(["sick", "well"]) == ()
    of_some = {"sick": {"well": 50, "refer": 9}, "well": {"sick": 10}}
    assert Costs(errors=of_some).further_answers(["sick", "well"]) == ()
    own_row = {**BY_COLUMN, "refer": {"sick": 1, "well": 1}}
    assert Costs(errors=own_row).further_answers(["sick", "well"]) == ()


def test_a_class_that_a_fold_lacks_has_its_costs_waiting():
    costs = Costs(errors_default=9, answers={"later": {"sick": 1, "well": 2, "rare": 3}})
    assert costs.error_matrix(["sick", "well"])[:, 2].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({"refer": -1}, r"answers\['refer'\].* 0 or more. Got -1.0"),
        ({"refer": np.nan}, "finite number, 0 or more. Got nan"),
        ({"refer": {"sick": -1}}, r"answers\['refer'\]\['sick'\] must be a finite number, 0 or more"),
        ({"refer": "50"}, "a cost, or a dictionary true class -> cost"),
        ({"refer": {}}, r"answers\['refer'\] is empty"),
        ({1: 5, "1": 6}, "names '1' twice"),
        (["refer"], "must be a dictionary answer -> cost"),
    ],
)
def test_what_is_wrong_with_an_answer_is_said_when_costs_are_made(answers, said):
    with pytest.raises(CostError, match=said):
        Costs(answers=answers)


def test_an_answer_is_no_class():
    with pytest.raises(CostError, match="errors names 'sick', too"):
        Costs(errors=BY_COLUMN, answers={"sick": 1})
    with pytest.raises(CostError, match="errors names 'refer', too"):
        Costs(errors=BY_COLUMN, answers={"refer": 1})
    with pytest.raises(CostError, match="'1' is a class of the data"):
        Costs(answers={1: 5}).error_matrix([0, 1])


def test_every_class_of_the_data_needs_a_cost():
    costs = Costs(answers={"refer": {"sick": 3}})
    with pytest.raises(CostError, match=r"when the truth is 'well'. Add answers\['refer'\]\['well'\]"):
        costs.error_matrix(["sick", "well"])
    with pytest.raises(CostError, match="no class 'sick' in the data"):
        costs.error_matrix(["ill", "well"])


def test_costs_with_further_answers_are_values():
    costs = Costs({"age": 1}, errors=BY_COLUMN, answers={"later": 7, "ask": {"sick": 1, "well": 2}})
    assert pickle.loads(pickle.dumps(costs)) == costs
    assert repr(costs).endswith("answers={'later': 7, 'ask': {'sick': 1, 'well': 2}})")
    assert hash(costs) == hash(Costs.from_dict(costs.to_dict()))
    assert costs != costs.replace(answers={"later": 8})
    assert costs.replace(answers={}) == Costs({"age": 1}, errors=BY_COLUMN)
    assert "answers" not in Costs(errors=BY_COLUMN).to_dict()


@pytest.mark.parametrize("ending", ["toml", "json"])
def test_files_keep_them_and_their_order(tmp_path, ending):
    costs = Costs(errors_default=9, answers={"repeat later": 7, "ask": {"sick": 1, "well": 2}})
    path = tmp_path / f"costs.{ending}"
    costs.to_file(path)
    assert Costs.from_file(path) == costs
    assert list(Costs.from_file(path).answers) == ["repeat later", "ask"]


def test_the_toml_layout(tmp_path):
    path = tmp_path / "costs.toml"
    path.write_text("errors_default = 9\n[answers]\nrefer = 7\nlater = {sick = 1, well = 2}\n")
    answers = {"refer": 7, "later": {"sick": 1, "well": 2}}
    assert Costs.from_file(path) == Costs(errors_default=9, answers=answers)
    path.write_text("answers = 7\n")
    with pytest.raises(CostError, match=r"costs\.toml: answers must be a dictionary"):
        Costs.from_file(path)


def test_a_pickle_from_before_there_were_any_still_works():
    old = Costs({"age": 1})
    old.__dict__.pop("answers")
    assert old.error_matrix([0, 1]).tolist() == [[0, 1], [1, 0]]
    assert old == Costs({"age": 1})


def test_there_is_no_single_threshold_and_the_standard_cost_counts_mistakes():
    costs = Costs({"T": 30}, errors_default=50, answers={"refer": 90})
    with pytest.raises(CostError, match="between them 'refer' can be the cheapest"):
        costs.threshold(["a", "b"])
    assert costs.standard_cost(["T"], {"a": 0.6, "b": 0.4}) == 50.0


def test_the_cheapest_answer_is_to_refer_below_half_the_cost_of_a_mistake_and_not_above():
    for price, answer in ((49, 2), (51, 0)):
        matrix = Costs(errors_default=100, answers={"refer": price}).error_matrix([0, 1])
        assert cheapest(np.array([[0.5, 0.5]]), matrix).tolist() == [answer]


def _matrices(k):
    return st.lists(st.lists(st.integers(0, 9), min_size=k + 1, max_size=k + 1), min_size=k, max_size=k)


@given(st.integers(2, 4).flatmap(_matrices))
def test_an_answer_that_is_never_cheapest_is_so_at_no_shares(rows):
    matrix = np.array(rows, dtype=float)
    k = len(matrix)
    grid = np.array(np.meshgrid(*[np.arange(7)] * k)).reshape(k, -1).T
    shares = grid[grid.sum(axis=1) > 0] / grid[grid.sum(axis=1) > 0].sum(axis=1, keepdims=True)
    costs = shares @ matrix
    if never_cheapest(matrix, k):
        assert (costs[:, k] > costs[:, :k].min(axis=1)).all()
    if (costs[:, k] < costs[:, :k].min(axis=1) - 1e-6).any():
        assert not never_cheapest(matrix, k)


def test_a_class_that_a_further_answer_beats_is_remarked():
    matrix = Costs(errors_default=10, answers={"refer": 0}).error_matrix(["a", "b"])
    said = remarks(matrix, ["a", "b"], ["refer"])
    assert len(said) == 2
    assert said[1].startswith("'b' is never the cheaper answer: 'refer' costs no more, whatever the truth.")
    dearer = Costs(errors_default=10, answers={"refer": 4}).error_matrix("ab")
    assert remarks(dearer, ["a", "b"], ["refer"]) == []


def test_what_answers_with_classes_alone_says_so():
    with pytest.raises(CostError, match=r"MetaCostClassifier answers with classes alone.*'refer'"):
        class_matrix(Costs(answers={"refer": 1}), [0, 1], "MetaCostClassifier")


@given(st.integers(0, 10_000))
def test_answers_are_worth_giving_unless_another_costs_no_more_whatever_the_truth(seed):
    rng = np.random.default_rng(seed)
    n_classes, n_further = rng.integers(1, 4, 2)
    matrix = rng.integers(0, 3, (n_classes, n_classes + n_further)).astype(float)
    worth = worth_giving(matrix)
    assert worth[:n_classes].tolist() == list(range(n_classes))
    kept = matrix[:, worth].T
    for further in range(n_classes, n_classes + n_further):
        beaten = (kept[worth != further] <= matrix[:, further]).all(axis=1).any()
        assert (further in worth) != beaten


def test_of_many_classes_no_array_is_made_for_every_pair_of_answers():
    """Whole numbers that were meant to be predicted, taken for classes."""
    matrix = 1.0 - np.eye(300)
    tracemalloc.start()
    try:
        assert len(worth_giving(matrix)) == 300
        assert tracemalloc.get_traced_memory()[1] < matrix.nbytes
    finally:
        tracemalloc.stop()
