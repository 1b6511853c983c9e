import csv
import io
import json
from pathlib import Path

import pytest
from cli.commands import as_process, thriftwood
from hypothesis import given
from hypothesis import strategies as st

import thriftwood as tw
from thriftwood.cli.costs_page import price_list
from thriftwood.datasets.files import WholeTable
from thriftwood.datasets.files.delimited import read_delimited


def test_a_list_for_the_table_that_loads_as_it_is(clinic):
    run = as_process("costs", "init", "patients.csv", "--target", "state", "--ignore", "id", "-o", "new.toml")
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("Written: new.toml.")
    costs = tw.Costs.from_file("new.toml")
    assert costs == tw.Costs(
        {"smoker": 1, "pulse": 1, "cholesterol": 1}, errors={"sick": {"healthy": 1}, "healthy": {"sick": 1}}
    )
    text = Path("new.toml").read_text()
    assert "pulse = 1        # 62 to 95, 1 missing" in text
    assert all(word in text for word in ("needs", "after", "delayed", "[shared]", "upfront"))


def test_without_a_target_errors_are_shown_as_comments(clinic):
    run = thriftwood("costs", "init", "patients.csv")
    assert run.code == 0
    Path("new.toml").write_text(run.out)
    assert tw.Costs.from_file("new.toml").errors is None
    assert "# [errors.sick]" in run.out


def test_the_examples_in_the_comments_are_sound(clinic):
    text = thriftwood("costs", "init", "patients.csv", "--ignore", "id").out
    lines = text.replace("#   name", "#   zz").splitlines()
    wanted = [
        line.removeprefix("#").strip()
        for line in lines
        if line.startswith(("#   zz", '# "blood', "# [shared"))
    ]
    assert len(wanted) == 5
    tests = [line.split("   ")[0].replace("zz", f"t{number}") for number, line in enumerate(wanted[:3])]
    tests.append('t9 = {price = 1, group = "lab"}')
    Path("c.toml").write_text("\n".join(["[tests]", *tests, *wanted[3:]]))
    costs = tw.Costs.from_file("c.toml")
    assert costs.purchase(["t0", "t9", "t1", "t2"]) == [8, 1, 5, 90]


def test_many_classes_share_one_error_cost(clinic):
    Path("many.csv").write_text("x,y\n" + "".join(f"{n},c{n}\n" for n in range(25)))
    thriftwood("costs", "init", "many.csv", "--target", "y", "-o", "new.toml")
    costs = tw.Costs.from_file("new.toml")
    assert (costs.errors, costs.errors_default) == (None, 1)


names = st.text(st.characters(codec="utf-8", exclude_characters="\r\x00"), min_size=1, max_size=8)
names = names.map(str.strip).filter(bool)


@given(
    st.lists(names, min_size=2, max_size=4, unique=True), st.lists(names, min_size=2, max_size=4, unique=True)
)
def test_any_names_make_a_list_that_loads(tmp_path_factory, columns, cells):
    text = io.StringIO()
    writer = csv.writer(text, delimiter=",", quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([columns, *([cell] * len(columns) for cell in cells)])
    table = read_delimited(text.getvalue(), "t.csv", ",")
    try:
        classes = table.labels(columns[0])
    except ValueError:  # missing marks and fractions are no classes
        return
    path = tmp_path_factory.mktemp("costs") / "c.toml"
    path.write_text(price_list(WholeTable(table), columns[0], ()), encoding="utf-8")
    costs = tw.Costs.from_file(path)
    assert list(costs.tests) == columns[1:]
    assert costs.error_matrix(sorted(set(classes))).max() == (1 if len(set(classes)) > 1 else 0)


def test_a_list_that_is_there_is_not_lost(clinic):
    before = Path("costs.toml").read_text()
    run = thriftwood("costs", "init", "patients.csv", "-o", "costs.toml")
    assert (run.code, Path("costs.toml").read_text()) == (2, before)
    assert "--force" in run.err
    assert thriftwood("costs", "init", "patients.csv", "-o", "costs.toml", "--force").code == 0


def test_check_says_what_is_in_a_list(clinic):
    run = as_process("costs", "check", "costs.toml", "patients.csv", "--target", "state", "--ignore", "id")
    assert (run.code, run.err) == (0, "")
    assert run.out.splitlines() == [
        "costs.toml can be read: 3 prices, payment sequential.",
        "All tests together cost 11.",
        "1 shared resource, each paid once.",
        "It fits the 3 columns of patients.csv.",
        "healthy, called sick costs 20.",
        "sick, called healthy costs 100.",
    ]


def test_check_says_what_makes_no_sense(clinic):
    Path("odd.toml").write_text("[errors.sick]\nhealthy = 0\n[errors.healthy]\nsick = 3\n")
    run = thriftwood("costs", "check", "odd.toml", "patients.csv", "--target", "state")
    assert run.code == 0
    assert "'sick' is never the cheaper answer: 'healthy' costs no more, whatever the truth." in run.out
    content = json.loads(
        thriftwood("costs", "check", "odd.toml", "patients.csv", "--target", "state", "--json").out
    )
    assert len(content["remarks"]) == 1
    Path("odd.toml").write_text("errors_default = 0\n")
    run = thriftwood("costs", "check", "odd.toml", "patients.csv", "--target", "state")
    assert (run.code, run.out) == (2, "")
    assert "every answer costs the same" in run.err


DOUBTS = {
    "less than nothing, so it counts as a gain": "[errors.sick]\nhealthy = 5\n[errors.healthy]\nsick = -3\n",
    "Are the errors the right way round": "[errors.sick]\nhealthy = 2\n[errors.healthy]\nsick = 30\n",
    "every mistake costs 1, in the unit of the prices": "[tests]\npulse = 3\n",
    "names 1 class that no row has in column 'state': 'dead'": "errors_default = 2\n[errors.dead]\nsick = 1\n"
    "[errors.sick]\nhealthy = 5\n",
}


@pytest.mark.parametrize("doubt", DOUBTS)
def test_what_looks_unintended_is_said_by_check_and_fit(clinic, doubt):
    rows = Path("patients.csv").read_text().splitlines()
    rare = [
        rows[0],
        *(row for row in rows[1:] if row.endswith("healthy")),
        next(r for r in rows if r.endswith("sick")),
    ]
    Path("rare.csv").write_text("\n".join(rare) + "\n")
    Path("odd.toml").write_text(DOUBTS[doubt])
    arguments = ("rare.csv", "--target", "state", "--ignore", "id")
    assert doubt in thriftwood("costs", "check", "odd.toml", *arguments).out
    if "no row has" not in doubt:
        assert doubt in thriftwood("fit", *arguments, "--costs", "odd.toml", "--algorithm", "cart").err


CLASSES_NOT_THERE = {
    "2": "[errors.1]\n2 = 1500\n[errors.0]\n1 = 3\n",
    "3": "[errors.3]\n0 = 1500\n[errors.0]\n1 = 3\n",
}


@pytest.mark.parametrize("name", CLASSES_NOT_THERE)
def test_a_class_that_is_not_there_is_named_with_the_file_and_what_to_add(clinic, name):
    Path("n.csv").write_text("a,y\n" + "".join(f"{row * row},{row % 2}\n" for row in range(12)))
    Path("odd.toml").write_text(CLASSES_NOT_THERE[name])
    said = (
        f"Error: odd.toml: errors has '{name}', no class of the data ('0', '1'), and does not say what it "
        "costs to answer '0' when the truth is '1'. Add `0 = ...` to [errors.1], or set errors_default"
    )
    arguments = ("n.csv", "--target", "y")
    for run in (
        thriftwood("costs", "check", "odd.toml", *arguments),
        thriftwood("fit", *arguments, "--costs", "odd.toml"),
    ):
        assert run.code == 2
        assert run.err.splitlines()[-1].startswith(said)


def test_a_mistake_that_earns_is_told_without_a_table_and_once_by_fit(clinic):
    Path("odd.toml").write_text("[errors.sick]\nhealthy = 5\nsick = -9\n[errors.healthy]\nsick = -3\n")
    run = thriftwood("costs", "check", "odd.toml")
    assert (run.code, run.out.splitlines()[2:]) == (
        0,
        [
            "Calling 'healthy' 'sick' costs -3: less than nothing, so it counts as a gain. Mistakes usually "
            "cost 0 or more."
        ],
    )
    run = thriftwood("fit", "patients.csv", "--target", "state", "--ignore", "id", "--costs", "odd.toml")
    notes = run.err.splitlines()
    assert sum("less than the right answer" in line for line in notes) == 1
    assert len(notes) == len(set(notes))


def test_check_names_columns_without_a_price(clinic):
    run = thriftwood("costs", "check", "costs.toml", "patients.csv", "--json")
    content = json.loads(run.out)
    assert content["unpriced"] == ["id", "state"]
    assert "error_matrix" not in content
    said = "so they are free: id, state. (--target COLUMN says which one is to be learnt.)"
    assert said in thriftwood("costs", "check", "costs.toml", "patients.csv").out
    with_target = thriftwood("costs", "check", "costs.toml", "patients.csv", "--target", "state")
    assert "so they are free: id.\n" in with_target.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check", "absent.toml"], "absent.toml: No such file or directory"),
        (["check", "patients.csv"], "called something.toml or something.json"),
        (["check", "broken.toml"], "broken.toml: The price of test 'age'"),
        (["check", "key.toml"], "Did you mean 'tests'?"),
        (["check", "weight.toml", "patients.csv"], "'weight'"),
        (["check", "costs.toml", "patients.csv", "--target", "smoker"], "a price for 'smoker'"),
        (["check", "errors.toml", "patients.csv", "--target", "smoker"], "'sick'"),
        (["check", "costs.toml", "absent.csv"], "absent.csv: No such file or directory"),
        (["init", "absent.csv"], "absent.csv: No such file or directory"),
        (["init", "patients.csv", "--target", "stat"], "Did you mean 'state'?"),
        (["init", "patients.csv", "-o", "costs.json"], "a .toml file"),
        (["chek", "costs.toml"], "'check'"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(clinic, words, said):
    Path("broken.toml").write_text('[tests]\nage = "dear"\n')
    Path("errors.toml").write_text("[errors.sick]\nhealthy = 1\n")
    Path("key.toml").write_text("[test]\nage = 1\n")
    Path("weight.toml").write_text("[tests]\nweight = 1\n")
    run = thriftwood("costs", *words)
    assert (run.code, run.out) == (2, "")
    assert said in run.err
    assert "Traceback" not in run.err


def test_check_lists_answers_besides_the_classes_and_notes_one_that_is_never_cheapest(clinic):
    text = "errors_default = 100\n[answers]\nrefer = 51\nlater = {sick = 80, healthy = 1}\n"
    Path("answers.toml").write_text(text)
    run = thriftwood("costs", "check", "answers.toml", "patients.csv", "--target", "state", "--ignore", "id")
    assert run.code == 0
    assert "2 answers besides the classes: refer, later." in run.out
    assert "sick, called healthy costs 100, answered refer costs 51, answered later costs 80." in run.out
    assert "'refer' is never the cheapest answer" in run.out
    assert "'later' is never" not in run.out
    content = json.loads(thriftwood("costs", "check", "answers.toml", "--json").out)
    assert content["answers"] == ["refer", "later"]


def test_today_and_the_words_of_a_list_are_said(clinic):
    text = Path("costs.toml").read_text()
    Path("today.toml").write_text(
        'currency = "EUR"\ncase_name = "patient"\n' + text + '\n[today]\ntests = ["pulse"]\n'
    )
    run = thriftwood("costs", "check", "today.toml", "patients.csv", "--target", "state", "--ignore", "id")
    assert run.code == 0
    assert "EUR.\nA case is called patient.\nToday: pulse for everybody.\n" in run.out
    run = thriftwood("costs", "check", "today.toml", "--json")
    content = json.loads(run.out)
    assert (content["currency"], content["case_name"]) == ("EUR", "patient")
    assert content["today"] == {"tests": ["pulse"]}


@pytest.mark.parametrize(
    ("today", "message"),
    [
        ('tests = ["puls"]', "[today] names 'puls', which is no column. Did you mean 'pulse'?"),
        ('answers = "state"', "[today] names 'state', the column to be learnt"),
        ('model = "nowhere.json"', "nowhere.json"),
    ],
)
def test_a_today_that_the_table_does_not_have_is_refused(clinic, today, message):
    Path("today.toml").write_text(Path("costs.toml").read_text() + f"\n[today]\n{today}\n")
    run = thriftwood("costs", "check", "today.toml", "patients.csv", "--target", "state", "--ignore", "id")
    assert run.code == 2
    assert message in " ".join(run.err.split())
