"""The picture of a price that changes."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import thriftwood as tw


@pytest.fixture(scope="module")
def found():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 3)).round(1)
    y = np.where(X[:, 0] + 0.5 * X[:, 1] + rng.normal(size=150) > 0, "sick", "well")
    errors = {"sick": {"well": 60}, "well": {"sick": 25}}
    costs = tw.Costs(
        {f"x{place}": 2 for place in range(3)}, errors=errors, currency="EUR", case_name="patient"
    )
    return {
        "price": tw.what_if(X, y, costs, price={"x0": (0, 30)}, folds=3),
        "error": tw.what_if(X, y, costs, error={("sick", "well"): (1, 20)}, folds=3),
    }


def test_lines_are_the_numbers_of_what_was_found(found):
    what_if = found["price"]
    ax = tw.plot_what_if(what_if)
    lines = {line.get_label(): line for line in ax.get_lines()}
    curve = what_if.curve(401)
    assert lines["a patient costs (± a standard error)"].get_ydata().tolist() == curve["cost"].tolist()
    assert lines["testing nobody"].get_ydata().tolist() == curve["untested_cost"].tolist()
    assert lines["today: 2 EUR"].get_xdata()[0] == 2
    upright = [line.get_xdata()[0] for line in ax.get_lines() if line.get_linestyle() == ":"]
    assert upright == [flip.at for flip in what_if.flips]
    assert upright
    assert ax.get_xlim() == (0, 30)
    assert ax.get_xlabel() == "the price of x0 (EUR)"
    assert ax.get_title() == "What if the price of x0 were 0 to 30 EUR"
    (shares,) = (other for other in ax.figure.axes if other is not ax)
    assert shares.get_ylabel() == "bought by (% of the patients)"
    area = shares.collections[0].get_paths()[0].vertices
    assert area[:, 1].max() == pytest.approx(100 * max(step.share for step in what_if))
    plt.close("all")


def test_an_error_cost_outside_today_on_axes_of_one_s_own(found):
    _, ax = plt.subplots()
    assert found["error"].plot(ax) is ax
    assert ax.get_xlabel() == "the cost of answering well to sick (EUR)"
    assert not any("today" in line.get_label() for line in ax.get_lines())  # 60 is beyond 20
    plt.close("all")


def test_only_what_was_found_is_drawn():
    with pytest.raises(TypeError, match=r"drawn of what tw.what_if returns. Got int"):
        tw.plot_what_if(5)
