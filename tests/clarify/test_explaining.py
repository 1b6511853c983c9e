"""A program that explains itself: the message below the old one, and nothing else changes."""

import subprocess
import sys
from dataclasses import replace

import pytest
from clarify.small_program import LINES
from cli.commands import thriftwood

from thriftwood.clarify import Ending, Recording, diagnose, diagnose_run, record, signs_of, train, watch
from thriftwood.clarify.commands import Command


@pytest.fixture(scope="module")
def folder(explained_program):
    return explained_program


def run(folder, *words):
    return subprocess.run(
        [sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        ("new.txt", 7, "Error 7\nNothing can be divided by 0.\n"),
        ("letter.txt", 7, "Error 7\nProbably: Write digits.\n"),
        ("fine.txt", 0, ""),
    ],
)
def test_the_message_stands_below_the_old_one(folder, given, code, said):
    done = run(folder, "prog.py", given)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", said)


def test_doubt_is_worded_as_by_the_command_line(folder):
    """Every other run of a cause gets another name, so that nothing tells the two apart."""
    recording = Recording.read(folder / "rec")
    runs = [
        replace(run, label="nought" if run.label == "zero" and place % 4 == 1 else run.label)
        for place, run in enumerate(recording.runs)
    ]
    model = train(replace(recording, runs=tuple(runs)), messages={"zero": "Not by 0."}, cv=3).model
    usual = (folder / "model.json").read_bytes()
    model.save(folder / "model.json")
    try:
        told = run(folder, "prog.py", "new.txt").stderr
    finally:
        (folder / "model.json").write_bytes(usual)
    assert told.startswith("Error 7\nPerhaps: ")
    assert "\nOr: " in told
    new = recording.runs[1]
    said = diagnose(model, recording.profile(new), Ending(new.exit), signs_of(new.ran)).said
    assert told == f"Error 7\n{said}\n"


NAMED = """
import sys
sys.stderr.write("prog: ")
try:
    print(1 / int(open(sys.argv[1]).read()))
except ArithmeticError:
    sys.exit("not by 0")
except ValueError:
    sys.exit("no number")
"""


@pytest.fixture(scope="module")
def named(tmp_path_factory):
    """A program that says its name, with and without an ending."""
    folder = tmp_path_factory.mktemp("named")
    program = LINES.replace('json")', 'json", why=True)') + NAMED
    (folder / "prog.py").write_text(program)
    (folder / "prog").write_text(f"#!{sys.executable}\n{program}")
    (folder / "prog").chmod(0o755)
    for place, text in enumerate(("0", "x", "1")):
        (folder / f"{place}.txt").write_text(text)
    return folder


@pytest.mark.parametrize(
    ("learnt", "started"),
    [
        ("python -m prog", "python -m prog"),
        ("python prog.py", "python -m prog"),
        ("python -m prog", "python prog.py"),
        ("./prog", "./prog"),
    ],
)
def test_a_program_that_says_its_own_name_is_known(named, tmp_path, monkeypatch, learnt, started):
    monkeypatch.chdir(named)

    def words(text, place):
        return [sys.executable if word == "python" else word for word in f"{text} {place}.txt".split()]

    commands = [
        Command(tuple(words(learnt, place)), label)
        for _ in range(5)
        for place, label in enumerate(("zero", "letter", "fine"))
    ]
    model = train(record(tmp_path / "rec", commands), cv=3).model
    model.save(named / "model.json")
    for place, label in enumerate(("zero", "letter")):
        ran = subprocess.run(words(started, place), capture_output=True, text=True, check=False)
        assert ran.stderr.splitlines()[1].endswith(label)
        assert ran.stderr.splitlines()[2].startswith(f"({label}, confidence ")
        watched = watch(model, words(started, place), tmp_path / "runs")
        assert diagnose_run(model, watched.folder).said == ran.stderr.splitlines()[1]


def test_runs_that_went_well_need_no_message(named, tmp_path, monkeypatch):
    monkeypatch.chdir(named)
    ends = (("0.txt", "zero"), ("3.txt", "gone"), ("2.txt", "fine"))
    commands = [Command((sys.executable, "prog.py", name), label) for name, label in ends for _ in range(3)]
    record(tmp_path / "rec", commands)
    said = thriftwood("clarify", "learn", str(tmp_path / "rec"), "--cv", "3").err
    assert "No message for 'gone', 'zero'." in said


def test_why_of_what_is_unknown(folder):
    lines = LINES.replace('json")', 'json", why=True)')
    (folder / "why.py").write_text(
        (folder / "prog.py").read_text().replace(LINES, lines) + "\nsys.exit('odd')\n"
    )
    said = run(folder, "why.py", "fine.txt").stderr.splitlines()
    assert said[1] == "This does not look like anything that was recorded."
    assert said[2] in ("(most like: zero)", "(most like: letter)")
    assert "No recorded run of this kind ended so, but with exit 7." in said[3:]


@pytest.mark.parametrize("ending", ["raise ValueError('odd')", "sys.exit('odd')", "sys.exit(3)"])
def test_ends_that_nobody_recorded_are_unknown(folder, ending):
    (folder / "other.py").write_text((folder / "prog.py").read_text() + f"\n{ending}\n")
    done = run(folder, "other.py", "fine.txt")
    assert done.returncode in (1, 3)
    assert done.stderr.endswith("This does not look like anything that was recorded.\n")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ('explain("none.json")', "No such file or directory: 'none.json'"),
        ('explain("runs.tsv")', "Expecting value"),
        ('explain("model.json")\nexplain("model.json")', "explain is called once"),
    ],
)
def test_what_is_wrong_is_said_and_the_program_goes_on(folder, lines, said):
    done = run(folder, "-c", f"from thriftwood.clarify import explain\n{lines}\nprint('done')")
    assert (done.returncode, done.stdout) == (0, "done\n")
    assert done.stderr.startswith("thriftwood.clarify.explain: ")
    assert said in done.stderr


def test_nothing_heavy_is_imported(folder):
    code = (
        "import sys\n" + LINES + "print(sorted({'numpy', 'scipy', 'sklearn', 'pandas'} & set(sys.modules)))"
    )
    assert run(folder, "-c", code).stdout == "[]\n"
    # What is registered first is called last, when the failure has been explained.
    wanted = "{'numpy', 'thriftwood.clarify.plan'} & {*sys.modules}"
    asked = f"import atexit, sys\natexit.register(lambda: print({wanted}))\n"
    assert run(folder, "-c", f"{asked}{LINES}sys.exit(1)").stdout == "{'thriftwood.clarify.plan'}\n"


def test_importing_it_takes_less_than_50_milliseconds(folder):
    code = "import time; a = time.process_time(); from thriftwood.clarify import explain; "
    taken = [float(run(folder, "-c", code + "print(time.process_time() - a)").stdout) for _ in range(5)]
    assert min(taken) < 0.05


def test_no_folder_is_left_behind(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    run(folder, "prog.py", "new.txt")
    run(folder, "prog.py", "fine.txt")
    assert list(tmp_path.iterdir()) == []
