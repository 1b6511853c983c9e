"""clarify: small programs recorded, learnt, watched and measured; tables, notes, resuming."""

import json
import shutil
from dataclasses import replace

import pytest
from experiments.small_programs import SmallNative, SmallPython
from scipy.sparse import csc_matrix

from thriftwood.clarify.counting import PatternTable
from thriftwood.clarify.patterns import Sign
from thriftwood.clarify.plan import Plan
from thriftwood.clarify.training import Cases
from thriftwood.experiments import Clarify, Options
from thriftwood.experiments.clarify import experiment as room
from thriftwood.experiments.clarify import overhead
from thriftwood.experiments.clarify.overhead import Way, measured, ratios
from thriftwood.experiments.clarify.published import BASELINE, COUNTERPART, SPEED_UP
from thriftwood.experiments.clarify.reporting import speed_up
from thriftwood.experiments.clarify.subject import Case, SubjectProgram
from thriftwood.experiments.clarify.symptoms import best_guess, symptom
from thriftwood.experiments.clarify.trial import signs_alone

SMALL = Clarify(programs=("adder.py",), runs=6, fresh=2, measured=1, repeats=1)


@pytest.fixture
def programs(tmp_path, monkeypatch):
    found = {one.name: one for one in (SmallPython(tmp_path), SmallNative(tmp_path))}
    monkeypatch.setattr(room, "PROGRAMS", found)
    return found


@pytest.fixture
def no_valgrind(monkeypatch):
    monkeypatch.setattr(overhead, "valgrind", lambda: None)


def figures(report, title):
    return next(table for table in report.comparisons if table.title == title).ours


@pytest.mark.parametrize("name", ["adder.py", "adder"])
def test_from_the_first_run_to_the_diagnosis(programs, tmp_path, no_valgrind, name):
    if (reason := programs[name].unavailable()) is not None:
        pytest.skip(reason)
    experiment = replace(SMALL, programs=(name,))
    options = Options(folder=tmp_path / "out", n_jobs=1)
    report = experiment.run(options)
    accuracy = figures(report, "Accuracy")[name]
    assert accuracy["best guess"] == 0.5  # two classes, one message
    assert accuracy["CTP searched"] == accuracy["plan"] == accuracy["plan, fresh"] == 1.0
    evidence = figures(report, "Free evidence")[name]
    assert evidence["calls and call trees"] == evidence["together"] == 1.0
    assert evidence["signs alone"] is None  # both classes end alike
    watched = figures(report, "Watched by plan")[name]
    assert (watched["runs"], watched["wrong values"], watched["changed diagnoses"]) == (4, 0, 0)
    assert watched["values"] == 4 * watched["patterns"]
    assert figures(report, "Figure 1, cost")[name]["searched %"] < 100
    assert set(figures(report, "Monitoring, seconds")[name]) == {
        *("all calls", "all call trees", "baseline", "planned"),
    }
    assert any("valgrind is not installed" in note for note in report.notes)
    assert experiment.run(options) == report  # nothing is run again
    (stored,) = (tmp_path / "out").glob("*.jsonl")
    assert len(stored.read_text().splitlines()) == 2


def test_a_recording_that_was_interrupted_goes_on(programs, tmp_path):
    subject = SubjectProgram(programs["adder.py"], tmp_path)
    cases = subject.cases(3)
    first = subject.recording("recorded", cases[:2])
    whole = subject.recording("recorded", cases)
    assert whole.runs[:2] == first.runs
    assert [run.label for run in whole.runs] == ["letters", "negative"] * 3
    assert subject.recording("recorded", cases[:4]).runs == whole.runs[:4]


def test_inputs_of_classes_and_of_fresh_runs_are_others(programs, tmp_path):
    subject = SubjectProgram(programs["adder.py"], tmp_path)
    cases = [*subject.cases(50), *subject.cases(50, fresh=True)]
    assert len({case.seed for case in cases}) == len(cases)
    assert SubjectProgram(programs["adder.py"], tmp_path, seed=1).cases(50)[0] not in cases


def test_names_of_inputs_tell_nothing_of_their_class(programs, tmp_path):
    subject = SubjectProgram(programs["adder.py"], tmp_path)
    cases = [*subject.cases(5), *subject.cases(2, fresh=True)]
    commands = [subject.command(case) for case in cases]
    assert len({command.words for command in commands}) == len(cases)
    assert len({tuple(map(len, command.words)) for command in commands}) == 1
    for command in commands:
        assert command.label is not None
        assert command.label not in " ".join(command.words)


def test_what_is_kept_changes_with_program_and_seed(programs, tmp_path):
    digests = {
        *(SubjectProgram(one, tmp_path).digest for one in programs.values()),
        SubjectProgram(programs["adder"], tmp_path, seed=1).digest,
    }
    assert len(digests) == 3


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
def test_instructions_grow_with_what_is_recorded(programs, tmp_path):
    if (reason := programs["adder"].unavailable()) is not None:
        pytest.skip(reason)
    subject = SubjectProgram(programs["adder"], tmp_path)
    compared = (Way("plain"), Way("all calls", "fc"), Way("all call trees", "ctp"))
    found = ratios(measured(subject, [Case(None, 1, 300)], compared, 1), "instructions")
    assert 1.0 < found["all calls"] < found["all call trees"]


def test_signs_alone_are_right_where_causes_end_differently():
    def cases(*shown):
        table = PatternTable((), csc_matrix((len(shown), 0)), {})
        labels = tuple("ab"[number % 2] for number in range(len(shown)))
        return Cases(table, labels, {}, "python", (), tuple(map(frozenset, shown)), ())

    one, two = Sign("ending", "exit 1"), Sign("ending", "exit 2")
    assert signs_alone(cases(*[{one}, {two}] * 10)) == 1.0
    assert signs_alone(cases(*[{one}] * 20)) is None  # all show the same


def test_ratios_are_to_the_plain_program():
    found = {"plain": {"seconds": 2.0}, "a": {"seconds": 3.0, "instructions": 5.0}}
    assert ratios(found, "seconds") == {"a": 1.5}
    assert ratios(found, "instructions") == {}


def test_what_cannot_run_is_left_out_with_its_reason(programs, tmp_path, monkeypatch, no_valgrind):
    monkeypatch.setattr(SmallNative, "unavailable", lambda self: "adder needs a compiler.")
    both = replace(SMALL, programs=("adder.py", "adder"))
    trials = both.planned(Options(folder=tmp_path))
    assert [trial.title for trial in trials] == ["adder.py"]
    with pytest.raises(ValueError, match=r"No program can run here. adder needs a compiler."):
        replace(SMALL, programs=("adder",)).planned(Options(folder=tmp_path))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"runs": 4}, "runs of at least 5"),
        ({"fresh": 0}, "fresh of at least 1"),
        ({"repeats": 0}, "repeats of at least 1"),
        ({"programs": ("adde",)}, "Did you mean 'adder'"),
        ({"programs": ()}, "Got none"),
        ({"programs": ("adder", "adder")}, "a program twice"),
    ],
)
def test_settings_out_of_bounds_are_named(programs, wrong, words):
    with pytest.raises(ValueError, match=words):
        replace(SMALL, **wrong).planned(Options())


@pytest.mark.parametrize(
    ("code", "out", "error", "seen"),
    [
        (1, "", "a/b.c:3:7: before: total_4\n", "exit 1, no output, before: *"),
        (1, "", "Traceback (most recent call last):\n  File x\nKeyError: 'name_2'\n", "KeyError: *"),
        (0, "text", "/x/y.rst:7: (WARNING/2) Malformed table.\nNo bottom border.", "exit 0, output"),
        (-6, " \n", "", "exit -6, no output, no message"),
    ],
)
def test_symptoms_leave_out_what_differs_from_file_to_file(code, out, error, seen):
    assert seen in symptom(code, out, error)


def test_the_best_guess_is_that_of_the_commonest_class():
    assert best_guess([("a", "x")] * 3 + [("b", "x")] + [("b", "y")] * 4) == 7 / 8
    assert best_guess([(label, "x") for label in "abcd"]) == 0.25


def test_figure_1_is_complete():
    assert set(BASELINE) == set(SPEED_UP)
    assert set(COUNTERPART.values()) <= set(BASELINE)
    assert SPEED_UP["mpg321"] == 158.3
    assert BASELINE["latex"] == 44.0


def test_where_counts_tell_nothing_there_are_no_figures_of_them(programs, tmp_path, no_valgrind):
    record = SMALL.planned(Options(folder=tmp_path))[0].perform() | {"fc": None}
    report = SMALL.report([record])
    assert figures(report, "Figure 1, speed-up")["adder.py"]["searched FC"] is None
    assert figures(report, "Accuracy")["adder.py"]["FC blind"] is None
    assert figures(report, "Figure 1, cost")["adder.py"]["baseline %"] > 0


def test_a_tree_that_costs_nothing_has_no_speed_up():
    assert speed_up({"blind": {"cost": 5.0}, "chosen": {"cost": 0.0}}, "chosen") is None


def test_an_empty_plan_watches_nothing(programs, tmp_path):
    subject = SubjectProgram(programs["adder.py"], tmp_path)
    found = measured(subject, [Case(None, 1)], [Way("plain"), Way("empty", "watch", Plan(()))], 1)
    assert found["empty"]["seconds"] > 0


def test_records_can_be_stored(programs, tmp_path, no_valgrind):
    (trial,) = SMALL.planned(Options())  # without a folder everything is gone afterwards
    record = trial.perform()
    assert json.loads(json.dumps(record)) == record
