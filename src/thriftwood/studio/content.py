"""What the page is given: a table, encoded as the library does, and a price list in its plainest form."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs import Costs
from thriftwood.costs.names import class_name
from thriftwood.learning.targets import class_labels
from thriftwood.models.files.trees import canonical, classes_content
from thriftwood.table import Encoded, Encoder, Kind

MOST_ROWS = 100_000
"""More rows than these are sampled: a page of them is slow to open, and the tree hardly differs."""


def table_content(X: Any, y: Any, name: str, nominal: Any = None) -> dict[str, Any]:
    """Return a table for the script: codes and numbers, and the parts of a model file that Python writes.

    Examples
    --------
    >>> content = table_content([[1.5, "b"], [None, "a"]], ["sick", "well"], "two cases")
    >>> [column["values"] for column in content["columns"]], content["labels"]
    ([[1.5, None], [1, 0]], [0, 1])
    """
    encoder = Encoder("The studio")
    encoded = encoder.fit_encode(X, nominal)
    classes, labels = class_labels(y, encoded.n_rows)
    rows = _sampled(labels)
    return {
        "name": name,
        "n_rows": int(encoded.n_rows),
        "columns": [_column(encoder, encoded, index, rows) for index in range(encoder.n_features)],
        "classes": [class_name(label) for label in classes.tolist()],
        "labels": labels[rows].tolist(),
        "encoder_written": _written(encoder.to_json()),
        "classes_written": _written(classes_content(classes)),
    }


def costs_content(costs: Costs | None, classes: Sequence[str], columns: Sequence[str]) -> dict[str, Any]:
    """Return a price list whose error costs are named one by one, so that each can be changed.

    Examples
    --------
    >>> costs_content(Costs({"age": 1, "chol": 5}, errors_default=9), ["sick", "well"], ["age"])
    {'tests': {'age': 1}, 'errors': {'sick': {'well': 9}, 'well': {'sick': 9}}}
    """
    if costs is None:
        return {}
    own = costs.only(columns)
    if own.names_errors:
        matrix, further = own.error_matrix(classes), own.further_answers(classes)
        errors = {
            actual: {
                answer: float(matrix[i, j])
                for j, answer in enumerate(classes)
                if i != j or matrix[i, j] != 0.0
            }
            for i, actual in enumerate(classes)
        }
        answers = {
            name: dict(zip(classes, matrix[:, len(classes) + place].tolist(), strict=True))
            for place, name in enumerate(further)
        }
        own = own.replace(errors=errors, errors_default=None, answers=answers)
    return own.to_dict()


def _sampled(labels: NDArray[np.int32]) -> NDArray[np.intp]:
    """Return the rows of the page: all, or every so-manyth of each class."""
    if len(labels) <= MOST_ROWS:
        return np.arange(len(labels))
    by_class = np.argsort(labels, kind="stable")
    return np.sort(by_class[np.linspace(0, len(labels) - 1, MOST_ROWS).astype(np.intp)])


def _column(encoder: Encoder, encoded: Encoded, index: int, rows: NDArray[np.intp]) -> dict[str, Any]:
    column = encoder.columns[index]
    if encoded.columns is not None:
        values = encoded.columns[index][rows]
    elif encoded.dense is not None:
        values = encoded.dense[rows, index].astype(np.float64)
    else:
        raise ValueError("The studio shows tables of columns; a sparse matrix has too many. Choose some.")
    nominal = column.kind is Kind.NOMINAL
    numbers = values.tolist()
    if not nominal:
        numbers = [None if np.isnan(value) else _short(value) for value in numbers]
    names = encoder.feature_names
    return {
        "name": f"x{index}" if names is None else names[index],
        "nominal": nominal,
        "categories": [class_name(value) for value in column.categories],
        "values": numbers,
    }


def _short(value: float) -> float | int:
    """Return a whole number as int: a third of the page's bytes were points and zeros."""
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _written(content: Any) -> list[str]:
    """Return the two spellings of a part of a model file: in the file, and for its digest."""
    return [json.dumps(content, allow_nan=False), "".join(canonical(content))]
