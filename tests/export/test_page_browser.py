"""The page to consult, in a real browser: it asks what the library asks and answers what it answers."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from browsing import chromium

import thriftwood as tw
from thriftwood.base.page_parts import content_hash

PICTURES = Path(__file__).parents[2] / "build" / "screenshots"
HOSTILE = "</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def browser():
    with chromium() as opened:
        yield opened


@pytest.fixture
def opened(browser, tmp_path):
    """Open the page of a model; nothing may be fetched and nothing may go wrong."""
    wrong, fetched = [], []
    context = browser.new_context(viewport={"width": 390, "height": 800}, offline=True)

    def opener(model, title):
        file = tmp_path / "pocket.html"
        file.write_text(tw.export_html(model, title), encoding="utf-8")
        page = context.new_page()
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: (wrong.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: fetched.append(request.url))
        page.goto(file.as_uri())
        return page

    yield opener
    context.close()
    assert wrong == []
    assert len(fetched) == 1


def answered(page, row):
    """Answer the questions of the page by a row; return what was asked."""
    asked = []
    while page.is_visible("#question"):
        name = page.inner_text("#asked").removesuffix("?")
        asked.append(name)
        value = row[name]
        if value is None or value != value:
            page.get_by_role("button", name="cannot be had").click()
        elif page.locator("#value").count():
            page.fill("#value", str(value))
            page.get_by_role("button", name="Go on").click()
        else:
            page.locator("#choices").get_by_role("button", name=str(value), exact=True).click()
    return asked


def assert_as_consulted(page, model, row):
    """The page asks, answers and charges as a consultation of the library does."""
    asked = answered(page, row)
    case = model.consult()
    while not case.finished:
        case.answer(row[case.next_test])
    assert asked == [test for test, _ in case.bought]
    assert page.inner_text("#says") == str(case.result)
    assert float(page.inner_text("#bill").split()[0]) == pytest.approx(case.bill, rel=1e-5)


@pytest.mark.parametrize("leaves", ["class", "score"])
def test_it_asks_and_answers_as_the_library(opened, leaves):
    data = tw.load_dataset("wisconsin-diagnostic", frame="pandas")
    costs = data.costs.replace(case_name="patient", currency="EUR")
    model = tw.ThriftClassifier(costs, leaves=leaves).fit(data.X, data.y).model_
    page = opened(model, "Breast cancer")
    for row in data.X.iloc[[0, 50, 300]].to_dict("records"):
        assert_as_consulted(page, model, row)
        PICTURES.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=PICTURES / f"pocket-{leaves}.png", full_page=True)
        page.click("#again")


def test_several_trees_share_what_was_asked(opened):
    golf = tw.load_dataset("golf-nominal", frame="pandas")
    base = tw.algorithm("lasc", max_depth=1)
    model = tw.algorithm("boosting", estimator=base, costs=golf.costs, rounds=3).fit(golf.X, golf.y).model_
    page = opened(model, "Shall we play?")
    for row in golf.X.iloc[[0, 5, 9]].to_dict("records"):
        assert_as_consulted(page, model, row)
        page.click("#again")


def test_a_test_that_cannot_be_had_lowers_no_price(opened):
    """Where such tests cost nothing, they open neither the group nor the room for others."""
    sick = np.tile([True, False], 60)
    with_value = np.repeat([True, False], [80, 40])  # the other test tells those without one
    tsh, t3 = np.where(with_value, sick * 2.0, np.nan), np.where(with_value, 1.0, sick * 2.0)
    X = pd.DataFrame({"TSH": tsh, "T3": t3})
    costs = tw.Costs(
        {"TSH": tw.Test(2, ["room"], False, "thyroid", 1), "T3": tw.Test(6, ["room"], False, "thyroid", 4)},
        {"room": 3},
        errors={"sick": {"well": 200}, "well": {"sick": 80}},
        charge_missing=False,
    )
    growth = tw.Growth(missing="branch", max_depth=3)
    tree = tw.CostTreeClassifier(costs=costs, growth=growth).fit(X, np.where(sick, "sick", "well")).tree_
    case = tree.consult()
    assert case.next_test == "TSH"
    case.answer(None)
    page = opened(tree, "Thyroid")
    page.get_by_role("button", name="cannot be had").click()
    assert page.inner_text("#asked") == f"{case.next_test}?" == "T3?"
    assert page.inner_text("#price") == f"It costs {case.price:g}." == "It costs 9."


def test_back_takes_the_last_answer_back(opened):
    golf = tw.load_dataset("golf-nominal")
    page = opened(tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y), HOSTILE)
    assert page.title() == HOSTILE
    page.get_by_role("button", name="Rain").click()
    assert page.inner_text("#asked") == "Wind?"
    page.click("#back")
    assert page.inner_text("#asked") == "Outlook?"
    assert answered(page, {"Outlook": "Overcast"}) == ["Outlook"]
    assert page.inner_text("#why") == "Because Outlook is Overcast."
    page.click("#again")
    answered(page, {"Outlook": "Sunny", "Humidity": "High"})
    assert page.inner_text("#why") == "Because Outlook is Sunny and Humidity is High."


def test_the_policy_allows_its_own_script_alone():
    page = tw.export_html(tw.CostTreeClassifier().fit([[1.0], [2.0]], [HOSTILE, "yes"]), HOSTILE)
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert len(scripts) == 1
    assert f"script-src 'sha256-{content_hash(scripts[0])}';" in page
    assert "<img" not in page


def test_numbers_are_typed_with_point_or_comma(opened):
    X = pd.DataFrame({"size": [0.0, 1.0, 2.0, 3.0] * 5})
    tree = tw.CostTreeClassifier().fit(X, ["no", "no", "yes", "yes"] * 5)
    page = opened(tree, "Size")
    for typed, wanted in (
        ("1,234", "Write 1234 or 1.234: the comma can be read in two ways."),
        ("big", "A number is wanted, such as 12.5."),
    ):
        page.fill("#value", typed)
        page.keyboard.press("Enter")
        assert page.inner_text("#wrong") == wanted
    page.fill("#value", "2,5")
    page.keyboard.press("Enter")
    assert page.inner_text("#says") == "yes"
    assert page.inner_text("#why") == "Because size is 2.5 (above 1.5)."
    assert page.evaluate("document.activeElement.id") == "answer"


@pytest.mark.parametrize(
    ("values", "wanted"),
    [([20240131, 20240132], "20240132 (above 20240131.5)"), ([0.1, 0.2], "0.2 (above 0.15)")],
)
def test_a_cut_is_told_apart_from_the_value(opened, values, wanted):
    X = pd.DataFrame({"size": [float(value) for value in values] * 10})
    page = opened(tw.CostTreeClassifier().fit(X, ["no", "yes"] * 10), "Cuts")
    page.fill("#value", str(values[1]))
    page.keyboard.press("Enter")
    assert page.inner_text("#why") == f"Because size is {wanted}."


@pytest.mark.parametrize(
    ("kind", "lowest"), [("tree", -1.0), ("tree", 0.0), ("panel", -1.0), ("cards", -1.0), ("cards", 0.0)]
)
def test_a_phone_shows_a_minus_where_numbers_below_zero_are_met(opened, kind, lowest):
    """The keys for decimals have none on some phones."""
    sizes = np.tile(np.linspace(lowest, lowest + 1, 10), 20)
    X, y = pd.DataFrame({"size": sizes}), np.where(sizes > lowest + 0.45, "yes", "no")
    y[::37] = "no"  # cards are not for what one cut tells apart
    costs = tw.Costs({"size": 1}, errors={"no": {"yes": 50}, "yes": {"no": 50}})
    model = {
        "tree": tw.CostTreeClassifier(costs=costs, growth=tw.Growth(max_depth=1)),
        "panel": tw.algorithm("bagging", costs=costs, random_state=0),
        "cards": tw.ThriftClassifier(costs, leaves="score"),
    }[kind].fit(X, y)
    page = opened(model, "Size")
    assert page.get_attribute("#value", "inputmode") == ("text" if lowest < 0 else "decimal")
    page.fill("#value", str(lowest))
    page.keyboard.press("Enter")
    assert page.inner_text("#says") == "no"


def test_a_test_that_asks_only_whether_there_is_a_value_has_no_cut(opened):
    X = pd.DataFrame({"size": [1.0] * 100 + [np.nan] * 100})
    tree = tw.CostTreeClassifier(growth=tw.Growth(missing="branch")).fit(X, ["known"] * 100 + ["gone"] * 100)
    page = opened(tree, "Values")
    page.fill("#value", "1")
    page.keyboard.press("Enter")
    assert page.inner_text("#says") == "known"
    assert page.inner_text("#why") == "Because size is 1."


def test_the_card_of_a_case_is_printed_on_white_whatever_the_theme(opened):
    tree = tw.CostTreeClassifier().fit(pd.DataFrame({"size": [0.0, 1.0] * 10}), ["no", "yes"] * 10)
    page = opened(tree, "Size")
    page.fill("#value", "1")
    page.keyboard.press("Enter")
    colours = """() => ['paper', 'panel', 'ink', 'faint', 'rule', 'line', 'accent'].map(
        (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`))"""
    printed = []
    for scheme in ("light", "dark"):
        page.emulate_media(media="print", color_scheme=scheme)
        printed.append(page.evaluate(colours))
    assert printed[0] == printed[1]
    assert printed[0][:3] == ["#ffffff", "#ffffff", "#000000"]
    page.screenshot(path=PICTURES / "pocket-printed.png", full_page=True)


@pytest.mark.parametrize(
    ("errors", "shares", "told"),
    [
        ({}, [0.4, 0.6], False),
        ({"no": {"yes": 1}, "yes": {"no": 1}}, [0.5 - 1e-14, 0.5 + 1e-14], False),
        ({"no": {"yes": 9}, "yes": {"no": 1}}, [0.4, 0.6], True),
    ],
)
def test_that_mistakes_decide_is_said_where_they_do(opened, monkeypatch, errors, shares, told):
    """The first class is answered, with these shares: they are put into the page."""
    costs = tw.Costs({"size": 1}, errors=errors) if errors else tw.Costs({"size": 1})
    tree = tw.CostTreeClassifier(costs=costs).fit(pd.DataFrame({"size": [1.0, 1.0]}), ["no", "yes"])
    text = tw.export_html(tree, "Mistakes")
    parts = re.fullmatch(r'(.*id="model">)(.*?)(</script>.*)', text, re.DOTALL)
    model = json.loads(parts[2])
    model["endings"]["0"] = {"label": 0, "values": shares}
    changed = f"{parts[1]}{json.dumps(model)}{parts[3]}"
    monkeypatch.setattr(tw, "export_html", lambda model, title: changed)
    page = opened(tree, "Mistakes")
    assert page.inner_text("#says") == "no"
    # Shares may be smoothed, so they are what is expected and not what was counted.
    assert page.inner_text("#sure").startswith("Expected among cases like this one: no ")
    assert ("What mistakes cost makes this" in page.inner_text("#sure")) is told


def counted(text):
    """Return the points of a reason: those of each result, what there is to begin with, the sum."""
    each = [int(found) for found in re.findall(r"\(([+-]?\d+) points\)", text)]
    begin, together = re.search(r"with (-?\d+) to begin with they are (-?\d+)\.$", text).groups()
    return each, int(begin), int(together)


@pytest.mark.parametrize("classes", [2, 3])
def test_score_cards_say_why_by_their_points(opened, classes):
    rng = np.random.default_rng(2)
    label = rng.integers(0, classes, 300)
    X = pd.DataFrame({"size": label + rng.normal(size=300).round(2), "kind": np.where(label, "b", "a")})
    costs = tw.Costs({"size": 1, "kind": 1}, errors_default=50)
    model = tw.ThriftClassifier(costs, leaves="score").fit(X, np.array(["no", "so", "yes"])[label]).model_
    page = opened(model, "Cards")
    for row in X.iloc[:4].to_dict("records"):
        asked = answered(page, row)
        why = page.inner_text("#why")
        each, begin, together = counted(why)
        assert len(each) == len(asked) > 0
        assert together == pytest.approx(begin + sum(each), abs=2)  # they are rounded
        whom = "so against no" if classes == 2 else page.inner_text("#says")
        assert f". Points count for {whom}: " in why
        page.click("#again")


@pytest.mark.parametrize("payment", ["sequential", "upfront"])
@pytest.mark.parametrize("charge_missing", [True, False])
def test_late_tests_are_ordered_and_asked_as_in_a_consultation(opened, payment, charge_missing):
    """What is ordered along is named and paid at once, and asked only where the answer depends on it."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame(np.round(rng.normal(size=(200, 4)), 2), columns=list("abcd"))
    X = X.mask(rng.random(X.shape) < 0.1)
    y = np.where((X["a"] > 0) & (X["b"] > 0) | (X["c"] > 1), "ill", "well")
    late = tw.Test(3, delayed=True)
    costs = tw.Costs({"a": 1, "b": late, "c": 2, "d": late}, payment=payment, charge_missing=charge_missing)
    growth = tw.Growth(missing="branch", max_depth=4)
    tree = tw.CostTreeClassifier(costs=costs, growth=growth).fit(X, y).tree_
    page = opened(tree, "Late")
    along = 0
    for row in X.iloc[:40].astype(object).where(X.notna(), None).to_dict("records"):
        case = tree.consult()
        while not case.finished:
            assert page.inner_text("#asked") == f"{case.next_test}?"
            words = page.inner_text("#price")
            if case.ordered_with:
                along += 1
                assert re.findall(
                    "[a-d]", words.split("with ")[1].split(" for ")[0].replace("and", "")
                ) == list(case.ordered_with)
                assert words.endswith(f", for {case.price:g} in all.")
            else:
                wanted = f"It costs {case.price:g}." if case.price else "It was ordered before."
                assert words == wanted
            value = row[case.next_test]
            case.answer(value)
            if value is None:
                page.get_by_role("button", name="cannot be had").click()
            else:
                page.fill("#value", str(value))
                page.get_by_role("button", name="Go on").click()
        assert page.inner_text("#says") == str(case.result)
        assert float(page.inner_text("#bill")) == pytest.approx(case.bill)
        page.click("#again")
    assert along > 0 or payment == "upfront"  # then all is ordered before the first question
