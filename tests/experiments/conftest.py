import pytest
from experiments.small_data import write_small_data


@pytest.fixture(scope="session")
def small_data(tmp_path_factory):
    return write_small_data(tmp_path_factory.mktemp("small") / "data")
