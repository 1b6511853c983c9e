"""Score cards as Python functions that need nothing but Python."""

from __future__ import annotations

from thriftwood.export.cascade_plan import CardStage, cascade_plan, finite_stop
from thriftwood.export.python_text import HELPERS, TABLES, purchase_tables
from thriftwood.export.quoting import function_name, plain, python_literal
from thriftwood.models.cascade import Cascade

_PROGRAM = '''\
"""Score cards in stages as a function: {name}(ask). Written by thriftwood; needs nothing but Python 3."""

from math import exp

{tables}# Tests whose values come late: those of the later stages are ordered with them.
_{name}_delayed = {delayed}
# Stages: tests bought, where counting begins, what they add (test, values of a number or None, points at
# each value or of each category, slopes between values, points of a missing value), and the expected cost
# up to which a case is answered (None: always). Points have an entry for each score.
_{name}_stages = (
{stages})
_{name}_classes = {classes}
# The classes, then the answers that are no class.
_{name}_answers = {answers}
# What answers cost: [actual][answer].
_{name}_loss = (
{loss})


def {name}(ask):
    """Decide one case.

    ask gives the value of a test by its name: a function that runs the test, or a mapping of what is known.
    It is used only for tests that the case buys, once each; None means that there is no
    value, and categories are those listed above, of the same type. The result is a dictionary: answer,
    probabilities (class: chance), scores (points), stage (the number of the one that answered, from 1),
    asked (tests in order), bought (tests with what was paid for each, in order) and bill (the sum).
    """
    fetch = ask if callable(ask) else ask.__getitem__
    values = {{}}  # test -> number, code, "missing" or "unseen"
    paid = {{}}  # test -> what it cost

    def buy(test):
        if test not in values:
            values[test] = _{name}_encode(test, fetch(_{name}_tests[test][0]))
            if values[test] != "missing" or _{name}_charge_missing:
                paid[test] = _{name}_price(test, tuple(paid))

    for test in _{name}_upfront:
        buy(test)
    for number, (tests, base, counted, stop) in enumerate(_{name}_stages):
        for test in tests:
            buy(test)
        if any(test in paid for test in tests if test in _{name}_delayed):
            for later in _{name}_stages[number + 1 :]:
                for test in later[0]:
                    buy(test)
        scores = list(base)
        for test, at, points, slopes, missing in counted:
            value = values[test]
            if value == "unseen":
                continue
            if value == "missing":
                added = missing
            elif at is None:
                added = points[value]
            else:
                x = min(max(value, at[0]), at[-1])
                k = 0
                while k < len(slopes) - 1 and at[k + 1] <= x:
                    k += 1
                added = [p + slope * (x - at[k]) for p, slope in zip(points[k], slopes[k])]
            scores = [score + more for score, more in zip(scores, added)]
        chances = _{name}_chances([score / 100.0 for score in scores])
        expected = [0.0] * len(_{name}_answers)
        for chance, costs in zip(chances, _{name}_loss):
            expected = [total + chance * cost for total, cost in zip(expected, costs)]
        if stop is None or min(expected) <= stop:
            break
    names = [entry[0] for entry in _{name}_tests]
    return {{
        "answer": _{name}_answers[expected.index(min(expected))],
        "probabilities": dict(zip(_{name}_classes, chances)),
        "scores": scores,
        "stage": number + 1,
        "asked": [names[test] for test in values],
        "bought": [(names[test], cost) for test, cost in paid.items()],
        "bill": sum(paid.values()),
    }}


def _{name}_chances(log_odds):
    if len(log_odds) == 1:
        second = 1.0 / (1.0 + exp(-min(max(log_odds[0], -700.0), 700.0)))
        return [1.0 - second, second]
    top = max(log_odds)
    raised = [exp(score - top) for score in log_odds]
    total = sum(raised)
    return [one / total for one in raised]
{helpers}'''


def cascade_python(cascade: Cascade, name: str) -> str:
    """Write a cascade as a Python function; see `export_python`."""
    made = cascade_plan(cascade)
    name = function_name(name, language="Python")
    classes = tuple(plain(value, "The target") for value in made.classes)
    width = len(made.answers)
    rows = (made.loss[k * width : (k + 1) * width] for k in range(len(classes)))
    return _PROGRAM.format(
        name=name,
        tables=TABLES.format(name=name, **purchase_tables(made)),
        delayed=python_literal(made.delayed),
        stages="".join(f"    {_stage(stage)},\n" for stage in made.stages),
        classes=python_literal(classes),
        answers=python_literal((*classes, *made.further)),
        loss="".join(f"    {python_literal(row)},\n" for row in rows),
        helpers=HELPERS.format(name=name),
    )


def _stage(stage: CardStage) -> str:
    counted = tuple((one.test, one.at, one.points, one.slopes, one.missing) for one in stage.counted)
    return python_literal((tuple(stage.tests), stage.base, counted, finite_stop(stage)))
