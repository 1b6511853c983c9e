"""Cost files of other programs: small ones written here, and the published ones when they are at hand."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from thriftwood.costs import CostError, Costs, Test

DATA = os.environ.get("THRIFTWOOD_DATA")
needs_data = pytest.mark.skipif(
    DATA is None, reason="set THRIFTWOOD_DATA to the folder with the published files"
)
LOMAX = sorted(Path(DATA, "lomax").glob("*-costs.csv")) if DATA else []
TURNEY = ["ann-thyroid", "bupa-liver", "heart-disease", "hepatitis", "pima-indians-diabetes"]


@pytest.fixture
def write(tmp_path):
    def write(text, name="costs"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


# Weka


@pytest.mark.parametrize(
    "text",
    [
        "% Rows\tColumns\n2\t2\n% Matrix elements\n0\t10\n1.0\t0.0\n",
        "2 2  % rows and columns\n0 10  % true class yes, answer no\n1 0\n\n",
        "% old form: actual predicted cost; the mistake that is not here costs 1\n0 1 10.0  % yes as no\n",
    ],
)
def test_weka_matrices_in_both_forms(write, text):
    costs = Costs.from_weka(write(text), ["yes", "no"])
    assert costs == Costs(errors={"yes": {"yes": 0, "no": 10}, "no": {"yes": 1, "no": 0}})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "3 3\n0 1 1\n1 0 1\n1 1 0\n",
            "line 1: expected the size 2 2, because 2 classes were given. Got '3 3'",
        ),
        ("2 2\n0 1\n", "expected 2 rows of costs after line 1. Got 1"),
        ("2 2\n0 1\n1 0 3\n", "line 3: expected 2 costs. Got '1 0 3'"),
        ("2 2\n0 amount\n1 0\n", "line 2: expected 2 costs. Got '0 amount'"),
        ("0 2 5\n", r"line 1: expected .*actual class, the predicted class \(each 0 to 1\) and the cost"),
        ("0 0.5 5\n", "line 1: expected"),
        ("2 2\n0 nan\n1 0\n", r"errors\['yes'\]\['no'\] must be a finite number"),
    ],
)
def test_a_wrong_weka_matrix_names_the_line(write, text, message):
    with pytest.raises(CostError, match=message):
        Costs.from_weka(write(text), ["yes", "no"])


def test_weka_classes_are_a_list_of_different_labels(write):
    path = write("2 2\n0 1\n1 0\n")
    with pytest.raises(CostError, match="'1' occurs twice"):
        Costs.from_weka(path, [1, "1"])
    with pytest.raises(CostError, match="classes must be a list"):
        Costs.from_weka(path, "ab")


# C5.0


def test_c50_lines_are_predicted_then_actual_and_other_mistakes_cost_one(write):
    costs = Costs.from_c50(
        write("| missing a disease is dear\nnegative, primary: 5\nnegative,  secondary : 5.5.\n")
    )
    assert costs.errors == {"primary": {"negative": 5}, "secondary": {"negative": 5.5}}
    matrix = costs.error_matrix(["negative", "primary", "secondary"])
    assert matrix.tolist() == [[0, 1, 1], [5, 0, 1], [5.5, 1, 0]]


def test_c50_names_may_hold_blanks_and_escaped_marks(write):
    costs = Costs.from_c50(write("not   ill, a\\:b\\,c\\|d: 2 | why\n"))
    assert costs.errors == {"a:b,c|d": {"not ill": 2}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a, b 5", "line 1: expected \"predicted class, actual class: cost\". Got 'a, b 5'"),
        ("\na, b, c: 5", "line 2: expected"),
        ("a, b: dear", "a number instead of 'dear'"),
        ("a, b: -1", "a cost of 0 or more"),
        ("a, a: 1", "two different classes"),
        ("a, b: 1\na, b: 2", "line 2: expected each pair of classes once"),
    ],
)
def test_a_wrong_c50_file_names_the_line(write, text, message):
    with pytest.raises(CostError, match=message):
        Costs.from_c50(write(text))


# Lomax

HEART = """\
0 75
88 0
Attribute-name test-cost discount group binarize-begin binarize-end
age 1.0 1.0 x 0 0
thal 102.9 1.0 a 1 3
thalach 102.9 1.5 a 4 4
ca 100.5 100.5 a 5 6
"""


def test_lomax_attributes_have_groups_and_discounts(write):
    costs = Costs.from_lomax(write(HEART), columns="attributes", classes=["no", "yes"])
    assert costs == Costs(
        {
            "age": 1,
            "thal": Test(102.9, group="a", after=1),
            "thalach": Test(102.9, group="a", after=1.5),
            "ca": Test(100.5, group="a", after=100.5),
        },
        errors={"no": {"no": 0, "yes": 75}, "yes": {"no": 88, "yes": 0}},
    )


def test_lomax_columns_of_one_attribute_are_paid_once(write):
    costs = Costs.from_lomax(write(HEART))
    assert costs.purchase([0, 1, 2, 4, 3, 5, 6]) == pytest.approx([1, 102.9, 0, 1.5, 0, 100.5, 0])
    assert costs.purchase([5, 2, 1]) == pytest.approx([100.5, 1, 0])
    assert costs.error_matrix([0, 1]).tolist() == [[0, 75], [88, 0]]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Attribute-name", "Name", "no line starts with 'Attribute-name'"),
        ("age 1.0 1.0 x 0 0", "age 1.0 1.0 x 0", "line 4: expected name, test cost, discount, group"),
        ("age 1.0", "age one", "line 4: expected a number instead of 'one'"),
        ("a 1 3", "a 3 1", "line 5: expected the first and the last 0/1 column"),
        ("102.9 1.0", "102.9 103", "line 5: after=103 is more than the price 102.9"),
        ("a 1 3", "a 0 3", "the test 'x0' has two prices"),
        ("thalach", "thal", "the attribute 'thal' occurs twice"),
        ("88 0", "88 zero", "line 2: expected a row of the cost matrix"),
        ("88 0\n", "", "errors must be a square array"),
    ],
)
def test_a_wrong_lomax_file_names_the_line(write, old, new, message):
    with pytest.raises(CostError, match=message):
        Costs.from_lomax(write(HEART.replace(old, new)))


def test_lomax_settings_are_checked(write):
    path = write(HEART)
    with pytest.raises(CostError, match="columns must be 'binary' or 'attributes'"):
        Costs.from_lomax(path, columns="both")
    with pytest.raises(CostError, match="has 2 rows of costs, but 3 classes"):
        Costs.from_lomax(path, classes="abc")
    with pytest.raises(CostError, match="'thal' has two prices"):
        Costs.from_lomax(write(HEART.replace("thalach", "thal")), columns="attributes")


@needs_data
@pytest.mark.parametrize("path", LOMAX, ids=lambda path: path.stem)
def test_published_lomax_files(path):
    name, level, _ = path.stem.rsplit("-", 2)
    published = json.loads(Path(DATA, "test_costs.json").read_text())["lomax_2013"]["datasets"][name]
    attributes = Costs.from_lomax(path, columns="attributes")
    binary = Costs.from_lomax(path)
    for entry in published["attributes"]:
        test = attributes.tests[entry["test"]]
        assert test.price == entry["first_cost"]
        assert (test.price if test.after is None else test.after) == entry["later_cost"]
    archive = np.load(path.with_name(f"{name}.npz"))
    k, n = len(np.unique(archive["y"])), archive["X"].shape[1]
    assert binary.error_matrix(range(k)).tolist() == published["misclassification"][level]
    assert binary.compile(range(n)).price.shape == (n,)
    assert len(binary.tests) == n
    assert binary.total(range(n)) == pytest.approx(attributes.total(attributes.tests), rel=1e-12)


# UCI


@pytest.fixture
def heart(write):
    write("age:\t\t1.00\nchol:\t7.27\nfbs:\t5.20\n\n", "heart.cost")
    write("age:\timmediate.\nchol:\tdelayed.\nfbs:\tdelayed.\n", "heart.delay")
    write("age:\t1.00,\t1.00\nchol:\t7.27,\t5.17\nfbs:\t5.20,\t3.10\n", "heart.expense")
    return write("A, B.\n\nchol:\tA.\nfbs:\tA.\n", "heart.group").with_suffix("")


def test_uci_files_become_prices_groups_and_delays(heart):
    expected = Costs(
        {
            "age": 1,
            "chol": Test(7.27, delayed=True, group="A", after=5.17),
            "fbs": Test(5.2, delayed=True, group="A", after=3.1),
        }
    )
    assert Costs.from_uci(heart) == Costs.from_uci(heart.parent, "heart") == expected


def test_turneys_blood_draw_as_a_shared_resource_costs_the_same(heart):
    shared = Costs(
        {"age": 1, "chol": Test(5.17, needs=["blood"]), "fbs": Test(3.1, needs=["blood"])}, {"blood": 2.1}
    )
    for order in (["age", "chol", "fbs"], ["fbs", "chol"]):
        assert Costs.from_uci(heart).purchase(order) == pytest.approx(shared.purchase(order))


def test_uci_prices_alone_are_enough(heart):
    for ending in (".delay", ".expense", ".group"):
        heart.with_suffix(ending).unlink()
    assert Costs.from_uci(heart) == Costs({"age": 1, "chol": 7.27, "fbs": 5.2})
    with pytest.raises(FileNotFoundError):
        Costs.from_uci(heart.parent, "liver")


@pytest.mark.parametrize("ending", [".expense", ".group"])
def test_discounts_need_both_files(heart, ending):
    heart.with_suffix(ending).unlink()
    with pytest.raises(CostError, match=rf"heart{ending} is not. Discounts need both"):
        Costs.from_uci(heart)


@pytest.mark.parametrize(
    ("ending", "old", "new", "message"),
    [
        (".cost", "1.00", "cheap", "line 1: expected a number instead of 'cheap'"),
        (".cost", "age:", "age", 'line 1: expected "test: value"'),
        (".cost", "fbs", "chol", "line 3: expected each test once"),
        (".delay", "immediate", "soon", "line 1: expected immediate or delayed"),
        (".delay", "chol", "chool", "line 2: expected a test of the .cost file. Did you mean 'chol'"),
        (".expense", "7.27", "7.77", "line 2: expected the full cost 7.27 of the .cost file"),
        (".expense", "5.17", "8.17", "line 2: after=8.17 is more than the price 7.27"),
        (".expense", ",\t5.17", "", "line 2: expected a number instead of ''"),
        (".expense", "chol:\t7.27,\t5.17\n", "", "a line for 'chol' in the .expense file"),
    ],
)
def test_a_wrong_uci_file_names_the_line(heart, ending, old, new, message):
    path = heart.with_suffix(ending)
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(CostError, match=message):
        Costs.from_uci(heart)


@needs_data
@pytest.mark.parametrize("name", TURNEY)
def test_published_turney_files(name):
    published = json.loads(Path(DATA, "test_costs.json").read_text())["turney"][name]["attributes"]
    costs = Costs.from_uci(Path(DATA, "uci-costs"), name)
    assert list(costs.tests) == [entry["test"] for entry in published]
    for entry in published:
        test = costs.tests[entry["test"]]
        assert (test.price, test.group, test.delayed) == (
            entry["first_cost"],
            entry["group"],
            entry["delayed"],
        )
        assert (test.price if test.after is None else test.after) == entry["later_cost"]


@needs_data
def test_all_of_turneys_heart_tests_cost_three_hundred_eighty_dollars():
    costs = Costs.from_uci(Path(DATA, "uci-costs", "heart-disease"))
    prices = [1, 1, 1, 1, 7.27, 3.10, 15.50, 102.90, 87.30, 1, 1, 100.90, 1]
    assert costs.purchase(costs.tests) == prices
    assert costs.total(costs.tests) == pytest.approx(sum(prices))


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "costs"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CostError, match="not a text file in UTF-8"):
        Costs.from_c50(path)


@pytest.mark.parametrize("last", ["100000000000000000000", "9" * 5000, "1000000"])
def test_a_lomax_line_of_more_columns_than_a_table_has_is_refused_at_once(tmp_path, last):
    path = tmp_path / "many.cost"
    path.write_text(f"0 1\n1 0\nAttribute-name test-cost discount group first last\na 1 1 x 0 {last}\n")
    with pytest.raises(CostError, match="numbers below 1,000,000"):
        Costs.from_lomax(path)
