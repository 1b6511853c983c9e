import csv
from dataclasses import replace

from thriftwood.experiments import Comparison
from thriftwood.experiments.comparison import with_average

TABLE = Comparison(
    title="Table 1",
    measure="cost ratio",
    row_title="data set",
    rows=("zoo", "vehicle"),
    columns=("csgain", "idx"),
    published={"zoo": {"csgain": 0.5, "idx": 0.75}, "vehicle": {"csgain": 0.25}},
    ours={"zoo": {"csgain": 0.25, "idx": 1.0}, "vehicle": {"csgain": None, "idx": 2.0}},
    standard_errors={"zoo": {"csgain": 0.125}},
)


def test_difference_is_ours_less_published():
    assert [entry.difference for entry in TABLE.entries()] == [-0.25, 0.25, None, None]


def test_text_has_three_lines_for_each_row_and_a_dash_for_no_figure():
    assert str(TABLE).splitlines() == [
        "data set            csgain    idx",
        "zoo      ours        0.250  1.000",
        "         published   0.500  0.750",
        "         difference -0.250 +0.250",
        "vehicle  ours            -  2.000",
        "         published   0.250      -",
        "         difference      -      -",
    ]


def test_a_row_of_which_nothing_was_published_has_one_line():
    table = replace(TABLE, published={"vehicle": {"csgain": 0.25}}, titles=("here", "reference"))
    assert [line[:2] for line in table.layout()[1:]] == [
        ["zoo", "here"],
        ["vehicle", "here"],
        ["", "reference"],
        ["", "difference"],
    ]
    assert table.layout(["idx"])[1:] == [["zoo", "here", "1.000"], ["vehicle", "here", "2.000"]]


def test_blocks_are_no_wider_than_asked_and_have_all_columns():
    assert list(TABLE.blocks(36)) == [TABLE.layout()]
    assert list(TABLE.blocks(35)) == [TABLE.layout(["csgain"]), TABLE.layout(["idx"])]
    assert list(TABLE.blocks(1)) == list(TABLE.blocks(35))  # a column at least


def test_csv_has_a_line_for_each_figure(tmp_path):
    TABLE.save_csv(tmp_path / "table.csv")
    with (tmp_path / "table.csv").open(newline="") as file:
        lines = list(csv.reader(file))
    assert lines == [
        ["data set", "column", "published", "ours", "difference", "standard_error"],
        ["zoo", "csgain", "0.5", "0.25", "-0.25", "0.125"],
        ["zoo", "idx", "0.75", "1.0", "0.25", ""],
        ["vehicle", "csgain", "0.25", "", "", ""],
        ["vehicle", "idx", "", "2.0", "", ""],
    ]


def test_no_average_where_a_row_has_no_figure():
    assert with_average(TABLE.ours, TABLE.columns)["average"] == {"csgain": None, "idx": 1.5}


def test_decimals_as_asked():
    assert replace(TABLE, digits=1).layout()[1:4] == [
        ["zoo", "ours", "0.2", "1.0"],
        ["", "published", "0.5", "0.8"],
        ["", "difference", "-0.2", "+0.2"],
    ]


def test_one_line_a_row_where_nothing_was_published():
    assert replace(TABLE, published={}).layout()[1:] == [
        [row, "ours", *rest] for row, _, *rest in TABLE.layout()[1::3]
    ]
