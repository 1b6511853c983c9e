"""davis2006: the printed table, a trial against plain scikit-learn loops, resuming, figures and notes."""

from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thriftwood as tw
from thriftwood.experiments import Davis2006, Options
from thriftwood.experiments.davis2006 import grid
from thriftwood.experiments.davis2006 import trial as trial_room
from thriftwood.experiments.davis2006.published import AVERAGES, CRITERIA, RATIOS, SIZES
from thriftwood.experiments.davis2006.summing import Summary, summary
from thriftwood.experiments.davis2006.trial import deal

SMALL = Davis2006(trials=2, data_sets=("zoo", "hepatitis"), gammas=(0.0, 0.01, 0.3), folds=4)


def test_averages_of_the_printed_table():
    for criterion, printed in AVERAGES.items():
        mean = sum(Decimal(str(row[criterion])) for row in RATIOS.values()) / len(RATIOS)
        assert float(mean.quantize(Decimal("0.001"), ROUND_HALF_UP)) == printed
    assert list(AVERAGES.values()) == [0.641, 0.657, 0.806, 1.657, 1.375]


def test_thirteen_decades_and_zero():
    assert Davis2006().gammas == grid(1) == (0.0, *(10.0**power for power in range(-6, 7)))
    assert set(grid(1)) <= set(grid(3))


@given(
    labels=st.lists(st.integers(0, 3), min_size=1, max_size=60),
    n_folds=st.integers(2, 10),
    stratified=st.booleans(),
    seed=st.integers(0, 100),
)
def test_folds_are_even_and_stratified_ones_in_every_class(labels, n_folds, stratified, seed):
    labels = np.array(labels, dtype=np.int32)
    folds = deal(labels, n_folds, stratified, np.random.default_rng(seed))
    groups = [folds] + ([folds[labels == label] for label in np.unique(labels)] if stratified else [])
    for group in groups:
        sizes = np.bincount(group, minlength=n_folds)
        assert sizes.max() - sizes.min() <= 1


@pytest.mark.parametrize(
    "experiment",
    [
        SMALL,
        replace(SMALL, trials=1, order="best", cost_reuse="effective"),
        replace(SMALL, trials=1, group_values=True, allow_negative=True, stratified=False),
    ],
)
def test_a_trial_is_what_estimators_and_bills_give(small_data, experiment):
    for planned in experiment.planned(Options(data_dir=small_data, n_jobs=1)):
        record = planned.perform()
        data = tw.load_dataset(record["data_set"], data_dir=small_data, frame="pandas")
        drawn = np.random.default_rng(
            [experiment.seed, trial_room.crc32(data.name.encode()), int(planned.key.rpartition("/")[2])]
        )
        prices = dict(zip(data.feature_names, drawn.random(len(data.feature_names)).tolist(), strict=True))
        labels = np.searchsorted(data.target_names, data.y).astype(np.int32)
        folds = deal(labels, experiment.folds, experiment.stratified, drawn)
        costs = tw.Costs(prices, payment="upfront")
        assert record["baseline"] == pytest.approx(by_hand(model("c45", experiment), data, folds, costs))
        for criterion in CRITERIA:
            for gamma, judged in zip(experiment.gammas, record["criteria"][criterion], strict=True):
                own = model(criterion, experiment, costs, gamma)
                assert judged == pytest.approx(by_hand(own, data, folds, costs)), (criterion, gamma)


def model(criterion, experiment, costs=None, gamma=None):
    settings = {"group_values": experiment.group_values}
    if criterion != "c45":
        settings |= {"costs": costs, "order": experiment.order, "w" if criterion == "eg2" else "gamma": gamma}
        if criterion in ("eg2", "idx"):
            settings["cost_reuse"] = experiment.cost_reuse
        else:
            settings["allow_negative"] = experiment.allow_negative
    return tw.algorithm(criterion, **settings)


def by_hand(model, data, folds, costs):
    correct = 0
    # The categories of the whole table are known in every fold, as they are to the experiment.
    for fold in range(folds.max() + 1):
        held = folds == fold
        (tree,) = tw.fit_many(model, data.X, data.y, [~held])
        correct += int((tree.predict(data.X[held]) == data.y[held]).sum())
    whole = model.fit(data.X, data.y)
    return correct, tw.bill(whole, data.X, data.y, costs).upfront_cost


def test_table_is_the_mean_of_the_trials_ratios(small_data):
    report = SMALL.run(Options(data_dir=small_data))
    (table,) = report.comparisons
    assert table.rows == ("zoo", "hepatitis", "average")
    for name in SMALL.data_sets:
        assert table.entry(name, "csgain").published == RATIOS[name]["csgain"]
    records = [planned.perform() for planned in SMALL.planned(Options(data_dir=small_data))]
    for criterion in CRITERIA:
        means = []
        for name in SMALL.data_sets:
            own = [record for record in records if record["data_set"] == name]
            means.append(summary(own, criterion, SMALL.gammas).mean)
            assert table.entry(name, criterion).ours == means[-1]
        assert table.entry("average", criterion).ours == pytest.approx(fmean(means))
        published = fmean(RATIOS[name][criterion] for name in SMALL.data_sets)
        assert table.entry("average", criterion).published == pytest.approx(published)


def test_summary_of_worked_trials():
    def record(base, *judged):
        return {"data_set": "zoo", "cases": 100, "baseline": base, "criteria": {"idx": judged}}

    records = [
        record((90, 2.0), (90, 1.0), (80, 0.0)),  # 1/2
        record((90, 2.0), (90, 1.0), (89, 0.0)),  # 0, a leaf
        record((90, 2.0), (80, 1.0), (85, 5.0)),  # none eligible: 5/2
        record((90, 0.0), (90, 0.0), (90, 0.0)),  # the baseline is free
    ]
    found = summary(records, "idx", (0.0, 1.0))
    assert found == Summary(1.0, pytest.approx(np.std([0.5, 0, 2.5], ddof=1) / np.sqrt(3)), 1, 1, 1)
    assert summary(records[3:], "idx", (0.0, 1.0)) == Summary(None, None, 1, 0, 0)


def test_notes_say_readings_and_other_sizes(small_data):
    notes = " ".join(SMALL.run(Options(data_dir=small_data)).notes)
    assert "2 trials, seed 0; 3 gammas from 0 to 0.3; 4 stratified folds" in notes
    assert "zoo 40 (107)" in notes
    assert "hepatitis 30 (155)" in notes


def test_an_interrupted_run_goes_on_where_it_stopped(small_data, tmp_path, monkeypatch):
    performed = []
    real = trial_room.judge
    monkeypatch.setattr(trial_room, "judge", lambda *given: performed.append(1) or real(*given))

    def stop_at_three(done, total, title):
        if done == 3:
            raise KeyboardInterrupt

    options = Options(data_dir=small_data, folder=tmp_path)
    with pytest.raises(KeyboardInterrupt):
        SMALL.run(options, stop_at_three)
    assert len(performed) == 3
    steps = []
    report = SMALL.run(options, lambda *step: steps.append(step))
    assert len(performed) == 4
    assert steps == [(3, 4, "hepatitis 2"), (4, 4, "hepatitis 2")]
    assert report == SMALL.run(Options(data_dir=small_data))


def test_more_trials_go_on_and_other_settings_begin_anew(small_data, tmp_path):
    options = Options(data_dir=small_data, folder=tmp_path)

    def performed(**settings):
        steps = []
        Davis2006(**{"data_sets": ("zoo",), "gammas": (0.0, 0.1), "folds": 3, **settings}).run(
            options, lambda *step: steps.append(step)
        )
        return len(steps) - 1

    assert performed(trials=2) == 2
    assert performed(trials=2) == 0
    assert performed(trials=3) == 1
    assert performed(trials=2, seed=1) == 2
    assert performed(trials=2, gammas=(0.0, 0.2)) == 2
    assert performed(trials=2) == 0


def test_another_table_of_the_same_name_does_not_mix(small_data, tmp_path):
    experiment = Davis2006(trials=1, data_sets=("hepatitis",), gammas=(0.0,), folds=3)
    (before,) = experiment.planned(Options(data_dir=small_data))
    other = tmp_path / "other"
    other.mkdir()
    for file in small_data.iterdir():
        (other / file.name).write_text(file.read_text())
    lines = (other / "hepatitis.csv").read_text().splitlines()
    (other / "hepatitis.csv").write_text("\n".join(lines[:-1]) + "\n")
    (after,) = experiment.planned(Options(data_dir=other))
    assert before.key != after.key


def test_any_number_of_threads_gives_the_same(small_data):
    one, two = (SMALL.run(Options(data_dir=small_data, n_jobs=jobs)) for jobs in (1, 2))
    assert one == two


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"trials": 0}, "trials of at least 1"),
        ({"folds": 1}, "folds of at least 2"),
        ({"seed": -1}, "seed of at least 0"),
        ({"data_sets": ("zo",)}, "Did you mean 'zoo'"),
        ({"data_sets": ()}, "Got none"),
        ({"data_sets": ("zoo", "zoo")}, "twice"),
        ({"gammas": ()}, "gammas that are 0 or more"),
        ({"gammas": (-1.0,)}, "gammas that are 0 or more"),
        ({"gammas": (float("nan"),)}, "gammas that are 0 or more"),
        ({"order": "up"}, "order to be one of depth, breadth, best"),
        ({"cost_reuse": "free"}, "cost_reuse to be one of list, effective"),
    ],
)
def test_settings_out_of_bounds_are_refused(settings, words):
    with pytest.raises(ValueError, match=words):
        Davis2006(**settings).run()


def test_a_grid_needs_a_value_per_decade():
    with pytest.raises(ValueError, match="at least 1 value per decade"):
        grid(0)


def test_sizes_of_the_published_data(published_folder):
    other = {}
    for name, size in SIZES.items():
        data = tw.load_dataset(name, data_dir=published_folder)
        found = len(data.y), len(data.target_names), len(data.feature_names) + 1
        if found != tuple(size):
            other[name] = found
    assert other == {
        "credit-a": (690, 2, 16),
        "liver-disorders": (345, 2, 7),
        "vehicle": (846, 4, 19),
        "zoo": (101, 7, 17),  # without the animal's name
    }


def test_criteria_of_the_paper_come_out_cheaper(published_folder):
    report = Davis2006(trials=3).run(Options(data_dir=published_folder))
    average = {column: report.comparisons[0].entry("average", column).ours for column in CRITERIA}
    assert average["csgain"] <= AVERAGES["csgain"]
    assert average["csgain-ratio"] <= AVERAGES["csgain-ratio"]
    others = [average[name] for name in ("eg2", "mitchell", "idx")]
    assert max(average["csgain"], average["csgain-ratio"]) < min(others)
