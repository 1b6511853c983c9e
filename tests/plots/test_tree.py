"""The picture of a tree: what is written where, and that nothing lies on anything else."""

import sys
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from finished_trees import deep, golf, mixed, random_finished, regression
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

import thriftwood as tw
from thriftwood.models.tree.palette import class_colour
from thriftwood.plots.axes import shortened
from thriftwood.plots.layout import drawn_nodes, rows_of

NASTY = "$\\frac$ of_a <b> & “very” long name that goes on and on"


def words(ax):
    return [text.get_text() for text in ax.texts]


def wide():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {NASTY: rng.choice([f"category {i}" for i in range(10)], 400), "age": rng.normal(size=400)}
    )
    y = (X[NASTY].str[-1].astype(int) + (X["age"] > 0)) % 3
    growth = tw.Growth(nominal="multiway", max_depth=2)
    return (
        tw.CostTreeClassifier("entropy", costs=tw.Costs({NASTY: 2, "age": 1}), growth=growth).fit(X, y).tree_
    )


def many_leaves():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(500, 4))
    return tw.CostTreeClassifier(growth=tw.Growth(max_leaves=60)).fit(X, rng.integers(0, 3, 500)).tree_


def test_every_node_says_its_test_or_its_answer_its_price_and_its_cases(plots):
    tree = golf()
    said = words(tw.plot_tree(tree))
    for node in tree:
        assert (str(node.answer) if node.is_leaf else node.test) in said
    assert "price 4 · 14 cases" in said
    assert said.count("4 cases · bill 4") == 1
    assert {"= Sunny", "<= 75"} <= set(said)


def test_prices_and_counts_can_be_left_out(plots):
    said = " ".join(words(tw.plot_tree(golf(), counts=False, prices=False)))
    assert not any(word in said for word in ("price", "bill", "cases"))


def test_a_tree_without_prices_shows_none(plots):
    assert "price" not in " ".join(words(tw.plot_tree(golf(costs=None))))


@pytest.mark.parametrize("made", [golf, mixed, wide, many_leaves, regression, lambda: deep(30)])
def test_words_do_not_lie_on_each_other(plots, made):
    ax = tw.plot_tree(made())
    ax.figure.set_dpi(150)  # letters are placed to the pixel, which moves small ones a little
    ax.figure.draw_without_rendering()
    boxes = [text.get_window_extent().shrunk(0.96, 0.8) for text in ax.texts if text.get_text()]
    assert len(boxes) >= 2
    frame = ax.get_window_extent()
    assert all(frame.x0 <= box.x0 and box.x1 <= frame.x1 for box in boxes)
    assert not any(a.overlaps(b) for place, a in enumerate(boxes) for b in boxes[:place])


def test_words_stay_in_their_boxes(plots):
    from matplotlib.patches import Rectangle

    ax = tw.plot_tree(wide())
    ax.figure.set_dpi(150)
    ax.figure.draw_without_rendering()
    boxes = [p.get_window_extent() for p in ax.patches if isinstance(p, Rectangle) and p.get_height() > 10]
    in_bold = [text for text in ax.texts if text.get_fontweight() == "bold"]
    assert len(in_bold) == wide().n_nodes
    for text in in_bold:
        own = text.get_window_extent()
        assert any(box.x0 <= own.x0 and own.x1 <= box.x1 and box.y0 <= own.y0 <= box.y1 for box in boxes)


def test_leaves_have_the_colour_of_their_answer(plots):
    from matplotlib.colors import to_hex
    from matplotlib.patches import Rectangle

    tree = golf()
    ax = tw.plot_tree(tree)
    filled = [p for p in ax.patches if isinstance(p, Rectangle) and p.get_alpha() is not None]
    leaves = [node for node in tree.preorder() if tree[node].is_leaf]
    assert [to_hex(p.get_facecolor()) for p in filled] == [class_colour(tree.flat.label[n]) for n in leaves]


def test_the_more_cases_the_wider_the_line(plots):
    from matplotlib.patches import PathPatch

    tree = golf()
    ax = tw.plot_tree(tree)
    widths = [p.get_linewidth() for p in ax.patches if isinstance(p, PathPatch)]
    weights = [tree.flat.weight[node] for node in tree.preorder() if node]
    assert np.corrcoef(widths, weights)[0, 1] == pytest.approx(1.0)


def test_the_upper_part_says_how_much_is_left_out(plots):
    tree = many_leaves()
    said = words(tw.plot_tree(tree, max_depth=1))
    children = tree.flat.children(0)
    below = [sum(1 for _ in tree.preorder(child)) - 1 for child in children]
    assert [word for word in said if "below" in word] == [
        f"{int(tree.flat.weight[c])} cases · {n} nodes below"
        for c, n in zip(children, below, strict=True)
        if n
    ]


def test_given_axes_are_kept_and_filled_at_most(plots):
    figure, (left, right) = plots.subplots(1, 2, figsize=(8, 5), layout="constrained", dpi=200)
    assert tw.plot_tree(wide(), left) is left
    assert tw.plot_tree(golf(), right) is right
    figure.draw_without_rendering()
    for ax in (left, right):
        frame = ax.get_window_extent()
        boxes = [text.get_window_extent() for text in ax.texts if text.get_text()]
        assert all(frame.x0 - 3 <= b.x0 and b.x1 <= frame.x1 + 3 for b in boxes)
        assert all(frame.y0 - 3 <= b.y0 and b.y1 <= frame.y1 + 3 for b in boxes)


def test_dollar_signs_are_no_formulas_and_long_names_are_cut_in_the_middle(plots):
    ax = tw.plot_tree(wide())
    assert shortened(NASTY, 26) in words(ax)
    ax.figure.canvas.draw()  # a formula that cannot be read would raise


def test_models_and_pipelines_are_drawn_as_their_tree(plots):
    X, y = [[1.0], [2.0], [3.0]], ["a", "a", "b"]
    model = make_pipeline(FunctionTransformer(), tw.CostTreeClassifier()).fit(X, y)
    assert words(tw.plot_tree(model)) == words(tw.plot_tree(model[-1].tree_))


def test_one_leaf_is_a_picture_too(plots):
    ax = tw.plot_tree(tw.CostTreeClassifier().fit([[1.0], [1.0]], ["a", "a"]))
    assert words(ax) == ["a", "2 cases"]


def test_what_nobody_could_read_is_refused_in_words(plots):
    with pytest.raises(ValueError, match=r"depth 500; .*max_depth=3"):
        tw.plot_tree(deep(500))
    tw.plot_tree(deep(500), max_depth=3)


def test_something_else_is_refused(plots):
    with pytest.raises(TypeError, match="Got list"):
        tw.plot_tree([1, 2])


def test_without_matplotlib_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        tw.plot_tree(golf())


@pytest.mark.parametrize("seed", range(20))
def test_ends_have_rows_of_their_own_and_parents_stand_between_their_children(seed):
    tree = random_finished(np.random.default_rng(seed), n_tests=12)
    nodes = drawn_nodes(tree, seed % 4 if seed % 2 else None)
    rows, n_rows = rows_of(tree, nodes)
    assert set(rows) == set(nodes)
    ends = [rows[n] for n in nodes if not any(c in rows for c in tree.flat.children(n))]
    assert sorted(ends) == list(range(n_rows))
    for depth in set(tree.flat.depth):
        column = sorted(rows[n] for n in nodes if tree.flat.depth[n] == depth)
        assert all(b - a >= 1 for a, b in pairwise(column))
    for node in nodes:
        children = [rows[c] for c in tree.flat.children(node) if c in rows]
        assert not children or min(children) <= rows[node] <= max(children)


def test_what_is_drawn_must_have_a_tree(plots):
    with pytest.raises(TypeError, match=r"A tree is drawn of a fitted tree estimator.* Got int"):
        tw.plot_tree(5)
    with pytest.raises(NotFittedError, match="Call fit before drawing it"):
        tw.plot_tree(tw.CostTreeClassifier())


def test_the_tree_of_a_pipeline_is_drawn(plots):
    pipe = make_pipeline(StandardScaler(), tw.CostTreeClassifier()).fit([[1.0], [2.0]], ["a", "b"])
    assert "x0" in [text.get_text() for text in tw.plot_tree(pipe).texts]
