"""Large tables are answered and billed in parts: what is said and written is as if they were read whole."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from cli.commands import thriftwood

import thriftwood as tw
from thriftwood.datasets.files import parts


@pytest.fixture
def in_parts(monkeypatch):
    """Read every table in parts of five rows, from now on."""

    def begin():
        for limit in ("LARGE_TEXT", "LARGE_PACKED", "LARGE_PARQUET"):
            monkeypatch.setattr(parts, limit, 0)
        monkeypatch.setattr(parts, "MOST_ROWS", 5)

    return begin


def wards():
    """Thirty patients; some cells are missing, and two categories are new to the model."""
    frame = pd.DataFrame(
        {
            "id": range(1, 31),
            "smoker": ["yes", "no", "no", None, "often"] * 5 + ["yes", "no", "never", "often", None],
            "pulse": [None if row % 7 == 3 else 60 + row / 2 for row in range(30)],
            "cholesterol": [180 + 5 * row for row in range(30)],
            "state": ["sick", "healthy", "healthy"] * 10,
        }
    )
    return frame[["state", "id", "cholesterol", "smoker", "pulse"]]


def as_csv(folder, **settings):
    return wards().to_csv(folder / "wards.csv", index=False, **settings) or "wards.csv"


def as_decimal_commas(folder):
    """With commas that only the last rows show to be decimal points."""
    frame = wards().assign(pulse=[61.125] * 25 + [61.5] * 5)
    return frame.to_csv(folder / "wards.csv", index=False, sep=";", decimal=",") or "wards.csv"


def as_tsv(folder):
    return wards().to_csv(folder / "wards.tsv", index=False, sep="\t") or "wards.tsv"


def as_packed(folder):
    (folder / "wards.csv.gz").write_bytes(gzip.compress(wards().to_csv(index=False).encode()))
    return "wards.csv.gz"


def as_cp1252(folder):
    text = wards().assign(smoker=["yes", "no", "\u00fcber"] * 10).to_csv(index=False)
    (folder / "wards.csv").write_bytes(text.encode("cp1252"))
    return "wards.csv"


def as_utf_16(folder):
    (folder / "wards.csv").write_bytes(wards().to_csv(index=False).encode("utf-16"))
    return "wards.csv"


def as_parquet(folder):
    wards().to_parquet(folder / "wards.parquet", row_group_size=12)
    return "wards.parquet"


def as_categories(folder):
    wards().astype({"smoker": "category"}).to_parquet(folder / "wards.parquet")
    return "wards.parquet"


FORMS = [
    as_csv,
    as_decimal_commas,
    as_tsv,
    as_packed,
    as_cp1252,
    as_utf_16,
    as_parquet,
    as_categories,
]


@pytest.fixture(params=["state_tree", "state_panel", "state_booster"])
def model(request):
    return request.getfixturevalue(request.param).name


@pytest.mark.parametrize("form", FORMS)
def test_what_is_said_is_said_of_the_whole_table(state_tree, in_parts, form):
    table = form(Path())
    commands = [
        ["predict", "tree.json", table, "--keep", "id"],
        ["predict", "tree.json", table, "--json"],
        ["predict", "tree.json", table, "-o", "answers.tsv"],
        ["bill", "tree.json", table],
        ["bill", "tree.json", table, "--target", "state", "-o", "-"],
        ["bill", "tree.json", table, "--target", "state"],
    ]
    whole = [thriftwood(*words) for words in commands]
    written = Path("answers.tsv").read_bytes()
    in_parts()
    assert [thriftwood(*words) for words in commands] == whole
    assert Path("answers.tsv").read_bytes() == written
    assert all(run.code == 0 for run in whole)
    assert "category that was not there" in whole[0].err


@pytest.mark.parametrize("form", [as_csv, as_parquet])
def test_sums_are_those_of_the_whole_table_but_for_the_last_digit(state_tree, in_parts, form):
    command = ["bill", "tree.json", form(Path()), "--target", "state", "--json"]

    def numbers():
        return json.loads(thriftwood(*command).out, parse_float=lambda digits: float(f"{float(digits):.14g}"))

    whole = numbers()
    in_parts()
    assert numbers() == whole


def test_models_of_several_trees(model, in_parts):
    table = as_parquet(Path())
    commands = [["predict", model, table], ["bill", model, table, "--target", "state"]]
    whole = [thriftwood(*words) for words in commands]
    in_parts()
    assert [thriftwood(*words) for words in commands] == whole
    assert all(run.code == 0 for run in whole)


def changed(column, row, value, kind=object):
    frame = wards().astype({column: kind})
    frame.loc[row, column] = value
    return frame


WRONG = {
    "no number": changed("pulse", 22, "high"),
    "decimal commas": changed("pulse", 22, "61,5"),
    "truth among numbers": changed("pulse", slice(20, 24), "True"),
    "numbers among truths": wards().assign(pulse=["True"] * 20 + ["1"] * 10),
    "too long for a float": changed("pulse", 17, str(2**53 + 1)),
    "an infinity": changed("cholesterol", 23, "1e999"),
    "no class": changed("state", [12, 27], None),
    "one row without a class": changed("state", 27, None),
    "unknown classes": changed("state", [3, 28], ["ill", "well"]),
    "amounts for classes": wards().assign(state=range(30)),
    "a text among amounts": wards().assign(state=["7"] * 28 + ["8.0", "sick"]),
    "an absent column": wards().drop(columns="cholesterol"),
}


@pytest.mark.parametrize("what", WRONG)
def test_errors_name_the_row_of_the_file(state_tree, in_parts, what):
    WRONG[what].to_csv("wards.csv", index=False)
    command = ["bill", "tree.json", "wards.csv", "--target", "state"]
    whole = thriftwood(*command)
    in_parts()
    assert thriftwood(*command) == whole
    assert (whole.code, whole.out) == (2, "")


def test_lines_of_another_width_are_found_before_anything_is_written(state_tree, in_parts):
    lines = wards().to_csv(index=False).splitlines()
    Path("wards.csv").write_text("\n".join([*lines[:20], "sick,1,2", *lines[20:]]))
    whole = thriftwood("predict", "tree.json", "wards.csv")
    in_parts()
    assert thriftwood("predict", "tree.json", "wards.csv") == whole
    assert (whole.code, whole.out) == (2, "")
    assert "line 21: 3 cells" in whole.err


@pytest.mark.parametrize("value", [2**53 + 1, -(2**53) - 1])
def test_rows_of_parquet_files_are_counted_through(state_tree, in_parts, value):
    wards().assign(cholesterol=[value if row == 21 else row for row in range(30)]).to_parquet("wards.parquet")
    whole = thriftwood("predict", "tree.json", "wards.parquet", "-o", "answers.csv")
    in_parts()
    assert thriftwood("predict", "tree.json", "wards.parquet", "-o", "answers.csv") == whole
    assert (whole.code, "in row 21," in whole.err) == (2, True)


def test_an_error_on_the_way_leaves_the_old_file(state_tree, in_parts):
    in_parts()
    as_csv(Path())
    assert thriftwood("predict", "tree.json", "wards.csv", "-o", "answers.parquet").code == 0
    old = Path("answers.parquet").read_bytes()
    WRONG["no number"].to_csv("wards.csv", index=False)
    assert thriftwood("predict", "tree.json", "wards.csv", "-o", "answers.parquet").code == 2
    assert Path("answers.parquet").read_bytes() == old
    assert not [path for path in Path().iterdir() if path.name.startswith(".")]


def test_answers_in_parquet(state_tree, in_parts):
    table = as_csv(Path())
    words = ["predict", "tree.json", table, "--keep", "smoker"]
    text = pd.read_csv(pd.io.common.StringIO(thriftwood(*words).out))
    in_parts()
    assert thriftwood(*words, "-o", "answers.parquet").out == "Written: answers.parquet, 30 answers.\n"
    found = pd.read_parquet("answers.parquet")
    assert found["smoker"].isna().sum() == 6
    pd.testing.assert_frame_equal(found, text, check_dtype=False)
    schema = pq.read_schema("answers.parquet")
    assert [str(kind) for kind in schema.types] == ["string", "string", "double", "double"]


def test_bills_in_parquet(state_tree):
    table = as_csv(Path())
    words = ["bill", "tree.json", table, "--target", "state", "-o"]
    thriftwood(*words, "cases.csv")
    run = thriftwood(*words, "cases.parquet")
    assert run.out == thriftwood("bill", "tree.json", table, "--target", "state").out
    pd.testing.assert_frame_equal(
        pd.read_parquet("cases.parquet"), pd.read_csv("cases.csv", keep_default_na=False), check_dtype=False
    )


def test_numbers_as_classes_are_numbers_in_parquet(clinic):
    tw.CostTreeClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1]).tree_.save("tree.json")
    Path("t.csv").write_text("x0\n1\n4\n")
    assert thriftwood("predict", "tree.json", "t.csv", "-o", "a.parquet").code == 0
    assert pq.read_table("a.parquet")["predicted"].to_pylist() == [0, 1]
    assert str(pq.read_schema("a.parquet").field("predicted").type) == "int64"


def test_a_tree_that_asks_nothing(clinic, in_parts):
    tw.CostTreeClassifier(growth=tw.Growth(min_split_weight=9)).fit([[1], [2]], [0, 1]).tree_.save(
        "tree.json"
    )
    wards().to_parquet("wards.parquet")
    whole = thriftwood("predict", "tree.json", "wards.parquet")
    in_parts()
    assert thriftwood("predict", "tree.json", "wards.parquet") == whole
    assert len(whole.out.splitlines()) == 31


PEAK = """
import sys
import thriftwood.cli.inputs, thriftwood.cli.machine, thriftwood.evaluation, pyarrow.parquet
from thriftwood.cli import app
def memory(name):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(name)) / 1024
before = memory("VmRSS")
app(sys.argv[1:], standalone_mode=False)
print(memory("VmHWM") - before, file=sys.stderr)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no figures of memory")
@pytest.mark.parametrize("verb", ["predict", "bill"])
def test_memory_does_not_grow_with_the_rows(state_tree, verb):
    many = pd.concat([wards().ffill()] * 27_000)  # 810,000 rows: about 500 MiB, held whole
    many.to_parquet("many.parquet")
    run = subprocess.run(
        [sys.executable, "-c", PEAK, verb, "tree.json", "many.parquet", "-o", "out.parquet"],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert pq.read_metadata("out.parquet").num_rows == len(many)
    assert float(run.stderr.splitlines()[-1]) < 200
