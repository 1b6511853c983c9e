"""The picture of score cards: a panel for each stage, a dot for each value."""

import pytest
from random_cascades import random_cascade
from sklearn.pipeline import make_pipeline

import thriftwood as tw

SEED = 37  # three stages, two classes


@pytest.mark.parametrize("n_classes", [2, 3])
def test_each_value_is_a_dot_at_its_points(plots, n_classes):
    cascade = random_cascade(SEED, n_classes=n_classes)
    ax = tw.plot_tree(cascade)
    assert [panel.get_title() for panel in ax.child_axes] == ["stage 1", "stage 2", "stage 3"][
        : len(cascade.stages)
    ]
    for panel, stage in zip(ax.child_axes, cascade.stages, strict=True):
        drawn = [list(line.get_xdata()) for line in panel.lines if line.get_linestyle() == "-"][:-1]
        wanted = [
            [float(row[score]) for row in entry.points]
            for entry in stage.card.entries
            for score in range(len(stage.card.base))
        ]
        assert drawn == wanted
    names = [label.get_text() for label in ax.child_axes[0].get_yticklabels()]
    assert names == [cascade.feature_names[test] for test in cascade.order]


def test_it_is_drawn_where_it_is_told_and_of_estimators(plots):
    table = tw.load_dataset("wisconsin-diagnostic")
    model = make_pipeline(tw.ThriftClassifier(table.costs, leaves="score")).fit(table.X, table.y)
    _, ax = plots.subplots()
    assert tw.plot_tree(model, ax) is ax
    ax.figure.canvas.draw()


def test_names_with_dollars_are_no_formulas(plots):
    names = ["$\\frac", "b", "c", "d", "$e$"]
    tw.plot_tree(random_cascade(SEED, names=names)).figure.canvas.draw()


def test_what_cannot_be_drawn_is_told(plots, monkeypatch):
    with pytest.raises(ValueError, match="max_depth is for trees"):
        tw.plot_tree(random_cascade(SEED, besides=()), max_depth=2)
    monkeypatch.setattr("thriftwood.plots.cards.MOST_TESTS", 1)
    with pytest.raises(ValueError, match="cannot be read in a picture"):
        tw.plot_tree(random_cascade(SEED, besides=()))
