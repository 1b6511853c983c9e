"""Boosting and inverse boosting of trees: the published rules, number by number."""

import math

import numpy as np
import pytest
from ensembles.learners import mixed_table
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

import thriftwood as tw
from thriftwood.ensembles import rounds

ONE_ERROR = np.array([True, True, True, True, False])
EVEN = np.full(5, 0.2)


def overlapping(n_classes=2, n_rows=120, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 3))
    y = np.digitize(X[:, 0] + X[:, 1] + 0.5 * rng.normal(size=n_rows), np.linspace(-1, 1, n_classes - 1))
    return X, y


STUMP = tw.CostTreeClassifier(growth=tw.Growth(max_depth=1))


def test_the_worked_example_of_boosting():
    e = rounds.error(EVEN, ONE_ERROR)
    m1, samme = (rounds.log_odds(e, variant, 8) for variant in ("m1", "samme"))
    assert (m1, samme) == (pytest.approx(1.386294, abs=1e-6), pytest.approx(3.332205, abs=1e-6))
    np.testing.assert_allclose(rounds.eased(EVEN, ONE_ERROR, m1), [0.125] * 4 + [0.5])
    np.testing.assert_allclose(rounds.eased(EVEN, ONE_ERROR, samme), [0.03125] * 4 + [0.875])


@pytest.mark.parametrize(
    ("track", "right", "wrong"), [(1, 0.235294, 0.058824), (2, 0.246154, 0.015385), (3, 0.222222, 0.111111)]
)
def test_the_worked_example_of_inverse_boosting(track, right, wrong):
    weights = rounds.inverse(EVEN, ONE_ERROR, track, 5)
    np.testing.assert_allclose(weights, [right] * 4 + [wrong], atol=1e-6)
    # More than half wrong would turn the meaning round: nothing changes.
    np.testing.assert_allclose(rounds.inverse(EVEN, ~ONE_ERROR, track, 5), EVEN)


@pytest.mark.parametrize(("variant", "n_classes"), [("m1", 2), ("samme", 2), ("samme", 4)])
def test_boosting_follows_the_rules_one_by_one(variant, n_classes):
    X, y = overlapping(n_classes)
    model = tw.BoostedTreesClassifier(STUMP, n_estimators=5, variant=variant).fit(X, y)
    assert len(model.estimators_) == 5
    weights, cast = np.full(len(y), 1 / len(y)), np.zeros((len(y), n_classes))
    for tree, weight in zip(model.estimators_, model.estimator_weights_, strict=True):
        answers = tw.CostTreeClassifier(growth=tw.Growth(max_depth=1)).fit(X, y, weights * len(y)).predict(X)
        np.testing.assert_array_equal(answers, tree.predict(X))
        e = weights[answers != y].sum()
        alpha = math.log((1 - e) / e) + (math.log(n_classes - 1) if variant == "samme" else 0)
        assert weight == pytest.approx(alpha)
        weights = weights * np.where(answers == y, math.exp(-alpha), 1.0)
        weights /= weights.sum()
        cast[np.arange(len(y)), answers] += alpha
    np.testing.assert_array_equal(model.predict(X), cast.argmax(axis=1))
    np.testing.assert_allclose(model.predict_proba(X), cast / cast.sum(axis=1, keepdims=True))


def test_a_mistake_of_little_weight_counts_as_what_it_weighs():
    X, y = np.array([[0.0]] * 4 + [[1.0]] * 3 + [[0.0]]), np.array([0] * 4 + [1] * 4)
    weights = np.r_[np.ones(7), 1e-3]
    model = tw.BoostedTreesClassifier(tw.CostTreeClassifier(), n_estimators=1).fit(X, y, weights)
    assert model.estimator_weights_ == pytest.approx([math.log(7 / 1e-3)])
    with pytest.warns(UserWarning, match="nothing to boost"):
        perfect = tw.BoostedTreesClassifier(tw.CostTreeClassifier(), n_estimators=9).fit(X[:7], y[:7])
    assert perfect.estimator_weights_ == pytest.approx([math.log(13)])  # e counts as 1 / 14


def test_boosting_is_that_of_scikit_learn():
    X, y = overlapping(3)
    model = tw.BoostedTreesClassifier(STUMP, n_estimators=8, variant="samme").fit(X, y)
    other = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1, random_state=0), n_estimators=8).fit(X, y)
    np.testing.assert_allclose(model.estimator_weights_, other.estimator_weights_)
    np.testing.assert_array_equal(model.predict(X), other.predict(X))


@pytest.mark.parametrize("track", [1, 2, 3])
def test_inverse_boosting_follows_the_rules_one_by_one(track):
    X, y = overlapping()
    model = tw.InverseBoostedTreesClassifier(STUMP, n_estimators=4, track=track).fit(X, y)
    weights = np.full(len(y), 1 / len(y))
    for tree in model.estimators_:
        answers = tw.CostTreeClassifier(growth=tw.Growth(max_depth=1)).fit(X, y, weights * len(y)).predict(X)
        np.testing.assert_array_equal(answers, tree.predict(X))
        e = np.clip(weights[answers != y].sum(), 1 / (2 * len(y)), 0.5)
        weights = weights * np.where(answers == y, ((1 - e) / e) ** {1: 1, 2: 2, 3: 0.5}[track], 1.0)
        weights /= weights.sum()
    assert model.tree_ == model.estimators_[-1]
    np.testing.assert_array_equal(model.predict(X), model.estimators_[-1].predict(X))
    first = tw.InverseBoostedTreesClassifier(STUMP, n_estimators=4, track=track, answering=0).fit(X, y)
    assert first.tree_ == first.estimators_[0]
    with pytest.raises(ValueError, match=r"answering=7 names no tree: there are 4\."):
        tw.InverseBoostedTreesClassifier(STUMP, n_estimators=4, answering=7).fit(X, y)


def test_a_tree_without_mistakes_ends_the_rounds():
    X, y = [[1], [2], [3], [4]], ["no", "no", "yes", "yes"]
    with pytest.warns(UserWarning, match="nothing to boost"):
        model = tw.BoostedTreesClassifier().fit(X, y)
    assert (len(model.estimators_), model.stopped_) == (1, "perfect")
    assert model.estimator_weights_[0] == pytest.approx(math.log(7))  # e counts as 1/8
    with pytest.warns(UserWarning, match="nothing to boost"):
        inverse = tw.InverseBoostedTreesClassifier().fit(X, y)
    assert (len(inverse.estimators_), inverse.stopped_) == (1, "perfect")


def test_a_tree_no_better_than_chance_is_left_out_unless_it_is_the_first():
    X, y = [[1], [1], [2], [2]], ["no", "yes", "no", "yes"]
    model = tw.BoostedTreesClassifier().fit(X, y)
    assert (len(model.estimators_), model.stopped_) == (1, "chance")
    X, y = overlapping(4)
    m1 = tw.BoostedTreesClassifier(STUMP, n_estimators=20).fit(X, y)
    assert m1.stopped_ == "chance"
    assert len(m1.estimators_) < 20
    samme = tw.BoostedTreesClassifier(STUMP, n_estimators=20, variant="samme").fit(X, y)
    assert len(samme.estimators_) > len(m1.estimators_)


def test_weights_count_as_cases():
    X, y = overlapping(n_rows=60)
    times = np.random.default_rng(1).integers(0, 4, len(y))
    weighted = tw.BoostedTreesClassifier(STUMP, n_estimators=4).fit(X, y, times)
    repeated = tw.BoostedTreesClassifier(STUMP, n_estimators=4).fit(
        np.repeat(X, times, axis=0), np.repeat(y, times)
    )
    np.testing.assert_allclose(weighted.estimator_weights_, repeated.estimator_weights_)
    np.testing.assert_array_equal(weighted.predict(X), repeated.predict(X))


@pytest.mark.filterwarnings("ignore:The first tree makes no mistakes")
def test_prices_guide_the_trees_and_mistakes_do_not():
    X, y = mixed_table(noise=0.5)
    prices = tw.Costs({"age": 5, "kind": 1, "noise": 1})
    with_errors = prices.replace(errors={"ill": {"well": 1000}, "well": {"ill": 1}})
    plain = tw.BoostedTreesClassifier(costs=prices, n_estimators=3).fit(X, y)
    dear = tw.BoostedTreesClassifier(costs=with_errors, n_estimators=3).fit(X, y)
    assert [tree.core for tree in plain.estimators_] == [tree.core for tree in dear.estimators_]
    assert tw.bill(dear, *mixed_table(seed=1, noise=0.5)).mean_error_cost > 1  # and yet they are charged
    free_age = tw.BoostedTreesClassifier(costs=prices.replace(tests={"age": 0, "kind": 9}), n_estimators=3)
    assert [tree.core for tree in free_age.fit(X, y).estimators_] != [tree.core for tree in plain.estimators_]
    own = tw.algorithm("eg2", costs=prices)
    assert tw.BoostedTreesClassifier(own, costs=with_errors).base_estimator() is own


def test_a_short_cut_changes_no_answer():
    X, y = overlapping(3, seed=1)
    costs = tw.Costs({f"x{j}": 1 + j for j in range(3)})
    models = [
        tw.BoostedTreesClassifier(STUMP, costs=costs, n_estimators=9, variant="samme", short_cut=cut).fit(
            X, y
        )
        for cut in (False, True)
    ]
    np.testing.assert_array_equal(models[0].predict(X), models[1].predict(X))
    whole, cut = (tw.bill(model, X, y) for model in models)
    assert cut.mean_test_cost <= whole.mean_test_cost
    assert cut.mean_n_consulted < whole.mean_n_consulted == 9


def test_other_classifiers_are_refused():
    X, y = overlapping()
    with pytest.raises(TypeError, match="'estimator' parameter of BoostedTreesClassifier must be a CostTree"):
        tw.BoostedTreesClassifier(DecisionTreeClassifier()).fit(X, y)


@pytest.mark.parametrize("kind", [tw.BoostedTreesClassifier, tw.InverseBoostedTreesClassifier])
def test_a_first_tree_without_mistakes_leaves_nothing_to_boost_and_says_so(kind):
    X, y = overlapping()
    whole = tw.CostTreeClassifier(growth=tw.Growth(max_depth=30))
    with pytest.warns(UserWarning, match=f"nothing to boost: this {kind.__name__} is one tree.*max_depth"):
        model = kind(whole).fit(X, y)
    assert (len(model.estimators_), model.stopped_) == (1, "perfect")
    kind(whole, n_estimators=1).fit(X, y)  # one tree was wanted
    kind(whole).fit(X, np.zeros(len(y)))  # nothing to tell apart


@pytest.mark.parametrize(
    "kind",
    [
        tw.BoostedTreesClassifier,
        tw.InverseBoostedTreesClassifier,
        tw.BaggedTreesClassifier,
        tw.ShortcutForestClassifier,
        tw.CocostClassifier,
    ],
)
def test_a_misspelt_class_among_the_errors_is_told(kind):
    X, y = overlapping()
    named = np.array(["well", "sick"])[y]
    costs = tw.Costs({"x0": 2}, errors={"sikc": {"well": 5}, "well": {"sick": 1}}, errors_default=1)
    with pytest.raises(tw.CostError, match="sikc"):
        kind(costs=costs, random_state=0).fit(X, named)
