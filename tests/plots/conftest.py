"""What every test of a picture needs."""

import pytest


@pytest.fixture
def plots():
    """pyplot without a screen; its figures are closed afterwards."""
    matplotlib = pytest.importorskip("matplotlib", reason="needs the extra plots")
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    yield plt
    plt.close("all")
