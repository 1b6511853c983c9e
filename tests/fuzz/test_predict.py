"""Tables handed to a fitted model: the same numbers in any wrapping, and clear errors for the rest."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

import thriftwood as tw

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 4))
X[np.abs(X) < 0.3] = 0.0
Y = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int)
MODEL = tw.CostTreeClassifier().fit(X, Y)
NAMES = list("abcd")
NAMED = tw.CostTreeClassifier().fit(pd.DataFrame(X, columns=NAMES), Y)


def as_matrix(array):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)  # numpy's own word on matrices
        return np.asmatrix(array)


def unaligned(array):
    raw = np.frombuffer(b"x" + array.tobytes(), dtype=np.uint8)[1:]
    return raw.view(array.dtype).reshape(array.shape)


def read_only(array):
    copy = array.copy()
    copy.flags.writeable = False
    return copy


class Wrapped:
    def __array__(self, dtype=None, copy=None):
        return X


WRAPPINGS = {
    "fortran": np.asfortranarray(X),
    "strided": np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3],
    "backwards": X[::-1, ::-1].copy()[::-1, ::-1],
    "transposed": np.ascontiguousarray(X.T).T,
    "read-only": read_only(X),
    "byte-swapped": X.astype(">f8"),
    "unaligned": unaligned(X),
    "long double": X.astype(np.longdouble),
    "object": X.astype(object),
    "matrix": as_matrix(X),
    "masked": np.ma.masked_array(X),
    "list": X.tolist(),
    "tuples": tuple(map(tuple, X.tolist())),
    "memoryview": memoryview(X),
    "__array__": Wrapped(),
    "csr": sp.csr_matrix(X),
    "csc": sp.csc_array(X),
    "coo": sp.coo_matrix(X),
    "lil": sp.lil_matrix(X),
    "frame": pd.DataFrame(X),
}


@pytest.mark.parametrize("table", WRAPPINGS.values(), ids=WRAPPINGS)
def test_the_same_numbers_get_the_same_answers(table):
    assert (MODEL.predict_proba(table) == MODEL.predict_proba(X)).all()
    assert tw.CostTreeClassifier().fit(table, Y).tree_.core == MODEL.tree_.core


@pytest.mark.parametrize("dtype", [np.float16, np.float32, ">f4", np.int8, np.uint64, bool])
def test_narrow_numbers_are_read_as_they_are(dtype):
    narrow = np.abs(X * 3).astype(dtype)
    assert (MODEL.predict(narrow) == MODEL.predict(narrow.astype(np.float64))).all()


def test_whole_numbers_beyond_two_to_the_53_are_read_as_floats_where_they_stay_the_same():
    with pytest.raises(ValueError, match="9223372036854775807 in row 0, a whole number beyond"):
        MODEL.predict(np.full((1, 4), 2**63 - 1))
    large = np.full((1, 4), 2**62)
    assert MODEL.predict(large) == MODEL.predict(large.astype(float))
    assert MODEL.predict([[2**70] * 4]) == MODEL.predict(np.full((1, 4), 2.0**70))


FRAMES = {
    "pandas": lambda data: pd.DataFrame(data),
    "polars": lambda data: pl.DataFrame(data),
    "arrow": lambda data: pa.table(data),
    "arrow in pandas": lambda data: pa.table(data).to_pandas(types_mapper=pd.ArrowDtype),
    "nullable": lambda data: pd.DataFrame(data).convert_dtypes(),
}


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1]])
def test_frames_of_every_library_in_any_order(make, order):
    data = {
        "size": [1.5, None, 0.25, 4.0] * 10,
        "colour": ["red", None, "blue", "red"] * 10,
        "count": list(range(40)),
    }
    y = [i % 3 for i in range(40)]
    model = tw.CostTreeClassifier().fit(pd.DataFrame(data), y)
    other = {name: data[name] for name in np.array(list(data))[order].tolist()}
    assert (model.predict(make(other)) == model.predict(pd.DataFrame(data))).all()
    assert model.predict(make({**other, "colour": ["never"] * 40})).shape == (40,)


WRONG = {
    "no rows": (X[:0], "0 sample"),
    "no columns": (X[:, :0], "0 feature"),
    "1-D": (X[0], "Expected 2D"),
    "3-D": (X[None], "dim 3"),
    "too few": (X[:, :3], "3 features, but CostTreeClassifier is expecting 4"),
    "too many": (np.c_[X, X], "8 features, but CostTreeClassifier is expecting 4"),
    "scalar": (3, "Expected 2D"),
    "None": (None, "NoneType"),
    "text": ("table", "X is a str"),
    "dict": ({"a": [1]}, "X is a dict"),
    "texts": (X.astype(str), "could not convert column 0"),
    "infinite": (np.where(X > 2, np.inf, X), "infinity"),
    "complex": (X + 0j, "Complex"),
    "dates": (X.astype("M8[s]"), "dates"),
    "ragged": ([[1, 2, 3, 4], [1]], "differ in length"),
    "beyond float": ([[10**400] * 4], "too large"),
    "beyond double": (X.astype(np.longdouble) * np.longdouble("1e4000"), "too large"),
    "sparse infinite": (sp.csr_matrix(np.where(X > 2, np.inf, X)), "infinity"),
    "series": (pd.Series(X[0]), "Expected 2D"),
}


@pytest.mark.parametrize(("table", "words"), WRONG.values(), ids=WRONG)
def test_what_is_no_such_table_is_refused(table, words):
    for ask in (MODEL.predict, MODEL.predict_proba, MODEL.apply, MODEL.decision_path, MODEL.tree_.predict):
        with pytest.raises((ValueError, TypeError)) as caught:
            ask(table)
        assert words in str(caught.value).replace("Tree is expecting", "CostTreeClassifier is expecting")


def test_a_missing_column_is_named():
    with pytest.raises(ValueError, match=r"now missing:\n- c"):
        NAMED.predict(pd.DataFrame(X, columns=NAMES).drop(columns="c"))
    with pytest.raises(ValueError, match=r"unseen at fit time:\n- e"):
        NAMED.predict(pd.DataFrame(X, columns=NAMES).rename(columns={"c": "e"}))
    with pytest.raises(ValueError, match="come more than once: 'a'"):
        NAMED.predict(pd.DataFrame(X, columns=["a", "a", "b", "c"]))


def test_missing_values_where_training_had_none():
    for missing in ("fractional", "surrogate", "branch", "stay", "majority"):
        model = tw.CostTreeClassifier(growth=tw.Growth(missing=missing)).fit(X, Y)
        shares = model.predict_proba(np.full((3, 4), np.nan))
        assert np.allclose(shares.sum(axis=1), 1.0)
    with pytest.raises(ValueError, match="contains NaN"):
        tw.CostTreeClassifier(growth=tw.Growth(missing="error")).fit(X, Y).predict(np.full((3, 4), np.nan))


@pytest.mark.parametrize("mark", [None, np.nan, pd.NA, pd.NaT, float("nan")])
def test_one_row_with_any_mark_of_a_missing_value(mark):
    row = [mark, 1.0, *X[0, 2:].tolist()]
    whole = MODEL.predict(np.array([[np.nan, *row[1:]]]))[0]
    assert MODEL.tree_.decide(row) == whole
    assert MODEL.tree_.decide(tuple(row)) == whole
    assert NAMED.tree_.decide(dict(zip(NAMES, row, strict=True))) == whole


@pytest.mark.parametrize("row", [[1.0], [1.0] * 5, ["a"] * 4, "text", 3, None, [[1.0] * 4], [1j] * 4])
def test_one_row_that_is_none(row):
    with pytest.raises((ValueError, TypeError)):
        MODEL.tree_.decide(row)


def test_one_row_without_a_feature():
    with pytest.raises(ValueError, match="no value for 'd'"):
        NAMED.tree_.decide({"a": 1.0, "b": 1.0, "c": 1.0})
