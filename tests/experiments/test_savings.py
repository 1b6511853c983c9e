"""savings: costs of the four tables, a trial against plain loops, figures and notes."""

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import thriftwood as tw
from thriftwood.experiments import Options, Savings
from thriftwood.experiments.savings import experiment as room
from thriftwood.experiments.savings import learners
from thriftwood.experiments.savings.data import TABLES, Loans, cost_table, matrices
from thriftwood.experiments.savings.learners import Part, Setup, compete

SMALL = Savings(trials=2, data_sets=("churn-tv",), n_trees=10)


@pytest.fixture(scope="module")
def churn(tmp_path_factory):
    """A folder with a small churn-tv: 240 clients, costs in columns of their own."""
    rng = np.random.default_rng(3)
    folder = tmp_path_factory.mktemp("churn")
    x = rng.normal(size=(240, 4)).round(3)
    y = (x[:, 0] + rng.normal(scale=0.5, size=240) > 0.8).astype(int)
    costs = np.c_[np.full(240, 10), rng.integers(50, 500, 240), np.full(240, 15), np.zeros(240)]
    names = [*(f"x{i}" for i in range(1, 5)), "C_FP", "C_FN", "C_TP", "C_TN"]
    lines = [",".join([*names, "class"])]
    lines += [",".join(map(str, [*a, *c, label])) for a, c, label in zip(x, costs, y, strict=True)]
    (folder / "churn-tv.csv").write_text("\n".join(lines) + "\n")
    columns = [
        {"name": name, "type": "numeric"} | ({"role": "cost"} if name.startswith("C_") else {})
        for name in names
    ]
    entry = {"name": "churn-tv", "columns": columns}
    (folder / "datasets.json").write_text(json.dumps({"datasets": [entry]}))
    return folder


def test_lending_costs_by_hand():
    loans = Loans(rate=0.01, funding_rate=0.005, largest=1000, incomes=2, months=2, loss=0.5)
    income, debt, bad = (
        np.array([100.0, 400.0, 1000.0]),
        np.array([0.0, 0.9, 0.0]),
        np.array([False, True, False]),
    )

    def profit(amount):  # two instalments, discounted at what the money costs
        instalment = amount * 0.01 * 1.01**2 / (1.01**2 - 1)
        return instalment / 1.005 + instalment / 1.005**2 - amount

    # The second can serve 40 a month, of the third's 2000 half is lent.
    lent = np.array([200.0, 40 / 1.01 + 40 / 1.01**2, 1000.0])
    instalment = 200 * 0.01 * 1.01**2 / (1.01**2 - 1)
    lent[0] = min(200.0, 100 / 1.01 + 100 / 1.01**2) if instalment > 100 else 200.0
    another = 2 / 3 * profit(lent.mean()) - 1 / 3 * lent.mean() * 0.5
    found = loans.costs(income, debt, bad)
    assert np.allclose(found[:, 1, 0], 0.5 * lent)
    assert np.allclose(found[:, 0, 1], np.maximum(0.0, profit(lent) - another))
    assert (found[:, [0, 1], [0, 1]] == 0).all()


def test_costs_stand_by_actual_and_predicted_class():
    found = matrices(false_positive=[1, 2], false_negative=3, true_positive=[4, 5], true_negative=6)
    assert found.tolist() == [[[6, 1], [3, 4]], [[6, 2], [3, 5]]]


def test_cost_columns_are_not_learnt_from(churn):
    table = cost_table("churn-tv", churn)
    assert list(table.X.columns) == ["x1", "x2", "x3", "x4"]
    assert (table.costs[:, 0, 1] == 10).all()
    assert (table.costs[:, 1, 1] == 15).all()
    assert set(table.y) == {0, 1}


@pytest.mark.skipif("THRIFTWOOD_DATA" not in os.environ, reason="needs the folder of data, $THRIFTWOOD_DATA")
@pytest.mark.parametrize(
    ("name", "rows", "columns", "positive"),
    [
        ("creditscoring1", 112_915, 10, 0.0674),
        ("creditscoring2", 38_949, 26, 0.1988),
        ("bank-marketing", 37_931, 10, 0.1262),
        ("churn-tv", 9_379, 46, 0.0479),
    ],
)
def test_the_published_tables(name, rows, columns, positive):
    table = cost_table(name, Path(os.environ["THRIFTWOOD_DATA"]))
    assert table.X.shape == (rows, columns)
    assert table.y.mean() == pytest.approx(positive, abs=1e-4)
    assert table.costs.shape == (rows, 2, 2)
    assert (table.costs >= 0).all()
    assert (table.costs[:, 1, 0] >= table.costs[:, 1, 1]).mean() > 0.9  # to find the positive ones pays


def test_a_trial_is_what_estimators_and_scores_give(churn):
    table = cost_table("churn-tv", churn)
    training, fresh = Part(table, np.arange(len(table.y))).parted(1 / 3, 5)
    assert not set(training.rows) & set(fresh.rows)
    assert abs(training.y.mean() - fresh.y.mean()) < 0.01
    found = compete(training, fresh, Setup(10, 7, 1))

    def estimate(forest):
        known = ~np.isnan(forest.oob_proba_[:, 0])
        expected = np.einsum("ia,iap->ip", forest.oob_proba_[known], training.costs[known])
        return tw.savings_score(training.y[known], expected.argmin(axis=1), training.costs[known])

    best = None
    for leaf in learners.LEAVES:
        for features in learners.FEATURES:
            growth = tw.Growth(min_branch_weight=leaf, max_features=features)
            forest = tw.CostForestClassifier(10, growth=growth, bootstrap=False, oob=True, random_state=7)
            forest.fit(training.X, training.y)
            if best is None or estimate(forest) > best[0]:
                answers = forest.predict(fresh.X, error_costs=fresh.costs)
                best = estimate(forest), tw.savings_score(fresh.y, answers, fresh.costs)
    assert found["forest"].savings == pytest.approx(best[1])
    csdt = tw.algorithm("csdt", random_state=7).fit(training.X, training.y, error_costs=training.costs)
    expected = tw.savings_score(fresh.y, csdt.predict(fresh.X), fresh.costs, classes=[0, 1])
    assert found["csdt"].savings == pytest.approx(expected)
    assert found["chosen"].savings in (found["forest"].savings, found["cost forest"].savings)


def test_records_are_stored_resumed_and_summed_up(churn, tmp_path):
    options = Options(data_dir=churn, folder=tmp_path, n_jobs=1)
    first = SMALL.run(options)
    (table,) = first.comparisons
    assert table.rows == ("churn-tv", "average")
    assert {"chosen", "forest", "tree", "csdt"} <= set(table.columns)
    assert table.ours["average"] == table.ours["churn-tv"]
    assert SMALL.run(options) == first  # nothing is run again
    stored = [json.loads(line) for line in next(tmp_path.glob("*.jsonl")).read_text().splitlines()]
    assert len(stored) == 1 + SMALL.trials
    mean = np.mean([record["savings"]["chosen"] for _, record in stored[1:]])
    assert table.ours["churn-tv"]["chosen"] == pytest.approx(mean)


def test_without_lightgbm_the_others_compete(churn, monkeypatch):
    monkeypatch.setattr(learners, "has_lightgbm", lambda: False)
    monkeypatch.setattr(room, "has_lightgbm", lambda: False)
    experiment = replace(SMALL, trials=1)
    report = experiment.run(Options(data_dir=churn, n_jobs=1))
    assert "lightgbm" not in report.comparisons[0].columns
    assert any("pip install lightgbm" in note for note in report.notes)
    assert experiment.settings()["lightgbm"] is None


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"trials": 0}, "trials of at least 1"),
        ({"n_trees": 9}, "n_trees of at least 10"),
        ({"data_sets": ("churn",)}, "Did you mean 'churn-tv'"),
        ({"data_sets": ()}, "Got none"),
        ({"data_sets": ("churn-tv", "churn-tv")}, "a data set twice"),
    ],
)
def test_settings_out_of_bounds_are_named(wrong, words):
    with pytest.raises(ValueError, match=words):
        replace(SMALL, **wrong).planned(Options())


def test_every_table_has_a_reference():
    assert set(room.REFERENCE) == set(TABLES)
