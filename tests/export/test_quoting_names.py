"""Names of columns, categories and classes may hold anything and do no harm."""

import ast

import pandas as pd
import pytest
from export.running import (
    assert_same,
    assert_same_onnx,
    by_c,
    by_library,
    by_onnx,
    by_python,
    by_sql,
    needs_gcc,
    rows_of,
)
from hypothesis import given, settings
from hypothesis import strategies as st

import thriftwood as tw

MAJORITY = tw.Growth(missing="majority")
HOSTILE = [
    '"); DROP TABLE cases; --',
    "'; SELECT 1; --",
    "*/ int x; /*",
    "??/",
    "\\",
    '"""',
    "'''",
    "{name}",
    "%s",
    "line\nbreak\r\n",
    "\u2028\u202e",
    "class",
    "SELECT",
    "case_id",
    "v0",
    "label",
    "zwölf 🌲",
    " ",
    "#",
    "\x01\x7f",
]


def named(number, category, classes, categories):
    """A tree that asks both columns, and its table."""
    values = [0.0, 1.0] * len(categories)
    words = [word for word in categories for _ in range(2)]
    X = pd.DataFrame({0: values, 1: words})
    X.columns = pd.Index([number, category], dtype=object)
    first = [word == categories[0] for word in words]
    y = [classes[int(high) if is_first else 0] for high, is_first in zip(values, first, strict=True)]
    y[-1] = classes[2] if len(classes) > 2 else y[-1]
    model = tw.CostTreeClassifier(costs=tw.Costs({number: 2, category: 1.5}), growth=MAJORITY).fit(X, y)
    assert set(model.tree_.features_used) == {number, category}
    return model.tree_, X


# What every language can hold: no lone surrogates and no NUL.
texts = st.one_of(
    st.sampled_from(HOSTILE), st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
)
names = st.lists(texts.filter(bool), min_size=2, max_size=2, unique_by=str.casefold)
labels = st.lists(texts, min_size=2, max_size=3, unique=True)


@given(names, labels, labels)
@settings(max_examples=40)
def test_any_names_in_python_and_onnx(columns, classes, categories):
    tree, X = named(*columns, classes, categories)
    ast.parse(tw.export_python(tree))
    assert tw.export_python(tree).isascii()
    assert_same(by_python(tree, rows_of(X)), by_library(tree, X), tree)
    assert_same_onnx(by_onnx(tree, X), tree, X)


@given(names, labels, labels)
@settings(max_examples=12)
def test_any_names_in_sql(columns, classes, categories):
    tree, X = named(*columns, classes, categories)
    assert_same(by_sql(tree, X), by_library(tree, X), tree)


@needs_gcc
@given(names, labels, labels)
@settings(max_examples=6)
def test_any_names_in_c(columns, classes, categories):
    tree, X = named(*columns, classes, categories)
    assert tw.export_c(tree).isascii()
    assert_same(by_c(tree, rows_of(X)), by_library(tree, X), tree)


@needs_gcc
def test_hostile_names_everywhere_at_once():
    for place, name in enumerate(HOSTILE):
        other, third = HOSTILE[place - 1], HOSTILE[place - 2]
        tree, X = named(name, other, [other, name], [third, name, other])
        wanted = by_library(tree, X)
        assert_same(by_python(tree, rows_of(X)), wanted, tree)
        assert_same(by_sql(tree, X), wanted, tree)
        assert_same_onnx(by_onnx(tree, X), tree, X)
        if place % 4 == 0:
            assert_same(by_c(tree, rows_of(X)), wanted, tree)


@pytest.mark.parametrize("bad", ["a\0b", "\ud800"])
def test_text_that_a_language_cannot_hold_is_refused(bad):
    tree, _ = named("age", bad, ["no", "yes"], ["a", "b"])
    assert by_python(tree, [{"age": 1.0, bad: "a"}])[0].answer == "yes"
    for export in (tw.export_c, tw.export_sql):
        with pytest.raises(ValueError, match="cannot hold"):
            export(tree)


def test_names_that_sql_cannot_tell_apart_are_refused():
    tree, _ = named("Age", "age", ["no", "yes"], ["a", "b"])
    with pytest.raises(ValueError, match="differ only in upper and lower case"):
        tw.export_sql(tree)


def test_classes_that_differ_in_case_have_columns_of_their_own():
    tree, X = named("age", "hair", ["no", "No"], ["a", "b"])
    assert '"probability_No"' in tw.export_sql(tree)
    assert '"probability_no_"' in tw.export_sql(tree)
    assert_same(by_sql(tree, X), by_library(tree, X), tree)


@pytest.mark.parametrize("name", ["", "2x", "a b", "a;b", "é", "int", 7, None])
def test_c_takes_only_names_of_functions(name):
    tree, _ = named("age", "hair", ["no", "yes"], ["a", "b"])
    with pytest.raises(ValueError, match="name must be a name that C leaves free"):
        tw.export_c(tree, name)


@pytest.mark.parametrize("name", ["", "2x", "a b", "a\nb", "x\n", "def", "zip", None])
def test_python_takes_only_names_of_functions(name):
    tree, _ = named("age", "hair", ["no", "yes"], ["a", "b"])
    with pytest.raises(ValueError, match="name must be a name that Python leaves free"):
        tw.export_python(tree, name)


@pytest.mark.parametrize("table", ["tree", "tree_cases", "TREE_walk", 'a "b"', "select"])
def test_any_name_of_a_table(table):
    tree, X = named("age", "hair", ["no", "yes"], ["a", "b"])
    assert_same(by_sql(tree, X, table=table), by_library(tree, X), tree)
