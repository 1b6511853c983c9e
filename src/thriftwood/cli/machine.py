"""Results as plain dictionaries, for --json; docs/command-line.md lists their keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from thriftwood.cli.advice import ListWords
from thriftwood.cli.members import asked_tests, members_of
from thriftwood.consult.consultation import Consultation
from thriftwood.evaluation import BillGroups, BreakEvens, Frontier, Ranking, Verdict, Watch, WhatIf
from thriftwood.evaluation.bill_measures import BillMeasures
from thriftwood.models.model import Model
from thriftwood.models.tree.rules import Rule
from thriftwood.table.unseen import Unseen, UnseenCount


def model_content(model: Model) -> dict[str, Any]:
    """Describe a tree, a panel or a booster: what all have, then what that kind has."""
    trees = [part.tree for part in model.parts]
    content = {
        "kind": model.kind,
        "n_trees": len(trees),
        "n_nodes": sum(tree.n_nodes for tree in trees),
        "n_leaves": sum(tree.n_leaves for tree in trees),
        "depth": max((tree.depth for tree in trees), default=0),
        "classes": model.classes,
        **({"answers": model.further} if model.further else {}),
        "features": model.feature_names,
        "features_used": [row.test for row in asked_tests(model)] if trees else list(model.features_used),
        "has_costs": model.costs is not None,
    }
    if model.single_tree is not None:
        return content
    asked = {
        "members": [row._asdict() for row in members_of(model)],
        "tests": [row._asdict() for row in asked_tests(model)],
    }
    return content | model.facts | asked


def bill_content(bill: BillMeasures) -> dict[str, Any]:
    """Describe a bill; what needs the true classes is None without them."""
    confusion = bill.confusion
    by_test = bill.test_columns
    return {
        "n_cases": bill.n_cases,
        "payment": bill.costs.payment,
        "budget": bill.budget,
        "n_stopped": bill.n_stopped,
        "mean_test_cost": bill.mean_test_cost,
        "mean_error_cost": bill.mean_error_cost,
        "mean_cost": bill.mean_cost,
        "interval": bill.interval and list(bill.interval),
        "total_test_cost": bill.total_test_cost,
        "total_error_cost": bill.total_error_cost,
        "total_cost": bill.total_cost,
        "upfront_cost": bill.upfront_cost,
        "tests_per_case": bill.mean_n_tests,
        "accuracy": bill.accuracy,
        "n_errors": bill.n_errors,
        "high_cost_errors": bill.high_cost_errors,
        "standard_cost": bill.standard_cost,
        "normalised_cost": bill.normalised_cost,
        "untested_answer": bill.untested_answer,
        "untested_cost": bill.untested_cost,
        "against_untested": bill.against_untested and bill.against_untested._asdict(),
        "by_test": [dict(zip(by_test, row, strict=True)) for row in zip(*by_test.values(), strict=True)],
        "confusion": confusion and {"classes": confusion.classes, "counts": confusion.counts},
        **_further(bill),
    }


def groups_content(by: str | None, groups: BillGroups[Any] | None) -> dict[str, Any]:
    """Describe the bills of groups, if there are any."""
    if groups is None:
        return {}
    columns = groups.columns
    return {
        "by": by,
        "groups": [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)],
    }


def _further(bill: BillMeasures) -> dict[str, Any]:
    """Describe the answers that are no class, if there are any."""
    return {"answers": bill.answers, "further_shares": bill.further_shares} if bill.further else {}


def unseen_content(unseen: Iterable[UnseenCount], names: Sequence[str]) -> list[dict[str, Any]]:
    """Describe the columns that have categories which were not there in training."""
    return [
        {"column": names[u.column.index], "cells": u.n_cells, "known": u.n_known, "values": u.values}
        for u in unseen
    ]


def unseen_columns(unseen: Iterable[Unseen], names: Sequence[str], n_rows: int) -> list[list[str]]:
    """Name, for each row, the columns whose category was not there in training."""
    found: list[list[str]] = [[] for _ in range(n_rows)]
    for one in unseen:
        for row in one.rows.tolist():
            found[row].append(names[one.column.index])
    return found


def ranking_content(ranking: Ranking) -> dict[str, Any]:
    """Describe a ranking."""
    columns = ranking.columns
    return {
        "n_cases": ranking.n_cases,
        "n_folds": ranking.n_folds,
        "untested_cost": ranking.untested_cost,
        "verdict": {"name": ranking[0].name} | ranking.verdict.content,
        "ranking": [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)],
        "refused": ranking.refused_in(ListWords),
        "unfinished": list(ranking.unfinished),
    }


def rule_content(rule: Rule) -> dict[str, Any]:
    """Describe a rule; its conditions in words."""
    return {
        "conditions": [str(condition) for condition in rule.conditions],
        "answer": rule.answer,
        "weight": rule.weight,
        "confidence": rule.confidence,
        "price": rule.price,
    }


def consultation_content(case: Consultation) -> dict[str, Any]:
    """Describe where a consultation stands."""
    done = case.finished
    return {
        "finished": done,
        "next_tests": case.next_tests,
        "price": None if done else case.price,
        "choices": case.choices,
        "bill": case.bill,
        "answer": case.result if done else None,
        "probabilities": case.probabilities if done and case.asking.classes is not None else None,
        "why": case.why if done else None,
        "confidence": None if case.confidence is None else case.confidence._asdict(),
        "stopped": case.stopped,
    }


def frontier_content(frontier: Frontier, within: float | None, said: Verdict | None) -> dict[str, Any]:
    """Describe a frontier and the point that is chosen, of which `said` is the verdict."""
    columns = frontier.columns
    pareto = set(frontier.pareto_numbers)
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return {
        "param": frontier.param,
        "n_folds": frontier.n_folds,
        "accuracy": frontier.accuracy,
        "cost": frontier.cost,
        "interrupted": frontier.interrupted,
        "points": [row | {"pareto": number in pareto} for number, row in enumerate(rows)],
        "verdict": said and said.content,
        "within": None if within is None and frontier.by_bill else frontier.allowance(within),
        "chosen": frontier.cheapest(within).value,
    }


def what_if_content(found: WhatIf) -> dict[str, Any]:
    """Describe what happens while a price changes."""
    curve = found.curve()
    flips = [{"at": flip.at, "low": flip.low, "high": flip.high} for flip in found.flips]
    return {
        "kind": found.varied.kind,
        "name": found.varied.name,
        "low": found.varied.low,
        "high": found.varied.high,
        "now": found.now,
        "break_even": found.break_even,
        "exact": found.exact,
        "interrupted": found.interrupted,
        "n_folds": found.n_folds,
        "n_fits": found.n_fits,
        "flips": flips,
        "steps": _rows(found.columns),
        "curve": _rows(curve),
        "sentence": found.sentence,
    }


def break_even_content(found: BreakEvens) -> dict[str, Any]:
    """Describe what tests are worth."""
    return {
        "cost": found.cost,
        "low": found.low,
        "high": found.high,
        "untested_cost": found.untested_cost,
        "interrupted": found.interrupted,
        "n_folds": found.n_folds,
        "n_fits": found.n_fits,
        "tests": _rows(found.columns),
        "sentence": found.sentence,
    }


def watch_content(watch: Watch) -> dict[str, Any]:
    """Describe what the watchdog found."""
    return {
        "alarm": watch.alarm,
        "moved": watch.moved,
        "suspected": watch.suspected,
        "rate": watch.rate,
        "n_cases": watch.n_cases,
        "compared_with": watch.compared_with,
        "n_compared": watch.n_compared,
        "mean_test_cost": watch.mean_test_cost,
        "mean_error_cost": watch.mean_error_cost,
        "mean_cost": watch.mean_cost,
        "usual_test_cost": watch.usual_test_cost,
        "usual_error_cost": watch.usual_error_cost,
        "usual_cost": watch.usual_cost,
        "why_no_errors": watch.why_no_errors or None,
        "checks": [asdict(check) for check in watch.checks],
        "missing": watch.missing,
        "leaves": None if watch.leaves is None else _rows(watch.leaves),
        "remarks": watch.remarks,
    }


def _rows(columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Give a table as a list of its rows."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
