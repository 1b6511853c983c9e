import numpy as np
import pytest

import thriftwood as tw
from thriftwood.evaluation.learning_curves import LearningCurve


def curve(**more):
    sizes, rng = np.array([27, 48, 85, 152, 270]), np.random.default_rng(0)
    cost = (20 + 100 * sizes**-0.5)[:, None] + rng.normal(size=(1, 10)).repeat(30, axis=1)
    return LearningCurve(sizes, cost, np.repeat(np.arange(10), 30), tw.Costs(**more))


def test_points_and_law_are_the_figures(plots):
    found = curve(case_name="patient", currency="$")
    ax = found.plot()
    lines = {line.get_label(): line for line in ax.get_lines()}
    beyond = lines["up to twice as many"]
    assert beyond.get_xdata()[-1] == pytest.approx(600)
    assert beyond.get_ydata()[-1] == pytest.approx(found.laws.at(600).mean)
    (points,) = [own for own in ax.containers if "unseen patients" in own.get_label()]
    assert points.lines[0].get_ydata() == pytest.approx(found.mean_cost)
    assert ax.get_title(loc="left") == found.sentence
    assert ax.get_ylabel() == "cost of an unseen patient ($)"
    ax.figure.canvas.draw()


def test_something_else_is_refused(plots):
    with pytest.raises(TypeError, match="Make it first"):
        tw.plot_learning_curve([0.1])
