"""Watching: what is watched is what was learnt, on fresh runs of a Python and of a native program."""

import json
import os
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from clarify.time_limits import limit_from
from native_programs import NEEDS_GCC

from thriftwood.clarify import (
    Command,
    Model,
    ProfileError,
    diagnose,
    diagnose_run,
    read_watched,
    record,
    train,
    watch,
)
from thriftwood.clarify.native import FLAGS, NativeProgramError, preload_library

PYTHON = textwrap.dedent("""
    import os, signal, sys
    def token(text): return text.strip()
    def bad(text): raise ValueError(text)
    def number(text): return int(token(text)) if token(text).isdigit() else bad(text)
    def name(text): return token(text) if token(text).isalpha() else bad(text)
    def row(line):
        a, comma, b = line.partition(",")
        return (name(a), number(b)) if comma else bad(line)
    def main(path):
        try:
            for line in open(path):
                row(line)
        except ValueError:
            print("bad file", file=sys.stderr)
            if len(sys.argv) > 2: os.kill(os.getpid(), signal.SIGKILL)
            sys.exit(1)
    main(sys.argv[1])
""")
NATIVE = textwrap.dedent("""
    #include <ctype.h>
    #include <stdio.h>
    #include <stdlib.h>
    #define APART __attribute__((noinline, noclone))
    APART int number(const char* text) { char* end; strtol(text, &end, 10); return end != text; }
    APART int name(const char* text) { return isalpha((unsigned char)*text) != 0; }
    APART void fail(void) { fputs("bad file\\n", stderr); exit(1); }
    APART void row(char* line) {
      char* comma = line;
      while (*comma && *comma != ',') comma++;
      if (!*comma) fail();
      if (!name(line)) fail();
      if (!number(comma + 1)) fail();
    }
    int main(int n, char** words) {
      char line[200];
      FILE* file = fopen(words[1], "r");
      while (fgets(line, sizeof line, file)) row(line);
      return 0;
    }
""")
FAULTS = {"number": "abc,x1\n", "name": "12,34\n", "comma": "abc 12\n"}


def write_inputs(folder, n, start=0):
    """Files with one faulty line each, in a table of good ones."""
    made = []
    for seed in range(start, start + n):
        for place, (fault, line) in enumerate(FAULTS.items()):
            path = folder / f"{seed:03}{place}.txt"  # which tells nothing of the fault
            path.write_text("abc,12\n" * (1 + seed % 5) + line + "abc,12\n" * 2)
            made.append((fault, path))
    return made


@pytest.fixture(scope="module", params=["python", "native"])
def program(request, tmp_path_factory):
    """The words that start a program."""
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "python":
        (folder / "table.py").write_text(PYTHON)
        return (sys.executable, str(folder / "table.py"))
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not there to compile the program")
    try:
        preload_library()
    except NativeProgramError as problem:
        pytest.skip(str(problem))
    (folder / "table.c").write_text(NATIVE)
    subprocess.run(["gcc", "-O1", *FLAGS, "table.c", "-o", "table"], cwd=folder, check=True)
    return (str(folder / "table"),)


@pytest.fixture(scope="module")
def trained(program, tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    commands = [Command((*program, str(path)), fault) for fault, path in write_inputs(folder, 8)]
    messages = {"number": "A number is wrong."}
    return train(record(folder / "rec", commands, n_jobs=2), messages=messages)


def test_the_faults_are_told_apart(trained):
    assert trained.learnt.chosen.confirmed == 1.0
    assert trained.learnt.chosen.cost <= trained.learnt.blind.cost


def test_what_is_watched_is_what_was_learnt(program, trained, tmp_path):
    model = trained.model
    fresh = write_inputs(tmp_path, 3, start=100)
    full = record(tmp_path / "rec", [Command((*program, str(path)), fault) for fault, path in fresh])
    for (fault, path), profile in zip(fresh, full.profiles(), strict=True):
        ran = watch(model, [*program, str(path)], tmp_path / "runs")
        assert ran.exit == 1
        counts = read_watched(ran.folder, model)
        assert counts.values == model.plan.count(profile)
        assert diagnose(model, counts.values) == diagnose(model, profile)
        assert diagnose_run(model, tmp_path / "runs").label == fault  # the last run of the folder


def test_a_plan_of_every_kind_counts_what_the_profile_says(program, trained, tmp_path):
    """Watch all patterns of a run at once: calls, sets of children and chains."""
    from thriftwood.clarify import Plan, pattern_table

    (_, path), *_ = write_inputs(tmp_path, 1)
    recording = record(tmp_path / "rec", [Command((*program, str(path)), "x")])
    (profile,) = recording.profiles()
    own = "__main__" if trained.model.kind == "python" else Path(program[0]).name
    patterns = [p for p in pattern_table([profile]).patterns if all(f.startswith(own) for f in p.functions)]
    assert {p.kind for p in patterns} == {"count", "inside", "chain", "tree", "without"}
    plan = Plan(tuple(patterns))
    counts = watched_by_hand(trained.model, plan, [*program, str(path)], tmp_path / "by-hand")
    assert dict(zip(map(str, patterns), counts, strict=True)) == dict(
        zip(map(str, patterns), plan.count(profile), strict=True)
    )


def watched_by_hand(model, plan, words, folder):
    """Watch by a plan that belongs to no model."""
    from thriftwood.clarify.launching import launch
    from thriftwood.clarify.reading import read_counts

    folder.mkdir()
    (folder / "plan.txt").write_text(plan.text())
    started = launch(words, folder, "watch", plan=folder / "plan.txt")
    subprocess.run(started.words, env=started.environment, check=False, capture_output=True)
    (file,) = folder.glob("*.profile")
    return plan.values(read_counts(file).values)


def test_a_single_file_is_enough(program, trained, tmp_path):
    (fault, path), *_ = write_inputs(tmp_path, 1)
    ran = watch(trained.model, [*program, str(path)], tmp_path / "runs")
    (file,) = ran.folder.glob("*.profile")
    assert diagnose_run(trained.model, file).label == fault


def test_counts_are_there_after_a_kill(program, trained, tmp_path):
    if trained.model.kind != "python":
        pytest.skip("the native program does not kill itself")
    (fault, path), *_ = write_inputs(tmp_path, 1)
    ran = watch(trained.model, [*program, str(path), "die"], tmp_path / "runs")
    assert ran.exit == -9
    assert read_watched(ran.folder, trained.model).ended == "open"
    assert diagnose_run(trained.model, ran.folder).label == fault


def test_what_is_written_about_a_run(program, trained, tmp_path):
    (_, path), *_ = write_inputs(tmp_path, 1)
    ran = watch(trained.model, [*program, str(path)], tmp_path / "runs")
    facts = json.loads((ran.folder / "run.json").read_text())
    assert (facts["command"], facts["exit"]) == ([*program, str(path)], 1)
    assert (ran.folder / "plan.txt").read_text() == trained.model.plan.text()


def test_another_build_is_refused(program, trained, tmp_path):
    if trained.model.kind != "python":
        pytest.skip("shown on the program in Python")
    (_, path), *_ = write_inputs(tmp_path, 1)
    (tmp_path / "table.py").write_text(Path(program[1]).read_text() + "# another build\n")
    ran = watch(trained.model, [program[0], str(tmp_path / "table.py"), str(path)], tmp_path / "runs")
    with pytest.raises(
        ProfileError, match=r"table\.py is another build than the one the model was learnt from"
    ):
        read_watched(ran.folder, trained.model)


def test_counts_of_nothing_are_no_diagnosis(program, trained, tmp_path):
    """Another program, and the same one with its names taken away or under another name."""
    (_, path), *_ = write_inputs(tmp_path, 1)
    if trained.model.kind == "python":
        (tmp_path / "other.py").write_text("def main(): pass\nmain()\n")
        others = [[program[0], str(tmp_path / "other.py")], [program[0], "-c", "pass"]]
        said = r"Nothing of the plan was watched: this run loaded none of table\.py"
    else:
        shutil.copy(program[0], tmp_path / "renamed")
        subprocess.run(["strip", program[0], "-o", tmp_path / "table"], check=True)
        others = [[str(tmp_path / name), str(path)] for name in ("table", "renamed")]
        said = "could not be watched: what ran has no function of this name"
    for words in others:
        ran = watch(trained.model, words, tmp_path / "runs")
        with pytest.raises(ProfileError, match=said):
            read_watched(ran.folder, trained.model)


def test_another_native_program_is_no_diagnosis(program, trained, tmp_path):
    if trained.model.kind != "native":
        pytest.skip("shown above on the program in Python")
    (tmp_path / "other.c").write_text("int main(void) { return 1; }\n")
    subprocess.run(["gcc", *FLAGS, "other.c", "-o", "other"], cwd=tmp_path, check=True)
    ran = watch(trained.model, [str(tmp_path / "other")], tmp_path / "runs")
    with pytest.raises(ProfileError, match="this run loaded none of table"):
        read_watched(ran.folder, trained.model)


@NEEDS_GCC
def test_hooked_functions_that_are_not_called_are_watched_for(tmp_path):
    """With hooks in functions a name is known only once it is called; the symbols tell of the others."""
    from thriftwood.clarify import Plan
    from thriftwood.clarify.launching import launch
    from thriftwood.clarify.native import FALLBACK_FLAGS
    from thriftwood.clarify.reading import read_counts

    (tmp_path / "table.c").write_text(NATIVE)
    subprocess.run(["gcc", "-O1", *FALLBACK_FLAGS, "table.c", "-o", "table"], cwd=tmp_path, check=True)
    (tmp_path / "good.txt").write_text("abc,12\n")
    plan = Plan.from_text("0\tcount\ttable!fail\n1\tcount\ttable!row\n2\tcount\ttable!none\n")
    (tmp_path / "plan.txt").write_text(plan.text())
    words = [str(tmp_path / "table"), str(tmp_path / "good.txt")]
    started = launch(words, tmp_path, "watch", plan=tmp_path / "plan.txt")
    subprocess.run(started.words, env=started.environment, check=True)
    (file,) = tmp_path.glob("*.profile")
    counts = read_counts(file)
    assert counts.values == (0, 1, 0)
    assert counts.found == {"table!fail", "table!row"}


def test_counts_of_another_plan_are_refused(program, trained, tmp_path):
    (_, path), *_ = write_inputs(tmp_path, 1)
    ran = watch(trained.model, [*program, str(path)], tmp_path / "runs")
    (ran.folder / "plan.txt").write_text("0\tcount\tother\n")
    with pytest.raises(ProfileError, match="belong to another plan"):
        read_watched(ran.folder, trained.model)


def test_a_program_of_another_kind_is_refused(trained, tmp_path):
    other = ["/bin/true"] if trained.model.kind == "python" else [sys.executable, "-c", "pass"]
    with pytest.raises(ValueError, match="the model was learnt from a"):
        watch(trained.model, other, tmp_path / "runs")


def test_nothing_to_read(trained, tmp_path):
    with pytest.raises(ProfileError, match="has no watched run"):
        read_watched(tmp_path, trained.model)
    with pytest.raises(FileNotFoundError):
        read_watched(tmp_path / "none", trained.model)


def test_the_environment_of_the_caller_is_left_alone(program, trained, tmp_path):
    before = dict(os.environ)
    (_, path), *_ = write_inputs(tmp_path, 1)
    watch(trained.model, [*program, str(path)], tmp_path / "runs")
    assert dict(os.environ) == before


def test_a_model_is_a_file(trained, tmp_path):
    trained.model.save(tmp_path / "model.json")
    assert trained.model.endings == {fault: {"exit 1": 8} for fault in FAULTS}
    assert Model.load(tmp_path / "model.json").endings == trained.model.endings
    assert diagnose(Model.load(tmp_path / "model.json"), [1] * len(trained.model.plan.patterns)) == diagnose(
        trained.model, [1] * len(trained.model.plan.patterns)
    )


def test_a_module_that_some_recorded_runs_did_not_load_may_be_missing(tmp_path):
    (tmp_path / "late.py").write_text("def work(): pass\n")
    (tmp_path / "prog.py").write_text(
        textwrap.dedent("""
        import importlib.util, os, sys  # loads by hand: an import passes by finders, which are functions too
        place = os.path.join(os.path.dirname(__file__), "late.py")
        spec = importlib.util.spec_from_file_location("late", place)
        late = importlib.util.module_from_spec(spec)
        if sys.argv[1] == "b":
            spec.loader.exec_module(late)
            late.work()
    """)
    )
    words = (sys.executable, str(tmp_path / "prog.py"))
    commands = [Command((*words, label), label) for label in "ab" * 6]
    model, _ = train(record(tmp_path / "rec", commands, mode="fc"))
    assert (set(model.build), model.figures["loaded"]) == ({"late.py"}, 0.5)
    for label in "ab":
        assert diagnose_run(model, watch(model, [*words, label], tmp_path / "runs").folder).label == label


STARTS_ANOTHER = """
import os, subprocess, sys, time
def work(): time.sleep(10**6)
if len(sys.argv) < 3:
    started = subprocess.Popen([sys.executable, __file__, sys.argv[1], "child"])
    with open(sys.argv[1] + ".new", "w") as file: file.write(str(started.pid))
    os.rename(sys.argv[1] + ".new", sys.argv[1])
work()
"""


def has_ended(pid):
    """Whether a process is gone, or waits to be reaped by whoever took it over."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs a system that lists processes")
def test_what_a_program_started_ends_with_its_time(program, trained, tmp_path, monkeypatch):
    if trained.model.kind != "python":
        pytest.skip("shown on a program in Python")
    (tmp_path / "starts.py").write_text(STARTS_ANOTHER)
    words = [sys.executable, str(tmp_path / "starts.py"), str(tmp_path / "pid")]
    limit_from(tmp_path / "pid", monkeypatch)
    ran = watch(trained.model, words, tmp_path / "runs", timeout=0.3)
    assert ran.exit == -9
    pid = int((tmp_path / "pid").read_text())
    while not has_ended(pid):  # a busy machine may take its time
        time.sleep(0.05)
