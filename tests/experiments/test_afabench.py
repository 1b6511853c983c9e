"""afabench: the generated tables, the parts, and a contest within budgets."""

import json

import numpy as np
import pytest

from thriftwood.experiments import Afabench, Options
from thriftwood.experiments.afabench import learners
from thriftwood.experiments.afabench.data import CONTEXTS, contest, cube, cube_nm
from thriftwood.experiments.afabench.learners import compete, parted, score_of, thinned


def test_the_bits_of_the_class_stand_where_it_says():
    cases = cube(np.random.default_rng(0), 4000)
    for label in range(8):
        means = cases.X[cases.y == label].mean(axis=0)
        bits = [label >> 2 & 1, label >> 1 & 1, label & 1]
        assert np.allclose(means[label : label + 3], bits, atol=0.05)
        others = np.delete(means, range(label, label + 3))
        assert np.allclose(others, 0.5, atol=0.1)


def test_the_context_tells_the_block_and_nothing_of_the_class():
    cases = cube_nm(np.random.default_rng(0), 8000)
    context = cases.X[:, :CONTEXTS].argmax(axis=1)
    for label in (0, 5):
        for block in (1, 4):
            rows = (cases.y == label) & (context == block)
            start = CONTEXTS + 10 * block + label
            bits = [label >> 2 & 1, label >> 1 & 1, label & 1]
            assert np.allclose(cases.X[rows, start : start + 3].mean(axis=0), bits, atol=0.05)
        assert np.allclose(np.bincount(context[cases.y == label]) / (cases.y == label).sum(), 0.2, atol=0.05)
    costs = cases.costs()
    assert (costs.total(["x0", "x4"]), costs.total(["x0", "x9", "x30"])) == (1, 3)


def test_parts_are_60_20_20_of_all_cases():
    parts = parted(1000, np.random.default_rng(0))
    assert [len(part) for part in parts] == [600, 200, 200]
    assert len(np.unique(np.concatenate(parts))) == 1000


def test_a_thinned_part_has_the_drift_of_the_whole():
    rows = np.arange(9042)
    few = thinned(rows, 2000)
    assert (len(few), len(np.unique(few)), few[0]) == (2000, 2000, 0)
    assert np.diff(few).max() <= 5
    assert few.mean() == pytest.approx(rows.mean(), rel=0.001)
    assert thinned(rows[:7], 2000).tolist() == list(range(7))


def test_large_tables_choose_by_cases_of_the_whole_part(monkeypatch):
    seen = []

    def asked(model, cases, rows, budget):
        seen.append(rows)
        return cases.y[rows], 0.0

    monkeypatch.setattr(learners, "_learnt", lambda *_: None)
    monkeypatch.setattr(learners, "_asked", asked)
    rng = np.random.default_rng(0)
    parts = parted(20_000, rng)
    compete("c45", cube(rng, 20_000), parts, 3, "accuracy", 0)
    chosen_by, answered = seen
    assert np.array_equal(chosen_by, parts.choose[::2])
    assert np.array_equal(answered, parts.answer)


def test_measures():
    actual, answered = ["no", "no", "no", "yes"], ["no", "no", "yes", "yes"]
    assert score_of("accuracy")(actual, answered) == 0.75
    assert score_of("macro F1")(actual, answered) == pytest.approx((0.8 + 2 / 3) / 2)


def test_gates_are_found_where_growth_by_merit_is_lost():
    rng = np.random.default_rng(1)
    cases = cube_nm(rng)
    parts = parted(1000, rng)
    gated, plain = (compete(name, cases, parts, 5, "accuracy", 0) for name in ("gated", "c45"))
    assert gated.score > 0.65 > 0.4 > plain.score
    assert gated.mean_tests <= 5
    assert gated.gates >= 4
    assert plain.gates == 0


def test_a_quick_run_reports_every_budget(tmp_path):
    report = Afabench(trials=1, data_sets=("cube",)).run(Options(folder=tmp_path))
    (table,) = report.comparisons
    assert (table.rows, table.columns) == (("3", "5", "10"), ("c45", "gated", "bayes", "boosting"))
    for row in table.rows:
        assert all(0.3 < score <= 1 for score in table.ours[row].values())
    stored = next(tmp_path.glob("*.jsonl")).read_text().splitlines()[1]
    for scores in json.loads(stored)[1]["found"].values():
        assert all(score["mean_tests"] <= float(budget) for budget, score in scores.items())


def test_settings_out_of_bounds_are_named():
    with pytest.raises(ValueError, match=r"cube, cube-nm, bank-marketing. Got 'cub'"):
        Afabench(data_sets=("cub",)).run()
    with pytest.raises(ValueError, match="trials"):
        Afabench(trials=0).run()


def test_bank_marketing_has_all_its_columns_for_one_each(tmp_path):
    names = ["age", "job", "duration"]
    lines = [",".join([*names, "class"])]
    lines += [f"{20 + i},{'ab'[i % 2]},{i},{['no', 'yes'][i % 3 == 0]}" for i in range(30)]
    (tmp_path / "bank-marketing.csv").write_text("\n".join(lines) + "\n")
    columns = [
        {"name": "age", "type": "numeric"},
        {"name": "job", "type": "nominal"},
        {"name": "duration", "type": "numeric", "role": "leak"},
    ]
    entry = {"name": "bank-marketing", "columns": columns}
    (tmp_path / "datasets.json").write_text(json.dumps({"datasets": [entry]}))
    found = contest("bank-marketing", tmp_path)
    cases = found.draw(np.random.default_rng(0))
    assert (found.budgets, found.measure) == ((2, 4, 7), "macro F1")
    assert cases.costs().total(names) == 3
    errors = cases.costs(3.0).error_matrix(["no", "yes"])
    assert errors[1, 0] == 3 * errors[0, 1] > 0
