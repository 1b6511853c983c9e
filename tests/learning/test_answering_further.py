"""Trees that may answer what is no class: refer to an expert, repeat later."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import thriftwood as tw
from thriftwood import _core
from thriftwood.costs import CostError
from thriftwood.models import Tree

REFER = tw.Costs(errors_default=100, answers={"refer": 15})


def doubtful(n=200, seed=0):
    """A table in which x0 tells most, x1 little and x2 nothing."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({f"x{c}": rng.normal(size=n).round(2) for c in range(3)})
    shares = 1 / (1 + np.exp(-3 * X["x0"] - X["x1"]))
    return X, np.where(rng.random(n) < shares, "sick", "well")


@pytest.mark.parametrize(("price", "answer"), [(49, "refer"), (51, "sick")])
@pytest.mark.parametrize("learner", [tw.CostTreeClassifier, tw.OptimalTreeClassifier, tw.ThriftClassifier])
def test_a_leaf_of_even_shares_refers_for_less_than_half_a_mistake(learner, price, answer):
    costs = tw.Costs(errors_default=100, answers={"refer": price})
    X, y = [[0.0]] * 10, ["sick", "well"] * 5
    model = learner(costs=costs).fit(X, y)
    assert model.predict([[0.0]]).tolist() == [answer]
    assert model.predict_proba([[0.0]]).tolist() == [[0.5, 0.5]]
    assert model.classes_.tolist() == ["sick", "well"]
    assert model.decide([0.0]) == answer


def test_ties_go_to_a_class():
    model = tw.CostTreeClassifier(costs=tw.Costs(errors_default=100, answers={"refer": 50}))
    assert model.fit([[0.0]] * 2, ["a", "b"]).predict([[0.0]]).tolist() == ["a"]


SMALL = tw.Growth(max_depth=3)
AHEAD = tw.Growth(lookahead=2, max_depth=4)
LEARNERS = {
    "grown": tw.CostTreeClassifier(costs=REFER, growth=SMALL),
    "min-total-cost": tw.CostTreeClassifier("min-total-cost", costs=REFER, growth=SMALL),
    "leaf-cost": tw.CostTreeClassifier("leaf-cost", costs=REFER, growth=SMALL),
    "cstree": tw.CostTreeClassifier("cstree", costs=REFER, growth=SMALL),
    "expected cost": tw.CostTreeClassifier("entropy", costs=REFER, pruning=tw.ExpectedCost()),
    "expected loss": tw.CostTreeClassifier("entropy", costs=REFER, pruning=tw.ExpectedLoss()),
    "cost complexity": tw.CostTreeClassifier(costs=REFER, pruning=tw.CostComplexity()),
    "reduced error": tw.CostTreeClassifier(costs=REFER, pruning=tw.ReducedError(), random_state=0),
    "pessimistic": tw.CostTreeClassifier("gain_ratio", costs=REFER, pruning=tw.Pessimistic()),
    "look-ahead": tw.CostTreeClassifier("min-total-cost", costs=REFER, growth=AHEAD),
    "optimal": tw.OptimalTreeClassifier(REFER, max_depth=2, bins=8),
    "rollouts": tw.OptimalTreeClassifier(REFER, max_depth=6, bins=8, rollouts=16),
    "thrift": tw.ThriftClassifier(REFER, leaves="class"),
}


@pytest.mark.parametrize("name", LEARNERS)
def test_learners_of_single_trees_answer_by_least_expected_cost(name):
    X, y = doubtful()
    model = clone(LEARNERS[name]).fit(X, y)
    tree = model.tree_
    loss = REFER.error_matrix(model.classes_)
    assert tree.core.loss.reshape(2, 3).tolist() == loss.tolist()
    for node in range(tree.n_nodes):
        expected = tree.core.values[node] @ loss
        assert expected[tree.flat.label[node]] == pytest.approx(expected.min())
    assert "refer" in model.predict(X)
    shares = model.predict_proba(X) @ loss
    assert tree.answers[shares.argmin(axis=1)].tolist() == model.predict(X).tolist()


@pytest.mark.parametrize("name", LEARNERS)
def test_answers_survive_files_pickles_and_consultations(name, tmp_path):
    X, y = doubtful()
    model = clone(LEARNERS[name]).fit(X, y)
    answers = model.predict(X).tolist()
    model.save(tmp_path / "tree.json")
    tree = tw.load(tmp_path / "tree.json")
    assert tree == model.tree_
    assert tree.further == ("refer",)
    assert tree.predict(X).tolist() == pickle.loads(pickle.dumps(model)).predict(X).tolist() == answers
    for row in (0, 7, 23):
        case = tree.consult(dict(X.iloc[row]))
        assert case.result == answers[row] == tree.decide(dict(X.iloc[row]))
        assert (case.confidence is None) == (case.result == "refer")


def test_expected_cost_pruning_expects_nothing_else_of_a_leaf_that_refers():
    # 8 : 2 cases: upper limits make mistakes dearer, referring costs each case 15 all the same.
    tree = _core.grow(
        _core.Table.from_columns([np.zeros(10)]),
        _core.Settings(),
        np.array([0] * 8 + [1] * 2, dtype=np.int32),
        2,
    )
    loss = REFER.error_matrix(["a", "b"])
    assert _core.expected_cost(tree, None, loss) == pytest.approx(150)
    assert _core.expected_cost(tree, None, np.ascontiguousarray(loss[:, :2])) > 200


def test_classes_that_are_numbers_stand_beside_the_name():
    X, y = doubtful()
    y = (y == "sick").astype(int)
    model = tw.OptimalTreeClassifier(REFER, max_depth=2, bins=8).fit(X, y)
    answers = model.predict(X)
    assert answers.dtype == object
    assert set(answers.tolist()) == {0, 1, "refer"}
    assert model.score(X, y) == np.mean([a == b for a, b in zip(answers.tolist(), y.tolist(), strict=True)])


def test_a_branch_that_no_case_took_may_refer_and_knows_nothing():
    X, y = doubtful()
    tree = tw.OptimalTreeClassifier(REFER, max_depth=2, bins=8).fit(X, y).tree_
    leaf = next(node.number for node in tree if node.answer == "refer" and not node.children)
    values = tree.core.values.copy()
    values[leaf] = 0.0
    arrays = tree.core.to_arrays() | {"values": values}
    empty = Tree(_core.Tree.from_arrays(arrays), tree.encoder, tree.classes, tree.costs)
    assert empty.shares(leaf) == [0.5, 0.5]
    here = X[tree.apply(X) == leaf]
    assert np.unique(empty.predict_proba(here)).tolist() == [0.5]
    assert set(empty.predict(here)) == {"refer"}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"answer": "most_likely"}, "which answers with classes alone. Set answer='cheapest'"),
        ({"loss_in_growth": "altered_priors"}, "cases count as much as their mistakes cost"),
        ({"criterion": "gini-loss"}, "counts mistakes between classes"),
    ],
)
def test_settings_for_classes_alone_are_refused(settings, said):
    with pytest.raises(CostError, match=f"'refer', which is no class.*{said}"):
        tw.CostTreeClassifier(costs=REFER, **settings).fit(*doubtful(20))


def test_costs_by_row_go_without_them():
    X, y = doubtful(20)
    with pytest.raises(ValueError, match="Only one of them"):
        tw.CostTreeClassifier(costs=REFER).fit(X, y, error_costs=np.ones((20, 2)))


def test_without_error_costs_a_mistake_costs_one():
    model = tw.CostTreeClassifier(costs=tw.Costs(answers={"refer": 0.4}))
    assert model.fit([[0.0]] * 2, ["a", "b"]).predict([[0.0]]).tolist() == ["refer"]


def test_score_cards_refer_who_is_doubtful(tmp_path):
    X, y = doubtful()
    model = tw.ThriftClassifier(REFER, leaves="score").fit(X, y)
    expected = model.predict_proba(X) @ REFER.error_matrix(model.classes_)
    assert model.model_.answers[expected.argmin(axis=1)].tolist() == model.predict(X).tolist()
    paid = tw.bill(model, X, y)
    assert 0 < paid.further_shares["refer"] < 1
    assert paid.accuracy == model.score(X, y)
    assert model.decide(dict(X.iloc[0])) == model.predict(X)[0]
    model.save(tmp_path / "cascade.json")
    loaded = tw.load(tmp_path / "cascade.json")
    assert loaded == model.cascade_
    assert loaded.predict(X).tolist() == model.predict(X).tolist()


def test_how_a_tree_that_refers_reads():
    X, y = doubtful()
    tree = tw.OptimalTreeClassifier(REFER, max_depth=2, bins=8).fit(X, y).tree_
    assert "also answers refer" in repr(tree)
    assert ": refer " in tree.text()
    rules = [str(rule) for rule in tree.rules()]
    assert any(" then refer  (weight " in rule and "confidence" not in rule for rule in rules)
    assert "<b>refer</b>" in tree._repr_html_()
    assert tree.without_idle_tests().predict(X).tolist() == tree.predict(X).tolist()
