"""The page that `thriftwood fit --report` writes."""

import json
import re
from html import unescape
from pathlib import Path

import pytest
from cli.commands import as_process, thriftwood

import thriftwood as tw
from thriftwood.evaluation.statement import amount

LEARN = ("fit", "patients.csv", "--target", "state", "--ignore", "id", "--costs", "costs.toml")


def page_data(path="report.html"):
    text = Path(path).read_text(encoding="utf-8")
    return json.loads(re.search(r'<script type="application/json"[^>]*>(.*?)</script>', text, re.DOTALL)[1])


def test_a_report_of_the_tree_and_its_cases(clinic):
    run = as_process(*LEARN, "--algorithm", "c45", "-o", "tree.json", "--report", "report.html")
    assert (run.code, run.err) == (0, "")
    assert run.out.endswith("Report: report.html. Open it in a browser.\n")
    data = page_data()
    assert len(data["nodes"]) == tw.load("tree.json").n_nodes
    assert (len(data["cases"]), data["frontier"]) == (12, None)  # c45 does not weigh prices
    text = Path("report.html").read_text(encoding="utf-8")
    assert "<h1>c45: a tree learnt from 12 cases of patients.csv</h1>" in text  # its headline is of new ones


def test_a_learner_that_weighs_prices_gets_its_frontier(clinic):
    run = thriftwood(*LEARN, "--algorithm", "eg2", "--set", "w=0.5", "--report", "report.html")
    assert (run.code, run.err) == (0, "")
    frontier = page_data()["frontier"]
    assert frontier["param"] == "w"
    (chosen,) = [point["value"] for point in frontier["points"] if point["chosen"]]
    assert chosen == "0.5"  # the model's own


def test_a_holdout_s_report_is_of_cases_not_learnt_from(clinic):
    run = thriftwood(*LEARN, "--holdout", "0.25", "--report", "report.html", "--json")
    content = json.loads(run.out)
    assert content["report"] == "report.html"
    data = page_data()
    assert (len(data["cases"]), len(data["nodes"])) == (3, content["billed_model"]["n_nodes"])
    text = Path("report.html").read_text(encoding="utf-8")
    assert "Of the cases that the tree learnt from" not in text
    assert "a tree learnt from 9 cases of patients.csv, its bill on 3 others" in text


def test_cross_validated_figures_are_on_the_page(clinic):
    run = thriftwood(*LEARN, "--algorithm", "c45", "--cv", "3", "--report", "report.html", "--json")
    ranking = json.loads(run.out)["cross_validation"]["ranking"]
    (found,) = [row for row in ranking if row["name"] == "c45"]  # the others are what it is compared with
    text = " ".join(re.sub(r"<[^>]+>", " ", Path("report.html").read_text(encoding="utf-8")).split())
    assert f"a case costs {amount(found['cost'])} {amount(found['low'])} to {amount(found['high'])}" in text
    assert "12 cases was judged by a tree that had not seen it (3 folds)" in text
    assert text.count("Of the cases that the tree learnt from") == 2


def test_the_title_is_the_reader_s(clinic):
    run = thriftwood(*LEARN, "--algorithm", "c45", "--report", "report.html", "--title", "Ward <7>")
    assert (run.code, run.err) == (0, "")
    assert "<h1>Ward &lt;7&gt;</h1>" in Path("report.html").read_text(encoding="utf-8")


def test_prices_can_be_changed_in_a_live_report(clinic):
    run = thriftwood(*LEARN, "--algorithm", "c45", "--report", "report.html", "--live")
    assert run.code == 0
    assert "What if a price changed?</h2>" in (clinic / "report.html").read_text(encoding="utf-8")
    run = thriftwood(*LEARN, "--live")
    assert run.code == 2
    assert "--live is a section of a report; give --report FILE, too." in " ".join(run.err.split())


def test_a_title_needs_a_report(clinic):
    run = thriftwood(*LEARN, "--title", "Ward 7")
    assert run.code == 2
    assert "--title is the title of a report; give --report FILE, too." in " ".join(run.err.split())


def test_the_page_begins_with_the_verdict_of_the_command(clinic):
    run = thriftwood(*LEARN, "--algorithm", "c45", "--report", "report.html", "--json")
    said = json.loads(run.out)["verdict"]
    text = Path("report.html").read_text(encoding="utf-8")
    sentence = unescape(re.search(r'<p class="sentence">(.*?)</p>', text)[1])
    assert f"; {amount(said['cost'])} a case" in sentence
    assert said["basis"] in text


def test_where_a_frontier_would_take_long_a_note_says_so(clinic, monkeypatch):
    monkeypatch.setattr("thriftwood.cli.reporting.MOST_CELLS", 35)  # 12 rows of 3 columns are more
    run = thriftwood(*LEARN, "--algorithm", "eg2", "--report", "report.html")
    assert run.code == 0
    assert run.err == (
        "Note: The report has no frontier, which would take long here. `thriftwood frontier` makes one.\n"
    )
    assert page_data()["frontier"] is None


def test_a_report_without_prices(clinic):
    run = thriftwood("fit", "patients.csv", "--target", "state", "--ignore", "id", "--report", "report.html")
    assert (run.code, run.err) == (0, "")
    assert len(page_data()["cases"]) == 12


@pytest.mark.parametrize(
    ("path", "said"),
    [("report.pdf", "A report is a .html file. Got 'report.pdf'."), ("nowhere/report.html", "no folder")],
)
def test_a_report_that_cannot_be_written(clinic, path, said):
    run = as_process(*LEARN, "--report", path)
    assert (run.code, run.out) == (2, "")
    assert said in run.err
    assert run.err.count("\n") == 1
