import csv
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from cli.commands import as_process, thriftwood

import thriftwood as tw


@pytest.fixture
def wards(clinic):
    """Patients of two months in files, more than a handful, and a tree of the first."""
    chance = random.Random(0)
    for name, shift in (("may.csv", 0), ("june.csv", 0), ("july.csv", 60)):
        with Path(name).open("w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["smoker", "pulse", "cholesterol", "state"])
            for _ in range(300):
                smoker, pulse = chance.choice(["yes", "no"]), chance.randint(55, 100)
                cholesterol = chance.randint(150, 350)
                sick = cholesterol + 30 * (smoker == "yes") + chance.gauss(0, 40) > 270
                rows.writerow([smoker, pulse, cholesterol + shift, "sick" if sick else "healthy"])
    data = tw.read_table("may.csv", "state")
    tw.algorithm("c45", costs=tw.Costs.from_file("costs.toml")).fit(data.X, data.y).tree_.save("tree.json")
    return clinic


def test_the_exit_code_says_whether_there_is_an_alarm(wards):
    calm, alarmed = (
        thriftwood("watchdog", "tree.json", "june.csv"),
        thriftwood("watchdog", "tree.json", "july.csv"),
    )
    assert (calm.code, calm.err) == (0, "")
    assert calm.out.startswith(
        "No alarm: 300 new cases differ no more from the 300 of training than by chance.\n"
    )
    assert (alarmed.code, alarmed.err) == (1, "")
    assert alarmed.out.startswith("Alarm: cholesterol moved.")
    assert "cholesterol >" in alarmed.out
    own = tw.watchdog(tw.load("tree.json"), tw.read_table("july.csv").X.drop(columns="state"))
    assert alarmed.out == f"{own}\n"


def test_quiet_speaks_up_for_an_alarm_alone(wards):
    assert thriftwood("watchdog", "tree.json", "june.csv", "--quiet").out == ""
    assert thriftwood("watchdog", "tree.json", "july.csv", "--quiet").out.startswith("Alarm")


def test_for_programs(wards):
    run = as_process("watchdog", "tree.json", "july.csv", "--json", "--rate", "0.001")
    assert run.code == 1
    content = json.loads(run.out)
    assert (content["alarm"], content["moved"], content["rate"]) == (True, ["cholesterol"], 0.001)
    assert content["checks"][0]["column"] == "cholesterol"
    assert sum(leaf["share"] for leaf in content["leaves"]) == pytest.approx(1)
    assert content["mean_cost"] == content["mean_test_cost"] + content["mean_error_cost"]


def test_other_prices_and_a_reference(wards):
    Path("dear.toml").write_text("default_price = 7\nerrors_default = 3\n")
    run = thriftwood(
        "watchdog", "tree.json", "june.csv", "--costs", "dear.toml", "--reference", "may.csv", "--json"
    )
    content = json.loads(run.out)
    assert (run.code, content["compared_with"], content["n_compared"]) == (0, "the reference", 300)
    assert content["mean_test_cost"] == pytest.approx(content["usual_test_cost"], rel=0.2)
    assert content["mean_test_cost"] >= 7
    shifted = thriftwood("watchdog", "tree.json", "july.csv", "--reference", "may.csv")
    assert (shifted.code, shifted.out.startswith("Alarm: cholesterol")) == (1, True)


def test_new_categories_are_noted(wards):
    text = Path("june.csv").read_text()
    Path("june.csv").write_text(text.replace("yes,", "often,"))
    data = tw.read_table("may.csv", "state")
    tw.algorithm("id3", costs=tw.Costs.from_file("costs.toml")).fit(data.X, data.y).tree_.save("tree.json")
    run = thriftwood("watchdog", "tree.json", "june.csv")
    assert run.code == 1
    assert "Alarm: smoker moved" in run.out
    assert "a category that was not there in training: 'often'" in run.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("panel.json", "patients.csv"), "Give --reference TABLE, cases to compare with."),
        (("tree.json", "patients.csv", "--rate", "2"), "between 0 and 1"),
        (("tree.json", "none.csv"), "none.csv: No such file"),
        (("tree.json", "patients.csv", "--reference", "none.csv"), "none.csv: No such file"),
        (("-", "patients.csv", "--reference", "-"), "Only one of the files"),
    ],
)
def test_errors_are_sentences_with_another_exit_code(state_tree, state_panel, arguments, message):
    typed = Path("tree.json").read_text()
    run = thriftwood("watchdog", *arguments, typed=typed)
    assert (run.code, run.out) == (2, "")
    assert message in run.err


def test_the_line_of_a_crontab(wards):
    command = Path(sys.executable).with_name("thriftwood")
    line = f"{command} watchdog tree.json july.csv --quiet > alarm.txt || echo told"
    run = subprocess.run(line, shell=True, capture_output=True, encoding="utf-8", env=os.environ, check=False)
    assert run.stdout == "told\n"
    assert Path("alarm.txt").read_text().startswith("Alarm")
