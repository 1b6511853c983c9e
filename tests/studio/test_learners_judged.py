"""What the page says of new cases is what `thriftwood fit` says: the same cases, learnt without."""

import numpy as np
import pandas as pd
import pytest
from studio.driving import learnt

import thriftwood as tw
from thriftwood.cli.fit_page import FOLDED_CELLS, HELD_OUT, MANY_FOLDS
from thriftwood.evaluation.folds import held_out
from thriftwood.learning import fit_many
from thriftwood.studio.content import costs_content, table_content
from thriftwood.studio.learners import forest_lines, offered

LINES = {one.name: one for one in offered()}


def drawn(n_rows, n_columns, seed):
    """Three classes, one of them rare, and tests that tell something; a third of the first one is missing."""
    rng = np.random.default_rng(seed)
    y = np.array(["well", "sick", "odd"])[rng.choice(3, n_rows, p=[0.6, 0.35, 0.05])]
    X = pd.DataFrame(
        {f"x{j}": np.round((y == "sick") * 1.0 + rng.normal(size=n_rows), 2) for j in range(n_columns)}
    )
    X.loc[rng.random(n_rows) < 0.3, "x0"] = np.nan
    X["kind"] = rng.choice(list("abc"), n_rows)
    costs = tw.Costs(dict.fromkeys(X, 1.0), errors_default=30, errors={"sick": {"well": 80}})
    return X, y, costs


def judged(tmp_path, X, y, costs, name, **more):
    """What the page says of cases that were not learnt from, and the price list as it has it."""
    table = table_content(X, y, "table")
    plain = costs_content(costs, table["classes"], list(X))
    asked = {"table": table, "costs": plain, "settings": LINES[name].settings, "judged": True, **more}
    (answer,) = learnt(tmp_path, [asked])
    assert "unseen" in answer, answer.get("error")
    return answer["unseen"], tw.Costs.from_dict(plain)


def model_of(name, costs):
    return tw.algorithm(name, costs=costs, **({"leaves": "class"} if name == "thrift" else {}))


@pytest.mark.parametrize("name", ["thrift", "c45", "eg2", "min-total-cost"])
@pytest.mark.parametrize(("n_rows", "folds"), [(303, MANY_FOLDS), (1201, 5)])
def test_folds_are_those_of_fit(tmp_path, name, n_rows, folds):
    X, y, costs = drawn(n_rows, 12, n_rows)
    unseen, costs = judged(tmp_path, X, y, costs, name)
    ranking = tw.compare({name: model_of(name, costs)}, X, y, costs, cv=folds, random_state=0)
    (found,) = ranking
    assert unseen["parts"] == folds
    classes = np.unique(y)
    matrix = costs.error_matrix(classes)
    labels = np.searchsorted(classes, y)
    np.testing.assert_allclose(unseen["testCost"], found.test_cost, atol=1e-9)
    paid = matrix[labels, np.array(unseen["answers"], dtype=int)]
    np.testing.assert_array_equal(paid, found.error_cost)


def test_of_a_large_table_the_same_cases_are_held_out(tmp_path):
    X, y, costs = drawn(5000, 12, seed=5)
    assert X.size > FOLDED_CELLS
    unseen, costs = judged(tmp_path, X, y, costs, "thrift")
    labels = np.unique(y, return_inverse=True)[1].astype(np.int32)
    marked = held_out(labels, HELD_OUT, 0)
    answers = np.array(unseen["answers"])
    np.testing.assert_array_equal(answers >= 0, marked)
    (tree,) = fit_many(model_of("thrift", costs), X, y, [~marked])
    np.testing.assert_array_equal(np.unique(y)[answers[marked].astype(int)], tree.predict(X[marked]))


def test_cases_too_few_to_judge_by_others_are_judged_by_themselves(tmp_path):
    X, y = pd.DataFrame({"age": [1.0, 2.0]}), np.array(["sick", "well"])
    unseen, _ = judged(tmp_path, X, y, tw.Costs({"age": 1.0}, errors_default=50), "c45")
    assert unseen["parts"] == 1
    assert min(unseen["answers"]) >= 0


@pytest.mark.parametrize("panel", [["x1"], ["x0", "x1", "x2", "kind"], []])
@pytest.mark.parametrize("two", [True, False], ids=["two classes", "three classes"])
def test_the_panel_of_today_is_answered_as_by_fit(tmp_path, panel, two):
    X, y, costs = drawn(320, 4, 7)
    if two:
        y = np.where(y == "odd", "sick", y)
        costs = tw.Costs(costs.tests, errors={"sick": {"well": 40}, "well": {"sick": 25}})
    costs = costs.replace(today=panel)
    unseen, costs = judged(tmp_path, X, y, costs, "c45", panel=panel, forest=forest_lines())
    today = tw.compare({"c45": model_of("c45", costs)}, X, y, costs, cv=10, random_state=0).today
    labels = np.unique(y, return_inverse=True)[1]
    paid = costs.error_matrix(np.unique(y))[labels, np.array(unseen["today"], dtype=int)]
    # Sums of logistic regression are made in another order, so a case on the border may fall either way.
    assert np.count_nonzero(paid != today.error_cost) <= 2


@pytest.mark.parametrize("name", ["thrift", "c45", "min-total-cost"])
def test_other_prices_before_leave_no_trace(tmp_path, name):
    """Trees, parts and shares that no price changes are kept from one price list to the next."""
    X, y, costs = drawn(80, 3, 11)
    X["copy"] = X["x1"]
    dear = dict(zip(X, (40.0, 0.0, 3.0, 1.0, 2.0), strict=True))
    late = dict.fromkeys(X, 2.0) | {"x1": tw.Test(5, delayed=True)}
    lists = [
        costs,
        tw.Costs(dear, errors={"sick": {"well": 200}, "odd": {"well": 9}}, errors_default=3),
        tw.Costs(late, errors_default=20, charge_missing=False),
    ]
    if name != "thrift":
        lists.append(tw.Costs(dear, errors_default=20, payment="upfront"))
    table = table_content(X, y, "table")
    plain = [costs_content(one, table["classes"], list(X)) for one in lists]
    fixed = {"table": table, "settings": LINES[name].settings, "judged": True}
    fixed |= {"panel": ["x1"], "forest": forest_lines()}
    alone, after = (
        learnt(tmp_path, [{**fixed, "costs": one, "before": before} for one in plain])
        for before in ([], plain)
    )
    for one, other in zip(alone, after, strict=True):
        assert "unseen" in one, one.get("error")
        assert [one[key] for key in ("model", "answers", "testCost", "unseen")] == [
            other[key] for key in ("model", "answers", "testCost", "unseen")
        ]
