"""A cache of their own for the tests, and the folder of published data if there is one."""

import os
from pathlib import Path

import pytest


@pytest.fixture
def clean_home(tmp_path, monkeypatch):
    """No data folder is set, and the cache is an empty folder that goes away."""
    monkeypatch.delenv("THRIFTWOOD_DATA", raising=False)
    cache = tmp_path / "cache"
    monkeypatch.setattr("thriftwood.datasets.folder.cache_folder", lambda: cache)
    monkeypatch.setattr("thriftwood.datasets.load.cache_folder", lambda: cache)
    return cache


@pytest.fixture
def published_folder():
    """The folder of published data files."""
    folder = os.environ.get("THRIFTWOOD_DATA")
    if not folder:
        pytest.skip("THRIFTWOOD_DATA is not set: the published data files are not here")
    return Path(folder)
