import json
import re
from pathlib import Path

import pytest
from cli.commands import thriftwood

import thriftwood as tw

pytestmark = pytest.mark.usefixtures("clinic")


def test_a_page_with_the_table_inside():
    done = thriftwood(
        "studio",
        "patients.csv",
        "--target",
        "state",
        "--ignore",
        "id",
        "--costs",
        "costs.toml",
        "-o",
        "page.html",
    )
    assert done.code == 0
    assert done.out == "Written: page.html. Open it in a browser.\n"
    page = Path("page.html").read_text(encoding="utf-8")
    data = json.loads(re.search(r'id="data">(.*?)</script>', page)[1])
    read = tw.read_table("patients.csv", "state", leave_out=["id"])
    assert data["table"]["name"] == "patients.csv"
    assert [column["name"] for column in data["table"]["columns"]] == list(read.feature_names)
    classes = data["table"]["classes"]
    assert [classes[label] for label in data["table"]["labels"]] == [str(label) for label in read.y]
    costs = tw.Costs.from_dict(data["costs"])
    assert costs.tests == tw.Costs.from_file("costs.toml").tests


def test_a_page_to_drop_a_table_on():
    done = thriftwood("studio")
    assert done.out == "Written: studio.html. Open it and drop a CSV file on it.\n"


def test_a_page_that_is_there_is_lost_only_where_it_was_named():
    Path("studio.html").write_text("mine")
    run = thriftwood("studio")
    assert (run.code, Path("studio.html").read_text()) == (2, "mine")
    assert "-o FILE" in run.err
    assert "--force" in run.err
    for words in (["--force"], ["-o", "studio.html"]):
        Path("studio.html").write_text("mine")
        assert thriftwood("studio", *words).code == 0
        assert Path("studio.html").read_text(encoding="utf-8") != "mine"


@pytest.mark.parametrize(
    "words", [["--target", "state"], ["patients.csv", "--target", "state", "-o", "patients.csv"]]
)
def test_what_cannot_be_is_refused(words):
    done = thriftwood("studio", *words)
    assert done.code == 2


@pytest.mark.parametrize("today", ['answers = "sex"', 'model = "old.json"'])
def test_what_is_done_today_and_is_no_panel_is_said_to_be_left_out(today):
    Path("today.toml").write_text(f"{Path('costs.toml').read_text()}\n[today]\n{today}\n")
    done = thriftwood("studio", "--costs", "today.toml")
    assert done.code == 0
    assert "the page compares with panels only" in " ".join(done.err.split())
    assert "panels" not in thriftwood("studio", "--costs", "costs.toml", "-o", "other.html").err
