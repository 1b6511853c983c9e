"""The benchmark of the lowest bill: prices as said, trials as estimators give them, tables of means."""

from statistics import fmean

import numpy as np
import pandas as pd
import pytest

import thriftwood as tw
from thriftwood.experiments import Options, Thrift
from thriftwood.experiments.thrift.prices import LEVELS, SHAPES, drawn_costs
from thriftwood.experiments.thrift.reporting import by_kind, by_table, notes, summary
from thriftwood.experiments.thrift.tables import LOOKED_AT, NOT_LOOKED_AT, Setting, load_settings
from thriftwood.experiments.thrift.trial import PENALTIES, perform

NAMES = [f"t{j}" for j in range(12)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("level", LEVELS)
def test_testing_nobody_costs_a_multiple_of_all_tests(shape, level):
    y = np.repeat(["a", "b", "c"], [60, 30, 10])
    for seed in range(5):
        costs = drawn_costs(NAMES, y, shape, level, np.random.default_rng(seed))
        nobody = (costs.error_matrix(["a", "b", "c"]).T @ [0.6, 0.3, 0.1]).min()
        assert nobody == pytest.approx(LEVELS[level] * costs.total(NAMES))


def test_shapes_are_what_they_are_called():
    y = np.repeat([0, 1], [70, 30])
    few, shared, free = (drawn_costs(NAMES, y, shape, "dear", np.random.default_rng(1)) for shape in SHAPES)
    assert not few.shared
    assert sum(bool(test.needs) for test in shared.tests.values()) == 4
    assert sum(test.price == 0 for test in free.tests.values()) == 1


def setting(level="middle"):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 120)
    X = pd.DataFrame({name: y + rng.normal(0, 1.0 + j, 120) for j, name in enumerate(NAMES[:4])})
    return Setting("made", X, y, "free", level, None, 0)


def test_a_trial_is_what_estimators_give():
    one = setting()
    record = perform(one, 3, ("nobody", "thrift, class", "c45"), 0)
    costs, (learnt, judged) = one.costs(3), one.divided(3)
    assert set(learnt) | set(judged) == set(range(120))
    errors = costs.error_matrix([0, 1])
    nobody = errors[one.y[judged], errors[one.y[learnt]].sum(axis=0).argmin()].mean()
    model = tw.ThriftClassifier(costs, leaves="class").fit(one.X.iloc[learnt], one.y[learnt])
    paid = tw.bill(model, one.X.iloc[judged], one.y[judged]).mean_cost
    assert record["cost"]["thrift, class"] == pytest.approx(100 * paid / nobody)
    assert record["cost"]["nobody"] == 100
    assert perform(one, 3, ("c45",), 0)["cost"]["c45"] == record["cost"]["c45"]


def test_penalties_are_charged_to_lightgbm():
    pytest.importorskip("lightgbm")
    assert 0 < perform(setting("dear"), 0, (PENALTIES,), 0)["cost"][PENALTIES] < 500


def test_prices_differ_by_division_and_tables_by_digest():
    one = setting()
    assert one.costs(0) != one.costs(1)
    assert one.costs(0) == setting().costs(0)
    assert len(one.digest) == 8


RECORDS = [
    {"table": table, "shape": "free", "level": level, "cost": {"thrift": a, "nobody": 100.0, "c45": b}}
    for table, level, a, b in [
        *(("x", "cheap", 90.0, 95.0), ("x", "dear", 80.0, 97.0), ("x", "dear", 100.0, 102.0)),
        *(("y", "cheap", 110.0, 100.5),),
    ]
]
LEARNERS = ("thrift", "nobody", "c45")


def test_every_table_counts_the_same():
    found = summary(RECORDS, LEARNERS)
    assert found.entry("thrift", "cost").ours == fmean([90.0, 110.0])
    assert found.entry("thrift", "rank").ours == pytest.approx(fmean([fmean([1, 1, 1.5]), 3]))
    assert found.entry("thrift", "dearer than nobody").ours == 25
    assert found.entry("c45", "thrift saves").ours == pytest.approx(fmean([8, -9.5]))
    assert (found.entry("c45", "won").ours, found.entry("c45", "lost").ours) == (0, 0)
    assert by_table(RECORDS, LEARNERS).entry("x", "c45").ours == 98
    assert by_kind(RECORDS, LEARNERS).entry("dear", "thrift").ours == 90


def test_notes_say_who_costs_least_and_how_sure_that_is():
    said = " ".join(notes(RECORDS, LEARNERS))
    assert "Means over 2 tables and 4 trials, lowest first: c45 99.2, thrift 100.0, nobody 100.0." in said
    assert "thrift is not clearly cheaper than c45: by -0.8 (standard error 8.8 over tables)." in said
    assert "in 25.0 % of the trials" in said


def test_tables_that_were_looked_at_are_apart():
    assert not set(LOOKED_AT) & set(NOT_LOOKED_AT)
    assert len(LOOKED_AT) + len(NOT_LOOKED_AT) >= 25
    assert Thrift().data_sets == NOT_LOOKED_AT


def test_built_in_prices_are_a_shape_of_their_own():
    settings = load_settings(["wisconsin-diagnostic"], 0, None)
    assert [(one.shape, one.level) for one in settings[-3:]] == [("published", level) for level in LEVELS]
    assert settings[-1].costs(0).shared == tw.load_dataset("wisconsin-diagnostic").costs.shared


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"splits": 0}, "needs splits of at least 1"),
        ({"data_sets": ("moon",)}, "has the data sets"),
        ({"learners": ()}, "needs learners, each once. Got none"),
        ({"learners": ("thrift", "thrift")}, "needs learners, each once"),
        ({"learners": ("c54",)}, "c54"),
    ],
)
def test_wrong_settings_are_refused(changes, said):
    with pytest.raises(ValueError, match=said):
        Thrift(**{"data_sets": ("wisconsin-diagnostic",), **changes}).planned(Options())
