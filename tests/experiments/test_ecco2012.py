"""ecco2012: a trial against plain estimators, depths within the limit, tables and notes, resuming."""

from dataclasses import replace
from statistics import fmean
from zlib import crc32

import numpy as np
import pytest

import thriftwood as tw
from thriftwood.experiments import Ecco2012, Options
from thriftwood.experiments.cases import loaded
from thriftwood.experiments.ecco2012.published import SICK
from thriftwood.experiments.ecco2012.trial import charged, depths_within

SMALL = Ecco2012(
    trials=2,
    data_sets=("hepatitis", "heart-cleveland-2class"),
    ratios=(2.0, 100.0),
    depths=(2, 3),
    trees=60,
    cuts=3,
)


@pytest.mark.parametrize(
    "experiment",
    [
        SMALL,
        replace(SMALL, trials=1, dear="well", nominal="value", cuts=2, seed=3, cut_penalty=True, unit=20.0),
    ],
)
def test_a_trial_is_what_estimators_give(small_data, experiment):
    for planned in experiment.planned(Options(data_dir=small_data, n_jobs=1)):
        record = planned.perform()
        name, _, payment, number = planned.key.split("/")
        data = tw.load_dataset(name, data_dir=small_data, frame="pandas")
        rng = np.random.default_rng([experiment.seed, crc32(name.encode()), int(number)])
        cases = rng.permutation(len(data.y))
        grow, judge = np.sort(cases[: 2 * len(cases) // 3]), np.sort(cases[2 * len(cases) // 3 :])
        prices = data.costs if payment == "priced" else tw.Costs()
        sick, well = ("DIE", "LIVE") if name == "hepatitis" else ("1", "0")
        for place, (ratio, seed) in enumerate(
            zip(experiment.ratios, rng.integers(2**31, size=2).tolist(), strict=True)
        ):
            pair = (ratio * experiment.unit, experiment.unit)
            missed, false_alarm = pair if experiment.dear == "sick" else pair[::-1]
            costs = prices.replace(errors={sick: {well: missed}, well: {sick: false_alarm}})
            shared = {"evolution": tw.Evolution(trials=experiment.trees), "random_state": seed}
            wanted = {}
            for way, answer in (("icet", "most_likely"), ("icet by cost", "cheapest")):
                wanted[way] = tw.IcetClassifier(costs, answer=answer, **shared).set_params(
                    growth__cut_penalty=experiment.cut_penalty
                )
            for depth in experiment.depths:
                for way, prune in ((f"D{depth} Pr", True), (f"D{depth} NPr", False)):
                    wanted[way] = tw.EccoClassifier(
                        costs,
                        depth=depth,
                        prune=prune,
                        nominal=experiment.nominal,
                        cuts_per_feature=experiment.cuts,
                        **shared,
                    )
            assert set(record["cost"]) == {"untested", *wanted}
            for way, model in wanted.items():
                model.fit(data.X.iloc[grow], data.y[grow])
                result = tw.bill(model, data.X.iloc[judge], data.y[judge], costs)
                assert record["cost"][way][place] == pytest.approx(result.mean_cost), way
            answers = {sick: false_alarm * np.mean(data.y[grow] == well)}
            answers[well] = missed * np.mean(data.y[grow] == sick)
            answer = min(sorted(answers), key=answers.get)
            errors = np.where(data.y[judge] == sick, missed, false_alarm) * (data.y[judge] != answer)
            assert record["cost"]["untested"][place] == pytest.approx(errors.mean())


def test_depths_of_too_long_strings_are_left_out(small_data):
    cases = loaded("heart-cleveland-2class", small_data)
    depths = (2, 3, 4)
    # 3 cuts of the age, 4 kinds of pain, 2 findings: 5 questions of up to 4 outcomes, 3 bits a node.
    readings = replace(SMALL, depths=depths)._readings()
    assert depths_within(cases, readings._replace(max_bits=1)) == (2,)
    assert depths_within(cases, readings._replace(max_bits=3 * 21)) == (2,)
    assert depths_within(cases, readings._replace(max_bits=3 * 21 + 1)) == (2, 3)
    assert depths_within(cases, readings._replace(max_bits=3 * 85 + 1)) == depths
    assert depths_within(cases, readings._replace(depths=(2, 30))) == (2,)
    with pytest.raises(
        ValueError, match=r"depth 30 on heart.* Give a smaller depth; the paper's are 5 to 11"
    ):
        depths_within(cases, readings._replace(depths=(30,)))


def test_notes_say_which_depths_are_left_out_and_tell_near_figures_apart(small_data):
    flat = replace(SMALL, trials=1, max_bits=1).run(Options(data_dir=small_data))
    for name in SMALL.data_sets:
        assert f"Left out on {name}: D3, whose strings would have too many bits." in flat.notes
    records = [
        {
            "data_set": "hepatitis",
            "priced": True,
            "cost": {"untested": [1], "icet": [385.01], "D5 Pr": [385.02]},
        }
    ]
    records[0]["cost"] |= {"icet by cost": [400.0], "D5 NPr": [385.02]}
    notes = Ecco2012(trials=1, ratios=(10_000.0,), depths=(5,)).report(records).notes
    assert any("hepatitis (385.02 against 385.01 at 10,000)" in note for note in notes)


def test_tables_are_averages(small_data):
    options = Options(data_dir=small_data)
    records = [planned.perform() for planned in SMALL.planned(options)]
    report = SMALL.run(options)

    def cost(name, priced, way, place):
        own = [one for one in records if (one["data_set"], one["priced"]) == (name, priced)]
        return fmean(one["cost"][way][place] for one in own)

    high, high_quotients, low, low_quotients, everything = report.comparisons
    assert [table.shown for table in report.comparisons] == [True, True, True, True, False]
    assert (high.columns, low.columns, everything.columns) == (("100",), ("2",), ("2", "100"))
    assert high.entry("hepatitis, icet", "100").ours == pytest.approx(cost("hepatitis", True, "icet", 1))
    assert low.entry("hepatitis, D3 NPr", "2").ours == pytest.approx(cost("hepatitis", True, "D3 NPr", 0))
    assert not any("tests free" in row for row in (*high.rows, *low.rows))
    assert len(everything.rows) == 4 * 7
    row = "heart-cleveland-2class, tests free, D2 Pr"
    wanted = cost("heart-cleveland-2class", False, "D2 Pr", 1)
    assert everything.entry(row, "100").ours == pytest.approx(wanted)
    for table, place in ((low_quotients, 0), (high_quotients, 1)):
        for name in SMALL.data_sets:
            for priced, words in ((True, name), (False, f"{name}, tests free")):
                quotient = table.entry(words, table.columns[0]).ours
                rival = cost(name, priced, "icet", place)
                assert (quotient is None) == (rival == 0.0)  # nothing is a part of nothing
                if rival:
                    assert quotient == pytest.approx(cost(name, priced, "D2 Pr", place) / rival)


def test_notes_say_where_ecco_costs_more(small_data):
    options = Options(data_dir=small_data)
    report = SMALL.run(options)
    words = " ".join(report.notes)
    assert "2 divisions into 2/3 and 1/3, seed 0; both learners try 60 trees" in words
    costs = {(entry.row, entry.column): entry.ours for entry in report.comparisons[-1].entries()}
    settings = report.comparisons[1].rows
    dearer = [row for row in settings if costs[f"{row}, D2 Pr", "100"] > costs[f"{row}, icet", "100"]]
    count = f"in {4 - len(dearer)} of 4 averages" if dearer else "in all 4 averages"
    assert f"D2 Pr costs no more than icet {count}" in words
    for row in dearer:
        ours, theirs = costs[f"{row}, D2 Pr", "100"], costs[f"{row}, icet", "100"]
        assert f"{row} ({ours:.4g} against {theirs:.4g} at 100)" in words
    low = replace(SMALL, ratios=(2.0,), trials=1, dear="well").run(options)
    assert [table.title[-8:] for table in low.comparisons[:2]] == ["figure 5", "figure 5"]
    assert "From a ratio" not in " ".join(low.notes)
    assert "a false alarm is the dear mistake" in low.notes[0]


def test_who_is_sick_in_the_published_data(published_folder):
    for name, sick in SICK.items():
        cases = loaded(name, published_folder)
        assert sick in cases.classes
        assert len(cases.classes) == 2
        matrix = charged(cases, True, 50.0, Ecco2012()._readings()).error_matrix(cases.classes)
        assert matrix[cases.classes.index(sick)].max() == 50.0
        assert matrix.sum() == 51.0


def test_depths_of_the_published_data(published_folder):
    deepest = {
        name: depths_within(loaded(name, published_folder), Ecco2012()._readings())[-1] for name in SICK
    }
    assert deepest == {
        "liver-disorders-drinks": 11,
        "heart-cleveland-2class": 7,  # four kinds of chest pain
        "hepatitis": 11,
        "diabetes": 11,
    }


def test_finished_trials_are_kept(small_data, tmp_path):
    options = Options(data_dir=small_data, folder=tmp_path)
    first = SMALL.run(options)
    steps = []
    assert SMALL.run(options, lambda *step: steps.append(step)) == first
    assert steps == [(8, 8, "heart-cleveland-2class, tests free 2")]


def test_any_number_of_threads_gives_the_same(small_data):
    one, two = (SMALL.run(Options(data_dir=small_data, n_jobs=jobs)) for jobs in (1, 2))
    assert one == two


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"trials": 0}, "trials of at least 1"),
        ({"trees": 0}, "trees of at least 1"),
        ({"cuts": 0}, "cuts of at least 1"),
        ({"data_sets": ("ann-thyroid",)}, "has the data sets liver-disorders-drinks"),
        ({"ratios": ()}, "ratios above 0"),
        ({"ratios": (-1.0,)}, "ratios above 0"),
        ({"depths": ()}, "depths of at least 1"),
        ({"depths": (0,)}, "depths of at least 1"),
        ({"unit": 0.0}, "a unit above 0"),
        ({"dear": "rich"}, "dear to be one of sick, well"),
        ({"nominal": "binary"}, "nominal to be one of multiway, value"),
    ],
)
def test_settings_out_of_bounds_are_refused(settings, words):
    with pytest.raises(ValueError, match=words):
        Ecco2012(**settings).run()


def test_ecco_costs_no_more_than_icet_as_published(published_folder):
    experiment = Ecco2012(trials=2, ratios=(10000.0,), depths=(5,))
    report = experiment.run(Options(data_dir=published_folder))
    assert "D5 Pr costs no more than icet in all 8 averages." in " ".join(report.notes)
