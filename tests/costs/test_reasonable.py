"""Elkan's questions to a cost matrix: is it reasonable, is an answer dominated, which threshold is it?"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thriftwood as tw
from thriftwood.costs import CostError, Costs
from thriftwood.costs.reasonable import remarks, warn_if_unreasonable
from thriftwood.learning.priors import instance_weights

matrices = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(-2, 4), min_size=k, max_size=k), min_size=k, max_size=k)
)


@pytest.mark.parametrize(
    ("matrix", "expected"),
    [
        ([[0, 1], [5, 0]], 0.166667),  # a false alarm costs 1, a miss 5
        ([[0, 2], [5, 1]], 0.333333),
        ([[0, 1], [1, 0]], 0.5),
        ([[7, 8], [15, 10]], 0.166667),  # a constant for each class changes nothing
        ([[0, 0], [5, 0]], 0.0),
    ],
)
def test_the_threshold_is_where_both_answers_cost_the_same(matrix, expected):
    assert Costs(errors=matrix).threshold([0, 1]) == pytest.approx(expected, abs=5e-7)
    p = Costs(errors=matrix).threshold([0, 1])
    first, second = np.array([1 - p, p]) @ np.array(matrix)
    assert first == pytest.approx(second)


def test_instance_weights_rebalance_as_the_threshold_asks():
    # Elkan's theorem: to be right at the threshold p* instead of p0 = 0.5, the first class counts
    # p*/(1-p*) (1-p0)/p0 as much as before, against the second.
    costs, totals = Costs(errors=[[0, 1], [5, 0]]), np.array([9.0, 5.0])
    p = costs.threshold([0, 1])
    first, second = instance_weights(costs.error_matrix([0, 1]), totals)
    assert first / second == pytest.approx(p / (1 - p)) == pytest.approx(0.2)


def test_no_threshold_without_two_classes_or_with_mistakes_that_pay():
    with pytest.raises(CostError, match="tells two classes apart, and there are 3: 'a', 'b', 'c'"):
        Costs().threshold("abc")
    for matrix in ([[0, 0], [0, 0]], [[1, 0], [5, 0]]):
        with pytest.raises(CostError, match="no threshold between '0', '1': a mistake must cost no less"):
            Costs(errors=matrix).threshold([0, 1])


def test_dominated_answers_and_mistakes_that_pay_are_named():
    (dominated,) = remarks(np.array([[0.0, 1, 1], [1, 0, 1], [0, 5, 0]]), ["a", "b", "c"])
    assert dominated.startswith(
        "'c' is never the cheaper answer: 'a' costs no more, whatever the truth. Does"
    )
    (first,) = remarks(np.array([[0.0, 5.0], [0.0, 0.0]])[::-1, ::-1], ["bad", "good"])
    assert "'good' costs no more, whatever the truth. Where both cost the same it is answered" in first
    (paying,) = remarks(np.array([[3.0, 1, 4], [5, 0, 5], [1, 4, 0]]), ["a", "b", "c"])
    assert paying.startswith("Calling 'a' 'b' costs 1, less than the right answer, which costs 3.")
    assert remarks(np.array([[-5.0, 1], [1, -5]]), ["a", "b"]) == []


@given(matrices)
def test_remarks_are_what_the_definitions_say(rows):
    matrix = np.array(rows, dtype=float)
    k = len(matrix)
    names = [f"c{i}" for i in range(k)]
    if (matrix == matrix[:, :1]).all():
        with pytest.raises(CostError, match="every answer costs the same"):
            remarks(matrix, names)
        return
    paying = {(a, p) for a in range(k) for p in range(k) if matrix[a, p] < matrix[a, a]}
    # Ties are answered with the first class, so an answer is never given if another is never dearer, and
    # either comes first or is cheaper once.
    dominated = {
        m
        for m in range(k)
        for n in range(k)
        if n != m and (matrix[:, n] <= matrix[:, m]).all() and (n < m or (matrix[:, n] < matrix[:, m]).any())
    }
    said = remarks(matrix, names)
    assert [text for text in said if text.startswith("Calling")] == [
        text for a, p in sorted(paying) for text in said if text.startswith(f"Calling 'c{a}' 'c{p}' ")
    ]
    assert len(said) == len(paying) + len(dominated)
    for answer in dominated:
        assert any(text.startswith(f"'c{answer}' is never") for text in said)
    # A dominated answer is never the cheapest, whatever the probabilities.
    for p in np.random.default_rng(0).dirichlet(np.ones(k), 20):
        assert int((p @ matrix).round(9).argmin()) not in dominated


X, Y = [[0.0], [1.0], [2.0], [3.0]], ["sick", "sick", "well", "well"]


@pytest.mark.parametrize(
    ("errors", "words"),
    [
        ([[0, 0], [5, 0]], "'sick'"),  # a column of zeros: calling everybody well costs nothing
        ([[0, 9], [0, 0]], "'well' is never the cheaper answer: 'sick' costs no more"),
        ({"sick": {"sick": 8, "well": 2}, "well": {"sick": 3}}, "Calling 'sick' 'well' costs 2, less than"),
    ],
)
def test_fit_warns_and_goes_on(errors, words):
    model = tw.CostTreeClassifier(costs=Costs(errors=errors))
    with pytest.warns(tw.CostWarning) as caught:
        assert model.fit(X, Y).predict(X).shape == (4,)
    assert words in " ".join(str(warning.message) for warning in caught)
    assert all(warning.filename == __file__ for warning in caught)


@pytest.mark.parametrize(
    "costs", [Costs(errors=[[0, 0], [0, 0]]), Costs(errors_default=0), Costs(errors=[[1, 1], [7, 7]])]
)
def test_costs_by_which_no_answer_is_better_are_refused_at_fit(costs):
    with pytest.raises(CostError, match=r"every answer costs the same.*'sick', 'well'.*Give mistakes a cost"):
        tw.CostTreeClassifier(costs=costs).fit(X, Y)


def test_one_class_alone_needs_no_costs():
    warn_if_unreasonable(np.zeros((1, 1)), ["only"])
    assert (
        tw.CostTreeClassifier(costs=Costs(errors=[[0]])).fit(X, [1, 1, 1, 1]).predict(X).tolist() == [1] * 4
    )


def test_classes_that_the_costs_leave_out_are_named_at_fit():
    model = tw.CostTreeClassifier(costs=Costs(errors={"sick": {"well": 5}}))
    with pytest.raises(CostError, match="what it costs to answer 'sick' when the truth is 'well'"):
        model.fit(X, Y)
    model = tw.CostTreeClassifier(costs=Costs(errors={"sick": {"dead": 5}}))
    with pytest.raises(CostError, match="there is no class 'dead' in the data"):
        model.fit(X, Y)
