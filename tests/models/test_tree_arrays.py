"""Arrays in and out of the core: what comes back is what went in, and nothing bad gets in."""

import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_tree import LEAF, column_table, random_rows, random_tree, some_tree

from thriftwood._core import Table, Tree

seeds = st.integers(0, 2**32 - 1)


def test_arrays_come_back_as_they_went_in():
    arrays = some_tree()
    tree = Tree.from_arrays(arrays)
    back = tree.to_arrays()
    assert back.keys() == arrays.keys()
    for name in arrays.keys() - {"surrogates", "regression"}:
        np.testing.assert_array_equal(back[name], arrays[name])
        np.testing.assert_array_equal(getattr(tree, name), arrays[name])
        assert back[name].dtype == arrays[name].dtype
        assert not back[name].flags.writeable
    for name, array in arrays["surrogates"].items():
        np.testing.assert_array_equal(tree.surrogates[name], array)
    assert tree.n_nodes == len(arrays["kind"])
    assert tree.n_leaves == (arrays["kind"] == LEAF).sum()
    assert (tree.width, tree.regression) == (3, False)


def test_equal_means_equal_in_every_field():
    arrays = some_tree()
    tree = Tree.from_arrays(arrays)
    twins = [Tree.from_arrays(tree.to_arrays()), pickle.loads(pickle.dumps(tree)), copy.deepcopy(tree)]
    assert all(twin == tree and hash(twin) == hash(tree) for twin in twins)
    for name in ["weight", "gain", "risk", "impurity"]:
        changed = arrays[name].copy()
        changed[-1] = np.nextafter(changed[-1], 2)
        assert Tree.from_arrays(arrays | {name: changed}) != tree
    assert tree != "a tree"


def test_views_outlive_the_tree():
    threshold = Tree.from_arrays(some_tree()).threshold
    np.testing.assert_array_equal(threshold, some_tree()["threshold"])


def test_the_table_keeps_its_array_alive():
    tree = Tree.from_arrays(random_tree(np.random.default_rng(2), feature_values=[0, 0]))
    X = np.random.default_rng(3).normal(size=(1000, 2))
    expected = tree.apply(Table.from_dense(X))
    np.testing.assert_array_equal(tree.apply(Table.from_dense(X.copy())), expected)


@pytest.mark.parametrize("n_rows", [0, 1])
def test_tables_of_no_or_one_row(n_rows):
    tree = Tree.from_arrays(random_tree(np.random.default_rng(2), feature_values=[0, 0]))
    table = Table.from_dense(np.zeros((n_rows, 2)))
    assert (table.n_rows, table.n_features, table.feature_values.tolist()) == (n_rows, 2, [0, 0])
    assert tree.apply(table).shape == tree.predict_labels(table).shape == (n_rows,)
    assert tree.predict_proba(table).shape == (n_rows, 3)
    assert tree.decision_path(table)[0].shape == (n_rows + 1,)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Table.from_dense(np.zeros((2, 2), dtype=int)), "2-D float32 or float64 array.*int64"),
        (lambda: Table.from_dense(np.zeros(2)), "2-D .*got a 1-D float64"),
        (lambda: Table.from_dense(np.zeros((2, 2), dtype=">f8")), "byte order"),
        (lambda: Table.from_dense(np.zeros(17, dtype=np.uint8)[1:].view(float).reshape(1, 2)), "not aligned"),
        (lambda: Table.from_dense([[1.0]]), "got a list"),
        (lambda: Table.from_columns([]), "at least one column"),
        (lambda: Table.from_columns([np.zeros(2), np.zeros(3)]), "Column 1 has 3 rows"),
        (lambda: Table.from_columns([(np.array([0, 2], np.int32), 2)]), "code 2 in row 1"),
        (lambda: Table.from_columns([(np.array([-3], np.int32), 2)]), "code -3 in row 0"),
        (lambda: Table.from_columns([(np.array([0]), 2)]), "int32 array, got a 1-D int64"),
        (lambda: Table.from_columns([(np.array([0], np.int32), -1)]), "number of categories"),
        (lambda: Table.from_csc(np.array([0, 1]), np.array([3]), np.ones(1), 3), "3 rows"),
        (lambda: Table.from_csc(np.array([0, 1]), np.array([-1], np.int32), np.ones(1), 3), "row -1"),
        (lambda: Table.from_csc(np.array([0, 2]), np.array([1, 1]), np.ones(2), 3), "strictly ascending"),
        (lambda: Table.from_csc(np.array([0, 5]), np.array([1]), np.ones(1), 3), "indptr must rise"),
        (lambda: Table.from_csc(np.array([0, 2, 1]), np.array([0, 1]), np.ones(2), 3), "indptr must rise"),
        (lambda: Table.from_csc(np.array([1, 1]), np.array([0]), np.ones(1), 3), "begin with 0"),
        (lambda: Table.from_csc(np.array([0, 1]), np.array([0, 1]), np.ones(1), 3), "one length"),
        (lambda: Table.from_csc(np.array([0, 1]), np.array([0]), np.ones(1), -1), "negative"),
        (lambda: Table.from_csc(np.array([0, 1]), np.array([0]), np.ones(1), 2**40), "at most"),
    ],
)
def test_tables_that_cannot_be(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_tables_that_do_not_fit_the_tree():
    tree = Tree.from_arrays(some_tree())
    with pytest.raises(ValueError, match="2 features, the tree was grown on 3"):
        tree.apply(Table.from_dense(np.zeros((1, 2))))
    with pytest.raises(ValueError, match="Feature 1 is nominal in the tree but numeric in the table"):
        tree.predict_labels(Table.from_dense(np.zeros((1, 3))))
    nominal = (np.zeros(1, dtype=np.int32), 3)
    with pytest.raises(ValueError, match="Feature 0 is numeric in the tree but nominal"):
        tree.predict_proba(Table.from_columns([nominal, nominal, np.zeros(1)]))
    with pytest.raises(ValueError, match="no numbers"):
        tree.predict_numbers(column_table(np.zeros((1, 3)), [0, 3, 0]))
    with pytest.raises(ValueError, match="no classes"):
        Tree.from_arrays(some_tree(regression=True)).predict_labels(column_table(np.zeros((1, 3)), [0, 3, 0]))


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ({"kind": None}, "'kind' of the tree must be a 1-D uint8 array, got a NoneType"),
        ({"feature": np.zeros(3)}, "'feature' of the tree must be a 1-D int32 array, got a 1-D float64"),
        ({"feature": np.zeros(3, dtype=np.int32)}, "has 3 entries"),
        ({"values": np.zeros((1, 1))}, "a row for each node"),
        ({"regression": 0}, "True or False"),
        ({"surrogates": []}, "a dict of arrays"),
        ({"surrogates": {}}, "the surrogates has no entry 'kind'"),
        ({"colour": 1}, "unknown entry 'colour'"),
        ({7: 1}, "unknown entry 7"),
    ],
)
def test_dicts_that_are_no_tree(edit, words):
    with pytest.raises(ValueError, match=words):
        Tree.from_arrays(some_tree() | edit)


def test_a_missing_array_is_named():
    arrays = some_tree()
    del arrays["weight"]
    with pytest.raises(ValueError, match="no entry 'weight'"):
        Tree.from_arrays(arrays)


HOSTILE_INTEGERS = [-(2**31), -1000, -3, -2, -1, 0, 1, 2, 3, 5, 20, 1000, 2**31 - 1]
HOSTILE_NUMBERS = [math.nan, math.inf, -math.inf, -1.0, -1e300, 0.0, 5e-324, 0.5, 1e300]


def spoil(rng, arrays):
    """Change one thing in a copy of a tree's arrays."""
    arrays = copy.deepcopy(arrays)
    place = arrays["surrogates"] if rng.random() < 0.2 else arrays
    name = str(rng.choice([name for name, entry in place.items() if isinstance(entry, np.ndarray)]))
    array = place[name]
    manner = rng.random()
    if manner < 0.05:
        place[name] = array[:-1]
    elif manner < 0.1:
        place[name] = np.concatenate([array, array[:2]])
    elif manner < 0.15:
        with np.errstate(all="ignore"):  # an earlier edit may have left an infinity
            place[name] = array.astype(rng.choice(["f4", "f8", "i8", "u1", "?"]))
    elif array.size:
        at = tuple(int(rng.integers(n)) for n in array.shape)
        if array.dtype == np.uint8:
            array[at] = rng.integers(0, 5)
        elif array.dtype == bool:
            array.view(np.uint8)[at] = 2  # numpy lets a bool be something else
        else:
            array[at] = rng.choice(HOSTILE_NUMBERS if array.dtype == float else HOSTILE_INTEGERS)
    return arrays


@given(seeds, st.booleans())
@settings(deadline=None, max_examples=1500)
def test_spoilt_arrays_are_refused_or_walk_safely(seed, regression):
    rng = np.random.default_rng(seed)
    feature_values = [0, 3, 0, 2]
    table = column_table(random_rows(rng, feature_values, 6), feature_values)
    good = random_tree(rng, feature_values=feature_values, regression=regression)
    for _ in range(8):
        spoilt = good
        for _ in range(int(rng.integers(1, 3))):
            spoilt = spoil(rng, spoilt)
        try:
            tree = Tree.from_arrays(spoilt)
        except ValueError:
            continue
        assert tree == pickle.loads(pickle.dumps(tree))
        if spoilt["feature_values"].tolist() != feature_values:
            continue
        assert np.isin(tree.apply(table), np.arange(tree.n_nodes)).all()
        assert tree.decision_path(table)[1].max() < tree.n_nodes
        if regression:
            assert np.isfinite(tree.predict_numbers(table)).all()
        else:
            np.testing.assert_allclose(tree.predict_proba(table).sum(axis=1), 1.0)
            assert np.isin(tree.predict_labels(table), np.arange(tree.width)).all()
