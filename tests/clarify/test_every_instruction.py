"""Killed after any instruction, a program has recorded every call so far: none lost, none counted twice."""

from __future__ import annotations

import os

import pytest
from hooked_python import Python
from native_programs import NEEDS_GCC, compiled, of_trees, tables
from single_steps import steps

from thriftwood.clarify.native import launched
from thriftwood.clarify.reading import read_profile

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
    for _ in steps(command, environment, 20000):
        (file,) = place.glob("*.profile")
        calls = {f.split(":")[1]: n for f, n in read_profile(file).calls.items()}
        assert calls["numbers"] == calls["use"] == 1
        assert calls["helper"] <= calls["leaf"] <= 2 * calls["helper"] + 1
        seen.add(calls["leaf"])
    assert len(seen) > 4
    assert seen == set(range(min(seen), max(seen) + 1))
