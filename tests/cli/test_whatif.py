import json
from pathlib import Path

import pytest
from cli.commands import as_interrupted, as_process, thriftwood

import thriftwood as tw

TABLE = ("whatif", "patients.csv", "--target", "state", "--ignore", "id", "--costs", "costs.toml")


def library(ask, **settings):
    data = tw.read_table("patients.csv", "state", leave_out=["id"])
    return ask(data.X, data.y, tw.Costs.from_file("costs.toml"), **settings)


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        (["--price", "cholesterol=0..60"], {"price": {"cholesterol": (0, 60)}}),
        (["--shared", "blood draw=1..90"], {"shared": {"blood draw": (1, 90)}}),
        (
            ["--error", "sick:healthy=1..900", "--folds", "3"],
            {"error": {("sick", "healthy"): (1, 900)}, "folds": 3},
        ),
        (
            ["--price", "pulse=0..9", "--algorithm", "eg2", "--set", "w=0.5"],
            {"price": {"pulse": (0, 9)}, "learner": tw.algorithm("eg2", w=0.5)},
        ),
    ],
)
def test_it_prints_what_the_library_finds(clinic, words, asked):
    run = thriftwood(*TABLE, *words)
    assert (run.code, run.err) == (0, "")
    assert run.out == f"{library(tw.what_if, **asked)}\n"


def test_without_a_range_it_says_what_tests_are_worth(clinic):
    run = as_process(*TABLE)
    assert (run.code, run.err) == (0, "")
    assert run.out == f"{library(tw.break_even)}\n"
    content = json.loads(thriftwood(*TABLE, "--json").out)
    found = library(tw.break_even)
    assert [row["name"] for row in content["tests"]] == [worth.name for worth in found]
    assert content["sentence"] == found.sentence


def test_json_and_the_picture(clinic):
    run = thriftwood(*TABLE, "--price", "cholesterol=0..60", "--json", "--plot", "way.svg")
    content = json.loads(run.out)
    found = library(tw.what_if, price={"cholesterol": (0, 60)})
    assert [flip["at"] for flip in content["flips"]] == [flip.at for flip in found.flips]
    assert [step["share"] for step in content["steps"]] == [step.share for step in found]
    assert (content["kind"], content["name"], content["now"]) == ("price", "cholesterol", 5)
    assert len(content["curve"]) == 101
    assert "<svg" in Path("way.svg").read_text()
    assert "Written: way.svg." in thriftwood(*TABLE, "--price", "cholesterol=0..60", "--plot", "way.svg").out


def test_names_may_have_signs_of_their_own(clinic):
    text = Path("patients.csv").read_text().replace("cholesterol", "a=b..c").replace("sick", "ill: bad")
    Path("patients.csv").write_text(text)
    prices = Path("costs.toml").read_text().replace("cholesterol", '"a=b..c"')
    Path("costs.toml").write_text(
        prices.replace("[errors.sick]", '[errors."ill: bad"]').replace("sick =", '"ill: bad" =')
    )
    assert "the price of a=b..c were 1 to 2" in thriftwood(*TABLE, "--price", "a=b..c=1..2").out
    assert "answering healthy to ill: bad" in thriftwood(*TABLE, "--error", "ill: bad:healthy=1..2").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--price", "cholesterol"], "--price is written like FTI=18..60. Got 'cholesterol'."),
        (["--price", "cholesterol=5"], "--price is written like FTI=18..60."),
        (["--price", "cholesterol=1..x"], "'x' is no number."),
        (["--price", "cholesterol=1,5..3"], "Numbers are written with a decimal point: 1.5."),
        (["--error", "sick=1..3"], "names the true class and the answer: sick:healthy=50..500"),
        (["--price", "colesterol=1..3"], "the table has no such column. Did you mean 'cholesterol'?"),
        (["--price", "smoker=3..1"], "must have its lower number first. Got 3 and 1."),
        (["--price", "smoker=-3..1"], "a finite number, 0 or more. Got -3"),
        (["--price", "smoker=nan..1"], "a finite number, 0 or more. Got nan"),
        (["--error", "sik:healthy=1..3"], "there is no class 'sik'. Did you mean 'sick'?"),
        (["--shared", "needle=1..3"], "the price list has no such shared resource."),
        (["--price", "smoker=1..3", "--plot", "way.gif"], "Got 'way.gif'"),
        (["--price", "smoker=1..3", "--algorithm", "thrift"], "does not learn a single tree"),
        (["--price", "smoker=1..3", "--algorithm", "bagging"], "shows and saves a single tree"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(clinic, words, said):
    run = thriftwood(*TABLE, *words)
    assert (run.code, run.out) == (2, "")
    assert said in run.err
    assert run.err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--price", "smoker=1..3", "--shared", "blood draw=1..3"], "one number is varied at a time"),
        (["--plot", "way.png"], "--plot draws the way of one price"),
        (["--set", "w=0.5"], "--set belongs to a learner"),
    ],
)
def test_options_that_do_not_go_together(clinic, words, said):
    run = thriftwood(*TABLE, *words)
    assert (run.code, run.out) == (2, "")
    assert said in " ".join(run.err.split())


def test_prices_are_needed(clinic):
    run = thriftwood("whatif", "patients.csv", "--target", "state")
    assert run.code == 2
    assert "--costs FILE" in run.err


def test_ctrl_c_prints_what_was_found_and_ends_with_130(clinic):
    rows = [f"{n % 7},{n % 11},{n * 7 % 13},{'sick' if n * n % 19 > 8 else 'well'}" for n in range(900)]
    Path("many.csv").write_text("\n".join(["a,b,c,state", *rows]))
    Path("prices.toml").write_text("errors_default = 50\n[tests]\na = 1\nb = 1\nc = 1\n")
    prepare = """
from thriftwood.evaluation.whatif import trees
own, done = trees.Trees.learnt, []
def slow(self, *asked):
    import time
    done.append(1)
    if len(done) == 3: press_soon()
    time.sleep(0.1)
    return own(self, *asked)
trees.Trees.learnt = slow
"""
    words = (
        "whatif",
        "many.csv",
        "--target",
        "state",
        "--costs",
        "prices.toml",
        "--error",
        "sick:well=1..500",
    )
    run = as_interrupted(prepare, *words)
    assert run.code == 130
    assert "Note: Ctrl-C was pressed; kept is the part of the range that was done." in run.err
    assert "Ctrl-C was pressed before all of the range was looked at." in run.out
