"""Settings for the whole suite, and the folder of published data if there is one."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Times vary with whatever else the machine does; a slow example is no failure.
settings.register_profile("thriftwood", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("thriftwood")

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
