"""The tables, and settings: a table with a price list."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs import Costs
from thriftwood.datasets import load_dataset
from thriftwood.experiments.thrift.prices import LEVELS, RATIOS, SHAPES, drawn_costs, with_mistakes

LOOKED_AT = (
    *("abalone-3class", "ann-thyroid", "breast-w", "credit-a", "credit-g", "diabetes", "glass"),
    *("heart-cleveland-2class", "hepatitis", "horse-colic", "liver-disorders", "lymphography"),
    *("sick-euthyroid", "vehicle", "wisconsin-diagnostic"),
)
"""Tables that were looked at while the learner was made."""
NOT_LOOKED_AT = (
    *("adult", "anneal", "audiology", "bank-marketing", "churn-tv", "credit-default", "creditscoring1"),
    *("echocardiogram", "heart-statlog", "hypothyroid", "nsl-kdd-train20", "satimage", "soybean", "splice"),
    *("vowel", "zoo"),
)
PUBLISHED = "published"
"""The shape of prices that came with a table."""
MOST_CASES = 3000
"""Of larger tables so many are drawn for a division."""
LEAST_CASES = 10
"""Cases of rarer classes are left out."""
LEARNT_FROM = 0.7

Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Setting:
    """A table with prices of a shape and mistakes of a level; the prices of each division are drawn anew."""

    table: str
    X: Any
    y: NDArray[Any]
    shape: str
    level: str
    prices: Costs | None
    """Those that came with the table, for the shape "published"."""
    seed: int

    @property
    def name(self) -> str:
        """What progress calls it."""
        return f"{self.table}, {self.shape}, {self.level}"

    @property
    def digest(self) -> str:
        """Changes with the content."""
        return f"{zlib.crc32(repr((len(self.y), list(self.X.columns), self.y[:50].tolist())).encode()):08x}"

    def costs(self, number: int) -> Costs:
        """Return the price list of a division."""
        rng, names = self._rng(number, 1), list(self.X.columns)
        if self.prices is None:
            return drawn_costs(names, self.y, self.shape, self.level, rng)
        return with_mistakes(self.prices, names, self.y, LEVELS[self.level], int(rng.choice(RATIOS)))

    def divided(self, number: int) -> tuple[Rows, Rows]:
        """Return the rows to learn from and the rows to judge by."""
        rows = self._rng(number, 2).permutation(len(self.y))[:MOST_CASES]
        cut = round(LEARNT_FROM * len(rows))
        return rows[:cut], rows[cut:]

    def _rng(self, number: int, what: int) -> np.random.Generator:
        return np.random.default_rng([zlib.crc32(self.name.encode()), self.seed, number, what])


def load_settings(tables: Sequence[str], seed: int, data_dir: Path | None) -> list[Setting]:
    """Load tables, each with prices of all shapes and mistakes of all levels."""
    found = []
    for name in tables:
        data = load_dataset(name, data_dir=data_dir)
        classes, counts = np.unique(np.asarray(data.y), return_counts=True)
        common = np.isin(np.asarray(data.y), classes[counts >= LEAST_CASES])
        X, y = data.X[common].reset_index(drop=True), np.asarray(data.y)[common]
        own = data.costs if data.costs is not None and data.costs.tests else None
        shapes = SHAPES if own is None else (*SHAPES, PUBLISHED)
        found += [
            Setting(name, X, y, shape, level, own if shape == PUBLISHED else None, seed)
            for shape in shapes
            for level in LEVELS
        ]
    return found
