"""Python programs run under the hook, on every Python that is there."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from thriftwood.clarify import python_programs
from thriftwood.clarify.profile import Profile
from thriftwood.clarify.reading import WatchedCounts, read_counts, read_profile

SOURCES = Path(__file__).parent.parent / "bindings" / "clarify"
ABOUT = "import sys, sysconfig; print(sysconfig.get_path('include'), sys.version_info[1])"


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str
    folder: Path

    def profiles(self) -> list[Profile]:
        """The first process first."""
        paths = sorted(self.folder.glob("*.profile"), key=lambda path: int(path.stem.split("-")[1]))
        return [read_profile(path) for path in paths]

    def profile(self) -> Profile:
        (one,) = self.profiles()
        return one

    def counts(self) -> WatchedCounts:
        (one,) = (read_counts(path) for path in self.folder.glob("*.profile"))
        return one


def installed_pythons() -> list[str]:
    """This Python, and those that $THRIFTWOOD_PYTHONS lists or the path has."""
    named = os.environ.get("THRIFTWOOD_PYTHONS")
    found = named.split(os.pathsep) if named else [f"python3.{minor}" for minor in range(12, 16)]
    paths = [path for path in map(shutil.which, found) if path]
    run = [path for path in paths if subprocess.run([path, "-c", ""], capture_output=True).returncode == 0]
    return [sys.executable, *run]


@cache
def hook_built_for(python: str, folder: Path) -> str | None:
    """The hook for a Python, compiled if need be; nothing where it does not run or has no headers."""
    try:
        return python_programs.hook_for(python)
    except python_programs.LaunchError:
        answer = subprocess.run([python, "-c", ABOUT], capture_output=True, text=True, check=False)
    include, minor = answer.stdout.split() if answer.returncode == 0 else ("", "0")
    if int(minor) < 12 or not Path(include, "Python.h").exists() or not SOURCES.exists():
        return None
    made = folder / "_hook.abi3.so"
    compiler = [*shlex.split(os.environ.get("CXX") or sysconfig.get_config_var("CXX") or "c++")[:1]]
    subprocess.run(
        [*compiler, "-std=c++20", "-O1", "-shared", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra",
         "-Werror", "-DPy_LIMITED_API=0x030C0000",
         f"-I{SOURCES.parent.parent / 'core'}", f"-isystem{include}",
         *sorted(map(str, SOURCES.glob("*.cpp"))), "-o", str(made)],
        check=True,
    )  # fmt: skip
    return str(made)


class Python:
    """A Python whose programs are recorded; every run has a folder of its own."""

    def __init__(self, path: str, hook: str, folder: Path) -> None:
        self.path, self.hook, self.folder = path, hook, folder
        self.runs = 0

    def place(self) -> Path:
        self.runs += 1
        place = self.folder / f"run{self.runs}"
        place.mkdir()
        return place

    def run(
        self,
        command: Sequence[str],
        mode: python_programs.Mode | None = "ctp",
        plan: Iterable[Sequence[str]] = (),
        text: str = "",
        **variables: str,
    ) -> Outcome:
        """Run a command line; without a mode, as it is."""
        place = self.place()
        environment = {**os.environ, **variables}
        if mode is not None:
            lines = ["\t".join((str(number), *line)) + "\n" for number, line in enumerate(plan)]
            (place / "plan").write_text("".join(lines), encoding="utf-8")
            environment = self.environment(command, place, mode, environment)
        done = subprocess.run(
            command, env=environment, input=text, capture_output=True, text=True, check=False
        )
        assert python_programs.problems(place) == []
        return Outcome(done.returncode, done.stdout, done.stderr, place)

    def environment(
        self, command: Sequence[str], place: Path, mode: python_programs.Mode, variables: Mapping[str, str]
    ) -> dict[str, str]:
        """What a command is recorded with."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(python_programs, "hook_for", lambda _: self.hook)
            plan = place / "plan" if mode == "watch" else None
            return python_programs.environment([*command], place, mode, plan, variables)

    def script(self, source: str, mode: python_programs.Mode | None = "ctp", **more: object) -> Outcome:
        path = self.folder / "program.py"
        path.write_text(source, encoding="utf-8")
        return self.run([self.path, str(path)], mode, **more)  # type: ignore[arg-type]


def main_only(profile: Profile) -> tuple[dict[str, int], dict[object, int], dict[object, int]]:
    """D0, D1 and D2 of the functions of ``__main__``, by their bare names."""

    def bare(name: str) -> str:
        return name.split(":")[1]

    def ours(name: str) -> bool:
        return name.startswith("__main__:")

    calls = {bare(f): n for f, n in profile.calls.items() if ours(f)}
    d1: Counter[object] = Counter()
    d2: Counter[object] = Counter()
    for (f, children), n in profile.d1.items():
        if ours(f):
            d1[bare(f), frozenset(bare(g) for g in children if ours(g))] += n
    for (f, children), n in profile.d2.items():
        if ours(f):
            trees = (
                (bare(g), frozenset(bare(h) for h in below if ours(h))) for g, below in children if ours(g)
            )
            d2[bare(f), frozenset(trees)] += n
    return calls, dict(d1), dict(d2)


def trees_under(f: str, profile: Profile) -> list[tuple[str, str, str, int]]:
    """For every g that ever calls both h and k, how many activations of f call such a g."""
    pairs = {(g, h, k) for g, below in profile.d1 for h in below for k in below if h < k}
    return [
        (
            g,
            h,
            k,
            sum(
                n for (r, c), n in profile.d2.items() if r == f and any(g == a and {h, k} <= b for a, b in c)
            ),
        )
        for g, h, k in sorted(pairs)
    ]


def patterns_of(profile: Profile) -> list[tuple[tuple[str, ...], int]]:
    """All patterns of the functions of ``__main__`` with what the full recording says they count."""
    names = sorted(f for f in profile.functions if f.startswith("__main__:"))
    found: list[tuple[tuple[str, ...], int]] = []
    for f in names:
        found.append((("count", f), profile.calls[f]))
        for g in names:
            found.append((("inside", f, g), sum(n for (r, c), n in profile.d1.items() if r == f and g in c)))
            for h in names:
                chain = sum(
                    n for (r, c), n in profile.d2.items() if r == f and any(k == g and h in b for k, b in c)
                )
                if chain or h == f:
                    found.append((("chain", f, g, h), chain))
        found += [
            (("tree", f, g, "2", h, k), n) for g, h, k, n in trees_under(f, profile) if {g, h, k} <= {*names}
        ]
        called = sorted({g for (r, c) in profile.d1 if r == f for g in c if g in names})
        if len(called) > 1:
            both = sum(n for (r, c), n in profile.d1.items() if r == f and set(called[:2]) <= c)
            found.append((("inside", f, *called[:2]), both))
    return found
