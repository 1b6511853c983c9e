"""Arrays, lists and sparse matrices: what is copied, what is converted, what is refused."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_array_equal

from thriftwood.table import Encoder, Kind

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_contiguous_float_array_is_passed_on_as_it_is(dtype, order):
    X = np.asarray(RNG.random((20, 3)), dtype=dtype, order=order)
    X.flags.writeable = False
    encoder = Encoder()
    assert encoder.fit_encode(X).dense is X
    assert encoder.encode(X).dense is X


def test_a_pandas_frame_of_one_block_is_not_copied():
    for X in (np.ones((5, 3)), np.ones((5, 3), order="F")):
        frame = pd.DataFrame(X, columns=list("abc"), copy=False)
        assert np.shares_memory(Encoder().fit_encode(frame).dense, X)


def test_separate_float_columns_are_not_copied():
    a, b = np.arange(5.0), np.arange(5, dtype=np.float32)
    table = Encoder().fit_encode(pd.DataFrame({"a": a, "b": b}, copy=False))
    assert np.shares_memory(table.columns[0], a)
    assert np.shares_memory(table.columns[1], b)
    series = pl.Series("a", a)
    assert np.shares_memory(Encoder().fit_encode(pl.DataFrame([series])).columns[0], series.to_numpy())


@pytest.mark.parametrize(
    ("dtype", "wanted"),
    [
        (np.float16, np.float32),
        (np.int8, np.float64),
        (np.uint64, np.float64),
        (bool, np.float64),
        (">f8", np.float64),
        (np.longdouble, np.float64),
    ],
)
def test_other_numbers_become_floats(dtype, wanted):
    X = np.array([[0, 1], [1, 0], [1, 1]]).astype(dtype)
    dense = Encoder().fit_encode(X).dense
    assert dense.dtype == wanted
    assert dense.dtype.isnative
    assert_array_equal(dense, [[0, 1], [1, 0], [1, 1]])


def test_strided_and_unaligned_arrays_become_contiguous():
    X = RNG.random((10, 8))
    packed = np.frombuffer(b"\0" + X.tobytes(), dtype=np.uint8)[1:].view(np.float64).reshape(10, 8)
    for view in (X[::2], X[:, 1::3], X[::-1], np.broadcast_to(X[0], (4, 8)), packed):
        dense = Encoder().fit_encode(view).dense
        assert dense.flags.aligned
        assert dense.flags.c_contiguous or dense.flags.f_contiguous
        assert_array_equal(dense, view)


def test_masked_values_are_missing():
    X = np.ma.masked_equal(np.array([[1, 2], [3, 4]]), 3)
    table = Encoder().fit_encode(X)
    assert table.has_missing
    assert_array_equal(table.dense, [[1, 2], [np.nan, 4]])
    words = np.ma.array([["a"], ["b"]], mask=[[True], [False]])
    assert_array_equal(Encoder().fit_encode(words).columns[0], [-1, 0])


def test_text_arrays_are_nominal_even_when_they_look_like_numbers():
    encoder = Encoder()
    assert_array_equal(encoder.fit_encode(np.array([["2"], ["10"], ["2"]])).columns[0], [1, 0, 1])
    assert encoder.columns[0].categories == ("10", "2")


@given(hnp.arrays(np.float64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=6)))
def test_missing_is_noticed_and_infinity_refused_whatever_the_numbers(X):
    if np.isinf(X).any():
        row, column = np.argwhere(np.isinf(X))[0]
        with pytest.raises(
            ValueError, match=rf"infinity or a value too large.*\ncolumn {column} has .*row {row}\."
        ):
            Encoder().fit(X)
    else:
        assert Encoder().fit_encode(X).has_missing == np.isnan(X).any()


def test_a_sum_that_overflows_is_not_an_infinity():
    biggest = np.finfo(np.float32).max
    X = np.array([[biggest, biggest], [-biggest, -biggest], [biggest, 1]], dtype=np.float32)
    table = Encoder().fit_encode(X)
    assert table.dense is X
    assert not table.has_missing


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_an_infinity_is_refused_with_its_column(value):
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"], "c": [0.0, value]})
    with pytest.raises(
        ValueError, match=r"contains infinity.*dtype\('float64'\)\.\ncolumn 'c' has -?inf in row 1"
    ):
        Encoder().fit(frame)
    encoder = Encoder().fit(frame.assign(c=0.0))
    with pytest.raises(ValueError, match="column 'c'"):
        encoder.encode(frame)
    with pytest.raises(ValueError, match="column 0 has"):
        Encoder().fit(np.array([[value]]), nominal=[0])


def test_an_integer_beyond_floats_is_refused():
    with pytest.raises(ValueError, match=r"value too large.*\nIt is an integer in column 0"):
        Encoder().fit(np.array([[10**400], [1]], dtype=object))


def test_mixed_values_are_nominal_in_order_of_first_appearance():
    encoder = Encoder()
    X = np.array([["b"], [3], [None], ["a"], [3.0], [float("nan")]], dtype=object)
    assert_array_equal(encoder.fit_encode(X).columns[0], [0, 1, -1, 2, 1, -1])
    assert encoder.columns[0].categories == ("b", 3, "a")


def test_pandas_na_beside_text_is_missing():
    frame = pd.DataFrame({"x": pd.Series([pd.NA, "a", pd.NA, "b"], dtype=object)})
    encoder = Encoder()
    for table in (encoder.fit_encode(frame), encoder.encode(frame)):
        assert_array_equal(table.columns[0], [-1, 0, -1, 1])


def test_values_that_cannot_be_categories_are_refused():
    with pytest.raises(TypeError, match=r"column 0 .*argument must be a string or a number"):
        Encoder().fit(np.array([[{"foo": "bar"}], [1]], dtype=object))


def test_numeric_columns_can_be_chosen_as_nominal():
    X = np.array([[5.0, 1.5], [np.nan, 2.5], [-2.0, 1.5], [5.0, 0.5]])
    encoder = Encoder()
    table = encoder.fit_encode(X, nominal=[0, np.int64(1)])
    assert_array_equal(table.columns[0], [1, -1, 0, 1])
    assert_array_equal(table.columns[1], [1, 2, 1, 0])
    assert [column.categories for column in encoder.columns] == [(-2.0, 5.0), (0.5, 1.5, 2.5)]
    assert_array_equal(encoder.encode(np.array([[5, 2]])).columns[0], [1])
    assert_array_equal(encoder.encode(np.array([[5, 2]])).columns[1], [-2])


@given(hnp.arrays(st.sampled_from([np.int64, np.uint64, np.int8, bool]), st.integers(1, 30)))
def test_codes_of_integers_decode_to_the_integers(values):
    encoder = Encoder()
    codes = encoder.fit_encode(values[:, None], nominal=[0]).columns[0]
    assert [encoder.decode_value(0, code) for code in codes] == values.tolist()
    assert encoder.columns[0].categories == tuple(sorted(set(values.tolist())))


def test_auto_leaves_the_choice_to_the_types():
    encoder = Encoder().fit([[1, "a"]], nominal="auto")
    assert [column.kind for column in encoder.columns] == [Kind.NUMERIC, Kind.NOMINAL]


@pytest.mark.parametrize(
    "container", [sp.csc_array, sp.csr_matrix, sp.coo_array, sp.lil_matrix, sp.dok_array]
)
def test_sparse_matrices_become_columns(container):
    X = np.array([[0, 1, 0], [2, 0, np.nan], [0, 0, 3]])
    encoder = Encoder()
    for table in (encoder.fit_encode(container(X)), encoder.encode(container(X))):
        indptr, indices, data = table.sparse
        assert (indptr.dtype, indices.dtype, data.dtype) == (np.int64, np.int32, np.float64)
        assert_array_equal(sp.csc_array((data, indices, indptr), shape=X.shape).toarray(), X)
        assert table.has_missing


def test_sparse_columns_are_sorted_unique_and_without_zeros_and_the_original_is_left_alone():
    X = sp.csc_array(
        (np.array([1.0, 2.0, 3.0, 0.0]), np.array([2, 0, 2, 1]), np.array([0, 3, 4])), shape=(3, 2)
    )
    table = Encoder().fit_encode(X)
    assert_array_equal(table.sparse.indptr, [0, 2, 2])
    assert_array_equal(table.sparse.indices, [0, 2])
    assert_array_equal(table.sparse.data, [2.0, 4.0])
    assert_array_equal(X.indices, [2, 0, 2, 1])


def test_a_clean_csc_matrix_is_not_copied():
    X = sp.csc_array(np.eye(4, dtype=np.float32))
    table = Encoder().fit_encode(X)
    assert np.shares_memory(table.sparse.data, X.data)
    assert table.sparse.data.dtype == np.float32


def test_sparse_refusals():
    bad = sp.csc_array(np.array([[0, 0, 0], [0, 1, np.inf]]))
    with pytest.raises(ValueError, match="column 2 has inf in row 1"):
        Encoder().fit(bad)
    with pytest.raises(ValueError, match="Complex data not supported"):
        Encoder().fit(sp.csc_array(np.eye(2) * 1j))
    with pytest.raises(ValueError, match="some columns are nominal"):
        Encoder().fit(sp.csc_array(np.eye(2)), nominal=[0])
    with pytest.raises(ValueError, match="some columns are nominal"):
        Encoder().fit([["a", 1]]).encode(sp.csc_array(np.eye(2)))


def test_sparse_and_dense_may_follow_each_other():
    X = np.eye(3)
    assert Encoder().fit(X).encode(sp.csr_array(X)).sparse is not None
    assert Encoder().fit(sp.csr_array(X)).encode(X).dense is X
