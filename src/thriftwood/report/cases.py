"""The cases that a reader may choose from: which ones, what they are called, and their journeys."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.number_texts import cut_text, number_text
from thriftwood.evaluation import Bill
from thriftwood.evaluation.statement import Words, amount
from thriftwood.models.tree.tree import Tree
from thriftwood.report.journeys import Step, journey, needed_features
from thriftwood.report.naming import name_text
from thriftwood.table import UNSEEN, Encoded, Kind

DEAREST, SPREAD = 50, 150
"""Of a larger table, so many of the dearest cases are listed, and so many evenly spaced ones."""


def listed_cases(bill: Bill) -> list[int]:
    """Number the cases for the list: all of a small table, of a larger one the dearest and an even spread.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> model = tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y)
    >>> len(listed_cases(tw.bill(model, golf.X, golf.y)))
    14
    """
    if bill.n_cases <= DEAREST + SPREAD:
        return list(range(bill.n_cases))
    cost = bill.test_cost if bill.error_cost is None else bill.test_cost + bill.error_cost
    dearest = np.argsort(-cost, kind="stable")[:DEAREST]
    spread = np.linspace(0, bill.n_cases - 1, SPREAD).astype(np.int64)
    return sorted({*dearest.tolist(), *spread.tolist()})


def case_data(
    bill: Bill, tree: Tree, encoded: Encoded, drawn: set[int], words: Words
) -> list[dict[str, Any]]:
    """Describe the listed cases: answers, money, and every step with its purchases.

    `drawn` are the nodes of the page; steps below them have no node to point to.
    """
    features = needed_features(tree)
    names = None if bill.answers is None else [name_text(label) for label in bill.answers.tolist()]
    return [
        _case(bill, row, names, words)
        | {"steps": _steps(tree, bill, known, drawn), "label": _label(bill, row, words)}
        for row, known in _rows(encoded, listed_cases(bill), features)
    ]


def _label(bill: Bill, row: int, words: Words) -> str:
    """Call a case by its number, from 1 on as in the studio, or by the row's name where its table has any."""
    index = bill.index
    if index is None or (getattr(index, "start", None), getattr(index, "step", None)) == (0, 1):
        return f"{words.one} {row + 1}"
    return f"row {name_text(index[row])}"


def _case(bill: Bill, row: int, names: list[str] | None, words: Words) -> dict[str, Any]:
    def said(answers: NDArray[Any]) -> str:
        return names[int(answers[row])] if names is not None else f"{float(answers[row]):.6g}"

    error = None if bill.error_cost is None else float(bill.error_cost[row])
    return {
        "answer": said(bill.predicted),
        "actual": None if bill.actual is None else said(bill.actual),
        # Numbers are neither right nor wrong, nor is an answer that is no class.
        "wrong": None
        if bill.actual is None or bill.classes is None or bill.predicted[row] >= len(bill.classes)
        else bool(bill.actual[row] != bill.predicted[row]),
        "tests": words.money(float(bill.test_cost[row])),
        "error": None if error is None else words.money(error),
        "cost": words.money(float(bill.test_cost[row]) + (error or 0.0)),
    }


def _steps(tree: Tree, bill: Bill, known: dict[int, float], drawn: set[int]) -> list[dict[str, Any]]:
    return [_step(tree, known, step, drawn) for step in journey(tree, bill.costs, known)]


def _step(tree: Tree, known: dict[int, float], step: Step, drawn: set[int]) -> dict[str, Any]:
    feature = tree.flat.feature[step.node]
    return {
        "node": step.node if step.node in drawn else None,
        "share": step.share,
        "test": None if feature < 0 else name_text(tree.feature_names[feature]),
        "value": None if feature < 0 else value_text(tree, feature, known[feature]),
        "bought": [[name_text(name), amount(price)] for name, price in step.bought],
        "bill": amount(step.bill),
        "ends": step.ends,
    }


def value_text(tree: Tree, feature: int, value: float) -> str:
    """Print an encoded value as its user knows it."""
    column = tree.columns[feature]
    if column.kind is Kind.NUMERIC:
        return "missing" if math.isnan(value) else cut_text(value)
    if column.kind is Kind.NOMINAL:
        if value < 0:
            return "never seen before" if value == UNSEEN else "missing"
        return name_text(column.categories[int(value)])
    if math.isnan(value):
        return "missing"
    place = int(value)
    return name_text(column.categories[place]) if 0 <= place < len(column.categories) else number_text(value)


def _rows(encoded: Encoded, rows: list[int], features: list[int]) -> Iterable[tuple[int, dict[int, float]]]:
    """Give the encoded values of some features, case by case."""
    columns = {feature: encoded_column(encoded, feature)[rows].tolist() for feature in features}
    for place, row in enumerate(rows):
        yield row, {feature: float(values[place]) for feature, values in columns.items()}


def encoded_column(encoded: Encoded, feature: int) -> NDArray[Any]:
    """Return one column of an encoded table, zeros of a sparse one written out."""
    if encoded.dense is not None:
        return np.asarray(encoded.dense[:, feature])
    if encoded.columns is not None:
        return encoded.columns[feature]
    assert encoded.sparse is not None  # exactly one of the three is set
    indptr, indices, data = encoded.sparse
    entries = slice(int(indptr[feature]), int(indptr[feature + 1]))
    column = np.zeros(encoded.n_rows)
    column[indices[entries]] = data[entries]
    return column
