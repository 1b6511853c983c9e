"""Killed after any instruction, a program has recorded every call so far: none lost, none counted twice."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest
from hooked_python import Python, main_only
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
def first(): pass
def second(): pass
def numbers():
    while True:
        first()
        yield 1
        second()
        yield 2
def helper(generator): next(generator)
def use(generator):
    next(generator)
    helper(generator)
    next(generator)
    os.kill(os.getpid(), 5)
    while True:
        helper(generator)
        next(generator)
use(numbers())
"""


def test_a_generator(python: Python):
    """Suspended and resumed, by its starter and by another in turn, it is one activation all the while."""
    python.folder.joinpath("program.py").write_text(GENERATOR, encoding="utf-8")
    command = [python.path, str(python.folder / "program.py")]
    place = python.place()
    environment = python.environment(command, place, "ctp", os.environ)
    n_stretches = set()
    before = b""
    for _ in steps(command, environment, 20000):
        (file,) = place.glob("*.profile")
        if before == (before := file.read_bytes()):
            continue  # most instructions write nothing, and a program in Python takes long to read
        calls, d1, _ = main_only(read_profile(file))
        assert calls["numbers"] == calls["use"] == 1
        assert d1["numbers", frozenset({"first", "second"})] == 1  # one for its starter, one for the other
        assert calls["helper"] - 1 <= calls["second"] <= calls["helper"]
        assert calls["second"] <= calls["first"] <= calls["second"] + 1
        n_stretches.add(calls["first"] + calls["second"])
    assert len(n_stretches) > 4
    assert n_stretches == set(range(min(n_stretches), max(n_stretches) + 1))


JUMPS = """
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#define PLAIN __attribute__((patchable_function_entry(0, 0), no_instrument_function))
static sigjmp_buf before;
static volatile int leaves, middles, others;
PLAIN static void jump(int number) { siglongjmp(before, 1); }
KEPT void leaf(void) { leaves++; STAY; }
KEPT void middle(void) { middles++; leaf(); leaf(); STAY; }
KEPT void other(void) { others++; middle(); STAY; }
int main(int n, char** words) {
  signal(SIGUSR1, jump);
  other();
  if (!sigsetjmp(before, 1)) { __asm__ volatile("int3"); other(); other(); }
  other(); other();
  FILE* file = fopen(words[1], "w");
  fprintf(file, "%d %d %d", leaves, middles, others);
  fclose(file);
  _exit(0);
}
"""


@NEEDS_GCC
@pytest.mark.parametrize("options", [("-O2",), ("-O2", "-finstrument-functions")], ids=["sleds", "hooks"])
def test_a_signal_handler_that_jumps_out_loses_nothing(tmp_path, options):
    """What was called is recorded, whatever the recorder was doing when it was left for good."""
    program = compiled(tmp_path, JUMPS, *options)
    words, more = launched([str(program), str(tmp_path / "called")], program)
    ends = set()
    for n_steps in range(0, 3000, 31):
        folder = tmp_path / str(n_steps)
        folder.mkdir()
        told = {"THRIFTWOOD_CLARIFY_DIR": str(folder), "THRIFTWOOD_CLARIFY_MODE": "ctp"}
        for _ in steps(words, {**os.environ, **more, **told}, n_steps, then=signal.SIGUSR1):
            pass
        called = [int(word) for word in (tmp_path / "called").read_text().split()]
        calls, _, _ = tables(read_profile(next(folder.glob("*.profile"))))
        recorded = [calls[name] for name in ("leaf", "middle", "other")]
        # The call in which the signal came may be recorded and not have got as far as counting itself.
        assert all(0 <= n - wanted <= 1 for n, wanted in zip(recorded, called, strict=True)), n_steps
        assert sum(recorded) <= sum(called) + 1
        ends.add(tuple(called))
    assert len(ends) > 3


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
