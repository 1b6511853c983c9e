"""The printed tree."""

import re

import numpy as np
import pandas as pd
import pytest
from finished_trees import GOLF_PRICES, deep, golf, grown, mixed, regression
from hypothesis import given
from hypothesis import strategies as st

from thriftwood.base.number_texts import amount_text, cut_text, number_text
from thriftwood.costs import Test
from thriftwood.models.tree.conditions import Between, IsOneOf, OnScale, category_text
from thriftwood.models.tree.text import weight_text
from thriftwood.models.tree.tree import Tree

GOLF = """\
                                price   cases   classes         bill
Outlook?                            4      14   Yes: 9, No: 5
├─ Outlook = Sunny: Humidity?       2       5   No: 3, Yes: 2
│  ├─ Humidity <= 75: Yes                   2   Yes: 2             6
│  └─ Humidity > 75: No                     3   No: 3              6
├─ Outlook = Overcast: Yes                  4   Yes: 4             4
└─ Outlook = Rain: Windy?         0.5       5   Yes: 3, No: 2
   ├─ Windy = false: Yes                    3   Yes: 3           4.5
   └─ Windy = true: No                      2   No: 2            4.5"""


REGRESSION = """\
                       cases
x0?                        3
├─ x0 <= 1.5: 1            1
└─ x0 > 1.5: 2.06173       2"""


def test_the_golf_tree():
    assert str(golf()) == GOLF


def test_plain_structure():
    assert golf().text(counts=False, prices=False).splitlines()[:3] == [
        "Outlook?",
        "├─ Outlook = Sunny: Humidity?",
        "│  ├─ Humidity <= 75: Yes",
    ]
    assert "bill" not in golf(None).text()
    assert "cases" not in golf().text(counts=False)
    assert "price" not in golf().text(prices=False)


def test_max_depth_says_what_is_left_out():
    assert golf().text(max_depth=0, prices=False).splitlines()[-1] == "└─ ... 7 more nodes"
    assert golf().text(max_depth=1, prices=False).splitlines()[3] == "│  └─ ... 2 more nodes"
    assert golf().text(max_depth=2) == GOLF


def test_colours_only_add_colours():
    text = golf().text(color=True)
    assert "\x1b[" in text
    assert re.sub("\x1b\\[[0-9;]*m", "", text) == GOLF


def test_delayed_tests_say_what_is_ordered():
    tests = {**GOLF_PRICES.tests, "Outlook": Test(4, delayed=True)}
    lines = golf(GOLF_PRICES.replace(tests=tests)).text().splitlines()
    assert lines[1].split()[:2] == ["Outlook?", "6.5"]
    assert lines[2] == "│  (the answer is delayed: ordered with it are Humidity, Windy)"
    assert all(line.endswith("6.5") for line in lines if re.search(": (Yes|No) ", line) and "?" not in line)


def test_a_test_paid_before_is_said_to_be_paid():
    tree = grown([[x] for x in range(4)], ["a", "b", "a", "b"], GOLF_PRICES.replace(tests={"x0": 2}))
    assert tree.text().count("paid") == tree.n_nodes - tree.n_leaves - 1


def test_missing_values_are_mentioned():
    surrogates = golf(None, "golf-missing", missing="surrogate", nominal="binary").text()
    assert re.search(r"│  \(if missing: first branch when .*\)", surrogates)
    assert "Humidity > 75 or missing: No" in golf(None, missing="majority").text()
    own_branch = grown([[1.0], [2.0], [None], [None]], ["a", "b", "c", "c"], missing="branch").text()
    assert "x0 is missing: c" in own_branch
    staying = grown([[1.0], [2.0], [None], [None]], ["a", "b", "c", "c"], missing="stay")
    assert "x0 is missing: c" in staying.text()
    assert str(staying.consult().answer(None).result) == "c"


def test_a_long_list_of_categories_is_cut_short():
    rows = [[f"c{i:02d}"] for i in range(40)]
    tree = grown(rows, ["a" if i < 20 else "b" for i in range(40)], nominal="binary", many_categories=0)
    assert "x0 in {c00, c01, c02, c03, c04, ... (15 more)}: a" in tree.text()
    many = grown([[float(i)] for i in range(9)], [f"k{i}" for i in range(9)], max_depth=1)
    assert "... (5 more)" in many.text().splitlines()[1]


def test_regression_trees_print_numbers():
    how = {"regression": True, "criterion": "squared_error", "max_depth": 1}
    tree = grown([[1.0], [2.0], [3.0]], [1.0, 2.0, 2.123456789], **how)
    assert tree.text() == REGRESSION


def test_a_deep_tree_prints_in_little_space():
    text = deep(5000, GOLF_PRICES.replace(tests={"x0": 3})).text()
    assert text.count("\n") == 10002  # and a remark: all leaves answer alike
    assert max(map(len, text.splitlines())) < 160
    assert "(+4,975) " in text


@pytest.mark.parametrize("make", [golf, mixed, regression])
def test_every_node_has_a_line_and_columns_align(make):
    tree = make()
    heading, *lines = tree.text(prices=False).splitlines()
    end = heading.index("cases") + len("cases")
    cases = [line[:end].split()[-1] for line in lines if not re.search(r"\((if missing|idle)", line)]
    weights = [tree[number].weight for number in tree.preorder()]
    assert [float(text) for text in cases] == pytest.approx(weights, rel=1e-3)


def test_numbers_read_back():
    rng = np.random.default_rng(0)
    for x in [*rng.normal(size=200), 1e22, 75.0, 0.1, 5e-324, -0.0]:
        assert float(number_text(x)) == x
    assert [number_text(x) for x in (75.0, 0.1, 1e22)] == ["75", "0.1", "1e+22"]
    assert amount_text(0.1 + 0.2) == "0.3"


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_thresholds_are_printed_without_noise(cut):
    text = cut_text(cut)
    assert float(text) == pytest.approx(cut, rel=5.1e-7, abs=0)
    assert cut_text(float(text)) == text
    digits = re.sub(r"e.*|[-.]", "", text).strip("0")
    assert len(digits) <= 7 or 1e6 <= abs(cut) < 1e15


def test_large_thresholds_stay_plain():
    shown = {0.1 + 0.2: "0.3", 0.14200000000000002: "0.142", 1234567.0: "1234567", -0.0: "0", 1e22: "1e+22"}
    shown |= {20240115.5: "20240115.5", 2.0**40: "1099511627776", 1234567.1499999999: "1234567.1"}
    assert {cut: cut_text(cut) for cut in shown} == shown


def test_the_exact_threshold_decides():
    tree = grown([[0.1], [0.14200000000000002], [0.3]], ["a", "a", "b"], cut_at="observed")
    assert "x0 <= 0.142: a" in tree.text()
    assert "if x0 <= 0.142 then a" in str(tree.rules()[0])
    assert tree.consult().answer(0.14200000000000002).why == "x0 <= 0.142: a"
    assert Tree.from_json(tree.to_json()) == tree


def test_wording():
    assert str(Between("age", 40.0, 50.5)) == "40 < age <= 50.5"
    assert str(IsOneOf("c", ())) == "c in {}"
    assert str(OnScale("size", ("S", "M", "L"), 1, 1)) == "S < size <= M"
    assert category_text("a\x1b[31m") == repr("a\x1b[31m")  # a name cannot colour the terminal
    assert "\n" not in str(Between("two\nlines", 1.0, 2.0))


def test_columns_stay_in_line_with_long_category_sets():
    rows = [[f"a town with quite a long name, number {i:02d}"] for i in range(12)]
    tree = grown(rows * 3, ["yes" if i < 6 else "no" for i in range(12)] * 3, nominal="binary")
    text = tree.text()
    heading, root, *lines = text.splitlines()
    assert len(lines) > tree.n_nodes - 1  # folded
    with_counts = [line for line in lines if re.search(r"(yes|no): \d+$", line)]
    start = heading.index("classes")
    assert len(with_counts) == 2
    assert all(line[start - 3 : start] == "   " and line[start] != " " for line in (root, *with_counts))
    assert max(map(len, lines)) < 110
    joined = " ".join(word for line in lines for word in line.replace("│", " ").split())
    assert f"'{rows[4][0]}', ... " in joined or f"'{rows[5][0]}'}}: yes" in joined
    plain = re.sub("\x1b\\[[0-9;]*m", "", tree.text(color=True))
    assert plain == text


def test_columns_stay_in_line_in_deep_trees():
    text = deep(60, GOLF_PRICES.replace(tests={"x0": 3})).text()
    heading, *lines = text.splitlines()
    start = heading.index("classes")
    counts = [line for line in lines if "idle" not in line and "(the" not in line]
    assert {line[start - 3 : start] for line in counts} == {"   "}
    assert all(line[start] != " " for line in counts)


def test_a_name_that_fits_nowhere_stands_alone():
    tree = grown(pd.DataFrame({"x" * 200: ["a" * 200, "b" * 200]}), ["c" * 200, "d" * 200], nominal="binary")
    heading, *lines = tree.text().splitlines()
    start = heading.index("classes")
    counted = [line for line in lines if re.fullmatch("[cd]{200}: 1.*", line[start:])]
    assert [line[:start].split()[-1] for line in counted] == ["2", "1", "1"]


def test_case_counts_are_whole_numbers_where_they_are_whole():
    shown = {794512.25: "794512.2", 12345.0: "12345", 0.1 * 3 * 10: "3", 2e6 + 1e-7: "2000000", 0.0: "0"}
    shown |= {3.3846153846: "3.385", 1e-12: "1e-12", 99999.5: "99999.5"}
    assert {weight: weight_text(weight) for weight in shown} == shown


def test_names_with_commas_are_quoted_in_lists():
    rows = [["nurse, day"], ["nurse, night"], ["cook"], ["clerk"]] * 3
    tree = grown(rows, ["sick, mild", "sick, mild", "well", "well"] * 3, nominal="binary")
    text = tree.text()
    assert "x0 in {'nurse, day', 'nurse, night'}" in text
    assert "'sick, mild': 6, well: 6" in text
    assert repr(tree).endswith("classes 'sick, mild', well>")
