"""Settings of several learners in one picture."""

from matplotlib.figure import Figure

from thriftwood.experiments.tradeoffs import Tradeoffs, Tried
from thriftwood.plots import draw_tradeoffs, save_tradeoffs

FOUND = Tradeoffs(
    "what it costs",
    "microseconds",
    "accuracy",
    {
        "ours": (Tried("b", 20.0, 0.95, True), Tried("a", 2.0, 0.8, True), Tried("c", 30.0, 0.9, False)),
        "svm": (Tried("all", 100.0, 0.9, True),),
    },
)


def test_lines_go_through_the_settings_that_none_beats_from_cheap_to_dear():
    ax = Figure().subplots()
    draw_tradeoffs(FOUND, ax)
    lines = {line.get_label(): line for line in ax.get_lines()}
    assert list(lines["ours"].get_xdata()) == [2.0, 20.0]
    assert list(lines["ours"].get_ydata()) == [0.8, 0.95]
    assert lines["svm"].get_marker() == "*"
    faint = [list(line.get_xdata()) for line in ax.get_lines() if line.get_alpha()]
    assert faint == [[30.0], []]
    assert (ax.get_xscale(), ax.get_xlabel(), ax.get_title()) == ("log", "microseconds", "what it costs")


def test_the_picture_is_saved(tmp_path):
    save_tradeoffs(FOUND, tmp_path / "found.png")
    assert (tmp_path / "found.png").read_bytes().startswith(b"\x89PNG")
