"""The page in a real browser: nothing is fetched, nothing goes wrong, and everything can be reached.

Needs the extra ``browser``, a part of ``dev``, and a Chromium (``apt install chromium``, or ``$CHROMIUM``).
Pictures of the page are left in ``build/screenshots``.
"""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from browsing import chromium
from sklearn.model_selection import train_test_split

import thriftwood as tw

PICTURES = Path(__file__).parents[2] / "build" / "screenshots"
PATIENCE = 0  # milliseconds, and 0 is without end: pytest has a clock, and a machine may be busy
HOSTILE = "</script><img src=x onerror=alert(1)>'\"&"


def sync_api():
    return pytest.importorskip("playwright.sync_api", reason="needs the extra browser")


@pytest.fixture(scope="module")
def browser():
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def clinic(tmp_path_factory):
    """A page with a frontier, of cases the model has not seen."""
    data = tw.load_dataset("wisconsin-diagnostic", frame="pandas")
    X, X_new, y, y_new = train_test_split(data.X, data.y, stratify=data.y, random_state=0)
    costs = data.costs.replace(case_name="patient", currency="EUR")
    model = tw.algorithm("csgain", costs=costs, gamma=0.002).fit(X, y)
    found = tw.frontier(model, X, y, values=[0.0005, 0.001, 0.002, 0.005, 0.01, 0.02], cv=5, random_state=0)
    file = tmp_path_factory.mktemp("report") / "clinic.html"
    model.report(X_new, y_new, file, frontier=found, title="Breast cancer: which tests to pay for")
    return file, model, tw.bill(model, X_new, y_new), found


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A page of a large tree with names that a careless page would run."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(900, 4)), columns=[HOSTILE, "b", "$x$", "d" * 80])
    X["kind"] = rng.choice([f"<b>{i}</b>" for i in range(10)], 900)
    y = np.where(X["b"] + rng.normal(size=900) > 0, "</title>", "<i>no")
    costs = tw.Costs(default_price=1, errors_default=5)
    growth = tw.Growth(nominal="multiway", min_branch_weight=3)
    model = tw.CostTreeClassifier("entropy", costs=costs, growth=growth).fit(X, y)
    file = tmp_path_factory.mktemp("report") / "large.html"
    model.report(X, y, file, title=HOSTILE)
    return file, model


@pytest.fixture(scope="module")
def delayed(tmp_path_factory):
    """A page of a small tree whose first test comes late, in the words of a clinic."""
    X = pd.DataFrame({"TSH": [1, 2] * 12, "T3": [1, 1, 2, 2] * 6})
    y = np.where((X["TSH"] == 1) & (X["T3"] == 1), "well", "ill")
    tests = {"TSH": tw.Test(20, delayed=True), "T3": 10}
    costs = tw.Costs(tests, errors_default=100, case_name="patient", currency="EUR")
    model = tw.CostTreeClassifier("entropy", costs=costs).fit(X, y)
    file = tmp_path_factory.mktemp("report") / "delayed.html"
    model.report(X, y, file)
    return file, model


@pytest.fixture
def visit(browser):
    """Open a file; at the end of the test, say what was fetched and what went wrong."""
    opened = []

    def opener(file, **settings):
        context = browser.new_context(viewport={"width": 1360, "height": 900}, **settings)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        wrong, fetched = [], []
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: (wrong.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: fetched.append(request.url))
        page.goto(file.as_uri())
        opened.append((context, wrong, fetched, file))
        return page

    yield opener
    for context, wrong, fetched, file in opened:
        context.close()
        assert wrong == []
        assert fetched == [file.as_uri()]


def picture(page, name, **settings):
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png", **settings)


def resize(page, width, height):
    """Change the size of the window, and wait until the page has heard of it."""
    page.evaluate("() => { window.heard = new Promise(done => window.addEventListener('resize', done)); }")
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("() => window.heard.then(() => true)")


def shown(page):
    """The numbers of the nodes that are drawn."""
    return [int(n) for n in page.eval_on_selector_all(".node", "all => all.map(node => node.dataset.node)")]


def node(page, number):
    return page.locator(f".node[data-node='{number}']")


def view_box(page):
    return [float(part) for part in page.get_attribute("#tree-view", "viewBox").split()]


def test_it_opens_without_a_network_and_without_an_error(visit, clinic):
    file, model, bill, _ = clinic
    page = visit(file, offline=True)
    assert page.title() == "Breast cancer: which tests to pay for"
    assert sorted(shown(page)) == list(range(model.tree_.n_nodes))
    assert f"{bill.mean_cost:.2f}" in page.inner_text(".tiles")
    picture(page, "light", full_page=True)


def test_a_click_folds_and_unfolds(visit, clinic):
    file, model, _, _ = clinic
    page = visit(file)
    below = set(model.tree_.preorder(1)) - {1}
    assert below
    node(page, 1).click()
    assert set(shown(page)) == set(range(model.tree_.n_nodes)) - below
    assert node(page, 1).get_attribute("aria-expanded") == "false"
    node(page, 1).click()
    assert len(shown(page)) == model.tree_.n_nodes


def test_the_keyboard_walks_and_folds(visit, clinic):
    file, model, _, _ = clinic
    page = visit(file)
    page.focus("#fold")
    page.keyboard.press("Tab")
    focused = "document.activeElement.dataset.node"
    assert page.evaluate(focused) == "0"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) == "1"
    assert page.is_visible("#tip")
    page.keyboard.press("Enter")
    assert page.evaluate(focused) == "1"
    assert len(shown(page)) < model.tree_.n_nodes
    page.keyboard.press("ArrowDown")
    assert page.evaluate(focused) == "2"
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(focused) == "0"
    before = view_box(page)
    page.keyboard.press("+")
    assert view_box(page)[2] == pytest.approx(before[2] / 1.2)
    page.keyboard.press("Escape")
    assert not page.is_visible("#tip")


def test_pointing_at_a_node_tells_its_counts_prices_and_who_passes(visit, clinic):
    file, model, bill, _ = clinic
    page = visit(file)
    node(page, 1).hover()
    said = page.inner_text("#tip")
    one = model.tree_[1]
    assert str(one.condition) in said
    assert f"{one.weight:g}" in said
    assert all(f"{label}: {count:g}" in said for label, count in one.counts.items() if count)
    assert "patients of this page" in said
    assert bill.n_cases > 0
    picture(page, "node")
    page.mouse.move(5, 5)
    assert not page.is_visible("#tip")


def test_zoom_and_movement(visit, clinic):
    page = visit(clinic[0])
    first = view_box(page)
    page.click("#zoom-in")
    assert view_box(page)[2] == pytest.approx(first[2] / 1.25)
    at = page.locator("#tree-view").bounding_box()
    corner = (at["x"] + at["width"] - 20, at["y"] + at["height"] - 12)
    page.mouse.move(*corner)
    page.mouse.down()
    page.mouse.move(corner[0] - 80, corner[1] - 40)
    page.mouse.up()
    moved = view_box(page)
    page.click("#fit")
    fitted = view_box(page)
    assert moved[0] > first[0]
    assert fitted[0] <= 14
    assert fitted[2] >= first[2]


def test_pointing_at_the_frontier_tells_value_score_and_cost(visit, clinic):
    file, _, _, found = clinic
    page = visit(file)
    points = page.locator("#frontier-chart .point[tabindex]")
    assert points.count() == len(found)
    chosen = page.locator("#frontier-chart .point.chosen[tabindex]")
    assert chosen.count() == 1
    chosen.hover()
    said = page.inner_text("#tip")
    own = found[found.values.index(0.002)]
    assert "0.002" in said
    assert f"{own.score:.4f}" in said
    assert f"{own.cost:.2f}" in said
    assert "this model" in said
    picture(page, "frontier")
    points.first.focus()
    assert page.inner_text("#tip") != said


def test_the_path_of_a_case_is_shown_with_its_running_bill(visit, clinic):
    file, model, bill, _ = clinic
    page = visit(file)
    place = int(np.argmax(bill.test_cost))
    page.focus("#case")
    page.select_option("#case", str(place))
    lit = page.eval_on_selector_all(".node.on", "all => all.map(node => Number(node.dataset.node))")
    table = bill.per_case.iloc[place]
    asked = [model.tree_[n].test for n in lit if model.tree_[n].test]
    assert list(dict.fromkeys(asked)) == table["tests"]  # a test that is asked again was paid before
    assert lit == model.tree_.path(lit[-1])
    assert model.tree_[lit[-1]].is_leaf
    rows = page.locator("#journey tbody tr")
    assert rows.count() == len(asked)
    assert rows.last.locator("td").last.inner_text() == f"{table['test_cost']:g}"
    assert str(table["predicted"]) in page.inner_text("#journey")
    picture(page, "case")
    page.click("#no-case")
    assert page.locator(".node.on").count() == 0
    assert page.inner_text("#journey") == ""


def test_the_list_of_cases_can_be_searched(visit, clinic):
    file, _, bill, _ = clinic
    page = visit(file)
    options = page.locator("#case option")
    assert options.count() == bill.n_cases
    page.check("#mistakes")
    assert options.count() == bill.n_errors
    page.uncheck("#mistakes")
    page.fill("#find", f"row {bill.index[7]} ")
    assert options.count() == 1
    page.fill("#find", "no case has this name")
    assert options.all_inner_texts() == ["no such patient"]


def test_light_and_dark(visit, clinic):
    background = "getComputedStyle(document.body).backgroundColor"
    page = visit(clinic[0], color_scheme="dark")
    dark = page.evaluate(background)
    picture(page, "dark", full_page=True)
    page.click("#theme")
    light = page.evaluate(background)
    assert (dark, light) == ("rgb(18, 24, 31)", "rgb(255, 255, 255)")
    assert page.inner_text("#theme") == "Dark"


@pytest.mark.parametrize("width", [1280, 900, 390])
@pytest.mark.parametrize("which", ["clinic", "large", "delayed"])
def test_no_tree_is_cut_off_or_too_small_to_read(visit, request, which, width):
    page = visit(request.getfixturevalue(which)[0])
    resize(page, width, 800)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    frame = page.locator("#tree-view").bounding_box()
    boxes = page.eval_on_selector_all(
        ".node .box",
        "all => all.map(b => { const r = b.getBoundingClientRect(); return [r.x, r.right, r.y, r.bottom]; })",
    )
    left, right, top, bottom = np.array(boxes).T
    assert left.min() >= frame["x"] - 1
    assert right.max() <= frame["x"] + frame["width"] + 1
    assert top.min() >= frame["y"] - 1
    assert bottom.max() <= frame["y"] + frame["height"] + 1
    assert (bottom - top).min() >= 0.74 * 42  # of their full height, and so are the letters in them
    outside = page.eval_on_selector_all(
        ".node",
        """all => all.filter(n => { const end = n.querySelector(".box").getBoundingClientRect().right + 1;
        return [...n.querySelectorAll("text")].some(t => t.getBoundingClientRect().right > end); }).length""",
    )
    assert outside == 0  # no text beyond its box
    picture(page, f"{which}_{width}", full_page=True)


def test_a_delayed_test_says_what_is_ordered_with_it(visit, delayed):
    page = visit(delayed[0])
    words = page.text_content("#tree-view")
    assert "price 30 EUR with T3 · 24 patients" in words
    assert "paid before" in words
    node(page, 0).hover()
    said = page.inner_text("#tip")
    assert "ordered with it: TSH 20 EUR, T3 10 EUR" in said
    assert "patients learnt from" in said


def test_settings_are_behind_a_fold(visit, clinic):
    page = visit(clinic[0])
    assert not page.is_visible("#settings table")
    page.click("#settings summary")
    assert page.is_visible("#settings table")


CUT = "all => all.filter(t => t.scrollWidth > t.clientWidth).map(t => t.getAttribute('aria-label'))"
REACHED = "all => all.filter(t => t.tabIndex === 0).map(t => t.getAttribute('aria-label'))"


@pytest.mark.parametrize("width", [1280, 1100, 900])
def test_no_table_of_ordinary_names_is_cut(visit, clinic, width):
    page = visit(clinic[0])
    resize(page, width, 900)
    assert page.eval_on_selector_all(".scroll", CUT) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    picture(page, f"wide_{width}", full_page=True)


def test_tables_that_scroll_and_no_others_are_reached_with_tab(visit, clinic):
    page = visit(clinic[0])
    assert page.eval_on_selector_all(".scroll", REACHED) == []
    resize(page, 390, 800)
    cut = page.eval_on_selector_all(".scroll", CUT)
    assert cut == ["the frontier in numbers"]
    assert page.eval_on_selector_all(".scroll", REACHED) == cut


def on_paper(page):
    """Have the page laid out for paper, and wait until its script has heard of it."""
    page.emulate_media(media="print")
    whole = re.compile("^0 0 ")  # from the upper left corner
    sync_api().expect(page.locator("#tree-view")).to_have_attribute("viewBox", whole, timeout=600_000)


def sheets(page, name):
    """Print the page on A4 and count the sheets."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    printed = page.pdf(path=PICTURES / f"{name}.pdf", format="A4")
    assert printed[:4] == b"%PDF"
    return len(re.findall(rb"/Type\s*/Page\b", printed))


def test_paper_shows_a_deep_tree_as_an_outline_and_no_buttons(visit, clinic):
    file, model, _, _ = clinic
    page = visit(file)
    resize(page, 760, 1000)
    on_paper(page)
    assert not page.is_visible(".tools")
    assert "reach it with Tab" not in page.inner_text("#frontier-note")
    assert not page.is_visible("#tree-view")  # its letters would be too small
    assert page.locator(".outline li").count() == model.tree_.n_nodes
    frame = page.locator("main").bounding_box()
    for box in (found.bounding_box() for found in page.locator(".outline li").all()):
        assert box["x"] + box["width"] <= frame["x"] + frame["width"] + 1
    assert not page.is_visible("#settings")
    picture(page, "print", full_page=True)
    together = "document.getElementById('bill').parentElement"
    assert page.evaluate(f"{together}.contains(document.getElementById('answers'))")
    assert page.evaluate(f"getComputedStyle({together}).breakInside") == "avoid"  # no sheet of mistakes alone
    assert sheets(page, "print") <= 3
    page.emulate_media(media="screen")
    assert page.is_visible(".tools")
    assert page.is_visible("#tree-view")
    assert not page.is_visible(".outline")


def test_paper_shows_a_small_tree_as_it_is_drawn(visit, delayed):
    file, model = delayed
    page = visit(file)
    on_paper(page)
    assert page.is_visible("#tree-view")
    assert not page.is_visible(".outline")
    assert sorted(shown(page)) == list(range(model.tree_.n_nodes))
    assert sheets(page, "print_small") == 1


def test_hostile_names_are_only_names(visit, large):
    file, model = large
    page = visit(file)
    assert page.inner_text("h1") == HOSTILE
    assert page.locator("img").count() == 0
    assert page.locator("#tree i").count() == 0
    page.click("#unfold")
    assert sorted(shown(page)) == list(range(model.tree_.n_nodes))
    picture(page, "large")
    root = model.tree_[0]
    node(page, 0).focus()
    assert page.inner_text("#tip").startswith(f"{root.test}?")
    page.select_option("#case", index=0)
    lit = page.eval_on_selector_all(".node.on", "all => all.map(node => Number(node.dataset.node))")
    assert lit == model.tree_.path(lit[-1])
    assert model.tree_[lit[-1]].is_leaf
    assert len(shown(page)) < model.tree_.n_nodes  # what is off the way is folded
    picture(page, "large_case")
    page.click("#no-case")
    assert page.locator(".node.off").count() == 0


def test_a_large_tree_begins_folded_and_no_boxes_overlap(visit, large):
    file, model = large
    page = visit(file)
    assert 2 < len(shown(page)) < model.tree_.n_nodes
    page.click("#unfold")
    boxes = page.eval_on_selector_all(
        ".node .box",
        "all => all.map(b => { const r = b.getBoundingClientRect(); return [r.x, r.y, r.right, r.bottom]; })",
    )
    boxes = np.array(boxes)
    assert len(boxes) == model.tree_.n_nodes
    left, top, right, bottom = boxes.T
    apart = (
        (left[:, None] >= right)
        | (right[:, None] <= left)
        | (top[:, None] >= bottom)
        | (bottom[:, None] <= top)
    )
    assert (apart | np.eye(len(boxes), dtype=bool)).all()


def test_without_scripts_there_is_still_a_tree_to_read(visit, clinic):
    file, model, _, _ = clinic
    page = visit(file, java_script_enabled=False)
    assert model.tree_[0].test in page.inner_text(".outline")
    assert page.locator(".outline li").count() == model.tree_.n_nodes
    assert page.is_visible("#bill table")
    assert not page.is_visible("#tree-view")


def test_score_cards_are_shown_and_fit_a_phone(visit, tmp_path):
    data = tw.load_dataset("wisconsin-diagnostic")
    model = tw.ThriftClassifier(data.costs, leaves="score").fit(data.X, data.y)
    model.report(data.X, data.y, tmp_path / "cards.html", training=True)
    page = visit(tmp_path / "cards.html")
    assert page.locator("#cards table caption").count() == 2 + len(model.cascade_.stages)
    assert page.locator("#tree").count() == 0
    picture(page, "cards", full_page=True)
    assert page.is_visible("text=full price: of a test")
    resize(page, 390, 800)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert not page.is_visible("text=full price: of a test")  # nor is its column
    picture(page, "cards-phone")
