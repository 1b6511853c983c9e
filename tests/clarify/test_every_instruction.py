"""Killed after any instruction, a program has recorded every call so far: none lost, none counted twice."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hooked_python import Python
from native_programs import NEEDS_GCC, compiled, of_trees, tables
from single_steps import steps

from thriftwood.clarify.native import launched
from thriftwood.clarify.reading import read_counts, read_profile

CALLS = """
KEPT void leaf(void) { STAY; }
KEPT void middle(void) { leaf(); leaf(); STAY; }
KEPT void other(void) { middle(); STAY; }
int main(void) {
  other();
  __asm__ volatile("int3");
  for (;;) other();
}
"""
A_TURN = ("other", "middle", "leaf", "leaf")


def after(n_calls: int):
    """The call tree after so many calls."""
    turns = []
    for left in range(n_calls - 1, 0, -len(A_TURN)):
        other, *below = A_TURN[:left]
        middle = ((below[0], *((leaf,) for leaf in below[1:])),) if below else ()
        turns.append((other, *middle))
    return ("main", *turns)


@NEEDS_GCC
@pytest.mark.parametrize("options", [("-O2",), ("-O2", "-finstrument-functions")], ids=["sleds", "hooks"])
def test_a_native_program(tmp_path, options):
    program = compiled(tmp_path, CALLS, *options)
    words, more = launched([str(program)], program)
    told = {"THRIFTWOOD_CLARIFY_DIR": str(tmp_path), "THRIFTWOOD_CLARIFY_MODE": "ctp"}
    before = 1 + len(A_TURN)
    n_calls = before
    for _ in steps(words, {**os.environ, **more, **told}, 6000):
        (file,) = tmp_path.glob("*.profile")
        profile = read_profile(file)
        n_now = sum(profile.calls.values())
        assert n_calls <= n_now <= n_calls + 1
        assert tables(profile) == of_trees(after(n_now))
        n_calls = n_now
    assert n_calls > before + 3 * len(A_TURN)


GENERATOR = """
import os
import re
from pathlib import Path
def leaf(): pass
def numbers():
    leaf()
    while True:
        yield 1
        leaf()
def helper(generator): next(generator)
def use(generator):
    next(generator)
    helper(generator)
    os.kill(os.getpid(), 5)
    while True:
        next(generator)
        helper(generator)
use(numbers())
"""


def test_a_generator(python: Python):
    """Suspended and resumed, by its starter and by another in turn, it is one activation all the while."""
    python.folder.joinpath("program.py").write_text(GENERATOR, encoding="utf-8")
    command = [python.path, str(python.folder / "program.py")]
    place = python.place()
    environment = python.environment(command, place, "ctp", os.environ)
    seen = set()
    before = b""
    for _ in steps(command, environment, 20000):
        (file,) = place.glob("*.profile")
        if before == (before := file.read_bytes()):
            continue  # most instructions write nothing, and a program in Python takes long to read
        calls = {f.split(":")[1]: n for f, n in read_profile(file).calls.items()}
        assert calls["numbers"] == calls["use"] == 1
        assert calls["helper"] <= calls["leaf"] <= 2 * calls["helper"] + 1
        seen.add(calls["leaf"])
    assert len(seen) > 4
    assert seen == set(range(min(seen), max(seen) + 1))


# While a process makes its file. Until that is whole, nothing is there that a reader would look at.

FORKS = """
#include <unistd.h>
KEPT void child(void) { STAY; }
KEPT void parent(void) { STAY; }
int main(void) { parent(); if (fork() == 0) for (;;) child(); for (;;) pause(); }
"""
FORKS_IN_PYTHON = """
import os, signal
def child(): pass
def parent(): pass
parent()
if os.fork() == 0:
    while True: child()
signal.pause()
"""
BEGINS = pytest.mark.parametrize("forked", [False, True], ids=["begins", "is forked"])
MODES = pytest.mark.parametrize("mode", ["fc", "ctp", "watch"])


def check_beginning(folder: Path, mode: str, forked: bool, command, environment) -> None:
    """What is there after any instruction from when a process has a file can be read."""
    n_files = 1 + forked
    n_whole = 0
    begin = lambda: len({*folder.glob("*.making"), *folder.glob("*.profile")}) == n_files  # noqa: E731
    for _ in steps(command, environment, 20_000, forked=forked, begin=begin):
        files = sorted(folder.glob("*.profile"), key=lambda path: int(path.stem.partition("-")[2]))
        for number, file in enumerate(files):
            if mode == "watch":
                assert read_counts(file).values[number] == 0  # neither calls what is the other's
            else:
                names = {re.split("[!:]", name)[1] for name in read_profile(file).calls}
                assert ("child", "parent")[number] not in names
        n_whole += len(files) == n_files
        if n_whole == 500:
            return
    pytest.fail(f"no file after {20_000 - n_whole} instructions")


@NEEDS_GCC
@BEGINS
@MODES
def test_a_native_program_that(forked, mode, tmp_path):
    program = compiled(tmp_path, FORKS, "-O2")
    words, more = launched([str(program)], program)
    (tmp_path / "plan").write_text("0\tcount\tprogram!child\n1\tinside\tprogram!main\tprogram!parent\n")
    folder = tmp_path / "profiles"
    folder.mkdir()
    told = {"DIR": str(folder), "MODE": mode, "PLAN": str(tmp_path / "plan")}
    environment = {
        **os.environ,
        **more,
        **{f"THRIFTWOOD_CLARIFY_{name}": word for name, word in told.items()},
    }
    check_beginning(folder, mode, forked, words, environment)


@BEGINS
@MODES
def test_a_python_program_that(python: Python, forked, mode):
    python.folder.joinpath("program.py").write_text(FORKS_IN_PYTHON, encoding="utf-8")
    command = [python.path, str(python.folder / "program.py")]
    place = python.place()
    (place / "plan").write_text("0\tcount\t__main__:child:3\n1\tcount\t__main__:parent:4\n")
    check_beginning(place, mode, forked, command, python.environment(command, place, mode, os.environ))
