"""A real browser for tests of pages: needs the extra ``browser`` and a Chromium."""

from contextlib import ExitStack, contextmanager

import pytest

from benchmarks.browsing import NoBrowserError, launched


@contextmanager
def chromium():
    """Start it, or skip the test with the reason."""
    with ExitStack() as started:
        try:
            opened = started.enter_context(launched())
        except NoBrowserError as reason:
            pytest.skip(str(reason))
        yield opened
