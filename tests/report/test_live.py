"""The section of the report that learns: it is there when asked for, alone, and follows a price."""

import json
import re

import pytest
from browsing import chromium
from studio.clinic import clinic_of_every_price

import thriftwood as tw
from thriftwood.base.page_parts import content_hash


@pytest.fixture(scope="module")
def made():
    X, y, costs = clinic_of_every_price()
    return tw.ThriftClassifier(costs, leaves="class").fit(X, y), X, y, costs


def test_the_policy_allows_its_own_scripts_alone(made):
    model, X, y, _ = made
    page = tw.make_report(model, X, y, live=True).html
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    hashes = " ".join(f"'sha256-{content_hash(script)}'" for script in scripts)
    assert len(scripts) == 2
    assert f"script-src {hashes} 'wasm-unsafe-eval'; worker-src blob:;" in page
    assert len(page) < 1_500_000
    still = tw.make_report(model, X, y).html
    assert "wasm-unsafe-eval" not in still
    assert "live-core" not in still


def test_it_learns_classes_only(made):
    model, X, _, _ = made
    with pytest.raises(ValueError, match="live=True learns classes in the browser"):
        tw.make_report(model, X, live=True)


def told(page):
    return json.loads(re.search(r'id="live-data">(.*?)</script>', page.html, re.DOTALL)[1])


def test_score_cards_are_not_taken_for_the_tree_that_is_learnt(made):
    _, X, y, costs = made
    cards = tw.ThriftClassifier(costs, leaves="score").fit(X, y)
    said = tw.Verdict(62.25, tw.evaluation.intervals.Interval(24.8, 99.7), None, None, costs)
    page = tw.make_report(cards, X, y, live=True, training=True, verdict=said)
    assert "one tree is learnt anew" in page.html
    assert "score cards of this report are not learnt here; they may cost less or more." in page.html
    assert told(page)["reported"] == "The score cards of this report cost 62.25 EUR a patient."
    assert told(page)["lead"] == "With this tree a new patient costs"


def test_a_report_that_knows_no_cost_repeats_none(made):
    model, X, y, _ = made
    page = tw.make_report(model, X, y, live=True, training=True)
    assert told(page)["reported"] == ""
    assert "It need not be the tree of this report." in page.html


def test_a_price_flips_the_tree(made, tmp_path):
    model, X, y, costs = made
    file = tmp_path / "report.html"
    tw.make_report(model, X, y, file, live=(X, y))
    wrong = []
    with chromium() as browser:
        page = browser.new_context(offline=True).new_page()
        page.set_default_timeout(60_000)
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(file.as_uri())
        page.wait_for_selector("#live[data-judged]", state="attached")
        learner = tw.ThriftClassifier(leaves="class")
        cost = tw.compare({"thrift": learner}, X, y, costs, cv=10)[0].mean_cost
        assert f"With this tree a new patient costs {cost:.4g} EUR" in page.inner_text("#live-sentence")
        reported = page.inner_text("#live-change")
        assert re.fullmatch(r"The tree of this report costs \S+ EUR a patient\.", reported)
        field = page.locator("#live-prices").get_by_role("textbox", name="scan", exact=True)
        field.fill("0.5")
        field.blur()
        page.wait_for_selector("#live[data-judged='2']", state="attached")
        cheaper = costs.replace(tests={**costs.tests, "scan": 0.5})
        other = tw.ThriftClassifier(cheaper, leaves="class").fit(X, y)
        assert "scan" in other.tree_.features_used
        assert "Order scan for everybody" in page.inner_text("#live-sentence")
        before = f"At the prices of this report such a tree costs {cost:.4g} EUR."
        assert page.inner_text("#live-change") == f"{before} {reported}"
        page.click("#live-reset")
        page.wait_for_selector("#live[data-judged='3']", state="attached")
        assert f"{cost:.4g} EUR" in page.inner_text("#live-sentence")
        assert field.input_value() == "60"
        for judged, price in enumerate(("0", "60"), 4):
            field.fill(price)
            field.blur()
            page.wait_for_selector(f"#live[data-judged='{judged}']", state="attached")
        assert page.is_disabled("#live-reset")
        assert page.inner_text("#live-change") == reported
    assert wrong == []


def test_a_refusal_stays_while_a_tree_is_learnt_and_ends_with_the_next_price(made, tmp_path):
    model, X, y, _ = made
    file = tmp_path / "report.html"
    tw.make_report(model, X, y, file, live=True)
    with chromium() as browser:
        page = browser.new_page()
        page.set_default_timeout(60_000)
        page.goto(file.as_uri())
        page.wait_for_selector("#live[data-judged]", state="attached")
        fields = page.locator("#live-prices")
        fields.get_by_role("textbox", name="scan", exact=True).fill("30")
        fields.get_by_role("textbox", name="TSH", exact=True).fill("cheap")  # learns with the price before
        page.keyboard.press("Tab")
        page.wait_for_selector("#live[data-tree='2']", state="attached")
        assert page.inner_text("#live-problem").startswith("TSH: cheap is no price.")
        page.locator("#live-reset").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("#live[data-tree='3']", state="attached")
        assert page.is_hidden("#live-problem")
        assert page.is_disabled("#live-reset")
        assert page.evaluate("document.activeElement.id") == "live-reset"


def test_mistakes_of_any_classes_have_a_field_each(tmp_path):
    classes = ["a", "a b", "b a"]  # "a" and "b a" in a row are "a b" and "a" in a row
    X, y = [[float(i % 5)] for i in range(60)], [classes[i % 3] for i in range(60)]
    costs = tw.Costs({"x0": 1}, errors_default=50)
    model = tw.ThriftClassifier(costs, leaves="class").fit(X, y)
    file = tmp_path / "report.html"
    tw.make_report(model, X, y, file, live=True)
    with chromium() as browser:
        page = browser.new_page()
        page.set_default_timeout(60_000)
        page.goto(file.as_uri())
        page.wait_for_selector("#live[data-tree]", state="attached")
        fields = page.locator("#live-prices")
        one = fields.get_by_role("textbox", name="saying b a of a", exact=True)
        other = fields.get_by_role("textbox", name="saying a of a b", exact=True)
        one.fill("7")
        one.blur()
        assert (one.input_value(), other.input_value()) == ("7", "50")


def test_a_phone_keeps_the_sentence_beside_the_last_price(made, tmp_path):
    model, X, y, _ = made
    file = tmp_path / "report.html"
    tw.make_report(model, X, y, file, live=True)
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 390, "height": 800})
        page.set_default_timeout(60_000)
        page.goto(file.as_uri())
        page.wait_for_selector("#live[data-judged]", state="attached")
        page.locator("#live-prices .amount input").last.evaluate(
            "field => field.scrollIntoView({ block: 'center' })"
        )
        box = page.locator("#live-sentence").bounding_box()
        assert 0 <= box["y"] < 200
        for width in (390, 900, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            hidden = "prices => prices.scrollHeight - prices.clientHeight"
            assert page.locator("#live-prices").evaluate(hidden) == 0  # no box that scrolls by itself
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_links_are_in_the_order_of_the_page(made):
    model, X, y, _ = made
    page = tw.make_report(model, X, y, live=True).html
    links = re.findall(r'<a href="#([a-z]+)"', page[page.index("<nav") :])
    assert "live" in links
    assert links == sorted(links, key=lambda name: page.index(f'<section id="{name}"'))
