"""benchmarks.thrift: figures and what they may be, a lender's totals, shares by chance."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from benchmarks.thrift import __main__ as command
from benchmarks.thrift import free, lender, reliability, speed, turney
from benchmarks.thrift.figure import Figure
from thriftwood.experiments.savings.data import CostTable, matrices
from thriftwood.experiments.thrift.tables import Setting


def test_a_figure_holds_up_to_what_it_may_be():
    assert Figure("low", 1.0, most=1.0).holds
    assert not Figure("high", 1.1, most=1.0).holds
    assert Figure("not judged", 9.0).holds
    mean = Figure.mean("mean", [1.0, 3.0])
    assert (mean.value, mean.error) == (2.0, 1.0)
    assert Figure.mean("one", [1.0]).error is None


def customers(n=900):
    """The amount decides what is lost, and nothing tells who pays back."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"amount": rng.choice([1.0, 100.0], n), "noise": rng.normal(size=n).round(2)})
    y = (rng.random(n) < 0.2).astype(np.int64)
    return CostTable("small", X, y, matrices(false_positive=5.0, false_negative=X["amount"]))


def test_losses_by_row_are_worth_knowing_where_they_differ():
    pytest.importorskip("lightgbm")
    totals = lender.divided(customers(), seed=0)
    assert list(totals) == [lender.OURS, lender.MEANS, lender.EVERYTHING]
    assert totals[lender.OURS] < 0.8 * totals[lender.MEANS]


def test_mean_losses_are_those_of_each_class():
    table = customers()
    costs = lender._with_means(lender.tw.Costs({"amount": 1}), table, np.arange(len(table.y)))
    bad = table.y == 1
    expected = [[0.0, 5.0], [table.X["amount"][bad].mean(), 0.0]]
    assert costs.error_matrix([0, 1]).tolist() == pytest.approx(np.array(expected))


def answered_by(tells):
    """300 cases: a column that tells the class, or tells nothing."""
    rng = np.random.default_rng(0)
    y = np.where(rng.random(300) < 0.3, "sick", "well")
    column = np.where(y == "sick", 1.0, 0.0) if tells else rng.random(300)
    return Setting("small", pd.DataFrame({"column": column}), y, "free", "dear", None, 0)


def test_with_free_tests_all_that_is_told_is_had_and_folds_are_not_believed_whole():
    found = free.divided(answered_by(True), 80, 80, 0)
    assert found.thrift == found.panel == found.folds == 0.0
    assert 0.0 < found.choice < 75.0  # a quarter is what tests usually save
    nothing = free.divided(answered_by(False), 80, 80, 0)
    assert (nothing.thrift, nothing.folds, nothing.choice) == (100.0, None, None)


def test_turneys_tables_are_billed_in_percent_of_the_standard_cost(monkeypatch):
    monkeypatch.setattr(turney, "MISTAKES", (50,))
    golf = turney.tw.load_dataset("golf-nominal")
    monkeypatch.setattr(turney.tw, "load_dataset", lambda name: golf)
    found = turney.divided("golf-nominal", seed=0)
    assert list(found) == [*turney.LEARNERS, "testing nobody"]
    standard = golf.costs.total(list(golf.X.columns)) + 5 / 14 * 50
    share = found["testing nobody"] / 100 * standard / 50 * 5
    assert share == pytest.approx(round(share))  # a whole number of the five that are judged


def test_chances_are_compared_with_shares():
    said = np.array([0.0, 0.01, 0.5, 0.5, 1.0])
    true = np.array([False, False, True, False, True])
    found = [tuple(one)[3:] for one in reliability.binned("some", said, true)]
    assert found == [(2, 0.005, 0.0), (2, 0.5, 0.5), (1, 1.0, 1.0)]


def test_every_size_is_timed(monkeypatch):
    monkeypatch.setattr(speed, "SIZES", {(60, 8): {"class": math.inf, "auto": 0.0}})
    found = list(speed.speed(large=False))
    assert [figure.holds for figure in found] == [True, False]


def test_the_command_ends_with_1_where_a_figure_is_too_high(monkeypatch, capsys):
    monkeypatch.setattr(command, "demo", lambda n_splits: iter([Figure("dear", 9.0, most=float(n_splits))]))
    assert command.main(["--only", "demo", "--splits", "9"]) == 0
    assert command.main(["--only", "demo", "--splits", "8"]) == 1
    assert "DOES NOT HOLD: Figure(what='dear'" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        command.main(["--splits", "0"])
