"""The page in a real browser, for the tests of this room: needs the extra ``browser`` and a Chromium."""

import numpy as np
import pandas as pd
import pytest
from browsing import chromium
from studio.clinic import HOSTILE

import thriftwood as tw


@pytest.fixture(scope="module")
def browser():
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="session")
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
