import csv
import io

import numpy as np
import pytest
from datasets.files.complaints import complaint
from hypothesis import given
from hypothesis import strategies as st

from thriftwood.datasets.files.cells import is_number
from thriftwood.datasets.files.delimited import read_delimited
from thriftwood.datasets.files.table import MISSING_MARKS

# What a cell can hold and come back: spaces around it are taken off, and lines end with \n alone.
texts = st.text(st.characters(codec="utf-8", exclude_characters="\r\x00"), max_size=8).map(str.strip)
names = st.lists(texts.filter(bool), min_size=1, max_size=5, unique=True)


@st.composite
def tables(draw):
    header = draw(names)
    rows = draw(st.lists(st.lists(texts, min_size=len(header), max_size=len(header)), min_size=1, max_size=6))
    return header, rows


def written(header, rows, delimiter=","):
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(
        [header, *rows]
    )
    return text.getvalue()


@given(table=tables(), delimiter=st.sampled_from(",;\t|"))
def test_what_is_written_is_read(table, delimiter):
    header, rows = table
    read = read_delimited(written(header, rows, delimiter), "t.csv", delimiter)
    assert read.names == tuple(header)
    assert read.n_rows == len(rows)
    for place, column in enumerate(read.columns):
        cells = [None if row[place] in MISSING_MARKS else row[place] for row in rows]
        assert column.texts() == cells
        made = column.column()
        if made.kind == "numeric":
            expected = [float("nan") if cell is None else float(cell) for cell in cells]
            np.testing.assert_array_equal(made.values, expected)
        else:
            assert made.texts().tolist() == cells
            assert not all(cell is None or is_number(cell) for cell in cells)


@given(numbers=st.lists(st.none() | st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_numbers_come_back_to_the_last_bit(numbers):
    text = written(["x", "y"], [["" if n is None else repr(n), "a"] for n in numbers])
    column = read_delimited(text, "t.csv")["x"].column()
    assert column.kind == "numeric"
    np.testing.assert_array_equal(column.values, [np.nan if n is None else n for n in numbers])


@given(text=st.text(max_size=200))
def test_any_text_is_a_table_or_a_clear_error(text):
    said = complaint(lambda: [column.column() for column in read_delimited(text, "t.csv").columns])
    assert said is None or "t.csv" in said


@pytest.mark.parametrize("mark", sorted(MISSING_MARKS))
def test_missing_marks(mark):
    column = read_delimited(f"x,y\n1,a\n{mark},b\n", "t.csv")["x"].column()
    assert (column.kind, column.n_missing) == ("numeric", 1)


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "2.5", "-3e4", "+.5"], "numeric"),
        (["1", "x"], "nominal"),
        (["1_000", "2"], "nominal"),
        (["1,5", "2"], "nominal"),
        (["yes", "no"], "nominal"),
        (["", "?"], "numeric"),
        (["none", "1"], "nominal"),
    ],
)
def test_kinds(cells, kind):
    text = written(["x", "y"], [[cell, "a"] for cell in cells])
    assert read_delimited(text, "t.csv")["x"].column().kind == kind


def test_the_header_tells_the_separator():
    for mark in ",;\t|":
        assert read_delimited(f"a{mark}b\n1{mark}2\n", "t.csv").names == ("a", "b")
    assert read_delimited('"a;b;c",d\n1,2\n', "t.csv").names == ("a;b;c", "d")
    assert read_delimited("a\n1\n", "t.csv").names == ("a",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("a,b\n", "no rows"),
        ("a,b\n1,2\n3\n", "line 3: 1 cells, but the header row has 2"),
        ("a,,b\n1,2,3\n", "column 2 has no name"),
        ("a,a\n1,2\n", "two columns called 'a'"),
        ("a,b\n" + "x" * 200_000 + ",1\n", "line 2: field larger"),
    ],
)
def test_wrong_files_are_explained(text, said):
    with pytest.raises(ValueError, match=r"t\.csv") as caught:
        read_delimited(text, "t.csv")
    assert said in str(caught.value)


def test_a_column_of_numbers_spoilt_by_a_few_cells_is_remarked():
    spoilt = read_delimited("x\n" + "1\n" * 30 + "n.a.\n", "t.csv")
    assert spoilt["x"].column().kind == "nominal"
    assert spoilt.remarks() == [
        "Column 'x' is nominal because of cells like 'n.a.', while 30 of 31 are numbers. Empty such cells to "
        "make it numeric."
    ]
    assert read_delimited("x\n" + "1\nb\n" * 30, "t.csv").remarks() == []


@pytest.mark.parametrize(
    ("cells", "remarked"),
    [
        (range(1, 21), True),
        (range(100, 120), True),
        ([f"patient {n}" for n in range(20)], True),
        ([*range(1, 20), 25], False),
        (range(9), False),  # too few to say
        ([f"patient {n % 19}" for n in range(20)], False),
        (["1e999"] * 20, False),  # infinite, which learners refuse: no difference of them is a number
    ],
)
def test_a_column_that_numbers_or_names_the_rows_is_remarked(cells, remarked):
    table = read_delimited("x,y\n" + "".join(f"{cell},a\n" for cell in cells), "t.csv")
    said = ["Column 'x' tells every row apart, as a row number or a name does. Leave it out?"]
    assert table.remarks() == (said if remarked else [])
    assert table.remarks(leave_out=["x"]) == []


def test_texts_that_look_like_identifiers_are_remarked_with_holes_and_repeats():
    holes = "x,y\n" + "".join(f"patient {n},a\n" for n in range(20)) + ",a\n"
    assert read_delimited(holes, "t.csv").remarks()[0].startswith("Column 'x' tells every row apart")
    visits = "x,y\n" + "".join(f"P-{n % 90:05},a\n" for n in range(120))
    (said,) = read_delimited(visits, "t.csv").remarks()
    assert said.startswith("Column 'x' holds 90 different texts in 120 rows, as names and identifiers do.")
    towns = "x,y\n" + "".join(f"town {n % 50},a\n" for n in range(120))
    assert read_delimited(towns, "t.csv").remarks() == []


def test_one_bad_cell_among_decimal_commas_is_the_one_that_is_blamed():
    text = "FTI;y\n" + "".join(f"{n},5;a\n" for n in range(19)) + "high;b\n"
    table = read_delimited(text, "t.csv")
    (said,) = table.remarks()
    assert said.startswith("Column 'FTI' is nominal because of cells like 'high', while 19 of 20 are")
    with pytest.raises(ValueError, match="'FTI' takes numbers, but data row 20 holds 'high'"):
        table["FTI"].numbers()
    assert table["FTI"].column().categories[:2] == ("0,5", "1,5")


def test_decimal_commas_where_cells_are_not_separated_by_commas():
    for mark in (";", "\t", "|"):
        table = read_delimited("a b n\n3,5 -0,25 x\n4 1,5E3 3,5\n".replace(" ", mark), "t.csv")
        assert table["a"].column().values.tolist() == [3.5, 4.0]
        assert table["b"].numbers().tolist() == [-0.25, 1500.0]
        assert table["n"].column().kind == "nominal"
        assert table["a"].texts() == ["3,5", "4"]
        assert table["a"].nominal().categories == ("3,5", "4")
    assert read_delimited('a,b\n"3,5",1\n', "t.csv")["a"].column().kind == "nominal"


def test_commas_between_thousands_are_not_decimal():
    table = read_delimited("a;b\n1,234;1\n999;2\n", "t.csv")
    assert table["a"].column().kind == "nominal"
    assert "commas in cells like '1,234'" in table["a"].remark()
    with pytest.raises(ValueError, match="data row 1 holds '1,234'"):
        table["a"].numbers()
    # Another column tells what commas are in this file.
    table = read_delimited("a;b\n1,234;0,5\n999;2\n", "t.csv")
    assert table["a"].column().values.tolist() == [1.234, 999.0]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_numbers_with_commas_are_those_with_points(numbers):
    points = [repr(number) for number in (*numbers, 0.5)]
    table = read_delimited("a;b\n" + "".join(f"{p.replace('.', ',')};x\n" for p in points), "t.csv")
    assert table["a"].numbers().tolist() == [*numbers, 0.5]


@pytest.mark.parametrize(
    "dates", ["2024-01-31,2024-02-01", "31.01.2024,1.2.2024", "1/31/24,2/1/24", "2024-01-31T10:00,2024-02-01"]
)
def test_dates_are_pointed_out(dates):
    first, second = dates.split(",")
    (remark,) = read_delimited(f"day;n\n{first};1\n{second};1\n", "visits.csv").remarks()
    assert remark.startswith(f"Column 'day' holds dates such as {first!r}, and is read as categories.")


def test_a_name_in_other_capitals_is_suggested():
    with pytest.raises(ValueError, match=r"has no column 't3'\. Did you mean 'T3'\?"):
        read_delimited("T3;T4\n1;2\n", "lab.csv")["t3"]
