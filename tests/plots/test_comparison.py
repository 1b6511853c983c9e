import pytest

from thriftwood.experiments import Comparison


def drawn(published, ours, errors=None, **layout):
    figure = pytest.importorskip("matplotlib.figure")
    from thriftwood.plots import draw_comparison

    ax = figure.Figure().subplots()
    rows, columns = tuple(ours), ("csgain", "idx")
    table = Comparison("Table", "ratio", "data", rows, columns, published, ours, errors or {}, **layout)
    draw_comparison(table, ax)
    return ax


def test_bars_are_ours_and_marks_are_published():
    figures = {"zoo": {"csgain": 0.5, "idx": 0.75}, "vehicle": {"csgain": 0.25, "idx": None}}
    ax = drawn({"zoo": {"csgain": 0.6, "idx": 0.9}}, figures, {"zoo": {"csgain": 0.05}})
    assert sorted(bar.get_height() for bar in ax.patches) == [0.25, 0.5, 0.75]
    marks = [y for lines in ax.collections for (_, y), _ in lines.get_segments() if len(lines.get_segments())]
    assert {0.6, 0.9} <= set(marks)
    assert [text.get_text() for text in ax.get_xticklabels()] == ["zoo", "vehicle"]
    assert {text.get_text() for text in ax.get_legend().get_texts()} == {"published", "csgain", "idx"}


def test_a_figure_far_above_the_others_is_cut_and_said():
    ax = drawn({"a": {"csgain": 9.0, "idx": 1.0}}, {"a": {"csgain": 1.0, "idx": 1.0}})
    assert ax.get_ylim()[1] == 3.0
    assert [text.get_text() for text in ax.texts] == ["9.00"]


def test_bars_that_are_cut_are_broken_and_most_are_not():
    figures = {f"row {i}": {"csgain": 0.01, "idx": 0.5} for i in range(20)} | {
        "last": {"csgain": 9.0, "idx": 0.5}
    }
    ax = drawn({}, figures)
    assert ax.get_ylim()[1] == pytest.approx(1.5)  # 3 times the median
    (gap,) = [line for line in ax.lines if line.get_color() == "white"]
    assert gap.get_xdata().mean() == pytest.approx(20 - 0.2)
    half = {f"row {i}": {"csgain": 0.01, "idx": 0.5 if i > 3 else 0.01} for i in range(20)}
    ax = drawn({}, half)
    assert ax.get_ylim()[1] == pytest.approx(0.54)
    assert not ax.texts


def test_powers_of_ten_are_drawn_as_such_and_none_is_cut():
    ax = drawn({}, {"a": {"csgain": 2.0, "idx": 400_000.0}}, logarithmic=True)
    assert ax.get_yscale() == "log"
    assert ax.get_ylim() == (1, 800_000)
    assert not ax.texts


def test_where_nothing_was_published_the_legend_does_not_say_so():
    ax = drawn({}, {"a": {"csgain": 1.0, "idx": 2.0}})
    assert {text.get_text() for text in ax.get_legend().get_texts()} == {"csgain", "idx"}


@pytest.mark.parametrize("value", [None, 0.0])
def test_nothing_to_draw_is_no_error(value):
    ax = drawn({}, {"a": {"csgain": value, "idx": value}})
    assert ax.get_ylim() == (0, 1)
