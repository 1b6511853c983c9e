"""Settings for the whole suite, and the folder of published data if there is one."""

import os
import signal
from pathlib import Path

import pytest
from fast_tier import (  # noqa: F401  # the hooks of `pytest --fast`
    pytest_addoption,
    pytest_collection_modifyitems,
    pytest_ignore_collect,
    pytest_runtest_makereport,
    pytest_runtest_protocol,
    pytest_terminal_summary,
)
from hypothesis import HealthCheck, settings

# Times vary with whatever else the machine does; a slow example is no failure. Whoever works here
# explores: other examples each time. A gate must not depend on luck: CI sets HYPOTHESIS_PROFILE=repeatable.
settings.register_profile("explore", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("repeatable", parent=settings.get_profile("explore"), derandomize=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "explore"))

# What a test shows does not depend on the terminal that the suite is started from, or on there being none.
os.environ["TERM"] = "xterm"
for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "PY_COLORS", "TTY_COMPATIBLE", "GITHUB_ACTIONS"):
    os.environ.pop(name, None)

# A shell that runs the suite in the background lets it ignore Ctrl-C; tests that press it would wait forever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def published_folder():
    """The folder of published data files."""
    folder = os.environ.get("THRIFTWOOD_DATA")
    if not folder:
        pytest.skip("THRIFTWOOD_DATA is not set: the published data files are not here")
    return Path(folder)
