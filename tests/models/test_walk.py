"""The walk of one case in Python: the same shares as in the core."""

import numpy as np
import pytest
from finished_trees import deep

from thriftwood import _core
from thriftwood.models.tree.tree import Tree
from thriftwood.models.tree.walk import branch_shares, endings


def weighed(weights):
    """A test with two leaves of these weights; class shares tell which leaf answered."""
    tree = deep(1)
    arrays = tree.core.to_arrays()
    arrays["weight"] = np.array([1.0, *weights])
    arrays["values"] = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    return Tree(_core.Tree.from_arrays(arrays), tree.encoder, ["low", "high"], None)


@pytest.mark.parametrize(
    ("weights", "shares"),
    [
        ([3.0, 1.0], [0.75, 0.25]),
        ([0.0, 0.0], [0.5, 0.5]),
        ([1.5e308, 0.5e308], [0.5, 0.5]),  # their sum is more than a float64 holds
        ([1e308, 0.25e308], [0.8, 0.2]),
    ],
)
def test_a_missing_value_goes_down_all_branches_by_weight_as_in_the_core(weights, shares):
    tree = weighed(weights)
    assert dict(branch_shares(tree, 0)) == pytest.approx({1: shares[0], 2: shares[1]})
    assert [ending.share for ending in endings(tree, {0: float("nan")})] == pytest.approx(shares)
    np.testing.assert_allclose(tree.predict_proba([[np.nan]]), [shares])
