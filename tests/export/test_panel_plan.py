"""Panels of trees that vote, as JavaScript and as a page: they ask, buy and answer as the library does."""

import numpy as np
import pandas as pd
import pytest
from evaluation.plain_ledger import random_costs
from evaluation.plain_panel import random_cases, random_panel
from export.running import by_javascript

import thriftwood as tw
from thriftwood.costs import Costs
from thriftwood.models.voting import Vote

VALUES = [0, 3, 0, 4, 2]


def voting_panel(rng):
    while True:
        panel, _, _ = random_panel(rng, random_costs(rng, len(VALUES)), VALUES)
        if isinstance(panel.rule, Vote):
            return panel


@pytest.mark.parametrize("seed", range(12))
def test_panels_decide_as_the_library(seed):
    rng = np.random.default_rng(seed)
    panel = voting_panel(rng)
    _, rows = random_cases(rng, VALUES, 40)
    found = by_javascript(panel, [dict(zip(panel.feature_names, row, strict=True)) for row in rows])
    X = pd.DataFrame(rows, dtype=object).to_numpy()
    bill = tw.bill(panel, X, costs=panel.costs or Costs())
    names, starts = bill.purchases.tests(panel.feature_names), bill.purchases.starts.tolist()
    paid = bill.purchases.cost.tolist()
    shares = panel.predict_proba(X)
    for r, (got, answer) in enumerate(zip(found, panel.predict(X).tolist(), strict=True)):
        assert (got.answer, got.bought) == (answer, names[r])
        np.testing.assert_allclose(got.probabilities, shares[r], rtol=0, atol=1e-12)
        np.testing.assert_allclose(got.paid, paid[starts[r] : starts[r + 1]], rtol=1e-12)


def test_learnt_panels_are_exported():
    golf = tw.load_dataset("golf-nominal", frame="pandas")
    base = tw.algorithm("lasc", max_depth=1)
    model = tw.algorithm("boosting", estimator=base, costs=golf.costs, rounds=3).fit(golf.X, golf.y)
    found = by_javascript(model, golf.X.to_dict("records"))
    assert [one.answer for one in found] == model.predict(golf.X).tolist()
    assert [one.bill for one in found] == pytest.approx(tw.bill(model, golf.X).test_cost.tolist())


def test_trees_that_another_asks_are_refused():
    rng = np.random.default_rng(0)
    while isinstance((panel := random_panel(rng, None, VALUES)[0]).rule, Vote):
        pass
    with pytest.raises(ValueError, match="Trees that vote can be written as a page or as JavaScript"):
        tw.export_html(panel)
