"""A program from its first recorded run to the diagnosis of a watched one, in figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csc_matrix

from thriftwood.clarify.counting import PatternTable, with_signs
from thriftwood.clarify.diagnosing import diagnose
from thriftwood.clarify.evidence import signs_of
from thriftwood.clarify.judging import evaluator_of
from thriftwood.clarify.learning import CONFIRMING_SEEDS, SECOND_SEEDS, Learned, TreeScores, learn
from thriftwood.clarify.model import Model
from thriftwood.clarify.patterns import Features, Pattern
from thriftwood.clarify.plan import Plan
from thriftwood.clarify.pricing import SPANS, prices_of, without_twins
from thriftwood.clarify.store import Recording
from thriftwood.clarify.training import Cases, cases_of
from thriftwood.experiments.clarify.overhead import measured, ways
from thriftwood.experiments.clarify.subject import Case, SubjectProgram
from thriftwood.experiments.clarify.symptoms import best_guess, symptom

FEATURES: tuple[Features, ...] = ("fc", "ctp")
PUBLISHED_SPAN = 1.0
"""The paper counts calls, whatever is done at each."""
LARGE_SEED = 77


@dataclass(frozen=True)
class Scale:
    """How much of everything.

    Attributes
    ----------
    runs, fresh : int
        Runs of each class to learn from, and to try the watch on.
    measured : int
        Large inputs on which time and instructions are taken.
    repeats : int
        Runs of each, of which the fastest counts.
    """

    runs: int
    fresh: int
    measured: int
    repeats: int


def perform(
    subject: SubjectProgram, scale: Scale, n_jobs: int = 1, tell: Callable[[str], object] | None = None
) -> dict[str, Any]:
    """Record, learn, watch and measure one program; return the figures."""
    tell = tell or (lambda what: None)
    recording = subject.recording("recorded", subject.cases(scale.runs), n_jobs)
    program = subject.program
    kind = "native" if program.native else "python"
    found: dict[str, Any] = {
        "program": program.name,
        "version": program.version(),
        "kind": kind,
        "classes": len(program.classes),
        "runs": len(recording),
        "best_guess": best_guess(
            (str(run.label), symptom(run.exit, run.stdout, run.stderr)) for run in recording.runs
        ),
    }
    calls, cases = (cases_of(recording, features) for features in FEATURES)
    # As published: from calls alone, and every failure has a cause that was recorded.
    settings: dict[str, Any] = {
        "span": PUBLISHED_SPAN,
        "false_alarms": None,
        "n_jobs": n_jobs,
        "tell": tell,
    }
    try:
        found["fc"] = _figures(learn(calls.table, calls.labels, features="fc", **settings))
    except ValueError:  # counts alone may tell nothing apart; call trees must
        found["fc"] = None
    found["ctp"] = _figures(learn(cases.table, cases.labels, **settings))
    found["signs"] = signs_alone(cases)
    learnt = learn(
        cases.table,
        cases.labels,
        signs=cases.signs,
        strangers=cases.strangers,
        span=SPANS[cases.kind],
        n_jobs=n_jobs,
        tell=tell,
    )
    model = Model.of(learnt, build=cases.build, kind=cases.kind, messages=dict(program.classes))
    found |= {
        "functions": len(cases.table.mean_calls),
        "mean_calls": float(sum(cases.table.mean_calls.values())),
        "plan": _figures(learnt)
        | {
            "patterns": [str(pattern) for pattern in model.plan.patterns],
            "watched": len(model.plan.functions) - len(model.plan.strangers),
            "strangers": len(model.plan.strangers),
            "watched_share": learnt.watched_share,
            "signs": [str(sign) for sign in model.signs],
        },
        "unknown": None if learnt.normal is None else dict(learnt.normal.figures),
        "fresh": compare_fresh(subject, model, scale.fresh, n_jobs),
    }
    large = [Case(None, LARGE_SEED + number, program.large) for number in range(scale.measured)]
    compared = ways(blind_plan(cases), model.plan)
    found["overhead"] = measured(subject, large, compared, scale.repeats)
    return found


def compare_fresh(subject: SubjectProgram, model: Model, per_class: int, n_jobs: int = 1) -> dict[str, int]:
    """Run new inputs twice, recorded in full and watched by the plan, and count what differs.

    Returns
    -------
    dict of str to int
        Of ``runs``, how many diagnoses are ``right`` and how many ``changed``; of all ``values`` counted, how
        many are ``wrong``.
    """
    cases = subject.cases(per_class, fresh=True)
    recording: Recording = subject.recording("fresh", cases, n_jobs)
    found = dict.fromkeys(("runs", "right", "changed", "values", "wrong"), 0)
    for case, run in zip(cases, recording.runs, strict=True):
        full = model.plan.count(recording.profile(run))
        seen = subject.watched(model, case)
        shown = signs_of(run.ran, run.command)
        label = diagnose(model, seen, shown=shown).label
        found["runs"] += 1
        found["right"] += label == case.label
        found["changed"] += label != diagnose(model, full, shown=shown).label
        found["values"] += len(full)
        found["wrong"] += sum(one != other for one, other in zip(full, seen, strict=True))
    return found


def signs_alone(cases: Cases) -> float | None:
    """Return how often C4.5's tree is right by what costs nothing, on the folds that confirm other trees.

    None where all runs show the same.
    """
    nothing = PatternTable((), csc_matrix((len(cases.labels), 0)), {})
    table = with_signs(nothing, cases.signs)
    table = table.take(without_twins(table, prices_of(table, PUBLISHED_SPAN)))
    if not table.patterns:
        return None
    prices = prices_of(table, PUBLISHED_SPAN)
    deals = [
        evaluator_of(table, cases.labels, prices, seed=1 + SECOND_SEEDS + number)
        for number in range(CONFIRMING_SEEDS)
    ]
    return float(np.mean([deal.blind(np.arange(len(table.patterns))).accuracy for deal in deals]))


def blind_plan(cases: Cases) -> Plan:
    """Return what must be watched for C4.5's tree, which does not look at prices."""
    table = cases.table.take(without_twins(cases.table, prices_of(cases.table, PUBLISHED_SPAN)))
    evaluator = evaluator_of(table, cases.labels, prices_of(table, PUBLISHED_SPAN))
    columns = evaluator.blind(np.arange(len(table.patterns))).columns
    patterns = [table.patterns[column] for column in columns]
    return Plan(tuple(pattern for pattern in patterns if isinstance(pattern, Pattern)))


def _figures(learnt: Learned) -> dict[str, Any]:
    return {
        "patterns_known": learnt.n_patterns,
        "blind": _scores(learnt.blind),
        "greedy": None if learnt.greedy is None else _scores(learnt.greedy),
        "chosen": _scores(learnt.chosen),
        "points": [[point.share, point.accuracy] for point in learnt.points],
    }


def _scores(one: TreeScores) -> dict[str, Any]:
    return {
        "accuracy": one.accuracy,
        "confirmed": one.confirmed,
        "cost": one.cost,
        "share": one.share,
        "functions": len(one.functions),
    }
