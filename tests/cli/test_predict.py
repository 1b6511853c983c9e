import csv
import json
from pathlib import Path

import pandas as pd
import pytest
from cli.commands import as_process, thriftwood

import thriftwood as tw


def answers(text):
    return list(csv.DictReader(text.splitlines()))


def test_answers_and_probabilities_are_the_tree_s(state_tree):
    run = as_process("predict", "tree.json", "patients.csv")
    assert run.code == 0
    data = tw.read_table("patients.csv", "state", leave_out=["id"])
    tree = tw.load(state_tree)
    rows = answers(run.out)
    assert [row["predicted"] for row in rows] == tree.predict(data.X).tolist()
    shares = [[float(row["p(healthy)"]), float(row["p(sick)"])] for row in rows]
    assert shares == tree.predict_proba(data.X).tolist()
    unlikely = sum(float(row[f"p({row['predicted']})"]) < 0.5 for row in rows)
    assert unlikely > 0
    assert run.err.startswith(f"Note: In {unlikely} of 12 rows the answer is the cheapest, not the likeliest")


def test_a_file_with_columns_kept_beside_the_answers(state_tree):
    run = thriftwood("predict", "tree.json", "patients.csv", "--keep", "id", "-o", "answers.tsv")
    assert (run.code, run.out) == (0, "Written: answers.tsv, 12 answers.\n")
    lines = Path("answers.tsv").read_text().splitlines()
    assert lines[0].split("\t") == ["id", "predicted", "p(healthy)", "p(sick)"]
    assert lines[3].split("\t")[0] == "3"


def test_what_a_spreadsheet_would_run_is_written_as_text(state_tree):
    table = pd.read_csv("patients.csv").assign(id='=HYPERLINK("http://x","y")')
    table.to_csv("formulas.csv", index=False)
    run = thriftwood("predict", "tree.json", "formulas.csv", "--keep", "id")
    assert {row["id"] for row in answers(run.out)} == {'\'=HYPERLINK("http://x","y")'}
    raw = thriftwood("predict", "tree.json", "formulas.csv", "--keep", "id", "--raw")
    assert {row["id"] for row in answers(raw.out)} == {'=HYPERLINK("http://x","y")'}


def test_json(state_tree):
    rows = json.loads(thriftwood("predict", "tree.json", "patients.csv", "--json").out)
    assert len(rows) == 12
    assert set(rows[0]) == {"predicted", "p(healthy)", "p(sick)", "unseen"}
    run = thriftwood("predict", "tree.json", "patients.csv", "--json", "-o", "answers.csv")
    assert json.loads(run.out) == rows
    assert len(Path("answers.csv").read_text().splitlines()) == 13


def test_columns_that_are_never_asked_for_may_be_absent(state_tree):
    used = tw.load(state_tree).features_used
    table = tw.read_table("patients.csv").X[list(used)]
    table.to_csv("less.csv", index=False)
    whole = thriftwood("predict", "tree.json", "patients.csv")
    assert thriftwood("predict", "tree.json", "less.csv").out == whole.out


def test_a_table_and_a_model_from_standard_input(state_tree):
    whole = thriftwood("predict", "tree.json", "patients.csv")
    table, model = Path("patients.csv").read_text(), state_tree.read_text()
    assert thriftwood("predict", "tree.json", "-", typed=table).out == whole.out
    assert thriftwood("predict", "-", "patients.csv", typed=model).out == whole.out


def test_categories_of_digits_alone_are_not_taken_for_numbers(clinic):
    Path("codes.csv").write_text("code,y\n1,a\n2,b\nx,c\n1,a\n2,b\nx,c\n")
    assert thriftwood("fit", "codes.csv", "--target", "y", "--algorithm", "id3", "-o", "tree.json").code == 0
    Path("new.csv").write_text("code\n1\n2\n")
    rows = answers(thriftwood("predict", "tree.json", "new.csv").out)
    assert [row["predicted"] for row in rows] == ["a", "b"]


def test_a_regression_tree_and_a_table_without_names(number_tree, clinic):
    Path("new.csv").write_text("x0\n1\n4\n")
    assert thriftwood("predict", number_tree, "new.csv").out == "predicted\n10.0\n20.0\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["absent.json", "patients.csv"], "absent.json: No such file or directory"),
        (["patients.csv", "tree.json"], "patients.csv is a table by its ending, where a model that"),
        (["patients.csv", "tree.json"], "the model comes first."),
        (["costs.toml", "patients.csv"], "costs.toml: This is not a model file"),
        (
            ["tree.json", "patients.csv", "-o", "no/such/answers.csv"],
            "there is no folder 'no/such'. Make it first",
        ),
        (["tree.json", "absent.csv"], "absent.csv: No such file or directory"),
        (["tree.json", "other.csv"], "other.csv lacks"),
        (["tree.json", "text.csv"], "takes numbers, but data row 1 holds 'high'"),
        (["tree.json", "infinite.csv"], "infinity"),
        (["tree.json", "header.csv"], "no rows"),
        (["tree.json", "patients.csv", "--keep", "idd"], "Did you mean 'id'?"),
        (["tree.json", "patients.csv", "-o", "answers.xls"], "something.csv or something.tsv"),
        (["-", "-"], "cannot both come from standard input"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(state_tree, words, said):
    Path("other.csv").write_text("colour\nred\n")
    Path("text.csv").write_text("smoker,pulse,cholesterol\nno,70,high\n")
    Path("infinite.csv").write_text("smoker,pulse,cholesterol\nno,70,1e999\n")
    Path("header.csv").write_text("smoker,pulse,cholesterol\n")
    run = thriftwood("predict", *words)
    assert (run.code, run.out) == (2, "")
    assert said in run.err
    assert run.err.count("\n") == 1


def test_absent_columns_are_named(state_tree):
    Path("other.csv").write_text("colour\nred\n")
    run = as_process("predict", "tree.json", "other.csv")
    used = tw.load(state_tree).features_used
    assert run.code == 2
    assert all(repr(name) in run.err for name in used)


@pytest.mark.parametrize("nominal", [[], ["flag"]])
def test_booleans_of_a_frame_are_known_in_a_file(clinic, nominal):
    flags = pd.DataFrame({"flag": [True, False, True, False]})
    model = tw.CostTreeClassifier(nominal_features=nominal).fit(flags, ["a", "b", "a", "b"])
    model.tree_.save("tree.json")
    Path("new.csv").write_text("flag\nTrue\nfalse\n")
    run = thriftwood("predict", "tree.json", "new.csv")
    assert [row["predicted"] for row in answers(run.out)] == ["a", "b"]


@pytest.fixture
def smoker_tree(clinic):
    """A saved tree that asks for a category and nothing else."""
    data = tw.read_table("patients.csv", "state", leave_out=["id", "pulse", "cholesterol"])
    tw.CostTreeClassifier(costs=tw.Costs({"smoker": 1})).fit(data.X, data.y).tree_.save("smoker.json")


@pytest.mark.parametrize("verb", ["predict", "bill"])
def test_unseen_categories_are_noted(smoker_tree, verb):
    Path("new.csv").write_text("id,smoker\n1,yes\n2,often\n3,\n4,never\n")
    run = as_process(verb, "smoker.json", "new.csv")
    said = "have a category that was not there in training: 'often', 'never'."
    assert (run.code, run.err) == (0, f"Note: 2 of 3 known cells of column 'smoker' {said}\n")
    Path("new.csv").write_text("smoker\noften\nnever\n")
    run = as_process(verb, "smoker.json", "new.csv")
    assert (run.code, run.err.count("\n")) == (0, 1)
    assert run.err.startswith("Note: None of the 2 known cells of column 'smoker' has a category that was")
    assert "here it holds 'often', 'never', there it held 'no', 'yes'." in run.err


def test_unseen_categories_in_json(smoker_tree):
    Path("new.csv").write_text("smoker\nyes\noften\n?\n")
    rows = json.loads(thriftwood("predict", "smoker.json", "new.csv", "--json").out)
    assert [row["unseen"] for row in rows] == [[], ["smoker"], []]
    content = json.loads(thriftwood("bill", "smoker.json", "new.csv", "--json").out)
    assert content["unseen"] == [{"column": "smoker", "cells": 1, "known": 2, "values": ["often"]}]


SMOKERS = ["smoker,state", *["yes,sick"] * 3, *["yes,healthy"] * 7, *["no,healthy"] * 30, ""]


@pytest.fixture
def smokers(clinic):
    """A table in which three of ten smokers are sick, and nobody else."""
    Path("smokers.csv").write_text("\n".join(SMOKERS))
    return ["smokers.csv", "--target", "state", "--algorithm", "id3", "-o", "m.json"]


def test_answers_that_are_the_cheapest_and_not_the_likeliest_are_counted(smokers):
    Path("errors.toml").write_text("[errors.sick]\nhealthy = 100\n[errors.healthy]\nsick = 20\n")
    assert thriftwood("fit", *smokers, "--costs", "errors.toml").code == 0
    run = thriftwood("predict", "m.json", "smokers.csv")
    said = "Note: In 10 of 40 rows the answer is the cheapest, not the likeliest (error costs).\n"
    assert (run.code, run.err) == (0, said)
    sick = [row for row in answers(run.out) if row["predicted"] == "sick"]
    assert [row["p(sick)"] for row in sick] == ["0.3"] * 10  # 0.3 x 100 against 0.7 x 20
    assert thriftwood("predict", "m.json", "smokers.csv", "--json").err == said


def test_without_error_costs_nothing_is_said_of_the_cheapest(smokers):
    Path("prices.toml").write_text("[tests]\nsmoker = 1\n")
    assert thriftwood("fit", *smokers, "--costs", "prices.toml").code == 0
    assert thriftwood("predict", "m.json", "smokers.csv").err == ""
