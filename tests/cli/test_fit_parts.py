"""``thriftwood fit`` of a table that memory does not hold."""

import json

import pyarrow.parquet as pq
import pytest
from cli.commands import thriftwood
from learning.scans.scanned_tables import mixed_table

import thriftwood as tw

SET = ("bins=auto", "missing=branch", "max_depth=3")
TREE = ("--algorithm", "min-total-cost", *(word for one in SET for word in ("--set", one)))
PRICES = """
[tests]
number = 1
text = 1
small = 1
[errors."class 0"]
"class 1" = 30
[errors."class 1"]
"class 0" = 20
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cases = mixed_table(3, 9_000).drop(["w", "single"])
    pq.write_table(cases, "cases.parquet")
    cases.to_pandas().to_csv("cases.csv", index=False)
    (tmp_path / "costs.toml").write_text(PRICES)
    return tmp_path


@pytest.mark.parametrize("name", ["cases.parquet", "cases.csv"])
def test_a_large_table_is_learnt_from_in_parts(folder, name):
    fit = ("fit", name, "--target", "y", "--costs", "costs.toml", *TREE, "--memory", "1MB")
    run = thriftwood(*fit, "-o", "tree.json", "--json")
    assert run.code == 0
    assert f"{name} has 9,000 rows, and is learnt from some rows at a time (--memory 1MB)" in " ".join(
        run.err.split()
    )
    content = json.loads(run.out)
    data = tw.read_table(name, "y")
    model = tw.algorithm(
        "min-total-cost", bins=255, missing="branch", max_depth=3, costs=tw.Costs.from_file("costs.toml")
    )
    assert tw.load("tree.json") == model.fit(data.X, data.y).tree_
    assert content["basis"] == "holdout"
    assert 2_500 < content["bill"]["n_cases"] < 2_900
    assert content["verdict"]["cost"] == content["bill"]["mean_cost"]
    printed = thriftwood(*fit, "--holdout", "0.1", "--seed", "3")
    assert "held out, of a tree learnt from the other" in printed.out


@pytest.mark.parametrize("share", ["1", "0", "-0.1", "nan"])
def test_a_share_that_cannot_be_held_out_is_refused_before_anything_is_learnt(folder, share):
    fit = ("fit", "cases.csv", "--target", "y", "--costs", "costs.toml", *TREE, "--memory", "1MB")
    run = thriftwood(*fit, "--holdout", share, "-o", "tree.json")
    assert run.code == 2
    assert "The share to hold out must lie between 0 and 1." in run.err
    assert not (folder / "tree.json").exists()


def test_score_cards_of_a_large_table_are_saved(folder):
    fit = ("fit", "cases.csv", "--target", "y", "--costs", "costs.toml", "--memory", "1MB")
    run = thriftwood(*fit, "--set", "leaves=score", "-o", "cards.json")
    assert (run.code, tw.load("cards.json").kind) == (0, "cascade")


def test_the_default_learner_takes_a_sample(folder):
    run = thriftwood("fit", "cases.parquet", "--target", "y", "--costs", "costs.toml", "--memory", "1MB")
    assert run.code == 0
    assert "The tests were chosen by a sample of" in " ".join(run.out.split())


def test_what_needs_the_table_in_memory_is_refused(folder):
    fit = ("fit", "cases.csv", "--target", "y", "--costs", "costs.toml", "--memory", "1MB")
    for words, said in [
        (("--algorithm", "bagging"), "bagging learns from tables in memory"),
        (("--algorithm", "act"), "act learns from tables in memory"),
        (("--algorithm", "lsid3"), "lsid3 learns from tables in memory"),
        (("--algorithm", "c45"), "--set subtree_raising=false"),
        (("--algorithm", "id3"), "--set bins=auto"),
        (("--algorithm", "icet"), "icet learns from tables in memory. cases.csv has 9,000 rows"),
        (("--cv", "5"), "--cv learns from parts of a table in memory again and again"),
        (("--report", "r.html"), "--memory 1GB says that there is so much"),
    ]:
        run = thriftwood(*fit, *words)
        assert run.code == 2
        assert said in " ".join(run.err.split())
        assert "is learnt from some rows at a time" not in run.err  # refused before it is read
    assert thriftwood("fit", "cases.csv", "--target", "y", "--memory", "much").code == 2
    assert thriftwood("fit", "cases.csv", "--target", "why", "--memory", "1MB").code == 2


@pytest.mark.parametrize("name", ["cases.parquet", "cases.csv"])
def test_a_target_that_tells_every_row_apart_is_refused(folder, name):
    table = pq.read_table("cases.parquet").to_pandas()
    table["who"] = [f"Ann {row}" for row in range(len(table))]
    table.to_parquet("cases.parquet")
    table.to_csv("cases.csv", index=False)
    run = thriftwood("fit", name, "--target", "who", *TREE, "--memory", "1MB")
    assert run.code == 2
    assert f"'who' of {name} is different in each of its 9000 rows, such as 'Ann 0'" in " ".join(
        run.err.split()
    )


def test_a_full_disk_is_told_with_what_the_shell_can_do(folder, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda path: type("Usage", (), {"free": 100})())
    fit = ("fit", "cases.parquet", "--target", "y", "--costs", "costs.toml", *TREE, "--memory", "1MB")
    run = thriftwood(*fit)
    assert run.code == 1
    assert run.err.endswith("environment variable TMPDIR names another folder for the codes of the table\n")
    assert "cache=" not in run.err


def test_a_large_table_without_prices_needs_no_settings(folder):
    fit = ("fit", "cases.csv", "--target", "y", "--memory", "1MB")
    run = thriftwood(*fit)
    assert run.code == 0
    said = " ".join(run.err.split())
    learns = "c45 learns with bins=auto, cut_at=midpoint, min_gap=0, missing=branch, subtree_raising=false"
    assert learns in said
    mine = thriftwood(*fit, "--set", "bins=15", "--set", "pruning=none")
    assert mine.code == 0
    assert "c45 learns with cut_at=midpoint, min_gap=0, missing=branch:" in " ".join(mine.err.split())


@pytest.mark.parametrize("name", ["c45", "eg2", "idx", "cs-id3", "min-total-cost"])
def test_a_refusal_names_all_settings_and_they_do(folder, name):
    table = ("cases.csv", "--target", "y", "--costs", "costs.toml")
    fit = ("fit", *table, "--memory", "1MB", "--algorithm", name)
    refused = thriftwood(*fit)
    named = refused.err.strip().rpartition("need for this: ")[2].split()
    assert (refused.code, len(named)) == (2, 10)
    assert thriftwood(*fit, *named).code == 0


def test_price_lists_are_begun_and_checked_some_rows_at_a_time(folder, monkeypatch):
    whole = thriftwood("costs", "init", "cases.csv", "--target", "y").out
    monkeypatch.setattr("thriftwood.datasets.files.parts.LARGE_TEXT", 1000)
    monkeypatch.setattr("thriftwood.datasets.files.parts.CELLS", 4000)
    assert thriftwood("costs", "init", "cases.csv", "--target", "y").out == whole
    checked = json.loads(
        thriftwood("costs", "check", "costs.toml", "cases.csv", "--target", "y", "--json").out
    )
    assert checked["error_matrix"]["class 0"] == {"class 0": 0, "class 1": 30}
    least = tw.read_table("cases.csv", "y").X["number"].min()
    assert f"# {least} to" in whole


def test_odd_cells_are_noted_as_of_a_table_in_memory(folder):
    lines = (folder / "cases.csv").read_text().splitlines()
    _, *rest = lines[4_000].split(",")
    lines[4_000] = ",".join(["n.a.", *rest])
    (folder / "cases.csv").write_text("\n".join(lines))
    fit = ("fit", "cases.csv", "--target", "y", *TREE)
    in_parts, whole = (thriftwood(*fit, "--memory", memory).err for memory in ("1MB", "2GB"))
    said = "Note: Column 'number' is nominal because of cells like 'n.a.', while"
    assert said in " ".join(in_parts.split())
    assert said in " ".join(whole.split())
    assert said not in " ".join(thriftwood(*fit, "--memory", "1MB", "--ignore", "number").err.split())
