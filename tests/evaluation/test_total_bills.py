import numpy as np
import pytest

import thriftwood as tw
from thriftwood.datasets.generators import make_small


@pytest.fixture(scope="module")
def patients():
    X, y = make_small(300, seed=1)
    costs = tw.Costs({f"x{j}": 1 + j for j in range(13)}, errors={0: {1: 30}, 1: {0: 7}})
    return tw.CostTreeClassifier("entropy", costs=costs, growth=tw.Growth(max_depth=5)).fit(X, y), X, y


def measures(bill):
    return {
        name: getattr(bill, name)
        for name in dir(type(bill))
        if name.startswith(
            ("mean_", "total_", "n_", "untested", "accuracy", "high", "standard", "normalised")
        )
        and not isinstance(getattr(bill, name), np.ndarray)
    }


@pytest.mark.parametrize("truth", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_bills_of_parts_add_up_to_the_bill_of_all(patients, truth, weighted):
    model, X, y = patients
    weights = np.random.default_rng(0).integers(1, 4, len(y)).astype(float) if weighted else None

    def billed(rows):
        return tw.bill(
            model,
            X[rows],
            y[rows] if truth else None,
            sample_weight=None if weights is None else weights[rows],
        )

    whole = billed(slice(None))
    total = tw.total_bill(billed(slice(start, start + 70)) for start in range(0, 300, 70))
    found = {name: value for name, value in measures(whole).items() if name in measures(total)}
    assert len(found) > 12
    assert found == measures(total)
    assert str(total) == str(whole)
    assert total._repr_html_() == whole._repr_html_()
    assert repr(total) == repr(whole).replace("Bill", "TotalBill")
    assert total.tree == whole.tree
    assert len(total.test_columns["test"]) > 3
    assert total.by_test.equals(whole.by_test)


@pytest.mark.parametrize("name", ["shortcut-forest", "gradient-boosting", "cocost"])
def test_bills_of_several_trees_add_up(name):
    X, y = make_small(200, seed=1)
    costs = tw.Costs({f"x{j}": 1 + j for j in range(13)}, errors_default=10)
    few = {"trees": 5} if name == "shortcut-forest" else {"rounds": 3}
    model = tw.algorithm(name, costs=costs, random_state=0, **few).fit(X, y)
    total = tw.total_bill(tw.bill(model, X[rows], y[rows]) for rows in (slice(0, 90), slice(90, None)))
    assert str(total) == str(tw.bill(model, X, y))


def test_bills_that_do_not_go_together(patients):
    model, X, y = patients
    bill = tw.bill(model, X, y)
    for other in (
        tw.bill(model, X),
        tw.bill(model, X, y, tw.Costs()),
        tw.bill(model, X, y, sample_weight=np.ones(len(y))),
        tw.bill(tw.algorithm("c45").fit(X[:, :5], y), X[:, :5], y, tw.Costs()),
    ):
        with pytest.raises(ValueError, match="Bills add up if they are of one"):
            tw.total_bill([bill, other])
    with pytest.raises(ValueError, match="no bill to add up"):
        tw.total_bill([])
