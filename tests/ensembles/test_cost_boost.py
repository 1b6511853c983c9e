import numpy as np
import pytest
from ensembles.learners import mixed_table
from sklearn.ensemble import AdaBoostClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import thriftwood as tw
from thriftwood.ensembles import rounds

COSTS = tw.Costs(errors={"ill": {"well": 10}, "well": {"ill": 1}})


def overlapping(seed=0, n_rows=80):
    rng = np.random.RandomState(seed)
    X = rng.normal(size=(n_rows, 2))
    return X, (X[:, 0] + rng.normal(size=n_rows) > 0).astype(int)


def test_adaboost_is_that_of_scikit_learn():
    X, y = overlapping()
    stump = DecisionTreeClassifier(max_depth=1, random_state=0)
    costs = tw.Costs(errors_default=1)
    model = tw.CostBoostClassifier("adaboost", stump, costs=costs, n_estimators=8).fit(X, y)
    other = AdaBoostClassifier(stump, n_estimators=8).fit(X, y)
    np.testing.assert_allclose(2 * model.estimator_weights_, other.estimator_weights_)
    np.testing.assert_array_equal(model.predict(X), other.predict(X))


@pytest.mark.parametrize(
    "method", ["adaboost", "adacost", "adacost-beta2", "csb0", "csb1", "csb2", "asymboost"]
)
def test_rounds_follow_the_rules_one_by_one(method):
    X, y = overlapping()
    mistakes = np.array([[0.0, 1.0], [4.0, 0.0]])
    costs = tw.Costs(errors=mistakes)
    stump = tw.CostTreeClassifier(growth=tw.Growth(max_depth=1))
    model = tw.CostBoostClassifier(method, stump, costs=costs, n_estimators=4).fit(X, y)
    unit = {"adacost": 0.125, "adacost-beta2": 0.125}.get(method, 1.0)  # the largest is .5
    own = mistakes.sum(axis=1)[y] * unit
    weights = np.ones(len(y)) if method in ("adaboost", "asymboost") else own
    weights = weights / weights.sum()
    vote_weights = []
    for _ in model.estimators_:
        if method == "asymboost":
            weights = weights * np.where(y == 1, 4 ** (1 / 8), 4 ** (-1 / 8))
            weights /= weights.sum()
        answers = tw.CostTreeClassifier(growth=tw.Growth(max_depth=1)).fit(X, y, weights * len(y)).predict(X)
        margins = np.where(answers == y, 1.0, -1.0)
        beta = (
            np.where(answers == y, 0.5 - 0.5 * own, 0.5 + 0.5 * own)
            if "adacost" in method
            else np.ones(len(y))
        )
        r = (weights * margins * (beta if method == "adacost" else 1)).sum()
        vote_weights.append(0.5 * np.log((1 + r) / (1 - r)))
        lift = {"csb0": 0.0, "csb1": 1.0}.get(method, vote_weights[-1])
        weights = weights * np.exp(-lift * margins * beta)
        if method.startswith("csb"):
            weights *= np.where(answers == y, 1.0, own)
        weights /= weights.sum()
    assert model.estimator_weights_ == pytest.approx(vote_weights)
    assert len(vote_weights) == 4


def test_csb_answers_what_costs_least_and_the_others_what_has_most_say():
    X, y = mixed_table(noise=0.5)
    for method in ("csb0", "adaboost"):
        model = tw.CostBoostClassifier(method, costs=COSTS).fit(X, y)
        ill = model.predict_proba(X)[:, 0]
        line = 1 / 11 if method == "csb0" else 0.5
        np.testing.assert_array_equal(model.predict(X) == "ill", ill >= line)
        turned = model.set_params(answer="cheapest" if method == "adaboost" else "most_likely")
        np.testing.assert_array_equal(
            turned.predict(X) == "ill", ill >= 11 / 22 if method == "csb0" else ill >= 1 / 11
        )


def test_a_model_without_mistakes_stays_alone():
    model = tw.CostBoostClassifier("csb2", costs=tw.Costs(errors_default=1)).fit(
        [[1.0], [2.0], [3.0]], [0, 0, 1]
    )
    assert (model.stopped_, len(model.estimators_), model.estimator_weights_.tolist()) == (
        "perfect",
        1,
        [1.0],
    )


def test_a_model_no_better_than_chance_ends_the_rounds():
    model = tw.CostBoostClassifier("adaboost", costs=tw.Costs(errors_default=1)).fit(
        [[1.0]] * 4, [0, 0, 1, 1]
    )
    assert (model.stopped_, len(model.estimators_)) == ("chance", 1)  # the first one is kept
    model.fit([[1.0]] * 5, [0, 0, 0, 1, 1])
    assert (model.stopped_, len(model.estimators_)) == ("chance", 1)  # after one round both weigh the same
    assert model.predict([[1.0]]).tolist() == [0]


def test_costs_of_one_leave_right_cases_of_the_dearest_class_as_they_are():
    margins, costs = np.array([1.0, 1.0]), np.array([1.0, 0.1])
    assert rounds.adacost_factors(margins, costs) == pytest.approx([0.0, 0.45])
    X, y = overlapping()
    costs = tw.Costs(errors_default=1)
    full = tw.CostBoostClassifier("adacost", costs=costs, largest_cost=1.0).fit(X, y)
    half = tw.CostBoostClassifier("adacost", costs=costs).fit(X, y)
    assert full.stopped_ == "chance"  # only mistakes are left in r
    assert half.stopped_ is None


def test_weights_of_cases_count_as_repeated_cases():
    X, y = overlapping()
    times = np.arange(len(y)) % 3
    weighted = tw.CostBoostClassifier("csb2", costs=tw.Costs(errors=[[0, 1], [3, 0]])).fit(X, y, times)
    repeated = tw.CostBoostClassifier("csb2", costs=tw.Costs(errors=[[0, 1], [3, 0]]))
    repeated.fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(weighted.estimator_weights_, repeated.estimator_weights_)
    np.testing.assert_array_equal(weighted.predict(X), repeated.predict(X))


def test_the_extra_factor_makes_mistakes_weigh_more_and_initial_weights_can_be_equal():
    X, y = overlapping()
    costs = tw.Costs(errors=[[0, 1], [4, 0]])
    vote_weights = [
        tw.CostBoostClassifier("adacost", costs=costs, **settings).fit(X, y).estimator_weights_.tolist()
        for settings in ({}, {"extra_cost_factor": True}, {"initial_weights": "equal"})
    ]
    assert vote_weights[0][0] == vote_weights[1][0]  # the first round is the same
    assert vote_weights[0] != vote_weights[1]
    assert vote_weights[0][0] != vote_weights[2][0]


@pytest.mark.parametrize("method", ["adacost", "adacost-beta2", "asymboost"])
def test_methods_for_two_classes_name_those_for_more(method):
    X, y = mixed_table(n_classes=3)
    model = tw.CostBoostClassifier(method, costs=tw.Costs(errors_default=1))
    with pytest.raises(
        ValueError, match=rf"'{method}', and y has 3 classes\. Methods for more: .*'csb2'.*'metacost'"
    ):
        model.fit(X, y)


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (
            tw.CostBoostClassifier(estimator=KNeighborsClassifier(), costs=COSTS),
            r"KNeighborsClassifier.fit takes no sample_weight.*MetaCostClassifier",
        ),
        (tw.CostBoostClassifier("csb3", costs=COSTS), "'method' parameter .* Did you mean 'csb"),
        (tw.CostBoostClassifier("csb2", costs=COSTS, largest_cost=0.5), "largest_cost is a parameter of"),
        (
            tw.CostBoostClassifier("csb2", costs=COSTS, extra_cost_factor=True),
            "extra_cost_factor is a parameter",
        ),
        (
            tw.CostBoostClassifier("adacost", costs=COSTS, largest_cost=1.5),
            r"'largest_cost' .* range \(0, 1\]",
        ),
        (
            tw.CostBoostClassifier(
                "csb2", costs=tw.Costs(errors={"ill": {"ill": 5, "well": 1}, "well": {"ill": 1}})
            ),
            r"errors\['ill'\]\['well'\] is less than errors\['ill'\]\['ill'\]",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::thriftwood.CostWarning")
def test_wrong_settings(model, said):
    with pytest.raises(ValueError, match=said):
        model.fit(*mixed_table())


@pytest.mark.filterwarnings("ignore::thriftwood.CostWarning")
def test_asymboost_needs_both_costs():
    costs = tw.Costs(errors={"ill": {"well": 5}, "well": {"ill": 0}})
    with pytest.raises(ValueError, match="one of them costs nothing"):
        tw.CostBoostClassifier("asymboost", costs=costs).fit(*mixed_table())
