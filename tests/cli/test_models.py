"""Models of several trees on the command line: panels and boosters, wherever trees are taken."""

import csv
import json
from pathlib import Path

import pandas as pd
import pytest
from cli.commands import thriftwood
from cli.conftest import patients, saved

import thriftwood as tw

LEARN = ("fit", "patients.csv", "--target", "state", "--ignore", "id", "--costs", "costs.toml")
SETTINGS = {
    "bagging": {"bags": 3},
    "boosting": {"rounds": 3, "variant": "samme"},
    "shortcut-forest": {"trees": 5},
    "cocost": {"alphas": [0.1, 1], "rounds": 2},
    "gradient-boosting": {"rounds": 4, "min_leaf_weight": 2},
    "inverse-boosting": {"rounds": 3},
    "metacost": {"m": 5},
}
MODELS = ("state_panel", "state_chair", "state_booster")


def words_of(settings):
    return [
        word for name, value in settings.items() for word in ("--set", f"{name}={value}".replace("'", ""))
    ]


@pytest.fixture(params=MODELS)
def several(request):
    """The file of a vote, of a panel with a chair, of a booster."""
    return request.getfixturevalue(request.param)


# Learning


@pytest.mark.filterwarnings("ignore:The first tree makes no mistakes")
@pytest.mark.parametrize("name", SETTINGS)
def test_what_is_learnt_is_saved_with_its_bill(clinic, name):
    run = thriftwood(*LEARN, "--algorithm", name, *words_of(SETTINGS[name]), "-o", "new.json")
    assert run.code == 0, run.err
    data, costs = patients(), tw.Costs.from_file("costs.toml")
    learner = tw.algorithm(name, costs=costs, random_state=0, **SETTINGS[name]).fit(data.X, data.y)
    saved = tw.load("new.json")
    assert saved.predict(data.X).tolist() == learner.predict(data.X).tolist()
    assert saved.costs == costs
    bill = tw.bill(learner, data.X, data.y, costs)
    assert str(bill) in run.out
    assert str(tw.bill(saved, data.X, data.y)) == str(bill)
    what = repr(saved)[1:-1].removeprefix("Tree: ")
    assert f"\n\n{name} on 12 cases of patients.csv: {what}\n" in run.out  # below the verdict
    assert run.out.endswith("Saved: new.json. `thriftwood show new.json` prints it again.\n")


def test_fit_and_show_print_the_same_page(clinic):
    words = ("--algorithm", "shortcut-forest", "--set", "trees=5", "-o", "panel.json")
    page = thriftwood(*LEARN, *words).out.partition("\nIts bill")[0]
    shown = thriftwood("show", "panel.json").out
    _, _, page = page.partition("\n\n")  # the verdict stands first
    assert page.partition("\n")[2] == shown.partition("\n")[2]


def test_the_json_of_a_fit_describes_the_model(clinic):
    words = ("--algorithm", "gradient-boosting", "--set", "rounds=4", "--json", "-o", "booster.json")
    content = json.loads(thriftwood(*LEARN, *words).out)
    data = patients()
    bill = tw.bill(tw.load("booster.json"), data.X, data.y)
    assert (content["basis"], content["bill"]["mean_cost"]) == ("training", bill.mean_cost)
    assert (content["model"]["kind"], content["model"]["stop"]) == ("booster", 0.9)
    assert content["billed_model"] == content["model"]
    assert content["model"] == json.loads(thriftwood("show", "booster.json", "--json").out)


def test_a_holdout_is_billed_by_a_panel_that_has_not_seen_it(clinic):
    words = (*LEARN, "--algorithm", "bagging", "--set", "bags=3", "--holdout", "0.25")
    content = json.loads(thriftwood(*words, "--json").out)
    assert (content["basis"], content["bill"]["n_cases"]) == ("holdout", 3)
    assert content["billed_model"]["n_trees"] == 3
    assert content["billed_model"] != content["model"]
    assert "The bill of 3 cases held out, of a panel learnt from the other 9" in thriftwood(*words).out
    Path("rare.csv").write_text(Path("patients.csv").read_text() + "13,no,70,200,dying\n")
    run = thriftwood("fit", "rare.csv", *LEARN[2:6], "--algorithm", "bagging", "--holdout", "0.6")
    assert (run.code, run.out) == (2, "")
    assert "All cases of the class 'dying' are held out" in run.err


def test_cross_validation_of_several_trees(clinic):
    content = json.loads(
        thriftwood(*LEARN, "--algorithm", "bagging", "--set", "bags=3", "--cv", "3", "--json").out
    )
    entry, *others = sorted(content["cross_validation"]["ranking"], key=lambda one: one["name"])
    assert [one["name"] for one in others] == ["nobody"]
    data, costs = patients(), tw.Costs.from_file("costs.toml")
    learner = tw.algorithm("bagging", bags=3, costs=costs, random_state=0)
    ranking = tw.compare({"bagging": learner}, data.X, data.y, costs, cv=3, random_state=0)
    assert (entry["cost"], content["bill"]) == (ranking[0].mean_cost, None)


def test_a_panel_without_idle_tests(clinic):
    words = (*LEARN, "--algorithm", "cocost", *words_of(SETTINGS["cocost"]), "-o", "panel.json", "--json")
    whole = json.loads(thriftwood(*words).out)["bill"]
    assert "idle" in thriftwood("show", "panel.json").out
    spared = json.loads(thriftwood(*words, "--without-idle-tests").out)["bill"]
    assert spared["mean_error_cost"] == whole["mean_error_cost"]
    assert (whole["mean_test_cost"], spared["mean_test_cost"]) == (2.0, 0.0)
    assert "idle" not in thriftwood("show", "panel.json").out


@pytest.mark.parametrize("name", ["metacost", "inverse-boosting"])
@pytest.mark.filterwarnings("ignore:The first tree makes no mistakes")
def test_a_report_of_the_tree_that_answers(clinic, name):
    run = thriftwood(*LEARN, "--algorithm", name, "--report", "page.html")
    assert run.code == 0, run.err
    page = Path("page.html").read_text(encoding="utf-8")
    assert f"{name}: a tree learnt from 12 cases of patients.csv" in page


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--algorithm", "cocost", "--report", "p.html"], "A report is about a single tree, and cocost"),
        (["--algorithm", "gradient-boosting", "--report", "p.html"], "Leave --report out"),
        (["--algorithm", "gradient-boosting", "--without-idle-tests"], "nothing to leave out"),
        (
            ["--algorithm", "b-lot"],
            "of several trees bagging, boosting, shortcut-forest, cocost and gradient",
        ),
    ],
)
def test_what_several_trees_do_not_have_is_refused_at_once(clinic, words, said):
    run = thriftwood("fit", "absent.csv", *LEARN[2:], *words)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert said in run.err
    assert not Path("p.html").exists()


def test_prices_are_asked_for_in_the_words_of_the_shell(clinic):
    run = thriftwood(*LEARN[:6], "--algorithm", "cocost")
    assert (run.code, run.out) == (2, "")
    assert "there is no price list. Give --costs FILE." in run.err
    run = thriftwood(*LEARN, "--algorithm", "boosting")
    assert "nothing to boost" in run.err
    assert "estimator=" not in run.err


def test_what_if_is_of_a_single_tree(clinic):
    run = thriftwood("whatif", *LEARN[1:], "--algorithm", "bagging")
    assert (run.code, run.out) == (2, "")
    assert "`thriftwood fit --algorithm bagging` saves them, and `thriftwood compare" in run.err
    assert "saves them" not in thriftwood("whatif", *LEARN[1:], "--algorithm", "csb0").err


# Answering


def test_answers_are_the_model_s(several):
    run = thriftwood("predict", several, "patients.csv", "--keep", "id")
    assert run.code == 0
    data, model = patients(), tw.load(several)
    rows = list(csv.DictReader(run.out.splitlines()))
    assert [row["predicted"] for row in rows] == model.predict(data.X).tolist()
    shares = [[float(row["p(healthy)"]), float(row["p(sick)"])] for row in rows]
    assert shares == model.predict_proba(data.X).tolist()
    unlikely = sum(float(row[f"p({row['predicted']})"]) < 0.5 for row in rows)
    assert run.err.startswith(f"Note: In {unlikely} of 12 rows the answer is the" if unlikely else "")
    assert run.err.count("\n") == (unlikely > 0)
    content = json.loads(thriftwood("predict", several, "patients.csv", "--json").out)
    assert list(content[0]) == ["predicted", "p(healthy)", "p(sick)", "unseen"]


def test_bills_are_the_library_s(several):
    data, model = patients(), tw.load(several)
    run = thriftwood("bill", several, "patients.csv", "--target", "state", "-o", "cases.csv")
    own = tw.bill(model, data.X, data.y)
    assert (run.code, run.err) == (0, "")
    assert run.out.endswith(f"\n\n{own}\n")  # below the verdict
    consulted = "stages asked per case" if isinstance(model, tw.Booster) else "trees consulted per case"
    assert f"  {consulted}" in run.out
    rows = list(csv.DictReader(Path("cases.csv").read_text().splitlines()))
    assert [float(row["cost"]) for row in rows] == own.per_case["cost"].tolist()
    dear = tw.Costs(default_price=7, errors_default=3)
    dear.to_file("dear.toml")
    run = thriftwood("bill", several, "patients.csv", "--target", "state", "--costs", "dear.toml", "--json")
    assert json.loads(run.out)["mean_cost"] == tw.bill(model, data.X, data.y, dear).mean_cost


def test_models_from_standard_input(several):
    text = several.read_text()
    for words in (("predict", "-", "patients.csv"), ("bill", "-", "patients.csv"), ("show", "-")):
        by_name = thriftwood(*(several if word == "-" else word for word in words))
        assert thriftwood(*words, typed=text).out == by_name.out
    case = json.loads(thriftwood("consult", "-", "--json", typed=text).out)
    assert case["next_tests"] == list(tw.load(several).consult().next_tests)
    run = thriftwood("show", "-", typed=text[:-9])
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("Error: This is not a model file: it cannot be read as JSON")


def test_columns_that_no_tree_asks_for_may_be_absent(clinic):
    data, costs = patients(), tw.Costs.from_file("costs.toml")
    bag = tw.algorithm("bagging", estimator=tw.CostTreeClassifier(growth=tw.Growth(max_depth=1)), bags=3)
    data.X["note"] = "nothing"
    bag.set_params(random_state=0, costs=costs.only(["smoker"])).fit(data.X[["smoker", "note"]], data.y)
    bag.save("panel.json")
    Path("new.csv").write_text("smoker\nyes\noften\n")
    run = thriftwood("predict", "panel.json", "new.csv")
    said = "Note: 1 of 2 known cells of column 'smoker' has a category that was not there in training: "
    assert (run.code, run.err) == (0, f"{said}'often'.\n")
    assert len(run.out.splitlines()) == 3
    Path("other.csv").write_text("colour\nred\n")
    run = thriftwood("predict", "panel.json", "other.csv")
    assert run.code == 2
    assert "that the model asks for" in run.err


def test_surrogates_of_a_panel_are_read(clinic):
    # cholesterol stands in for pulse where that is missing
    Path("two.csv").write_text("pulse,cholesterol\n,100\n,300\n60,100\n")
    rows = [[60.0, 100.0], [62.0, 110.0], [90.0, 300.0], [95.0, 310.0]] * 3
    X = pd.DataFrame(rows, columns=["pulse", "cholesterol"])
    base = tw.CostTreeClassifier(growth=tw.Growth(max_depth=1, missing="surrogate"))
    model = tw.algorithm("bagging", estimator=base, bags=2, random_state=0, costs=tw.Costs({"pulse": 1}))
    model.fit(X, ["well", "well", "ill", "ill"] * 3).save("panel.json")
    assert model.panel_.features_used == ("pulse",)
    assert model.panel_.features_asked == ("pulse", "cholesterol")
    rows = list(csv.DictReader(thriftwood("predict", "panel.json", "two.csv").out.splitlines()))
    assert [row["predicted"] for row in rows] == ["well", "ill", "well"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["bill", "panel.json", "patients.csv", "--target", "smoker"],
            "the panel does not know: 'yes', 'no'",
        ),
        (["bill", "booster.json", "patients.csv", "--target", "smoker"], "a booster of another table?"),
        (["bill", "free.json", "patients.csv"], "The panel in free.json has no price list"),
        (["predict", "-", "-"], "cannot both come from standard input"),
    ],
)
def test_what_is_wrong_is_said_of_the_model_that_it_is(state_panel, state_booster, words, said):
    data = patients()
    tw.algorithm("bagging", bags=2, random_state=0).fit(data.X, data.y).save("free.json")
    run = thriftwood(*words)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert said in run.err


@pytest.mark.parametrize("file", ["panel.json", "booster.json"])
def test_a_damaged_file_is_called_by_its_name(state_panel, state_booster, file):
    kind = file.partition(".")[0]
    Path("bad.json").write_text(Path(file).read_text().replace('"version": 1', '"version": 2', 1))
    for words in (("show", "bad.json"), ("bill", "bad.json", "patients.csv"), ("consult", "bad.json")):
        run = thriftwood(*words)
        assert (run.code, run.out) == (2, "")
        assert run.err.startswith(
            f"Error: bad.json: This is not a {kind} file: its version is 2; this library"
        )


# Asking


def test_a_consultation_of_several_trees(several):
    data, model = patients(), tw.load(several)
    row = data.X.iloc[4].to_dict()
    case = model.consult()
    typed = []
    while not case.finished:
        typed.append(str(row[case.next_test]))
        case = case.answer(row[case.next_test])
    run = thriftwood("consult", several, typed="\n".join([*typed, ""]))
    assert (run.code, run.err) == (0, "")
    share = 100 * case.probabilities[case.result]
    assert f"Answer: {case.result} (share {share:.0f} %), bill {case.bill:g}\n" in run.out
    assert all(line in run.out for line in case.why.splitlines())
    assert case.bill == tw.bill(model, data.X).test_cost[4]
    known = [word for name, value in row.items() for word in ("--known", f"{name}={value}")]
    content = json.loads(thriftwood("consult", several, *known, "--json").out)
    assert (content["finished"], content["answer"], content["bill"]) == (True, case.result, 0.0)
    assert content["probabilities"] == case.probabilities


def test_a_forest_answers_first_and_gives_reasons_by_the_line(clinic):
    forest = saved("shortcut-forest", clinic / "forest.json", trees=25, random_state=0)
    row = patients().X.iloc[4].to_dict()
    known = [word for name, value in row.items() for word in ("--known", f"{name}={value}")]
    case = tw.load(forest).consult(row)
    share = 100 * case.probabilities[case.result]
    answer, decided, *lines = thriftwood("consult", forest, *known).out.splitlines()
    assert answer == f"Answer: {case.result} (share {share:.0f} %), bill 0"
    assert decided == f"{len(case.said)} of 25 trees asked; {case.verdict}"
    assert len(case.said) > 5
    assert lines == [*case.heard.splitlines()[:5], f"and {len(case.said) - 5} more lines; --why prints all"]
    whole = thriftwood("consult", forest, *known, "--why").out.splitlines()
    assert whole == [answer, decided, *case.heard.splitlines()]
    assert case.why == f"{case.heard}\n{case.verdict}"
    run = thriftwood("consult", forest, "--why", "--json")
    assert (run.code, run.out) == (2, "")
    assert "leave --why out" in run.err


def test_undo_budgets_and_slips_of_several_trees(state_panel):
    first = tw.load(state_panel).consult()
    run = thriftwood("consult", state_panel, "--budget", "0", typed="")
    assert (run.code, run.err) == (0, "")
    assert f"{first.next_test} exceeds the budget" in run.out
    run = thriftwood("consult", state_panel, "--known", "pulze=3")
    assert "Did you mean 'pulse'?" in run.err
    run = thriftwood("consult", state_panel, "--strategy", "single_batch")
    assert (run.code, run.out) == (2, "")
    assert "plans the tests of a single tree, and this is a panel of 5 trees" in run.err


def test_trees_that_vote_are_exported_as_a_page_and_others_are_refused(state_panel, state_chair, tmp_path):
    file = tmp_path / "pocket.html"
    assert thriftwood("export", state_panel, "--to", "html", "-o", file).code == 0
    assert file.read_text(encoding="utf-8") == tw.export_html(tw.load(state_panel))
    run = thriftwood("export", state_panel, "--to", "c")
    assert (run.code, run.out) == (2, "")
    assert "--to html and --to javascript take trees that vote" in " ".join(run.err.split())
    run = thriftwood("export", state_chair, "--to", "html")
    assert (run.code, run.out) == (2, "")
    assert "Trees that vote can be written as a page or as JavaScript" in " ".join(run.err.split())
