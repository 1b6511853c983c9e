"""Columns as numbers: means, categories, missing values, and columns that say nothing."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

import thriftwood as tw
from thriftwood.models.coding import MOST_CATEGORIES, Coding
from thriftwood.table import Encoder


def coded(X, weights=None, new=None, nominal=None):
    encoder = Encoder()
    encoded = encoder.fit_encode(X, nominal)
    weights = np.ones(encoded.n_rows) if weights is None else np.asarray(weights, dtype=float)
    coding = Coding.learnt(encoded, encoder.columns, weights)
    return coding.of(encoded if new is None else encoder.encode(new), range(encoded.n_features))


def test_numbers_have_mean_0_and_deviation_1_by_weight():
    assert np.allclose(coded([[1.0], [2.0], [4.0]], [1, 1, 2])[:, 0] * np.sqrt(1.6875), [-1.75, -0.75, 1.25])
    weighted = coded([[1.0], [2.0], [4.0]], [1, 1, 2])[:, 0]
    assert np.allclose(coded([[1.0], [2.0], [4.0], [4.0]])[:3, 0], weighted)


def test_a_value_that_was_missing_at_fit_has_a_column_and_one_that_was_not_is_the_mean():
    assert np.allclose(coded([[1.0], [3.0], [np.nan]]), [[-1, 0], [1, 0], [0, 1]])
    assert coded([[1.0], [3.0]], new=[[np.nan]]).tolist() == [[0]]
    assert coded([[1.0], [3.0], [np.nan]], [1, 1, 0], new=[[np.nan]]).tolist() == [[0]]


def test_categories_unseen_ones_and_missing_ones():
    X = pd.DataFrame({"colour": ["red", "blue", "green", "red", None]})
    assert coded(X).tolist() == [[0, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    assert coded(X, new=pd.DataFrame({"colour": ["violet"]})).tolist() == [[0, 0, 0, 0]]
    assert coded(pd.DataFrame({"flag": ["no", "yes", "no"]})).tolist() == [[0], [1], [0]]


def test_only_the_commonest_of_many_categories_have_a_number():
    X = pd.DataFrame({"city": [f"c{j % 100}" for j in range(150)]})
    numbers = coded(X)
    assert numbers.shape == (150, MOST_CATEGORIES)
    assert numbers.sum() == 2 * MOST_CATEGORIES  # c0 to c49 come twice


@pytest.mark.parametrize("column", [[7.0] * 3, [np.nan] * 3, [0.1 + 0.2, 0.3, 0.3]])
def test_a_column_that_says_nothing_has_no_number(column):
    assert coded(np.array(column)[:, None]).shape == (3, 0)


def test_large_numbers_and_sparse_tables():
    assert np.allclose(coded([[-1e300], [1e300]]), [[-1], [1]])
    X = np.array([[0.0, 2.0], [1.0, 0.0], [0.0, 4.0]])
    assert np.allclose(coded(csr_matrix(X)), coded(X))


def test_numbers_far_beyond_those_seen_still_give_shares():
    X = np.random.default_rng(0).normal(size=(60, 2))
    costs = tw.Costs(default_price=1, errors_default=9)
    model = tw.EverythingClassifier(costs).fit(X, X[:, 0] > 0)
    shares = model.predict_proba([[1e308, 0.0], [-1e308, 1e308]])
    assert np.isfinite(shares).all()
