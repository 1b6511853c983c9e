"""Compiling small programs, running them under the recorder, and a plain reference for call trees."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from thriftwood.clarify.native import FLAGS, NativeProgramError, launched, link_flags, preload_library
from thriftwood.clarify.profile import Profile
from thriftwood.clarify.reading import WatchedCounts, read_counts, read_profile

NEEDS_GCC = pytest.mark.skipif(
    shutil.which("gcc") is None or shutil.which("g++") is None or os.uname().machine != "x86_64",
    reason="needs gcc and g++ on x86-64 Linux",
)
# Before every function: not inlined, and not left by a jump to the function it calls last.
KEPT = """
#undef KEPT
#undef STAY
#define KEPT __attribute__((noinline, noclone))
#define STAY __asm__ volatile("" ::: "memory")
"""

PARSER = """
#include <stdio.h>
#include <stdlib.h>
KEPT void mistake(int x) { STAY; }
KEPT double parse(double value, int bad) { if (bad) { mistake(1); mistake(2); } STAY; return value * 2; }
KEPT void report(void) { mistake(3); STAY; }
int main(void) {
  printf("%.1f ", parse(1.5, 0));
  printf("%.1f\\n", parse(2.5, 1));
  report();
  fprintf(stderr, "done\\n");
  return 7;
}
"""
PARSER_TREE = (
    "main",
    ("parse",),
    ("parse", ("mistake",), ("mistake",)),
    ("report", ("mistake",)),
)


def compiled(folder: Path, source: str, *options: str, name: str = "program", language: str = "c") -> Path:
    file = folder / f"{name}.{language}"
    file.write_text(KEPT + source)
    program = folder / name
    if not any(option.startswith(("-fpatchable", "-finstrument", "-fno-plain")) for option in options):
        options = (*FLAGS, *options)
    options = tuple(option for option in options if option != "-fno-plain")
    compiler = "gcc" if language == "c" else "g++"
    linking = link_flags() if language == "cpp" else ()
    subprocess.run([compiler, file, "-o", program, "-g", *options, *linking], check=True)
    return program


def skip_without(compiler: str) -> None:
    """Skip the test where programs cannot be compiled with it, or cannot be recorded."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not there to compile the program")
    try:
        preload_library()
    except NativeProgramError as problem:
        pytest.skip(str(problem))


def compiled_files(compiler: str, folder: Path, *sources: str, options: Sequence[str] = ("-O1",)) -> str:
    """Compile files of a folder, without a warning, into a program that has the name of the first."""
    program = folder / sources[0].partition(".")[0]
    warnings = ("-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-Wno-unknown-attributes")
    words = [compiler, *FLAGS, *warnings, *sources, "-o", str(program), *options]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return str(program)


def run(
    program: Path, mode: str, *arguments: str, plan: str | None = None, kill_after: float | None = None
) -> tuple[subprocess.CompletedProcess[bytes], list[Path]]:
    """Run under the recorder; what came of it, and the profile files, oldest process first.

    With `kill_after` it is killed so many seconds after it has written a byte.
    """
    folder = program.parent / "profiles"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    words, more = launched([str(program), *arguments], program)
    told = {"THRIFTWOOD_CLARIFY_DIR": str(folder), "THRIFTWOOD_CLARIFY_MODE": mode}
    if plan is not None:
        (folder / "plan").write_text(plan)
        told["THRIFTWOOD_CLARIFY_PLAN"] = str(folder / "plan")
    environment = {**os.environ, **more, **told}
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        if kill_after is not None:
            process.stdout.read(1)
            time.sleep(kill_after)
            process.kill()
        out, err = process.communicate()
    done = subprocess.CompletedProcess(words, process.returncode, out, err)
    return done, sorted(folder.glob("*.profile"), key=lambda path: int(path.stem.partition("-")[2]))


def recorded(program: Path, mode: str, *arguments: str) -> Profile:
    _, files = run(program, mode, *arguments)
    assert len(files) == 1
    return read_profile(files[0])


def watched(program: Path, patterns: list[tuple[str, ...]], *arguments: str) -> WatchedCounts:
    plan = "".join("\t".join((str(n), *pattern)) + "\n" for n, pattern in enumerate(patterns))
    _, files = run(program, "watch", *arguments, plan=plan)
    assert len(files) == 1
    return read_counts(files[0])


def short(name: str) -> str:
    return name.rpartition("!")[2]


def tables(profile: Profile) -> tuple[Counter, Counter, Counter]:
    """The tables of a profile with symbols for names."""
    calls = Counter({short(f): n for f, n in profile.calls.items()})
    d1 = Counter({(short(f), frozenset(map(short, g))): n for (f, g), n in profile.d1.items()})
    d2 = Counter(
        {
            (short(f), frozenset((short(g), frozenset(map(short, h))) for g, h in below)): n
            for (f, below), n in profile.d2.items()
        }
    )
    return calls, d1, d2


# A call tree by hand: (function, child, child, ...)


def of_trees(*trees) -> tuple[Counter, Counter, Counter]:
    """The tables of whole call trees."""
    calls, d1, d2 = Counter(), Counter(), Counter()
    waiting = list(trees)
    while waiting:
        name, *children = waiting.pop()
        calls[name] += 1
        d1[name, frozenset(child[0] for child in children)] += 1
        d2[name, frozenset((child[0], frozenset(g[0] for g in child[1:])) for child in children)] += 1
        waiting += children
    return calls, d1, d2


def of_trace(trace: str):
    """The trees in a trace of "+f" where f begins, "-f" where it ends, "!f" where a jump went back to it."""
    roots: list = []
    stack: list = []
    for word in trace.split():
        if word[0] == "+":
            node = [word[1:]]
            (stack[-1] if stack else roots).append(node)
            stack.append(node)
        elif word[0] == "-":
            assert stack.pop()[0] == word[1:]
        else:
            while stack[-1][0] != word[1:]:
                stack.pop()
    return of_trees(*roots)


def all_patterns(profile: Profile) -> dict[tuple[str, ...], int]:
    """Every pattern that a profile has, and some that it has not, with the value that its tables give."""
    values: Counter = Counter()
    for f, n in profile.calls.items():
        values["count", f] += n
    for (f, children), n in profile.d1.items():
        for size in (1, 2):
            for some in itertools.combinations(sorted(children), size):
                values[("inside", f, *some)] += n
    for (f, children), n in profile.d2.items():
        for g, h in {(g, h) for g, below in children for h in below}:
            values["chain", f, g, h] += n
    names = sorted(profile.calls)
    for f, g in itertools.islice(itertools.product(names, names), 20):
        values["inside", f, g] += 0
    return values


def check_watched(program, profile, *arguments):
    """Watching any pattern counts what follows from the tables of recording everything."""
    patterns = all_patterns(profile)
    # An activation has room for 64 marks, so plans of some patterns each.
    listed = list(patterns)
    random.Random(0).shuffle(listed)
    for at in range(0, len(listed), 40):
        some = listed[at : at + 40]
        assert watched(program, some, *arguments).values == tuple(patterns[p] for p in some)
