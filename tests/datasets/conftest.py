"""A cache of their own for the tests."""

import pytest


@pytest.fixture
def clean_home(tmp_path, monkeypatch):
    """No data folder is set, and the cache is an empty folder that goes away."""
    monkeypatch.delenv("THRIFTWOOD_DATA", raising=False)
    cache = tmp_path / "cache"
    monkeypatch.setattr("thriftwood.datasets.folder.cache_folder", lambda: cache)
    monkeypatch.setattr("thriftwood.datasets.load.cache_folder", lambda: cache)
    return cache
