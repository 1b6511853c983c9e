"""Cascades: who is sure stops, tests are paid stage by stage, parts that do not go together are refused."""

import numpy as np
import pytest

import thriftwood as tw
from thriftwood.models.cascade import Cascade, Stage
from thriftwood.models.score_card import NumberPoints, ScoreCard
from thriftwood.table import Encoder

LOSS = np.array([[0.0, 10.0], [10.0, 0.0]])
FIRST = ScoreCard((0,), (NumberPoints(0, (0.0, 1.0), ((-300,), (300,)), (0,)),))
SECOND = ScoreCard((0,), (NumberPoints(1, (0.0, 1.0), ((-300,), (300,)), (0,)),))
COSTS = tw.Costs({"a": tw.Test(2, needs=["lab"]), "b": tw.Test(3, needs=["lab"])}, shared={"lab": 5})
X = [[0.0, 1.0], [0.5, 1.0], [0.5, 0.0], [np.nan, 1.0]]


def encoder():
    import pandas as pd

    found = Encoder()
    found.fit_encode(pd.DataFrame({"a": [0.0, 1.0], "b": [0.0, 1.0]}))
    return found


def frame(rows):
    import pandas as pd

    return pd.DataFrame(rows, columns=["a", "b"])


def cascade(*stages, costs=COSTS, loss=LOSS):
    stages = stages or (Stage((0,), FIRST, 1.0), Stage((1,), SECOND))
    return Cascade(stages, loss, encoder(), np.array(["no", "yes"]), costs)


def test_who_is_sure_stops_and_who_is_doubtful_buys_more():
    model = cascade()
    # At 300 points the odds are 20 to 1, so a mistake is expected to cost 10 / 21 = 0.47; at 0 points 5.
    assert model.predict(frame(X)).tolist() == ["no", "yes", "no", "yes"]
    assert model.ending(model.table(frame(X))).stage.tolist() == [0, 1, 1, 1]
    assert model.predict_proba(frame(X))[0].round(3).tolist() == [0.953, 0.047]


def test_tests_are_paid_stage_by_stage_and_shared_steps_once():
    bill = tw.bill(cascade(), frame(X), ["no", "yes", "no", "yes"])
    assert bill.test_cost.tolist() == [7, 10, 10, 10]
    assert bill.total_error_cost == 0
    assert bill.total_n_consulted == 7


def test_upfront_payment_buys_all_tests():
    assert tw.bill(cascade(), frame(X), costs=COSTS.replace(payment="upfront")).test_cost.tolist() == [10] * 4


def test_a_delayed_test_brings_the_later_stages_with_it():
    late = tw.Costs({"a": tw.Test(2, delayed=True), "b": 3})
    assert tw.bill(cascade(), frame(X), costs=late).test_cost.tolist() == [5] * 4
    late = tw.Costs({"a": 2, "b": tw.Test(3, delayed=True)})
    assert tw.bill(cascade(), frame(X), costs=late).test_cost.tolist() == [2, 5, 5, 5]


def test_missing_values_are_free_where_they_are_not_charged():
    free = COSTS.replace(charge_missing=False)
    assert tw.bill(cascade(), frame(X), costs=free).test_cost.tolist() == [7, 10, 10, 8]


def test_one_case_is_decided_by_names():
    assert cascade().decide({"a": 0.5, "b": 0.9}) == "yes"


@pytest.mark.parametrize(
    ("stages", "said"),
    [
        ((Stage((0,), FIRST, 1.0),), "stop is infinite"),
        ((Stage((0,), FIRST, np.nan), Stage((1,), SECOND)), "stops at a number"),
        ((Stage((0, 0), FIRST),), "each test once"),
        ((Stage((0,), FIRST, 1.0), Stage((0,), FIRST)), "each test once"),
        ((Stage((1,), FIRST),), "bought in its stage or before"),
        ((Stage((7,), ScoreCard((0,))),), "of its 2 columns"),
        ((Stage((), ScoreCard((0, 0, 0))),), "chances of the 2 classes"),
    ],
)
def test_parts_that_do_not_go_together_are_refused(stages, said):
    with pytest.raises(ValueError, match=said):
        cascade(*stages)


@pytest.mark.parametrize("loss", [np.zeros((2, 3)), np.array([[0.0, np.nan], [1.0, 0.0]]), -LOSS])
def test_costs_of_answers_that_are_none_are_refused(loss):
    with pytest.raises(ValueError, match="what each answer costs"):
        cascade(loss=loss)
