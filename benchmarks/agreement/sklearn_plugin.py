"""A plugin of pytest that puts our trees in the place of scikit-learn's before its tests are collected."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import sklearn.tree

from benchmarks.agreement import sklearn_trees
from benchmarks.agreement.sklearn_tests import why_not_ours

_OTHERS = ("ExtraTreeClassifier", "ExtraTreeRegressor")
_CRITERIA = ("squared_error", "absolute_error")


def pytest_addoption(parser: Any) -> None:
    """Take the file for the results."""
    parser.addoption("--outcomes", help="file for what came of each test")


def pytest_collection() -> None:
    """Put our trees in their place."""
    for name in ("DecisionTreeClassifier", "DecisionTreeRegressor"):
        setattr(sklearn.tree, name, getattr(sklearn_trees, name))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Leave out what our trees are not meant to do; in tests that go through all trees, the other trees."""
    ours = []
    left_out: dict[str, str] = {}
    for item in items:
        values = item.callspec.params.values() if hasattr(item, "callspec") else ()
        reason = why_not_ours(item.originalname, [_name(value) for value in values])
        if reason is None:
            ours.append(item)
        else:
            left_out[item.name] = reason
    for module in {item.module for item in items}:
        for trees in (module.CLF_TREES, module.REG_TREES, module.ALL_TREES):
            for name in _OTHERS:
                trees.pop(name, None)
        module.REG_CRITERIONS = _CRITERIA
    config.outcomes = {"left out": left_out, "passed": [], "differs": {}}
    items[:] = ours


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: Any, call: Any) -> Any:
    """Remember what came of a test."""
    report = (yield).get_result()
    if report.when != "call" and report.passed:
        return
    found = item.config.outcomes
    if report.passed:
        found["passed"].append(item.name)
    elif report.skipped:
        found["left out"][item.name] = "skipped by scikit-learn"
    else:
        found["differs"][item.name] = str(call.excinfo.value).strip().partition("\n")[0]


def pytest_unconfigure(config: Any) -> None:
    """Write the results."""
    if hasattr(config, "outcomes"):
        Path(config.getoption("--outcomes")).write_text(json.dumps(config.outcomes))


def _name(value: Any) -> str:
    return value.__name__ if isinstance(value, type) else str(value)
