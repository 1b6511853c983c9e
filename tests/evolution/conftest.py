import pytest

import thriftwood as tw


@pytest.fixture(scope="session")
def days():
    return tw.load_dataset("golf-nominal")
