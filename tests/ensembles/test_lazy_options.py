import itertools

import numpy as np
import pytest
from ensembles.plain_lazy import answer
from hypothesis import example, given, settings
from hypothesis import strategies as st

import thriftwood as tw

COSTS = tw.Costs(errors_default=1)


def plain_answers(model, X, y, cases, nominal, n_classes):
    """What the reference says of all cases: the mean over bags, and the features asked."""
    cuts = []
    for feature in range(len(X[0])):
        values = sorted({row[feature] for row in X if row[feature] is not None})
        cuts.append([(a + b) / 2 for a, b in itertools.pairwise(values)] if not nominal[feature] else [])
    found = []
    for case in cases:
        shares, asked = np.zeros(n_classes), set()
        for bag in model.bags_:
            rows = [
                {"x": x, "label": label, "weight": int(count)}
                for x, label, count in zip(X, y, bag, strict=True)
                if count
            ]
            own, tests = answer(
                rows,
                case,
                nominal,
                cuts,
                n_classes,
                options=model.options,
                share=model.min_share,
                depth=model.max_depth,
                min_weight=model.min_weight,
            )
            shares += own
            asked |= tests
        found.append((shares / len(model.bags_), asked))
    return found


number = st.one_of(st.none(), st.integers(0, 4).map(float))
category = st.sampled_from([None, "a", "b", "c"])
row = st.tuples(number, category, number)
NUMBERS = [1, None, 3, 0, 3, None, 2, 0, 3, None, 1, 0, 0]
OTHERS = [3, 1, 2, None, 4, 3, 1, 3, 1, 2, 4, 0, 1]
SHARED = list(
    zip(
        zip(NUMBERS, [*"caabbbac", None, None, *"abb"], OTHERS, strict=True),
        [1, 1, 2, 1, 0, 2, 1, 1, 1, 0, 2, 1, 0],
        strict=True,
    )
)
"""A table of which the same rows agree after one test and after two."""


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(row, st.integers(0, 2)), min_size=3, max_size=14).filter(
        lambda rows: all(any(x[f] is not None for x, _ in rows) for f in range(3))
    ),
    st.lists(row, min_size=1, max_size=3),
    st.integers(1, 3),
    st.sampled_from([0.0, 0.2, 0.9]),
    st.integers(0, 3),
    st.sampled_from([0.0, 1.0, 2.0]),
)
@example(SHARED, [(4.0, "a", 3.0), (3.0, "b", None)], 3, 0.0, 2, 0.0)
def test_answers_are_those_of_plain_python(rows, cases, options, share, depth, min_weight):
    X, y = [list(x) for x, _ in rows], np.array([label for _, label in rows])
    model = tw.LazyOptionTreesClassifier(
        costs=COSTS,
        n_estimators=2,
        options=options,
        min_share=share,
        max_depth=depth,
        min_weight=min_weight,
        max_nodes=10_000,
        random_state=0,
    ).fit(X, y)
    cases = [list(case) for case in cases]
    labels = np.searchsorted(model.classes_, y)
    expected = plain_answers(model, X, labels, cases, [False, True, False], len(model.classes_))
    shares, asked = model.predict_proba(cases), model.tests_asked(cases, COSTS)
    for case, (wanted, tests) in enumerate(expected):
        assert shares[case] == pytest.approx(wanted, abs=1e-9)
        assert set(np.flatnonzero(asked[case])) == tests


def test_a_leaf_is_smoothed_by_laplace():
    model = tw.LazyOptionTreesClassifier(costs=COSTS, n_estimators=1, max_depth=0, random_state=0)
    model.fit([[0.0]] * 4, [0, 0, 0, 1])
    counts = np.array([model.bags_[0, :3].sum(), model.bags_[0, 3]])
    assert model.predict_proba([[0.0]])[0] == pytest.approx((counts + 1) / 6)


def test_few_nodes_are_an_answer_too():
    data = tw.load_dataset("wisconsin-diagnostic")
    shares = [
        tw.LazyOptionTreesClassifier(costs=COSTS, n_estimators=3, max_nodes=nodes, random_state=0)
        .fit(data.X[:300], data.y[:300])
        .predict_proba(data.X[300:])
        for nodes in (1, 4, 64)
    ]
    assert len(np.unique(shares[0], axis=0)) == 1  # the root alone
    right = [(np.array(["benign", "malignant"])[own.argmax(axis=1)] == data.y[300:]).mean() for own in shares]
    assert right[0] < right[1] <= right[2] + 0.02


def test_what_was_learnt_stays_when_the_table_changes():
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]] * 5), np.array([0, 0, 1, 1] * 5)
    model = tw.LazyOptionTreesClassifier(costs=COSTS, random_state=0).fit(X, y)
    before = model.predict_proba(X.copy())
    X[:] = 7.0
    np.testing.assert_array_equal(model.predict_proba(np.array([[0.0], [1.0], [2.0], [3.0]] * 5)), before)


def test_options_by_the_authors_letters_and_out_of_bounds():
    model = tw.algorithm("b-lot", b=2, g=0.5, bags=7)
    assert (model.options, model.min_share, model.n_estimators) == (2, 0.5, 7)
    for settings_ in ({"options": 0}, {"min_share": 1.5}, {"max_cuts": 255}, {"max_nodes": 0}):
        with pytest.raises(ValueError, match=f"{next(iter(settings_))!r} parameter of LazyOptionTrees"):
            tw.LazyOptionTreesClassifier(costs=COSTS, **settings_).fit([[0.0], [1.0]], [0, 1])
