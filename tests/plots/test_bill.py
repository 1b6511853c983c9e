"""The picture of a bill, and the frontier's other name."""

import numpy as np
import pytest
from evaluation.billed_trees import fitted, golf, mistakes
from evaluation.test_frontiers import F6_COST, F6_SCORE, made
from finished_trees import regression

import thriftwood as tw
from thriftwood.plots.bill import BENEFIT, MISTAKE, MISTAKES_SHOWN, TESTS_SHOWN, paid_mistakes, paid_tests


def lengths(ax):
    return [bar.get_width() for bar in ax.patches]


@pytest.mark.parametrize("seed", range(5))
def test_the_bars_add_up_to_the_mean_cost(plots, seed):
    model, X, y = fitted(seed, missing=0.1)
    prices = tw.Costs({"x0": 3, "x1": 1, "x2": 2, "x3": 0.5}, errors_default=7)
    bill = tw.bill(model, X, y, prices)
    assert sum(lengths(tw.plot_bill(bill))) == pytest.approx(bill.mean_cost)


def test_golf(plots):
    model, data = golf()
    ax = tw.plot_bill(tw.bill(model, data.X, data.y, data.costs))
    assert [label.get_text() for label in ax.get_yticklabels()] == ["Outlook", "Humidity", "Wind"]
    assert lengths(ax) == pytest.approx([4.0, 5 * 2 / 14, 5 * 0.5 / 14])
    assert "nobody tested, all answered Yes" in ax.get_title(loc="left")


def test_each_kind_of_mistake_has_a_bar_dearest_first(plots):
    bill = mistakes(errors={"a": {"b": 1, "c": 4}, "b": {"a": 2, "c": 3}, "c": {"a": 6, "b": 5}})
    assert [bar.name for bar in paid_mistakes(bill)] == [
        *("c, answered a", "c, answered b", "a, answered c"),
        *("b, answered c", "b, answered a", "a, answered b"),
    ]


def test_small_bars_are_added_up(plots):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 40))
    y = rng.integers(0, 5, 300)
    model = tw.CostTreeClassifier().fit(X, y)
    bill = tw.bill(model, X[::-1], y, tw.Costs(default_price=1))
    tests, wrong = paid_tests(bill), paid_mistakes(bill)
    assert (len(tests), len(wrong)) == (TESTS_SHOWN, MISTAKES_SHOWN)
    assert sum(bar.cost for bar in tests) == pytest.approx(bill.mean_test_cost)
    assert sum(bar.cost for bar in wrong) == pytest.approx(bill.mean_error_cost)
    assert "more tests" in tests[-1].name


def test_without_the_truth_there_are_tests_only(plots):
    model, data = golf()
    ax = tw.plot_bill(tw.bill(model, data.X, costs=data.costs))
    assert ax.get_title(loc="left") == "tests 4.89"


def test_nothing_paid_is_a_picture_too(plots):
    tree = regression()
    ax = tw.plot_bill(tw.bill(tree, np.zeros((3, 3)), costs=tw.Costs()))
    assert lengths(ax) == []
    ax.figure.canvas.draw()


def test_given_axes_are_kept(plots):
    model, data = golf()
    _, own = plots.subplots()
    assert tw.plot_bill(tw.bill(model, data.X, data.y, data.costs), own) is own


def test_the_frontier_has_one_picture_by_two_names(plots):
    found = made(F6_COST, F6_SCORE)
    one, other = tw.plot_frontier(found, within=0.05), found.plot(within=0.05)
    assert [t.get_text() for t in one.texts] == [t.get_text() for t in other.texts]
    assert one.get_legend_handles_labels()[1] == other.get_legend_handles_labels()[1]


def test_benefits_are_green_and_go_to_the_left(plots):
    bill = mistakes(errors={"a": {"a": -9, "b": 1, "c": 4}, "b": {"a": 2, "c": 3}, "c": {"a": 6, "b": 5}})
    bars = paid_mistakes(bill)
    assert (len(bars), bars[-1]) == (7, ("a, answered a", pytest.approx(-1), BENEFIT))  # of nine cases
    assert {bar.colour for bar in bars[:-1]} == {MISTAKE}
    assert min(lengths(tw.plot_bill(bill))) < 0


def test_what_is_drawn_must_be_what_was_wanted(plots):
    with pytest.raises(TypeError, match=r"Got CostTreeClassifier\. Make it first: tw\.bill\(model"):
        tw.plot_bill(golf()[0])
    with pytest.raises(TypeError, match=r"Got int\. Make it first: tw\.frontier\(model, X, y\)\."):
        tw.plot_frontier(5)
