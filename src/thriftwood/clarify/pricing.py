"""What watching costs: every function is priced by how often it is called, and paid once.

A function of which only calls count is *ticked*: one unit per call. One whose activations are followed is
*spanned*: `span` units per call, its tick included. So a function has two shared resources, the tick and
what a span costs beyond it; a pattern needs the resources of its functions, and has no price of its own.
Everything is paid upfront: which functions are watched is settled before the program runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thriftwood.clarify.counting import PatternTable
from thriftwood.clarify.patterns import Feature, Pattern
from thriftwood.costs import Costs, Test

SPANS = {"python": 5.0, "native": 80.0}
"""The cost of following an activation, in units of counting a call, as measured."""


@dataclass(frozen=True)
class Prices:
    """What the columns of a table of patterns cost.

    Attributes
    ----------
    functions : tuple of str
        In the order of the table's mean calls.
    calls : array of float
        Mean calls of each in a run.
    span : float
        Units per call of a function that is spanned.
    total : float
        What it costs to watch everything: all functions, spanned if any pattern needs a span.
    """

    functions: tuple[str, ...]
    calls: NDArray[np.float64]
    span: float
    total: float
    needed: tuple[NDArray[np.intp], ...]
    """For each column its resources: 2 i the tick of function i, 2 i + 1 the rest of its span."""
    resources: NDArray[np.float64]
    """What each resource costs."""

    def alone(self) -> NDArray[np.float64]:
        """Return what each column costs if nothing else is watched."""
        return np.array([self.resources[needed].sum() for needed in self.needed])

    def together(self, columns: Iterable[int]) -> float:
        """Return what some columns cost together."""
        bought = {int(resource) for column in columns for resource in self.needed[column]}
        return float(sum(self.resources[resource] for resource in sorted(bought)))

    def costs(self, columns: Sequence[int] | NDArray[np.intp], free: frozenset[int] = frozenset()) -> Costs:
        """Return the price list of some columns; resources that are paid already are free."""
        used = sorted({int(resource) for column in columns for resource in self.needed[column]})
        shared = {self._name(r): 0.0 if r in free else float(self.resources[r]) for r in used}
        tests = {
            f"x{place}": Test(0, needs=[self._name(int(resource)) for resource in self.needed[column]])
            for place, column in enumerate(columns)
        }
        return Costs(tests, shared, payment="upfront")

    def _name(self, resource: int) -> str:
        return f"{'span' if resource % 2 else 'tick'} {self.functions[resource // 2]}"


def prices_of(table: PatternTable, span: float) -> Prices:
    """Price the columns of a table.

    Examples
    --------
    >>> from scipy.sparse import csc_matrix
    >>> from thriftwood.clarify.patterns import Pattern
    >>> fg, gh = Pattern("inside", ("f", "g")), Pattern("inside", ("g", "h"))
    >>> table = PatternTable((fg, gh), csc_matrix((0, 2)), {"f": 100.0, "g": 10.0, "h": 1.0})
    >>> prices = prices_of(table, span=1)
    >>> prices.alone().tolist(), prices.together([0, 1])
    ([110.0, 11.0], 111.0)
    """
    if not span >= 1.0:
        raise ValueError(
            f"span, what following an activation costs by what counting a call costs, must be at least 1. "
            f"Got {span}."
        )
    functions = tuple(table.mean_calls)
    calls = np.array([table.mean_calls[f] for f in functions])
    place = {f: number for number, f in enumerate(functions)}
    resources = np.empty(2 * len(functions))
    resources[0::2] = calls
    resources[1::2] = (span - 1.0) * calls
    spans = any(pattern.has_span for pattern in table.patterns)
    total = float(calls.sum() * (span if spans else 1.0))
    needed = tuple(_needs(pattern, place) for pattern in table.patterns)
    return Prices(functions, calls, span, total, needed, resources)


def _needs(pattern: Feature, place: dict[str, int]) -> NDArray[np.intp]:
    if isinstance(pattern, Pattern) and pattern.kind == "any":  # nobody calls them, so nothing is paid
        return np.array([], dtype=np.intp)
    ticks = sorted({2 * place[f] for f in pattern.functions})
    return np.array([r for t in ticks for r in ((t, t + 1) if pattern.has_span else (t,))], dtype=np.intp)


def without_twins(table: PatternTable, prices: Prices) -> NDArray[np.intp]:
    """Choose the columns worth learning from.

    Of equal ones the cheapest; of those that cost the same the one of fewer functions, then the first. None
    that is the same in all runs but one: every branch of a tree has two runs at least.

    Examples
    --------
    >>> from scipy.sparse import csc_matrix
    >>> from thriftwood.clarify.patterns import Pattern
    >>> f, g, h = (Pattern("count", (name,)) for name in "fgh")
    >>> counts = csc_matrix([[1.0, 1.0, 2.0]] * 2 + [[0.0, 0.0, 2.0]] * 2)
    >>> table = PatternTable((f, g, h), counts, {"f": 100.0, "g": 10.0, "h": 1.0})
    >>> without_twins(table, prices_of(table, 1)).tolist()
    [1]
    """
    counts = table.counts.sorted_indices()
    counts.eliminate_zeros()
    alone, n_rows = prices.alone(), counts.shape[0]
    best: dict[tuple[bytes, bytes], int] = {}
    for j in range(counts.shape[1]):
        part = slice(counts.indptr[j], counts.indptr[j + 1])
        rows, values = counts.indices[part], counts.data[part]
        if _commonest(values, n_rows) >= n_rows - 1:
            continue
        key = rows.tobytes(), values.tobytes()
        rival = best.setdefault(key, j)
        if _rank(j, alone, table) < _rank(rival, alone, table):
            best[key] = j
    return np.array(sorted(best.values()), dtype=np.intp)


def _commonest(stored: NDArray[np.float64], n_rows: int) -> int:
    """Return how many runs share the commonest value."""
    zeros = n_rows - len(stored)
    return max(zeros, int(np.unique(stored, return_counts=True)[1].max())) if len(stored) else zeros


def _rank(column: int, alone: NDArray[np.float64], table: PatternTable) -> tuple[float, int, int]:
    return float(alone[column]), len(table.patterns[column].functions), column
