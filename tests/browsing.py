"""A real browser for tests of pages: needs the extra ``browser`` and a Chromium.

What readers with a screen reader meet is looked at by axe-core: ``npm install --prefix build axe-core``.
Pictures are left in ``build/screenshots``.
"""

from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from benchmarks.browsing import NoBrowserError, launched

BUILD = Path(__file__).parents[1] / "build"
AXE = BUILD / "node_modules" / "axe-core" / "axe.min.js"
WIDTHS = (1280, 900, 390)


def need_axe():
    """Skip the test where axe-core is not there."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: npm install --prefix build axe-core")


def looked_at(page, name, full_page):
    """Take pictures of a page at three widths, and look what axe-core finds serious at each."""
    (BUILD / "screenshots").mkdir(exist_ok=True)
    page.add_script_tag(path=AXE)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.screenshot(path=BUILD / "screenshots" / f"{name.format(width)}.png", full_page=full_page)
        found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
        serious = [
            (one["id"], one["help"], [node["html"][:120] for node in one["nodes"][:3]])
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
        ]
        assert serious == [], (name, width)


@contextmanager
def chromium():
    """Start it, or skip the test with the reason."""
    with ExitStack() as started:
        try:
            opened = started.enter_context(launched())
        except NoBrowserError as reason:
            pytest.skip(str(reason))
        yield opened
