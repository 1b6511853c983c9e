"""Several frontiers in one picture."""

import pytest

import thriftwood as tw


def found(name, data, **how):
    return tw.frontier(tw.algorithm(name, costs=data.costs), data.X, data.y, cv=3, random_state=0, **how)


def test_a_line_for_each_frontier():
    data = tw.load_dataset("iris")
    costs = tw.Costs(default_price=2)
    lines = {
        name: tw.frontier(tw.algorithm(name, costs=costs), data.X, data.y, cv=3, random_state=0)
        for name in ("eg2", "csgain")
    }
    ax = tw.plot_frontiers(lines, log=True)
    assert ax.get_xscale() == "log"
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["eg2", "csgain"]
    drawn = [line for line in ax.get_lines() if line.get_linestyle() == "-"]
    for line, frontier in zip(drawn, lines.values(), strict=True):
        assert line.get_xdata().tolist() == frontier.pareto["sequential_cost"].tolist()
        assert line.get_ydata().tolist() == frontier.pareto["accuracy"].tolist()
    assert tw.plot_frontiers(lines, ax) is ax


def test_what_cannot_be_drawn_together():
    data = tw.load_dataset("golf-nominal")
    one = found("eg2", data)
    with pytest.raises(ValueError, match=r"different measures: 'a' by accuracy .*; 'b' by log_loss"):
        tw.plot_frontiers({"a": one, "b": one.by("log_loss")})
    with pytest.raises(TypeError, match="'a' is a str"):
        tw.plot_frontiers({"a": "frontier"})
    for nothing in ({}, [one]):
        with pytest.raises(TypeError, match="a mapping of names"):
            tw.plot_frontiers(nothing)
