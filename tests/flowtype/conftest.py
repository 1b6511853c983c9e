import pytest
from flowtype.small_corpus import write_small_corpus

from thriftwood import flowtype


@pytest.fixture(scope="session")
def small_corpus(tmp_path_factory):
    """Three types from three sources, indexed."""
    folder = tmp_path_factory.mktemp("streams")
    write_small_corpus(folder / "files")
    return flowtype.index_folders(folder, [folder / "files"])


@pytest.fixture(scope="session")
def prices():
    return flowtype.price_list(rounds=3)
