"""The page: one file, nothing to load, every name escaped, bounded in size."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from evaluation.billed_trees import golf
from finished_trees import deep, random_finished, random_row, regression, table_of
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import thriftwood as tw
from thriftwood.evaluation.statement import amount
from thriftwood.report import make_report
from thriftwood.report.cases import DEAREST, SPREAD
from thriftwood.report.points import own_point

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!-- <script>",
    "\"' onmouseover='alert(1)",
    "]]>",
    "&lt;b&gt; &amp;",
    "$title ${data}",
    "\u2028 \u202e שלום 数据 🌲",
    "\x00\n\t",
    "",
]


class Page(HTMLParser):
    """The elements of a page: names and attributes, without the texts."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.texts, self.scripts = [], [], []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, tuple(name for name, _ in attributes)))

    def handle_data(self, text):
        self.texts.append(text)

    def handle_comment(self, text):
        raise AssertionError(f"no comment is written, but here is one: {text}")


def data_of(html):
    return json.loads(
        re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)[1]
    )


def golf_page(**settings):
    model, data = golf()
    return make_report(model, data.X, data.y, costs=data.costs, **settings)


def small(names=("a", "b"), categories=("p", "q"), labels=("no", "yes"), **settings):
    """A page of a small table with given names, categories and classes."""
    X = pd.DataFrame({names[0]: [categories[i % 2] for i in range(12)], names[1]: np.arange(12.0)})
    y = np.array([labels[(i % 2) ^ (i > 8)] for i in range(12)], dtype=object)
    costs = tw.Costs({names[0]: tw.Test(2, needs=[names[0]]), names[1]: 1}, {names[0]: 1}, errors_default=3)
    model = tw.CostTreeClassifier("entropy", costs=costs, growth=tw.Growth(nominal="multiway")).fit(X, y)
    return model.report(X, y, **settings)


def test_nothing_is_loaded_and_nothing_else_may_run():
    html = golf_page().html
    page = Page(html)
    assert not {"src", "href", "srcset", "action", "style", "onclick"} & {
        name for tag, names in page.elements for name in names if tag not in {"a"}
    }
    assert not {"link", "img", "iframe", "object", "embed", "form"} & {tag for tag, _ in page.elements}
    assert set(re.findall(r"https?://[^\s\"']+", html)) == {"http://www.w3.org/2000/svg"}
    assert "@import" not in html
    assert "url(" not in html
    assert re.findall(r'href="([^"]*)"', html) == [
        *("#bill", "#tree", "#bill", "#answers", "#expected", "#frontier", "#settings")
    ]


@pytest.mark.parametrize(("element", "name"), [("script", "script-src"), ("style", "style-src")])
def test_the_policy_allows_the_one_script_and_the_one_style_sheet(element, name):
    html = golf_page().html
    (content,) = re.findall(rf"<{element}>(.*?)</{element}>", html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
    assert f"{name} 'sha256-{digest}'" in html
    assert "default-src 'none'" in html


def test_it_shows_the_sums_the_bill_has():
    html = golf_page().html
    model, data = golf()
    bill = tw.bill(model, data.X, data.y, data.costs)
    assert f"{bill.mean_cost:.2f}" in html
    assert "100.0 %" in html
    content = data_of(html)
    assert [node["id"] for node in content["nodes"]] == list(model.tree_.preorder())
    assert content["nodes"][0]["price"] == "price 4"
    assert content["nodes"][0]["here"] == {"cases": "14", "counts": [[1, "Yes", "9"], [0, "No", "5"]]}
    assert len(content["cases"]) == 14
    assert [case["tests"] for case in content["cases"]] == [amount(c) for c in bill.test_cost]


def test_the_confusion_matrix_counts_and_charges():
    X, y = [[0.0], [0.0], [1.0], [1.0]], ["a", "a", "b", "b"]
    model = tw.CostTreeClassifier().fit(X, y)
    html = model.report(X, ["a", "b", "b", "b"], costs=tw.Costs(errors={"b": {"a": 50}, "a": {"b": 7}})).html
    assert '<td class="num deep4">1<small>50</small></td>' in html
    assert '<td class="num right">2<small>0</small></td>' in html


def test_the_prices_shown_are_those_charged():
    model, data = golf(costs=tw.Costs({"Outlook": 99}))
    nodes = data_of(model.report(data.X, data.y, costs=data.costs).html)["nodes"]
    assert nodes[0]["price"] == "price 4"


def frontier_of(model, data):
    return tw.frontier(model, data.X, data.y, values=[0.0, 0.01, 1.0], cv=3, random_state=0)


def test_the_chosen_point_is_the_models_own_or_the_cheapest():
    data = tw.load_dataset("golf-nominal")
    model = tw.algorithm("csgain", costs=data.costs, gamma=0.01).fit(data.X, data.y)
    found = frontier_of(model, data)
    content = data_of(model.report(data.X, data.y, frontier=found).html)["frontier"]
    assert [point["chosen"] for point in content["points"]] == [False, True, False]
    assert content["chosenIs"] == "this model"
    other = tw.algorithm("c45", costs=data.costs).fit(data.X, data.y)
    content = data_of(other.report(data.X, data.y, frontier=found).html)["frontier"]
    chosen = [place for place, point in enumerate(content["points"]) if point["chosen"]]
    assert chosen == [found.cheapest_number()]
    assert [p["pareto"] for p in content["points"]] == [n in found.pareto_numbers for n in range(3)]


@pytest.mark.parametrize(
    "other",
    [
        {"criterion": "idx"},
        {"criterion": "mitchell"},
        {"pruning": tw.Pessimistic()},
        {"growth": tw.Growth(max_depth=1)},
        {"costs": None},
    ],
)
def test_a_model_with_other_settings_is_no_point(other):
    data = tw.load_dataset("golf-nominal")
    model = tw.CostTreeClassifier(tw.CsGain(gamma=0.01), costs=data.costs)
    found = frontier_of(model, data)
    assert own_point(found, model.set_params(random_state=3, n_jobs=2)) == 1
    assert own_point(found, model.set_params(**other)) is None


def test_priors_in_an_array_are_compared():
    data = tw.load_dataset("golf-nominal")
    model = tw.CostTreeClassifier(tw.CsGain(gamma=0.01), costs=data.costs, priors=np.array([0.3, 0.7]))
    found = frontier_of(model, data)
    assert own_point(found, model) == 1
    assert own_point(found, model.set_params(priors=np.array([0.5, 0.5]))) is None
    assert own_point(found, model.set_params(priors=None)) is None


def test_something_else_for_a_frontier_is_refused():
    with pytest.raises(TypeError, match="Got list"):
        golf_page(frontier=[1, 2])


def test_a_model_without_costs_needs_some():
    model, data = golf()
    with pytest.raises(ValueError, match="Pass costs="):
        model.report(data.X, data.y)


def test_it_is_saved_as_it_is(tmp_path):
    page = golf_page(path=tmp_path / "a.html", title="Ünïcode ✓")
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == page.html
    assert page.save(str(tmp_path / "b.htm")) == tmp_path / "b.htm"
    assert repr(page) == "<Report 'Ünïcode ✓': 14 cases, 8 nodes>"


@pytest.mark.parametrize("name", ["x.pdf", "page", "page.html.gz"])
def test_a_name_that_no_browser_opens_is_refused_and_nothing_is_written(tmp_path, name):
    with pytest.raises(ValueError, match=r"A report is a \.html file\. Got .* Name it "):
        golf_page(path=tmp_path / name)
    with pytest.raises(ValueError, match=r"A report is a \.html file"):
        golf_page().save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_the_same_input_gives_the_same_page():
    assert golf_page().html == golf_page().html


def test_a_notebook_shows_it_in_a_frame_of_its_own():
    shown = golf_page()._repr_html_()
    assert Page(shown).elements == [("iframe", ("sandbox", "srcdoc", "title", "width", "height", "style"))]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_text(name, tmp_path):
    plain = Page(small().html)
    for given_names in (
        {"names": (name, "b")},
        {"categories": (name, "q")},
        {"labels": (name, "yes")},
        {"title": name},
    ):
        page = small(**given_names, path=tmp_path / "page.html")
        assert Page(page.html).elements == plain.elements


def test_half_a_character_can_be_saved(tmp_path):
    page = small(labels=("\ud800", "yes"), title="\udfff", path=tmp_path / "page.html")
    assert Page(page.html).elements == Page(small().html).elements


WORDS = st.text(min_size=1, max_size=30)


@settings(max_examples=60)
@given(WORDS, WORDS, WORDS, WORDS)
def test_any_name_is_text(feature, category, label, title):
    # A letter before each makes two different names of two equal words.
    page = small(("b" + feature, "b"), ("p" + category, "p"), ("n" + label, "n"), title=title)
    assert Page(page.html).elements == Page(small().html).elements
    assert data_of(page.html)["nodes"][0]["id"] == 0


@pytest.mark.parametrize("seed", range(12))
def test_any_tree_has_a_page(seed):
    rng = np.random.default_rng(seed)
    tree = random_finished(rng, regression=seed % 4 == 0, surrogates=seed % 3 == 0)
    table = table_of(tree, [random_row(rng, missing=0.2) for _ in range(9)])
    page = make_report(tree, table, costs=tw.Costs(default_price=float(seed % 5)))
    content = data_of(page.html)
    assert len(content["nodes"]) == tree.n_nodes
    bill = tw.bill(tree, table, costs=tw.Costs(default_price=float(seed % 5)))
    assert [case["tests"] for case in content["cases"]] == [amount(cost) for cost in bill.test_cost]
    assert float(content["nodes"][0]["here"]["cases"]) == 9


def test_very_long_names_are_cut():
    assert len(small(("f" * 100_000, "b"), ("c" * 100_000, "q")).html) < 200_000


def test_the_list_of_cases_of_a_large_table_is_short_and_has_the_dearest():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5000, 3))
    y = (X[:, 0] + rng.normal(size=5000) > 0).astype(int)
    model = tw.CostTreeClassifier(
        costs=tw.Costs(default_price=1, errors_default=10), growth=tw.Growth(max_depth=5)
    )
    page = model.fit(X, y).report(X, y)
    cases = data_of(page.html)["cases"]
    assert SPREAD <= len(cases) <= DEAREST + SPREAD
    assert len(page.html) < 400_000
    bill = tw.bill(model, X, y)
    dearest = float(np.max(bill.test_cost + bill.error_cost))
    assert f"{dearest:g}" in {case["cost"] for case in cases}
    assert "5,000 cases are listed: the 50 dearest and 150 evenly spaced ones" in page.html


def test_a_large_tree_is_cut_at_a_depth():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(9000, 3)), rng.integers(0, 2, 9000)
    model = tw.CostTreeClassifier(costs=tw.Costs()).fit(X, y)
    content = data_of(model.report(X[:300], y[:300]).html)
    nodes = content["nodes"]
    assert model.tree_.n_nodes > 3000 >= len(nodes)
    assert len(nodes) + sum(node["below"] for node in nodes) == model.tree_.n_nodes
    assert any(step["node"] is None for case in content["cases"] for step in case["steps"])


def test_a_very_deep_tree():
    page = make_report(deep(2500), [[0.0], [3000.0]], costs=tw.Costs({"x0": 1}))
    assert len(data_of(page.html)["nodes"]) < 3000


def test_without_the_truth():
    model, data = golf()
    html = make_report(model, data.X, costs=data.costs).html
    assert "the true classes (y) were not given" in html
    assert "by answer" in html
    assert data_of(html)["cases"][0]["actual"] is None


def test_a_regression_tree():
    html = make_report(regression(), np.zeros((3, 3)), costs=tw.Costs(default_price=1)).html
    assert "a regression tree answers with numbers" in html
    assert data_of(html)["nodes"][0]["counts"] == []


def test_many_classes_are_listed_by_pairs():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 2)), rng.integers(0, 30, 400)
    model = tw.CostTreeClassifier(costs=tw.Costs(errors_default=2), growth=tw.Growth(max_depth=4)).fit(X, y)
    assert "30 classes: the 30 pairs that cost most" in model.report(X, y).html


def test_one_leaf():
    model = tw.CostTreeClassifier(costs=tw.Costs()).fit([[1.0], [1.0]], ["a", "b"])
    html = model.report([[1.0]], ["b"]).html
    assert "The tree asks for no test." in html


def test_sparse_tables_pipelines_and_searches():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, size=(60, 5)).astype(float)
    y = (X[:, 1] > 0).astype(int)
    costs = tw.Costs(default_price=1)
    model = tw.CostTreeClassifier(costs=costs).fit(csr_matrix(X), y)
    dense, sparse = model.report(X, y), model.report(csr_matrix(X), y)
    assert data_of(dense.html) == data_of(sparse.html)
    pipe = make_pipeline(FunctionTransformer(), tw.CostTreeClassifier(costs=costs)).fit(X, y)
    assert make_report(pipe, X, y).n_nodes == 3
    search = GridSearchCV(tw.CostTreeClassifier(costs=costs), {"growth__max_depth": [1, 2]}, cv=2).fit(X, y)
    assert make_report(search, X, y).n_nodes == 3


def test_a_missing_value_spreads_a_case_over_branches():
    data = tw.load_dataset("golf-nominal", frame="pandas")
    model = tw.algorithm("c45", costs=data.costs).fit(data.X, data.y)
    X = data.X.astype(object).iloc[:1].copy()
    X.loc[:, "Outlook"] = None
    (case,) = data_of(model.report(X, data.y[:1]).html)["cases"]
    assert [step["value"] for step in case["steps"][:2]] == ["missing", "High"]
    assert [round(step["share"], 4) for step in case["steps"][:2]] == [1.0, round(5 / 14, 4)]
