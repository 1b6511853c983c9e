"""``pytest --fast``: the tests that a contributor runs before each commit, and what they cost.

Every test is in the fast tier unless tests/slow.txt lists it, a file or a single test, so a new one is. At
the end the processor time of the tests is added up: when it is more than the budget, the dearest are named.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
LIST = Path(__file__).with_name("slow.txt")
BUDGET = 100.0
"""Seconds of processor time for all tests together: with lint and collecting, some 80 s on two cores."""
SHOWN = 12
COST = "processor seconds"


def slow_tests() -> dict[str, float]:
    """Read the list: what is slow, and how many seconds of processor time it takes.

    >>> all(name.startswith(("tests/", "src/")) for name in slow_tests())
    True
    """
    lines = [line.split() for line in LIST.read_text(encoding="utf-8").splitlines() if line[:1].isdigit()]
    return {name: float(seconds) for seconds, name in lines}


def pytest_addoption(parser: Any) -> None:
    """Add the option."""
    parser.addoption("--fast", action="store_true", help="leave out what tests/slow.txt lists")


def pytest_ignore_collect(collection_path: Path, config: Any) -> bool | None:
    """Do not even read files that are slow as a whole."""
    if not config.getoption("fast") or not collection_path.is_relative_to(ROOT):
        return None
    return collection_path.relative_to(ROOT).as_posix() in slow_tests() or None


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Leave out single tests that are slow, and doctests of slow modules."""
    if not config.getoption("fast"):
        return
    slow = slow_tests()
    left_out = [item for item in items if _names(item.nodeid) & slow.keys()]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not _names(item.nodeid) & slow.keys()]


def _names(nodeid: str) -> set[str]:
    """Return what a test may be listed by: its file, or its name without parameters."""
    return {nodeid.partition("::")[0], nodeid.partition("[")[0]}


def processor_time() -> float:
    """Return the seconds that this process and those it waited for have taken."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: Any) -> Iterator[Any]:
    """Remember when a test began."""
    item.stash[BEGAN] = processor_time()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: Any, call: Any) -> Iterator[Any]:
    """Write what a test took into its last report, which also comes from other processes."""
    report = yield
    if call.when == "teardown":
        report.user_properties.append((COST, processor_time() - item.stash[BEGAN]))
    return report


BEGAN = pytest.StashKey[float]()


def pytest_terminal_summary(terminalreporter: Any, config: Any) -> None:
    """Say what the fast tier took, and which tests to look at when that is too much."""
    if not config.getoption("fast") or "THRIFTWOOD_CORE" in os.environ:  # sanitizers take their own time
        return
    costs: dict[str, float] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", None) == "teardown":
                costs[report.nodeid] = dict(report.user_properties).get(COST, 0.0)
    total = sum(costs.values())
    said = f"the fast tier took {total:.0f} s of processor time, of {BUDGET:.0f}"
    terminalreporter.section("time")
    terminalreporter.write_line(said, red=total > BUDGET)
    if total > BUDGET:
        terminalreporter.write_line(f"Make these faster, or put them into {LIST.relative_to(ROOT)}:")
        for name in sorted(costs, key=costs.__getitem__, reverse=True)[:SHOWN]:
            terminalreporter.write_line(f"{costs[name]:6.1f} {name}")
