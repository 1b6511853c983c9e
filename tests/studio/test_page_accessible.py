"""axe-core finds nothing serious in the studio, the report and the exported aid, in light and dark.

Needs the extra ``browser``, a Chromium, and axe-core: ``npm install --prefix build axe-core``.
Pictures of all pages, at three widths, are left in ``build/screenshots``.
"""

import pytest
from browsing import chromium, looked_at, need_axe
from studio.clinic import clinic_of_every_price

import thriftwood as tw


@pytest.fixture(scope="module")
def browser():
    need_axe()
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    X, y, costs = clinic_of_every_price()
    tree = tw.ThriftClassifier(costs, leaves="class").fit(X, y)
    cards = tw.ThriftClassifier(costs, leaves="score").fit(X, y)
    tw.make_studio(X, y, costs, folder / "studio.html", title="Thyroid clinic", name="patients.csv")
    tw.make_studio(path=folder / "studio-empty.html")
    tw.make_report(tree, X, y, folder / "report.html", training=True, title="Thyroid clinic", live=True)
    tw.make_report(cards, X, y, folder / "report-cards.html", title="Thyroid clinic")
    (folder / "pocket.html").write_text(tw.export_html(tree, "Thyroid clinic"), encoding="utf-8")
    return folder


NAMES = ["studio", "studio-empty", "report", "report-cards", "pocket"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", NAMES)
def test_nothing_serious_is_found(browser, pages, name, scheme):
    context = browser.new_context(color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto((pages / f"{name}.html").as_uri())
    if name == "studio":
        page.wait_for_function("() => document.querySelectorAll('#frontier-rows tr').length > 0")
        page.locator("#prices summary").nth(3).click()  # what else there is to say of a test
    if name == "report":
        page.wait_for_selector("#live[data-judged]", state="attached")
    looked_at(page, f"tour-{name}-{{}}-{scheme}", full_page=True)
    context.close()
