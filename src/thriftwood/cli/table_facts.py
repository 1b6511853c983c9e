"""What a price list needs to know of a table, found out some rows at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np

from thriftwood.datasets.columns import Column, Kind, sorted_categories
from thriftwood.datasets.files import TableParts
from thriftwood.datasets.files.labels import LabelReader

MOST_CATEGORIES = 10_000
"""Of a column with more, some are forgotten: a few are shown."""


@dataclass
class ColumnFacts:
    """What the cells of a column are: numbers from `low` to `high`, or categories.

    Examples
    --------
    >>> facts = ColumnFacts("age", "numeric")
    >>> for part in ([54.0, np.nan], [37.0, 61.0]):
    ...     facts.add(Column.numeric("age", part))
    >>> facts.low, facts.high, facts.n_missing
    (37.0, 61.0, 1)
    """

    name: str
    kind: Kind
    low: float = np.inf
    high: float = -np.inf
    n_missing: int = 0
    declared: tuple[str, ...] = ()
    seen: set[str] = field(default_factory=set)

    def add(self, column: Column) -> None:
        """Add further rows."""
        self.n_missing += column.n_missing
        if column.kind == "numeric":
            present = column.values[~column.missing]
            if len(present):
                self.low = min(self.low, float(present.min()))
                self.high = max(self.high, float(present.max()))
        elif len(self.seen) < MOST_CATEGORIES:
            if not set(column.categories) <= set(self.declared):
                self.declared = column.categories
            self.seen.update(column.categories)

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories: as one part has them all, or those of all parts, sorted."""
        return self.declared if len(self.declared) == len(self.seen) else sorted_categories(self.seen)


def column_facts(parts: TableParts, left_out: Collection[str]) -> list[ColumnFacts]:
    """Describe the columns of a table; one that is not of numbers in every part is nominal."""
    parts.check_names(left_out)
    wanted = [name for name in parts.names if name not in left_out]
    nominal: set[str] = set()
    for part in parts.parts(wanted):
        nominal |= {c.name for c in part.chosen(_among(left_out, part.names)) if c.kind != "numeric"}
    found: dict[str, ColumnFacts] = {}
    for part in parts.parts(wanted):
        for column in part.chosen(_among(left_out, part.names), nominal):
            found.setdefault(column.name, ColumnFacts(column.name, column.kind)).add(column)
    return [found[name] for name in wanted]


def _among(names: Collection[str], present: Collection[str]) -> list[str]:
    return [name for name in names if name in present]


def class_counts(parts: TableParts, target: str) -> dict[str, int]:
    """Count the rows of each class, in the order of the classes."""
    parts.check_names([target])
    reader = LabelReader(parts.parts([target]), target)
    counts: Counter[str] = Counter()
    for part in parts.parts([target]):
        counts.update(reader.labels(part).tolist())
    return {str(label): counts[label] for label in np.unique(list(counts)).tolist()}
