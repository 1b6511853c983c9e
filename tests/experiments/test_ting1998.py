"""ting1998: the printed tables, a trial against loops over estimators, tables, notes, published data."""

from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from statistics import fmean
from zlib import crc32

import numpy as np
import pytest

import thriftwood as tw
from thriftwood.datasets import make_waveform
from thriftwood.experiments import Options, Ting1998
from thriftwood.experiments.folds import deal
from thriftwood.experiments.ting1998 import tables
from thriftwood.experiments.ting1998.matrices import draw
from thriftwood.experiments.ting1998.published import (
    CODING,
    LINES,
    MANY_CLASS_MEANS,
    MANY_CLASSES,
    MEASURES,
    TWO_CLASS_MEANS,
    TWO_CLASSES,
)
from thriftwood.experiments.ting1998.summing import Ratio, counted, ratio
from thriftwood.experiments.ting1998.trial import WAYS

SMALL = Ting1998(trials=2, data_sets=("hepatitis", "credit-g", "soybean"))


@pytest.mark.parametrize(
    ("lines", "means"),
    [([*TWO_CLASSES.values(), CODING], TWO_CLASS_MEANS), ([*MANY_CLASSES.values()], MANY_CLASS_MEANS)],
)
def test_means_of_the_printed_ratios(lines, means):
    for place, measure in enumerate(MEASURES):
        mean = sum(Decimal(str(line.ratios[place])) for line in lines) / len(lines)
        assert float(mean.quantize(Decimal("0.01"), ROUND_HALF_UP)) == means[measure]


def test_printed_ratios_are_those_of_the_printed_averages():
    for line in (*LINES.values(), CODING):
        own, other = line.of("c45cs"), line.of("c45")
        for measure, value in zip(MEASURES[:3], line.ratios[:3], strict=True):
            rounding = 0.05 + 0.05 * value + 0.006 * other[measure]
            assert own[measure] == pytest.approx(value * other[measure], abs=rounding), (line, measure)
        assert "errors" not in other


@pytest.mark.filterwarnings("ignore::thriftwood.CostWarning")  # costs count twice, and three classes
@pytest.mark.parametrize("experiment", [SMALL, replace(SMALL, trials=1, stratified=False, statlog="book")])
def test_a_trial_is_what_estimators_give(small_data, experiment):
    for planned in experiment.planned(Options(data_dir=small_data, n_jobs=1)):
        record = planned.perform()
        assert list(record["judged"]) == list(WAYS)
        data = tw.load_dataset(record["data_set"], data_dir=small_data, frame="pandas")
        rng = drawing(experiment, planned)
        labels = np.searchsorted(data.target_names, data.y).astype(np.int32)
        folds = deal(labels, 10, experiment.stratified, rng)
        for fold in range(10):
            costs = matrix_of(data, experiment, rng)
            wanted = by_hand(data.X, labels, folds != fold, costs)
            assert {way: found[fold] for way, found in record["judged"].items()} == wanted


@pytest.mark.filterwarnings("ignore::thriftwood.CostWarning")
def test_waveforms_are_drawn_anew_for_each_tree(monkeypatch):
    monkeypatch.setattr(tables, "DRAWN_TO_JUDGE", 60)
    experiment = Ting1998(trials=1, data_sets=("waveform",))
    (planned,) = experiment.planned(Options(n_jobs=1))
    record = planned.perform()
    rng = drawing(experiment, planned)
    seeds = rng.integers(2**32, size=10).tolist()
    assert len(set(seeds)) == 10
    for place, seed in enumerate(seeds):
        X, y = make_waveform(360, seed)
        wanted = by_hand(X, y, np.arange(360) < 300, draw(3, rng))
        assert {way: found[place] for way, found in record["judged"].items()} == wanted


def drawing(experiment, planned):
    name, _, number = planned.key.split("/")
    return np.random.default_rng([experiment.seed, crc32(name.encode()), int(number)])


def matrix_of(data, experiment, rng):
    """What mistakes cost, [actual, predicted]."""
    if data.name != "credit-g":
        return draw(len(data.target_names), rng)
    five, one = (5.0, 1.0) if experiment.statlog == "printed" else (1.0, 5.0)
    return tw.Costs(errors={"good": {"bad": five}, "bad": {"good": one}}).error_matrix(data.target_names)


def by_hand(X, labels, growing, matrix):
    """Every way, one estimator at a time; the categories of the whole table are known to all of them."""
    costs = tw.Costs(errors=matrix)
    answers = {"": "most_likely", " by cost": "cheapest"}
    models = {
        f"{learner}{words}": tw.algorithm(learner, costs=costs).set_params(answer=answer)
        for learner in ("c45", "c45cs")
        for words, answer in answers.items()
    }
    models["c45-priors"] = tw.algorithm("c45-priors", costs=costs)
    return {way: judge(model, X, labels, growing, matrix) for way, model in models.items()}


def judge(model, X, labels, growing, matrix):
    (tree,) = tw.fit_many(model, X, labels, [np.flatnonzero(growing)])
    answers, actual = tree.predict(X)[~growing], labels[~growing]
    paid = [matrix[a, p] for a, p in zip(actual, answers, strict=True)]
    wrong = sum(a != p for a, p in zip(actual, answers, strict=True))
    return (sum(paid), tree.n_nodes, sum(cost > 1.0 for cost in paid), wrong)


def test_tables_are_ratios_of_averages(small_data):
    report = SMALL.run(Options(data_dir=small_data))
    records = [planned.perform() for planned in SMALL.planned(Options(data_dir=small_data))]

    def average(name, way, measure):
        return fmean(counted([one for one in records if one["data_set"] == name], way, measure))

    two, many, averages, by_cost, priors = report.comparisons
    assert two.rows == ("hepatitis", "credit-g", "mean")
    assert many.rows == ("soybean", "mean")
    for table, own, other in (
        (two, "c45cs", "c45"),
        (many, "c45cs", "c45"),
        (by_cost, "c45cs by cost", "c45 by cost"),
        (priors, "c45cs", "c45-priors"),
    ):
        for row in set(table.rows) & set(SMALL.data_sets):
            for measure in table.columns:
                wanted = average(row, own, measure) / average(row, other, measure)
                assert table.entry(row, measure).ours == pytest.approx(wanted), (table.title, row, measure)
    means = [two.entry(name, "cost").ours for name in two.rows[:2]]
    assert two.entry("mean", "cost").ours == pytest.approx(fmean(means))
    assert two.entry("mean", "cost").published == pytest.approx((0.48 + 0.42) / 2)
    entry = averages.entry("credit-g, c45", "tree size")
    assert (entry.ours, entry.published) == (pytest.approx(average("credit-g", "c45", "tree size")), 149.3)
    assert averages.entry("credit-g, c45", "errors").published is None
    # The means of Table 2 and of section 4 are those of all sets of two classes.
    assert by_cost.entry("mean, two classes", "cost").published is None
    assert priors.entry("mean", "cost").published is None


def test_one_group_alone(small_data):
    report = replace(SMALL, data_sets=("soybean",)).run(Options(data_dir=small_data))
    assert [table.title for table in report.comparisons] == [
        "Ting 1998, Table 1, more classes",
        "Ting 1998, Table 1",
        "Ting 1998, Table 2",
    ]


def test_ratio_and_its_standard_error():
    assert ratio([1.0, 2.0], [0.0, 0.0]) == Ratio(None)
    assert ratio([3.0], [4.0]) == Ratio(0.75)
    assert ratio([1.0, 2.0, 4.5], [2.0, 4.0, 9.0]) == Ratio(0.5, 0.0)  # the same in every fold
    rng = np.random.default_rng(0)
    other = rng.uniform(2, 4, (2000, 50))
    own = 0.5 * other + rng.normal(scale=0.5, size=other.shape)
    spread = np.std(own.mean(axis=1) / other.mean(axis=1))
    assert ratio(own[0], other[0]).standard_error == pytest.approx(spread, rel=0.3)


def test_notes_say_readings(small_data):
    report = SMALL.run(Options(data_dir=small_data))
    assert "2 cross-validations of 10 stratified folds, seed 0" in report.notes[0]
    assert "as in the paper" in report.notes[0]
    other = replace(SMALL, trials=1, statlog="book", stratified=False).run(Options(data_dir=small_data))
    assert "1 cross-validation of 10 folds" in other.notes[0]
    assert "as in the book" in other.notes[0]


def test_finished_trials_are_kept(small_data, tmp_path):
    options = Options(data_dir=small_data, folder=tmp_path)
    steps = []
    first = SMALL.run(options)
    assert SMALL.run(options, lambda *step: steps.append(step)) == first
    assert steps == [(6, 6, "soybean 2")]


def test_any_number_of_threads_gives_the_same(small_data):
    one, two = (SMALL.run(Options(data_dir=small_data, n_jobs=jobs)) for jobs in (1, 2))
    assert one == two


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"trials": 0}, "trials of at least 1"),
        ({"seed": -1}, "seed of at least 0"),
        ({"data_sets": ("soyben",)}, "Did you mean 'soybean'"),
        ({"data_sets": ()}, "Got none"),
        ({"data_sets": ("glass", "glass")}, "twice"),
        ({"statlog": "paper"}, "statlog to be one of printed, book"),
    ],
)
def test_settings_out_of_bounds_are_refused(settings, words):
    with pytest.raises(ValueError, match=words):
        Ting1998(**settings).run()


def test_published_data_have_the_classes_of_their_group(published_folder):
    for name in LINES:
        table = tables.loaded(name, published_folder)
        assert (len(table.classes) == 2) == (name in TWO_CLASSES), name
    horses = tables.loaded("horse-colic", published_folder)
    assert "outcome" not in horses.problem.encoder.feature_names
    assert len(horses.problem.encoder.feature_names) == 21


def test_published_means_within_the_bounds_set_for_the_full_run(published_folder):
    report = Ting1998(trials=3).run(Options(data_dir=published_folder))
    two, many, _, by_cost, priors = report.comparisons
    assert two.entry("mean", "cost").ours == pytest.approx(0.62, abs=0.06)
    assert two.entry("mean", "high-cost errors").ours == pytest.approx(0.35, abs=0.08)
    assert two.entry("mean", "tree size").ours < 0.8
    assert many.entry("mean", "cost").ours == pytest.approx(0.98, abs=0.05)
    assert by_cost.entry("mean, two classes", "cost").ours == pytest.approx(0.86, abs=0.07)
    assert priors.entry("mean", "cost").ours == pytest.approx(0.70, abs=0.07)
    assert priors.entry("mean", "high-cost errors").ours == pytest.approx(0.43, abs=0.08)
