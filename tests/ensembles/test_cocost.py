"""CoCoST: sequences, the tree above them, what each learns from."""

import pickle

import numpy as np
import pytest
from sklearn.model_selection import cross_val_predict

import thriftwood as tw
from thriftwood.ensembles.test_costs.stacking import dealt, kept_aside

PRICES = tw.Costs(
    {
        "x0": 1,
        "x1": tw.Test(0.2, needs=["fft"]),
        "x2": tw.Test(0.2, needs=["fft"]),
        "x3": 2,
    },
    {"fft": 8},
)


def table(n_rows=150, seed=0):
    """A cheap column that knows the easy cases, and two dear ones for the others."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 4))
    hard = (X[:, 1] + X[:, 2] > 0).astype(int)
    y = np.where(np.abs(X[:, 0]) > 0.8, np.sign(X[:, 0]) > 0, hard)
    return X, np.array(["left", "right"])[y]


def small(**settings):
    return tw.CocostClassifier(
        **({"costs": PRICES, "alphas": (0.1, 1.0), "rounds": 3, "random_state": 0} | settings)
    )


X, Y = table()


@pytest.mark.parametrize("settings", [{}, {"told": "shares"}, {"stacking": "cross", "folds": 3}])
def test_any_number_of_threads_learns_the_same(settings):
    one, two = (small(n_jobs=jobs, **settings).fit(X, Y) for jobs in (1, 2))
    assert one.panel_ == two.panel_
    assert one.sequences_ == two.sequences_
    np.testing.assert_array_equal(one.predict(X), two.predict(X))
    other = small(random_state=1, **settings).fit(X, Y)
    assert other.panel_ != one.panel_


@pytest.mark.filterwarnings("ignore:The first tree makes no mistakes")
def test_sequences_are_those_of_boosting_on_the_cases_that_are_not_kept_aside():
    model = small(validation=0.4).fit(X, Y)
    assert list(model.sequences_) == ["boosted 0.1", "boosted 1", "inverse 0.1", "inverse 1"]
    learnt = model.estimators_[0].core.weight[0]
    assert learnt == pytest.approx(
        len(Y) - sum(round(0.4 * (label == Y).sum()) for label in ("left", "right"))
    )
    assert model.meta_tree_.core.weight[0] == pytest.approx(len(Y) - learnt)
    # The weights of the split are drawn after the seeds, so that the cases kept aside can be found again.
    rng = np.random.RandomState(0)
    rng.randint(2**31 - 1, size=1 + 2 * 2 * 3)
    labels = (Y == "right").astype(np.int32)
    aside = kept_aside(labels, np.arange(len(Y)), 0.4, rng)
    for alpha in (0.1, 1.0):
        base = tw.algorithm("lasc", costs=PRICES, alpha=alpha)
        weights = np.where(aside, 0.0, 1.0)
        boosted = tw.BoostedTreesClassifier(base, n_estimators=3).fit(X, Y, weights)
        inverse = tw.InverseBoostedTreesClassifier(base, n_estimators=3).fit(X, Y, weights)
        for name, own in (("boosted", boosted), ("inverse", inverse)):
            trees = model.sequences_[f"{name} {alpha:g}"]
            assert [tree.core for tree in trees] == [tree.core for tree in own.estimators_]
    # A tree's price is what it costs the cases kept aside on average.
    for name, tree in zip(model.sequences_, model.estimators_, strict=True):
        price = tw.bill(tree, X[aside], None, PRICES).mean_test_cost
        assert model.meta_tree_.costs.tests[name].price == pytest.approx(price)
    # And the tree above is LASC on their answers.
    said = {
        name: tree.predict(X[aside]) for name, tree in zip(model.sequences_, model.estimators_, strict=True)
    }
    pd = pytest.importorskip("pandas")
    upper = tw.algorithm("lasc", costs=model.meta_tree_.costs).fit(pd.DataFrame(said), Y[aside])
    np.testing.assert_array_equal(
        upper.predict(pd.DataFrame(said)), model.meta_tree_.predict(pd.DataFrame(said))
    )


def test_a_tree_is_paid_only_when_it_is_asked():
    model = small().fit(X, Y)
    bill = tw.bill(model, X, Y)
    assert (bill.test_cost <= bill.apart_cost + 1e-9).all()
    assert (bill.n_consulted < 4).any()
    for row in range(25):
        case = model.consult()
        while not case.finished:
            case.answer(X[row, int(case.next_test[1:])])
        assert case.result == model.predict(X[[row]])[0]
        assert case.bill == pytest.approx(bill.test_cost[row])
        assert set(case.consulted) <= set(model.sequences_)
        assert len(case.why.splitlines()) == len(case.consulted) + 1


def test_groups_stay_together():
    groups = np.repeat(np.arange(50), 3)
    labels = np.repeat(np.arange(50) % 2, 3).astype(np.int32)
    aside = kept_aside(labels, groups, 1 / 3, np.random.RandomState(0))
    folds = dealt(labels, groups, 4, np.random.RandomState(0))
    for group in range(50):
        assert len(set(aside[groups == group])) == len(set(folds[groups == group])) == 1
    assert aside.sum() == 3 * 2 * round(25 / 3)
    assert np.bincount(folds).max() - np.bincount(folds).min() <= 3
    model = small().fit(X, Y, groups=groups)
    assert model.panel_ != small().fit(X, Y).panel_
    with pytest.raises(ValueError, match=r"groups must have one entry per case.*Got \(3,\)"):
        small().fit(X, Y, groups=[1, 2, 3])


def test_mistakes_decide_what_the_upper_tree_answers():
    dear = PRICES.replace(errors={"left": {"right": 100}, "right": {"left": 1}})
    noisy = np.where(np.random.default_rng(1).random(len(Y)) < 0.25, "right", Y)
    plain, careful = small().fit(X, noisy), small(costs=dear).fit(X, noisy)
    assert [tree.core for tree in plain.estimators_] == [tree.core for tree in careful.estimators_]
    assert (careful.predict(X) == "left").sum() > (plain.predict(X) == "left").sum()


def test_own_trees_below_and_above():
    base = tw.algorithm("lasc", min_branch_weight=10)
    model = small(estimator=base, meta_estimator=tw.algorithm("eg2", w=0.5)).fit(X, Y)
    leaves = [tree.core.weight[tree.core.n_children == 0].min() for tree in model.sequences_["boosted 1"][:1]]
    assert min(leaves) >= 10
    with pytest.raises(ValueError, match="meta_alpha=2 is for meta_estimator=None"):
        small(meta_estimator=tw.algorithm("eg2"), meta_alpha=2).fit(X, Y)
    with pytest.raises(TypeError, match="'meta_estimator' parameter of CocostClassifier"):
        small(meta_estimator="lasc").fit(X, Y)
    with pytest.raises(ValueError, match="criterion='eg2' does not use"):
        small(estimator=tw.algorithm("eg2")).fit(X, Y)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"alphas": ()}, "'alphas' parameter of CocostClassifier must be a list of different finite numbers"),
        ({"alphas": (1, 1.0)}, "'alphas' parameter"),
        ({"alphas": (1, -1)}, "'alphas' parameter"),
        ({"alphas": 0.5}, "'alphas' parameter"),
        ({"track": 4}, "'track' parameter"),
        ({"validation": 1.0}, "'validation' parameter"),
        ({"costs": None}, "weighs what tests cost, but costs is None"),
        ({"validation": 0.001}, "keeps no case aside of so few"),
        ({"stacking": "cross", "folds": 500}, "fewer groups of cases than folds=500"),
    ],
)
def test_odd_settings_are_named(settings, words):
    with pytest.raises(ValueError, match=words):
        small(**settings).fit(X, Y)


def test_it_is_pickled_searched_and_compared():
    model = small().fit(X, Y)
    copied = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copied.predict_proba(X), model.predict_proba(X))
    assert (cross_val_predict(small(), X, Y, cv=3) == Y).mean() > 0.7
    ranking = tw.compare({"cocost": small(), "lasc": tw.algorithm("lasc")}, X, Y, PRICES, cv=2)
    assert {contender.name for contender in ranking} == {"cocost", "lasc"}


@pytest.mark.parametrize("told", ["answers", "shares"])
def test_tests_that_cannot_change_the_answer_need_not_be_asked(told):
    noisy = np.where(np.random.default_rng(1).random(len(Y)) < 0.25, "right", Y)
    panel = small(told=told).fit(X, noisy).panel_
    short = panel.without_idle_tests()
    np.testing.assert_array_equal(short.predict(X), panel.predict(X))
    whole, less = tw.bill(panel, X), tw.bill(short, X)
    assert (less.test_cost <= whole.test_cost + 1e-9).all()
    assert less.mean_test_cost < whole.mean_test_cost
