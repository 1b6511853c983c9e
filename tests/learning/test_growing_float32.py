"""float32 copies of the training rows take the paths of the rows themselves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.lib.recfunctions import structured_to_unstructured

import thriftwood as tw


def told_apart(X):
    """Round so that no two values of a column become one in float32."""
    return [len(np.unique(column)) == len(np.unique(column.astype(np.float32))) for column in X.T]


@pytest.mark.parametrize("name", ["c45", "cart", "id3", "c45-priors"])
@pytest.mark.parametrize("dataset", ["glass", "iris", "wine", "wisconsin-diagnostic"])
def test_published_tables(name, dataset, request):
    if dataset == "glass":
        request.getfixturevalue("published_folder")
    data = tw.load_dataset(dataset, frame="numpy")
    X = structured_to_unstructured(data.X, dtype=np.float64)
    assert all(told_apart(X))
    model = tw.algorithm(name, random_state=0).fit(X, data.y)
    np.testing.assert_array_equal(model.tree_.apply(X.astype(np.float32)), model.tree_.apply(X))


@settings(max_examples=100, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(["midpoint", "observed"]),
    st.sampled_from([1e-7, 1e-3, 1.0, 1e30]),
    st.sampled_from(["fractional", "surrogate"]),
)
def test_numbers_however_close(seed, cut_at, scale, missing):
    rng = np.random.default_rng(seed)
    # Neighbours in float32, and numbers somewhere between them.
    near = np.float32(1.5) + np.arange(40) * np.spacing(np.float32(1.5))
    X = (near.astype(float)[rng.integers(0, 40, (60, 2))] + rng.uniform(-5e-8, 5e-8, (60, 2))) * scale
    y = rng.integers(0, 2, 60)
    copies = X.astype(np.float32)
    rounded = np.unique(np.column_stack([X.ravel(), copies.ravel().astype(float)]), axis=0)
    same = {v for v, n in zip(*np.unique(rounded[:, 1], return_counts=True), strict=True) if n > 1}
    X[np.isin(copies.astype(float), list(same))] = 0.0  # float32 cannot tell these apart
    X[0] = 0.0
    model = tw.CostTreeClassifier(growth=tw.Growth(cut_at=cut_at, missing=missing)).fit(X, y)
    np.testing.assert_array_equal(model.tree_.apply(X.astype(np.float32)), model.tree_.apply(X))


def test_a_cut_at_an_observed_value_stays_there_where_float32_has_it():
    X, y = np.array([[64.0], [75.0], [75.0], [80.0]]), [0, 0, 0, 1]
    model = tw.CostTreeClassifier(growth=tw.Growth(cut_at="observed")).fit(X, y)
    assert model.tree_.core.threshold[0] == 75.0


def test_numbers_that_float32_does_not_have_are_cut_where_they_are():
    X, y = np.array([[1e300], [2e300]]), [0, 1]
    model = tw.CostTreeClassifier().fit(X, y)
    assert model.tree_.core.threshold[0] == 1.5e300
