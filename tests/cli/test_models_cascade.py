"""Score cards on the command line: shown, asked and billed."""

import json
from pathlib import Path

import pytest
from cli.commands import thriftwood
from random_cascades import GOLDEN, golf_cascade

import thriftwood as tw


@pytest.fixture
def golf(tmp_path, monkeypatch):
    """A table in the folder where commands run."""
    monkeypatch.chdir(tmp_path)
    table = tw.load_dataset("golf")
    table.X.assign(play=table.y).to_csv("golf.csv", index=False)
    return table


def test_cards_are_shown_as_they_are_printed(golf):
    said = thriftwood("show", str(GOLDEN)).out
    assert said == f"Cascade: 3 stages of 1 + 2 + 1 tests, classes No, Yes\n{golf_cascade().text()}\n"


def test_cards_are_drawn_and_opened(golf, monkeypatch):
    pytest.importorskip("matplotlib", reason="needs the extra plots")
    assert thriftwood("show", str(GOLDEN), "--svg", "cards.svg").out == "Written: cards.svg.\n"
    assert "stage 3" in Path("cards.svg").read_text(encoding="utf-8")
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda url: opened.append(url) or True)
    thriftwood("show", str(GOLDEN), "--browser")
    page = Path(opened[0].removeprefix("file://"))
    assert "Stage 2 buys Humidity (2.5)" in page.read_text(encoding="utf-8")
    page.unlink()


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--rules", "`thriftwood fit --set leaves=class` learns a single tree, which has rules"),
        ("--depth=2", "are for trees"),
        ("--member=1", "Leave it"),
    ],
)
def test_what_only_trees_have_is_refused(golf, option, said):
    found = thriftwood("show", str(GOLDEN), option)
    assert found.code == 2
    assert said in found.err
    assert "a cascade of 3 stages" in found.err


def test_answers_and_bills(golf):
    cascade = golf_cascade()
    thriftwood("predict", str(GOLDEN), "golf.csv", "-o", "answers.csv")
    lines = Path("answers.csv").read_text(encoding="utf-8").splitlines()
    assert [line.split(",")[0] for line in lines[1:]] == cascade.predict(golf.X).tolist()
    bill = json.loads(thriftwood("bill", str(GOLDEN), "golf.csv", "--target", "play", "--json").out)
    assert bill["total_cost"] == tw.bill(cascade, golf.X, golf.y).total_cost == 86


def test_a_case_is_asked_stage_by_stage(golf):
    said = thriftwood("consult", str(GOLDEN), typed="Rain\n70\ntrue\n").out
    assert "Run together for 3: Humidity, Windy" in said
    assert said.endswith("Answer: No (share 62 %), bill 5\n")
    known = ("--known", "Outlook=Rain", "--budget", "3")
    state = json.loads(thriftwood("consult", str(GOLDEN), *known, "--json").out)
    assert (state["next_tests"], state["price"]) == (["Humidity", "Windy"], 3)
    bill = json.loads(thriftwood("bill", str(GOLDEN), "golf.csv", "--budget", "4", "--json").out)
    assert (bill["total_test_cost"], bill["n_stopped"]) == (28, 10)


@pytest.mark.parametrize("language", ["python", "c", "sql", "json"])
def test_cards_are_exported(golf, language):
    wanted = getattr(tw, f"export_{language}")(golf_cascade())
    assert thriftwood("export", str(GOLDEN), "--to", language).out == wanted


def test_what_cards_cannot_become_is_refused(golf):
    for options in (("--to", "rules"), ("--to", "onnx", "-o", "cards.onnx")):
        found = thriftwood("export", str(GOLDEN), *options)
        assert found.code == 2
        assert "exported to Python, C, SQL, JavaScript, a page, a spreadsheet and JSON" in found.err
    assert "Leave it out" in thriftwood("export", str(GOLDEN), "--to", "c", "--member", "1").err


@pytest.mark.parametrize("estimate", [(), ("--holdout", "0.3"), ("--cv", "2")])
def test_cards_are_learnt_billed_and_reported(golf, estimate):
    table = tw.load_dataset("wisconsin-diagnostic")
    columns = ["mean area", "mean texture"]
    table.X[columns].assign(state=table.y).to_csv("cells.csv", index=False)
    Path("costs.toml").write_text(
        "[errors.malignant]\nbenign = 500\n[errors.benign]\nmalignant = 50\n"
        '[tests]\n"mean area" = 2\n"mean texture" = 2\n'
    )
    options = ("--costs", "costs.toml", "--algorithm", "thrift", "--set", "leaves=score", *estimate)
    run = thriftwood("fit", "cells.csv", "--target", "state", *options, "-o", "m.json", "--report", "m.html")
    assert run.code == 0, run.err
    assert isinstance(tw.load("m.json"), tw.Cascade)
    learnt = 398 if estimate[:1] == ("--holdout",) else 569
    title = f"score cards learnt from {learnt} cases of cells.csv"
    assert f"thrift: {title}" in Path("m.html").read_text(encoding="utf-8")
