"""A recorded Python program runs as without the hook; what cannot be recorded is refused in words."""

import os
import signal
import stat
import subprocess
import sys
from importlib.util import source_hash
from pathlib import Path

import pytest
from hooked_python import Python, main_only

from thriftwood.clarify.python_programs import (
    LaunchError,
    environment,
    hook_for,
    interpreter_of,
    problems,
)

MODES = ("fc", "ctp", "watch")

NOSY = """
import sys
def main():
    print(sys.argv, __name__, sorted(globals()), sys.path, sys.flags, sys.orig_argv[1:])
    print(sorted(sys.modules))
    print(sys.gettrace(), sys.getprofile(), sys.excepthook is sys.__excepthook__)
    print(type(__spec__), type(__loader__))
    print(input("name? "), file=sys.stderr)
main()
"""


def compare(python: Python, command: list[str], **more: str) -> None:
    """Assert that a command line answers as without the hook, and is recorded."""
    plain = python.run(command, None, **more)
    for mode in MODES:
        hooked = python.run(command, mode, plan=[("count", "__main__:main:3")], **more)
        assert (hooked.code, hooked.out, hooked.err) == (plain.code, plain.out, plain.err)
        if mode == "watch":
            assert hooked.counts().values == (1,)
        else:
            assert main_only(hooked.profile())[0] == {"<module>": 1, "main": 1}


def test_a_script_sees_nothing_of_the_hook(python: Python) -> None:
    script = python.folder / "nosy.py"
    script.write_text(NOSY, encoding="utf-8")
    compare(python, [python.path, str(script), "-x", "a b"], text="Ada\n")


def test_a_module_a_text_and_standard_input_are_recorded(python: Python) -> None:
    (python.folder / "nosy.py").write_text(NOSY, encoding="utf-8")
    compare(python, [python.path, "-m", "nosy", "a"], text="Ada\n", PYTHONPATH=str(python.folder))
    compare(python, [python.path, "-c", NOSY, "a"], text="Ada\n")
    compare(python, [python.path, "-", "a"], text="import sys\n\ndef main(): print(sys.argv)\nmain()\n")


def test_an_installed_command_is_recorded(python: Python) -> None:
    command = python.folder / "tool"
    command.write_text(f"#!{python.path}\n\ndef main(): print('done')\nmain()\n", encoding="utf-8")
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    compare(python, [str(command)])


@pytest.mark.parametrize(
    ("ending", "code"),
    [
        ("sys.exit(7)", 7),
        ("sys.exit('no')", 1),
        ("os._exit(9)", 9),
        ("raise KeyError('x')", 1),
        ("raise KeyboardInterrupt", -signal.SIGINT),
        ("os.abort()", -signal.SIGABRT),
    ],
)
def test_endings_are_as_without(python: Python, ending: str, code: int) -> None:
    source = f"import os, sys\n\ndef main():\n    {ending}\nmain()\n"
    plain = python.script(source, None)
    assert plain.code == code
    for mode in ("fc", "ctp"):
        hooked = python.script(source, mode)
        assert (hooked.code, hooked.out, hooked.err) == (plain.code, plain.out, plain.err)
        assert main_only(hooked.profile())[0] == {"<module>": 1, "main": 1}
        assert hooked.profile().ended == ("open" if "_exit" in ending or "abort" in ending else "exit")
    watched = python.script(source, "watch", plan=[("inside", "__main__:<module>:1", "__main__:main:3")])
    assert (watched.code, watched.err, watched.counts().values) == (plain.code, plain.err, (1,))


def test_errors_of_imported_modules_look_as_without(python: Python) -> None:
    (python.folder / "bad.py").write_text("def f(): raise ValueError('bad')\nf()\n", encoding="utf-8")
    (python.folder / "worse.py").write_text("def f(:\n", encoding="utf-8")
    for module in ("bad", "worse"):
        plain = python.script(f"import {module}\n", None)
        watched = python.script(
            f"import {module}\n", "watch", plan=[("count", "bad:f:1"), ("count", "bad:<module>:1")]
        )
        assert (watched.err, python.script(f"import {module}\n").err) == (plain.err, plain.err)
        assert watched.counts().values == ((1, 1) if module == "bad" else (0, 0))


def test_the_programs_own_sitecustomize_runs(python: Python) -> None:
    (python.folder / "sitecustomize.py").write_text("import sys\nsys.mine = 4\n", encoding="utf-8")
    outcome = python.script("import sys\nprint(sys.mine)\n", "fc", PYTHONPATH=str(python.folder))
    assert (outcome.out, outcome.err) == ("4\n", "")


def test_functions_loaded_before_the_program_are_watched(python: Python) -> None:
    line = python.script(
        "import posixpath\nprint(posixpath.join.__code__.co_firstlineno)\n", None
    ).out.strip()
    outcome = python.script(
        "import os\nos.path.join('a', 'b')\n", "watch", plan=[("count", f"posixpath:join:{line}")]
    )
    assert outcome.counts().values == (1,)


def test_numpy_and_thriftwood_are_not_loaded(python: Python) -> None:
    loaded = "[m for m in sys.modules if m.startswith(('numpy', 'thriftwood', 'ticking', '_hook'))]"
    source = f"import sys\nprint({loaded})\n"
    for mode in MODES:
        assert python.script(source, mode, plan=[("count", "a:b:1")]).out == "[]\n"


def test_a_profile_knows_the_source_it_came_from(tmp_path: Path) -> None:
    python = Python(sys.executable, hook_for(sys.executable), tmp_path)
    profile = python.script("def main(): pass\nmain()\n").profile()
    script = str(tmp_path / "program.py")
    assert profile.build[script] == source_hash(Path(script).read_bytes()).hex()


def test_a_watched_module_names_its_source_even_if_the_function_is_gone(python: Python) -> None:
    outcome = python.script("def main(): pass\nmain()\n", "watch", plan=[("count", "__main__:main:7")])
    assert outcome.counts().values == (0,)
    assert list(outcome.counts().build) == [str(python.folder / "program.py")]
    assert outcome.counts().found == frozenset()


def test_what_is_no_plan_is_said_and_the_program_runs(python: Python) -> None:
    python.run([python.path, "-c", "pass"], "fc")
    place = python.place()
    (place / "plan").write_text("0\tcounts\tf\n", encoding="utf-8")
    made = environment([sys.executable, "-c", "pass"], place, "watch", place / "plan")
    made["THRIFTWOOD_CLARIFY_HOOK"] = python.hook
    assert os.spawnve(os.P_WAIT, python.path, [python.path, "-c", "pass"], made) == 0
    (problem,) = problems(place)
    assert "no plan that can be watched" in problem


def test_a_folder_that_is_gone_is_no_trouble_for_the_program(python: Python) -> None:
    made = environment([sys.executable, "-c", "pass"], python.folder / "gone", "fc")
    made["THRIFTWOOD_CLARIFY_HOOK"] = python.hook
    done = subprocess.run([python.path, "-c", "print(3)"], env=made, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "3\n", "")


@pytest.mark.parametrize("option", ["-I", "-E", "-S", "-sE", "-Wignore -I", "-W ignore -I"])
def test_pythons_that_do_not_listen_are_refused(option: str, tmp_path: Path) -> None:
    with pytest.raises(LaunchError, match="cannot be recorded"):
        environment([sys.executable, *option.split(), "-c", "pass"], tmp_path, "fc")


def test_options_of_the_program_are_not_pythons(tmp_path: Path) -> None:
    for command in (
        ["-c", "pass", "-I"],
        ["script.py", "-E"],
        ["-m", "this", "-S"],
        ["-Xdev", "-W", "-S", "x.py"],
    ):
        environment([sys.executable, *command], tmp_path, "fc")


def test_programs_that_are_not_python_are_refused(tmp_path: Path) -> None:
    with pytest.raises(LaunchError, match="neither a Python nor"):
        environment(["/bin/true"], tmp_path, "fc")
    with pytest.raises(LaunchError, match="no program 'nowhere-to-be-found'"):
        interpreter_of(["nowhere-to-be-found"])
    with pytest.raises(LaunchError, match="empty"):
        interpreter_of([])
    with pytest.raises(LaunchError, match="A plan is for mode 'watch'"):
        environment([sys.executable], tmp_path, "watch")


def test_a_script_names_its_python(tmp_path: Path) -> None:
    script = tmp_path / "tool"
    for line, python in (
        (f"#!{sys.executable} -s", sys.executable),
        ("#!/usr/bin/env python3", interpreter_of(["python3"])),
        ("#!/usr/bin/env -S python3 -s", interpreter_of(["python3"])),
        ("#!/bin/sh", None),
        ("no script", None),
    ):
        script.write_text(line + "\n", encoding="utf-8")
        script.chmod(0o755)
        assert interpreter_of([str(script)]) == python
