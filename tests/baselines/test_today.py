"""Today's practice as a learner: a panel, given answers, a saved model."""

import numpy as np
import pytest
from sklearn.base import clone

import thriftwood as tw


def table(n=240, seed=0):
    """The product of the first two columns tells the class: a sum of them does not."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, np.where(X[:, 0] * X[:, 1] > 0, "sick", "well")


COSTS = tw.Costs({0: 1, 1: 2, 2: 4, 3: 8}, errors={"sick": {"well": 50}, "well": {"sick": 10}})


def test_everybody_pays_for_the_panel_and_no_more():
    X, y = table()
    bill = tw.bill(tw.TodayClassifier(COSTS.replace(today=[0, 3])).fit(X, y), X, y)
    assert set(bill.test_cost) == {9.0}
    assert [bill.feature_names[test] for test in bill.tests] == ["x0", "x3"]


def test_a_panel_is_answered_as_well_as_it_can_be():
    """A logistic regression cannot tell the product of two numbers, a forest can."""
    X, y = table()
    unseen = table(seed=1)
    today = tw.bill(tw.TodayClassifier(COSTS.replace(today=[0, 1])).fit(X, y), *unseen)
    everything = tw.bill(tw.EverythingClassifier(COSTS.only(["x0", "x1"])).fit(X[:, :2], y), unseen[0][:, :2])
    assert today.accuracy > 0.85
    told = np.mean(everything.classes[everything.predicted] == unseen[1])
    assert told < 0.7
    rng = np.random.default_rng(2)
    y_linear = np.where(X[:, 0] + X[:, 1] + 0.5 * rng.normal(size=len(X)) > 0, "sick", "well")
    linear = tw.TodayClassifier(COSTS.replace(today=[0, 1])).fit(X, y_linear)
    assert type(linear.model_.scores).__name__ == "LogisticScores"


def test_nobody_tested_today_is_the_cheapest_answer_for_all():
    X, y = table()
    today = tw.bill(tw.TodayClassifier(COSTS.replace(today=[])).fit(X, y), X, y)
    assert today.mean_cost == pytest.approx(tw.bill(tw.NobodyClassifier(COSTS).fit(X, y), X, y).mean_cost)


def test_given_answers_are_charged_as_they_stand():
    pd = pytest.importorskip("pandas")
    X, y = table(60)
    frame = pd.DataFrame(X, columns=list("abcd")).assign(said=np.where(X[:, 2] > 0, "sick", "well"))
    costs = tw.Costs({"a": 3, "b": 5}, errors=COSTS.errors, today={"answers": "said", "tests": ["a"]})
    model = tw.TodayClassifier(costs).fit(frame, y)
    bill = tw.bill(model, frame, y)
    assert set(bill.test_cost) == {3.0}
    assert list(model.predict(frame)) == frame["said"].tolist()
    wrong = frame["said"].to_numpy() != y
    assert bill.n_errors == wrong.sum()
    assert model.predict_proba(frame).max(axis=1).tolist() == [1.0] * 60
    with pytest.raises(tw.CostError, match="'said', today's answers, has the answer 'maybe' in row 3"):
        tw.bill(model, frame.assign(said=[*frame["said"][:2], "maybe", *frame["said"][3:]]), y)
    with pytest.raises(tw.CostError, match="has no answer in row 1"):
        tw.bill(model, frame.assign(said=[None, *frame["said"][1:]]), y)


def test_a_saved_model_answers_within_a_wider_table(tmp_path):
    pd = pytest.importorskip("pandas")
    X, y = table(60)
    frame = pd.DataFrame(X, columns=list("abcd"))
    costs = tw.Costs({"a": 1, "b": 2, "c": 4, "d": 8}, errors=COSTS.errors)
    old = tw.algorithm("c45", costs=costs.only(["b", "d"])).fit(frame[["d", "b"]], y)
    old.save(tmp_path / "old.json")
    model = tw.TodayClassifier(costs.replace(today={"model": str(tmp_path / "old.json")})).fit(frame, y)
    bill, own = tw.bill(model, frame, y), tw.bill(old, frame[["d", "b"]], y)
    assert bill.mean_cost == pytest.approx(own.mean_cost)
    assert bill.per_case["tests"].tolist() == own.per_case["tests"].tolist()
    assert list(model.predict(frame)) == list(old.predict(frame[["d", "b"]]))
    np.testing.assert_allclose(model.predict_proba(frame), old.predict_proba(frame[["d", "b"]]))


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        (None, "does what costs.today says, and there is none"),
        (COSTS, "does what costs.today says, and there is none"),
        (COSTS.replace(today=["x9"]), "today names 'x9', which is no column"),
        (COSTS.replace(today={"answers": "said"}), "today names 'said', which is no column"),
    ],
)
def test_what_cannot_be_done_is_refused(costs, message):
    with pytest.raises(tw.CostError, match=message):
        tw.TodayClassifier(costs).fit(*table(30))


def test_it_is_an_estimator_and_the_same_each_time():
    X, y = table(80)
    model = tw.TodayClassifier(COSTS.replace(today=[0, 1]), random_state=3)
    first, second = model.fit(X, y).predict_proba(X), clone(model).fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(first, second)
