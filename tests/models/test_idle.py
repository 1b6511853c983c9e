"""Idle tests: which they are, and the tree without them."""

import numpy as np
import pytest
from finished_trees import deep, golf, grown, random_finished, random_row, regression, table_of
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_tree import STOP

import thriftwood as tw
from thriftwood.models.tree.tree import Tree

seeds = st.integers(0, 2**32 - 1)
ERRORS = {"sick": {"well": 50}, "well": {"sick": 1}}
X = [[1, "a"], [2, "a"], [3, "a"], [4, "b"], [5, "b"], [6, "b"], [7, "b"], [8, "b"]]
Y = ["well", "well", "well", "well", "sick", "well", "sick", "sick"]


def fitted(**growth):
    costs = tw.Costs({"x0": 2, "x1": 3}, errors=ERRORS)
    return tw.CostTreeClassifier(costs=costs, growth=tw.Growth(**growth)).fit(X, Y).tree_


def changed(tree, **fields):
    """The tree with other numbers in some node fields: name -> {node: number}."""
    arrays = tree.core.to_arrays()
    for name, entries in fields.items():
        arrays[name] = arrays[name].copy()
        for node, entry in entries.items():
            arrays[name][node] = entry
    return Tree(tw._core.Tree.from_arrays(arrays), tree.encoder, tree.classes, tree.costs)


def by_hand(tree, node=0):
    """The structure of the tree without idle tests, from its definition."""

    def answers(node):
        below = set().union(*(answers(child) for child in tree[node].children))
        stops = STOP in (tree.flat.missing_route[node], tree.flat.unseen_route[node])
        return below | ({tree.answer(node)} if tree[node].is_leaf or stops else set())

    if len(found := answers(node)) == 1:
        return found.pop()
    return tree[node].test, [by_hand(tree, child) for child in tree[node].children]


def structure(tree, node=0):
    if tree[node].is_leaf:
        return tree.answer(node)
    return tree[node].test, [structure(tree, child) for child in tree[node].children]


def test_error_costs_make_a_test_idle():
    tree = fitted(max_depth=2)
    assert tree.text(prices=False).splitlines()[1:] == [
        "x0?                         8   well: 5, sick: 3",
        "├─ x0 <= 4.5: well          4   well: 4",
        "└─ x0 > 4.5: x0?            4   sick: 3, well: 1",
        "   │  (idle: every leaf below answers sick)",
        "   ├─ x0 <= 6.5: sick       2   sick: 1, well: 1",
        "   └─ x0 > 6.5: sick        2   sick: 2",
    ]
    less = tree.without_idle_tests()
    assert (tree.idle, less.idle, tree.n_nodes, less.n_nodes) == ({2}, set(), 5, 3)
    assert less[2].counts == {"sick": 3.0, "well": 1.0}
    assert (less[2].answer, less[2].weight, less.costs) == ("sick", 4.0, tree.costs)
    assert "idle" not in less.text()
    assert less == Tree.from_json(less.to_json())
    assert less.without_idle_tests() == less


def test_a_tree_whose_every_leaf_answers_alike_asks_nothing():
    tree = fitted(max_depth=1)
    other = changed(tree, label={1: 0, 2: 0})  # sick
    assert other.idle == {0}
    assert other.without_idle_tests().consult().result == "sick"
    # The root said well: what its answer costs in training follows the answer.
    assert changed(other, label={0: 1}).without_idle_tests().core.risk[0] == pytest.approx(5.0)
    assert other.without_idle_tests().core.risk[0] == pytest.approx(5.0)


def test_a_test_that_stops_cases_answers_too():
    tree = changed(fitted(max_depth=1), label={1: 0, 2: 0, 0: 1}, missing_route={0: STOP})
    assert tree.idle == set()
    assert tree.without_idle_tests() == tree


def test_golf_has_no_idle_tests():
    assert golf().idle == set()
    assert golf().without_idle_tests() == golf()


def test_equal_numbers_are_idle_in_a_regression_tree():
    assert regression().idle == set()
    tree = changed(regression())
    leaves = [node.number for node in tree if node.is_leaf and node.parent == tree[tree.n_nodes - 1].parent]
    arrays = tree.core.to_arrays()
    arrays["values"] = arrays["values"].copy()
    arrays["values"][leaves] = 7.0
    flat = Tree(tw._core.Tree.from_arrays(arrays), tree.encoder)
    parent = flat[leaves[0]].parent
    assert flat.idle == {parent}
    less = flat.without_idle_tests()
    assert less.n_nodes == flat.n_nodes - len(leaves)
    rows = np.random.default_rng(1).normal(size=(50, 3))
    assert less.predict(rows).tolist() == flat.predict(rows).tolist()


def test_any_depth():
    tree = deep(5000, tw.Costs({"x0": 3}))
    assert tree.idle == {0}
    assert tree.without_idle_tests().n_nodes == 1


def test_surrogates_and_branch_maps_move_along():
    rng = np.random.default_rng(0)
    rows = [[float(rng.normal()), str(rng.choice(["u", "v", "w"])), float(rng.normal())] for _ in range(150)]
    y = [int(a + b + (w == "u") > 0.7) for a, w, b in rows]
    tree = grown(rows, y, missing="surrogate", nominal="binary", max_depth=5, max_surrogates=2)
    idle = next(n.number for n in tree if not n.is_leaf and n.depth == 3)
    below = [n for n in tree.preorder(idle) if tree[n].is_leaf]
    tree = changed(tree, label=dict.fromkeys(below, 1))
    less = tree.without_idle_tests()
    assert idle in tree.idle
    assert 0 < len(less.core.surrogates["kind"]) < len(tree.core.surrogates["kind"])
    unknown = [[None if rng.random() < 0.3 else value for value in row] for row in rows]
    assert less.predict(rows).tolist() == tree.predict(rows).tolist()
    assert less.predict(unknown).tolist() == tree.predict(unknown).tolist()  # stand-ins, then one branch


@given(seeds, st.booleans(), st.booleans())
@settings(max_examples=100)
def test_only_what_is_idle_goes_and_no_answer_changes(seed, as_regression, surrogates):
    rng = np.random.default_rng(seed)
    tree = random_finished(rng, regression=as_regression, surrogates=surrogates, full_maps=True)
    if as_regression:
        arrays = tree.core.to_arrays()
        numbers = rng.integers(0, 2, size=arrays["values"].shape).astype(float)
        tree = Tree(tw._core.Tree.from_arrays(arrays | {"values": numbers}), tree.encoder)
    less = tree.without_idle_tests()
    assert structure(less) == by_hand(tree)
    rows = table_of(tree, [random_row(rng) for _ in range(20)])
    assert less.predict(rows).tolist() == tree.predict(rows).tolist()
    assert less.core.weight.sum() <= tree.core.weight.sum()
