"""No model learns from today's answers, whatever is asked about the table."""

import numpy as np
import pandas as pd

import thriftwood as tw

RNG = np.random.default_rng(0)
Y = np.where(RNG.random(120) < 0.4, "ill", "well")
X = pd.DataFrame({"age": RNG.integers(0, 9, 120) + 2.0 * (Y == "ill"), "said": Y})  # today is always right
COSTS = tw.Costs({"age": 1}, errors={"ill": {"well": 30}, "well": {"ill": 10}})
WITH = COSTS.replace(today={"answers": "said"})


def test_what_if_and_break_even_do_without_them():
    asked = tw.what_if(X, Y, WITH, price={"age": (0.5, 4)})
    plain = tw.what_if(X[["age"]], Y, COSTS, price={"age": (0.5, 4)})
    assert [flip.at for flip in asked.flips] == [flip.at for flip in plain.flips]
    assert asked.cost(1) == plain.cost(1) > 1
    assert tw.break_even(X, Y, WITH).table.equals(tw.break_even(X[["age"]], Y, COSTS).table)


def test_learning_curves_do_without_them():
    model = tw.algorithm("min-total-cost")
    asked = tw.learning_curve(model, X, Y, WITH, cv=3)
    assert asked.table.equals(tw.learning_curve(model, X[["age"]], Y, COSTS, cv=3).table)
