"""A real browser for tests of pages: needs the extra ``browser`` and a Chromium."""

import os
import shutil
from contextlib import contextmanager

import pytest

CHROMIUM = os.environ.get("CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)


@contextmanager
def chromium():
    """Start it, or skip the test with the reason."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the extra browser")
    if CHROMIUM is None:
        pytest.skip("no Chromium on the path, and $CHROMIUM is not set")
    with playwright.sync_playwright() as tool:
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium has no sandbox for root
        opened = tool.chromium.launch(executable_path=CHROMIUM, args=flags, timeout=0)
        yield opened
        opened.close()
