import pytest

import thriftwood as tw


def curve(**more):
    X, y = [[1]] * 4 + [[2]] * 4, ["a", "b", "b", "b", "a", "a", "a", "b"]
    costs = tw.Costs({"x0": 6}, errors={"a": {"b": 100}, "b": {"a": 25}})
    model = tw.CostTreeClassifier(costs=costs).fit(X, y)
    return tw.decision_curve({"tree": model, **more}, X, y)


def test_lines_are_the_figures(plots):
    found = curve(today=[0.4] * 8)
    lines = {line.get_label(): line for line in found.plot().get_lines()}
    assert lines["tree, tests paid"].get_ydata() == pytest.approx(found.net_benefit("tree"))
    assert lines["its tests free"].get_ydata() == pytest.approx(found.net_benefit("tree", tests_paid=False))
    assert lines["today"].get_ydata() == pytest.approx(found.net_benefit("today"))
    assert lines["everybody called a"].get_ydata() == pytest.approx(found.net_benefit("all"))
    assert "nobody called a" in lines
    assert lines["the price list's threshold, 0.2"].get_xdata()[0] == 0.2


def test_it_is_drawn_where_one_says_and_dollars_are_dollars(plots):
    ax = plots.subplots()[1]
    assert tw.plot_decision_curve(curve(**{"a $ and a $": [0.4] * 8}), ax) is ax
    ax.figure.canvas.draw()
    assert r"a \$ and a \$" in [text.get_text() for text in ax.get_legend().get_texts()]


def test_something_else_is_refused(plots):
    with pytest.raises(TypeError, match="Make it first"):
        tw.plot_decision_curve([0.1])
