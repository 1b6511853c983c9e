"""`table_digest`: a text that differs where tables of one name differ in content."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from thriftwood.learning.problem import Problem


def table_digest(problem: Problem, names: Any) -> str:
    """Return a short text that is the same for the same cases, columns and names.

    It goes into the keys of finished trials, so that those of another table are not taken for them.
    """
    content = hashlib.sha256(repr(names).encode())
    encoded = problem.encoded
    columns = encoded.columns
    if columns is None:
        assert encoded.dense is not None  # data sets are not sparse
        columns = list(encoded.dense.T)
    for column in columns:
        content.update(np.ascontiguousarray(column).tobytes())
    content.update(np.ascontiguousarray(problem.labels).tobytes())
    return content.hexdigest()[:12]
