"""The page to consult, in a real browser: it asks what the library asks and answers what it answers."""

import os
import re
import shutil
from pathlib import Path

import pytest

import thriftwood as tw
from thriftwood.base.page_parts import content_hash

PICTURES = Path(__file__).parents[2] / "build" / "screenshots"
CHROMIUM = os.environ.get("CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
HOSTILE = "</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the extra browser")
    if CHROMIUM is None:
        pytest.skip("no Chromium on the path, and $CHROMIUM is not set")
    with playwright.sync_playwright() as tool:
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium has no sandbox for root
        opened = tool.chromium.launch(executable_path=CHROMIUM, args=flags, timeout=0)
        yield opened
        opened.close()


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


@pytest.mark.parametrize("leaves", ["class", "score"])
def test_it_asks_and_answers_as_the_library(opened, leaves):
    data = tw.load_dataset("wisconsin-diagnostic", frame="pandas")
    costs = data.costs.replace(case_name="patient", currency="EUR")
    model = tw.ThriftClassifier(costs, leaves=leaves).fit(data.X, data.y).model_
    page = opened(model, "Breast cancer")
    for row in data.X.iloc[[0, 50, 300]].to_dict("records"):
        asked = answered(page, row)
        case = model.consult()
        while not case.finished:
            case.answer(row[case.next_test])
        assert asked == [test for test, _ in case.bought]
        assert page.inner_text("#says") == str(case.result)
        assert float(page.inner_text("#bill").split()[0]) == pytest.approx(case.bill, rel=1e-5)
        PICTURES.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=PICTURES / f"pocket-{leaves}.png", full_page=True)
        page.click("#again")


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


def test_the_policy_allows_its_own_script_alone():
    page = tw.export_html(tw.CostTreeClassifier().fit([[1.0], [2.0]], [HOSTILE, "yes"]), HOSTILE)
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert len(scripts) == 1
    assert f"script-src 'sha256-{content_hash(scripts[0])}';" in page
    assert "<img" not in page
