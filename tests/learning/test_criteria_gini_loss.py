"""The gini index with a loss matrix."""

import numpy as np
import pytest

import thriftwood as tw


def index(weights, loss):
    p = np.asarray(weights) / np.sum(weights)
    return float(p @ np.asarray(loss) @ p)


def root(weights, loss):
    """The impurity of a table of one column and these class weights."""
    y = np.arange(len(weights))
    model = tw.CostTreeClassifier("gini-loss", costs=tw.Costs(errors=loss))
    return model.fit(np.zeros((len(y), 1)), y, sample_weight=weights).tree_.core.impurity[0]


def test_worked_numbers():
    assert root([9, 5], [[0, 5], [1, 0]]) == pytest.approx(1.377551, abs=5e-7)
    assert root([5, 3, 2], [[0, 1, 4], [2, 0, 1], [6, 3, 0]]) == pytest.approx(1.69)


@pytest.mark.parametrize("nominal", ["binary", "multiway"])
def test_for_two_classes_it_is_blind_to_which_mistake_is_dear(nominal):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(200, 2)).round(1), rng.integers(0, 5, 200)])
    y = (X[:, 0] + (X[:, 2] == 3) + rng.normal(size=200) > 0.5).astype(int)
    growth = tw.Growth(max_depth=5, nominal=nominal)
    settings = {"growth": growth, "nominal_features": [2], "answer": "most_likely"}
    plain = tw.CostTreeClassifier("gini", **settings).fit(X, y).tree_.core
    for loss in ([[0, 5], [1, 0]], [[0, 1], [5, 0]], [[0, 3], [3, 0]]):
        costs = tw.Costs(errors=loss)
        core = tw.CostTreeClassifier("gini-loss", costs=costs, **settings).fit(X, y).tree_.core
        for field in ("kind", "feature", "threshold", "label", "values", "branch_map"):
            np.testing.assert_array_equal(getattr(core, field), getattr(plain, field))
        np.testing.assert_allclose(core.gain, plain.gain * np.sum(loss) / 2, atol=1e-12)
    alone = tw.CostTreeClassifier("gini-loss", **settings).fit(X, y).tree_.core
    np.testing.assert_array_equal(alone.threshold, plain.threshold)


@pytest.mark.parametrize("bins", [None, 32])
@pytest.mark.parametrize("seed", range(4))
def test_the_first_cut_is_the_best_one(seed, bins):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 12, (120, 3)).astype(float)
    y = (X[:, 0] + 4 * rng.normal(size=120)).argsort().argsort() * 3 // 120
    loss = rng.integers(0, 9, (3, 3)).astype(float)
    np.fill_diagonal(loss, [0, -1, 2])
    loss += 3 * (1 - np.eye(3))
    model = tw.CostTreeClassifier(
        "gini-loss", costs=tw.Costs(errors=loss), growth=tw.Growth(max_depth=1, bins=bins)
    )
    core = model.fit(X, y).tree_.core

    def counts(rows):
        return np.bincount(y[rows], minlength=3)

    def gain(rows):
        parts = [len(y[part]) / len(y) * index(counts(part), loss) for part in (rows, ~rows)]
        return index(counts(y >= 0), loss) - sum(parts)

    gains = [gain(X[:, f] <= cut) for f in range(3) for cut in range(11)]
    assert core.gain[0] == pytest.approx(max(gains))
    assert gain(X[:, core.feature[0]] <= core.threshold[0]) == pytest.approx(max(gains))


@pytest.mark.parametrize("gain_floor", [-1e9, -0.001, 0.0])
def test_splits_that_make_it_worse_are_not_made(gain_floor):
    # Mistakes between the first two classes are very dear: a part without the third looks worse than all.
    loss = [[0, 50, 1], [50, 0, 1], [1, 1, 0]]
    parts = np.array([5, 5, 0]), np.array([1, 1, 8])
    assert index(sum(parts), loss) - sum(index(part, loss) for part in parts) / 2 == pytest.approx(-3.68)
    x = np.repeat([0.0, 1.0], 10).reshape(-1, 1)
    y = np.repeat([0, 1, 2, 0, 1, 2], np.concatenate(parts))
    growth = tw.Growth(gain_floor=gain_floor)
    costs = tw.Costs(errors=loss)
    assert tw.CostTreeClassifier("gini-loss", costs=costs, growth=growth).fit(x, y).get_n_leaves() == 1
    assert tw.CostTreeClassifier("gini", costs=costs, growth=growth).fit(x, y).get_n_leaves() == 2
