"""Bills of groups: each is the bill of its cases alone."""

import numpy as np
import pytest

import thriftwood as tw


@pytest.fixture(scope="module")
def billed():
    data = tw.load_dataset("golf-nominal")
    costs = data.costs.replace(errors_default=20)
    model = tw.CostTreeClassifier(costs=costs, growth=tw.Growth(max_depth=1)).fit(data.X, data.y)
    return model, data, tw.bill(model, data.X, data.y)


def test_a_group_has_the_bill_of_its_cases(billed):
    model, data, bill = billed
    groups = bill.by(data.X["Wind"])
    assert list(groups) == sorted(set(data.X["Wind"]))
    for name, own in groups.items():
        rows = (data.X["Wind"] == name).to_numpy()
        alone = tw.bill(model, data.X[rows], data.y[rows])
        assert own.mean_cost == pytest.approx(alone.mean_cost)
        assert own.interval == pytest.approx(alone.interval)
        assert own.per_case.equals(alone.per_case)
        assert str(own) == str(alone)
    assert groups.table["n_cases"].sum() == 14
    assert sum(own.total_cost for own in groups.values()) == pytest.approx(bill.total_cost)


def test_they_are_shown_side_by_side(billed):
    _, data, bill = billed
    text = str(bill.by(data.X["Wind"]))
    assert text.splitlines()[0] == "By group, 2 groups"
    assert "cases" in text.splitlines()[1]
    assert "95 % interval" in text.splitlines()[1]


def test_missing_values_are_a_group(billed):
    _, _, bill = billed
    groups = bill.by([None, float("nan"), *["a"] * 6, *[1.0] * 6])
    assert {name: own.n_cases for name, own in groups.items()} == {"(missing)": 2, "1": 6, "a": 6}


def test_what_is_no_grouping_is_refused(billed):
    _, _, bill = billed
    with pytest.raises(ValueError, match="14 cases and groups has 2"):
        bill.by(["a", "b"])
    X = np.arange(60.0)[:, None]
    model = tw.algorithm("c45", costs=tw.Costs()).fit(X, [0, 1] * 30)
    with pytest.raises(ValueError, match="at most 50 groups, and these are in 60"):
        tw.bill(model, X, [0, 1] * 30).by(np.arange(60))


def test_the_name_of_a_column_is_no_column(billed):
    _, _, bill = billed
    with pytest.raises(ValueError, match=r"one entry for each case, .* X\['Wind'\]"):
        bill.by("Wind")
