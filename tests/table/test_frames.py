"""The same table, whatever holds it, gives the same encoding."""

import datetime

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.testing import assert_array_equal

from thriftwood.table import Encoder, Kind

AGE = [54.5, None, 61.0, 40.25]
COUNT = [3, 0, None, 7]
SMOKER = ["yes", "no", None, "yes"]
FLAG = [True, False, True, None]
STAGE = ["mid", None, "low", "mid"]
STAGES = ["low", "mid", "high"]
NAMES = ("age", "count", "smoker", "flag", "stage")

EXPECTED = [
    np.array([54.5, np.nan, 61.0, 40.25]),
    np.array([3.0, 0.0, np.nan, 7.0]),
    np.array([1, 0, -1, 1], dtype=np.int32),
    np.array([1.0, 0.0, 1.0, np.nan]),
    np.array([1.0, np.nan, 0.0, 1.0]),
]


def _pandas(**types):
    stage = pd.Categorical(STAGE, categories=STAGES, ordered=True)
    columns = dict(zip(NAMES, (AGE, COUNT, SMOKER, FLAG), strict=False))
    made = {name: pd.Series(values, dtype=types.get(name, object)) for name, values in columns.items()}
    return pd.DataFrame({**made, "stage": stage})


def _arrow(text=None):
    ranks = pa.array([1, None, 0, 1], pa.int8())
    stage = pa.DictionaryArray.from_arrays(ranks, pa.array(STAGES), ordered=True)
    smoker = pa.array(SMOKER, text)
    return pa.table([pa.array(AGE), pa.array(COUNT), smoker, pa.array(FLAG), stage], names=NAMES)


def _polars(smoker=pl.String):
    types = {
        "age": pl.Float64,
        "count": pl.Int64,
        "smoker": smoker,
        "flag": pl.Boolean,
        "stage": pl.Enum(STAGES),
    }
    return pl.DataFrame(dict(zip(NAMES, (AGE, COUNT, SMOKER, FLAG, STAGE), strict=True)), schema=types)


def _chunked_dictionary():
    whole = _arrow()
    smoker = pa.chunked_array(
        [pa.array(SMOKER[:3]).dictionary_encode(), pa.array(SMOKER[3:]).dictionary_encode()]
    )
    return whole.set_column(2, "smoker", smoker)


TABLES = {
    "pandas object": _pandas(),
    "pandas nullable": _pandas(age="Float64", count="Int64", smoker="string", flag="boolean"),
    "pandas str": _pandas(age="float64", count="float64", smoker="str", flag="boolean"),
    "pandas category": _pandas(age="float64", count="Int16", smoker="category"),
    "pandas NA objects": _pandas()
    .astype({"age": "Float64", "flag": "boolean"})
    .astype({"age": object, "flag": object}),
    "pandas arrow": _pandas(
        age="double[pyarrow]", count="int64[pyarrow]", smoker="string[pyarrow]", flag="bool[pyarrow]"
    ),
    "pandas arrow dictionary": _pandas(
        age="float64", count="int8[pyarrow]", smoker=pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))
    ),
    "polars": _polars(),
    "polars categorical": _polars(pl.Categorical),
    "polars in chunks": pl.concat([_polars()[:2], _polars()[2:]], rechunk=False),
    "arrow": _arrow(),
    "arrow large text": _arrow(pa.large_string()),
    "arrow text view": _arrow(pa.string_view()),
    "arrow dictionary": _chunked_dictionary(),
    "arrow in chunks": pa.concat_tables([_arrow()[:1], _arrow()[1:]]),
    "narwhals": nw.from_native(_polars()),
}


@pytest.mark.parametrize("kind", TABLES)
def test_every_frame_gives_the_same_encoding(kind):
    encoder = Encoder()
    for table in (encoder.fit_encode(TABLES[kind]), encoder.encode(TABLES[kind])):
        assert (table.n_rows, table.n_features, table.has_missing) == (4, 5, True)
        assert table.dense is None
        assert table.sparse is None
        for got, wanted in zip(table.columns, EXPECTED, strict=True):
            assert got.dtype == wanted.dtype
            assert got.flags.c_contiguous
            assert_array_equal(got, wanted)
    assert encoder.feature_names == NAMES
    kinds = [Kind.NUMERIC, Kind.NUMERIC, Kind.NOMINAL, Kind.NUMERIC, Kind.ORDERED]
    assert [column.kind for column in encoder.columns] == kinds
    assert encoder.columns[2].categories == ("no", "yes")
    assert encoder.columns[4].categories == ("low", "mid", "high")


@pytest.mark.parametrize("kind", TABLES)
def test_what_one_frame_taught_another_frame_follows(kind):
    learnt = Encoder().fit(TABLES["polars"])
    for got, wanted in zip(learnt.encode(TABLES[kind]).columns, EXPECTED, strict=True):
        assert_array_equal(got, wanted)


def test_nested_lists_and_object_arrays_follow_too():
    rows = [list(row) for row in zip(AGE, COUNT, SMOKER, FLAG, strict=True)]
    for X in (rows, [tuple(row) for row in rows], np.array(rows, dtype=object)):
        encoder = Encoder()
        for got, wanted in zip(encoder.fit_encode(X).columns, EXPECTED, strict=False):
            assert_array_equal(got, wanted)
        assert encoder.feature_names is None


def test_a_number_beside_text_in_a_list_stays_a_number():
    table = Encoder().fit_encode([[1.5, "a"], [2.5, "b"]])
    assert_array_equal(table.columns[0], [1.5, 2.5])


def test_polars_nan_and_null_are_both_missing():
    table = Encoder().fit_encode(pl.DataFrame({"a": [1.0, None, float("nan")]}))
    assert_array_equal(table.columns[0], [1.0, np.nan, np.nan])


def test_polars_categoricals_that_share_a_pool_keep_their_own_codes():
    frame = pl.DataFrame({"a": ["z", "y", None], "b": ["x", "z", "x"]}).cast(pl.Categorical)
    encoder = Encoder()
    first, second = encoder.fit_encode(frame).columns
    assert_array_equal(first, [1, 0, -1])
    assert_array_equal(second, [0, 1, 0])
    assert encoder.columns[1].categories == ("x", "z")


def test_declared_categories_are_kept_in_their_order_though_absent():
    series = pd.Series(pd.Categorical(["b", "a"], categories=["c", "b", "a"]))
    encoder = Encoder()
    assert_array_equal(encoder.fit_encode(pd.DataFrame({"x": series})).columns[0], [1, 2])
    assert encoder.columns[0].categories == ("c", "b", "a")
    assert encoder.columns[0].kind is Kind.NOMINAL


def test_a_dictionary_with_nulls_and_repeats_inside_it_is_read_by_value():
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 3]), pa.array(["b", None, "a", "b"]))
    assert_array_equal(Encoder().fit_encode(pa.table({"x": column})).columns[0], [1, -1, 0, 1])


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"x": pd.Series([None, None], dtype="str")}),
        pl.DataFrame({"x": [None, None]}, schema={"x": pl.String}),
        pl.DataFrame({"x": [None, None]}, schema={"x": pl.Categorical}),
        pa.table({"x": pa.array([None, None], pa.string())}),
    ],
)
def test_a_text_column_of_missing_values_has_no_categories(frame):
    encoder = Encoder()
    assert_array_equal(encoder.fit_encode(frame).columns[0], [-1, -1])
    assert encoder.columns[0].categories == ()
    assert_array_equal(encoder.encode(pd.DataFrame({"x": ["a"]})).columns[0], [-2])


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"x": [None, pd.NaT, pd.NA]}, dtype=object),
        pl.DataFrame({"x": [None, None, None]}),
        pa.table({"x": pa.nulls(3)}),
    ],
)
def test_a_column_without_type_or_value_is_numeric(frame):
    assert_array_equal(Encoder().fit_encode(frame).columns[0], [np.nan] * 3)


def test_identifiers_above_two_to_the_53_stay_apart_as_categories():
    big = 2**53
    for frame in (
        pd.DataFrame({"id": pd.Series([big, big + 1, None], dtype="Int64")}),
        pl.DataFrame({"id": [big, big + 1, None]}),
        pa.table({"id": [big, big + 1, None]}),
    ):
        encoder = Encoder()
        assert_array_equal(encoder.fit_encode(frame, nominal=["id"]).columns[0], [0, 1, -1])
        assert encoder.columns[0].categories == (big, big + 1)


def test_pandas_sparse_and_interval_columns():
    frame = pd.DataFrame({"s": pd.arrays.SparseArray([0.0, 2.0, 0.0]), "i": pd.cut([1, 5, 9], [0, 4, 10])})
    encoder = Encoder()
    numbers, ranks = encoder.fit_encode(frame).columns
    assert_array_equal(numbers, [0, 2, 0])
    assert_array_equal(ranks, [0, 1, 1])
    assert encoder.columns[1].kind is Kind.ORDERED


def test_decimals_are_numbers():
    column = pa.array([1, None, 2], pa.int32()).cast(pa.decimal128(12, 2))
    for frame in (pa.table({"x": column}), pl.from_arrow(pa.table({"x": column}))):
        assert_array_equal(Encoder().fit_encode(frame).columns[0], [1, np.nan, 2])


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"when": pd.to_datetime(["2020-01-01"])}),
        pd.DataFrame({"when": pd.to_timedelta(["1 day"])}),
        pd.DataFrame({"when": pd.period_range("2020", periods=1, freq="D")}),
        pd.DataFrame({"when": pd.Series([datetime.date(2020, 1, 1), None], dtype=object)}),
        pd.DataFrame({"when": pd.Series([datetime.date(2020, 1, 1)], dtype="date32[pyarrow]")}),
        pl.DataFrame({"when": [datetime.datetime(2020, 1, 1)]}),
        pl.DataFrame({"when": [datetime.timedelta(1)]}),
        pa.table({"when": pa.array([datetime.date(2020, 1, 1)])}),
        pa.table({"when": pa.array([datetime.time(1)])}),
    ],
)
def test_dates_and_durations_are_refused_by_name(frame):
    with pytest.raises(TypeError, match=r"column 'when' holds dates or durations.*Turn it into numbers"):
        Encoder().fit(frame)


@pytest.mark.parametrize(
    "frame", [pl.DataFrame({"x": [[1, 2]]}), pa.table({"x": [[1, 2]]}), pa.table({"x": [{"a": 1}]})]
)
def test_nested_columns_are_refused_by_name(frame):
    with pytest.raises(TypeError, match=r"column 'x' holds lists or records"):
        Encoder().fit(frame)


def test_a_lazy_frame_is_asked_to_be_collected():
    with pytest.raises(TypeError, match="collect"):
        Encoder().fit(_polars().lazy())


def test_repeated_names_are_refused_and_listed():
    for frame in (
        pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"]),
        pa.table([[1], [2], [3]], names=["a", "b", "a"]),
    ):
        with pytest.raises(ValueError, match=r"more than once: 'a'\."):
            Encoder().fit(frame)


def test_integer_names_count_as_none_and_mixed_names_are_refused():
    encoder = Encoder()
    table = encoder.fit_encode(pd.DataFrame([[1, "u"], [2, "v"]], columns=[7, 0]))
    assert encoder.feature_names is None
    assert_array_equal(table.columns[1], [0, 1])
    with pytest.raises(TypeError, match="all input features have string names"):
        Encoder().fit(pd.DataFrame([[1, 2]], columns=["a", 0]))
