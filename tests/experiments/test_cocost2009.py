"""cocost2009: splits by source, selection, bins, means and lines, claims in words, a run on a tiny corpus."""

import csv
import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from experiments.small_streams import PRICES, write_small_streams

import thriftwood as tw
from thriftwood import flowtype
from thriftwood.experiments import Cocost2009, Options
from thriftwood.experiments.cocost2009 import claims, experiment, lightgbm, ours, reporting
from thriftwood.experiments.cocost2009.contest import EDGES, Fold, scored
from thriftwood.experiments.cocost2009.lightgbm import PENALISED, full_prices, shared_prices
from thriftwood.experiments.cocost2009.ours import OURS
from thriftwood.experiments.cocost2009.published import ACCURACY, COST
from thriftwood.experiments.cocost2009.selecting import forward
from thriftwood.experiments.cocost2009.streams import loaded
from thriftwood.experiments.cocost2009.summing import Means
from thriftwood.experiments.cocost2009.trees import trees
from thriftwood.flowtype import FEATURES

SMALL = Cocost2009(trials=1, few=True)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return write_small_streams(tmp_path_factory.mktemp("streams"))


@pytest.fixture(scope="module")
def streams(corpus):
    return loaded(corpus, None, 1)


@pytest.fixture(scope="module")
def run(corpus, tmp_path_factory):
    """A run with everything in it, and where its trials are."""
    folder = tmp_path_factory.mktemp("trials")
    return SMALL.run(Options(data_dir=corpus, folder=folder, n_jobs=1)), folder


# The cases


def test_no_source_is_on_both_sides(streams):
    for number in range(4):
        learn, judge = streams.split(number, 0)
        assert set(learn.table.source) | set(judge.table.source) == {"attic", "cellar", "garden"}
        assert not set(learn.table.source) & set(judge.table.source)
        assert len(set(judge.table.source)) == 1
    held = [tuple(streams.held_out(number, 0)) for number in range(8)]
    assert held == [tuple(streams.held_out(number, 0)) for number in range(8)]
    assert len(set(held)) == 3


def test_bytes_belong_to_their_features(streams):
    rows = streams.held_out(0, 0)
    chunks = streams.chunks(rows)
    np.testing.assert_array_equal(flowtype.features(chunks), streams.table.values[rows])


def test_the_same_case_has_the_same_bill_with_names_and_without(streams):
    learn, judge = streams.split(0, 0)
    names = FEATURES[6:30]
    ours = tw.algorithm("c45").fit(learn.only(names), learn.y)
    plain = tw.algorithm("c45").fit(learn.values(names), learn.y)
    named, unnamed = judge.bill(ours, names), judge.bill_of_peer(plain, names)
    np.testing.assert_array_equal(named.test_cost, unnamed.test_cost)
    assert named.accuracy == unnamed.accuracy


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda folder: (folder / "costs.toml").unlink(), "thriftwood flowtype measure -o"),
        (
            lambda folder: PRICES.only(FEATURES[1:]).to_file(folder / "costs.toml"),
            "no price for 'mean@2k' and 0 other",
        ),
        (lambda folder: (folder / "index.jsonl").unlink(), "`thriftwood flowtype corpus` makes it"),
    ],
)
def test_what_is_missing_is_named(tmp_path, spoil, words):
    spoil(write_small_streams(tmp_path, files=1))
    with pytest.raises((FileNotFoundError, ValueError), match=words):
        SMALL.planned(Options(data_dir=tmp_path))


def test_two_sources_are_too_few(tmp_path):
    corpus = flowtype.Corpus.read(write_small_streams(tmp_path, files=1))
    few = replace(corpus, entries=tuple(entry for entry in corpus.entries if entry.source != "attic"))
    few.write()
    with pytest.raises(ValueError, match=r"files of 2 sources\. Splits by source need at least 3"):
        SMALL.planned(Options(data_dir=tmp_path))
    with pytest.raises(FileNotFoundError, match="cocost2009 needs a corpus"):
        SMALL.planned(Options())


# Selection


def test_the_first_feature_separates_best_for_its_price():
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], 30)
    values = rng.normal(size=(90, 6)) + np.outer(np.repeat([0, 1, 3], 30), [0, 0.2, 0.5, 1, 2, 0.1])
    names = list("uvwxyz")
    costs = tw.Costs(dict(zip(names, [1, 2, 3, 4, 50, 0.5], strict=True)))

    def separation(column):
        ranks = np.argsort(np.argsort(column)) / len(column)
        own = [ranks[y == label] for label in "abc"]
        between = sum(len(part) * (part.mean() - ranks.mean()) ** 2 for part in own)
        return between / sum(((part - part.mean()) ** 2).sum() for part in own)

    worth = [separation(values[:, j]) / costs.total([name]) for j, name in enumerate(names)]
    chosen = forward(values, y, names, costs, 4)
    assert chosen[0] == names[int(np.argmax(worth))]
    assert len(set(chosen)) == 4
    assert forward(values, y, names, costs, 99) == forward(values, y, names, costs, 6)


def test_what_shares_a_step_that_is_paid_comes_next():
    rng = np.random.default_rng(1)
    y = np.repeat(["a", "b"], 50)
    values = rng.normal(size=(100, 3)) + np.outer(y == "a", [1.5, 1.0, 1.0])
    costs = tw.Costs({"p": tw.Test(1, needs=["fft"]), "q": tw.Test(1, needs=["fft"]), "r": 5}, {"fft": 3})
    assert forward(values, y, "pqr", costs, 3) == ["p", "q", "r"]
    free = tw.Costs({"p": 5, "q": 0, "r": 5})
    assert forward(values, y, "pqr", free, 1) == ["q"]


# Bills


def test_bins_hold_every_case_once(streams):
    learn, judge = streams.split(0, 0)
    paid = judge.bill(tw.algorithm("eg2", costs=judge.costs).fit(learn.X, learn.y))
    point = scored("eg2", "88", paid, streams.all_features)
    assert sum(point.spread) == len(judge.y)
    share = 100 * paid.test_cost / streams.all_features
    for place, (low, high) in enumerate(pairwise(EDGES)):
        expected = ((share > low) & (share <= high)).sum() + (place == 0) * (share == 0).sum()
        assert point.spread[place] == expected
    assert point.cost == paid.mean_test_cost


def test_prices_for_who_knows_no_steps():
    assert sum(shared_prices(PRICES)) == pytest.approx(PRICES.total(FEATURES))
    assert full_prices(PRICES)[FEATURES.index("band1.skewness@8k")] == pytest.approx(20.1)
    assert shared_prices(PRICES)[FEATURES.index("band1.skewness@8k")] == pytest.approx(0.1 + 20 / 12)
    assert len(lightgbm.SETTINGS) == len(ours.SETTINGS)


def test_a_tree_of_table_1_is_the_algorithm_on_the_features_chosen(streams):
    learn, judge = streams.split(0, 0)
    fold = Fold(learn, judge, 0, 0, 1, True)
    found = {(point.learner, point.setting): point for point in trees(fold)}
    names = forward(learn.values(), learn.y, FEATURES, learn.costs, 6)
    model = tw.algorithm("eg2", costs=PRICES.only(names)).fit(learn.only(names), learn.y)
    paid = tw.bill(model, judge.only(names), judge.y, PRICES.only(names))
    assert found["eg2", "6"].cost == pytest.approx(paid.mean_test_cost)
    assert found["eg2", "6"].accuracy == (model.predict(judge.only(names)) == judge.y).mean()
    assert {setting for learner, setting in found if learner == "lasc"} >= {"6/1", "14/0.1", "88/4"}


# Sums


def points(**learners):
    """Records of as many splits as the lists are long: learner to setting to [(accuracy, cost), ...]."""
    n_splits = len(next(iter(next(iter(learners.values())).values())))
    return [
        {
            "points": [
                {
                    "learner": learner.replace("_", " "),
                    "setting": setting,
                    "accuracy": each[split][0],
                    "cost": each[split][1],
                    "spread": [3, 1, *[0] * (len(EDGES) - 3)],
                }
                for learner, settings in learners.items()
                for setting, each in settings.items()
            ]
        }
        for split in range(n_splits)
    ]


def test_lines_are_of_means_over_splits():
    means = Means.of(
        points(a={"x": [(0.7, 1), (0.9, 3)], "y": [(0.9, 10), (0.92, 10)], "z": [(0.6, 5), (0.6, 5)]})
    )
    assert [(mean.setting, round(mean.accuracy, 3), mean.cost) for mean in means.line("a")] == [
        ("x", 0.8, 2),
        ("y", 0.91, 10),
    ]
    assert means.cost_at(0.855, "a") == pytest.approx(6)
    assert means.cost_at(0.5, "a") == 2
    assert means.cost_at(0.92, "a") is None
    assert means.cost_at(0.5, "nobody") is None
    assert means.cheapest(0.8, "a").setting == "x"
    assert means.cheapest(0.95, "a") is None
    assert means.best("a").setting == "y"
    assert means.get("a", "x").accuracy_error == pytest.approx(0.1)
    assert means.get("a", "x").spread[:3] == (6, 2, 0)
    assert Means.of(points(a={"x": [(0.7, 1)]})).get("a", "x").accuracy_error is None


def judged(cocost, svm, forest=(0.9, 50.0), ours=(0.95, 40.0), theirs=(0.94, 30.0), some=(0.5, 9.0)):
    learners = {
        "svm": {"88": [svm], "14": [some]},
        "cocost": {"as published": [cocost]},
        "short-cut_forest": {"1/11": [forest]},
        "lasc": {"88/1": [(0.85, 20.0)]},
        OURS.replace(" ", "_"): {"cheap": [(0.85, 1.0)], "dear": [ours]},
        PENALISED.replace(" ", "_"): {"cheap": [(0.80, 2.0)], "dear": [theirs]},
    }
    return Means.of(points(**learners))


TIMES = [{"all features": 400.0, "lasc": 40.0, "cocost": 50.0, OURS: 80.0}]


def test_claims_are_held_to_the_figures():
    good = " ".join(claims.notes(judged((0.91, 20.0), (0.90, 100.0)), TIMES, 100.0))
    assert "10 to 25 % of its cost, holds here" in good
    assert "more accurate than the best forest holds" in good
    assert "at least as accurate in 1 of 1 splits" in good
    bad = " ".join(claims.notes(judged((0.85, 20.0), (0.90, 100.0)), TIMES, 100.0))
    assert "10 to 25 % of its cost, does not hold here" in bad
    assert "more accurate than the best forest does not hold" in bad
    dear = " ".join(claims.notes(judged((0.91, 26.0), (0.90, 100.0)), TIMES, 100.0))
    assert "does not hold here" in dear
    assert "as accurate as the SVM on all features, 95.0 %, for 40.0 % of its cost" in good
    assert "answered in 5.0 times less of the processor's time" in good
    assert "weak yardstick" not in good
    weak = judged((0.91, 20.0), (0.90, 100.0), some=(0.93, 12.0))
    assert "on 14 of them, chosen forward, it is right in 93.0 % for 12.0 microseconds" in " ".join(
        claims.notes(weak, TIMES, 100.0)
    )
    hopeless = " ".join(claims.notes(judged((0.91, 20.0), (0.96, 100.0)), TIMES, 100.0))
    assert "No setting of ours is as accurate as the SVM; the best is right in 95.0 %" in hopeless


def test_who_is_dearer_where():
    # Ours: .85 for 1, .95 for 40; LightGBM: .80 for 2, .94 for 30.
    means = judged((0.9, 20.0), (0.9, 100.0))
    table = next(t for t in reporting.comparisons(means, TIMES, 100.0) if t.title.endswith("accuracy costs"))
    assert table.ours["0.85"][OURS] == 1
    assert table.ours["0.80"][PENALISED] == 2
    assert table.ours["0.87"][PENALISED] == pytest.approx(16)
    assert table.ours["0.90"][OURS] == pytest.approx(20.5)
    assert table.ours["0.90"]["ours, % of it"] == pytest.approx(100 * 20.5 / 22)
    words = " ".join(claims.notes(means, TIMES, 100.0))
    assert "Of 14 accuracies from 0.80 to 0.93 ours costs no more than LightGBM with penalties at 11" in words
    assert "more at 0.91, 0.92, 0.93" in words


def test_published_figures_are_shares_of_all_features():
    table = next(
        t for t in reporting.comparisons(judged((0.9, 20.0), (0.9, 100.0)), TIMES, 100.0) if "III" in t.title
    )
    assert table.published["svm"] == {"right, %": pytest.approx(88.75), "cost, % of all": 100}
    assert table.published["cocost"]["cost, % of all"] == pytest.approx(100 * COST["cocost"] / COST["svm"])
    assert table.ours["cocost"] == {"right, %": 90, "cost, % of all": 20, "microseconds": 20}
    assert set(ACCURACY) <= set(table.rows)


# A run


def test_a_run_has_all_tables_and_goes_on_where_it_was(run, corpus):
    pytest.importorskip("lightgbm", reason="needs lightgbm")
    report, folder = run
    titles = [table.title for table in report.comparisons]
    for words in (
        "Table I:",
        "Table II:",
        "Table III",
        "figure 5",
        "what an accuracy costs",
        "processor time",
    ):
        assert any(words in title for title in titles), words
    again = SMALL.run(Options(data_dir=corpus, folder=folder, n_jobs=1))
    assert again == report
    (file,) = folder.glob("*.jsonl")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [key.split("/")[-1] for key, _ in lines[1:]] == [*experiment.contests(), "speed"]
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:3]))
    half = SMALL.run(Options(data_dir=corpus, folder=folder, n_jobs=2))
    for one, other in zip(report.comparisons[:-1], half.comparisons[:-1], strict=True):  # times differ
        assert one.ours == other.ours
    figure = next(table for table in report.comparisons if "figure 5" in table.title)
    for column in figure.columns:
        assert sum(figure.ours[row][column] for row in figure.rows) == pytest.approx(100)


def test_settings_as_points_in_a_file(run, tmp_path):
    pytest.importorskip("lightgbm", reason="needs lightgbm")
    report, _ = run
    found = report.tradeoffs
    assert [(tried.setting, tried.best) for tried in found.learners["svm"]] == [("88", True)]
    assert {OURS, PENALISED, "cocost", "svm"} <= set(found.learners)
    found.save_csv(tmp_path / "points.csv")
    with (tmp_path / "points.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == sum(len(settings) for settings in found.learners.values())
    assert {row["best"] for row in rows} <= {"True", "False"}
    for settings in found.learners.values():
        best = sorted((tried.cost, tried.score) for tried in settings if tried.best)
        assert all(a[1] < b[1] for a, b in pairwise(best))


def test_without_lightgbm_the_others_compete(corpus, monkeypatch):
    monkeypatch.setattr(experiment, "has_lightgbm", lambda: False)
    assert "lightgbm" not in experiment.contests()
    report = SMALL.run(Options(data_dir=corpus, n_jobs=1))
    assert any("pip install lightgbm" in note for note in report.notes)
    assert not any("what an accuracy costs" in table.title for table in report.comparisons)
    assert SMALL.settings()["lightgbm"] is None


@pytest.mark.parametrize(
    ("wrong", "words"), [({"trials": 0}, "trials of at least 1"), ({"seed": -1}, "seed")]
)
def test_settings_out_of_bounds_are_named(wrong, words):
    with pytest.raises(ValueError, match=words):
        replace(SMALL, **wrong).planned(Options(data_dir=Path("nowhere")))
