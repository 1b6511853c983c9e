"""Price lists at the edge of what makes sense: growing, billing and asking with them."""

import numpy as np
import pytest
from learning.criterion_trees import PRICED, classifier, needed

import thriftwood as tw
from thriftwood.learning.criteria import users_of

X = np.array([[0, 0, 1], [0, 1, 0], [1, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]], dtype=float)
Y = np.array([0, 0, 1, 1, 0, 1])  # the first column
TWICE = np.repeat(X, 3, axis=0), np.repeat(Y, 3)


def grown(costs, criterion="csgain", **settings):
    return classifier(criterion, costs=costs, **(needed(criterion) | settings)).fit(*TWICE)


def shape(model):
    arrays = model.tree_.core.to_arrays()
    return list(zip(arrays["feature"].tolist(), arrays["first_child"].tolist(), strict=True))


@pytest.mark.parametrize("payment", ["sequential", "upfront"])
@pytest.mark.parametrize("criterion", PRICED)
def test_the_only_test_of_a_group_has_its_full_price(criterion, payment):
    alone = tw.Costs(
        {"x0": tw.Test(4, group="g", after=1), "x1": 2, "x2": 3}, payment=payment, errors_default=20
    )
    plain = tw.Costs({"x0": 4, "x1": 2, "x2": 3}, payment=payment, errors_default=20)
    first, second = grown(alone, criterion), grown(plain, criterion)
    assert shape(first) == shape(second)
    assert tw.bill(first, *TWICE).mean_test_cost == tw.bill(second, *TWICE).mean_test_cost


def test_a_delayed_test_that_is_never_asked_changes_nothing():
    delayed = tw.Costs({"x0": 1, "x1": tw.Test(50, delayed=True), "x2": 50})
    model = grown(delayed)
    assert model.tree_.features_used == ("x0",)
    assert tw.bill(model, *TWICE).per_case["test_cost"].tolist() == [1.0] * len(TWICE[1])
    case = model.consult()
    assert (case.next_test, case.ordered_with, case.price) == ("x0", (), 1.0)


def test_a_price_list_for_another_table_is_refused_with_the_columns_there_are():
    with pytest.raises(ValueError, match=r"age"):
        grown(tw.Costs({"age": 1, "x0": 1}))


@pytest.mark.parametrize("price", [-1, float("nan"), float("inf"), "two", None])
def test_a_price_that_is_none_never_reaches_a_tree(price):
    with pytest.raises((ValueError, TypeError), match="x0"):
        tw.Costs({"x0": price})


@pytest.mark.parametrize("gamma", [-1e-9, -1, float("nan"), float("inf"), "much"])
def test_a_gamma_that_makes_no_sense_is_named(gamma):
    with pytest.raises(ValueError, match="gamma"):
        grown(tw.Costs({"x0": 1}), gamma=gamma)


def test_a_gamma_beyond_all_prices_leaves_a_single_leaf():
    model = grown(tw.Costs({"x0": 1, "x1": 1, "x2": 1}), gamma=1e6)
    assert model.get_n_leaves() == 1
    assert tw.bill(model, *TWICE).upfront_cost == 0.0


@pytest.mark.parametrize("criterion", ["csgain", "mitchell", "idx", "eg2", "cs-id3"])
def test_a_table_of_free_tests_is_the_tree_without_prices(criterion):
    rng = np.random.default_rng(5)
    table, labels = rng.integers(0, 9, (60, 4)).astype(float), rng.integers(0, 3, 60)
    free = tw.Costs({f"x{feature}": 0 for feature in range(4)})
    settings = {"gamma": 2.0} if criterion in users_of("gamma") else {}
    priced = classifier(criterion, costs=free, **settings).fit(table, labels)
    blind = tw.CostTreeClassifier("entropy").fit(table, labels)
    assert shape(priced) == shape(blind)
    assert len(shape(blind)) > 20
