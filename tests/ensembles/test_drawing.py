import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thriftwood.costs.answers import cheapest, expected_costs
from thriftwood.ensembles.drawing import acceptance, bootstraps, rejection_samples, sample_size


def test_rejection_worked_by_hand():
    kept = acceptance(np.array([1.0, 2.0, 4.0, 10.0]))
    assert kept == pytest.approx([0.1, 0.2, 0.4, 1.0])
    assert kept.sum() == pytest.approx(1.7)
    samples = rejection_samples(4000, np.array([1.0, 2.0, 4.0, 10.0]), np.random.RandomState(0))
    assert np.mean([len(rows) for rows in samples]) == pytest.approx(1.7, abs=0.05)
    assert all(3 in rows for rows in samples)


@given(st.lists(st.floats(0, 100), min_size=1, max_size=20).filter(any), st.integers(0, 9))
def test_a_rejection_sample_keeps_a_case_at_most_once_and_worthless_ones_never(importance, seed):
    importance = np.array(importance)
    for rows in rejection_samples(5, importance, np.random.RandomState(seed)):
        assert len(rows) == len(set(rows.tolist())) > 0
        assert (importance[rows] > 0).all()
        assert set(np.flatnonzero(importance == importance.max())) <= set(rows.tolist())


@given(st.integers(1, 50), st.integers(0, 5))
def test_a_bootstrap_has_its_size_and_rows_of_the_table(n_rows, seed):
    size = sample_size(0.5, n_rows)
    for rows in bootstraps(3, size, n_rows, np.random.RandomState(seed)):
        assert len(rows) == size
        assert 0 <= rows.min() <= rows.max() < n_rows


def plain_cheapest(shares, loss):
    """The answer of least expected cost, added up one by one; the first of equal ones."""
    costs = [
        sum(share * row[answer] for share, row in zip(shares, loss, strict=True))
        for answer in range(len(loss))
    ]
    return min(range(len(loss)), key=lambda answer: costs[answer]), costs


@given(
    st.integers(2, 4).flatmap(
        lambda k: st.tuples(
            st.lists(st.integers(0, 9), min_size=k, max_size=k).filter(any),
            st.lists(st.lists(st.integers(-5, 9), min_size=k, max_size=k), min_size=k, max_size=k),
            st.integers(0, k - 1),
        )
    )
)
def test_the_cheapest_answer_is_that_of_plain_sums(problem):
    counts, loss, kept = problem
    answer, costs = plain_cheapest(counts, loss)  # whole numbers: ties are ties
    shares = np.array([counts]) / sum(counts)
    assert cheapest(shares, np.array(loss, dtype=float)).tolist() == [answer]
    assert expected_costs(shares, np.array(loss, dtype=float))[0] * sum(counts) == pytest.approx(
        costs, abs=1e-9
    )
    stays = kept if costs[kept] == costs[answer] else answer
    assert cheapest(shares, np.array(loss, dtype=float), keep=np.array([kept], dtype=np.int32)).tolist() == [
        stays
    ]
