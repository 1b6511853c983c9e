"""The picture of a frontier."""

import sys

import numpy as np
import pytest
from evaluation.test_frontiers import F6_COST, F6_SCORE, clinic, made

import thriftwood as tw


def test_all_points_the_line_and_the_choice_are_drawn(plots):
    found = made(F6_COST, F6_SCORE, values=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    figure, own = plots.subplots()
    ax = found.plot(own, within=0.01)
    assert ax is own
    drawn = {tuple(xy) for line in ax.lines for xy in line.get_xydata().tolist()}
    assert set(zip(F6_COST, F6_SCORE, strict=True)) <= drawn
    texts = [text.get_text() for text in ax.texts]
    assert texts == ["0.5", "0.3", "0.6"]
    _, labels = ax.get_legend_handles_labels()
    assert "chosen: gamma=0.3" in labels
    assert "share of right answers" in ax.get_ylabel()
    assert "units of the prices" in ax.get_xlabel()
    figure.canvas.draw()


@pytest.mark.parametrize("accuracy", ["accuracy", "balanced_accuracy", "error_cost", "log_loss"])
@pytest.mark.parametrize("cost", ["sequential", "upfront"])
def test_every_pair_can_be_drawn(plots, accuracy, cost):
    X, y, _, costs = clinic()
    model = tw.CostTreeClassifier("csgain", costs=costs)
    found = tw.frontier(model, X, y, cv=3, random_state=0, accuracy=accuracy, cost=cost)
    ax = found.plot()
    ax.figure.canvas.draw()
    line = next(line for line in ax.lines if line.get_drawstyle() == "steps-post")
    np.testing.assert_array_equal(line.get_xdata(), found.costs[found.pareto_numbers])


def test_one_point_can_be_drawn(plots):
    found = made([4], [0.5])
    assert [text.get_text() for text in found.plot().texts] == ["0"]


def test_labels_do_not_lie_on_each_other(plots):
    rng = np.random.default_rng(0)
    cost = np.sort(rng.uniform(0, 10, 9))
    ax = made(
        cost.tolist(), np.linspace(0.8, 0.9, 9).tolist(), values=np.geomspace(1e-5, 1, 9).tolist()
    ).plot()
    ax.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert len(boxes) == 9
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_without_matplotlib_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        made(F6_COST, F6_SCORE).plot()
