"""Recording: many runs of a program in a folder, with labels, whatever becomes of the runs."""

import gzip
import json
import os
import pwd
import shlex
import sys
import textwrap
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
from clarify.time_limits import limit_from

from thriftwood.clarify import (
    ByOutput,
    Command,
    Profile,
    ProfileError,
    Recording,
    RecordingWarning,
    Run,
    by_exit,
    read_commands,
    record,
    train,
)
from thriftwood.clarify.joining import joined
from thriftwood.clarify.launching import Launch, kind_of
from thriftwood.clarify.running import run_apart
from thriftwood.clarify.store import INDEX, Appender

PROGRAM = textwrap.dedent("""
    import os, signal, sys, time
    def work(n):
        return n and step(n - 1)
    def step(n):
        return work(n)
    def fail(text):
        print(text, file=sys.stderr)
        sys.exit(3)
    kind = sys.argv[1]
    work(5)
    if kind == "fail": fail("Error: no luck")
    if kind == "kill": os.kill(os.getpid(), signal.SIGKILL)
    if kind == "hang": open("hangs", "w").close(); time.sleep(10**6)
    if kind == "fork" and os.fork() == 0:
        work(3); os._exit(0)
    if kind == "fork": os.wait()
    if kind == "daemon" and os.fork() == 0:
        time.sleep(10**6)
    if kind == "read": print(sys.stdin.read())
""")


@pytest.fixture
def program(tmp_path, monkeypatch):
    """A program that ends in many ways, and the folder to work in."""
    (tmp_path / "prog.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "prog.py"


def runs_of(*kinds, label=None):
    return [Command((sys.executable, "prog.py", kind), label) for kind in kinds]


def test_runs_are_kept_in_their_order(program):
    kinds = ["fine", "fail", "fine", "fail", "kill"]
    recording = record("rec", runs_of(*kinds), labelling=by_exit, n_jobs=2)
    assert [run.command[2] for run in recording.runs] == kinds
    assert [run.label for run in recording.runs] == ["exit 0", "exit 3", "exit 0", "exit 3", "signal 9"]
    assert [run.exit for run in recording.runs] == [0, 3, 0, 3, -9]
    assert recording.runs[1].stderr == "Error: no luck\n"
    assert Recording.read("rec") == recording


def test_the_same_run_twice_gives_the_same_profile(program):
    recording = record("rec", runs_of("fine", "fine"))
    one, two = recording.profiles(recording.runs)
    assert (one.calls, one.d1, one.d2) == (two.calls, two.d1, two.d2)
    assert one.calls["__main__:work:3"] == 6
    assert one.calls["__main__:step:5"] == 5


def test_a_killed_program_loses_nothing(program):
    (profile,) = record("rec", runs_of("kill", label="x")).profiles()
    assert profile.ended == "open"
    assert profile.calls["__main__:work:3"] == 6


def test_calls_alone(program):
    (profile,) = record("rec", runs_of("fine", label="x"), mode="fc").profiles()
    assert not profile.has_trees
    assert profile.calls["__main__:work:3"] == 6


def test_processes_of_a_run_are_added_up(program):
    (profile,) = record("rec", runs_of("fork", label="x")).profiles()
    assert profile.calls["__main__:work:3"] == 6 + 4


def test_a_run_is_over_in_time(program, monkeypatch):
    limit_from(Path("hangs"), monkeypatch)
    (run,) = record("rec", runs_of("hang"), labelling=by_exit, timeout=0.3).runs
    assert (run.timed_out, run.exit, run.label) == (True, -9, "timeout")
    assert run.seconds >= 0.3
    assert run.profile is not None


def test_what_a_program_leaves_running_is_ended(program):
    (run,) = record("rec", runs_of("daemon"), timeout=None).runs  # it would wait for days
    assert (run.exit, run.timed_out) == (0, False)
    assert run.profile is not None  # whatever the other one had written of its own by then


def test_standard_input_is_a_file_or_nothing(program):
    (program.parent / "given.txt").write_text("Hello.")
    words = (sys.executable, "prog.py", "read")
    recording = record("rec", [Command(words), Command(words, stdin=Path("given.txt"))])
    assert [run.stdout for run in recording.runs] == ["\n", "Hello.\n"]


def test_a_recording_grows(program):
    record("rec", runs_of("fine"))
    assert len(record("rec", runs_of("fail"))) == 2


def test_a_torn_line_is_no_run_and_is_written_over(program):
    record("rec", runs_of("fine"))
    with (Path("rec") / INDEX).open("a") as file:
        file.write('{"label": "torn')
    assert len(Recording.read("rec")) == 1
    assert len(record("rec", runs_of("fail"))) == 2
    assert len((Path("rec") / INDEX).read_text().splitlines()) == 2


def test_nothing_is_left_beside_the_recording(program):
    record("rec", runs_of("fine", "fail"))
    assert sorted(path.name for path in Path("rec").iterdir()) == ["bodies.json", "profiles", INDEX]


def test_labels_by_output(program):
    label = ByOutput([("unlucky", "no luck$")], otherwise="lucky")
    recording = record("rec", runs_of("fine", "fail"), labelling=label)
    assert [run.label for run in recording.runs] == ["lucky", "unlucky"]


def test_labels_given_come_first(program):
    recording = record("rec", runs_of("fail", label="mine"), labelling=by_exit)
    assert recording.runs[0].label == "mine"


# What cannot be recorded


def test_a_first_run_without_a_profile_ends_it(program):
    with pytest.raises(ValueError, match="-S"):
        record("rec", [Command((sys.executable, "-S", "prog.py", "fine"))])


def test_a_later_run_without_a_profile_is_kept(program, monkeypatch):
    from thriftwood.clarify import recording as room

    whole = room.read_profile
    seen = []

    def now_and_then(path):
        seen.append(path)
        if len(seen) == 2:
            raise ProfileError("The disk was full.")
        return whole(path)

    monkeypatch.setattr(room, "read_profile", now_and_then)
    with pytest.warns(RecordingWarning, match="The disk was full"):
        recording = record("rec", runs_of("fine", "fail", "fine", label="x"))
    assert [run.profile is None for run in recording.runs] == [False, True, False]
    assert recording.runs[1].problem == "The disk was full."
    assert len(recording.usable) == 2


def test_runs_that_called_nothing_are_warned_of(program):
    """They were kept without a word."""
    runs = [*runs_of("fine"), Command((sys.executable, "nowhere.py"))]
    with pytest.warns(RecordingWarning, match="1 of 2 runs called no function.*nowhere.py.*can't open file"):
        recording = record("rec", runs)
    assert len(recording) == 2


def test_no_program_is_said_so(program):
    with pytest.raises(FileNotFoundError, match="no such program"):
        record("rec", [Command(("no-such-program",))])


def test_a_shell_script_is_no_program(program):
    Path("go.sh").write_text("#!/bin/sh\nexec python prog.py\n")
    Path("go.sh").chmod(0o755)
    with pytest.raises(ValueError, match=r"is a script of /bin/sh"):
        kind_of(["./go.sh"])


AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can run programs as somebody else")


@AS_ROOT
def test_another_user_has_the_groups_and_the_home_of_that_user():
    words = ("/bin/sh", "-c", "id -u; id -G; echo $HOME $USER $LOGNAME")
    account = pwd.getpwnam("nobody")
    ran = run_apart(Command(words, cwd=Path("/")), Launch(words, dict(os.environ), "native"), user="nobody")
    home = f"{account.pw_dir} nobody nobody"
    assert ran.stdout.splitlines() == [str(account.pw_uid), str(account.pw_gid), home], ran.stderr


@AS_ROOT
def test_a_folder_that_is_closed_to_the_user_is_refused(tmp_path):
    tmp_path.chmod(0o700)
    with pytest.raises(ValueError, match=r"'nobody' may not enter .* Record in a folder that is open"):
        record(tmp_path / "rec", [Command((sys.executable, "-c", "pass"), "x")], user="nobody")
    with pytest.raises(ValueError, match="There is no user 'nobody-there'"):
        record(tmp_path / "rec", [Command((sys.executable, "-c", "pass"), "x")], user="nobody-there")


def test_nothing_to_run(tmp_path):
    with pytest.raises(ValueError, match="nothing to run"):
        record(tmp_path / "rec", [])
    with pytest.raises(ValueError, match="mode must be 'fc' or 'ctp'"):
        record(tmp_path / "rec", [Command(("true",))], mode="all")


# Files of runs


def test_runs_from_a_table(tmp_path):
    (tmp_path / "runs.tsv").write_text("# label\tcommand\n\none two\tpython -c 'a b' x\n\tpython y\n")
    first, second = read_commands(tmp_path / "runs.tsv")
    assert (first.label, first.words, first.cwd) == ("one two", ("python", "-c", "a b", "x"), tmp_path)
    assert (second.label, second.words) == (None, ("python", "y"))


def test_only_the_end_of_a_line_parts_runs(tmp_path):
    (tmp_path / "runs.tsv").write_bytes("a\tpython '1\x0b2\u2028\x85'\r\nb\tpython 3".encode())
    first, second = read_commands(tmp_path / "runs.tsv")
    assert (first.words, second.words) == (("python", "1\x0b2\u2028\x85"), ("python", "3"))


def test_runs_from_json(tmp_path):
    lines = [
        {"label": "a", "command": ["python", "x y"]},
        {"command": "python 'x y'", "stdin": "in", "cwd": "d"},
    ]
    (tmp_path / "runs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    first, second = read_commands(tmp_path / "runs.jsonl")
    assert first == Command(("python", "x y"), "a", None, tmp_path)
    assert second == Command(("python", "x y"), None, tmp_path / "in", tmp_path / "d")
    assert shlex.split(str(second)) == ["python", "x y"]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.tsv", "python x\n", "line 1: there is no tab"),
        ("a.tsv", "ok\ttrue\nbad\t'open\n", "line 2: the command line cannot be read"),
        ("a.tsv", "# nothing\n", "has no runs"),
        ("a.tsv", "label\t\n", "command is empty"),
        ("a.jsonl", "[1]\n", "a run is a JSON object"),
        ("a.jsonl", '{"command": ["x"], "label": 3}\n', "label must be text, got 3"),
        ("a.jsonl", '{"command": []}\n', "command is empty"),
        ("a.jsonl", "{\n", "line 1"),
    ],
)
def test_a_wrong_file_of_runs_is_refused(tmp_path, name, text, words):
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=words):
        read_commands(tmp_path / name)


def test_a_wrong_pattern_is_refused():
    with pytest.raises(ValueError, match="is no regular expression"):
        ByOutput([("x", "(")])


# What is no recording


def test_a_folder_without_an_index_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"is no recording: it has no runs\.jsonl"):
        Recording.read(tmp_path)


@pytest.mark.parametrize(
    "line", ["{}", "[]", "x", '{"label": 3}', json.dumps({"profile": "/etc/passwd", "command": []})]
)
def test_a_wrong_line_is_named(tmp_path, line):
    (tmp_path / INDEX).write_text(f"{line}\n")
    with pytest.raises(ValueError, match="line 1, is no run"):
        Recording.read(tmp_path)


def stored(folder, *profiles, **changes):
    """A recording by hand: runs called a, b, a, b, ..."""
    appender = Appender(folder)
    for number, profile in enumerate(profiles):
        facts = {"label": "ab"[number % 2], "mode": "fc", "kind": "python"} | changes
        name = appender.add_profile(profile)
        appender.add(
            Run(
                command=("x",),
                exit=0,
                timed_out=False,
                seconds=0.1,
                stdout="",
                stderr="",
                profile=name,
                **facts,
            )
        )
    return Recording.read(folder)


def test_a_profile_outside_the_folder_is_not_read(tmp_path):
    recording = stored(tmp_path, Profile(("f",), {"f": 1}))
    line = (tmp_path / INDEX).read_text().replace("profiles/000000", "profiles/../../000000")
    (tmp_path / INDEX).write_text(line)
    with pytest.raises(ValueError, match="outside the folder"):
        Recording.read(recording.folder)


def test_a_damaged_profile_is_named(tmp_path):
    recording = stored(tmp_path, Profile(("f",), {"f": 1}))
    path = tmp_path / "profiles/000000.json.gz"
    content = path.read_bytes()
    for damaged in (b"no gzip", content[:20], content[:10] + b"\xff" * 9 + content[19:]):
        path.write_bytes(damaged)
        with pytest.raises(ProfileError, match=r"000000\.json\.gz cannot be read as a profile"):
            recording.profile(recording.runs[0])


@pytest.mark.parametrize(
    ("content", "why"),
    [(b" " * 2**28, "it unpacks to more than"), (b"[" * 100_000, "it is nested too deeply")],
)
def test_a_profile_that_would_take_all_memory_is_refused(tmp_path, content, why):
    recording = stored(tmp_path, Profile(("f",), {"f": 1}))
    (tmp_path / "profiles/000000.json.gz").write_bytes(gzip.compress(content))
    with pytest.raises(ProfileError, match=why):
        recording.profile(recording.runs[0])


def test_a_run_that_is_nested_without_end_is_refused(tmp_path):
    (tmp_path / "runs.jsonl").write_text("[" * 100_000 + "\n")
    with pytest.raises(ValueError, match=r"line 1, is no run: it is nested too deeply"):
        Recording.read(tmp_path)


def test_a_program_that_is_not_there_is_told_by_its_line(program):
    lines = [
        f"a\t{shlex.quote(sys.executable)} prog.py fine\n",
        "# so far so good\n",
        "b\tpyhton prog.py fine\n",
    ]
    Path("runs.tsv").write_text("".join(lines))
    with pytest.raises(FileNotFoundError, match=r"no such program.*runs\.tsv, line 3: pyhton"):
        record("rec", read_commands("runs.tsv"))
    assert not Path("rec").exists()


def test_a_script_of_a_shell_is_told_by_its_line(program):
    Path("start.sh").write_text("#!/bin/sh\n")
    Path("start.sh").chmod(0o755)
    Path("runs.tsv").write_text("a\t./start.sh\n")
    with pytest.raises(ValueError, match=r"^runs\.tsv, line 1: .*start\.sh"):
        record("rec", read_commands("runs.tsv"))


def test_a_recording_that_fails_leaves_no_folder_of_its_own(program):
    deaf = [Command((sys.executable, "-S", "prog.py", "fine"))]
    with pytest.raises(ValueError, match="cannot be recorded"):
        record("rec", deaf)
    assert not Path("rec").exists()
    kept = record("rec", runs_of("fine"))
    with pytest.raises(ValueError, match="cannot be recorded"):
        record("rec", deaf)
    assert Recording.read("rec") == kept


def test_two_builds_have_the_names_of_the_latest(tmp_path):
    one, two = (Profile((f"m:f:{build}",), {f"m:f:{build}": 1}, build={"/m.py": build}) for build in "12")
    recording = stored(tmp_path, one, two)
    together = joined(recording, recording.usable)
    n_kept = len({run.label for run in recording.usable})  # of a label recorded again, the latest alone
    assert len(together.runs) == n_kept
    assert (together.build, together.names) == ({"/m.py": "2"}, {"m:f": "m:f:2"})
    assert [dict(profile.calls) for profile in together.profiles(recording)] == [{"m:f:2": 1}] * n_kept


def test_calls_alone_are_no_call_trees(tmp_path):
    with pytest.raises(ValueError, match="have calls alone"):
        train(stored(tmp_path, *[Profile(("f",), {"f": 1})] * 4), features="ctp")


def test_runs_without_labels_teach_nothing(tmp_path):
    with pytest.raises(ValueError, match="has 1 run, and none with a label and a profile"):
        train(stored(tmp_path, Profile(("f",), {"f": 1}), label=None))


def test_other_programs_are_recorded_apart(tmp_path):
    stored(tmp_path, Profile(("f",), {"f": 1}))
    with pytest.raises(ValueError, match="Record them apart"):
        train(stored(tmp_path, Profile(("f",), {"f": 2}), kind="native", label="b"))


def test_names_that_tell_the_labels_are_warned_of(tmp_path):
    """A program that copies the name of its input counts the letters of "missing brace"."""
    profiles = [Profile(("f",), {"f": 1 + number % 2}) for number in range(20)]

    def labelled(names):
        recording = stored(tmp_path / "-".join(names), *profiles)
        runs = [
            replace(run, label=("missing brace", "comma")[k % 2], command=("cc", f"{names[k % 2]}-{k}.c"))
            for k, run in enumerate(recording.runs)
        ]
        return Recording(recording.folder, tuple(runs))

    with pytest.warns(RecordingWarning, match=r"tell the labels 'missing brace', 'comma': .*one length"):
        train(labelled(["missing_brace", "COMMA"]))
    with pytest.warns(RecordingWarning, match=r"tell the labels 'missing brace': "):
        train(labelled(["missing_brace", "b"]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        train(labelled(["a", "b"]))
        train(labelled(["comma", "comma"]))


def test_what_labels_were_given_by_is_not_learnt_from(tmp_path):
    """The exit code told labels that are the exit code: accuracy 1.0, and nothing was watched."""
    profiles = [Profile(("main", "f"), {"main": 30, "f": 1 + number % 2}) for number in range(20)]

    def learnt(given_by, **options):
        recording = stored(tmp_path / str(given_by), *profiles)
        runs = [
            replace(run, label=("fine", "bad")[k % 2], labelled_by=given_by, command=("cc", "a.c"),
                    **({"exit": 0, "stderr": ""}, {"exit": 1, "stderr": "bad sign"})[k % 2])
            for k, run in enumerate(recording.runs)
        ]  # fmt: skip
        with warnings.catch_warnings(record=True) as met:
            warnings.simplefilter("always")
            found = train(Recording(recording.folder, tuple(runs)), **options).learnt
        return [str(one.message) for one in met], found.chosen.functions

    assert learnt(None) == ([], ())  # a person gave them: what tells them for nothing is welcome
    (note, other), functions = learnt("ending")
    assert note.startswith(
        "Labels were given by the ending of runs when recording. Evidence of the kind endin"
    )
    assert "is shown by all runs of 'bad' and no others" in other
    assert functions == ()
    (note,), functions = learnt("ending", without=["message"])
    assert functions == ("f",)
    (note, other), functions = learnt("output")
    assert "Evidence of the kind exception and message would tell" in note
    assert "[exit 1]" in other
    assert "[exit 1] is shown" in learnt("function")[0][0]


def test_a_recording_keeps_what_labels_were_given_by(tmp_path):
    program = tmp_path / "prog.py"
    program.write_text("import sys; sys.exit(3)")
    commands = [Command((sys.executable, str(program)), label) for label in (None, "mine")]
    for number, (labelling, name) in enumerate(
        [(by_exit, "ending"), (ByOutput([("a", "x")], "none"), "output"), (lambda ran: "own", "function")]
    ):
        runs = record(tmp_path / str(number), commands, labelling=labelling).runs
        assert [run.labelled_by for run in runs] == [name, None]
