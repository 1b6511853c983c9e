"""The page in a real browser: change a price, see the tree flip, undo, send the link, take the files along.

Needs the extra ``browser`` and a Chromium, as tests/report/test_page_browser.py does.
Pictures are left in ``build/screenshots``.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cli.commands import thriftwood
from studio.clinic import HOSTILE, clinic_of_every_price
from studio.visiting import assert_same_aid, downloaded, set_price, settled

import thriftwood as tw

PICTURES = Path(__file__).parents[2] / "build" / "screenshots"


def test_a_price_flips_the_tree_and_undo_brings_it_back(visit, clinic):
    file, *_ = clinic
    page = visit(file.as_uri(), offline=True)
    settled(page)
    assert page.inner_text("#sentence").startswith("Order TSH for everybody")
    set_price(page, "T3", 1)
    assert page.inner_text("#sentence").startswith("Order T3 for everybody")
    link = page.url
    page.click("#undo")
    page.wait_for_function("() => document.getElementById('sentence').textContent.startsWith('Order TSH')")
    page.click("#redo")
    page.wait_for_function("() => document.getElementById('sentence').textContent.startsWith('Order T3')")
    page.goto(link)  # the part after # alone is another: the page stays as it is
    page.click("#undo")
    page.wait_for_function("() => document.getElementById('sentence').textContent.startsWith('Order TSH')")
    page.goto(link)
    page.wait_for_function("() => document.getElementById('sentence').textContent.startsWith('Order T3')")
    other = visit(link)
    other.wait_for_selector("#page[data-tree]", state="attached")
    assert other.inner_text("#sentence").startswith("Order T3")
    assert other.input_value("#prices input.number >> nth=1") == "1"


@pytest.mark.parametrize("learner", ["thrift", "c45"])
def test_the_files_are_those_of_the_library(visit, clinic, learner, tmp_path):
    file, X, y, costs = clinic
    page = visit(file.as_uri())
    if learner != "thrift":
        page.select_option("#learner", learner)
    saved = {}
    for button in ("get-model", "get-costs", "get-answers", "get-picture", "get-aid"):
        saved[button] = downloaded(page, button, tmp_path)
    model = (
        tw.ThriftClassifier(costs, leaves="class")
        if learner == "thrift"
        else tw.algorithm(learner, costs=costs)
    )
    model.fit(X, y)
    table, native = tmp_path / "clinic.csv", tmp_path / "native.json"
    X.assign(state=y).to_csv(table, index=False)
    settings = ["--set", "leaves=class"] if learner == "thrift" else ["--algorithm", learner]
    run = thriftwood(
        *("fit", table, "--target", "state", "--costs", saved["get-costs"], "-o", native), *settings
    )
    assert run.code == 0, run.err
    assert saved["get-model"].read_bytes() == native.read_bytes()
    assert tw.Costs.from_file(saved["get-costs"]) == costs
    answers = pd.read_csv(saved["get-answers"])
    assert answers["answer"].tolist() == model.predict(X).tolist()
    assert answers["test_cost"].tolist() == pytest.approx(tw.bill(model, X).test_cost.tolist())
    assert saved["get-picture"].read_text(encoding="utf-8").startswith("<svg")
    assert_same_aid(saved["get-aid"], model, "Thyroid")


def test_several_cases_are_called_as_everywhere_else(visit, tmp_path):
    X, y = [[1.0], [2.0]] * 20, ["sick", "well"] * 20
    costs = tw.Costs({"x0": 1}, errors_default=50, case_name="child")
    page = visit(tw.make_studio(X, y, costs).save(tmp_path / "studio.html").as_uri())
    settled(page)
    assert page.inner_text("#table-name") == "table: 40 children, 1 test"
    assert "20 children" in page.text_content("#tree-list")
    other = visit(page.url)
    assert other.inner_text("#table-name") == "table: 40 children, 1 test"
    aid = downloaded(other, "get-aid", tmp_path)
    assert_same_aid(aid, tw.ThriftClassifier(costs, leaves="class").fit(X, y), "Which test next?")


def test_names_like_numbers_are_in_one_order_in_list_and_model(visit, tmp_path):
    """A script puts them first, in its list of prices and so in the model that is learnt with that list."""
    X = pd.DataFrame({"b": [1.0, 2, 3, 4] * 10, "10": [1.0, 2, 1, 2] * 10, "2": [2.0, 1, 1, 2] * 10})
    y = np.array(["10", "2"] * 20)
    errors = {"10": {"2": 9}, "2": {"10": 50}}
    answers = {name: {"10": cost, "2": cost} for name, cost in (("7", 40), ("5", 45))}
    costs = tw.Costs({"b": 1, "10": 2, "2": 3}, errors=errors, answers=answers)
    page = visit(tw.make_studio(X, y, costs).save(tmp_path / "studio.html").as_uri())
    listed, model = (downloaded(page, button, tmp_path) for button in ("get-costs", "get-model"))
    assert tw.Costs.from_file(listed) == costs
    table, native = tmp_path / "table.csv", tmp_path / "native.json"
    X.assign(state=y).to_csv(table, index=False)
    run = thriftwood(
        *("fit", table, "--target", "state", "--costs", listed, "--set", "leaves=class", "-o", native)
    )
    assert run.code == 0, run.err
    assert model.read_text(encoding="utf-8") == native.read_text(encoding="utf-8")


def test_no_file_mixes_new_prices_with_the_tree_before(visit, clinic):
    file, *_ = clinic
    page = visit(file.as_uri())
    settled(page)
    of_tree = ["get-aid", "get-answers", "get-model", "get-picture"]
    offered = "[...document.querySelectorAll('[id^=get-]:enabled')].map(one => one.id).sort()"
    assert page.evaluate(offered) == sorted([*of_tree, "get-costs"])
    change = f"""() => {{
        const learner = document.getElementById('learner');
        learner.value = 'c45';
        learner.dispatchEvent(new Event('change'));
        return {offered};
    }}"""
    assert page.evaluate(change) == ["get-costs"]
    for button in of_tree:
        page.wait_for_selector(f"#{button}:enabled")


@pytest.mark.parametrize("payment", ["sequential", "upfront"])
def test_a_pocket_consultation_with_groups_delays_and_shared_resources(visit, tmp_path, payment):
    X, y, costs = clinic_of_every_price()
    costs = costs.replace(payment=payment, charge_missing=False)
    page = visit(tw.make_studio(X, y, costs, title=HOSTILE).save(tmp_path / "studio.html").as_uri())
    page.select_option("#learner", "c45")
    model = tw.algorithm("c45", costs=costs).fit(X, y)
    file = downloaded(page, "get-aid", tmp_path)
    assert_same_aid(file, model, HOSTILE)


def test_what_new_cases_cost_and_what_today_costs(visit, clinic):
    file, X, y, costs = clinic
    page = visit(file.as_uri())
    settled(page)
    learner = tw.ThriftClassifier(leaves="class")
    ranking = tw.compare({"thrift": learner}, X, y, costs.replace(today=["T3"]), cv=10)
    assert page.inner_text("#cost") == f"{ranking[0].mean_cost:.4g} EUR"
    assert page.inner_text("#nobody") == f"{ranking.nobody.mean_cost:.4g} EUR"
    page.get_by_text("Today everybody gets").click()
    page.locator("#today-tests").get_by_label("T3").check()
    page.wait_for_function("() => /\\d/.test(document.getElementById('today').textContent)")
    assert page.inner_text("#today") == f"{ranking.today.mean_cost:.4g} EUR"


def test_today_may_be_that_nobody_is_tested(visit, tmp_path):
    X, y = [[1.0], [2.0]] * 20, ["sick", "well"] * 20
    costs = tw.Costs({"x0": 1}, errors_default=50, today=[])
    page = visit(tw.make_studio(X, y, costs).save(tmp_path / "studio.html").as_uri())
    page.wait_for_function("() => document.getElementById('today').textContent === '25'")
    assert page.is_visible("#today-tile")


def test_a_learner_that_cannot_be_started_says_so(browser, clinic):
    file, *_ = clinic
    page = browser.new_page()
    page.add_init_script(
        "const { postMessage } = Worker.prototype;"
        "Worker.prototype.postMessage = function (told) {"
        "  postMessage.call(this, told.kind === 'start' ? { ...told, binary: new ArrayBuffer(8) } : told); };"
    )
    page.goto(file.as_uri())
    page.wait_for_selector("#problem:not([hidden])")
    assert page.inner_text("#problem") == "The learner could not be started in this browser."
    page.close()


def found_all(page):
    """Press the button, which does nothing while some are looked for, until every price is there."""
    page.wait_for_function(
        """() => {
            document.getElementById('worths').click();
            const cells = document.querySelectorAll(':is(#bill-rows, #other-rows) td:last-child');
            return [...cells].every(one => /\\d|at no price/.test(one.textContent));
        }"""
    )


def test_every_test_has_a_break_even_price_also_those_that_nobody_buys(visit, clinic):
    file, X, y, costs = clinic
    page = visit(file.as_uri())
    settled(page)
    assert page.inner_text("#other-count") == "1 test is bought by nobody"
    page.click("#other-count")
    found_all(page)
    rows = page.locator("#other-rows tr").all_inner_texts()
    (words,) = [row for row in rows if row.startswith("T3")]
    assert words.split("\t")[1] == "50 EUR"
    worth = float(words.split("\t")[2].split()[0])

    def buys(price):
        model = tw.ThriftClassifier(costs.replace(tests={**costs.tests, "T3": price}), leaves="class")
        return "T3" in tw.export_rules(model.fit(X, y))

    assert [buys(0.98 * worth), buys(1.02 * worth)] == [True, False]


WATCHED = """const [post, workers] = [Worker.prototype.postMessage, []];
window.asked = [];
Worker.prototype.postMessage = function (message, ...others) {
    if (!workers.includes(this)) workers.push(this);
    window.asked.push([workers.indexOf(this), message.kind, (message.tests || []).map((one) => one.name)]);
    return post.call(this, message, ...others);
};"""
FRONTIER = "() => document.querySelectorAll('#frontier-rows tr').length > 0"


def watched(visit, address):
    """Open a page and write down what it asks its workers, in `asked`."""
    page = visit("about:blank", ready=False)
    page.add_init_script(WATCHED)
    page.goto(address)
    return page


def test_a_price_need_not_wait_for_what_is_compared(visit, clinic):
    """A tree cannot be interrupted, so a second worker learns what is compared with the one shown."""
    file, *_ = clinic
    page = watched(visit, file.as_uri())
    page.wait_for_function(FRONTIER)
    set_price(page, "T3", 1)
    asked = page.evaluate("window.asked")
    first = {kind for number, kind, _ in asked if number == 0}
    assert first == {"start", "load", "learn"}
    second = {kind for number, kind, _ in asked if number == 1}
    # it may be stopped before it was asked for "worths"
    assert {"start", "load", "compare", "stop"} <= second <= {"start", "load", "compare", "worths", "stop"}


def test_break_even_prices_that_are_asked_for_early_are_learnt_once(visit, clinic):
    file, *_ = clinic
    page = watched(visit, file.as_uri())
    page.wait_for_selector("#page[data-tree]", state="attached")
    page.locator("#worths").focus()
    page.keyboard.press("Enter")
    assert page.is_disabled("#worths")
    page.keyboard.press("Enter")
    page.wait_for_function(FRONTIER)
    page.wait_for_function(
        "() => [...document.querySelectorAll(':is(#bill-rows, #other-rows) td:last-child')]"
        ".every((one) => one.textContent)"
    )
    assert page.evaluate("document.activeElement.id") == "worths"
    tests = [name for _, kind, names in page.evaluate("window.asked") if kind == "worths" for name in names]
    assert sorted(tests) == sorted(["TSH", "T3", HOSTILE])


def test_break_even_prices_wait_for_the_tree_of_the_newest_prices(visit, clinic):
    """Which tests are bought, the tree before says of other prices."""
    file, *_ = clinic
    page = watched(visit, file.as_uri())
    page.wait_for_function(FRONTIER)
    asked = page.evaluate(
        """() => {
            const before = window.asked.length;
            const field = document.querySelector('#prices input.number');
            field.value = '90';
            field.dispatchEvent(new Event('change'));
            const worths = document.getElementById('worths');
            worths.click();
            return [...window.asked.slice(before).map(([, kind]) => kind), worths.ariaDisabled];
        }"""
    )
    assert asked == ["stop", "learn", "true"]
    page.wait_for_selector("#get-model:enabled")
    assert page.get_attribute("#worths", "aria-disabled") == "false"


@pytest.mark.parametrize("learner", ["thrift", "c45", "csgain"])
def test_the_point_as_now_is_the_estimate_of_the_page(visit, clinic, learner):
    file, *_ = clinic
    page = visit(file.as_uri())
    settled(page)
    if learner != "thrift":
        page.select_option("#learner", learner)
        page.wait_for_selector("#get-model:enabled")
        page.wait_for_function(f"{FRONTIER} && !document.getElementById('cost').textContent.includes('…')")
    page.wait_for_selector("#frontier-part[data-missing='0']:not([aria-busy])", state="attached")
    page.wait_for_function(
        """() => document.querySelector('tr.current td:nth-child(4)').textContent
            === document.getElementById('cost').textContent"""
    )
    tests = page.inner_text("#frontier-rows tr.current td >> nth=0")
    assert page.inner_text("#cost-parts").startswith(f"{tests} tests,")
    assert page.locator("#frontier-rows tr").count() == 7


@pytest.mark.parametrize("theme", ["system", "button"])
def test_pages_are_printed_on_white_whatever_the_theme(visit, clinic, theme):
    file, *_ = clinic
    page = visit(file.as_uri(), color_scheme="dark" if theme == "system" else "light")
    settled(page)
    if theme == "button":
        page.click("#theme")
    page.click("#case-next")
    colours = """() => ['paper', 'panel', 'ink', 'faint', 'rule', 'accent', 'line', 'mark', 'lit'].map(
        (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`))"""
    assert page.evaluate(colours)[0] == "#12181f"
    page.emulate_media(media="print")
    printed = page.evaluate(colours)
    assert printed[:3] == ["#ffffff", "#ffffff", "#000000"]
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"studio-printed-{theme}.png", full_page=True)
    light = visit(file.as_uri(), color_scheme="light")
    light.emulate_media(media="print")
    assert printed == light.evaluate(colours)


def test_on_a_phone_the_sentence_stays_beside_the_prices(visit, clinic):
    file, *_ = clinic
    page = visit(file.as_uri())
    page.set_viewport_size({"width": 390, "height": 800})
    settled(page)
    page.locator("#payment").scroll_into_view_if_needed()
    assert page.inner_text("#glance").startswith(page.inner_text("#sentence").split(". ", 1)[1])
    place = page.locator("#glance").bounding_box()
    assert 0 <= place["y"] <= 800 - place["height"]


def test_one_case_is_walked_test_by_test(visit, clinic):
    file, X, y, costs = clinic
    page = visit(file.as_uri())
    page.wait_for_selector("#page[data-tree]", state="attached")
    while page.is_enabled("#case-next"):
        page.click("#case-next")
    model = tw.ThriftClassifier(costs, leaves="class").fit(X, y)
    assert f"Answer: {model.predict(X[:1])[0]}. The truth is {y[0]}" in page.inner_text("#case-words")
    assert "TSH" in page.inner_text("#case-steps")
    page.select_option("#learner", "c45")
    page.wait_for_selector("#get-model:enabled")
    for _ in range(5):  # a tree that asks the same test at several nodes buys it once
        page.click("#case-other")
        while page.is_enabled("#case-next"):
            page.click("#case-next")
        names = page.locator("#case-steps b").all_inner_texts()
        assert names
        assert len(set(names)) == len(names)


def test_a_cut_is_shown_apart_from_the_values_beside_it(visit, tmp_path):
    page = visit(day_page(tmp_path, [20240131.0, 20240132.0]))
    page.select_option("#learner", "min-total-cost")
    page.wait_for_selector("#get-model:enabled")
    assert "> 20240131.5: answer yes" in page.text_content("#tree-list")


def day_page(folder, days):
    X = pd.DataFrame({"day": days * 10, "size": [0.1, 0.2] * 10})
    costs = tw.Costs({"day": 1, "size": 900}, errors_default=500)
    return tw.make_studio(X, ["no", "yes"] * 10, costs).save(folder / "studio.html").as_uri()


def test_a_cut_of_single_precision_is_shown_as_the_number_that_was_meant(visit, tmp_path):
    middle = float(np.float32(19.7))
    page = visit(day_page(tmp_path, [middle - 0.125, middle + 0.125]))
    page.select_option("#learner", "min-total-cost")
    page.wait_for_selector("#get-model:enabled")
    assert "> 19.7: answer yes" in page.text_content("#tree-list")
    assert "day: 1 · 20 cases" in page.text_content("#tree-list") or "1 · 20 cases" in page.text_content(
        "#tree"
    )


def test_the_sentence_names_tests_in_the_order_of_the_tree(visit, tmp_path):
    rng = np.random.default_rng(1)
    dear, cheap = rng.integers(0, 2, 400), rng.integers(0, 2, 400)
    X = pd.DataFrame({"dear": dear, "cheap": cheap})
    costs = tw.Costs({"dear": 4, "cheap": 1}, errors={"odd": {"even": 90}, "even": {"odd": 90}})
    y = np.where((dear + cheap) % 2, "odd", "even")
    file = tmp_path / "studio.html"
    tw.make_studio(X, y, costs, file)
    page = visit(file.as_uri())
    settled(page)
    first = tw.ThriftClassifier(costs, leaves="class").fit(X, y).consult().next_test
    other = {"dear": "cheap", "cheap": "dear"}[first]
    assert page.inner_text("#sentence").startswith(
        f"Order {first} for everybody, then {other} for everybody."
    )


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (900, "dark"), (390, "light"), (390, "dark")])
def test_it_fits_any_window(visit, clinic, width, scheme):
    file, *_ = clinic
    page = visit(file.as_uri(), color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"studio-{width}-{scheme}.png", full_page=True)


def test_everything_has_a_name_and_is_reached_by_keyboard(visit, clinic):
    file, *_ = clinic
    page = visit(file.as_uri())
    settled(page)
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll('input, select, button')]
            .filter(one => one.offsetParent !== null && !one.labels?.length
                && !one.getAttribute('aria-label') && !one.textContent.trim()).map(one => one.outerHTML)"""
    )
    assert unnamed == []
    assert page.evaluate("[...document.querySelectorAll('[tabindex]')].every(one => one.tabIndex >= 0)")
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(one => one.id)")
    assert len(set(ids)) == len(ids)


HELD = """const post = Worker.prototype.postMessage;
window.held = [];
window.holding = false;
Worker.prototype.postMessage = function (message, ...others) {
    const go = () => post.call(this, message, ...others);
    if (window.holding && message.kind === "learn") window.held.push(go); else go();
};"""


def test_what_is_shown_is_grey_while_the_tree_of_newer_prices_is_waited_for(visit, clinic):
    page = visit("about:blank", ready=False)
    page.add_init_script(HELD)
    page.goto(clinic[0].as_uri())
    page.wait_for_function(FRONTIER)
    assert page.get_attribute("#results", "aria-busy") is None
    page.evaluate("window.holding = true")
    price = page.locator("#prices input.number").first
    price.fill("1")
    price.blur()
    page.wait_for_selector("#results[aria-busy=true]")
    assert page.evaluate("getComputedStyle(document.getElementById('results')).opacity") == "0.4"
    page.evaluate("window.held.forEach((post) => post())")
    page.wait_for_selector("#results:not([aria-busy])")
