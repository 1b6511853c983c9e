"""One table in every container: the same bytes of the file, whether it is fitted, scanned or on Dask."""

import dask.dataframe as dd
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from learning.scans.scanned_tables import saved

import thriftwood as tw
from thriftwood.dask import DaskCostTreeClassifier

BINNED = {"growth": tw.Growth(bins=20), "pruning": None}
AGES = [*range(20)] * 3
TARGETS = {
    "text": ["well", "sick", "very sick"] * 20,
    "bool": [True, True, False] * 20,
    "int": [3, 10, 2] * 20,
    "float": [1.0, 3.0, 2.0] * 20,
    "zeros": ["a", "a\0", "b"] * 20,
}
KINDS = {
    "text": ["object", "str", "string", "string[pyarrow]", "category"],
    "bool": ["object", "bool", "boolean", "bool[pyarrow]", "category"],
    "int": ["object", "int64", "Int64", "int64[pyarrow]", "category"],
    "float": ["object", "float64", "Float64", "category"],
    "zeros": ["object", "str"],
}


def in_memory(X, y, folder):
    return saved(tw.CostTreeClassifier(**BINNED).fit(X, y), folder)


def scanned(data, folder):
    return saved(tw.CostTreeClassifier(**BINNED).fit_scan(tw.scan(data, target="y")), folder)


def on_dask(frame, folder):
    parts = dd.from_pandas(frame, npartitions=3)
    return saved(DaskCostTreeClassifier(**BINNED).fit(parts[["age"]], parts["y"]).to_local(), folder)


@pytest.mark.parametrize("kind", TARGETS)
def test_the_container_of_the_classes_leaves_no_trace_in_the_file(kind, tmp_path):
    y = TARGETS[kind]
    named = pa.table({"age": AGES, "y": y})
    expected = in_memory(named.select(["age"]), np.array(y, dtype=object), tmp_path)
    found = {}
    for dtype in KINDS[kind]:
        frame = pd.DataFrame({"age": AGES, "y": pd.Series(y, dtype=object).astype(dtype)})
        found[f"pandas {dtype}"] = in_memory(frame[["age"]], frame["y"], tmp_path)
        found[f"scan of pandas {dtype}"] = scanned(frame, tmp_path)
        if dtype != "object" or kind in ("text", "zeros"):  # Dask itself makes text of objects
            found[f"Dask {dtype}"] = on_dask(frame, tmp_path)
    polars = pl.DataFrame({"age": AGES, "y": y})
    found["polars"] = in_memory(polars.select("age"), polars["y"], tmp_path)
    found["scan of polars"] = scanned(polars.lazy(), tmp_path)
    found["arrow"] = in_memory(named.select(["age"]), named["y"], tmp_path)
    found["scan of arrow"] = scanned(named, tmp_path)
    if kind != "zeros":  # NumPy's texts cannot end with a zero
        found["numpy"] = in_memory(named.select(["age"]), np.array(y), tmp_path)
        found["list"] = in_memory(named.select(["age"]), y, tmp_path)
    pq.write_table(named, tmp_path / "t.parquet")
    found["Parquet"] = scanned(tmp_path / "t.parquet", tmp_path)
    if kind == "text":
        pyarrow.csv.write_csv(named, tmp_path / "t.csv")
        found["CSV"] = scanned(tmp_path / "t.csv", tmp_path)
        coded = polars.with_columns(y=pl.col("y").cast(pl.Categorical))
        found["polars Categorical"] = in_memory(coded.select("age"), coded["y"], tmp_path)
        found["scan of polars Categorical"] = scanned(coded.lazy(), tmp_path)
        found["arrow dictionary"] = in_memory(named.select(["age"]), named["y"].dictionary_encode(), tmp_path)
    assert {name for name, content in found.items() if content != expected} == set()


@pytest.mark.parametrize("kind", ["text", "bool", "int", "zeros"])
def test_answers_are_compared_with_what_was_given(kind):
    y = pd.Series(TARGETS[kind], dtype=object)
    model = tw.CostTreeClassifier(pruning=None).fit(pd.DataFrame({"age": range(60)}), y)
    answers = model.predict(pd.DataFrame({"age": range(60)}))
    assert (answers == y).all()
    assert (answers == y.to_numpy()).all()
    assert model.score(pd.DataFrame({"age": range(60)}), y) == 1.0
    assert {type(answer) for answer in model.classes_.tolist()} == {type(y[0])}


@pytest.mark.parametrize("kind", ["bool", "int"])
@pytest.mark.parametrize(
    "model",
    [tw.CostForestClassifier(3, random_state=0), tw.TodayClassifier(tw.Costs(today=["age"]))],
    ids=["forest", "today"],
)
def test_shares_of_right_answers_do_not_mind_the_container(kind, model):
    X, y = pd.DataFrame({"age": range(60)}), np.array(TARGETS[kind])
    model = model.fit(X, y)
    assert model.score(X, y.astype(object)) == model.score(X, pd.Series(y)) == model.score(X, y)


@pytest.mark.parametrize("dates", [pl.Series, lambda days: np.array(days, dtype="datetime64[D]"), pd.Series])
def test_dates_are_no_classes(dates):
    days = pd.to_datetime(["2025-01-01", "2025-01-02"] * 10)
    with pytest.raises(TypeError, match=r"column 'y' holds dates or durations"):
        tw.CostTreeClassifier().fit(pd.DataFrame({"age": range(20)}), dates(days))
