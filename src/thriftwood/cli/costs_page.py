"""What ``thriftwood costs`` writes: a price list to fill in, and what one contains."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.number_texts import amount_text, number_text
from thriftwood.cli.inputs import check_target_free, check_today
from thriftwood.cli.table_facts import ColumnFacts, class_counts, column_facts
from thriftwood.costs import Costs, Today, toml
from thriftwood.costs.further import never_cheapest
from thriftwood.costs.matrix import absent_classes
from thriftwood.costs.names import class_name, counted, in_list, quoted
from thriftwood.costs.reasonable import doubts, gain, remarks
from thriftwood.datasets.files import TableParts
from thriftwood.datasets.files.labels import LabelReader

SHOWN = 5  # categories named in a comment
TODAY_SHOWN = 2  # columns of the example of a panel
MOST_CLASSES = 20  # so many classes have 380 kinds of mistakes; more are better given by a default
WIDEST = 40  # columns of comments are aligned up to here

HEAD = """\
# What every test and every mistake costs, for {source}. Fill in your own amounts: any unit of money (or time,
# or discomfort), the same for tests and mistakes. `thriftwood costs check` reads this file back.

# The unit of the amounts, and what a case is called: sentences are written in these words.
# currency = "EUR"
# case_name = "patient"

# "sequential": a case pays for the tests on its own way down the tree. "upfront": every case pays for every
# test that the tree may ask, as with a flight recorder.
payment = "sequential"

# Whether a test that was ordered is paid although it gave no value.
charge_missing = true
{default}
# The price of measuring each column. A price can also say more:
#   name = {{price = 5, needs = ["blood draw"]}}     and pays for what it needs, see [shared] below
#   name = {{price = 7, group = "lab", after = 5}}   5 once another test of the group was bought
#   name = {{price = 90, delayed = true}}            the answer comes too late to choose the next test by it
# Take out the line of a column that costs nothing.
[tests]
"""
SHARED = """
# What several tests need; it is paid once for a case, by whichever test needs it first.
# [shared]
# "blood draw" = 3
"""
TODAY = """
# Today's practice, which models are compared with: the tests that everybody gets now. Or, instead of tests,
# answers = "column" for a column of today's answers, or model = "file.json" for a saved model.
# [today]
# tests = {tests}
"""
ERRORS = """
# What a wrong answer costs: [errors.ACTUAL], then ANSWER = cost. A right answer costs 0.
"""
NO_TARGET = """
# What a wrong answer costs: [errors.ACTUAL], then ANSWER = cost. A right answer costs 0. Without any entry
# every mistake costs 1. (`thriftwood costs init --target COLUMN` writes an entry for every pair of classes.)
# [errors.sick]
# healthy = 50
#
# [errors.healthy]
# sick = 10
"""
DEFAULT = """
# The cost of every mistake that is not named below.
errors_default = 1
"""


def price_list(table: TableParts, target: str | None, ignored: Collection[str]) -> str:
    """Return a price list for a table as commented TOML."""
    left_out = set(ignored) | ({target} if target is not None else set())
    classes = [] if target is None else list(class_counts(table, target))
    columns = column_facts(table, left_out)
    by_default = len(classes) > MOST_CLASSES
    text = HEAD.format(source=_inert(table.source), default=DEFAULT if by_default else "")
    keys = [toml.key(column.name) for column in columns]
    width = min(max(map(len, keys), default=0), WIDEST)
    for key, column in zip(keys, columns, strict=True):
        text += f"{f'{key} = 1':<{width + 4}}  # {_inert(_words(column))}\n"
    panel = ", ".join(toml.string(column.name) for column in columns[:TODAY_SHOWN])
    text += SHARED + TODAY.format(tests=f"[{_inert(panel)}]")
    if target is None:
        return text + NO_TARGET
    if not by_default:
        text += ERRORS
        for actual in classes:
            text += f"[errors.{toml.key(actual)}]\n"
            text += "".join(f"{toml.key(answer)} = 1\n" for answer in classes if answer != actual) + "\n"
    return text.rstrip("\n") + "\n"


def _check_practice(costs: Costs, table: TableParts, target: str, classes: NDArray[Any]) -> None:
    """Raise if today's answers, or today's model, cannot answer the table."""
    if costs.today is None or costs.today.learnt:
        return
    from thriftwood.evaluation.comparisons import answered  # loads scikit-learn
    from thriftwood.evaluation.today import fitted_today

    reader = LabelReader(table.parts([target]), target)
    for part in table.parts(table.names):
        X, y = part.features({target}), reader.labels(part)
        answered(fitted_today(costs, X, y, classes=classes), X, costs, classes)


def _words(column: ColumnFacts) -> str:
    """Describe a column in a few words."""
    missing = f", {column.n_missing} missing" if column.n_missing else ""
    if column.kind == "numeric":
        if column.low > column.high:
            return f"no values{missing}"
        return f"{number_text(float(column.low))} to {number_text(float(column.high))}{missing}"
    more = ["..."] if len(column.categories) > SHOWN else []
    names = [*map(in_list, column.categories[:SHOWN]), *more]
    return f"{', '.join(names)}{missing}"


def _inert(text: str) -> str:
    """Return text that cannot leave its comment: control characters end lines, or are forbidden in TOML."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def unfilled(path: Path) -> str:
    """Say what to do with the file."""
    return f"Fill in the prices, then: thriftwood costs check {path}"


def checked(
    costs: Costs, table: TableParts | None, target: str | None, ignored: Collection[str]
) -> dict[str, Any]:
    """Describe a price list; raise if it does not fit the table."""
    content: dict[str, Any] = {
        "payment": costs.payment,
        "currency": costs.currency,
        "case_name": costs.case_name,
        "today": None if costs.today is None else costs.today.to_dict(),
        "n_tests": len(costs.tests),
        "n_shared": len(costs.shared),
        "n_delayed": sum(test.delayed for test in costs.tests.values()),
        "default_price": costs.default_price,
        "total_price": costs.total(costs.tests),
        "error_classes": list(costs.errors) if isinstance(costs.errors, Mapping) else [],
        "answers": list(costs.further_answers(())),
        "remarks": _gains(costs),
    }
    if table is None:
        return content
    target = table.target if target is None else target
    left_out = set(ignored) | ({target} if target is not None else set())
    table.check_names(left_out)
    check_today(costs.today, table.names, target)
    answers = None if costs.today is None else costs.today.answers
    columns = [name for name in table.names if name not in left_out and name != answers]
    if target is not None:
        check_target_free(costs, target, table.names)
    costs.compile(columns)
    content |= {
        "table": table.source,
        "n_columns": len(columns),
        "unpriced": [name for name in columns if name not in costs.tests],
        "total_price": costs.total(columns),
    }
    if target is not None:
        found = class_counts(table, target)
        classes, counts = list(found), np.array(list(found.values()))
        matrix, further = costs.error_matrix(classes), costs.further_answers(classes)
        content["error_matrix"] = {
            actual: {class_name(answer): cost for answer, cost in zip([*classes, *further], row, strict=True)}
            for actual, row in zip(classes, matrix.tolist(), strict=True)
        }
        _check_practice(costs, table, target, np.array(classes))
        content["remarks"] = remarks(matrix, [class_name(label) for label in classes], further)
        content["remarks"] += cost_doubts(costs, classes, counts)
        content["remarks"] += [
            f"{name!r} is never the cheapest answer: whatever the shares of the classes, another one costs "
            "less. A lower cost would make it one."
            for place, name in enumerate(further)
            if never_cheapest(matrix, len(classes) + place)
        ]
        absent = [name for name in absent_classes(costs.errors, classes) if name not in further]
        if absent:
            content["remarks"].append(
                f"[errors] names {counted(len(absent), 'class', 'classes')} that no row has in column "
                f"{target!r}: {quoted(absent)}. Their costs wait for data that have them. (An answer that is "
                "no class belongs into [answers].)"
            )
    return content


def _gains(costs: Costs) -> list[str]:
    """List the mistakes that cost less than nothing, where no target says which classes there are."""
    if not isinstance(costs.errors, Mapping):
        return []
    return [
        gain(actual, predicted, cost)
        for actual, row in costs.errors.items()
        for predicted, cost in row.items()
        if cost < 0 and actual != predicted
    ]


def cost_doubts(costs: Costs, classes: list[str], counts: NDArray[np.int_]) -> list[str]:
    """List what looks unintended in a price list."""
    named = costs.errors is not None or costs.errors_default is not None
    names = [class_name(label) for label in classes]
    found = doubts(costs.error_matrix(classes)[:, : len(classes)], names, counts) if named else []
    if not named and any(test.price or test.needs for test in costs.tests.values()):
        found.append(
            "Tests have prices, but there are no [errors]: every mistake costs 1, in the unit of the prices. "
            "Is a mistake worth no more than that? Say what mistakes cost."
        )
    return found


def checked_text(path: Path, content: dict[str, Any]) -> str:
    """Write what was found as sentences."""
    lines = [f"{path} can be read: {counted(content['n_tests'], 'price')}, payment {content['payment']}."]
    unit = f" {content['currency']}" if content["currency"] else ""
    lines.append(f"All tests together cost {amount_text(content['total_price'])}{unit}.")
    if content["case_name"] != "case":
        lines.append(f"A case is called {content['case_name']}.")
    if content["today"] is not None:
        lines.append(f"Today: {Today(**content['today'])}.")
    if content["n_shared"]:
        lines.append(f"{counted(content['n_shared'], 'shared resource')}, each paid once.")
    if content["n_delayed"]:
        lines.append(f"{counted(content['n_delayed'], 'delayed test')}.")
    if content["answers"]:
        listed = counted(len(content["answers"]), "answer")
        lines.append(f"{listed} besides the classes: {', '.join(content['answers'])}.")
    if "table" in content:
        lines.append(f"It fits the {counted(content['n_columns'], 'column')} of {content['table']}.")
        if content["unpriced"]:
            price = content["default_price"]
            cost = "are free" if not price else f"cost {amount_text(price)} each"
            unpriced = ", ".join(map(in_list, content["unpriced"]))
            learnt = "" if "error_matrix" in content else " (--target COLUMN says which one is to be learnt.)"
            lines.append(f"Without a price of their own, so they {cost}: {unpriced}.{learnt}")
    for actual, row in content.get("error_matrix", {}).items():
        mistakes = [
            f"{'answered' if answer in content['answers'] else 'called'} {answer} costs {amount_text(cost)}"
            for answer, cost in row.items()
            if answer != actual
        ]
        lines.append(f"{actual}, {', '.join(mistakes)}.")
    lines += content.get("remarks", [])
    return "\n".join(lines)
