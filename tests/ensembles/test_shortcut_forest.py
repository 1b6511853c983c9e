"""Forests whose trees are asked until the answer is certain."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thriftwood as tw
from thriftwood.models.voting import Vote

IRIS = tw.load_dataset("iris")
PRICES = tw.Costs({name: 1 + place for place, name in enumerate(IRIS.X.columns)})


def votes_needed(n_trees, labels, **settings):
    """How many trees of unit say are asked that answer so, one after the other."""
    vote, cast = Vote((1.0,) * n_trees, short_cut=True, **settings), [0.0, 0.0, 0.0]
    for done, label in enumerate(labels, start=1):
        cast[label] += 1
        if vote.decided(cast, done):
            return done
    return len(labels)


def test_the_worked_examples_of_short_cuts():
    assert votes_needed(5, [1] * 5) == 3  # three equal votes
    assert votes_needed(10, [1] * 10) == 6  # 5-0 is not enough, 5 are left; 6-0 is
    assert votes_needed(10, [1] * 10, tie_ends=True) == 6  # 5-5 would go to class 0
    assert votes_needed(10, [0] * 10, tie_ends=True) == 5  # 5-5 would go to the leader, class 0


@given(st.lists(st.integers(0, 2), min_size=1, max_size=12), st.booleans())
def test_a_vote_ends_as_soon_as_nobody_can_change_it(labels, tie_ends):
    n_trees = len(labels)
    done = votes_needed(n_trees, labels, tie_ends=tie_ends)
    cast = np.bincount(labels[:done], minlength=3)
    winner = cast.argmax()
    for rival in range(3):  # all others for one rival: does it win, and could it a vote earlier?
        after = cast.copy()
        after[rival] += n_trees - done
        assert after.argmax() == winner
    if done > 1 and tie_ends:
        before = np.bincount(labels[: done - 1], minlength=3)
        late = [before + np.eye(3, dtype=int)[rival] * (n_trees - done + 1) for rival in range(3)]
        assert len({int(one.argmax()) for one in late}) > 1


@pytest.mark.parametrize("tie", ["lowest", None])
@pytest.mark.parametrize("order", ["drawn", "cost"])
def test_answers_are_those_of_the_whole_vote(tie, order):
    model = tw.ShortcutForestClassifier(9, costs=PRICES, tie=tie, order=order, random_state=0)
    model.fit(IRIS.X, IRIS.y)
    cast = np.stack([tree.predict(IRIS.X) for tree in model.estimators_])
    counts = np.stack([(cast == label).sum(axis=0) for label in model.classes_], axis=1)
    np.testing.assert_array_equal(model.predict(IRIS.X), model.classes_[counts.argmax(axis=1)])
    assert 5 <= model.n_consulted(IRIS.X).min() < model.n_consulted(IRIS.X).max() <= 9
    if order == "cost":
        paid = [tw.bill(tree, IRIS.X, None, PRICES).mean_test_cost for tree in model.estimators_]
        assert paid == sorted(paid)


def test_threads_and_seeds():
    models = [
        tw.ShortcutForestClassifier(6, costs=PRICES, max_features=0.5, random_state=seed, n_jobs=jobs)
        for seed, jobs in ((1, None), (1, 2), (2, None))
    ]
    one, two, other = (model.fit(IRIS.X, IRIS.y) for model in models)
    assert one.panel_ == two.panel_ != other.panel_
    assert len({tree[0].test for tree in one.estimators_}) > 1  # features are drawn


def test_pruned_trees_and_odd_settings_are_refused():
    with pytest.raises(ValueError, match=r"are not pruned, but estimator has pruning=Pessimistic\(\)"):
        tw.ShortcutForestClassifier(3, tw.algorithm("c45")).fit(IRIS.X, IRIS.y)
    with pytest.raises(ValueError, match="'tie' parameter of ShortcutForestClassifier must be one of"):
        tw.ShortcutForestClassifier(3, tie="highest").fit(IRIS.X, IRIS.y)
    with pytest.raises(ValueError, match="'max_features' parameter of Growth"):
        tw.ShortcutForestClassifier(3, max_features=1.5).fit(IRIS.X, IRIS.y)
