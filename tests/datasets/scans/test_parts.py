"""What is said about odd cells of a file that is read in parts is what is said of the table in memory."""

import csv

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thriftwood.datasets.files.parts import DelimitedParts, delimited_parts
from thriftwood.datasets.files.reading import open_table
from thriftwood.datasets.scans.parts import FileParts

NUMBERS = [*map(str, range(30)), "1.5", "-2e3", ""]
LONG = "12345678901234567890"
ODD = ["n.a.", "1,5", "1.000,50", "1,000.50", "2024-01-15", LONG, "1_0", "x y", "inf", "True"]


def remarked(path, rows_in_part):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DelimitedParts, "rows_in_part", lambda self, n: rows_in_part)
        return FileParts(path, delimited_parts(path)).remarks()


def written(folder, columns, delimiter=","):
    path = folder / "t.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(["n", *(f"c{j}" for j in range(len(columns)))])
        writer.writerows((k, *row) for k, row in enumerate(zip(*columns, strict=True), start=7))
    return path


@settings(max_examples=60, deadline=None)
@given(
    rows=st.integers(1, 150),
    rows_in_part=st.integers(1, 40),
    delimiter=st.sampled_from([",", ";"]),
    data=st.data(),
)
def test_remarks_do_not_depend_on_parts(tmp_path_factory, rows, rows_in_part, delimiter, data):
    folder = tmp_path_factory.mktemp("remarks")
    columns = []
    for _ in range(3):
        common = data.draw(st.sampled_from([NUMBERS, ODD, ["2024-01-15", "15.1.2024"], ["1,5", "2", "3,25"]]))
        column = data.draw(st.lists(st.sampled_from(common), min_size=rows, max_size=rows))
        if data.draw(st.booleans()):
            column[data.draw(st.integers(0, rows - 1))] = data.draw(st.sampled_from(ODD))
        columns.append(column)
    path = written(folder, columns, delimiter)
    assert remarked(path, rows_in_part) == open_table(path).column_remarks()


def test_one_cell_among_many_is_named_in_whichever_part_it_is(tmp_path):
    ages = [str(20 + k % 60) for k in range(1000)]
    for row in (0, 500, 999):
        path = written(tmp_path, [[*ages[:row], "unknown", *ages[row + 1 :]], [f"p{k}" for k in range(1000)]])
        assert remarked(path, 100) == [
            "Column 'n' tells every row apart, as a row number or a name does. Leave it out?",
            "Column 'c0' is nominal because of cells like 'unknown', while 999 of 1000 are numbers. Empty "
            "such cells to make it numeric.",
            "Column 'c1' tells every row apart, as a row number or a name does. Leave it out?",
        ]


@pytest.mark.parametrize(
    "cells",
    [
        [*map(str, range(300)), *(f"A{k}" for k in range(100))],
        [*(str(k % 5) for k in range(300)), *(f"A{k}" for k in range(100))],
        [*["1e5"] * 80, LONG, *["12"] * 39],
        [*["inf"] * 80, *["1,5"] * 60],
        [*["inf"] * 80, "3"],
        [*["True", "False"] * 40, *["unknown"] * 3],
    ],
    ids=["names", "few names", "exponents", "infinities and commas", "infinities", "truths"],
)
@pytest.mark.filterwarnings("error")
def test_parts_of_numbers_before_others_are_counted_as_in_memory(tmp_path, cells):
    path = written(tmp_path, [cells], ";")
    assert remarked(path, 40) == open_table(path).column_remarks()
