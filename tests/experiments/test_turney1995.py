"""turney1995: filling, a trial against plain estimators, tables and notes, resuming, published data."""

from dataclasses import replace
from statistics import fmean
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thriftwood as tw
from thriftwood.experiments import Options, Turney1995
from thriftwood.experiments.turney1995.filling import filled
from thriftwood.experiments.turney1995.published import LEARNERS, OTHERS
from thriftwood.experiments.turney1995.reporting import normalised_cost

SMALL = Turney1995(
    trials=2, data_sets=("hepatitis", "heart-cleveland-2class"), penalties=(10.0, 500.0), trees=60
)

numbers = st.one_of(st.just(float("nan")), st.integers(-3, 3).map(float))
texts = st.sampled_from([None, "a", "b", "c"])


@given(st.lists(st.tuples(numbers, texts, numbers), min_size=1, max_size=9))
def test_filled_from_the_nearest_case(cases):
    X = np.array(cases, dtype=[("age", "f8"), ("kind", "O"), ("sugar", "f8")])
    columns = [list(column) for column in zip(*cases, strict=True)]
    before = X.copy()
    if any(all(missing(value) for value in column) for column in columns):
        with pytest.raises(ValueError, match="has no value at all"):
            filled(X)
        return
    whole = filled(X)
    assert X.tobytes() == before.tobytes()
    for row, case in enumerate(cases):
        for place, value in enumerate(case):
            if missing(value):
                having = [other for other in range(len(cases)) if not missing(cases[other][place])]
                value = cases[min(having, key=lambda other: (distance(columns, row, other), other))][place]
            assert whole[row][place] == value


def missing(value):
    return value is None or value != value


def distance(columns, one, other):
    total = 0.0
    for column in columns:
        a, b = column[one], column[other]
        if missing(a) or missing(b):
            total += 1.0
        elif isinstance(a, str):
            total += a != b
        else:
            known = [value for value in column if not missing(value)]
            span = max(known) - min(known)
            total += abs(a / span - b / span) if span else 0.0
    return total


def test_a_table_without_gaps_stays_as_it_is():
    X = np.array([(1.0, "a")], dtype=[("age", "f8"), ("kind", "O")])
    assert filled(X) is X


def test_normalised_cost_of_the_worked_example():
    record = {"all_tests": 7.5, "uncommon": 5 / 14, "did": {"idx": [(4.892857142857143, 0.0)]}}
    assert normalised_cost(record, "idx", 1, 20.0) == pytest.approx(33.414634, abs=1e-6)


@pytest.mark.parametrize(
    "experiment",
    [
        SMALL,
        replace(SMALL, trials=1, missing="spread", cut_penalty=True, cost_reuse="list"),
        replace(SMALL, trials=1, answer="cheapest", true_costs_first=True, trees=100),
    ],
)
def test_a_trial_is_what_estimators_give(small_data, experiment):
    for planned in experiment.planned(Options(data_dir=small_data, n_jobs=1)):
        record = planned.perform()
        name, number = planned.key.partition("/")[0], int(planned.key.rpartition("/")[2])
        data = tw.load_dataset(name, data_dir=small_data, frame="pandas")
        X = data.X if experiment.missing == "spread" else by_hand(data.X)
        rng = np.random.default_rng([experiment.seed, crc32(name.encode()), number])
        cases = rng.permutation(len(X))
        grow, judge = np.sort(cases[: 2 * len(X) // 3]), np.sort(cases[2 * len(X) // 3 :])
        seeds = rng.integers(2**31, size=2)
        assert set(record["did"]) == set(LEARNERS)
        shares = {label: float(np.mean(data.y == label)) for label in data.target_names}
        for place, (penalty, seed) in enumerate(zip(experiment.penalties, seeds, strict=True)):
            costs = data.costs.replace(errors_default=penalty)
            icet = tw.IcetClassifier(
                costs,
                evolution=tw.Evolution(trials=experiment.trees),
                answer=experiment.answer,
                seed_true_costs=experiment.true_costs_first,
                cost_reuse=experiment.cost_reuse,
                random_state=int(seed),
            ).set_params(growth__cut_penalty=experiment.cut_penalty)
            learners = {"icet": icet} | {
                other: tw.algorithm(other, **priced(other, data.costs, experiment)).set_params(
                    growth__cut_penalty=experiment.cut_penalty
                )
                for other in OTHERS
            }
            for learner, model in learners.items():
                result = tw.bill(model.fit(X.iloc[grow], data.y[grow]), X.iloc[judge], data.y[judge], costs)
                wanted = 100 * result.mean_cost / costs.standard_cost(data.feature_names, shares)
                assert normalised_cost(record, learner, place, penalty) == pytest.approx(wanted), learner


def priced(learner, costs, experiment):
    prices = costs.replace(errors=None, errors_default=None)
    return {} if learner == "c45" else {"costs": prices, "cost_reuse": experiment.cost_reuse}


def by_hand(X):
    """Fill a pandas frame from the nearest cases, keeping its categories."""
    columns = [[None if value != value else value for value in X[name].tolist()] for name in X]
    whole = X.copy()
    for place, name in enumerate(X):
        for row, value in enumerate(columns[place]):
            if missing(value):
                having = [other for other in range(len(X)) if not missing(columns[place][other])]
                nearest = min(having, key=lambda other: (round(distance(columns, row, other), 9), other))
                whole.loc[whole.index[row], name] = columns[place][nearest]
    return whole


def test_tables_are_averages(small_data):
    options = Options(data_dir=small_data)
    records = [planned.perform() for planned in SMALL.planned(options)]
    by_set, by_penalty, of_icet = SMALL.run(options).comparisons
    assert by_set.rows == ("hepatitis", "heart-cleveland-2class", "average")
    assert by_penalty.rows == ("10", "500", "average")

    def costs(learner, name=None, at=None):
        return [
            normalised_cost(record, learner, place, penalty)
            for record in records
            if name in (None, record["data_set"])
            for place, penalty in enumerate(SMALL.penalties)
            if at in (None, penalty)
        ]

    for learner in LEARNERS:
        for name in SMALL.data_sets:
            assert by_set.entry(name, learner).ours == pytest.approx(fmean(costs(learner, name)))
        for penalty in SMALL.penalties:
            entry = by_penalty.entry(f"{penalty:.0f}", learner)
            assert entry.ours == pytest.approx(fmean(costs(learner, at=penalty)))
        for table in (by_set, by_penalty):
            assert table.entry("average", learner).ours == pytest.approx(fmean(costs(learner)))
    spent = [100 * record["did"]["icet"][1][0] / record["all_tests"] for record in records]
    assert of_icet.entry("500", "tests").ours == pytest.approx(fmean(spent))
    assert not by_set.has_published


def test_notes_say_readings_and_who_is_cheapest(small_data):
    report = SMALL.run(Options(data_dir=small_data))
    words = " ".join(report.notes)
    assert "2 divisions into 2/3 and 1/3, seed 0; ICET tries 60 trees, answers the most likely" in words
    assert "filled from the nearest case" in words
    average = {learner: report.comparisons[0].entry("average", learner).ours for learner in LEARNERS}
    lowest = min(average, key=average.get)
    assert ("As published" in words) == (lowest == "icet")
    assert f"{lowest} {average[lowest]:.1f}, " in words
    records = [planned.perform() for planned in SMALL.planned(Options(data_dir=small_data))]
    alike = sum(record["did"]["cs-id3"] == record["did"]["idx"] for record in records)
    assert (f"cs-id3 and idx did the same in {alike} of {len(records)} divisions" in words) == (alike > 0)
    other = replace(SMALL, trials=1, missing="spread", cut_penalty=True, true_costs_first=True)
    words = other.run(Options(data_dir=small_data)).notes[0]
    assert "1 division into" in words
    assert "spread as C4.5 does; numeric tests with release" in words
    assert "the true prices among the first" in words


def test_finished_trials_are_kept(small_data, tmp_path):
    options = Options(data_dir=small_data, folder=tmp_path)
    first = SMALL.run(options)
    steps = []
    assert SMALL.run(options, lambda *step: steps.append(step)) == first
    assert steps == [(4, 4, "heart-cleveland-2class 2")]
    replace(SMALL, trees=50, trials=1).run(options, lambda *step: steps.append(step))
    assert len(steps) == 1 + 3  # other settings begin anew


def test_any_number_of_threads_gives_the_same(small_data):
    one, two = (SMALL.run(Options(data_dir=small_data, n_jobs=jobs)) for jobs in (1, 2))
    assert one == two


def test_ctrl_c_ends_the_run(small_data, monkeypatch):
    real = tw.Evolution.run

    def interrupted(self, genome, random_state, n_threads, tell, stop):
        def press(*generation):
            raise KeyboardInterrupt

        return real(self, genome, random_state, n_threads, press, stop)

    monkeypatch.setattr(tw.Evolution, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        SMALL.run(Options(data_dir=small_data))


def test_a_data_set_without_prices_is_refused(small_data, monkeypatch):
    monkeypatch.setattr("thriftwood.experiments.turney1995.experiment.DATA_SETS", ("zoo",))
    with pytest.raises(ValueError, match="'zoo' has no prices of tests"):
        Turney1995(data_sets=("zoo",)).run(Options(data_dir=small_data))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"trials": 0}, "trials of at least 1"),
        ({"seed": -1}, "seed of at least 0"),
        ({"trees": 0}, "trees of at least 1"),
        ({"data_sets": ("hepatits",)}, "Did you mean 'hepatitis'"),
        ({"data_sets": ()}, "Got none"),
        ({"data_sets": ("diabetes", "diabetes")}, "twice"),
        ({"penalties": ()}, "penalties above 0"),
        ({"penalties": (0.0,)}, "penalties above 0"),
        ({"penalties": (float("nan"),)}, "penalties above 0"),
        ({"answer": "dearest"}, "answer to be one of most_likely, cheapest"),
        ({"missing": "drop"}, "missing to be one of nearest, spread"),
        ({"cost_reuse": "free"}, "cost_reuse to be one of effective, list"),
        ({"thyroid": "test"}, "thyroid to be one of training, all"),
    ],
)
def test_settings_out_of_bounds_are_refused(settings, words):
    with pytest.raises(ValueError, match=words):
        Turney1995(**settings).run()


def test_sizes_of_the_published_data(published_folder):
    sizes = {}
    for planned in Turney1995(trials=1).planned(Options(data_dir=published_folder)):
        cases = planned.perform.args[0]
        split = cases.divided(np.random.default_rng(0))
        sizes[cases.name] = len(cases.y), len(split.grow_rows), len(split.judge_rows)
        assert not any(missing(value) for name in cases.X.dtype.names for value in cases.X[name])
    assert sizes == {
        "liver-disorders-drinks": (345, 230, 115),  # the paper's
        "heart-cleveland-2class": (303, 202, 101),
        "hepatitis": (155, 103, 52),  # the paper's
        "diabetes": (768, 512, 256),
        "ann-thyroid": (3772, 2514, 1258),
    }


def test_icet_costs_least_on_average_as_published(published_folder):
    report = Turney1995(trials=1).run(Options(data_dir=published_folder))
    average = {learner: report.comparisons[0].entry("average", learner).ours for learner in LEARNERS}
    assert min(average, key=average.get) == "icet"
    assert any(note.startswith("As published") for note in report.notes)
    # The dearer a mistake is, the more is spent on tests.
    spent = [report.comparisons[2].entry(row, "tests").ours for row in ("10", "500", "10,000")]
    assert spent == sorted(spent)
