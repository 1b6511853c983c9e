import gzip

import numpy as np
import pandas as pd
import polars as pl
import pytest
from datasets.files.complaints import complaint
from hypothesis import given
from hypothesis import strategies as st

import thriftwood as tw
from thriftwood.datasets.files import matched, open_table
from thriftwood.datasets.files.reading import ENDINGS
from thriftwood.datasets.files.table import TextColumn
from thriftwood.table import Column, Encoder, Kind

CSV = "age,smoker,state\n54,yes,sick\n61,,healthy\n47.5,no,healthy\n"


def test_a_file_becomes_a_data_set(tmp_path):
    (tmp_path / "patients.csv").write_text(CSV)
    data = tw.read_table(tmp_path / "patients.csv", target="state", frame="pandas")
    assert (data.name, data.feature_names, data.target_names) == (
        "patients",
        ("age", "smoker"),
        ("healthy", "sick"),
    )
    assert data.X["age"].tolist() == [54.0, 61.0, 47.5]
    assert data.X["smoker"].isna().tolist() == [False, True, False]
    assert data.y.tolist() == ["sick", "healthy", "healthy"]
    tw.CostTreeClassifier().fit(data.X, data.y)


def test_without_a_target_all_columns_are_in_the_table(tmp_path):
    (tmp_path / "patients.csv").write_text(CSV)
    data = tw.read_table(tmp_path / "patients.csv")
    assert (data.feature_names, data.y, data.target_names) == (("age", "smoker", "state"), None, ())
    assert repr(data) == "<Dataset 'patients': 3 rows, 3 features, no target, 1 missing cell, no prices>"


def test_columns_can_be_left_out_and_numbers_can_be_names(tmp_path):
    (tmp_path / "t.csv").write_text("id,zip,y\n1,10,a\n2,20,b\n")
    data = tw.read_table(tmp_path / "t.csv", "y", leave_out=["id"], nominal=["zip"], frame="pandas")
    assert data.X["zip"].cat.categories.tolist() == ["10", "20"]
    assert (data.extra["id"].tolist(), data.roles) == ([1.0, 2.0], {"id": "ignore"})


@pytest.mark.parametrize("wrong", [{"target": "stat"}, {"leave_out": ["stat"]}, {"nominal": ["stat"]}])
def test_a_column_that_is_not_there_is_named_with_the_nearest(tmp_path, wrong):
    (tmp_path / "t.csv").write_text(CSV)
    with pytest.raises(ValueError, match=r"no column 'stat'\. Did you mean 'state'"):
        tw.read_table(tmp_path / "t.csv", **wrong)


@pytest.mark.parametrize(
    ("cells", "y"),
    [
        (["0", "1", "1"], ["0", "1", "1"]),
        (["0.5", "1", "1"], [0.5, 1.0, 1.0]),
        ([str(n) for n in range(51)], [float(n) for n in range(51)]),
        ([str(n) for n in range(50)], [str(n) for n in range(50)]),
    ],
)
def test_few_whole_numbers_are_classes(tmp_path, cells, y):
    (tmp_path / "t.csv").write_text("x,y\n" + "".join(f"1,{cell}\n" for cell in cells))
    assert tw.read_table(tmp_path / "t.csv", "y").y.tolist() == y


def test_rows_without_a_class_are_named(tmp_path):
    (tmp_path / "t.csv").write_text("x,y\n1,a\n2,\n3,?\n")
    with pytest.raises(ValueError, match="2 rows have no class in column 'y', first data row 2"):
        tw.read_table(tmp_path / "t.csv", "y")
    (tmp_path / "t.csv").write_text("x,y\n1,a\n2,b\n3,\n")
    with pytest.raises(ValueError, match=r"1 row has no class in column 'y', data row 3\. Fill it in"):
        tw.read_table(tmp_path / "t.csv", "y")


# Formats


def frame():
    return pd.DataFrame(
        {
            "age": [54.0, None, 47.5],
            "count": [1, 2, 3],
            "smoker": ["yes", None, "no"],
            "size": pd.Categorical(["small", "large", None], categories=["small", "large"], ordered=True),
            "born": pd.to_datetime(["1970-01-01", "1971-01-01", None]),
            "state": ["sick", "healthy", "healthy"],
        }
    )


def with_enum():
    sizes = pl.Enum(["small", "large"])
    return pl.from_pandas(frame()).with_columns(pl.Series("size", ["small", "large", None], dtype=sizes))


@pytest.mark.parametrize("ending", ["parquet", "feather"])
@pytest.mark.parametrize("library", ["pyarrow", "polars"])
def test_parquet_and_arrow(tmp_path, monkeypatch, ending, library):
    path = tmp_path / f"t.{ending}"
    if library == "pyarrow":
        getattr(frame(), f"to_{ending}")(path)
    else:
        monkeypatch.setattr(
            "thriftwood.datasets.files.arrow.find_spec", lambda name: name == "polars" or None
        )
        with_enum().write_parquet(path) if ending == "parquet" else with_enum().write_ipc(path)
    table = open_table(path)
    assert table.names == ("age", "count", "smoker", "size", "born", "state")
    columns = {column.name: column for column in table.chosen(leave_out=["born"])}
    np.testing.assert_array_equal(columns["age"].values, [54, np.nan, 47.5])
    assert columns["count"].values.tolist() == [1, 2, 3]
    assert columns["smoker"].texts().tolist() == ["yes", None, "no"]
    assert columns["size"].texts().tolist() == ["small", "large", None]
    assert (columns["size"].kind, columns["size"].categories) == ("ordered", ("small", "large"))
    assert table.labels("state").tolist() == ["sick", "healthy", "healthy"]
    with pytest.raises(ValueError, match="'born' holds dates"):
        table.features()


def test_arrow_streams(tmp_path):
    pl.DataFrame({"x": [1, 2], "b": [True, None]}).write_ipc_stream(tmp_path / "t.arrow")
    columns = open_table(tmp_path / "t.arrow").chosen()
    assert (columns[1].kind, columns[1].texts().tolist()) == ("nominal", ["True", None])


def test_parquet_without_a_library_says_what_to_install(tmp_path, monkeypatch):
    frame().to_parquet(tmp_path / "t.parquet")
    monkeypatch.setattr("thriftwood.datasets.files.arrow.find_spec", lambda name: None)
    with pytest.raises(ValueError, match="pip install pyarrow"):
        open_table(tmp_path / "t.parquet")


def test_text_may_be_packed_and_begin_with_a_mark(tmp_path):
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(b"\xef\xbb\xbfx,y\r\n1,a\r\n"))
    assert open_table(tmp_path / "t.csv.gz").names == ("x", "y")
    (tmp_path / "b.csv.gz").write_bytes(b"no gzip")
    with pytest.raises(ValueError, match="cannot be unpacked"):
        open_table(tmp_path / "b.csv.gz")


def test_c45_files_are_found_by_any_of_their_names(tmp_path):
    (tmp_path / "g.names").write_text("yes, no.\nwind: weak, strong.\n")
    (tmp_path / "g.data").write_text("weak, yes\nstrong, no\n")
    (tmp_path / "g.test").write_text("weak, no\n")
    assert tw.read_table(tmp_path / "g.names").y.tolist() == ["yes", "no"]
    assert tw.read_table(tmp_path / "g.data").y.tolist() == ["yes", "no"]
    assert tw.read_table(tmp_path / "g.test").y.tolist() == ["no"]
    (tmp_path / "g.names").unlink()
    with pytest.raises(ValueError, match=r"goes with a \.names file"):
        tw.read_table(tmp_path / "g.data")


def test_an_unknown_ending_lists_the_known_ones(tmp_path):
    with pytest.raises(ValueError, match=r"'t\.xyz' says no format that can be read. Endings: \.csv"):
        open_table(tmp_path / "t.xyz")
    with pytest.raises(ValueError, match=r"'t\.xlsx' says no .* Save the sheet as CSV. Endings: \.csv"):
        open_table(tmp_path / "t.xlsx")


@pytest.mark.parametrize(
    ("cell", "plain"), [("1.000,50", "900,5"), ("-12.000.000,5", "3"), ("1,000.50", "9.5")]
)
@pytest.mark.parametrize("grouped", [10, 50, 70, 95])
def test_signs_between_thousands_are_pointed_out_however_many_have_them(tmp_path, cell, plain, grouped):
    cells = [cell] * grouped + [plain] * (100 - grouped)
    path = tmp_path / "t.csv"
    path.write_text("a;b\n" + "".join(f"{one};{number}\n" for number, one in enumerate(cells)))
    assert any("signs between thousands" in note for note in open_table(path).column_remarks())


@pytest.mark.parametrize(
    ("cell", "plain"), [("1.000,50", "900,5"), ("-12.000.000,5", "3"), ("1,000.50", "9.5")]
)
def test_signs_between_thousands_are_pointed_out(cell, plain):
    column = TextColumn("a", [cell, None, plain], decimal_comma="," in plain)
    assert column.column().kind == "nominal"
    assert f"because of the signs between thousands in cells like {cell!r}" in column.remark()
    assert TextColumn("a", [cell, "north", "south"]).remark() is None


@given(
    content=st.binary(max_size=200),
    ending=st.sampled_from([e for e in ENDINGS if e not in (".test", ".data")]),
)
def test_any_bytes_are_a_table_or_a_clear_error(tmp_path_factory, content, ending):
    folder = tmp_path_factory.mktemp("bytes")
    path = folder / f"t{ending}"
    path.write_bytes(content)
    (folder / "t.data").write_bytes(content)
    said = complaint(lambda: [column.column() for column in open_table(path).columns])
    assert said is None or said.endswith(".")


# What a tree learnt


def test_a_file_is_read_by_what_was_learnt(tmp_path):
    (tmp_path / "t.csv").write_text("note,code,size,age\nx,1,large,\ny,7,tiny,3\n")
    learnt = [
        Column(0, "age"),
        Column(1, "code", Kind.NOMINAL, ("1", "2", "x")),
        Column(2, "size", Kind.ORDERED, ("small", "large")),
        Column(3, "never asked"),
        Column(4, "nor this", Kind.NOMINAL, ("a",)),
    ]
    table = matched(open_table(tmp_path / "t.csv"), learnt, ["age", "code"])
    encoder = Encoder.from_json(
        {
            "n_features": 5,
            "names": [column.name for column in learnt],
            "categorical": {
                str(column.index): {"kind": str(column.kind), "categories": list(column.categories)}
                for column in learnt
                if column.categories
            },
        }
    )
    age, code, size, never, nor = encoder.encode(table).columns
    np.testing.assert_array_equal(age, [np.nan, 3])
    assert code.tolist() == [0, -2]
    np.testing.assert_array_equal(size, [1, np.nan])
    assert np.isnan(never).all()
    assert nor.tolist() == [-1, -1]


def test_categories_that_are_numbers_are_found_by_their_text(tmp_path):
    (tmp_path / "t.csv").write_text("code\n1\n2.0\n3\n")
    model = tw.CostTreeClassifier(nominal_features=[0]).fit(pd.DataFrame({"code": [1, 2]}), ["a", "b"])
    table = matched(open_table(tmp_path / "t.csv"), model.tree_.encoder.columns, ["code"])
    assert model.tree_.encoder.encode(table).columns[0].tolist() == [0, 1, -2]


def test_absent_columns_are_named(tmp_path):
    (tmp_path / "t.csv").write_text("x\n1\n")
    with pytest.raises(
        ValueError, match=r"lacks 2 columns that the model asks for: 'age', 'sex'\. Its columns: 'x'"
    ):
        matched(open_table(tmp_path / "t.csv"), [Column(0, "age"), Column(1, "sex")], ["age", "sex"])


def test_text_where_numbers_were_learnt_is_named_with_its_row(tmp_path):
    (tmp_path / "t.csv").write_text("age\n1\nold\n")
    with pytest.raises(ValueError, match="'age' takes numbers, but data row 2 holds 'old'"):
        matched(open_table(tmp_path / "t.csv"), [Column(0, "age")], ["age"])


def test_booleans_are_categories_in_every_format(tmp_path):
    frame = pd.DataFrame({"flag": [True, False, True], "y": [False, True, False]})
    frame.to_csv(tmp_path / "flags.csv", index=False)
    frame.to_parquet(tmp_path / "flags.parquet")
    csv, parquet = (tw.read_table(tmp_path / f"flags.{ending}", "y") for ending in ("csv", "parquet"))
    assert csv.X["flag"].tolist() == parquet.X["flag"].tolist() == ["True", "False", "True"]
    assert csv.X["flag"].cat.categories.tolist() == parquet.X["flag"].cat.categories.tolist()
    assert csv.y.tolist() == parquet.y.tolist() == ["False", "True", "False"]


GERMAN = "größe;gewicht;zustand\n1,82;70,5;müde\n1,70;60,1;wach\n"


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8", "utf-8-sig", "utf-16"])
def test_a_table_in_the_usual_encodings_is_read(tmp_path, encoding):
    path = tmp_path / "patients.csv"
    path.write_bytes(GERMAN.encode(encoding))
    data = tw.read_table(path, "zustand")
    assert data.feature_names == ("größe", "gewicht")
    assert data.y.tolist() == ["müde", "wach"]
    assert data.X["größe"].tolist() == [1.82, 1.7]
    assert ("was read as cp1252" in data.description) == (encoding == "cp1252")


def test_a_byte_that_cp1252_does_not_know_is_read_as_latin_1(tmp_path):
    path = tmp_path / "patients.csv"
    path.write_bytes(b"a,b\n\x81\xe9,1\n")
    assert "line 2 holds the byte 0x81), so it was read as latin-1" in tw.read_table(path).description


def test_an_encoding_that_is_named_is_taken(tmp_path):
    path = tmp_path / "patients.csv"
    path.write_bytes("имя,b\nью,1\n".encode("cp1251"))
    assert tw.read_table(path, encoding="cp1251").feature_names == ("имя", "b")
    with pytest.raises(ValueError, match="is not text in utf-8: byte 0 is"):
        tw.read_table(path, encoding="utf-8")
    with pytest.raises(ValueError, match="There is no encoding 'klingon'"):
        tw.read_table(path, encoding="klingon")
