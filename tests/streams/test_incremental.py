"""Trees revised by every case are those of the batch learner on the same cases, whatever came and went."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thriftwood as tw
from thriftwood.streams import IncrementalTreeClassifier

NOMINAL, NUMERIC, MIXED = "ccccc", "nnnn", "cnncn"
PRICES = {f"x{j}": price for j, price in enumerate((1, 4, 2, 8, 3))}
ARRAYS = (
    "kind",
    "feature",
    "first_child",
    "n_children",
    "threshold",
    "missing_route",
    "unseen_route",
    "label",
)


def cases(kinds, n, seed, missing=0.0):
    random = np.random.default_rng(seed)
    X = np.column_stack([random.integers(0, 3 if kind == "c" else 8, n) for kind in kinds]).astype(float)
    told = sum((X[:, j] > (0 if kinds[j] == "c" else 3)).astype(int) for j in range(3)) % 2
    y = np.where(random.random(n) < 0.15, random.integers(0, 3, n), told)
    X[random.random(X.shape) < missing] = np.nan
    return X, y


def nominal(kinds):
    return [j for j, kind in enumerate(kinds) if kind == "c"] or None


def batch(criterion, kinds, costs=None, missing="stay"):
    growth = tw.Growth(
        nominal="value",
        missing=missing,
        min_branch_weight=1e-9,
        two_branches=True,
        min_split_weight=0.0,
        gain_floor=1e-12,
        bins=None,
        many_categories=None,
    )
    return tw.CostTreeClassifier(criterion, costs=costs, growth=growth, nominal_features=nominal(kinds))


def assert_same(one, other):
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    np.testing.assert_array_equal(one.values, other.values)
    np.testing.assert_allclose(one.gain, other.gain, atol=1e-9)
    np.testing.assert_allclose(one.impurity, other.impurity, atol=1e-9)


def check_after_every_case(model, learner, X, y):
    for k in range(len(y)):
        model.partial_fit(X[k : k + 1], y[k : k + 1])
        assert_same(model.tree_.core, learner.fit(X[: k + 1], y[: k + 1]).tree_.core)


SETTINGS = {
    "nominal": ("entropy", NOMINAL, 0.0),
    "numeric": ("entropy", NUMERIC, 0.0),
    "mixed": ("gini", MIXED, 0.0),
    "missing": ("entropy", MIXED, 0.15),
    "ratio": ("gain_ratio", MIXED, 0.1),
    "eg2": ("eg2", MIXED, 0.1),
    "idx": ("idx", NUMERIC, 0.0),
    "cs-id3": ("cs-id3", MIXED, 0.1),
}


PRICED = ("eg2", "idx", "cs-id3")


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("seed", range(50))
def test_iti_is_the_batch_tree_after_every_case(name, seed):
    criterion, kinds, missing = SETTINGS[name]
    X, y = cases(kinds, 16, seed, missing)
    costs = tw.Costs({f"x{j}": PRICES[f"x{j}"] for j in range(len(kinds))}) if criterion in PRICED else None
    own = {} if costs is None else {"costs": costs}
    model = tw.algorithm("iti", criterion=criterion, nominal_features=nominal(kinds), **own)
    check_after_every_case(model, batch(criterion, kinds, costs), X, y)


@pytest.mark.parametrize("kinds", [NOMINAL, MIXED])
@pytest.mark.parametrize("seed", range(50))
def test_id5r_is_id3_after_every_case(kinds, seed):
    X, y = cases(kinds, 16, seed)
    columns = nominal(kinds)
    model = tw.algorithm("id5r", nominal_features=columns)
    check_after_every_case(model, tw.algorithm("id3", nominal_features=columns), X, y)


@pytest.mark.parametrize("criterion", ["entropy", "gain_ratio"])
def test_many_cases_and_two_classes(criterion):
    X, y = tw.make_stream("agrawal", random_state=3).take(600)
    model = tw.algorithm("iti", criterion=criterion)
    for end in (200, 201, 202, 400, 599, 600):
        begin = model.n_cases_ if hasattr(model, "_native") else 0
        model.partial_fit(X[begin:end], y[begin:end])
        assert_same(model.tree_.core, batch(criterion, NUMERIC).fit(X[:end], y[:end]).tree_.core)


@given(
    st.integers(0, 10**6),
    st.lists(st.booleans(), min_size=5, max_size=60),
    st.sampled_from(["entropy", "eg2"]),
)
@settings(max_examples=40)
def test_add_and_forget_in_any_order(seed, adding, criterion):
    random = np.random.default_rng(seed)
    X, y = cases(MIXED, 60, seed % 1000, 0.1)
    costs = tw.Costs(PRICES) if criterion == "eg2" else None
    model = tw.algorithm("iti", criterion=criterion, nominal_features=nominal(MIXED))
    model.set_params(costs=costs)
    held, waiting = [], list(range(60))
    model.partial_fit(X[:1], y[:1], classes=[0, 1, 2]).forget(X[:1], y[:1])
    for add in adding:
        if add or not held:
            held.append(waiting.pop(int(random.integers(len(waiting)))))
            model.partial_fit(X[held[-1:]], y[held[-1:]])
        else:
            gone = held.pop(int(random.integers(len(held))))
            waiting.append(gone)
            model.forget(X[[gone]], y[[gone]])
        assert model.n_cases_ == len(held)
    if held:
        fresh = tw.algorithm("iti", criterion=criterion, nominal_features=nominal(MIXED)).set_params(
            costs=costs
        )
        fresh.partial_fit(X, y, classes=[0, 1, 2]).forget(X[waiting], y[waiting])
        assert_same(model.tree_.core, fresh.tree_.core)
        plain = batch(criterion, MIXED, costs).fit(X[held], y[held])
        assert (model.predict(X[held]) == plain.predict(X[held])).all()
        assert plain.tree_.n_leaves <= model.tree_.n_leaves


@given(st.permutations(range(30)), st.sampled_from(["id5r", "iti"]))
@settings(max_examples=20)
def test_the_order_of_arrival_does_not_matter(order, name):
    X, y = cases(NOMINAL, 30, 7)
    columns = nominal(NOMINAL)
    one = tw.algorithm(name, nominal_features=columns).fit(X, y)
    other = tw.algorithm(name, nominal_features=columns)
    for k in order:
        other.partial_fit(X[[k]], y[[k]])
    assert_same(one.tree_.core, other.tree_.core)


def test_lazy_trees_are_the_same():
    X, y = cases(MIXED, 80, 1, 0.1)
    greedy, lazy = (
        tw.algorithm("iti", when=when, nominal_features=nominal(MIXED)) for when in ("greedy", "lazy")
    )
    for k in range(80):
        greedy.partial_fit(X[[k]], y[[k]])
        lazy.partial_fit(X[[k]], y[[k]])
    assert lazy._native.chosen == 0
    assert_same(greedy.tree_.core, lazy.tree_.core)
    assert lazy._native.chosen < greedy._native.chosen


def test_error_correction_keeps_what_is_answered_wrongly():
    X, y = tw.make_stream("sea", noise=0.0, random_state=0).take(400)
    model = tw.algorithm("iti", learn="errors").fit(X, y)
    assert model.n_cases_ < 150
    assert model.score(X, y) == 1.0


def test_virtual_pruning_is_that_of_the_batch_tree():
    X, y = tw.make_stream("sea", random_state=0).take(500)
    model = tw.algorithm("iti", pruning=tw.MDL()).fit(X, y)
    whole = tw.algorithm("iti").fit(X, y).tree_.n_leaves
    pruned = batch("entropy", NUMERIC).set_params(pruning=tw.MDL()).fit(X, y)
    assert model.tree_.n_leaves == pruned.tree_.n_leaves < whole
    model.partial_fit(*tw.make_stream("sea", random_state=9).take(10))
    assert sum(model.tree_.counts(0).values()) == 510


def test_new_categories_and_classes_are_learnt():
    model = tw.algorithm("id5r").partial_fit([["b", 1.0], ["c", 2.0]], ["x", "z"])
    model.partial_fit([["a", 3.0], ["c", 2.0]], ["y", "z"])
    rows = [["b", 1.0], ["c", 2.0], ["a", 3.0], ["c", 2.0]]
    assert str(model.tree_) == str(tw.algorithm("id3").fit(rows, ["x", "z", "y", "z"]).tree_)
    assert model.predict(rows).tolist() == ["x", "z", "y", "z"]


def test_bad_batches_leave_the_tree_as_it_was():
    model = tw.algorithm("id5r").partial_fit([["b", 1.0], ["c", 2.0]], ["x", "z"])
    before = model.tree_.to_json()
    for X, y, words in (
        ([["b", "three"]], ["x"], "three|number"),
        ([["b"]], ["x"], "feature"),
        ([["b", 1.0]], [1], "classes as text"),
        ([["b", None]], ["x"], "no value in row 0"),
    ):
        with pytest.raises((ValueError, TypeError), match=words):
            model.partial_fit(X, y)
    with pytest.raises(ValueError, match="no case that the tree has learnt"):
        model.forget([["b", 7.0]], ["x"])
    assert model.tree_.to_json() == before


def test_a_pickle_goes_on_where_it_was():
    X, y = cases(MIXED, 60, 2, 0.1)
    model = tw.algorithm("iti", nominal_features=nominal(MIXED)).fit(X[:40], y[:40])
    again = pickle.loads(pickle.dumps(model))
    assert_same(again.tree_.core, model.tree_.core)
    assert_same(again.partial_fit(X[40:], y[40:]).tree_.core, model.partial_fit(X[40:], y[40:]).tree_.core)


def test_what_it_cannot_revise_is_refused():
    with pytest.raises(ValueError, match="'criterion' parameter"):
        IncrementalTreeClassifier("csgain", costs=tw.Costs({"x0": 1})).fit([[1.0]], [0])
    with pytest.raises(ValueError, match="upfront"):
        IncrementalTreeClassifier("eg2", costs=tw.Costs({"x0": 1}, payment="upfront")).fit([[1.0]], [0])
    with pytest.raises(TypeError, match=r"must be MDL\(\) or None"):
        IncrementalTreeClassifier(pruning=tw.Pessimistic()).fit([[1.0]], [0])


class Id4:
    """ID4 as published, written down plainly: what lies below a test that changes is dropped."""

    def __init__(self, n_features):
        self.cases, self.test, self.children = [], None, {}  # only counts of the cases are looked at
        self.n_features = n_features

    def gain(self, feature):
        def entropy(labels):
            shares = np.unique(labels, return_counts=True)[1] / len(labels)
            return -(shares * np.log2(shares)).sum()

        X, y = (np.array(part) for part in zip(*self.cases, strict=True))
        parts = [y[X[:, feature] == value] for value in np.unique(X[:, feature])]
        return entropy(y) - sum(len(part) / len(y) * entropy(part) for part in parts)

    def learn(self, x, label):
        self.cases.append((x, label))
        gains = [self.gain(feature) for feature in range(self.n_features)]
        best = int(np.argmax(np.round(gains, 9)))
        if gains[best] <= 1e-9:
            best = None
        if best != self.test and not (self.test is not None and gains[self.test] >= max(gains) - 1e-9):
            self.test, self.children = best, {}
        if self.test is not None:
            self.children.setdefault(x[self.test], Id4(self.n_features)).learn(x, label)

    def tests(self):
        if self.test is None:
            return {}
        below = {value: child.tests() for value, child in self.children.items() if child.tests()}
        return {self.test: below}


def nested(tree, node):
    flat = tree.flat
    if flat.feature[node] < 0:
        return {}
    first = flat.first_child[node]
    below = {float(b): nested(tree, first + b) for b in range(flat.n_children[node])}
    return {flat.feature[node]: {value: tests for value, tests in below.items() if tests}}


@pytest.mark.parametrize("seed", range(10))
def test_id4_discards_what_lies_below_a_test_that_changes(seed):
    X, y = cases("ccc", 60, seed)
    plain, model = Id4(3), tw.algorithm("id4", nominal_features=[0, 1, 2]).fit(X[:1], y[:1])
    plain.learn(tuple(X[0]), y[0])
    for k in range(1, 60):
        plain.learn(tuple(X[k]), y[k])
        model.partial_fit(X[k : k + 1], y[k : k + 1])
    assert nested(model.tree_, 0) == plain.tests()


def test_id4_need_not_be_the_tree_of_id3_and_cannot_forget():
    differ = 0
    for seed in range(10):
        X, y = cases(NOMINAL, 60, seed)
        four, five = (
            tw.algorithm(name, nominal_features=nominal(NOMINAL)).fit(X, y) for name in ("id4", "id5r")
        )
        differ += str(four.tree_) != str(five.tree_)
        again = pickle.loads(pickle.dumps(four))
        assert str(again.tree_) == str(four.tree_)
    assert differ > 0
    with pytest.raises(ValueError, match="subtrees='discard', so what a case has changed"):
        four.forget(X[:1], y[:1])
