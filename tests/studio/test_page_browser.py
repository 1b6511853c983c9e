"""The page in a real browser: change a price, see the tree flip, undo, send the link, take the files along.

Needs the extra ``browser`` and a Chromium, as tests/report/test_page_browser.py does.
Pictures are left in ``build/screenshots``.
"""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from browsing import chromium
from cli.commands import thriftwood
from studio.clinic import clinic_of_every_price

import thriftwood as tw

PICTURES = Path(__file__).parents[2] / "build" / "screenshots"
HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def browser():
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def clinic(tmp_path_factory):
    """Two tests that tell nearly the same: TSH is cheap, T3 a little better and dear."""
    rng = np.random.default_rng(0)
    sick = rng.random(400) < 0.4
    X = pd.DataFrame(
        {
            "TSH": np.round(sick * 2 + rng.normal(size=400), 2),
            "T3": np.round(sick * 3 + rng.normal(size=400), 2),
        }
    )
    X[HOSTILE] = rng.choice(["a", HOSTILE], 400)
    y = np.where(sick, "sick", "well")
    costs = tw.Costs(
        {"TSH": 2, "T3": 50, HOSTILE: 1},
        errors={"sick": {"well": 100}, "well": {"sick": 30}},
        currency="EUR",
        case_name="patient",
    )
    file = tmp_path_factory.mktemp("studio") / "studio.html"
    tw.make_studio(X, y, costs, file, title="Thyroid", name="clinic")
    return file, X, y, costs


@pytest.fixture
def visit(browser):
    """Open a file; at the end of the test, say what was fetched and what went wrong."""
    opened = []

    def opener(address, ready=True, **settings):
        context = browser.new_context(viewport={"width": 1280, "height": 900}, **settings)
        context.set_default_timeout(60_000)
        page = context.new_page()
        wrong, fetched = [], []
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: (wrong.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: fetched.append(request.url))
        page.goto(address)
        if ready:
            page.wait_for_selector("#page[data-ready]", state="attached")
        opened.append((context, wrong, fetched))
        return page

    yield opener
    for context, wrong, fetched in opened:
        context.close()
        assert wrong == []
        assert [url for url in fetched if not url.startswith(("blob:", "about:"))][1:] == []


def settled(page):
    """Wait until what is shown is that of the newest scenario, folds and all."""
    page.wait_for_function(
        """() => document.getElementById('page').dataset.judged
            && document.getElementById('cost').textContent !== '…'"""
    )


def set_price(page, label, price):
    before = page.get_attribute("#page", "data-tree")
    field = page.locator("#prices").get_by_role("textbox", name=label, exact=True)
    field.fill(str(price))
    field.blur()
    page.wait_for_function("before => document.getElementById('page').dataset.tree !== before", arg=before)


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


def downloaded(page, button, folder):
    """Press a button as soon as it can be pressed: its file is that of the newest prices and learner."""
    with page.expect_download() as told:
        page.click(f"#{button}")
    file = folder / told.value.suggested_filename
    told.value.save_as(file)
    return file


def assert_same_aid(file, model, title):
    """The page is that of the library, but for how numbers are spelt in its data."""
    parts = re.compile(r'(.*<script type="application/json" id="model">)(.*?)(</script>.*)', re.DOTALL)
    found = parts.fullmatch(file.read_text(encoding="utf-8"))
    wanted = parts.fullmatch(tw.export_html(model, title))
    assert (found[1], found[3]) == (wanted[1], wanted[3])
    assert json.loads(found[2]) == json.loads(wanted[2])


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
    judged = tw.ThriftClassifier(costs, leaves="class").fit(X, y)
    chosen = next(one for one in judged.candidates_ if one.name == judged.chosen_)
    assert page.inner_text("#cost") == f"{chosen.cost:.4g} EUR"
    page.get_by_text("Today everybody gets").click()
    page.locator("#today-tests").get_by_label("T3").check()
    page.wait_for_function("() => /\\d/.test(document.getElementById('today').textContent)")
    assert float(page.inner_text("#today").split()[0]) > 50


def test_every_test_has_a_break_even_price_also_those_that_nobody_buys(visit, clinic):
    file, X, y, costs = clinic
    page = visit(file.as_uri())
    settled(page)
    assert page.inner_text("#other-count") == "1 test is bought by nobody"
    page.click("#other-count")
    page.evaluate("document.getElementById('worths').click()")  # does nothing where they are being found
    last = ":is(#bill-rows, #other-rows) td:last-child"
    page.wait_for_function(f"() => [...document.querySelectorAll('{last}')].every(one => one.textContent)")
    rows = page.locator("#other-rows tr").all_inner_texts()
    (words,) = [row for row in rows if row.startswith("T3")]
    assert words.split("\t")[1] == "50 EUR"
    worth = float(words.split("\t")[2].split()[0])

    def buys(price):
        model = tw.ThriftClassifier(costs.replace(tests={**costs.tests, "T3": price}), leaves="class")
        return "T3" in tw.export_rules(model.fit(X, y))

    assert [buys(0.98 * worth), buys(1.02 * worth)] == [True, False]


def test_a_price_need_not_wait_for_what_is_compared(visit, clinic):
    """A tree cannot be interrupted, so a second worker learns what is compared with the one shown."""
    file, *_ = clinic
    page = visit("about:blank", ready=False)
    page.add_init_script(
        """const [post, workers] = [Worker.prototype.postMessage, []];
        window.asked = [];
        Worker.prototype.postMessage = function (message, ...others) {
            if (!workers.includes(this)) workers.push(this);
            window.asked.push([workers.indexOf(this), message.kind]);
            return post.call(this, message, ...others);
        };"""
    )
    page.goto(file.as_uri())
    page.wait_for_function("() => document.querySelectorAll('#frontier-rows tr').length > 0")
    set_price(page, "T3", 1)
    asked = {tuple(one) for one in page.evaluate("window.asked")}
    first = {kind for number, kind in asked if number == 0}
    assert first == {"start", "load", "learn"}
    assert {kind for number, kind in asked if number == 1} == {"start", "load", "compare", "worths", "stop"}


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


def test_a_table_is_dropped_on_an_empty_page(visit, tmp_path):
    page = visit(tw.make_studio(path=None).save(tmp_path / "studio.html").as_uri())
    assert page.is_visible("#drop-part")
    table = tmp_path / "table.csv"
    rows = "".join(f"{i % 7},{'yes' if i % 2 else 'no'},{'sick' if i % 2 else 'well'}\n" for i in range(60))
    table.write_text(f"age,{HOSTILE},state\n{rows}", encoding="utf-8")
    page.set_input_files("#file", table)
    page.wait_for_function("() => document.getElementById('sentence').textContent.includes('for everybody')")
    assert page.inner_text("#sentence").startswith(f"Order {HOSTILE} for everybody")
    page.set_input_files("#file", {"name": "bad.csv", "mimeType": "text/csv", "buffer": b"a,b\n1\n2,3\n"})
    page.wait_for_function("() => document.getElementById('problem').textContent !== ''")
    assert page.inner_text("#problem") == "Line 2 of bad.csv has 1 cells; the first line has 2 names."


def test_a_table_of_another_encoding_is_read_and_said(visit, tmp_path):
    page = visit(tw.make_studio(path=None).save(tmp_path / "studio.html").as_uri())
    rows = "".join(f"{i % 7};{'sick' if i % 2 else 'gesund'}\n" for i in range(60))
    table = f"Größe;Zustand\n{rows}".encode("cp1252")
    page.set_input_files("#file", {"name": "praxis.csv", "mimeType": "text/csv", "buffer": table})
    page.wait_for_selector("#page[data-tree]", state="attached")
    assert "praxis.csv is not UTF-8; it was read as Windows-1252." in page.inner_text("#told")
    assert "Größe" in page.inner_text("#prices")


def test_a_number_as_target_is_refused_and_another_can_be_chosen(visit, tmp_path):
    page = visit(tw.make_studio(path=None).save(tmp_path / "studio.html").as_uri())
    rows = "".join(f"{'sick' if i % 2 else 'well'},{i % 30}.5\n" for i in range(60))
    page.set_input_files(
        "#file", {"name": "age.csv", "mimeType": "text/csv", "buffer": f"state,age\n{rows}".encode()}
    )
    page.wait_for_function(
        "() => document.getElementById('problem').textContent.includes('30 different numbers')"
    )
    page.select_option("#target", "state")
    page.wait_for_selector("#page[data-tree]", state="attached")
    assert page.is_hidden("#problem")


def test_a_price_is_typed_with_point_or_comma_and_what_is_none_says_so(visit, clinic):
    file, *_ = clinic
    page = visit(file.as_uri())
    settled(page)
    set_price(page, "T3", "1,5")
    field = page.locator("#prices").get_by_role("textbox", name="T3", exact=True)
    assert field.input_value() == "1.5"
    for typed, wanted in (
        ("1,234", "1,234 is no price. Write 1234 or 1.234: the comma can be read in two ways."),
        ("cheap", "cheap is no price. A number is wanted, such as 12.5."),
        ("-3", "-3 is no price. A number is wanted, such as 12.5."),
    ):
        field.fill(typed)
        field.blur()
        assert page.inner_text("#problem") == wanted
        assert field.input_value() == "1.5"


def test_a_link_that_cannot_be_read_says_so(visit, clinic):
    file, *_ = clinic
    page = visit(file.as_uri() + "#s=damaged")
    page.wait_for_selector("#page[data-tree]", state="attached")
    assert page.inner_text("#told").startswith("The link's prices could not be read")


def test_parts_of_the_page_are_no_links_and_the_link_is_always_the_scenario(visit, clinic):
    file, *_ = clinic
    page = visit(file.as_uri())
    settled(page)
    set_price(page, "T3", 1)
    link = page.url
    assert "#s=" in link
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.evaluate("window.changes = 0; addEventListener('hashchange', () => { window.changes += 1; })")
    for count, part in enumerate(["tree-part", "inputs", "results"], 1):
        page.evaluate("part => document.querySelector(`a[href='#${part}']`).click()", part)
        page.wait_for_function("count => window.changes === count", arg=count)
        assert page.inner_text("#told") == ""
        assert page.url == link
    page.click("#link")
    page.wait_for_function("() => window.copied")
    assert page.evaluate("window.copied") == link
    assert page.inner_text("#sentence").startswith("Order T3 for everybody")
    page.click("#undo")  # the price alone: nothing was changed in between
    assert page.is_disabled("#undo")


def test_another_table_or_target_is_no_broken_link(visit, tmp_path):
    page = visit(tw.make_studio(path=None).save(tmp_path / "studio.html").as_uri())
    rows = "".join(f"{i % 7},{'ab'[i % 3 % 2]},{'sick' if i % 2 else 'well'}\n" for i in range(60))
    for name, columns in (("one.csv", "age,kind,state"), ("two.csv", "years,sort,health")):
        table = f"{columns}\n{rows}".encode()
        page.set_input_files("#file", {"name": name, "mimeType": "text/csv", "buffer": table})
        page.wait_for_function(
            "name => document.getElementById('table-name').textContent.includes(name)", arg=name
        )
        assert page.inner_text("#told") == ""
    page.select_option("#target", "sort")
    page.wait_for_function("() => document.getElementById('prices').textContent.includes('health')")
    assert page.inner_text("#told") == ""


def test_the_columns_to_learn_are_those_of_the_table(visit, tmp_path):
    page = visit(tw.make_studio(path=None).save(tmp_path / "studio.html").as_uri())
    rows = "".join(f"{i % 7},{'sick' if i % 2 else 'well'}\n" for i in range(60))
    options = "[...document.querySelectorAll('#target option')].map((one) => one.value)"
    for first, names in (
        ("\nage,state", ["age", "state"]),
        ('"age\nin years",state', ["age\nin years", "state"]),
    ):
        table = f"{first}\n{rows}".encode()
        page.set_input_files("#file", {"name": "t.csv", "mimeType": "text/csv", "buffer": table})
        page.wait_for_function(
            "wanted => document.querySelector('#target option')?.value === wanted", arg=names[0]
        )
        assert page.evaluate(options) == names
        assert page.input_value("#target") == "state"


def test_a_cut_is_shown_apart_from_the_values_beside_it(visit, tmp_path):
    X = pd.DataFrame({"day": [20240131.0, 20240132.0] * 10, "size": [0.1, 0.2] * 10})
    costs = tw.Costs({"day": 1, "size": 900}, errors_default=500)
    file = tmp_path / "studio.html"
    tw.make_studio(X, ["no", "yes"] * 10, costs, file)
    page = visit(file.as_uri())
    page.select_option("#learner", "min-total-cost")
    page.wait_for_selector("#get-model:enabled")
    assert "> 20240131.5: answer yes" in page.text_content("#tree-list")


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


def test_a_slider_that_is_moved_by_keys_is_undone_at_once(visit, clinic):
    file, *_ = clinic
    page = visit(file.as_uri())
    settled(page)
    slider = page.locator("#prices").get_by_role("slider", name="T3, slider")
    slider.focus()
    pressed = """async slider => {
        for (let step = 0; step < 30; step += 1) {
            slider.value = Number(slider.value) + 1;
            slider.dispatchEvent(new Event("input"));
            slider.dispatchEvent(new Event("change"));
        }
    }"""
    slider.evaluate(pressed)
    assert float(slider.get_attribute("aria-valuetext")) > 100
    page.keyboard.press("Control+z")
    assert slider.get_attribute("aria-valuetext") == "50"
    assert page.is_disabled("#undo")
    page.keyboard.press("Control+y")
    assert float(slider.get_attribute("aria-valuetext")) > 100


def test_groups_delays_and_shared_resources_are_changed_and_undone(visit, clinic, tmp_path):
    file, X, y, costs = clinic
    page = visit(file.as_uri())
    page.wait_for_selector("#page[data-tree]", state="attached")
    page.fill("#new-shared", "blood")
    page.locator("#shared").get_by_role("button", name="Add").click()
    page.locator("#shared").get_by_role("textbox", name="blood", exact=True).fill("3")
    for test, after in (("TSH", None), ("T3", 20)):
        page.locator("#prices summary", has_text="late, group, shared").first.click()
        more = page.locator("#prices .amount", has=page.get_by_role("textbox", name=test, exact=True))
        more.get_by_label("needs blood").check()
        more.get_by_label("group ").fill("thyroid")
        more.get_by_label("group ").blur()
        if after is not None:
            more.get_by_label("after another of its group").fill(str(after))
            more.get_by_label("the result comes late").check()
    wanted = tw.Costs(
        {
            "TSH": tw.Test(2, needs=["blood"], group="thyroid"),
            "T3": tw.Test(50, needs=["blood"], group="thyroid", after=20, delayed=True),
            HOSTILE: 1,
        },
        {"blood": 3},
        errors=costs.errors,
        currency="EUR",
        case_name="patient",
    )
    assert tw.Costs.from_file(downloaded(page, "get-costs", tmp_path)) == wanted
    # A price below that after another: the file says the same for both, and the list remembers.
    set_price(page, "T3", 10)
    changed = tw.Costs.from_file(downloaded(page, "get-costs", tmp_path))
    assert changed.tests["T3"] == tw.Test(10, needs=["blood"], group="thyroid", after=10, delayed=True)
    set_price(page, "T3", 50)
    assert tw.Costs.from_file(downloaded(page, "get-costs", tmp_path)) == wanted
    assert_same_aid(
        downloaded(page, "get-aid", tmp_path),
        tw.ThriftClassifier(wanted, leaves="class").fit(X, y),
        "Thyroid",
    )
    other = visit(page.url)
    other.wait_for_selector("#page[data-tree]", state="attached")
    assert tw.Costs.from_file(downloaded(other, "get-costs", tmp_path)) == wanted
    page.locator("#shared").get_by_role("button", name="remove blood").click()
    without = tw.Costs.from_file(downloaded(page, "get-costs", tmp_path))
    assert without.shared == {}
    assert without.tests["TSH"] == tw.Test(2, group="thyroid")
    for _ in range(11):
        page.click("#undo")
    assert tw.Costs.from_file(downloaded(page, "get-costs", tmp_path)) == costs
    assert page.is_disabled("#undo")
