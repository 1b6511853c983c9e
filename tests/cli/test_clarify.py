"""thriftwood clarify: from runs with labels to a message, and what is said when something is wrong."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from clarify.lucky_runs import lucky_runs
from clarify.plain_calls import profile_of, tree
from clarify.small_program import RUNS, write_small_program
from clarify.time_limits import limit_from
from cli.commands import as_process, thriftwood

from thriftwood.clarify import Model, Profile, learn
from thriftwood.clarify.training import Trained

PYTHON = sys.executable


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with a program, its recording and its model."""
    folder = tmp_path_factory.mktemp("clarify")
    write_small_program(folder)
    before = Path.cwd()
    os.chdir(folder)
    try:
        assert thriftwood("clarify", "record", "rec", "--runs", "runs.tsv").code == 0
        run = thriftwood("clarify", "learn", "rec", "--messages", "messages.toml", "-o", "model.json")
        assert run.code == 0, run.err
    finally:
        os.chdir(before)
    return folder


@pytest.fixture
def folder(made, monkeypatch):
    """The same, to work in."""
    monkeypatch.chdir(made)
    return made


def test_a_recording_is_listed(folder):
    run = thriftwood("clarify", "inspect", "rec")
    assert run.code == 0
    assert f"letter {RUNS} exit 7" in " ".join(run.out.split())
    assert f"{2 * RUNS} runs with call trees. Index: rec/runs.jsonl." in run.out


def test_a_run_is_shown(folder):
    run = thriftwood("clarify", "inspect", "rec", "--run", "1", "--top", "2")
    assert run.code == 0
    assert "prog.py 01.txt" in run.out
    assert "It said: Error 7" in run.out
    assert "more; --top shows them)" in run.out


def test_what_was_learnt_is_told(folder):
    run = thriftwood("clarify", "learn", "rec", "--messages", "messages.toml")
    assert run.code == 0
    for words in ("What accuracy costs", "blind (C4.5)", "csgain", "chosen", "The tree"):
        assert words in run.out
    content = json.loads(thriftwood("clarify", "learn", "rec", "--json").out)
    assert content["chosen"]["accuracy"] == 1.0
    assert content["chosen"]["cost"] <= content["greedy"]["cost"] <= content["blind"]["cost"]


def found_instead(found, monkeypatch):
    """Let `clarify learn` find this, whatever it reads."""
    trained = Trained(Model.of(found, build={}, kind="python", messages={}), found)
    monkeypatch.setattr("thriftwood.cli.clarify_learning.train", lambda *_, **__: trained)


def test_why_a_cheaper_tree_was_not_chosen_is_said(folder, monkeypatch):
    found = learn(*lucky_runs(10), features="fc")
    found_instead(found, monkeypatch)
    _, _, page = thriftwood("clarify", "learn", "rec").out.partition("The trade-off\n")
    rows = [line.split(maxsplit=4) for line in page.splitlines()[1:5]]  # 0.9 % 0.825 1 loses ...
    assert [row[4:] for row in rows] == [
        [],
        ["loses 0.050 on other folds"],
        ["loses 0.038 on other folds"],
        ["chosen"],
    ]
    assert "A tree that loses more than --within (0.01) when the runs are dealt into other folds" in page
    assert "Prices are calls that are counted in a run, on average.\n" in page
    content = json.loads(thriftwood("clarify", "learn", "rec", "--json").out)
    assert [point["lost"] for point in content["points"]] == [p.lost for p in found.points]


def test_the_unit_says_what_following_costs(folder, monkeypatch):
    runs = [profile_of(tree("f", tree("g")), tree("h")), profile_of(tree("h", tree("g")), tree("f"))]
    found_instead(learn(runs * 20, ["one", "two"] * 20, span=7), monkeypatch)
    page = thriftwood("clarify", "learn", "rec").out
    unit = "Prices are calls that are counted in a run, on average; a call that is followed counts 7 times.\n"
    assert unit in page
    assert "A tree that loses" not in page


def test_one_label_is_refused_before_anything_else(folder):
    shutil.copytree("rec", "alike")
    index = Path("alike/runs.jsonl")
    index.write_text(index.read_text().replace('"label": "letter"', '"label": "zero"'))
    run = thriftwood("clarify", "learn", "alike", "--messages", "messages.toml")  # which has two labels
    assert run.code == 2
    assert f"All {2 * RUNS} runs have the label 'zero'; at least two labels are needed." in run.err


def test_labels_that_are_confused_are_listed(folder):
    shutil.copytree("rec", "mislabelled")
    index = Path("mislabelled/runs.jsonl")
    index.write_text(index.read_text().replace('"label": "letter"', '"label": "zero"', 1))
    run = thriftwood("clarify", "learn", "mislabelled")
    assert "What is confused, in runs not seen" in run.out
    assert "zero letter 1" in " ".join(run.out.split())


@pytest.mark.parametrize(("confirmed", "is_chance"), [(0.64, True), (0.65, False)])
def test_a_tree_that_is_hardly_better_than_one_answer_gets_a_note(folder, monkeypatch, confirmed, is_chance):
    found = learn([profile_of(tree("m", *[tree("g")] * (k % 2))) for k in range(12)], ["even", "odd"] * 6)
    doubtful = replace(found, chosen=replace(found.chosen, confirmed=confirmed))
    found_instead(doubtful, monkeypatch)  # a standard error of six in twelve is 0.144
    said = " ".join(thriftwood("clarify", "learn", "rec").err.split())
    words = f"right in {confirmed:.3f} of runs, and saying 'even' of every run is right in 0.500. What"
    assert (words in said) == is_chance


def test_calls_alone_and_the_published_search(folder):
    options = ("--features", "fc", "--search", "greedy", "--json")
    content = json.loads(thriftwood("clarify", "learn", "rec", *options).out)
    assert content["features"] == "fc"
    assert content["chosen"] == content["greedy"]


def test_labels_without_a_message_are_named(folder):
    run = thriftwood("clarify", "learn", "rec")
    assert "No message for 'letter', 'zero'" in run.err


def test_a_plan_is_shown(folder):
    run = thriftwood("clarify", "plan", "model.json", "--write", "plan.txt")
    assert run.code == 0
    assert "zero: Nothing can be divided by 0." in run.out
    assert "function to watch" in run.out or "functions to watch" in run.out
    assert Path("plan.txt").read_text().startswith("0\t")


def test_a_plan_names_its_functions_whole(tmp_path, monkeypatch):
    """Patterns were cut at 80 columns, and what to watch was no list of its own."""
    monkeypatch.chdir(tmp_path)
    long = f"m:{'Very' * 30}Long.name:7"
    calls = {"m:main:1": 5, long: 1}
    runs = [Profile(tuple(calls), calls), Profile(("m:main:1",), {"m:main:1": 5})] * 20
    learnt = learn(runs, ["a", "b"] * 20, features="fc", false_alarms=None)
    Model.of(learnt, build={}, kind="python", messages={}).save("long.json")
    said = thriftwood("clarify", "plan", "long.json").out
    assert f"What is counted\n0  count  {long}\n" in said
    assert f"Functions to watch\n{long}\n" in said


def test_a_plan_gets_other_messages(folder):
    Path("other.json").write_text('{"zero": "Not 0, please."}')
    run = thriftwood("clarify", "plan", "model.json", "--messages", "other.json", "-o", "other-model.json")
    assert run.code == 0
    assert "zero: Not 0, please." in run.out
    assert "letter: (no message" in run.out


def test_from_a_failure_to_a_message(folder):
    run = as_process("clarify", "watch", "model.json", "--", PYTHON, "prog.py", "new.txt")
    assert run.code == 7
    assert run.out == ""
    assert run.err == "Error 7\nNothing can be divided by 0.\n"
    said = thriftwood("clarify", "diagnose", "model.json")
    assert (said.code, said.out) == (0, "Nothing can be divided by 0.\n")
    content = json.loads(thriftwood("clarify", "diagnose", "model.json", "--json").out)
    assert (content["label"], content["confidence"], content["ended"]) == ("zero", 13 / 14, "exit")
    assert [content[name] for name in ("n_alike", "n_of_label", "n_runs")] == [RUNS, RUNS, 2 * RUNS]
    assert (content["exit"], content["signal"], content["timed_out"]) == (7, None, False)
    assert (content["doubt"], content["confirmed"]) == (None, 1.0)
    assert (content["unknown"], content["odd"]) == (False, [])


def test_why_is_said_when_it_is_asked_for(folder):
    words = ("clarify", "watch", "model.json", "--folder", "why", "--why", "--", PYTHON, "prog.py", "new.txt")
    run = as_process(*words)
    sure = (
        f"Confidence 93%: {RUNS} of {RUNS} recorded runs like this one had this cause"  # (12 + 1) / (12 + 2)
    )
    right = "this model is right in 100% of runs it had not seen."
    assert f"Nothing can be divided by 0.\n\nIts kind: zero.\n{sure}; {right}\n" in run.err
    assert "What was seen\ncalls of second: 3, more than 0\n" in run.err
    said = thriftwood("clarify", "diagnose", "model.json", "why", "--why").out
    assert said.startswith(f"Run: {PYTHON} prog.py new.txt (")
    assert said.endswith(run.err.removeprefix("Error 7\n"))


def test_why_names_what_makes_a_confidence_small(folder):
    """`Confidence 37%: 6 of 6 ... right in 100%` gave no reason for the 37."""
    model = Model.load("model.json")
    normal = replace(model.normal, trust=dict.fromkeys(model.labels, 0.4))
    replace(model, normal=normal).save("trusted-less.json")
    words = ("clarify", "watch", "trusted-less.json", "--folder", "less", "--why", "--", PYTHON, "prog.py")
    said = as_process(*words, "new.txt").err
    assert f"Confidence {13 / 14 * 0.4:.0%}: {RUNS} of {RUNS} recorded runs" in said
    assert (
        "Causes that nobody recorded may look like this one, too, for which it is trusted to 40% only."
        in said
    )
    content = json.loads(thriftwood("clarify", "diagnose", "trusted-less.json", "less", "--json").out)
    assert content["trust"] == 0.4


def test_a_label_that_rests_on_what_was_not_seen_says_so(folder):
    words = ("clarify", "watch", "model.json", "--folder", "unseen", "--why", "--", PYTHON, "prog.py")
    run = as_process(*words, "no-such-file.txt")  # ends as recorded runs do, of a cause nobody recorded
    below = "Nothing that is watched happened in this run: this rests on what was not seen. A cause that was"
    assert f"runs it had not seen.\n{below} never recorded looks like this too.\n" in run.err
    content = json.loads(thriftwood("clarify", "diagnose", "model.json", "unseen", "--json").out)
    assert content["nothing_seen"] is True


def watched(name, code, options=(), run_by=as_process):
    """What is said of the program when it ends in another way than recorded, in text and for machines."""
    Path("fine.txt").write_text("1 2\n")
    words = ("clarify", "watch", "model.json", "--folder", name, "--when", "always", *options, "--")
    begin = "import runpy, sys; sys.argv[1:] = ['fine.txt']; runpy.run_path('prog.py', run_name='__main__')"
    run = run_by(*words, PYTHON, "-c", f"{begin}; {code}")
    return run, json.loads(thriftwood("clarify", "diagnose", "model.json", name, "--json").out)


def test_a_run_that_did_not_fail_is_no_failure(folder):
    run, content = watched("well", "pass")
    assert run.code == 0
    assert run.err == "The run did not fail (exit 0). Recorded runs of 'zero' ended with exit 7.\n"
    assert content["doubt"].startswith("The run did not fail")


def test_a_failure_of_a_kind_that_was_not_recorded(folder):
    run, content = watched("other", "raise SystemExit(3)")
    assert run.code == 3
    assert run.err == "This does not look like anything that was recorded.\n"
    assert content["doubt"].startswith("No recorded run ended like this one (exit 3), but with exit 7.")
    assert content["exit"] == 3


def test_a_signal_is_told(folder):
    run, content = watched("signal", "import os; os.kill(os.getpid(), 11)", options=("--why",))
    assert "Ended by signal 11.\nWhat was seen is most like: " in run.err
    assert content["doubt"].startswith("No recorded run ended like this one (signal 11)")
    assert (content["exit"], content["signal"], content["timed_out"]) == (-11, 11, False)


def test_a_timeout_is_told(folder, monkeypatch):
    limit_from(folder / "sleeps", monkeypatch)
    code = "import time; open('sleeps', 'w').close(); time.sleep(10**6)"
    run, content = watched("slow", code, options=("--timeout", "1", "--why"), run_by=thriftwood)
    assert "Killed after 1 second (--timeout).\nWhat was seen is most like: " in run.err
    assert (content["signal"], content["timed_out"], content["ended"]) == (9, True, "open")


def test_nothing_is_said_when_nobody_asks(folder):
    words = (
        "clarify",
        "watch",
        "model.json",
        "--folder",
        "quiet",
        "--when",
        "never",
        "--",
        PYTHON,
        "prog.py",
        "new.txt",
    )
    run = as_process(*words)
    assert (run.code, run.out, run.err) == (7, "", "Error 7\n")


def test_a_program_that_is_killed(folder):
    kill = "import os, signal; os.kill(os.getpid(), signal.SIGTERM)"
    run = as_process("clarify", "watch", "model.json", "--folder", "killed", "--", PYTHON, "-c", kill)
    assert run.code == 128 + 15


def test_one_run_with_its_label(folder):
    run = thriftwood(
        "clarify", "record", "one", "--label", "mine", "--mode", "fc", "--", PYTHON, "prog.py", "new.txt"
    )
    assert run.code == 0
    assert "mine" in run.out
    assert "1 run with calls." in run.out


def test_labels_by_output_and_exit(folder):
    options = ("--label-if", "seven=Error 7", "--otherwise", "fine")
    thriftwood("clarify", "record", "two", *options, "--", PYTHON, "prog.py", "new.txt")
    thriftwood("clarify", "record", "two", *options, "--", PYTHON, "-c", "pass")
    thriftwood("clarify", "record", "two", "--label-by-exit", "--", PYTHON, "prog.py", "new.txt")
    content = json.loads(thriftwood("clarify", "inspect", "two", "--json").out)
    assert {label: entry["runs"] for label, entry in content["labels"].items()} == {
        "exit 7": 1,
        "fine": 1,
        "seven": 1,
    }


def test_a_recording_that_stops_at_a_line_names_it_and_what_is_kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_small_program(tmp_path)
    words = f"{shlex.quote(sys.executable)} prog.py 00.txt"
    runs = [{"command": words}, {"command": words}, {"command": words, "stdin": "nowhere"}]
    (tmp_path / "runs.jsonl").write_text("".join(f"{json.dumps(run)}\n" for run in runs))
    said = thriftwood("clarify", "record", "rec", "--runs", "runs.jsonl")
    assert said.code == 2
    assert (
        "Stopped. 2 of 3 runs are kept in rec, the first of runs.jsonl. The others begin at line 3:"
        in said.err
    )
    assert "Error: runs.jsonl, line 3: nowhere: No such file" in said.err


def test_a_recording_that_is_interrupted_can_go_on(tmp_path):
    code = ("pass", "pass", "import time; time.sleep(10**6)", "pass")
    lines = [f"some\t{PYTHON} -c {shlex.quote(words)}\n" for words in code]
    (tmp_path / "runs.tsv").write_text("# four runs\n" + "".join(lines))
    words = [Path(PYTHON).with_name("thriftwood"), "clarify", "record", "rec", "--runs", "runs.tsv"]
    words += ["--timeout", "0"]
    process = subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    index = tmp_path / "rec" / "runs.jsonl"
    while not (index.exists() and index.read_text().count("\n") == 2):
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    said = process.communicate()[1]
    assert process.returncode == 130
    assert "Stopped. 2 of 4 runs are kept in rec, the first of runs.tsv. The others begin at line 4:" in said
    assert "tail -n +4 runs.tsv > rest.tsv, then record rec --runs rest.tsv." in said
    assert "Traceback" not in said


def test_flags():
    keep = "-fno-inline -fno-optimize-sibling-calls\n"
    assert thriftwood("clarify", "flags").out == f"-fpatchable-function-entry=8 {keep}"
    assert thriftwood("clarify", "flags", "--inlined").out == "-fpatchable-function-entry=8\n"
    assert thriftwood("clarify", "flags", "--fallback").out == f"-finstrument-functions {keep}"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("record", "rec"), "What is to be run?"),
        (("record", "rec", "--runs", "runs.tsv", "--label", "x"), "--label is for one command line"),
        (("record", "rec", "--otherwise", "x", "--", "true"), "--otherwise is for runs"),
        (("record", "rec", "--label-if", "x", "--", PYTHON, "-c", ""), "--label-if is LABEL=PATTERN"),
        (("record", "rec", "--label-by-exit", "--label-if", "a=b", "--", "true"), "Choose one"),
        (("record", "rec", "--", "no-such-program"), "no such program"),
        (("check", "model.json", "--", "./runs.tsv"), "The file is not executable. Name the program"),
        (("record", "rec", "--runs", "none.tsv"), "none.tsv"),
        (("inspect", "."), "is no recording"),
        (("inspect", "rec", "--run", "99"), f"has {2 * RUNS} runs, numbered from 0. Got 99"),
        (("learn", "rec", "-o", "none/model.json"), "there is no folder"),
        (
            ("learn", "rec", "--cv", "9"),
            "has 6 runs, fewer than the 9 folds. Record more, or give a smaller --cv.",
        ),
        (("learn", "rec", "--messages", "runs.tsv"), "must have a line"),
        (("plan", "messages.toml"), "no model that can be read"),
        (("plan", "tree.json"), "its format is 'thriftwood-tree', not 'thriftwood-clarify'"),
        (("plan", "model.json", "--messages", "messages.toml"), "go together"),
        (("diagnose", "model.json", "rec"), "has no watched run"),
        (("diagnose", "model.json", "none"), "none: There is no watched run. `thriftwood clarify"),
        (("diagnose", "model.json", "prog.py"), "is no profile of a process"),
        (("watch", "model.json", "--", "/bin/true"), "the model was learnt from a python one"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(folder, words, said):
    Path("tree.json").write_text('{"format": "thriftwood-tree"}')
    run = thriftwood("clarify", *words)
    assert run.code == 2
    assert said in " ".join(run.err.split())
    assert "Traceback" not in run.err


def test_other_commands_say_who_shows_a_model(folder):
    run = thriftwood("show", "model.json")
    assert run.code == 2
    words = "it explains why a program failed. `thriftwood clarify plan` shows it."
    assert words in " ".join(run.err.split())


def test_a_model_without_some_figures_has_a_plan(folder, tmp_path):
    model = Model.load("model.json")
    for left_out in model.figures:
        figures = {name: figure for name, figure in model.figures.items() if name != left_out}
        replace(model, figures=figures).save(tmp_path / "less.json")
        run = thriftwood("clarify", "plan", str(tmp_path / "less.json"))
        assert (run.code, "to watch" in run.out) == (0, True), run.err


def test_help_of_a_verb_is_quick():
    code = "import sys; from thriftwood.cli import app; print('numpy' in sys.modules)"
    run = subprocess.run([PYTHON, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert run.stdout == "False\n"


def test_functions_of_a_release_are_named_whole(folder, tmp_path):
    program = tmp_path / "prog.py"
    program.write_text("# a line more\n" + (folder / "prog.py").read_text())
    run = thriftwood("clarify", "check", "model.json", "--", PYTHON, str(program), "new.txt")
    assert run.code == 0
    functions = Model.load("model.json").plan.functions
    moved = [line.split() for line in run.out.splitlines() if line.startswith("moved")]
    assert [words[1] for words in moved] == list(functions)
    for _, before, arrow, now in moved:
        name, _, line = before.rpartition(":")
        assert (arrow, now) == ("->", f"{name}:{int(line) + 1}")
