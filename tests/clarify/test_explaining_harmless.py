"""A program that explains itself ends as it does without, whatever is called twice, closed, full, caught."""

import io
import os
import subprocess
import sys

import pytest
from clarify.small_program import LINES

from thriftwood.clarify import explaining

UNKNOWN = "This does not look like anything that was recorded.\n"
ONCE = "thriftwood.clarify.explain: explain is called once in a program.\n"


@pytest.fixture
def run(explained_program, tmp_path):
    """Run some lines as a script, in the folder of the model; no folder may be left behind."""
    left = tmp_path / "left"
    left.mkdir()

    def started(code, shell="exec", options=()):
        script = tmp_path / "script.py"
        script.write_text(code)
        words = f'{shell} "$@"' if shell == "exec" else shell
        done = subprocess.run(
            ["sh", "-c", words, "sh", sys.executable, *options, str(script)],
            cwd=explained_program,
            env={**os.environ, "TMPDIR": str(left)},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert list(left.iterdir()) == []
        return done

    return started


ASYNC = "import asyncio, sys\nasync def end(): sys.exit(5)\nasyncio.run(end())"
MANAGED = "import contextlib, sys\nwith contextlib.contextmanager(lambda: (yield))(): sys.exit(6)"
ENDS = [
    ("import sys; sys.exit(0)", 0, ""),
    ("import sys; sys.exit(2)", 2, UNKNOWN),
    ("import sys; sys.exit()", 0, ""),
    (ASYNC, 5, UNKNOWN),
    (MANAGED, 6, UNKNOWN),
    ("import sys; sys.exit(False)", 0, ""),
    ("import sys; sys.exit(True)", 1, UNKNOWN),
    ("import sys; sys.exit(256)", 0, ""),
    ("import sys; sys.exit(-1)", 255, UNKNOWN),
    ("import sys; sys.exit((1, 2))", 1, "(1, 2)\n" + UNKNOWN),
    ("import sys; sys.exit('odd')", 1, "odd\n" + UNKNOWN),
    ("raise ValueError('the real error')", 1, "ValueError: the real error\n" + UNKNOWN),
    ("raise KeyboardInterrupt", -2, "KeyboardInterrupt\n"),  # the user's wish is no failure
]


@pytest.mark.parametrize(("code", "status", "said"), ENDS)
def test_a_second_call_says_so_and_does_nothing(run, code, status, said):
    done = run(f"{LINES}{LINES}print('working', flush=True)\n{code}")
    assert (done.returncode, done.stdout) == (status, "working\n")
    assert done.stderr.startswith(ONCE)
    assert done.stderr.endswith(said)
    assert done.stderr.count(UNKNOWN) == (status > 0)


@pytest.mark.parametrize(("code", "status", "said"), ENDS)
def test_programs_end_as_they_do_without(run, code, status, said):
    plain, done = run(f"\n\n{code}"), run(LINES + code)
    assert (plain.returncode, plain.stdout) == (done.returncode, done.stdout) == (status, "")
    assert done.stderr == plain.stderr + (UNKNOWN if status > 0 else "")
    assert done.stderr.endswith(said)


def test_a_model_that_cannot_be_read_leaves_everything_as_it_was(run):
    code = (
        "import os, sys\nbefore = sys.exit, sys.excepthook, sys.stderr\n"
        "from thriftwood.clarify import explain\n"
        "import json\n"
        "broken = json.load(open('model.json')) | {'patterns': [['no', 'pattern']]}\n"
        "json.dump(broken, open(os.environ['TMPDIR'] + '/broken.json', 'w'))\n"
        "explain(os.environ['TMPDIR'] + '/broken.json')\n"
        "os.unlink(os.environ['TMPDIR'] + '/broken.json')\n"
        "print(before == (sys.exit, sys.excepthook, sys.stderr), flush=True)\nsys.exit(2)"
    )
    done = run(code)
    assert (done.returncode, done.stdout) == (2, "True\n")
    assert done.stderr.startswith("thriftwood.clarify.explain: ")
    assert UNKNOWN not in done.stderr


def test_after_a_call_that_failed_another_may_follow(run):
    done = run(LINES.replace("model.json", "none.json") + LINES + "import sys; sys.exit(2)")
    assert done.returncode == 2
    assert done.stderr.endswith(f"'none.json'\n{UNKNOWN}")


@pytest.mark.parametrize("code", ["print('done')", "import sys; sys.exit(3)", "raise ValueError"])
def test_standard_error_may_be_closed(run, code):
    code = f"import sys; print('hello', file=sys.stderr); print(sys.stderr)\n{code}"
    plain, done = (run(lines + code, shell='"$@" 2>&-') for lines in ("", LINES))
    assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout)


@pytest.mark.parametrize("model", ["model.json", "none.json"])
@pytest.mark.parametrize(("code", "status"), [("print('done')", 0), ("sys.exit(3)", 3), ("1 / 0", 1)])
def test_standard_error_may_be_a_disk_that_is_full(run, model, code, status):
    code = f"{LINES.replace('model.json', model)}import sys\nprint('working')\n{code}"
    done = run(code, shell='"$@" 2>/dev/full')
    assert done.returncode == status
    assert done.stdout.startswith("working\n")


@pytest.mark.parametrize(
    "code",
    [
        "try: sys.exit(3)\nexcept SystemExit: pass",
        "try: sys.exit(3)\nexcept SystemExit as problem: kept = problem; print(kept.code)",
        "import os\nif os.fork() == 0: sys.exit(3)\nos.wait()",
        "threading.Thread(target=lambda: sys.exit(3)).start()",
        "import _thread, time; _thread.start_new_thread(lambda: sys.exit(3), ()); time.sleep(0.2)",
        "threading.Thread(target=lambda: 1 / 0).start()",
        "try: 1 / 0\nexcept Exception: sys.excepthook(*sys.exc_info())",
        "try: 1 / 0\nexcept Exception as problem: kept = sys.last_value = problem\nsys.exit(0)",
    ],
    ids=[
        "caught",
        "caught and kept",
        "child",
        "thread",
        "bare thread",
        "raised in a thread",
        "logged",
        "kept for pdb",
    ],
)
def test_failures_that_did_not_happen_are_not_explained(run, code):
    code = f"import sys, threading\n{code}"
    plain, done = run(f"\n\n{code}"), run(LINES + code)
    assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout)
    assert (done.returncode, done.stderr) == (0, plain.stderr)


def test_what_ends_the_program_counts_whatever_was_caught_before(run):
    done = run(LINES + "import sys\ntry: sys.exit(0)\nexcept SystemExit: pass\nsys.exit(3)")
    assert (done.returncode, done.stderr) == (3, UNKNOWN)
    code = "import sys\ntry: sys.exit(3)\nexcept SystemExit as problem:\n  problem.code = 0\n  raise"
    changed = run(LINES + code)
    assert (changed.returncode, changed.stderr) == (0, "")


def test_the_exception_of_sys_exit_looks_as_ever(run):
    code = (
        "import pickle, sys, traceback\nfor given in ((), (3,), ('odd',), ((1, 2),)):\n"
        "  try: sys.exit(*given)\n"
        "  except SystemExit as problem:\n"
        "    again = pickle.loads(pickle.dumps(problem))\n"
        "    print(repr(problem), problem.args, problem.code, type(again) is SystemExit, again.args)\n"
        "    print(traceback.format_exception_only(problem))\n"
    )
    plain, done = run(code), run(LINES + code)
    assert done.stdout == plain.stdout
    assert "SystemExit(3) (3,) 3 True (3,)" in done.stdout


@pytest.mark.parametrize("options", [("-i",), ("-W", "error")])
def test_options_of_python(run, options):
    """At the prompt nothing has ended yet; when it is left all went well."""
    code = "import sys; sys.exit(3)"
    shell = '"$@" </dev/null'
    plain, done = run(f"\n\n{code}", shell, options), run(LINES + code, shell, options)
    assert done.returncode == plain.returncode
    assert (UNKNOWN in done.stderr) == bool(done.returncode)


@pytest.mark.parametrize(
    "code",
    [
        "try: sys.stderr.write(b'')\nexcept TypeError: print('texts alone')",
        "sys.stderr.writelines(['one ', 'two'])",
        "with sys.stderr as file: file.write('said')",
        "try: list(sys.stderr)\nexcept OSError: print('not for reading')",
        "class Own(SystemExit): pass\ntry: sys.exit(Own(4))\nexcept Own as problem: print(problem.code)",
    ],
    ids=["bytes tried", "lines", "closed by with", "read", "exit of an own kind"],
)
def test_standard_error_and_exit_are_used_as_ever(run, code):
    code = f"import sys\n{code}\nsys.exit(2)"
    plain, done = run(f"\n\n{code}"), run(LINES + code)
    assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout) == (2, plain.stdout)
    closed = "with" in code
    assert done.stderr == plain.stderr + UNKNOWN * (not closed)


def test_empty_texts_take_no_memory():
    program = explaining._Program({"patterns": []}, "", why=False)
    stream = explaining._Heard(io.StringIO(), program)
    for _ in range(1000):
        print(end="", file=stream)
    print("said", file=stream)
    assert program.heard == ["said", "\n"]


def test_what_children_count_and_what_is_gone_are_no_puzzle(run):
    """A child that begins at this moment has a file that is empty."""
    begin = "import glob, os, shutil, sys\n[folder] = glob.glob(os.environ['TMPDIR'] + '/*')\n"
    done = run(LINES + begin + "open(f'{folder}/0-1.profile', 'w').close()\nsys.exit(2)")
    assert (done.returncode, done.stderr) == (2, UNKNOWN)
    done = run(LINES + begin + "shutil.rmtree(folder)\nsys.exit(2)")
    assert done.returncode == 2
    assert "What was counted is gone" in done.stderr


def test_a_damaged_tree_does_not_keep_a_program_from_ending(run):
    begin = (
        "import json, os\nplace = os.environ['TMPDIR'] + '/ring.json'\n"
        "model = json.load(open('model.json'))\n"
        "model['tree']['tree']['nodes']['first_child'] = [0, 0, 0]\njson.dump(model, open(place, 'w'))\n"
    )
    done = run(begin + LINES.replace('"model.json"', "place") + "os.unlink(place)\nimport sys; sys.exit(2)")
    assert done.returncode == 2
    assert done.stderr.endswith("the tree has a node that is below itself\n")


def test_other_hooks_see_exceptions_as_ever(run):
    hook = "lambda kind, problem, trace: print('hook', problem)"
    code = f"import sys\nsys.excepthook = {hook}\nraise ValueError('no')"
    done = run(LINES + code)
    assert (done.returncode, done.stdout, done.stderr) == (1, "hook no\n", UNKNOWN)


def test_a_model_that_is_cut_off_is_told_at_once(run):
    """A program that ends well reads the first line alone."""
    begin = (
        "import os\nplace = os.environ['TMPDIR'] + '/half.json'\n"
        "text = open('model.json').read()\nopen(place, 'w').write(text[:len(text) // 2])\n"
    )
    done = run(begin + LINES.replace('"model.json"', "place") + "os.unlink(place)\n")
    assert done.returncode == 0
    assert done.stderr.endswith("half.json is cut off. Copy it again.\n")


def test_a_model_that_is_laid_out_otherwise_is_read_too(run):
    begin = (
        "import json, os\nplace = os.environ['TMPDIR'] + '/flat.json'\n"
        "json.dump(json.load(open('model.json')), open(place, 'w'), sort_keys=True, indent=4)\n"
    )
    done = run(begin + LINES.replace('"model.json"', "place") + "os.unlink(place)\nimport sys; sys.exit(2)")
    assert done.returncode == 2
    assert "thriftwood.clarify.explain:" not in done.stderr
    assert done.stderr
