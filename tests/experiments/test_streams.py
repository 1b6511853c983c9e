"""The experiment of streams: its trials are those of `evaluate_stream`, its tables have every figure."""

import pytest

import thriftwood as tw
from thriftwood.experiments import Options, Streams
from thriftwood.experiments.streams.contestants import LONGEST, MOA, OURS, RIVER, installed
from thriftwood.experiments.streams.experiment import COSTS, PRICED

NAMES = ("streaming", "hoeffding")


def test_figures_are_those_of_evaluate_stream():
    experiment = Streams(rows=3000, streams=("sea", PRICED), learners=NAMES, seed=3)
    report = experiment.run(Options())
    accuracy, cost, speed = report.comparisons
    for name in NAMES:
        history = tw.evaluate_stream(OURS[name](COSTS), tw.make_stream("sea", random_state=3), 3000)
        assert accuracy.entry(PRICED, name).ours == history.accuracy
        assert cost.entry(PRICED, name).ours == history.mean_cost
        assert speed.entry("sea", name).ours > 0
    assert "3,000 rows" in report.notes[0]


def test_river_pays_for_its_paths():
    pytest.importorskip("river.tree", reason="river is not installed")
    report = Streams(rows=2000, streams=("sea", PRICED), learners=("river hoeffding",)).run(Options())
    assert 0 < report.comparisons[0].entry("sea", "river hoeffding").ours < 1
    assert report.comparisons[1].entry(PRICED, "river hoeffding").ours > 1


def test_who_is_not_installed_is_named(monkeypatch):
    monkeypatch.setattr("thriftwood.experiments.streams.contestants.find_spec", lambda name: None)
    assert not any(map(installed, (*RIVER, *MOA)))
    report = Streams(rows=200, streams=("sea",), learners=("hoeffding", *RIVER)).run(Options())
    assert "river hoeffding, river efdt" in report.notes[-1]


def test_learners_that_hold_every_case_get_fewer_rows(monkeypatch):
    monkeypatch.setitem(LONGEST, "iti", 1500)
    report = Streams(rows=2000, streams=("sea",), learners=("hoeffding", "iti")).run(Options())
    history = tw.evaluate_stream(OURS["iti"](None), tw.make_stream("sea", random_state=0), 1500)
    assert report.comparisons[0].entry("sea", "iti").ours == history.accuracy
    assert "iti the first 1,500." in report.notes[-1]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"streams": ("see",)}, "no 'see'"),
        ({"learners": ()}, "no 'none'"),
        ({"rows": 10}, "rows"),
    ],
)
def test_wrong_settings_are_named(settings, words):
    with pytest.raises(ValueError, match=words):
        Streams(**settings).planned(Options())
