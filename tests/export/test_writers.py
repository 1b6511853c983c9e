"""What each exported form promises: when it asks, what it refuses, how it is called."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from evaluation.billed_trees import delays
from export.running import by_library, by_sql, needs_gcc
from finished_trees import golf, random_finished
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import thriftwood as tw
from thriftwood.costs import Costs, Test
from thriftwood.export.quoting import sql_number

EXPORTS = [tw.export_python, tw.export_c, tw.export_sql, tw.export_json, tw.export_rules]


def asking(values):
    """A way to ask, and the list of what was asked."""
    calls = []

    def ask(test):
        calls.append(test)
        return values[test]

    return ask, calls


def exported(tree, name="decide"):
    module = {}
    exec(tw.export_python(tree, name), module)
    return module[name]


@pytest.fixture
def golf_model():
    data = tw.load_dataset("golf-nominal")
    return tw.algorithm("c45", costs=data.costs).fit(data.X, data.y)


# Python


def test_python_asks_only_for_what_it_needs(golf_model):
    ask, calls = asking({"Outlook": "Rain", "Wind": "Weak"})
    case = exported(golf_model)(ask)
    assert case["asked"] == calls == ["Outlook", "Wind"]
    assert case["bought"] == [("Outlook", 4.0), ("Wind", 0.5)]
    assert (case["answer"], case["bill"]) == ("Yes", 4.5)
    assert case["probabilities"] == {"No": 0.0, "Yes": 1.0}


def test_python_asks_every_branch_of_a_case_without_a_value_and_each_test_once(golf_model):
    ask, calls = asking({"Outlook": None, "Humidity": "High", "Wind": "Weak"})
    case = exported(golf_model)(ask)
    assert calls == ["Outlook", "Humidity", "Wind"]
    # 5 of 14 go to Sunny (high humidity: No), 4 to Overcast and 5 to Rain (weak wind: Yes)
    assert case["probabilities"] == pytest.approx({"No": 5 / 14, "Yes": 9 / 14}, abs=1e-15)
    # of the two tests below, each is bought by 5 of 14
    assert case["bill"] == pytest.approx(4 + 2 * 5 / 14 + 0.5 * 5 / 14, abs=1e-12)


def test_a_delayed_test_asks_for_what_is_ordered_with_it():
    ask, calls = asking(dict.fromkeys(["alpha", "beta", "delta", "epsilon"], 1.0))
    case = exported(delays())(ask)
    assert calls == ["alpha", "delta", "epsilon"]
    assert case["bought"] == [("alpha", 5.0), ("delta", 7.0), ("epsilon", 8.0)]


def test_upfront_payment_asks_for_everything_first():
    tree = golf(costs=Costs(default_price=1, payment="upfront"))
    ask, calls = asking({"Outlook": "overcast", "Humidity": 80, "Windy": "false", "Temperature": 70})
    case = exported(tree)(ask)
    assert calls == list(tree.features_used)
    assert case["bill"] == len(calls)


def test_a_test_without_a_value_is_not_paid_if_the_list_says_so():
    costs = Costs(
        {"x0": Test(3, needs=["kit"]), "x1": Test(2, needs=["kit"])}, {"kit": 1}, charge_missing=False
    )
    model = tw.CostTreeClassifier(costs=costs).fit([[0, 0], [0, 1], [1, 0], [1, 1]] * 2, [0, 0, 0, 1] * 2)
    first, second = model.tree_.features_used
    case = exported(model)({first: None, second: 1})
    assert case["asked"] == [first, second]
    # the kit is paid by the test that was bought; only the half of the case that went on bought it
    assert case["bought"] == [(second, (costs.tests[second].price + 1) / 2)]


def test_python_names_what_a_mapping_lacks_and_refuses_text_for_a_number(golf_model):
    with pytest.raises(KeyError, match="Wind"):
        exported(golf_model)({"Outlook": "Rain"})
    model = tw.CostTreeClassifier().fit([[1.0], [2.0]], ["no", "yes"])
    with pytest.raises(TypeError, match="'x0' takes a number or None, got '1'"):
        exported(model)({"x0": "1"})


@pytest.mark.parametrize("missing", [None, float("nan"), np.float32("nan"), pd.NA, pd.NaT])
def test_python_knows_every_kind_of_missing_value(golf_model, missing):
    assert exported(golf_model)({"Outlook": "Rain", "Wind": missing})["answer"] == "Yes"


def test_python_runs_on_its_own(tmp_path, golf_model):
    (tmp_path / "wind.py").write_text(tw.export_python(golf_model, name="play"), encoding="ascii")
    code = "import wind; print(wind.play({'Outlook': 'Overcast'})['answer'])"
    run = subprocess.run([sys.executable, "-S", "-c", code], cwd=tmp_path, capture_output=True, check=True)
    assert run.stdout.split() == [b"Yes"]


def test_two_functions_share_a_module(golf_model):
    module = {}
    exec(tw.export_python(golf_model, "one"), module)
    exec(tw.export_python(tw.CostTreeClassifier().fit([[1.0], [2.0]], [3, 4]), "two"), module)
    assert module["one"]({"Outlook": "Overcast"})["answer"] == "Yes"
    assert module["two"]({"x0": 2})["answer"] == 4


def test_a_float32_is_compared_as_the_library_compares_it():
    X = np.array([[0.1], [0.1], [0.7]], dtype=np.float32)
    model = tw.CostTreeClassifier(growth=tw.Growth(cut_at="observed")).fit(X, [0, 0, 1])
    for value in (np.float32(0.1), np.nextafter(np.float32(0.1), np.float32(1)), 0.1):
        assert exported(model)({"x0": value})["answer"] == model.predict([[float(value)]])[0]


# C

MAIN = """
#include <stdio.h>
#include "tree.c"
static double ask(void *context, int test) {
  const char *const *words = context;
  return words[test] ? play_code(test, words[test]) : 0.0 / 0.0;
}
int main(void) {
  const char *words[][3] = {{"Overcast", 0, 0}, {"Rain", "High", 0}, {0, "High", "Weak"}, {"?", "?", "?"}};
  for (int i = 0; i < 4; ++i) {
    play_result result;
    play(ask, words[i], &result);
    printf("%s %.6f %.4f", play_classes[result.answer], result.probabilities[0], result.bill);
    for (int k = 0; k < result.n_asked; ++k) printf(" %s", play_tests[result.asked[k]]);
    printf("\\n");
  }
  return 0;
}
"""


@needs_gcc
def test_a_program_in_c_runs_clean_under_the_sanitizers(tmp_path, golf_model):
    (tmp_path / "tree.c").write_text(tw.export_c(golf_model, name="play"), encoding="ascii")
    (tmp_path / "main.c").write_text(MAIN, encoding="ascii")
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined"]
    subprocess.run(["gcc", *flags, "main.c", "-o", "main"], cwd=tmp_path, check=True)
    run = subprocess.run(["./main"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert run.stderr == ""
    assert run.stdout.splitlines() == [
        "Yes 0.000000 4.0000 Outlook",
        "Yes 0.400000 4.5000 Outlook Wind",
        "Yes 0.357143 4.8929 Outlook Humidity Wind",
        "Yes 0.357143 4.8929 Outlook Humidity Wind",
    ]


@needs_gcc
def test_c_is_good_c_plus_plus_as_well(tmp_path):
    tree = random_finished(np.random.default_rng(5), costs=Costs(default_price=2))
    (tmp_path / "tree.c").write_text(tw.export_c(tree), encoding="ascii")
    subprocess.run(
        ["gcc", "-x", "c++", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "tree.c"],
        cwd=tmp_path,
        check=True,
    )


# SQL


def test_sql_tells_rows_by_a_key():
    duckdb = pytest.importorskip("duckdb")
    data = tw.load_dataset("golf-nominal")
    model = tw.algorithm("c45", costs=data.costs).fit(data.X, data.y)
    with duckdb.connect() as database:
        database.execute("CREATE SCHEMA club")
        database.register("frame", data.X.assign(day=range(100, 114)))
        database.execute("CREATE TABLE club.days AS SELECT * FROM frame ORDER BY day DESC")
        query = tw.export_sql(model, ("club", "days"), key="day")
        found = database.execute(f"SELECT case_id, answer, asked, bill FROM ({query})").fetchall()
    wanted = by_library(model.tree_, data.X)
    assert found == [(100 + n, d.answer, d.bought, d.bill) for n, d in enumerate(wanted)]


@pytest.mark.parametrize("classes", [[0, 1], [False, True], [0.0, 1.0], ["no", "yes"]])
def test_sql_answers_with_the_type_of_the_classes(classes):
    model = tw.CostTreeClassifier().fit([[1.0], [2.0]], classes)
    answers = [d.answer for d in by_sql(model.tree_, pd.DataFrame({"x0": [1.0, 2.0]}))]
    assert answers == classes
    assert [type(answer) for answer in answers] == [type(value) for value in classes]


def test_sql_reads_nan_and_null_as_missing():
    model = tw.CostTreeClassifier().fit([[1.0], [1.0], [2.0]], ["no", "no", "yes"])
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as database:
        database.execute("CREATE TABLE cases AS SELECT * FROM (VALUES ('NaN'::DOUBLE), (NULL)) AS v(x0)")
        found = database.execute(tw.export_sql(model)).fetchall()
    assert [row[1:4] for row in found] == [("no", pytest.approx(2 / 3), pytest.approx(1 / 3))] * 2


def test_numbers_in_sql_are_doubles():
    duckdb = pytest.importorskip("duckdb")
    numbers = [0.1, 0.1 + 0.2, 1e-300, 5e-324, 1.7976931348623157e308, -0.0, 123456789.123456789, 2.0**60]
    with duckdb.connect() as database:
        for number in numbers:
            read, kind = database.execute(
                f"SELECT x, typeof(x) FROM (SELECT {sql_number(number)} AS x)"
            ).fetchone()
            assert (read, kind) == (number, "DOUBLE")


@pytest.mark.parametrize("export", [tw.export_sql, tw.export_onnx])
def test_columns_of_text_and_numbers_are_refused(export):
    X = pd.DataFrame({"mixed": ["a", 1, "a", 1]}, dtype=object)
    model = tw.CostTreeClassifier(growth=tw.Growth(missing="majority")).fit(X, [0, 1, 0, 1])
    with pytest.raises(ValueError, match="Turn its values into text before fit"):
        export(model)


# ONNX


def test_onnx_saves_what_it_returns(tmp_path):
    onnx = pytest.importorskip("onnx")
    model = tw.CostTreeRegressor(growth=tw.Growth(missing="majority")).fit([[1.0], [2.0]], [5.0, 6.0])
    made = tw.export_onnx(model, tmp_path / "tree.onnx")
    assert onnx.load(tmp_path / "tree.onnx") == made
    assert [entry.name for entry in made.graph.output] == ["number"]


def test_onnx_refuses_in_words(monkeypatch):
    model = tw.CostTreeClassifier().fit([[1.0], [2.0]], ["no", "yes"])
    with pytest.raises(ValueError, match=r"Node 0 .* 'x0' and sends cases with missing values down several"):
        tw.export_onnx(model)
    with pytest.raises(ValueError, match="undecided must be 'refuse' or 'nan', got 'maybe'"):
        tw.export_onnx(model, undecided="maybe")
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match="pip install onnx"):
        tw.export_onnx(model, undecided="nan")


# All of them


@pytest.mark.parametrize("export", EXPORTS)
def test_exports_take_trees_estimators_and_searches_and_are_the_same_every_time(export):
    X, y = [[1.0], [2.0], [3.0], [4.0]] * 3, [0, 0, 1, 1] * 3
    search = GridSearchCV(tw.CostTreeClassifier(), {"growth": [tw.Growth(max_depth=1)]}, cv=2).fit(X, y)
    best = search.best_estimator_
    assert (
        export(search)
        == export(best)
        == export(best.tree_)
        == export(tw.Tree.from_json(tw.export_json(best)))
    )


@pytest.mark.parametrize("export", [*EXPORTS, tw.export_onnx])
def test_exports_say_what_they_take(export):
    with pytest.raises(ValueError, match="Call fit before exporting it"):
        export(tw.CostTreeClassifier())
    with pytest.raises(TypeError, match=r"a Tree or a Cascade can be exported\. Got int"):
        export(3)
    steps = make_pipeline(StandardScaler(), tw.CostTreeClassifier()).fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(TypeError, match="Export its last step"):
        export(steps)


@pytest.mark.parametrize("export", [tw.export_python, tw.export_c, tw.export_sql])
def test_a_category_that_is_no_plain_value_is_refused(export):
    X = pd.DataFrame({"pair": [(1, 2), (3, 4)] * 2})
    model = tw.CostTreeClassifier().fit(X, [0, 1, 0, 1])
    with pytest.raises(ValueError, match=r"'pair' has the value \(1, 2\) of type tuple"):
        export(model)


def test_answers_that_are_no_class_need_classes_of_their_type_in_sql_and_onnx():
    costs = tw.Costs(errors_default=100, answers={"refer": 49})
    even = tw.CostTreeClassifier(costs=costs).fit([[0.0]] * 2, [0, 1])
    with pytest.raises(ValueError, match="The classes are numbers, the answer 'refer' is text"):
        tw.export_sql(even, "cases")
    pytest.importorskip("onnx")
    with pytest.raises(ValueError, match="classes and other answers are of several types"):
        tw.export_onnx(even)


def test_code_without_further_answers_says_nothing_of_them():
    model = tw.CostTreeClassifier(costs=tw.Costs(errors_default=100)).fit([[0.0], [1.0]], ["a", "b"])
    for text in (tw.export_python(model), tw.export_c(model)):
        assert "_answers" not in text
        assert "ANSWERS" not in text
