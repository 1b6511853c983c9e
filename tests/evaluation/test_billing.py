"""`tw.bill`: worked numbers, sums that must agree, and how it looks."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from evaluation.billed_trees import MULTIWAY, TESTS, delays, fitted, golf, mistakes
from evaluation.plain_ledger import random_costs, random_table
from hypothesis import given, settings
from hypothesis import strategies as st

from thriftwood.costs import Costs, Test
from thriftwood.datasets import load_dataset
from thriftwood.evaluation import Bill, bill
from thriftwood.learning import CostTreeClassifier, CostTreeRegressor, Growth
from thriftwood.models.tree.tree import Tree
from thriftwood.table import results

seeds = st.integers(0, 2**32 - 1)
NEED_THE_TRUTH = [
    "mean_error_cost",
    "total_error_cost",
    "mean_cost",
    "total_cost",
    "normalised_cost",
    "confusion",
]
NEED_THE_TRUTH += ["standard_cost", "accuracy", "n_errors", "high_cost_errors", "error_cost"]


# Worked numbers


def test_the_golf_tree():
    model, data = golf()
    result = bill(model, data.X, data.y, data.costs.replace(errors_default=20))
    assert result.mean_test_cost == pytest.approx(4.892857, abs=5e-7)
    assert result.upfront_cost == 6.5
    assert result.total_test_cost == 68.5
    assert result.mean_cost == pytest.approx(4.892857, abs=5e-7)
    assert result.standard_cost == pytest.approx(14.642857, abs=5e-7)
    assert result.normalised_cost == pytest.approx(33.414634, abs=5e-7)
    assert (result.n_cases, result.accuracy, result.n_errors, result.high_cost_errors) == (14, 1.0, 0, 0)
    first = result.per_case.iloc[0]
    assert (first.test_cost, first.n_tests, first.tests) == (6.0, 2.0, ["Outlook", "Humidity"])
    assert (first.actual, first.predicted) == ("No", "No")


def test_the_golf_tree_paid_upfront():
    model, data = golf(load_dataset("golf-nominal").costs.replace(payment="upfront"))
    result = bill(model, data.X, data.y)
    assert result.per_case.test_cost.tolist() == [6.5] * 14
    assert set(map(tuple, result.per_case.tests)) == {("Outlook", "Humidity", "Wind")}


def test_turneys_delayed_tests_cost_70():
    result = bill(delays(), pd.DataFrame([[1, 0, 1, 1]], columns=TESTS, dtype=float), ["healthy"])
    row = result.per_case.iloc[0]
    assert (row.test_cost, row.error_cost, row.cost) == (5 + (7 + 8) + 0, 50, 70)
    assert row.tests == ["alpha", "delta", "epsilon"]


def test_high_cost_errors_cost_more_than_the_cheapest_mistake():
    result = mistakes(errors=[[0, 1, 5], [1, 0, 1], [2, 1, 0]])
    assert result.confusion.counts.tolist() == [[1, 1, 1], [1, 1, 1], [1, 1, 1]]
    assert (result.n_errors, result.high_cost_errors, result.accuracy) == (6, 2, pytest.approx(1 / 3))
    assert result.confusion.costs.tolist() == [[0, 1, 5], [1, 0, 1], [2, 1, 0]]
    assert (result.total_error_cost, result.mean_error_cost) == (11, pytest.approx(11 / 9))
    # All mistakes alike: none is of the dearer kind.
    assert mistakes(errors_default=7).high_cost_errors == 0


def test_right_answers_can_have_a_cost_or_a_benefit():
    result = mistakes(errors=[[-1, 2, 2], [2, 3, 2], [2, 2, 0]])
    assert result.total_error_cost == -1 + 3 + 6 * 2


# Sums that must agree


@given(seeds)
@settings(deadline=None, max_examples=40)
def test_the_ledger_of_the_training_rows_is_the_trees_own_cost(seed):
    model, X, y = fitted(seed)
    costs = random_costs(np.random.default_rng(seed), 4)
    result = bill(model, X, y, costs)
    tree = Tree(model.tree_.core, model.tree_.encoder, model.classes_, costs)
    assert result.total_test_cost == pytest.approx(
        sum(n.weight * n.bill for n in tree if n.is_leaf), rel=1e-9
    )
    assert result.upfront_cost == pytest.approx(costs.total(tree.features_used), rel=1e-12)


@given(seeds)
@settings(deadline=None, max_examples=25)
def test_all_parts_of_a_bill_agree(seed):
    model, X, y = fitted(seed, missing=0.15)
    rng = np.random.default_rng(seed)
    costs = random_costs(rng, 4, errors_default=3)
    weights = rng.integers(0, 4, len(y)).astype(float)
    weights[0] = 1
    result = bill(model, X, y, costs, sample_weight=weights)
    cases, tests = result.per_case, result.by_test
    assert result.total_test_cost == pytest.approx(weights @ cases.test_cost, rel=1e-12)
    assert result.total_cost == pytest.approx(weights @ cases.cost, rel=1e-12)
    assert result.mean_cost == pytest.approx(result.total_cost / weights.sum(), rel=1e-12)
    assert tests.total.sum() == pytest.approx(result.total_test_cost, rel=1e-12)
    assert tests.times.sum() == pytest.approx(weights @ cases.n_tests, rel=1e-12)
    assert (tests.share <= 1 + 1e-12).all()
    assert (tests.mean_price[tests.times > 0] <= tests.full_price[tests.times > 0] * (1 + 1e-12)).all()
    assert result.confusion.counts.sum() == weights.sum()
    assert result.confusion.costs.sum() == pytest.approx(result.total_error_cost, rel=1e-12)
    assert result.accuracy == pytest.approx(model.score(X, y, sample_weight=weights))
    assert cases.predicted.tolist() == model.predict(X).tolist()
    assert cases.actual.tolist() == y.tolist()


@given(seeds)
@settings(deadline=None, max_examples=20)
def test_a_weight_of_n_counts_as_n_cases(seed):
    model, X, y = fitted(seed, n_rows=30, missing=0.1)
    rng = np.random.default_rng(seed)
    costs, weights = random_costs(rng, 4), rng.integers(1, 4, len(y))
    weighted = bill(model, X, y, costs, sample_weight=weights)
    repeated = bill(model, np.repeat(X, weights, axis=0), np.repeat(y, weights), costs)
    for name in ("mean_cost", "total_cost", "accuracy", "n_errors", "high_cost_errors", "normalised_cost"):
        assert getattr(weighted, name) == pytest.approx(getattr(repeated, name), rel=1e-9)
    np.testing.assert_array_equal(weighted.confusion.counts, repeated.confusion.counts)


@pytest.mark.parametrize("growth", [MULTIWAY, Growth(nominal="binary", missing="surrogate")])
def test_a_consultation_that_takes_one_path_charges_the_same(growth):
    model, X, _ = fitted(3, n_rows=60, missing=0.2, growth=growth)
    costs = random_costs(np.random.default_rng(5), 4, charge_missing=True, payment="sequential")
    tree = Tree(model.tree_.core, model.tree_.encoder, model.classes_, costs)
    result = bill(tree, X)
    alone = 0
    for r, row in enumerate(X):
        if result.per_case.n_tests[r] != len(result.per_case.tests[r]):
            continue  # spread over several paths: a consultation asks all of them
        alone += 1
        case = tree.consult()
        while not case.finished:
            case.answer(row[tree.feature_names.index(case.next_test)])
        assert case.bill == pytest.approx(result.test_cost[r], rel=1e-12)
        assert [name for name, _ in case.bought] == result.per_case.tests[r]
    assert alone > 20


def test_threads_of_the_model_change_nothing():
    X, y = random_table(np.random.default_rng(0), 3_000, missing=0.1)
    costs = random_costs(np.random.default_rng(1), 4)
    model = CostTreeClassifier("entropy", growth=MULTIWAY, costs=costs).fit(X, y)
    one, two = bill(model, X, y), bill(model.set_params(n_jobs=2), X, y)
    pd.testing.assert_frame_equal(one.per_case, two.per_case, check_exact=True)


# Less than everything


def test_without_the_truth_there_are_test_costs_only():
    model, data = golf()
    result = bill(model, data.X, costs=data.costs.replace(errors={"Maybe": {"No": 1}}))  # never looked at
    assert result.mean_test_cost == pytest.approx(4.892857, abs=5e-7)
    for name in NEED_THE_TRUTH:
        assert getattr(result, name) is None
    assert result.why_no_errors == "the true classes (y) were not given"
    assert "error costs: none, for the true classes (y) were not given" in str(result)
    assert list(result.per_case) == ["test_cost", "n_tests", "tests", "predicted"]


def test_a_regression_tree_has_test_costs_only():
    X, y = np.arange(8.0).reshape(-1, 1), np.arange(8.0) % 3
    model = CostTreeRegressor(costs=Costs({"x0": 2})).fit(X, y)
    result = bill(model, X, y)
    assert result.mean_test_cost == 2.0
    for name in NEED_THE_TRUTH:
        assert getattr(result, name) is None
    assert "regression" in result.why_no_errors
    assert result.per_case.predicted.tolist() == model.predict(X).tolist()
    assert result.per_case.actual.tolist() == y.tolist()
    with pytest.raises(ValueError, match="8 rows and y has 7"):
        bill(model, X, y[:7])


def test_a_tree_that_asks_nothing():
    model = CostTreeClassifier(costs=Costs(default_price=3)).fit([[1.0], [2.0]], ["a", "a"])
    result = bill(model, [[5.0]], ["a"])
    assert (result.mean_cost, result.upfront_cost, result.n_tests.tolist()) == (0.0, 0.0, [0.0])
    assert len(result.by_test) == 0
    assert result.high_cost_errors == 0
    assert "Bill of 1 case," in str(result)


def test_a_standard_cost_of_nothing_has_no_percentage():
    model = CostTreeClassifier(costs=Costs()).fit([[1.0], [2.0]], ["a", "a"])
    assert np.isnan(bill(model, [[5.0]], ["a"]).normalised_cost)


# How it looks


def test_the_text_is_aligned():
    model, data = golf()
    text = str(bill(model, data.X, data.y, data.costs.replace(errors_default=20)))
    lines = text.splitlines()
    assert lines[:6] == [
        "Bill of 14 cases, payment sequential",
        "                        mean  total",
        "  tests                 4.89  68.50",
        "  errors                   0      0",
        "  together              4.89  68.50",
        "  no tests, always Yes  7.14    100",
    ]
    assert "  Humidity           2             5    35.7 %           2     10" in lines
    assert "  Yes   0    9     0" in lines


def test_html_is_escaped():
    X = pd.DataFrame({"a<b>": [1.0, 2.0]})
    model = CostTreeClassifier(costs=Costs({"a<b>": 2})).fit(X, ["<i>", "&"])
    html = bill(model, X, ["<i>", "&"])._repr_html_()
    assert "a&lt;b&gt;" in html
    assert "<i>" not in html


def test_a_long_list_of_tests_is_cut_short():
    X, y = np.eye(40), np.arange(40)
    result = bill(CostTreeClassifier(costs=Costs(default_price=1)).fit(X, y), X, y)
    assert len(result.by_test) == 39
    assert "and 19 more" in str(result)
    assert "True class" not in str(result)


@pytest.mark.parametrize(
    ("absent", "kind"),
    [({"pandas"}, pl.DataFrame), ({"pandas", "polars"}, pa.Table), ({"pandas", "polars", "pyarrow"}, dict)],
)
def test_frames_of_whatever_library_there_is(monkeypatch, absent, kind):
    model, data = golf()
    monkeypatch.setattr(results, "find_spec", lambda name: None if name in absent else name)
    result = bill(model, data.X, data.y, data.costs)
    assert isinstance(result.per_case, kind)
    assert isinstance(result.by_test, kind)
    columns = ["test_cost", "error_cost", "cost", "n_tests", "tests", "actual", "predicted"]
    names = getattr(result.per_case, "column_names", None) or list(
        getattr(result.per_case, "columns", result.per_case)
    )
    assert names == columns
    tests = result.per_case["tests"]
    first = tests[0].as_py() if kind is pa.Table else list(tests[0])
    assert first == ["Outlook", "Humidity"]
    assert str(result.per_case["actual"][0]) == "No"


def test_the_index_of_a_pandas_frame_is_kept():
    model, data = golf()
    X = data.X.set_index(pd.Index(range(100, 114), name="day"))
    assert bill(model, X, data.y, data.costs).per_case.index.equals(X.index)


def test_a_bill_can_be_pickled():
    model, data = golf()
    result = bill(model, data.X, data.y, data.costs)
    again = pickle.loads(pickle.dumps(result))
    assert isinstance(again, Bill)
    assert str(again) == str(result)
    assert repr(again) == "<Bill: 14 cases, tests 4.893, errors 0 a case>"


def test_the_full_price_has_the_shared_resources_in_it():
    X, y = np.array([[0.0, 1.0], [1.0, 0.0]]), [0, 1]
    model = CostTreeClassifier().fit(X, y)
    shared = bill(model, X, y, Costs({"x0": Test(5, needs=["blood draw"])}, {"blood draw": 3}))
    assert shared.by_test.full_price.tolist() == [8.0]
    note = "full price: of a test that is bought first, with all shared resources that it needs"
    assert note in str(shared)
    assert note in shared._repr_html_()
    assert note not in str(bill(model, X, y, Costs({"x0": 5})))
