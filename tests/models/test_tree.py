"""The finished tree as Python users hold it: shape, nodes, prices, answers, equality."""

import pickle

import numpy as np
import pytest
from finished_trees import (
    GOLF_PRICES,
    deep,
    golf,
    grown,
    mixed,
    random_finished,
    random_row,
    regression,
    table_of,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from thriftwood.costs import Costs, Test
from thriftwood.datasets import load_dataset
from thriftwood.models.tree.conditions import Above, AtMost, IsOneOf, OnScale
from thriftwood.models.tree.tree import Tree

seeds = st.integers(0, 2**32 - 1)


def test_the_golf_tree_is_quinlans():
    tree = golf()
    assert (tree.n_nodes, tree.n_leaves, tree.depth) == (8, 5, 2)
    assert tree.feature_names == ("Outlook", "Temperature", "Humidity", "Windy")
    assert tree.features_used == ("Outlook", "Humidity", "Windy")
    assert repr(tree) == "<Tree: 8 nodes, 5 leaves, depth 2, classes No, Yes>"
    conditions = [node.condition for node in tree]
    assert conditions[:4] == [None] + [IsOneOf("Outlook", (name,)) for name in ("Sunny", "Overcast", "Rain")]
    assert conditions[4:6] == [AtMost("Humidity", 75.0), Above("Humidity", 75.0)]
    root, overcast = tree[0], tree[2]
    assert root.counts == {"No": 5.0, "Yes": 9.0}
    assert root.confidence == 9 / 14
    assert (overcast.answer, overcast.weight, overcast.parent, overcast.is_leaf) == ("Yes", 4.0, 0, True)


def test_golf_prices_by_hand():
    tree = golf()
    assert [node.price for node in tree] == [4, 2, 0, 0.5, 0, 0, 0, 0]
    assert [node.bill for node in tree] == [0, 4, 4, 4, 6, 6, 4.5, 4.5]
    # over the 14 days: (14 * 4 + 5 * 2 + 5 * 0.5) / 14
    leaves = [node for node in tree if node.is_leaf]
    assert sum(leaf.bill * leaf.weight for leaf in leaves) / 14 == pytest.approx(4.892857, abs=1e-6)
    upfront = golf(GOLF_PRICES.replace(payment="upfront"))
    assert {node.bill for node in upfront} == {6.5}
    assert [node.price for node in upfront] == [4, 2, 0, 0.5, 0, 0, 0, 0]


def test_a_delayed_test_orders_its_subtree_and_groups_and_resources_are_shared():
    prices = Costs(
        {
            "Outlook": 5,
            "Humidity": Test(7, delayed=True, group="g", after=5),
            "Windy": Test(10, group="g", after=8, needs=["mast"]),
        },
        {"mast": 2},
    )
    tree = golf(prices)
    assert [node.price for node in tree][:4] == [5, 7, 0, 12]
    root_delayed = golf(prices.replace(tests={**prices.tests, "Outlook": Test(5, delayed=True)}))
    assert root_delayed[0].price == 5 + 7 + 8 + 2
    assert {node.bill for node in root_delayed if node.number} == {22.0}


def test_without_prices_nothing_costs():
    assert {(node.price, node.bill) for node in golf(None)} == {(0.0, 0.0)}


def test_an_ordered_feature_is_cut_on_its_scale():
    pd = pytest.importorskip("pandas")
    size = pd.Categorical(["S", "M", "L", "XL"] * 3, categories=["S", "M", "L", "XL"], ordered=True)
    tree = grown(pd.DataFrame({"size": size}), ["small", "small", "big", "big"] * 3)
    assert [node.condition for node in tree][1:] == [
        OnScale("size", ("S", "M", "L", "XL"), 0, 1),
        OnScale("size", ("S", "M", "L", "XL"), 2, 3),
    ]
    assert [str(node.condition) for node in tree][1:] == ["size <= M", "size > M"]
    assert tree.decide(["L"]) == "big"


@given(seeds, st.booleans())
@settings(deadline=None, max_examples=50)
def test_one_row_is_answered_as_a_table_of_it(seed, as_regression):
    rng = np.random.default_rng(seed)
    tree = random_finished(rng, regression=as_regression)
    rows = [random_row(rng, missing=0.3) for _ in range(10)]
    answers = tree.predict(table_of(tree, rows)).tolist()
    assert [tree.decide(row) for row in rows] == answers
    assert [tree.decide(list(row.values())) for row in rows] == answers


def test_numbers_go_the_short_way():
    tree = grown(*load_iris())
    row = np.array([5.0, 3.0, 2.0, 1.0])
    assert tree.decide(row) == tree.decide(row.tolist()) == tree.predict(row[None])[0] == "setosa"
    assert tree.predict_proba(row[None]).tolist() == [[1.0, 0.0, 0.0]]
    assert tree[int(tree.apply(row[None])[0])].answer == "setosa"


def load_iris():
    data = load_dataset("iris")
    return np.asarray(data.X, dtype=float), data.y


def test_the_answer_keeps_the_type_of_the_classes():
    tree = grown([[0.0], [1.0]], np.array([3, 7], dtype=np.int16))
    assert tree.predict([[1.0]]).dtype == np.int16
    assert tree.decide([1.0]) == 7
    assert regression().predict(np.zeros((1, 3))).dtype == np.float64


@pytest.mark.parametrize("make", [golf, mixed, regression])
def test_pickled_trees_are_equal(make):
    tree = make()
    copy = pickle.loads(pickle.dumps(tree))
    assert copy == tree
    assert hash(copy) == hash(tree)
    assert str(copy) == str(tree)


def test_trees_that_differ():
    assert golf() != golf(None)
    assert golf() != golf(min_branch_weight=5.0)
    one = golf(None)
    assert one != Tree(one.core, one.encoder, ["Yes", "No"])
    assert one != Tree(load_other(one), one.encoder, one.classes)
    assert one != "golf"


def load_other(tree):
    arrays = tree.core.to_arrays()
    threshold = arrays["threshold"].copy()
    threshold[1] = np.nextafter(threshold[1], 100)
    return type(tree.core).from_arrays(arrays | {"threshold": threshold})


def test_parts_that_do_not_belong_together():
    tree, numbers = golf(), regression()
    with pytest.raises(ValueError, match="grown on 4 features, but the encoder has learnt 3"):
        Tree(tree.core, numbers.encoder, tree.classes)
    with pytest.raises(ValueError, match="tells 2 classes apart, but 3"):
        Tree(tree.core, tree.encoder, ["a", "b", "c"])
    with pytest.raises(ValueError, match="Pass their 2 names"):
        Tree(tree.core, tree.encoder)
    with pytest.raises(ValueError, match="regression tree has no classes"):
        Tree(numbers.core, numbers.encoder, ["a"])
    with pytest.raises(IndexError, match="no node 8"):
        tree[8]
    with pytest.raises(ValueError, match="3 values, the tree takes 4"):
        tree.decide(["Sunny", 1, 2])


def test_a_deep_tree_needs_no_stack():
    tree = deep(5000, Costs({"x0": 3}))
    assert tree.depth == 5000
    assert {node.bill for node in tree if node.number} == {3.0}
    assert sum(1 for _ in tree.preorder()) == 10001
    assert len(tree.path(10000)) == 5001
