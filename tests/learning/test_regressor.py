"""`CostTreeRegressor`: the worked numbers, weights, and agreement with scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeRegressor

import thriftwood as tw

SIX = np.arange(1, 7).reshape(-1, 1)
TARGET = [1, 2, 2, 8, 9, 12]


def stump(criterion, **settings):
    return tw.CostTreeRegressor(criterion, growth=tw.Growth(max_depth=1, **settings))


def test_squared_error_of_six_numbers():
    core = stump("squared_error").fit(SIX, TARGET).tree_.core
    assert core.risk[0] == pytest.approx(105.333333, abs=1e-6)
    assert core.threshold[0] == 3.5
    assert core.risk[1:].sum() == pytest.approx(9.333333, abs=1e-6)
    assert core.gain[0] * 6 == pytest.approx(96)


def test_absolute_error_of_six_numbers():
    core = stump("absolute_error").fit(SIX, TARGET).tree_.core
    assert core.risk[0] == pytest.approx(24)
    assert core.threshold[0] == 3.5
    assert core.risk[1:].sum() == pytest.approx(5)
    assert core.values[:, 0].tolist() == [2, 2, 9]  # the lower median where there are two


def test_nominal_features_are_ordered_by_their_mean():
    colours = [["red"], ["blue"], ["green"], ["red"], ["blue"], ["green"]]
    model = stump("squared_error").fit(colours, [10, 1, 11, 10, 2, 12])
    assert model.predict([["red"], ["blue"], ["green"]]).tolist() == [10.75, 1.5, 10.75]


@given(st.integers(0, 2**32 - 1))
def test_squared_error_trees_are_as_good_as_scikit_learns(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (40, 3)).astype(float)
    y = rng.integers(0, 10, 40).astype(float)
    ours = tw.CostTreeRegressor(growth=tw.Growth(max_depth=1)).fit(X, y)
    theirs = DecisionTreeRegressor(max_depth=1, random_state=0).fit(X, y)
    np.testing.assert_allclose(
        ((ours.predict(X) - y) ** 2).sum(), ((theirs.predict(X) - y) ** 2).sum(), rtol=1e-9
    )


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_weights_count_as_repeats(criterion):
    rng = np.random.default_rng(0)
    X, y, weights = rng.random((40, 3)), rng.normal(size=40), rng.integers(0, 4, 40)
    weighted = tw.CostTreeRegressor(criterion, growth=tw.Growth(max_depth=3)).fit(X, y, weights)
    repeated = tw.CostTreeRegressor(criterion, growth=tw.Growth(max_depth=3)).fit(
        X.repeat(weights, axis=0), y.repeat(weights)
    )
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X))


@pytest.mark.parametrize(
    ("y", "words"),
    [
        ([1, 2, 3], "X has 6 rows and y has 3"),
        ([1, 2, np.nan, 4, 5, 6], r"Input y contains NaN.\nIt is in row 2"),
        ([1, 2, 3, 4, 5, np.inf], "Input y contains infinity"),
        (
            list("abcdef"),
            "y must hold numbers, and it holds values such as 'a'. For classes use CostTreeClassifier",
        ),
        (None, "requires y to be passed"),
    ],
)
def test_wrong_targets(y, words):
    with pytest.raises(ValueError, match=words):
        tw.CostTreeRegressor().fit(SIX, y)


def test_wrong_criterion():
    with pytest.raises(ValueError, match=r"one of 'squared_error', 'absolute_error'. Got 'gini'"):
        tw.CostTreeRegressor("gini").fit(SIX, TARGET)


def test_integers_and_lists_are_numbers():
    assert tw.CostTreeRegressor().fit(SIX, np.array(TARGET)).predict(SIX).tolist() == TARGET
    assert tw.CostTreeRegressor().fit(SIX.tolist(), TARGET).score(SIX, TARGET) == 1


def test_missing_values_spread_the_prediction():
    model = stump("squared_error").fit(SIX, TARGET)
    assert model.predict([[np.nan]])[0] == pytest.approx(np.mean(TARGET))


@pytest.mark.parametrize(
    "errors", [{"errors": {"a": {"b": 1}}}, {"errors": [[0, 1], [1, 0]]}, {"errors_default": 2}]
)
def test_costs_of_mistakes_are_for_classes(errors):
    prices = tw.Costs({"x0": 2}, **errors)
    with pytest.raises(
        ValueError, match=r"error costs, which are between classes.*costs\.replace\(errors=None"
    ):
        tw.CostTreeRegressor(costs=prices).fit(SIX, TARGET)
    priced = tw.CostTreeRegressor(costs=prices.replace(errors=None, errors_default=None)).fit(SIX, TARGET)
    assert tw.bill(priced, SIX).mean_test_cost == 2


def test_numbers_that_bins_would_round_away_are_warned_of():
    x = np.linspace(0.0, 1.0, 3000)
    y = np.where(x > 0.5, 0.75, 0.25) + 0.01 * x
    binned = tw.CostTreeRegressor(growth=tw.Growth(max_depth=2, bins=255))
    y[0] = 1e11
    with pytest.warns(UserWarning, match="rounded to steps of up to"):
        binned.fit(x[:, None], y, sample_weight=np.tile([1.1, 2.2, 3.3], 1000))
    binned.fit(x[:, None], y)  # 2^51 steps are enough, and a warning would be an error
    weights = np.tile([1.1, 2.2, 3.3], 1000)
    weights[0] = 0.0
    binned.fit(x[:, None], y, sample_weight=weights)  # what does not count is not rounded for


def test_numbers_most_of_which_are_alike_are_warned_of_too():
    """Claims: most are 0, some small, and one so large that with bins the small ones become 0."""
    x = np.arange(10.0).repeat(20)[:, None]
    y = 0.25 * (x[:, 0] > 6)
    y[0] = 1e17
    model = tw.CostTreeRegressor(growth=tw.Growth(bins=64))
    with pytest.warns(UserWarning, match=r"within 0.25 of their median.*rounded to steps of up to"):
        model.fit(x, y)


def test_weights_of_few_digits_leave_numbers_theirs():
    x = np.linspace(0.0, 1.0, 3000)
    y = np.where(x > 0.5, 0.75, 0.25)
    y[0] = 1e11
    for unit in (0.25, 1.0, 1024.0):  # a step of 2^-14, and of 4 where weights have all their bits
        weights = np.tile([1.0, 2.0, 3.0], 1000) * unit
        model = tw.CostTreeRegressor(growth=tw.Growth(max_depth=2, bins=255)).fit(
            x[:, None], y, sample_weight=weights
        )
        assert model.predict([[0.7]])[0] == 0.75
