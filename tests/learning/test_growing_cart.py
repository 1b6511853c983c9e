"""CART: gini, two-way tests of categories, stand-ins for missing values, priors by weights."""

import math

import numpy as np
import pytest
from learning.growing_tables import (
    CART,
    GOLF,
    HOT,
    OVERCAST,
    RAIN,
    SUNNY,
    T14,
    Data,
    categories_of,
    random_data,
)
from learning.reference import assert_grown_by_the_rules

# Only without a least weight is the best of the contiguous sets the best of all sets.
ANY_WEIGHT = CART | {"min_branch_weight": 0.0}


def stump(data, feature, **rules):
    alone = Data([data.columns[feature]], [data.values[feature]], data.target, data.n_classes, data.weights)
    return alone.grow(max_depth=1, **CART | rules)


def left_of(tree):
    return {c for c, branch in enumerate(categories_of(tree, 0)) if branch == 0}


@pytest.mark.parametrize(
    ("feature", "gain", "apart"),
    [(0, 0.102041, {OVERCAST}), (1, 0.016327, {HOT}), (2, 0.091837, {0}), (3, 0.030612, {0})],
)
def test_best_division_of_each_column_of_the_fourteen_days(feature, gain, apart):
    tree = stump(T14, feature)
    assert tree.impurity[0] == pytest.approx(0.459184, abs=5e-7)
    assert tree.gain[0] == pytest.approx(gain, abs=5e-7)
    everything = set(range(T14.values[feature]))
    assert left_of(tree) in (apart, everything - apart)


@pytest.mark.parametrize(("apart", "gain"), [(SUNNY, 0.065533), (OVERCAST, 0.102041), (RAIN, 0.002041)])
def test_gini_of_every_division_of_outlook(apart, gain):
    yes_or_no = Data([[int(c == apart) for c in T14.columns[0]]], [2], T14.target)
    assert yes_or_no.grow(max_depth=1, **CART).gain[0] == pytest.approx(gain, abs=5e-7)


def test_cut_of_humidity():
    tree = stump(GOLF, 2)
    assert tree.threshold[0] == 82.5
    assert tree.gain[0] == pytest.approx(0.065533, abs=5e-7)


def test_a_category_absent_at_the_node_has_no_branch():
    assert categories_of(Data([[0, 0, 2, 2]], [4], [0, 0, 1, 1]).grow(**CART), 0) == [0, -1, 1, -1]


@pytest.mark.parametrize("seed", range(200))
def test_every_node_follows_the_rules(seed):
    # Up to 5 categories and 4 classes: the reference tries every set of categories.
    assert assert_grown_by_the_rules(random_data(seed, n_classes=2 + seed % 3), **ANY_WEIGHT) > 0


@pytest.mark.parametrize("seed", range(60))
def test_entropy_finds_the_best_sets_too(seed):
    data = random_data(seed, n_classes=2 + seed % 3)
    assert assert_grown_by_the_rules(data, **ANY_WEIGHT | {"criterion": "entropy"}) > 0


@pytest.mark.parametrize("seed", range(8))
def test_columns_of_many_numbers_follow_the_same_rules(seed):
    data = random_data(seed, n_classes=2 + seed % 3, n_rows=110, continuous=True)
    assert assert_grown_by_the_rules(data, max_depth=3, **CART | {"nominal": "multiway"}) > 1


def test_six_categories_of_three_classes_are_divided_in_the_best_way():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        data = Data([rng.integers(0, 6, 60).tolist()], [6], rng.integers(0, 3, 60).tolist(), 3)
        assert assert_grown_by_the_rules(data, max_depth=1, **ANY_WEIGHT) == 3


def test_beyond_the_exhaustive_search_the_division_is_good_but_may_not_be_best():
    short = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        data = Data([rng.integers(0, 8, 200).tolist()], [8], rng.integers(0, 4, 200).tolist(), 4)
        best, ordered = (data.grow(max_depth=1, max_exhaustive=n, **CART).gain[0] for n in (8, 2))
        assert 0 < ordered <= best * (1 + 1e-12)
        assert ordered > 0.5 * best
        short += ordered < best * (1 - 1e-9)
    assert short > 0


def test_priors_are_weights():
    # The share of class c at a node is proportional to prior[c] * (weight of c there) / (weight of c in all).
    priors, totals = [0.2, 0.8], [T14.target.count(0), T14.target.count(1)]
    weights = [14 * priors[c] / totals[c] for c in T14.target]
    tree = Data(T14.columns, T14.values, T14.target, 2, weights).grow(max_depth=1, **CART)

    def gini(rows):
        masses = [priors[c] * sum(T14.target[r] == c for r in rows) / totals[c] for c in (0, 1)]
        return sum(masses), 1 - sum((m / sum(masses)) ** 2 for m in masses)

    feature = int(tree.feature[0])
    sides = [[r for r in range(14) if categories_of(tree, 0)[T14.columns[feature][r]] == b] for b in (0, 1)]
    gain = gini(range(14))[1] - sum(mass * impurity for mass, impurity in map(gini, sides))
    assert tree.impurity[0] == pytest.approx(gini(range(14))[1])
    assert tree.gain[0] == pytest.approx(gain)


# ---- stand-ins ----

PRIMARY = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0]
SECOND = [10.0, 20.0, 30.0, 25.0, 50.0, 60.0, 70.0, math.nan]
TARGET = [0, 0, 0, 1, 1, 1, 1, 1]
EXAMPLE = Data([PRIMARY, SECOND], [0, 0], TARGET)
SURROGATE = CART | {"missing": "surrogate"}


@pytest.mark.parametrize(
    ("known_only", "agreement", "adjusted"), [(False, 6 / 8, 0.333333), (True, 6 / 7, 0.666667)]
)
def test_agreement_of_a_surrogate(known_only, agreement, adjusted):
    tree = EXAMPLE.grow(surrogate_known_only=known_only, **SURROGATE)
    found = tree.surrogates
    assert (tree.feature[0], tree.threshold[0], tree.n_surrogates[0]) == (0, 0.5, 1)
    assert found["feature"].tolist() == [1]
    assert found["threshold"].tolist() == [22.5]
    assert found["agreement"] == pytest.approx([agreement], abs=5e-7)
    assert found["adjusted"] == pytest.approx([adjusted], abs=5e-7)


def test_a_surrogate_decides_where_the_test_is_missing():
    tree = EXAMPLE.grow(**SURROGATE)
    asked = [tree.predict_labels(EXAMPLE.row(math.nan, second), 1)[0] for second in (20.0, 23.0, math.nan)]
    assert asked == [0, 1, 1]


def test_without_a_surrogate_the_case_goes_with_the_majority_or_stops():
    for rule, share in [("majority", [0, 1]), ("stop", [3 / 8, 5 / 8])]:
        tree = EXAMPLE.grow(after_surrogates=rule, **SURROGATE)
        np.testing.assert_allclose(tree.predict_proba(EXAMPLE.row(math.nan, math.nan), 1), [share])


def test_a_surrogate_may_point_the_other_way():
    data = Data([PRIMARY, [-x for x in PRIMARY]], [0, 0], TARGET)
    tree = data.grow(**SURROGATE)
    assert tree.surrogates["flipped"].tolist() == [True]
    assert tree.surrogates["adjusted"].tolist() == [1.0]
    assert tree.predict_labels(data.row(math.nan, -1.0), 1)[0] == 1


def test_a_surrogate_needs_two_cases_on_each_side():
    lonely = [0.0] + [1.0] * 7
    assert Data([PRIMARY, lonely], [0, 0], TARGET).grow(**SURROGATE).n_surrogates[0] == 0


def test_categories_stand_in_for_numbers_and_numbers_for_categories():
    codes = [0, 0, 2, 1, 1, 1, 1, 2]
    data = Data([PRIMARY, codes], [0, 4], TARGET)
    tree = data.grow(**SURROGATE)
    branches = tree.branch_map[tree.surrogates["map_offset"][0] :][:4].tolist()
    assert branches == [0, 1, 1, -1]  # equal weight goes with the larger branch, an absent category nowhere
    assert tree.surrogates["agreement"].tolist() == [7 / 8]
    turned = Data([codes, PRIMARY], [4, 0], [0, 0, 0, 1, 1, 1, 1, 0]).grow(max_depth=1, **SURROGATE)
    assert turned.feature[0] == 0
    assert turned.surrogates["feature"].tolist() == [1]
    assert turned.surrogates["agreement"].tolist() == [7 / 8]


def test_cases_that_lack_the_test_have_a_say_in_where_a_surrogate_cuts():
    # rpart: the case with 2 lacks the primary test, and the cut lies between 1 and 2, not between 1 and 4.
    primary = [0.0, 0.0, 0.0, 0.0, math.nan, 1.0, 1.0, 1.0, 1.0]
    second = [1.0, 1.0, 1.0, 4.0, 2.0, 4.0, 4.0, 4.0, 4.0]
    data = Data([primary, second], [0, 0], [0, 0, 0, 0, 0, 1, 1, 1, 1])
    tree = data.grow(**SURROGATE)
    assert (tree.feature[0], tree.surrogates["threshold"].tolist()) == (0, [1.5])


@pytest.mark.parametrize("nominal", [False, True])
def test_surrogates_agree_by_cases_whatever_priors_make_of_them(nominal):
    weights = [9.0 if label else 1.0 for label in TARGET]
    second = [0, 0, 1, 1, 1, 1, 1, 0] if nominal else [1.0, 1.0, 4.0, 4.0, 4.0, 4.0, 4.0, 1.0]
    columns = [PRIMARY, second]
    values = [0, 2 if nominal else 0]
    plain = Data(columns, values, TARGET).grow(**SURROGATE)
    altered = Data(columns, values, TARGET, weights=weights)
    found = altered.grow(count_cases=True, class_weights=np.array([1.0, 9.0]), **SURROGATE)
    for name in ("feature", "threshold", "agreement", "adjusted"):
        np.testing.assert_allclose(found.surrogates[name], plain.surrogates[name])
    assert found.missing_route[0] == plain.missing_route[0] == 1
    assert (
        altered.grow(**SURROGATE).surrogates["agreement"].tolist() != plain.surrogates["agreement"].tolist()
    )


def test_without_a_surrogate_and_a_larger_branch_the_node_answers():
    data = Data([[0.0, 0.0, 1.0, 1.0]], [0], [0, 0, 1, 1])
    tree = data.grow(**SURROGATE)
    np.testing.assert_allclose(tree.predict_proba(data.row(math.nan), 1), [[0.5, 0.5]])


def test_the_five_best_surrogates_are_kept_best_first():
    rng = np.random.default_rng(5)
    side = np.repeat([0.0, 1.0], 40)
    columns = [side.tolist()]
    for wrong in [9, 3, 7, 1, 5, 11, 13]:
        noisy = side.copy()
        flipped = rng.choice(80, wrong, replace=False)
        noisy[flipped] = 1 - noisy[flipped]
        columns.append(noisy.tolist())
    data = Data(columns, [0] * 8, side.astype(int).tolist())
    assert data.grow(**SURROGATE).surrogates["feature"].tolist() == [4, 2, 5, 3, 1]
    assert data.grow(max_surrogates=2, **SURROGATE).surrogates["feature"].tolist() == [4, 2]
