"""What mistakes cost, drawn or given, and which answer is the cheapest."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from thriftwood.experiments.ting1998.matrices import draw, of_statlog
from thriftwood.experiments.ting1998.trial import cheapest_answers


@given(n_classes=st.integers(2, 8), seed=st.integers(0, 2**32 - 1))
def test_every_mistake_costs_1_to_10_and_one_of_them_1(n_classes, seed):
    matrix = draw(n_classes, np.random.default_rng(seed))
    mistakes = matrix[~np.eye(n_classes, dtype=bool)]
    assert (np.diag(matrix) == 0).all()
    assert mistakes.min() == 1
    assert mistakes.max() <= 10
    assert (mistakes == mistakes.round()).all()


def test_of_two_classes_all_19_matrices_are_drawn_alike():
    rng = np.random.default_rng(0)
    drawn = [tuple(draw(2, rng)[[0, 1], [1, 0]]) for _ in range(3800)]
    kinds, counts = np.unique(drawn, axis=0, return_counts=True)
    assert len(kinds) == 19
    assert ((counts - 200) ** 2 / 200).sum() < 42.3  # chi-square, 18 degrees of freedom, one in a thousand


def test_statlogs_five_is_for_calling_the_first_class_the_second():
    printed = of_statlog("heart-statlog", ("absent", "present"), turned=False)
    assert printed.tolist() == [[0, 5], [1, 0]]  # [actual, predicted]
    assert of_statlog("heart-statlog", ("absent", "present"), turned=True).tolist() == [[0, 1], [5, 0]]
    assert of_statlog("credit-g", ("bad", "good"), turned=False).tolist() == [[0, 1], [5, 0]]
    assert of_statlog("hepatitis", ("DIE", "LIVE"), turned=False) is None


def test_cheapest_answer_of_six_and_two():
    costs = np.array([[0.0, 1.0], [5.0, 0.0]])  # yes called no 1, no called yes 5: 10 for yes, 6 for no
    assert cheapest_answers(np.array([[6.0, 2.0]]), costs).tolist() == [1]


@given(
    seed=st.integers(0, 1000),
    weights=arrays(float, (5, 3), elements=st.integers(0, 6).map(float)),
)
def test_no_answer_is_cheaper_and_ties_go_to_the_first(seed, weights):
    costs = draw(3, np.random.default_rng(seed))
    for row, answer in zip(weights, cheapest_answers(weights / 7.0, costs), strict=True):
        expected = [sum(row[actual] * costs[actual, given] for actual in range(3)) for given in range(3)]
        assert expected.index(min(expected)) == answer
