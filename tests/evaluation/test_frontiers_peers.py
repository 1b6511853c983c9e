"""Frontiers of ensembles and of other libraries' classifiers, on the same folds as trees."""

import math
import warnings
from typing import ClassVar

import numpy as np
import pytest
from evaluation.test_billing_peers import NAMES, PRICES, clinic
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import thriftwood as tw

CV = StratifiedKFold(3, shuffle=True, random_state=1)


def by_hand(model, X, y, weights=None):
    """Accuracy and cost of a model, by scikit-learn's folds and one bill each."""
    scores, costs = [], []
    for train, test in CV.split(X, y):
        own = {} if weights is None else {"sample_weight": weights[train]}
        fitted = clone(model).fit(X.iloc[train], y[train], **own)
        judged = None if weights is None else weights[test]
        bill = tw.bill(fitted, X.iloc[test], y[test], PRICES, sample_weight=judged)
        scores.append(bill.accuracy)
        costs.append(bill.mean_test_cost)
    return np.mean(scores), np.mean(costs)


@pytest.mark.parametrize("weighted", [False, True])
def test_another_librarys_tree_is_judged_as_by_hand(weighted):
    X, y = clinic()
    weights = np.linspace(0.5, 2, len(y)) if weighted else None
    model = DecisionTreeClassifier(random_state=0)
    calls = []
    found = tw.frontier(
        *(model, X, y),
        param="max_depth",
        values=[1, 2, 5],
        cv=CV,
        costs=PRICES.replace(payment="upfront"),
        sample_weight=weights,
        progress=lambda done, total: calls.append((done, total)),
    )
    for point in found:
        score, cost = by_hand(clone(model).set_params(max_depth=point.value), X, y, weights)
        assert point.score == pytest.approx(score)
        assert point.cost == pytest.approx(cost)
        assert point.model.get_depth() == point.value
    assert calls[-1] == (12, 12)
    assert found.points["n_tests"].tolist()[0] == 1
    assert all(math.isnan(leaves) for leaves in found.points["n_leaves"])
    assert "nan" not in str(found)
    upfront = found.by(cost="upfront")
    assert upfront[0].cost == PRICES.total([NAMES[found.models[0].tree_.feature[0]]])
    assert not hasattr(model, "tree_")


def test_our_ensembles_and_models_without_probabilities():
    X, y = clinic()
    forest = tw.CostForestClassifier(3, costs=PRICES, random_state=0)
    found = tw.frontier(forest, X, y, param="n_estimators", values=[1, 3], cv=CV)
    for point in found:
        score, cost = by_hand(clone(forest).set_params(n_estimators=point.value), X, y)
        assert (point.score, point.cost) == (pytest.approx(score), pytest.approx(cost))
    machines = tw.frontier(SVC(), X, y, param="C", values=[0.1, 1.0], cv=CV, costs=PRICES)
    assert machines.costs.tolist() == [PRICES.total(NAMES)] * 2
    assert np.isfinite(machines.points["log_loss"]).all()


def test_groups_stay_together():
    X, y = clinic()
    groups = np.arange(len(y)) // 20
    model = tw.CostTreeClassifier("eg2", costs=PRICES)
    kept = tw.frontier(model, X, y, values=[0, 1], cv=GroupKFold(4), groups=groups)
    same = tw.frontier(model, X, y, values=[0, 1], cv=list(GroupKFold(4).split(X, y, groups)))
    assert kept.scores.tolist() == same.scores.tolist()
    other = DecisionTreeClassifier(max_depth=2, random_state=0)
    peers = tw.frontier(
        *(other, X, y), param="max_depth", values=[2], cv=GroupKFold(4), groups=groups, costs=PRICES
    )
    assert peers.n_folds == 4
    with pytest.raises(ValueError, match=r"this cv does not keep them together. .*GroupKFold"):
        tw.frontier(model, X, y, cv=5, groups=groups)
    for ignores_them in (KFold(4, shuffle=True, random_state=0), list(KFold(4, shuffle=True).split(X))):
        with (
            warnings.catch_warnings(action="ignore"),  # scikit-learn says that groups are ignored
            pytest.raises(ValueError, match="does not keep them together"),
        ):
            tw.frontier(model, X, y, values=[0], cv=ignores_them, groups=groups)
    with pytest.raises(ValueError, match=r"one entry per case\. Got 2"):
        tw.frontier(model, X, y, cv=GroupKFold(2), groups=[0, 1])
    listed = list(GroupKFold(4).split(X, y, groups))
    assert tw.frontier(model, X, y, values=[0, 1], cv=listed, groups=groups).scores.tolist() == (
        kept.scores.tolist()
    )


class Grouped(DecisionTreeClassifier):
    """Remembers the groups it was given."""

    given: ClassVar = []

    def fit(self, X, y, groups=None):
        self.given.append(groups)
        return super().fit(X, y)


def test_models_that_take_groups_are_given_those_of_their_cases():
    X, y = clinic()
    groups = np.arange(len(y)) // 20
    Grouped.given.clear()
    tw.frontier(
        *(Grouped(), X, y), param="max_depth", values=[2], cv=GroupKFold(4), groups=groups, costs=PRICES
    )
    wanted = [groups[rows] for rows, _ in GroupKFold(4).split(X, y, groups)] + [groups]
    for got, want in zip(Grouped.given, wanted, strict=True):
        np.testing.assert_array_equal(got, want)


def test_a_class_that_a_fold_did_not_meet_is_never_answered_there():
    X, y = clinic()
    y = y.astype(object)
    y[:3] = "a new illness"
    rows = np.arange(len(y))
    cv = [(rows[10:], rows[:10]), (rows[:80], rows[80:])]
    found = tw.frontier(
        LogisticRegression(), X, y, param="C", values=[1.0], cv=cv, costs=PRICES.replace(errors_default=1.0)
    )
    fitted = LogisticRegression().fit(X[10:], y[10:])
    second = LogisticRegression().fit(X[:80], y[:80])
    expected = (fitted.score(X[:10], y[:10]) + second.score(X[80:], y[80:])) / 2
    assert found[0].score == pytest.approx(expected)


def test_what_a_score_costs():
    X, y = clinic()
    found = tw.frontier(tw.CostTreeClassifier("eg2", costs=PRICES), X, y, cv=CV)
    line = found.pareto
    costs, scores = line["sequential_cost"].tolist(), line["accuracy"].tolist()
    assert found.cost_at(scores[0]) == costs[0]
    assert found.cost_at(0) == costs[0]
    for level in np.linspace(scores[0], scores[-1], 7):
        alone = [cost for cost, score in zip(costs, scores, strict=True) if score >= level]
        mixed = [
            costs[i] + (costs[j] - costs[i]) * (level - scores[i]) / (scores[j] - scores[i])
            for i in range(len(costs))
            for j in range(i + 1, len(costs))
            if scores[i] <= level <= scores[j]
        ]
        assert found.cost_at(level) == pytest.approx(min(alone + mixed))
    assert found.cost_at(scores[-1]) == costs[-1]
    assert found.cost_at(scores[-1] + 1e-6) == math.inf
    loss = found.by("log_loss")
    best = loss.points["log_loss"].min()
    assert loss.cost_at(best) == loss.pareto["sequential_cost"].tolist()[-1]
    assert loss.cost_at(best / 2) == math.inf


def test_lightgbm_by_its_own_weight_of_prices():
    lightgbm = pytest.importorskip("lightgbm", reason="needs lightgbm")
    X, y = clinic(300)
    model = lightgbm.LGBMClassifier(
        n_estimators=10,
        num_leaves=4,
        cegb_penalty_feature_lazy=[PRICES.total([name]) for name in NAMES],
        cegb_tradeoff=1.0,
        verbose=-1,
        n_jobs=1,
    )
    found = tw.frontier(
        *(model, X, y), param="cegb_tradeoff", values=[1e-6, 0.01, 0.1], cv=CV, costs=PRICES, n_jobs=1
    )
    assert found.costs[0] > found.costs[-1]
    # It hands on parameters that it does not name.
    tw.frontier(model, X, y, param="cegb_penalty_split", values=[0.0], cv=CV, costs=PRICES)


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        ({}, ValueError, r"Which parameter of DecisionTreeClassifier weighs prices is not known"),
        (
            {"param": "max_depth"},
            ValueError,
            r"no usual grid for max_depth of DecisionTreeClassifier. Pass values=",
        ),
        (
            {"param": "max_dept", "values": [1]},
            ValueError,
            "Did you mean 'max_depth'",
        ),
        ({"param": "max_depth", "values": []}, ValueError, "values is empty"),
        ({"param": "max_depth", "values": [1], "costs": None}, ValueError, "has no costs of its own"),
        ({"param": "max_depth", "values": [1], "n_jobs": 2}, ValueError, "n_jobs"),
    ],
)
def test_what_is_asked_wrongly(asked, error, words):
    X, y = clinic()
    with pytest.raises(error, match=words):
        tw.frontier(DecisionTreeClassifier(), X, y, **{"costs": PRICES, **asked})


def test_weights_for_who_takes_none():
    X, y = clinic()
    with pytest.raises(ValueError, match="KNeighborsClassifier takes no sample_weight"):
        tw.frontier(
            *(KNeighborsClassifier(), X, y),
            param="n_neighbors",
            values=[3],
            costs=PRICES,
            sample_weight=np.ones(len(y)),
        )


def test_gradient_boosting_by_its_own_weight_of_prices():
    X, y = clinic(200)
    model = tw.CostGradientBoostingClassifier(costs=PRICES, n_estimators=5, random_state=0)
    found = tw.frontier(model, X, y, cv=2, random_state=0)
    assert found.param == "cost_weight"
    assert found.values[0] == 0
    assert len(found.values) == 12
    assert found.costs[0] > found.costs[-1] == 0  # from prices that do not count to tests that are too dear
    again = tw.frontier(model, X, y, param="cost_weight", cv=2, random_state=0)
    assert again.values == found.values
    with pytest.raises(ValueError, match=r"no usual grid for max_depth of CostGradient.* Pass values="):
        tw.frontier(model, X, y, param="max_depth")
    unpriced = tw.CostGradientBoostingClassifier()
    with pytest.raises(ValueError, match="cost_weight weighs what tests cost"):
        tw.frontier(unpriced, X, y, costs=PRICES)
