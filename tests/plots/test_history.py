"""The picture of an evolution."""

import numpy as np
import pytest

import thriftwood as tw


def test_the_lines_are_the_history(plots, days_model):
    ax = tw.plot_history(days_model)
    lines = {line.get_label(): line.get_ydata() for line in ax.get_lines()}
    assert np.array_equal(lines["mean of the generation"], days_model.history_["mean_cost"])
    assert np.array_equal(lines["best of the generation"], days_model.history_["best_cost"])
    assert np.array_equal(lines["best so far"], days_model.history_["best_so_far"])
    assert days_model.plot_history(ax) is ax


def test_an_unfitted_model_has_no_history(plots):
    with pytest.raises(ValueError, match="not fitted"):
        tw.plot_history(tw.EccoClassifier())


def test_a_model_that_did_not_evolve_is_named(plots):
    with pytest.raises(TypeError, match="draws an evolution, and CostTreeClassifier has none"):
        tw.plot_history(tw.CostTreeClassifier().fit([[1], [2]], [0, 1]))


def test_generations_are_whole_numbers(plots, days_model):
    ticks = tw.plot_history(days_model).get_xticks()
    assert np.array_equal(ticks, ticks.round())


@pytest.fixture
def days_model():
    days = tw.load_dataset("golf-nominal")
    return tw.IcetClassifier(days.costs, evolution=tw.Evolution(trials=200), random_state=0).fit(
        days.X, days.y
    )
