"""Links: a scenario in the address, which waits for its table and stays the newest."""

import base64
import json

import numpy as np
import pandas as pd
import pytest
from studio.visiting import dropped, price_field, set_price, settled

import thriftwood as tw

ROWS = "".join(f"{i % 7},{'ab'[i % 3 % 2]},{'sick' if i % 2 else 'well'}\n" for i in range(60))
TABLE = f"age,kind,state\n{ROWS}"
OTHER = f"years,sort,health\n{ROWS}"
LOST = "The link's prices could not be read"


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    """Return the address of a page without a table."""
    return tw.make_studio(path=None).save(tmp_path_factory.mktemp("empty") / "studio.html").as_uri()


def content_of(link):
    text = link.partition("#s=")[2]
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def hash_of(content):
    return "#s=" + base64.urlsafe_b64encode(json.dumps(content).encode()).decode().rstrip("=")


def copied(page):
    """Press the button that copies the link."""
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.click("#link")
    page.wait_for_function("() => window.copied")
    return page.evaluate("window.copied")


def test_a_link_that_cannot_be_read_says_so(visit, clinic):
    file, *_ = clinic
    page = visit(file.as_uri() + "#s=damaged")
    page.wait_for_selector("#page[data-tree]", state="attached")
    assert page.inner_text("#told").startswith(LOST)
    assert content_of(page.url)["table"].startswith("clinic")


def test_parts_of_the_page_are_no_links_and_have_no_place_in_the_history(visit, clinic):
    file, *_ = clinic
    page = visit(file.as_uri())
    page.set_viewport_size({"width": 390, "height": 800})
    settled(page)
    set_price(page, "T3", 20)
    places = page.evaluate("history.length")
    page.locator("#at-hand a").click()
    assert page.evaluate("document.activeElement.id") == "tree-part"
    assert page.locator("#tree-part").bounding_box()["y"] < 400
    page.click("#to-prices")
    assert page.evaluate("document.activeElement.id") == "inputs"
    set_price(page, "T3", 1)
    link = page.url
    page.keyboard.press("Control+Home")
    page.evaluate("document.querySelector('.skip').focus()")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "results"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#results') !== null")
    assert page.evaluate("document.querySelectorAll('[tabindex=\"-1\"]').length") == 0
    assert (page.url, page.inner_text("#told")) == (link, "")
    assert page.evaluate("history.length") == places
    assert copied(page) == link
    page.go_back()  # to before the page: no older scenario is opened
    assert page.url == "about:blank"


def test_a_link_to_another_target_waits_for_its_table_and_opens_it(visit, empty):
    page = visit(empty)
    dropped(page, "one.csv", TABLE)
    assert page.input_value("#target") == "state"
    page.select_option("#target", "kind")
    page.wait_for_function("() => document.getElementById('prices').textContent.includes('state')")
    set_price(page, "age", 7)
    link = copied(page)
    other = visit(link)
    assert other.inner_text("#told") == (
        "This link holds prices of one.csv, where kind is learnt: open that table, and they are there."
    )
    other.keyboard.press("Tab")  # there is nothing to skip to
    assert other.evaluate("document.activeElement.id") == "theme"
    dropped(other, "two.csv", OTHER)
    other.wait_for_selector("#page[data-tree]", state="attached")
    assert other.inner_text("#told").startswith("This link holds prices of one.csv, where kind is learnt:")
    assert other.url == link
    dropped(other, "one.csv", TABLE)
    assert other.input_value("#target") == "kind"
    assert price_field(other, "age").input_value() == "7"
    assert other.inner_text("#told") == ""
    other.select_option("#target", "state")  # the link is opened: here the prices are the first ones
    other.wait_for_function("() => document.getElementById('prices').textContent.includes('kind')")
    assert price_field(other, "age").input_value() == "1"
    assert content_of(other.url)["target"] == "state"


def test_a_link_of_a_dropped_table_waits_on_a_page_that_has_one(visit, clinic):
    file, *_ = clinic
    page = visit(file.as_uri())
    settled(page)
    dropped(page, "one.csv", TABLE)
    set_price(page, "age", 7)
    link = copied(page)
    other = visit(link)
    settled(other)
    assert other.inner_text("#told").startswith("This link holds prices of one.csv, where state is learnt:")
    assert other.url == link
    set_price(other, "T3", 20)  # the address keeps what would be lost
    assert content_of(other.url)["table"].startswith("clinic")
    dropped(other, "one.csv", TABLE)
    assert price_field(other, "age").input_value() == "7"
    assert content_of(other.url) == content_of(link)


def test_links_that_are_opened_in_the_open_page_are_taken_or_wait(visit, clinic, empty):
    page = visit(empty)
    dropped(page, "one.csv", TABLE)
    set_price(page, "age", 7)
    link = "#" + page.url.partition("#")[2]
    file, *_ = clinic
    other = visit(file.as_uri())
    settled(other)
    set_price(other, "T3", 20)
    own = other.url
    for hash_, said in ((link, "This link holds prices of one.csv"), ("#s=damaged", LOST), ("#tree", "")):
        other.evaluate("hash => { location.hash = hash; }", hash_)
        other.wait_for_function("own => location.href === own", arg=own)
        assert other.inner_text("#told").startswith(said)
    other.evaluate("hash => { location.hash = hash; }", link)
    other.wait_for_function("own => location.href === own", arg=own)
    dropped(other, "one.csv", TABLE)
    assert price_field(other, "age").input_value() == "7"
    blank = visit(empty)
    blank.evaluate("hash => { location.hash = hash; }", link)
    blank.wait_for_function("() => document.getElementById('told').textContent.includes('one.csv')")
    dropped(blank, "one.csv", TABLE)
    assert price_field(blank, "age").input_value() == "7"


def test_a_slider_that_had_the_focus_when_a_link_was_opened_leaves_its_prices(visit, clinic):
    file, *_ = clinic
    page = visit(file.as_uri())
    settled(page)
    set_price(page, "TSH", 7)
    link = "#" + page.url.partition("#")[2]
    page.click("#undo")
    page.get_by_role("slider", name="T3, slider", exact=True).focus()
    page.keyboard.press("ArrowRight")
    moved = price_field(page, "T3").input_value()
    page.evaluate("hash => { location.hash = hash; }", link)
    page.wait_for_function("link => location.hash === link", arg=link)
    assert price_field(page, "T3").input_value() == "50"
    page.keyboard.press("ArrowRight")
    assert (price_field(page, "T3").input_value(), price_field(page, "TSH").input_value()) == (moved, "7")


def test_a_link_may_be_long(visit, empty):
    page = visit(empty)
    name = "é" * 150_000
    dropped(page, "one.csv", TABLE.replace("age", name))
    assert content_of(page.url)["costs"]["tests"] == {name: 1, "kind": 1}


def test_a_link_of_other_classes_is_refused(visit, empty):
    page = visit(empty)
    dropped(page, "one.csv", TABLE)
    set_price(page, "age", 7)
    other = visit(page.url)
    dropped(other, "one.csv", TABLE.replace("sick", "ill").replace("well", "fine"))
    other.wait_for_selector("#page[data-tree]", state="attached")
    assert other.inner_text("#told").startswith(LOST)
    assert price_field(other, "age").input_value() == "1"
    mistakes = other.evaluate("[...document.querySelectorAll('#mistakes input')].map((one) => one.value)")
    assert mistakes == ["50", "50"]


ERRORS = {"sick": {"well": 100}, "well": {"sick": 30}}
DOUBTFUL = [
    {"costs": {"tests": {"TSH": 1}, "errors": [[0]]}},
    {"costs": {"tests": {"TSH": 1}, "errors": {"sick": 5, "well": 5}}},
    {"costs": {"tests": {"TSH": 1}, "errors": {"sick": {"well": 5}}}},
    {"costs": {"tests": {"TSH": 1}, "errors": {"ill": {"well": 100}, "well": {"ill": 30}}}},
    {"costs": {"errors": {**ERRORS, "sick": {}}}},
    {"costs": {"errors": {**ERRORS, "sick": {"well": "100"}}}},
    {"costs": {"errors": ERRORS, "answers": {"refer": {"sick": 5}}}},
    {"costs": {"errors": ERRORS, "answers": {"refer": [5]}}},
    {"costs": {"errors": ERRORS, "answers": {"sick": 5}}},
    {"costs": {"tests": {"TSH": {"price": 1, "needs": ["b", "b"]}}, "shared": {"b": 3}}},
    {"costs": {"tests": {"TSH": {"price": 1, "needs": ["b"]}}}},
    {"costs": {"tests": {"TSH": {"needs": []}}}},
    {"costs": {"tests": {"TSH": {"price": 1, "after": -1, "group": "g"}}}},
    {"costs": {"tests": {"TSH": {"price": 1, "group": 7}}}},
    {"costs": {"tests": {"TSH": -1}}},
    {"costs": {"tests": {"T5": 1}}},
    {"costs": {"tests": [1, 2]}},
    {"costs": {"tests": {}, "default_price": -5}},
    {"costs": {"tests": {}, "payment": 7}},
    {"costs": {"tests": {}, "currency": 5}},
    {"costs": {"tests": {}, "case_name": {"a": 1}}},
    {"costs": {"tests": {}, "today": {"tests": ["T5"]}}},
    {"costs": {"tests": {}, "magic": 1}},
    {"costs": None},
    {"learner": "magic"},
    {"weight": -1},
]


def test_what_a_link_holds_is_looked_at(visit, clinic):
    file, *_ = clinic
    page = visit(file.as_uri())
    settled(page)
    before, sentence = page.url, page.inner_text("#sentence")
    sound = content_of(before)
    for change in DOUBTFUL:
        page.evaluate("document.getElementById('told').textContent = ''")
        page.evaluate("hash => { location.hash = hash; }", hash_of({**sound, **change}))
        page.wait_for_function("before => location.href === before", arg=before)
        assert page.inner_text("#told").startswith(LOST), change
    assert page.inner_text("#sentence") == sentence
    assert page.is_disabled("#undo")
    other = visit(file.as_uri() + hash_of({**sound, **DOUBTFUL[0]}))
    settled(other)
    assert other.inner_text("#told").startswith(LOST)
    assert other.inner_text("#sentence") == sentence


def test_another_table_or_target_is_no_broken_link(visit, empty):
    page = visit(empty)
    for name, table in (("one.csv", TABLE), ("two.csv", OTHER)):
        dropped(page, name, table)
        assert page.inner_text("#told") == ""
    page.select_option("#target", "sort")
    page.wait_for_function("() => document.getElementById('prices').textContent.includes('health')")
    assert page.inner_text("#told") == ""


def test_a_link_that_cannot_be_used_waits_no_more_once_its_table_is_open(visit, empty):
    page = visit(empty)
    dropped(page, "one.csv", TABLE)
    page.select_option("#target", "kind")
    page.wait_for_function("() => document.getElementById('prices').textContent.includes('state')")
    link = page.url
    longer = TABLE + "1,a,sick\n"
    other = visit(link)
    dropped(other, "one.csv", longer)
    assert other.input_value("#target") == "kind"
    assert other.inner_text("#told").startswith(LOST)
    assert content_of(other.url)["table"] == "one.csv 2 61"
    dropped(other, "one.csv", longer)
    assert other.input_value("#target") == "state"
    assert other.inner_text("#told") == ""
    other.select_option("#target", "kind")
    other.wait_for_function("() => document.getElementById('prices').textContent.includes('state')")
    own = other.url
    other.evaluate("hash => { location.hash = hash; }", "#" + link.partition("#")[2])
    other.wait_for_function("own => location.href === own", arg=own)
    assert other.inner_text("#told").startswith(LOST)
    dropped(other, "one.csv", longer)
    assert other.input_value("#target") == "state"


def told_price(page, name="age"):
    settled(page)
    return price_field(page, name).input_value(), page.inner_text("#told")


def within(folder, **named):
    """Return the address of a page with the table inside, as `thriftwood studio one.csv` makes it."""
    rows = [line.split(",") for line in ROWS.splitlines()]
    X = pd.DataFrame({"age": [int(row[0]) for row in rows], "kind": [row[1] for row in rows]})
    y = np.array([row[2] for row in rows])
    return tw.make_studio(X, y, **named).save(folder / "within.html").as_uri()


@pytest.mark.parametrize("named", [{}, {"target": "state"}], ids=["old", "new"])
def test_links_of_a_table_open_in_every_page_that_has_it(visit, empty, tmp_path, named):
    """Pages of a command line do not call what is learnt, nor do links of older pages."""
    address = within(tmp_path, name="one.csv", **named)
    page = visit(address)
    settled(page)
    set_price(page, "age", 7)
    link = copied(page)
    first = TABLE.splitlines()
    turned = "\n".join(",".join(line.split(",")[::-1]) for line in first) + "\n"
    for number, text in enumerate((TABLE, turned)):
        other = visit(f"{empty}#{link.partition('#')[2]}")
        dropped(other, "one.csv", text)
        assert other.input_value("#target") == "state", number
        assert told_price(other) == ("7", "")
    back = visit(f"{address}#{other.url.partition('#')[2]}")
    assert told_price(back) == ("7", "")
    assert content_of(other.url)["target"] == "state"


def test_the_name_of_a_table_is_told_without_folder_and_ending(visit, empty, tmp_path):
    page = visit(within(tmp_path, name="data/one.csv.gz"))
    settled(page)
    set_price(page, "age", 7)
    other = visit(f"{empty}#{page.url.partition('#')[2]}")
    dropped(other, "one.csv", TABLE)
    assert told_price(other) == ("7", "")
    third = visit(f"{empty}#{page.url.partition('#')[2]}")
    dropped(third, "two.csv", TABLE)
    assert told_price(third)[0] == "1"


def test_a_link_of_another_column_waits_until_its_table_is_opened_again(visit, empty, tmp_path):
    page = visit(within(tmp_path, name="one.csv"))
    settled(page)
    set_price(page, "age", 7)
    other = visit(empty)
    dropped(other, "one.csv", TABLE)
    other.select_option("#target", "kind")
    other.wait_for_function("() => document.getElementById('prices').textContent.includes('state')")
    other.evaluate("hash => { location.hash = hash; }", "#" + page.url.partition("#")[2])
    other.wait_for_function("() => document.getElementById('told').textContent.includes('one.csv')")
    dropped(other, "one.csv", TABLE)
    assert other.input_value("#target") == "state"
    assert told_price(other) == ("7", "")
