"""Learning curves: unseen cases, nested parts, one sentence; careful about more."""

import warnings
from itertools import pairwise

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

import thriftwood as tw
from thriftwood.evaluation.learning_curves import LearningCurve


def table(n=300, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    y = np.where(X[:, 0] + X[:, 1] * (X[:, 2] > 0) + rng.normal(size=n) / 2 > 0, "sick", "well")
    return X, y


COSTS = tw.Costs({"x0": 1, "x1": 2}, errors={"sick": {"well": 40}, "well": {"sick": 10}})


@pytest.fixture(scope="module")
def curve():
    X, y = table()
    return tw.learning_curve(tw.algorithm("eg2"), X, y, COSTS)


def test_the_last_point_is_cross_validation(curve):
    X, y = table()
    ranking = tw.compare({"eg2": tw.algorithm("eg2")}, X, y, COSTS, cv=10)
    own = next(contender for contender in ranking if contender.name == "eg2")
    assert curve.mean_cost[-1] == pytest.approx(own.mean_cost)
    assert (curve.intervals[-1].low, curve.intervals[-1].high) == pytest.approx(tuple(own.interval))


def test_parts_are_nested_and_of_others_than_they_bill():
    X, y = table(200)
    seen = []

    class Remembers(DecisionTreeClassifier):
        def fit(self, X, y):
            seen.append({tuple(row) for row in X.tolist()})
            return super().fit(X, y)

        def predict(self, X):
            assert not {tuple(row) for row in X.tolist()} & seen[-1 - self.later()]
            return super().predict(X)

        def later(self):
            return next(k for k, rows in enumerate(reversed(seen)) if len(rows) == self.n_seen)

        @property
        def n_seen(self):
            return int(self.tree_.n_node_samples[0])

    found = tw.learning_curve(Remembers(random_state=0), X, y, tw.Costs(), cv=4, sizes=[0.2, 0.4, 0.6, 1])
    assert found.sizes.tolist() == [len(rows) for rows in seen[:4]]
    for fold in range(4):
        parts = seen[4 * fold : 4 * fold + 4]
        assert all(small < large for small, large in pairwise(parts))


@pytest.mark.parametrize("name", ["bagging", "nobody", "everything"])
def test_any_learner_has_one(name):
    X, y = table(120)
    model = tw.algorithm(name)
    found = tw.learning_curve(model, X, y, COSTS, cv=3)
    assert found.cost.shape == (5, 120)
    assert (found.cost >= 0).all()
    assert not hasattr(model, "classes_")
    if name == "nobody":
        assert found.mean_cost == pytest.approx(np.full(5, 10 * np.mean(y == "well")))
        assert found.saved.high < 1.0


def test_one_thread_and_two_tell_the_same(curve):
    X, y = table()
    again = tw.learning_curve(tw.algorithm("eg2"), X, y, COSTS, n_jobs=2)
    assert np.array_equal(again.cost, curve.cost)
    assert again.saved == curve.saved
    other = tw.learning_curve(tw.algorithm("eg2"), X, y, COSTS, random_state=1)
    assert not np.array_equal(other.cost, curve.cost)


def made(costs, spread=0.0, **more):
    """A curve of ten folds of thirty cases, with these mean bills."""
    rng = np.random.default_rng(0)
    fold = np.repeat(np.arange(10), 30)
    noise = spread * rng.normal(size=(1, 10)).repeat(30, axis=1)
    return LearningCurve(
        np.array([27, 48, 85, 152, 270]), np.array(costs)[:, None] + noise, fold, tw.Costs(**more)
    )


def test_the_sentence_says_what_twice_as_many_would_save():
    sizes = np.array([27, 48, 85, 152, 270])
    patients = {"currency": "EUR", "case_name": "patient"}
    steady = made(20 + 100 * sizes**-0.5, 0.3, **patients)
    true = 100 * (300**-0.5 - 600**-0.5)
    assert steady.can_tell
    assert steady.sentence.startswith(f"Twice as many patients would save about {true:.2f} EUR (")
    assert steady.sentence.endswith(") a patient.")
    assert steady.saved.mean == pytest.approx(true)
    assert steady.saved_by(4).mean == pytest.approx(100 * (300**-0.5 - 1200**-0.5))
    assert "Cost of an unseen patient by the number of patients learnt from, 10 folds, in EUR" in str(steady)
    assert str(steady).endswith(steady.sentence)
    assert "<table>" in steady._repr_html_()


def test_where_the_interval_is_wide_it_cannot_be_told():
    rng = np.random.default_rng(3)
    fold = np.repeat(np.arange(5), 20)
    means = np.array([90.0, 70.0, 50.0, 35.0, 24.0])[:, None] * np.exp(0.8 * rng.normal(size=(5, 5)))
    wild = LearningCurve(np.array([8, 14, 25, 45, 80]), means.repeat(20, axis=1), fold, tw.Costs())
    assert not wild.can_tell
    assert wild.sentence.startswith("It cannot be told whether twice as many cases would save anything: ")
    assert wild.saved.low >= 0.0


def test_the_table_has_the_points(curve):
    assert curve.table["n"].tolist() == curve.sizes.tolist()
    assert curve.table["cost"].tolist() == curve.mean_cost.tolist()
    assert (curve.table["low"] >= 0).all()
    assert repr(curve).startswith("<LearningCurve: 27 to 270 cases, ")


def test_progress_is_told():
    X, y = table(90)
    calls = []
    tw.learning_curve(
        tw.algorithm("eg2"), X, y, COSTS, cv=3, progress=lambda done, total: calls.append((done, total))
    )
    assert calls == [(done, 15) for done in range(1, 16)]


@pytest.mark.parametrize(
    ("n", "change", "message"),
    [
        (300, {"cv": 2}, "3 folds or more"),
        (300, {"sizes": [0.5, 1.0]}, "4 shares or more"),
        (300, {"sizes": [0, 0.2, 0.5, 1.0]}, "above 0 and up to 1"),
        (300, {"sizes": [0.1, 0.2, 0.5, 2]}, "above 0 and up to 1"),
        (40, {}, "40 cases are too few"),
    ],
)
def test_what_has_no_curve_is_refused(n, change, message):
    X, y = table(n)
    with pytest.raises(ValueError, match=message):
        tw.learning_curve(tw.algorithm("eg2"), X, y, COSTS, **change)


def test_fewer_cases_are_not_more(curve):
    with pytest.raises(ValueError, match="more than 1 times"):
        curve.saved_by(1.0)


class Warned(DecisionTreeClassifier):
    def fit(self, X, y):
        warnings.warn("careful", UserWarning, stacklevel=2)
        return super().fit(X, y)


def test_a_warning_of_many_fits_is_said_once_and_as_the_filters_say():
    X, y = table(120)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tw.learning_curve(Warned(max_depth=2), X, y, COSTS, cv=3)
    assert [str(one.message) for one in caught] == ["careful"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tw.learning_curve(Warned(max_depth=2), X, y, COSTS, cv=3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="careful"):
            tw.learning_curve(Warned(max_depth=2), X, y, COSTS, cv=3)
