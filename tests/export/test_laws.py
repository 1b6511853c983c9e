"""Exported trees decide, ask, buy and pay as the library does, whatever the tree."""

import math

import numpy as np
import pandas as pd
import pytest
from export.random_cases import random_case, random_prices
from export.running import (
    assert_same,
    assert_same_onnx,
    by_c,
    by_javascript,
    by_library,
    by_onnx,
    by_python,
    by_sql,
    framed,
    needs_gcc,
    rows_of,
)
from finished_trees import deep, golf, mixed, random_finished, random_row, regression, shared_out
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import log_loss

import thriftwood as tw
from thriftwood.costs import Costs

seeds = st.integers(0, 2**32 - 1)


@given(seeds)
@settings(max_examples=100)
def test_python_decides_as_the_library(seed):
    tree, rows = random_case(seed)
    assert_same(by_python(tree, rows), by_library(tree, framed(tree, rows)), tree)


@given(seeds)
@settings(max_examples=40)
def test_python_buys_as_a_consultation_does(seed):
    rng = np.random.default_rng(seed)
    names = ["age", "hair", "dose", "coat", "size"]
    tree = random_finished(rng, surrogates=False, full_maps=True, costs=random_prices(rng, names))
    rows = [random_row(rng) for _ in range(10)]
    for row, exported in zip(rows, by_python(tree, rows), strict=True):
        case = tree.consult()
        while not case.finished:
            case.answer(row[case.next_test])
        assert exported.answer == case.result
        assert exported.bought == [test for test, _ in case.bought]
        assert exported.paid == pytest.approx([price for _, price in case.bought], abs=1e-12)
        assert exported.probabilities == pytest.approx(list(case.probabilities.values()), abs=1e-12)


@needs_gcc
@given(seeds)
@settings(max_examples=8)
def test_c_decides_as_the_library(seed):
    tree, rows = random_case(seed, n_rows=100)
    assert_same(by_c(tree, rows), by_library(tree, framed(tree, rows)), tree)


@given(seeds)
@settings(max_examples=8)
def test_javascript_decides_as_the_library(seed):
    tree, rows = random_case(seed, n_rows=100)
    assert_same(by_javascript(tree, rows), by_library(tree, framed(tree, rows)), tree)


@given(seeds)
@settings(max_examples=8)
def test_sql_decides_as_the_library(seed):
    tree, rows = random_case(seed, n_rows=100)
    X = framed(tree, rows)
    assert_same(by_sql(tree, X), by_library(tree, X), tree)


@given(seeds)
@settings(max_examples=40)
def test_onnx_decides_as_the_library(seed):
    tree, rows = random_case(seed, n_rows=60, one_way=True, surrogates=False)
    X = framed(tree, rows)
    assert_same_onnx(by_onnx(tree, X), tree, X)


@given(seeds)
@settings(max_examples=20)
def test_onnx_says_which_cases_it_cannot_decide(seed):
    tree, rows = random_case(seed, n_rows=60)
    X = framed(tree, rows)
    labels, values = (None, *by_onnx(tree, X, undecided="nan"))[-2:]
    wanted = tree.predict(X).reshape(-1, 1) if tree.regression else tree.predict_proba(X)
    decided = ~np.isnan(values[:, 0])
    np.testing.assert_allclose(values[decided], wanted[decided], rtol=0, atol=1e-12)
    assert np.isnan(values[~decided]).all()
    if not tree.regression:
        answers = np.where(decided, tree.predict(X), "undecided")
        assert labels.tolist() == answers.tolist()


@pytest.mark.parametrize(
    ("classes", "decided", "undecided"),
    [
        (["no", "yes"], ["no", "yes"], "undecided"),
        (["undecided", "undecided_"], ["undecided", "undecided_"], "undecided__"),
        ([0, 1], [0, 1], -1),
        ([-1, -2], [-1, -2], -3),
        ([False, True], [0, 1], -1),
        ([1.0, 2.0], [1.0, 2.0], math.nan),
    ],
)
def test_onnx_gives_an_undecided_case_a_label_that_is_no_class(classes, decided, undecided):
    X = pd.DataFrame({"a": [1.0, 2.0]})
    tree = tw.CostTreeClassifier().fit(X, classes).tree_  # a missing value goes down both branches
    labels, shares = by_onnx(tree, pd.DataFrame({"a": [1.0, 2.0, math.nan]}), undecided="nan")
    assert labels[:2].tolist() == decided
    np.testing.assert_array_equal(labels[2], undecided)
    assert np.isnan(shares[2]).all()


@needs_gcc
def test_no_share_exceeds_the_whole():
    tree = shared_out()
    rows = [{"x0": None}, {"x0": "red"}]
    X = framed(tree, rows)
    wanted = [[1.0, 0.0], [1.0, 0.0]]
    assert tree.predict_proba(X.to_numpy()).tolist() == wanted
    # scikit-learn refuses a share above 1
    assert log_loss(["a", "a"], tree.predict_proba(X.to_numpy()), labels=["a", "b"]) < 1e-15
    assert list(tree.consult(unavailable=["x0"]).probabilities.values()) == [1.0, 0.0]
    for decisions in (by_python(tree, rows), by_c(tree, rows), by_sql(tree, X)):
        assert [decision.probabilities for decision in decisions] == wanted


def ordered_frame(n=150, seed=3):
    """Numbers, float32, names, an ordered and a boolean column, and numbers that are names."""
    rng = np.random.default_rng(seed)
    size = pd.Categorical.from_codes(rng.integers(-1, 3, n), ["small", "middle", "large"], ordered=True)
    X = pd.DataFrame(
        {
            "age": rng.normal(50, 10, n).round(1),
            "dose": rng.choice([0.1, 0.2, 0.3, np.nan], n).astype(np.float32),
            "hair": rng.choice(["red", "grey", None], n),
            "size": size,
            "ward": rng.integers(1, 5, n),
            "male": rng.random(n) < 0.5,
        }
    )
    score = 1.0 * (X.age > 50) + (X.dose > 0.15) * (X.hair == "red") + (X["size"] == "large") * X.male
    return X, score.to_numpy() + rng.random(n) / 4


GROWTHS = {
    "fractional": tw.Growth(nominal="multiway"),
    "grouped": tw.Growth(nominal="grouped"),
    "surrogate": tw.Growth(nominal="binary", missing="surrogate"),
    "branch": tw.Growth(nominal="multiway", missing="branch"),
    "majority": tw.Growth(nominal="binary", missing="majority"),
}


@pytest.mark.parametrize("growth", GROWTHS)
@pytest.mark.parametrize("numbers", [False, True])
def test_grown_trees_of_every_kind_of_column(growth, numbers):
    X, score = ordered_frame()
    errors = {"0": {"1": 4, "2": 1}, "1": {"0": 2, "2": 3}, "2": {"0": 9, "1": 1}}
    settings = {"growth": GROWTHS[growth], "nominal_features": ["ward"]}
    costs = Costs({"age": 1, "dose": 5, "size": 2}, errors=None if numbers else errors)
    if numbers:
        tree = tw.CostTreeRegressor(costs=costs, **settings).fit(X, score).tree_
    else:
        y = score.round().astype(int).clip(0, 2)
        tree = tw.CostTreeClassifier(costs=costs, **settings).fit(X, y).tree_
    wanted, rows = by_library(tree, X), rows_of(X)
    assert_same(by_python(tree, rows), wanted, tree)
    assert_same(by_sql(tree, X), wanted, tree)
    assert_same(by_javascript(tree, rows), wanted, tree)
    if growth in ("branch", "majority"):
        assert_same_onnx(by_onnx(tree, X), tree, X)
    else:
        with pytest.raises(ValueError, match="which ONNX has no form for"):
            by_onnx(tree, X)


@needs_gcc
def test_c_of_every_kind_of_column():
    X, score = ordered_frame()
    model = tw.CostTreeRegressor(growth=GROWTHS["surrogate"], nominal_features=["ward"]).fit(X, score)
    rows = rows_of(X)
    assert_same(by_c(model.tree_, rows), by_library(model.tree_, X), model.tree_)


@needs_gcc
@pytest.mark.parametrize("made", [golf, mixed, regression])
def test_trees_without_column_names(made):
    tree = made()
    rng = np.random.default_rng(1)
    values = {"numeric": lambda c: float(rng.normal()), "nominal": lambda c: str(rng.choice(c.categories))}
    rows = [
        {
            name: None if rng.random() < 0.2 else values[c.kind.value](c)
            for name, c in zip(tree.feature_names, tree.columns, strict=True)
        }
        for _ in range(50)
    ]
    X = framed(tree, rows)
    wanted = by_library(tree, X if tree.encoder.feature_names else X.to_numpy())
    for decisions in (by_python(tree, rows), by_c(tree, rows), by_sql(tree, X)):
        assert_same(decisions, wanted, tree)


@needs_gcc
def test_a_tree_that_asks_nothing():
    tree = tw.CostTreeClassifier().fit([[1.0], [1.0]], ["no", "no"]).tree_
    rows = [{"x0": 3.0}, {"x0": None}]
    X = framed(tree, rows)
    wanted = by_library(tree, X.to_numpy())
    assert [d.bought for d in wanted] == [[], []]
    for decisions in (by_python(tree, rows), by_c(tree, rows), by_sql(tree, X)):
        assert_same(decisions, wanted, tree)
    labels, shares = by_onnx(tree, X)
    assert (labels.tolist(), shares.tolist()) == (["no", "no"], [[1.0], [1.0]])


@needs_gcc
def test_a_very_deep_tree():
    tree = deep(600, Costs({"x0": 2}))
    rows = [{"x0": value} for value in (-1.0, 2.5, 1199.0, 1e9, None)]
    X = framed(tree, rows)
    wanted = by_library(tree, X.to_numpy())
    for decisions in (by_python(tree, rows), by_c(tree, rows), by_sql(tree, X)):
        assert_same(decisions, wanted, tree)
    known = X.iloc[:4]
    assert by_onnx(tree, known, undecided="nan")[0].tolist() == [d.answer for d in wanted[:4]]
