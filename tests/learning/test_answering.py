"""What a tree answers: the cheapest or the most likely class, by shares that may be smoothed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

import thriftwood as tw
from thriftwood.models import Tree

DEAR = tw.Costs(errors={"yes": {"no": 1}, "no": {"yes": 5}})
SIX_AND_TWO = [[0.0]] * 8, ["yes"] * 6 + ["no"] * 2
SMOOTHINGS = [None, "laplace", 0.5, 4]


def leaf(**parameters):
    return tw.CostTreeClassifier(costs=DEAR, **parameters).fit(*SIX_AND_TWO)


def smoothed(weights, smoothing, root):
    """The formulas, written out."""
    if smoothing is None:
        return weights / weights.sum()
    if smoothing == "laplace":
        return (weights + 1) / (weights.sum() + len(weights))
    return (weights + smoothing * root / root.sum()) / (weights.sum() + smoothing)


def table(seed, n=120, k=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)).round(1)
    X[rng.random(X.shape) < 0.1] = np.nan
    return X, (np.nan_to_num(X[:, 0]) + rng.normal(size=n)).argsort().argsort() * k // n


def test_the_cheapest_answer_and_the_most_likely_one():
    # no: 6 * 1, yes: 2 * 5
    assert leaf().predict([[0.0]]) == ["no"]
    assert leaf(answer="most_likely").predict([[0.0]]) == ["yes"]
    # Costs still bill.
    X, y = SIX_AND_TWO
    assert tw.bill(leaf(), X, y, DEAR).mean_error_cost == 6 / 8
    assert tw.bill(leaf(answer="most_likely"), X, y, DEAR).mean_error_cost == 10 / 8


@pytest.mark.parametrize(("smoothing", "no"), [(None, 2 / 8), ("laplace", 3 / 10), (8, 4 / 16), (1e-9, 0.25)])
def test_shares_of_one_leaf(smoothing, no):
    model = leaf(smoothing=smoothing)
    np.testing.assert_allclose(model.predict_proba([[0.0]]), [[no, 1 - no]])
    assert model.tree_.confidence(0) == pytest.approx(no)
    assert model.tree_.counts(0) == {"no": 2.0, "yes": 6.0}  # counts stay what was counted
    assert model.tree_.core.risk[0] == 6.0


def test_smoothing_changes_answers():
    # 1 of 11: 5 against 10, so "yes". With Laplace 2 of 13: 10 against 11 of 13; with 3 to 1: "no".
    X, y = [[0.0]] * 11, ["yes"] * 10 + ["no"]
    costs = tw.Costs(errors={"yes": {"no": 1}, "no": {"yes": 6}})
    answers = [
        tw.CostTreeClassifier(costs=costs, smoothing=s).fit(X, y).predict([[0.0]])[0] for s in SMOOTHINGS
    ]
    assert answers == ["yes", "no", "yes", "yes"]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(SMOOTHINGS), st.sampled_from(["cheapest", "most_likely"]))
def test_shares_and_answers_of_every_leaf_are_those_of_the_formulas(seed, smoothing, answer):
    X, y = table(seed)
    rng = np.random.default_rng(seed)
    loss = rng.integers(1, 9, (3, 3)).astype(float)
    np.fill_diagonal(loss, 0)
    model = tw.CostTreeClassifier(
        costs=tw.Costs(errors=loss),
        growth=tw.Growth(missing="fractional", min_branch_weight=3),
        answer=answer,
        smoothing=smoothing,
    ).fit(X, y)
    tree, values = model.tree_, model.tree_.core.values
    for node in range(tree.n_nodes):
        shares = smoothed(values[node], smoothing, values[0])
        np.testing.assert_allclose(tree.shares(node), shares)
        worth = shares @ (loss if answer == "cheapest" else 1 - np.eye(3))
        assert worth[tree.flat.label[node]] == pytest.approx(worth.min())
    # A case that ends in several leaves: every leaf is smoothed, then mixed by its share.
    proba = model.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    costs = proba @ (loss if answer == "cheapest" else 1 - np.eye(3))
    np.testing.assert_allclose(costs[np.arange(len(X)), model.predict(X)], costs.min(axis=1))


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@pytest.mark.parametrize("answer", ["cheapest", "most_likely"])
def test_every_way_of_asking_gives_the_same(smoothing, answer):
    X, y = table(5)
    costs = tw.Costs(errors=[[0, 1, 2], [5, 0, 1], [4, 9, 0]])
    model = tw.algorithm("c45", costs=costs, answer=answer, smoothing=smoothing).fit(X, y)
    tree = model.tree_
    again = Tree.from_json(tree.to_json())
    assert again == tree
    namespace = {}
    exec(tw.export_python(model), namespace)
    answers, proba = model.predict(X), model.predict_proba(X)
    np.testing.assert_array_equal(again.predict_proba(X), proba)
    for row, wanted, shares in zip(X[:40], answers[:40], proba[:40], strict=True):
        assert tree.decide(row) == wanted
        case = model.consult({f"x{j}": value for j, value in enumerate(row) if not np.isnan(value)})
        while not case.finished:
            case.answer(None)
        assert case.result == wanted
        np.testing.assert_allclose(list(case.probabilities.values()), shares, rtol=1e-15)


def test_a_file_without_smoothing_is_as_it_was_and_a_wrong_one_is_refused():
    plain, smooth = leaf().tree_, leaf(smoothing="laplace").tree_
    assert '"smoothing"' not in plain.to_json()
    assert '"smoothing": [1.0, 1.0]' in smooth.to_json()
    assert smooth != plain
    arrays = smooth.core.to_arrays()
    for wrong in ([1.0], [1.0, -1.0], [0.0, 0.0], [1.0, np.inf]):
        with pytest.raises(ValueError, match=r"Not a valid tree: the tree .*smooth"):
            type(smooth.core).from_arrays(arrays | {"smoothing": np.array(wrong)})


def test_a_branch_that_no_case_took_answers_as_its_parent_and_knows_nothing():
    X, y = [["a"], ["a"], ["b"], ["b"], ["c"]], [0, 0, 1, 1, 1]
    weights = [1, 1, 1, 1, 0]
    model = tw.CostTreeClassifier("entropy", growth=tw.Growth(nominal="multiway"), smoothing="laplace").fit(
        X, y, sample_weight=weights
    )
    np.testing.assert_allclose(
        model.predict_proba([["a"], ["b"], ["c"]]), [[0.75, 0.25], [0.25, 0.75], [0.5, 0.5]]
    )
    assert model.predict([["c"]]) == [model.tree_.answer(0)]


def test_many_fits_smooth_by_the_classes_of_each_subset():
    X, y = table(1)
    model = tw.CostTreeClassifier(growth=tw.Growth(min_branch_weight=4), smoothing=2.5)
    rows = [np.arange(80), np.arange(30, 120)]
    for tree, chosen in zip(tw.fit_many(model, X, y, rows), rows, strict=True):
        np.testing.assert_allclose(tree.core.smoothing, 2.5 * np.bincount(y[chosen]) / len(chosen))
        alone = clone(model).fit(X[chosen], y[chosen])
        np.testing.assert_array_equal(tree.predict_proba(X), alone.predict_proba(X))


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        (
            {"answer": "cheap"},
            r"'answer' parameter .* one of 'cheapest', 'most_likely'.*Did you mean 'cheapest'",
        ),
        (
            {"smoothing": "Laplace"},
            r"'smoothing' parameter .* a number in the range \(0, inf\), 'laplace' or None",
        ),
        ({"smoothing": 0}, "'smoothing' parameter"),
        ({"smoothing": True}, "'smoothing' parameter"),
        ({"smoothing": float("inf")}, "'smoothing' parameter"),
        ({"loss_in_growth": "weights"}, "'loss_in_growth' .* None, 'altered_priors', 'instance_weights'"),
        (
            {"answer": "most_likely", "criterion": "cstree"},
            "criterion='cstree' weighs what the mistakes of the",
        ),
        (
            {"answer": "most_likely", "criterion": "leaf-cost"},
            "criterion='leaf-cost' weighs what the mistakes of the",
        ),
        ({"answer": "most_likely", "pruning": tw.ExpectedCost()}, r"pruning=ExpectedCost\(\) weighs what"),
    ],
)
def test_what_cannot_be_meant_is_refused(parameters, words):
    with pytest.raises(ValueError, match=words):
        leaf(**parameters)
