"""A real browser, for measurements and for tests of pages: needs the extra ``browser`` and a Chromium."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

CHROMIUM = os.environ.get("CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)


class NoBrowserError(RuntimeError):
    """There is no browser to start; the message says what is missing."""


@contextmanager
def launched() -> Iterator[Any]:
    """Start Chromium, and hand out what playwright steers it by."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as missing:
        raise NoBrowserError("needs the extra browser") from missing
    if CHROMIUM is None:
        raise NoBrowserError("no Chromium on the path, and $CHROMIUM is not set")
    with sync_playwright() as tool:
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium has no sandbox for root
        opened = tool.chromium.launch(executable_path=CHROMIUM, args=flags, timeout=0)
        yield opened
        opened.close()
