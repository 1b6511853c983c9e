"""A folder of data files: reading, writing, and refusing what is wrong."""

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from thriftwood.datasets import list_datasets, load_dataset
from thriftwood.datasets.columns import Column
from thriftwood.datasets.folder import cache_folder, describe_folder, read_columns, write_columns

COLUMNS = [
    {"name": "id", "type": "numeric", "role": "identifier"},
    {"name": "size", "type": "numeric"},
    {"name": "colour", "type": "nominal", "values": ["red", "green", "blue"]},
    {"name": "grade", "type": "ordered", "values": ["low", "high"]},
    {"name": "C_FN", "type": "numeric", "role": "cost"},
]
CSV = "id,size,colour,grade,C_FN,class\n1,2.5,red,low,10,a\n2,,blue,,20,b\n3,4,,high,30,\n"


@pytest.fixture
def folder(tmp_path, clean_home):
    """Three rows, the last without a class."""
    write(tmp_path / "data", CSV)
    return tmp_path / "data"


def write(folder, csv, **changes):
    folder.mkdir(exist_ok=True)
    entry = {"name": "toys", "columns": COLUMNS, "class_counts": {"a": 1, "b": 1, "": 1}, **changes}
    (folder / "datasets.json").write_text(json.dumps({"datasets": [entry]}))
    (folder / "toys.csv").write_text(csv)


def test_roles_are_kept_out_of_X_and_in_extra(folder):
    data = load_dataset("toys", data_dir=folder, frame="pandas")
    assert data.feature_names == tuple(data.X.columns) == ("size", "colour", "grade")
    assert list(data.extra.columns) == ["id", "C_FN"]
    assert data.extra["C_FN"].tolist() == [10, 20]
    assert data.roles == {"id": "identifier", "C_FN": "cost"}


def test_rows_without_a_class_are_left_out_and_told(folder):
    data = load_dataset("toys", data_dir=folder)
    assert data.y.tolist() == ["a", "b"]
    assert "Rows without a class, left out: 1." in data.description
    assert data.n_missing == 2


def test_types_and_declared_values_in_pandas(folder):
    X = load_dataset("toys", data_dir=folder, frame="pandas").X
    assert X["colour"].cat.categories.tolist() == ["red", "green", "blue"]
    assert (X["colour"].cat.ordered, X["grade"].cat.ordered) == (False, True)
    assert X.isna().to_numpy().tolist() == [[False, False, False], [True, False, True]]


def test_types_in_polars_arrow_and_numpy(folder):
    import narwhals as nw

    for library in ("polars", "pyarrow"):
        X = nw.from_native(load_dataset("toys", data_dir=folder, frame=library).X)
        assert X["size"].is_null().to_list() == [False, True]
        assert not nw.is_ordered_categorical(X["colour"])
        assert nw.is_ordered_categorical(X["grade"])
        assert X["colour"].cast(nw.String).to_list() == ["red", "blue"]
    table = load_dataset("toys", data_dir=folder, frame="numpy").X
    assert table.dtype.names == ("size", "colour", "grade")
    assert table[0].tolist() == (2.5, "red", "low")
    assert np.isnan(table["size"][1])
    assert table[["colour", "grade"]][1].tolist() == ("blue", None)


def test_the_environment_variable_names_the_folder(folder, monkeypatch):
    monkeypatch.setenv("THRIFTWOOD_DATA", str(folder))
    assert load_dataset("toys").y.tolist() == ["a", "b"]
    info = next(info for info in list_datasets() if info.name == "toys")
    assert (info.n_rows, info.n_features, info.n_classes, info.source) == (2, 3, 2, "folder")


def test_class_counts_that_are_not_said_are_counted(folder):
    entry = {"name": "toys", "columns": COLUMNS}
    (folder / "datasets.json").write_text(json.dumps({"datasets": [entry]}))
    info = next(info for info in list_datasets(data_dir=folder) if info.name == "toys")
    assert (info.n_rows, info.n_classes) == (2, 2)


def test_given_folder_goes_before_the_environment(folder, monkeypatch):
    monkeypatch.setenv("THRIFTWOOD_DATA", str(folder / "nowhere"))
    assert load_dataset("toys", data_dir=folder).name == "toys"
    with pytest.raises(ValueError, match=r"THRIFTWOOD_DATA names .*nowhere.*not a folder"):
        load_dataset("toys")


@pytest.mark.parametrize(
    "name", ["../toys", "/etc/passwd", "a/../toys", "toys.csv", "", "toys\0", "TOYS ", ".."]
)
def test_hostile_names_are_only_unknown_names(folder, name):
    with pytest.raises(ValueError, match="There is no data set"):
        load_dataset(name, data_dir=folder)


def test_unknown_name_tells_the_nearest(folder):
    with pytest.raises(ValueError, match=r"no data set 'toyz'\. Did you mean 'toys'"):
        load_dataset("toyz", data_dir=folder)
    with pytest.raises(ValueError, match="Did you mean 'heart-cleveland'"):
        load_dataset("heart-clevland")
    with pytest.raises(ValueError, match="list_datasets"):
        load_dataset("qqqqqq")
    with pytest.raises(TypeError, match="text"):
        load_dataset(3)


def test_unknown_frame_tells_the_choices():
    with pytest.raises(ValueError, match=r"frame must be 'auto' or one of 'pandas'.*Got 'excel'"):
        load_dataset("golf", frame="excel")


def test_without_frame_libraries_X_is_an_array(monkeypatch):
    monkeypatch.setattr("thriftwood.datasets.frames.find_spec", lambda library: library == "numpy" or None)
    assert isinstance(load_dataset("golf").X, np.ndarray)
    with pytest.raises(ValueError, match=r"needs the package pandas, which is not installed\. Install it"):
        load_dataset("golf", frame="pandas")


@pytest.mark.parametrize("file", ["../toys.csv", "/etc/passwd", "sub/toys.csv", ".."])
def test_a_description_cannot_lead_out_of_its_folder(folder, file):
    write(folder, CSV, file=file)
    with pytest.raises(ValueError, match="plain name of a file"):
        load_dataset("toys", data_dir=folder)


@pytest.mark.parametrize(
    ("csv", "words"),
    [
        (CSV.replace("2.5", "two"), "'size' is numeric, but data row 1 holds 'two'"),
        (CSV.replace("red", "pink"), "'colour' holds the value 'pink'.*declared values: 'red'"),
        (CSV.replace("1,2.5,", "1,"), "line 2: 5 cells, but the header has 6"),
        (CSV.replace("size", "length"), "no column 'size'"),
        (CSV.replace("class", "klass"), "no column 'class'"),
        (CSV.replace("\n", ",9\n").replace("class,9", "class,more"), "column 'more'.*does not name"),
        ("id,size,colour,grade,C_FN,class\n", "at least one row"),
        ("", "no column|at least one row"),
    ],
)
def test_wrong_files_are_told_apart(folder, csv, words):
    write(folder, csv)
    with pytest.raises(ValueError, match=words):
        load_dataset("toys", data_dir=folder)


def test_damaged_file_is_refused(folder):
    write(folder, CSV, sha256="0" * 64)
    with pytest.raises(ValueError, match="checksum"):
        load_dataset("toys", data_dir=folder)


def test_missing_file_is_named(folder):
    (folder / "toys.csv").unlink()
    with pytest.raises(ValueError, match=r"no file toys\.csv or toys\.csv\.gz"):
        load_dataset("toys", data_dir=folder)


def test_unknown_role_and_type_are_named(folder):
    write(folder, CSV, columns=[{"name": "id", "type": "numeric", "role": "secret"}])
    with pytest.raises(ValueError, match=r"role 'secret'. Roles: 'identifier'"):
        load_dataset("toys", data_dir=folder)
    write(folder, CSV, columns=[{**column, "type": "colour"} for column in COLUMNS])
    with pytest.raises(ValueError, match=r"type 'colour'. Types: 'numeric'"):
        load_dataset("toys", data_dir=folder)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
    max_examples=200,
)
@given(
    key=st.sampled_from(
        ["columns", "class_counts", "target", "title", "notes", "papers", "source", "sha256", "file"]
    ),
    value=json_values,
)
def test_a_description_with_a_wrong_part_is_read_or_refused_in_words(folder, key, value):
    write(folder, CSV, **{key: value})
    try:
        data = load_dataset("toys", data_dir=folder)
        list_datasets(data_dir=folder)
    except ValueError:
        return
    assert len(data.y) == len(data.X) == 2


texts = st.none() | st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=6)
numbers = st.floats(allow_infinity=False, width=64)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
    max_examples=60,
)
@given(rows=st.lists(st.tuples(numbers, texts, texts), min_size=1, max_size=20))
def test_what_is_written_is_read_again(tmp_path, rows):
    number, text, label = zip(*rows, strict=True)
    columns = [Column.numeric("n, 1", number), Column.nominal('t"x', text)]
    write_columns(tmp_path, {"name": "trip"}, columns, Column.nominal("class", label))
    read, target = read_columns(tmp_path, describe_folder(tmp_path)["trip"])
    assert np.array_equal(read[0].values, columns[0].values, equal_nan=True)
    assert read[1].texts().tolist() == list(text)
    assert target.texts().tolist() == list(label)


def test_cache_follows_the_platform(monkeypatch, tmp_path):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "thriftwood"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "thriftwood"
    monkeypatch.setattr("sys.platform", "darwin")
    assert cache_folder() == tmp_path / "Library" / "Caches" / "thriftwood"
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "Local"))
    assert cache_folder() == tmp_path / "Local" / "thriftwood"
