"""Decision curves: the published definition, tests paid in its unit, and agreement with the bill."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thriftwood as tw
from thriftwood.costs import Costs

PRICED = Costs({"x0": 6}, errors={"sick": {"well": 100}, "well": {"sick": 25}})


def published(actual, chances, threshold):
    """Net benefit as Vickers and Elkin (2006) write it: counts of true and of false positives."""
    found = right = 0
    for positive, chance in zip(actual, chances, strict=True):
        if chance >= threshold:
            found += positive
            right += not positive
    return found / len(actual) - right / len(actual) * threshold / (1 - threshold)


def stump():
    """A tree that asks x0 of everybody: 3 of 4 are sick above the cut, 1 of 4 below."""
    X = [[1]] * 4 + [[2]] * 4
    y = ["sick", "well", "well", "well", "sick", "sick", "sick", "well"]
    return tw.CostTreeClassifier(costs=PRICED).fit(X, y), X, y


def test_worked_numbers():
    model, X, y = stump()
    curve = tw.decision_curve(model, X, y, thresholds=[0.2, 0.5, 0.8])
    # At 0.5: 3 of 8 rightly, 1 of 8 wrongly, times 1; 6 of 100 for the test.
    assert curve.net_benefit("model", tests_paid=False) == pytest.approx([0.5 - 0.5 * 0.25, 0.25, 0.0])
    assert curve.net_benefit("model") == pytest.approx([0.375 - 0.06, 0.25 - 0.06, -0.06])
    assert curve.net_benefit("all") == pytest.approx([0.375, 0.0, -1.5])
    assert curve.net_benefit("none").tolist() == [0.0, 0.0, 0.0]
    assert (curve.positive, curve.value, curve.own_threshold) == ("sick", 100.0, 0.2)
    assert curve.useful("model") == [(0.5, 0.5)]
    assert curve.prevalence == 0.5


@given(
    st.lists(
        st.tuples(st.booleans(), st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9, 1.0])), min_size=2, max_size=30
    ),
    st.sampled_from([0.0, 0.01, 0.25, 0.5, 0.9, 0.99]),
)
def test_any_cases_agree_with_the_published_definition(cases, threshold):
    actual, chances = zip(*cases, strict=True)
    y = ["b" if positive else "a" for positive in actual]
    if len(set(y)) < 2:
        return
    curve = tw.decision_curve({"risk": chances}, None, y, positive="b", thresholds=[threshold])
    assert curve.net_benefit("risk")[0] == pytest.approx(published(actual, chances, threshold))
    assert curve.net_benefit("all")[0] == pytest.approx(published(actual, [1.0] * len(y), threshold))


def test_dcurves_agrees():
    dcurves = pytest.importorskip("dcurves", reason="a peer: pip install dcurves")
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    chances = rng.random(300)
    sick = rng.random(300) < chances
    y = np.where(sick, "sick", "well")
    ours = tw.decision_curve({"risk": chances}, None, y, positive="sick")
    frame = pd.DataFrame({"sick": sick.astype(int), "risk": chances})
    theirs = dcurves.dca(data=frame, outcome="sick", modelnames=["risk"], thresholds=ours.thresholds)
    for name, peer in (("risk", "risk"), ("all", "all"), ("none", "none")):
        figures = theirs[theirs.model == peer].sort_values("threshold").net_benefit.to_numpy()
        assert ours.net_benefit(name) == pytest.approx(figures, abs=1e-12)


@pytest.mark.parametrize("name", ["eg2", "min-total-cost", "bagging"])
def test_at_its_own_threshold_it_is_what_the_bill_saves_against_acting_on_nobody(name):
    data = tw.load_dataset("wisconsin-diagnostic")
    costs = data.costs.replace(
        errors={"malignant": {"benign": 500, "malignant": 20}, "benign": {"malignant": 100, "benign": 5}}
    )
    half = np.arange(len(data.y)) % 2 == 0
    model = tw.algorithm(name, costs=costs).fit(data.X[half], data.y[half])
    X, y = data.X[~half], data.y[~half]
    curve = tw.decision_curve(model, X, y)
    bill = tw.bill(model, X, y)
    assert curve.own_threshold == pytest.approx(95 / (95 + 480))
    assert tw.decision_curve(model, X, y, value=7).own_threshold == curve.own_threshold
    acts = curve.judged["model"].chances >= curve.own_threshold
    answered = bill.classes[bill.predicted] == "malignant"
    # Votes of a panel are answered by their majority, not by cost; all others answer by the threshold.
    if name != "bagging":
        assert np.array_equal(acts, answered)
    loss = costs.error_matrix(bill.classes)
    own = loss[bill.actual, acts.astype(int)].mean() + bill.mean_test_cost
    nobody = loss[bill.actual, 0].mean()
    saved = curve.value * curve.at("model", curve.own_threshold).net_benefit
    assert saved == pytest.approx(nobody - own)


def test_the_interval_is_that_of_a_mean_and_weights_count_cases():
    model, X, y = stump()
    at = tw.decision_curve(model, X, y).at("model", 0.5, tests_paid=False)
    each = np.array([0.0] * 4 + [1.0, 1.0, 1.0, -1.0])
    reach = 1.959963984540054 * each.std(ddof=1) / np.sqrt(8)
    assert (at.low, at.high) == pytest.approx((each.mean() - reach, each.mean() + reach))
    twice = tw.decision_curve(model, X + X, y + y)
    weighted = tw.decision_curve(model, X, y, sample_weight=[2.0] * 8)
    assert weighted.net_benefit("model") == pytest.approx(twice.net_benefit("model"))


def test_the_dearer_class_is_looked_for_and_another_may_be():
    model, X, y = stump()
    assert tw.decision_curve(model, X, y, positive="well").value == 25.0
    assert tw.decision_curve(model, X, y, Costs(), positive="sick").own_threshold is None
    assert tw.decision_curve(model, X, y, Costs()).positive == "well"  # the second of equals
    assert tw.decision_curve(model, X, y, Costs({"x0": 6}), value=60).net_benefit("model")[0] < 0.5


def test_the_table_and_the_text():
    model, X, y = stump()
    risk = [0.1] * 4 + [0.9] * 4
    curve = tw.decision_curve({"tree": model, "risk": risk}, X, y, thresholds=[0.2, 0.5])
    assert curve.table["name"].tolist() == [name for name in ("tree", "risk", "all", "none") for _ in "ab"]
    assert (curve.table["tests_free"] - curve.table["net_benefit"]).round(3).tolist() == [0.06] * 2 + [0] * 6
    text = str(curve)
    assert "threshold t   tree   risk  all sick  none" in text
    assert (
        "At 0.2, the threshold of the price list, it costs 6 a case more than calling everybody so." in text
    )
    assert "risk" in repr(curve)
    assert "<table>" in curve._repr_html_()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"positive": "sik"}, "Did you mean 'sick'"),
        ({"thresholds": [1.0]}, "less than 1"),
        ({"thresholds": []}, "one or more"),
        ({"costs": Costs({"x0": 6})}, "nothing says what finding a positive case is worth"),
        ({"value": 0}, "worth more than 0"),
        ({"models": {"risk": [0.5]}}, "for each of the 8 cases"),
        ({"models": {"all": [0.5] * 8}}, "another name"),
        ({"models": {}}, "at least one model"),
        ({"y": ["sick"] * 7}, "7"),
    ],
)
def test_what_cannot_be_compared_is_refused(change, message):
    model, X, y = stump()
    given = {"models": model, "X": X, "y": y, "costs": PRICED} | change
    with pytest.raises(ValueError, match=message):
        tw.decision_curve(given.pop("models"), given.pop("X"), given.pop("y"), given.pop("costs"), **given)


def test_three_classes_and_numbers_are_refused():
    X, y = [[1], [2], [3]], ["a", "b", "c"]
    with pytest.raises(ValueError, match=r"two classes.*3 classes"):
        tw.decision_curve(tw.CostTreeClassifier().fit(X, y), X, y)
    with pytest.raises(ValueError, match=r"two classes.*numbers"):
        tw.decision_curve(tw.CostTreeRegressor().fit(X, [1.0, 2.0, 3.0]), X, [1.0, 2.0, 3.0])
    model, X, y = stump()
    curve = tw.decision_curve(model, X, y)
    with pytest.raises(ValueError, match="no 'tree' here"):
        curve.at("tree", 0.5)
    with pytest.raises(ValueError, match="less than 1"):
        curve.at("model", 1.0)


def test_models_of_other_classes_have_no_common_curve():
    model, X, y = stump()
    other = tw.CostTreeClassifier(costs=Costs()).fit(X, ["ill" if label == "sick" else "zest" for label in y])
    with pytest.raises(ValueError, match="No curve shows both: b tells 'ill', 'zest' apart"):
        tw.decision_curve({"a": model, "b": other}, X, y)
