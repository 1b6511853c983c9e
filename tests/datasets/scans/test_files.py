"""Files as sources of scans: which are read, in which order, and what is said of wrong ones."""

import gzip

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

import thriftwood as tw
from thriftwood.datasets.files.parts import parts_in


def write(path, **columns):
    pq.write_table(pa.table(columns), path)


def ages(scan):
    return [age for frame in scan.source.batches(["age"]) for age in frame["age"].to_pylist()]


def test_folders_and_patterns_are_read_in_the_order_of_names(tmp_path):
    write(tmp_path / "b.parquet", age=[3, 4], sick=[0, 1])
    write(tmp_path / "a.parquet", age=[1, 2], sick=[0, 1])
    (tmp_path / "more").mkdir()
    write(tmp_path / "more" / "c.parquet", age=[5], sick=[1])
    assert ages(tw.scan(tmp_path, target="sick")) == [1, 2, 3, 4, 5]
    assert ages(tw.scan(str(tmp_path / "*.parquet"), target="sick")) == [1, 2, 3, 4]
    assert tw.scan(tmp_path / "b.parquet", target="sick").n_rows == 2


def test_what_engines_hide_in_a_folder_is_passed_over(tmp_path):
    write(tmp_path / "a.parquet", age=[1], sick=[1])
    for place in (".b.parquet", "_metadata.parquet", "_temporary/0/c.parquet", ".trash/d.parquet"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_bytes(b"not finished")
    assert ages(tw.scan(tmp_path, target="sick")) == [1]


def test_a_column_in_the_names_of_folders_is_not_lost(tmp_path):
    for year, rows in ((2024, [1, 2]), (2025, [3])):
        (tmp_path / f"year={year}").mkdir()
        write(tmp_path / f"year={year}" / "a.parquet", age=rows, sick=[1] * len(rows))
    with pytest.raises(ValueError, match=r"year=2024, whose names hold a column 'year'.*partitioning='hive'"):
        tw.scan(tmp_path, target="sick")
    scan = tw.scan(ds.dataset(tmp_path, partitioning="hive"), target="sick")
    assert scan.features == ("age", "year")
    assert ages(scan) == [1, 2, 3]


@pytest.mark.parametrize("packed", [False, True])
def test_text_files_decide_about_a_column_by_all_of_its_cells(tmp_path, packed):
    text = "age;pet;sick\n" + "".join(f"{i};{i % 3};{'ny'[i % 2]}\n" for i in range(9_000)) + "1,5;cat;y\n"
    path = tmp_path / ("t.csv.gz" if packed else "t.csv")
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    scan = tw.scan(path, target="sick")
    frames = list(scan.source.batches(["pet", "age"]))
    assert {str(frame.schema) for frame in frames} == {"pet: string\nage: double"}
    assert frames[-1]["pet"].to_pylist()[-2:] == ["2", "cat"]
    assert frames[-1]["age"].to_pylist()[-1] == 1.5
    assert sum(frame.num_rows for frame in frames) == scan.n_rows == 9_001


def test_text_files_give_the_tree_of_the_whole_table(tmp_path):
    rng = np.random.default_rng(0)
    path = tmp_path / "t.tsv"
    rows = [
        f"{a:.3f}\t{'abc'[b]}\t{'ny'[int(a > 0) ^ (b == 1)]}"
        for a, b in zip(rng.normal(size=900), rng.integers(0, 3, 900), strict=True)
    ]
    path.write_text("x\tc\ty\n" + "\n".join(rows) + "\n")
    growth = tw.Growth(bins=32, missing="branch")
    scanned = tw.CostTreeClassifier(growth=growth).fit_scan(tw.scan(path, target="y"))
    whole = tw.read_table(path, target="y")
    X, y = whole.X, whole.y
    assert str(scanned.tree_) == str(tw.CostTreeClassifier(growth=growth).fit(X, y).tree_)


def test_a_truncated_file_is_named(tmp_path):
    write(tmp_path / "a.parquet", age=list(range(1000)), sick=[0, 1] * 500)
    content = (tmp_path / "a.parquet").read_bytes()
    (tmp_path / "b.parquet").write_bytes(content[: len(content) // 2])
    with pytest.raises(ValueError, match=r"b\.parquet cannot be read as Parquet"):
        tw.scan(tmp_path, target="sick")


def test_damage_inside_a_file_is_named_when_it_is_read(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(
        pa.table({"age": np.random.default_rng(0).normal(size=5000), "sick": [0, 1] * 2500}),
        path,
        compression="zstd",
    )
    content = bytearray(path.read_bytes())
    content[1000:21_000] = b"\0" * 20_000
    path.write_bytes(content)
    scan = tw.scan(path, target="sick")
    with pytest.raises(ValueError, match=r"a\.parquet cannot be read as Parquet"):
        tw.CostTreeClassifier().fit_scan(scan)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"agee": [1], "sick": [1]}, r"b\.parquet has no column 'age'.*Did you mean 'agee'"),
        (
            {"age": [1], "sick": [1], "extra": [1]},
            r"b\.parquet has a column 'extra', and .*a\.parquet has none",
        ),
        ({"age": ["old"], "sick": [1]}, r"b\.parquet has 'age' as string, and .*a\.parquet has it as int64"),
    ],
)
def test_another_set_of_columns_is_told_with_the_file(tmp_path, other, words):
    write(tmp_path / "a.parquet", age=[1], sick=[1])
    write(tmp_path / "b.parquet", **other)
    with pytest.raises(ValueError, match=words):
        tw.scan(tmp_path, target="sick")


def test_a_column_that_a_file_has_twice_is_told_with_the_file(tmp_path):
    write(tmp_path / "a.parquet", age=[1], sick=[1])
    twice = pa.Table.from_arrays([pa.array([1])] * 3, names=["age", "sick", "age"])
    pq.write_table(twice, tmp_path / "b.parquet")
    with pytest.raises(ValueError, match=r"b\.parquet has two columns called 'age'\. Rename one of them"):
        tw.scan(tmp_path, target="sick")
    with pytest.raises(ValueError, match=r"b\.parquet has two columns called 'age'\. Rename one of them"):
        parts_in(tmp_path / "b.parquet")


def test_a_parquet_file_without_rows_is_refused_in_parts_as_a_whole(tmp_path):
    write(tmp_path / "a.parquet", age=pa.array([], "int64"), sick=pa.array([], "int64"))
    for read in (parts_in, tw.read_table):
        with pytest.raises(ValueError, match=r"a\.parquet has columns but no rows\. Put at least one case"):
            read(tmp_path / "a.parquet")


def test_folders_that_are_called_like_files_are_looked_into(tmp_path):
    (tmp_path / "2024.parquet").mkdir()
    write(tmp_path / "2024.parquet" / "part-0.parquet", age=[1, 2], sick=[1, 0])
    write(tmp_path / "2025.parquet", age=[1], sick=[1])
    assert tw.scan(tmp_path, target="sick").n_rows == 3


def test_wrong_sources_are_told(tmp_path):
    write(tmp_path / "a.parquet", age=[1], sick=[1])
    with pytest.raises(ValueError, match=r"has no column 'sik'\. Did you mean 'sick'"):
        tw.scan(tmp_path, target="sik")
    with pytest.raises(ValueError, match="no column left"):
        tw.scan(tmp_path, target="sick", leave_out=["age"])
    with pytest.raises(FileNotFoundError, match="No file is called"):
        tw.scan(str(tmp_path / "*.csv"), target="sick")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="has no Parquet files"):
        tw.scan(tmp_path / "empty", target="sick")
    (tmp_path / "t.xlsx").touch()
    with pytest.raises(ValueError, match=r"a file of type '\.xlsx'"):
        tw.scan(tmp_path / "t.xlsx", target="sick")
    with pytest.raises(TypeError, match="Got int"):
        tw.scan(3, target="sick")


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"target": "y", "leave_out": "ab"}, TypeError, "write \\['ab'\\]"),
        ({"target": "y", "weight": "y"}, ValueError, "Both target and weight are 'y'"),
    ],
)
def test_columns_that_cannot_be_what_they_are_named_for_are_refused(given, error, words):
    with pytest.raises(error, match=words):
        tw.scan(pa.table({"a": [1], "b": [1], "y": [1]}), **given)


def test_addresses_are_refused_with_what_reads_them():
    with pytest.raises(ValueError, match=r"Got the address .s3://bucket/x\.parquet.: pass pyarrow\.dataset"):
        tw.scan("s3://bucket/x.parquet", target="y")


@pytest.mark.parametrize("empty", [0, 1, 2])
def test_a_column_without_a_value_in_a_file_has_the_type_of_the_others(tmp_path, empty):
    for k in range(3):
        ages = pa.nulls(4) if k == empty else pa.array([20, 30, 60, 70])
        write(tmp_path / f"{k}.parquet", age=ages, sick=[0, 0, 1, 1])
    tree = tw.CostTreeClassifier().fit_scan(tw.scan(tmp_path, target="sick")).tree_
    assert tree.encoder.columns[0].kind == "numeric"
    assert tree.predict(pa.table({"age": [30, 60]})).tolist() == [0, 1]
    write(tmp_path / "3.parquet", age=["old"], sick=[1])
    first = 1 if empty == 0 else 0
    said = rf"3\.parquet has 'age' as string, and .*{first}\.parquet has it as int64"
    with pytest.raises(ValueError, match=said):
        tw.scan(tmp_path, target="sick")
