"""Trees and estimators in a notebook."""

from html.parser import HTMLParser

import numpy as np
import pytest
from finished_trees import deep, golf, mixed, random_finished, regression
from sklearn import config_context

import thriftwood as tw
from thriftwood.models.tree.html import NODES_SHOWN, tree_html


class Tags(HTMLParser):
    """The tags of a text, and the words between them."""

    def __init__(self, text):
        super().__init__()
        self.opened, self.open, self.words = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.opened.append(tag)
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, text):
        self.words.append(text)


@pytest.mark.parametrize("made", [golf, mixed, regression])
def test_every_test_folds_and_every_leaf_is_a_line(made):
    tree = made()
    found = Tags(tree._repr_html_())
    assert found.open == []
    assert found.opened.count("summary") == tree.n_nodes - tree.n_leaves
    assert found.opened.count("div") == tree.n_leaves + 1


def test_it_says_what_the_text_says():
    said = " ".join(Tags(golf()._repr_html_()).words)
    for words in ("Outlook?", "price 4 · 14 cases (Yes: 9, No: 5)", "Outlook = Overcast:", "bill 4"):
        assert words in said


def test_names_are_text():
    X = {"<script>alert(1)</script>": ["<b>", "&amp;", "<b>"], "x": [1, 2, 3]}
    import pandas as pd

    tree = tw.CostTreeClassifier().fit(pd.DataFrame(X), ["</details>", "<i>", "</details>"]).tree_
    plain = tw.CostTreeClassifier().fit(pd.DataFrame({"a": ["b", "c", "b"], "x": [1, 2, 3]}), ["d", "e", "d"])
    assert Tags(tree_html(tree)).opened == Tags(tree_html(plain.tree_)).opened
    assert "<script>alert(1)</script>?" in " ".join(Tags(tree_html(tree)).words)


def test_a_deep_tree_is_cut_and_says_so():
    found = Tags(tree_html(deep(3000)))
    assert found.open == []
    assert found.opened.count("summary") < 100
    assert "more nodes not shown" in found.words[-1]


def test_a_large_tree_is_cut_and_says_so():
    rng = np.random.default_rng(0)
    tree = tw.CostTreeClassifier().fit(rng.normal(size=(4000, 3)), rng.integers(0, 2, 4000)).tree_
    assert tree.n_nodes > NODES_SHOWN
    found = Tags(tree_html(tree))
    assert found.opened.count("summary") + found.opened.count("div") - 1 == NODES_SHOWN
    assert f"{tree.n_nodes - NODES_SHOWN:,} more nodes" in found.words[-1]


@pytest.mark.parametrize("seed", range(10))
def test_any_tree_can_be_shown(seed):
    rng = np.random.default_rng(seed)
    assert Tags(tree_html(random_finished(rng, regression=bool(seed % 2)))).open == []


def test_an_estimator_shows_its_settings_and_once_fitted_its_tree():
    model = tw.CostTreeClassifier()
    assert "thriftwood-tree" not in model._repr_mimebundle_()["text/html"]
    model.fit([[1.0], [2.0]], ["no", "yes"])
    for shown in (model._repr_mimebundle_()["text/html"], model._repr_html_()):
        assert "sk-top-container" in shown  # scikit-learn's own diagram
        assert 'class="thriftwood-tree"' in shown


def test_an_estimator_is_text_where_scikit_learn_is():
    model = tw.CostTreeClassifier().fit([[1.0], [2.0]], ["no", "yes"])
    with config_context(display="text"):
        assert list(model._repr_mimebundle_()) == ["text/plain"]
        assert not hasattr(model, "_repr_html_")
