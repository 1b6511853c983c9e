"""The corpus as cases to learn from and to judge by, split by source."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs import Costs
from thriftwood.evaluation import Bill, bill
from thriftwood.flowtype import FEATURES, Corpus, FeatureTable, feature_table, split_by_source
from thriftwood.table.named import NamedColumns

PRICES = "costs.toml"
"""Where the price list of a corpus is, in its folder."""


@dataclass(frozen=True)
class Part:
    """Some of the cases, and the prices of all features."""

    table: FeatureTable
    costs: Costs

    @property
    def X(self) -> NamedColumns:
        """The cases with names, as our learners take them."""
        return self.table.X

    def only(self, names: Sequence[str]) -> NamedColumns:
        """Return some of the columns."""
        columns = dict(zip(FEATURES, self.X.columns, strict=True))
        return NamedColumns(tuple(names), [columns[name] for name in names], len(self.table))

    def values(self, names: Sequence[str] = FEATURES) -> NDArray[np.float64]:
        """Return some of the columns without names, as other libraries take them."""
        return self.table.values[:, [FEATURES.index(name) for name in names]]

    @property
    def all_features(self) -> float:
        """What all features of a case cost together."""
        return self.costs.total(FEATURES)

    @property
    def y(self) -> NDArray[np.str_]:
        """The types."""
        return self.table.y

    def bill(self, model: Any, names: Sequence[str] = FEATURES) -> Bill:
        """Write the bill of one of our models, fitted on these columns."""
        return bill(model, self.only(names), self.y, self.costs.only(names))

    def bill_of_peer(self, model: Any, names: Sequence[str] = FEATURES) -> Bill:
        """Write the bill of a model of another library, fitted on these columns without names."""
        tests = {f"x{place}": self.costs.tests[name] for place, name in enumerate(names)}
        return bill(model, self.values(names), self.y, self.costs.replace(tests=tests))


@dataclass(frozen=True)
class Streams:
    """A corpus with its features and prices."""

    corpus: Corpus
    table: FeatureTable
    costs: Costs

    @cached_property
    def digest(self) -> str:
        """Changes with the cases and with the prices."""
        content = hashlib.sha256(repr(self.costs.to_dict()).encode())
        for array in (self.table.values, self.table.y, self.table.source):
            content.update(np.ascontiguousarray(array).tobytes())
        return content.hexdigest()[:12]

    @property
    def all_features(self) -> float:
        """What all features of a case cost together."""
        return self.costs.total(FEATURES)

    def split(self, number: int, seed: int) -> tuple[Part, Part]:
        """Return the cases to learn from and those to judge by: a random third of the sources."""
        judged = self.held_out(number, seed)
        return Part(self.table.take(~judged), self.costs), Part(self.table.take(judged), self.costs)

    def chunks(self, rows: NDArray[np.bool_]) -> list[bytes]:
        """Return the bytes of the cases marked True."""
        return [chunk for chunk, wanted in zip(self.corpus.chunks(), rows, strict=True) if wanted]

    def held_out(self, number: int, seed: int) -> NDArray[np.bool_]:
        """Mark the cases to judge by."""
        drawn = int(np.random.default_rng([seed, number]).integers(2**31))
        return split_by_source(self.table.source, 1 / 3, seed=drawn)


def loaded(folder: Path | None, prices: Path | None, n_jobs: int) -> Streams:
    """Read a corpus and compute its features.

    Parameters
    ----------
    folder : path
        Made by ``thriftwood flowtype corpus``.
    prices : path, optional
        The price list; None: ``costs.toml`` of the folder.

    Raises
    ------
    FileNotFoundError
        If there is no corpus, or no price list.
    ValueError
        If there are too few sources, or features without a price.
    """
    if folder is None:
        raise FileNotFoundError(
            "cocost2009 needs a corpus of files of known types: --data FOLDER, made by `thriftwood flowtype "
            "corpus FOLDER`."
        )
    corpus = Corpus.read(folder)
    file = folder / PRICES if prices is None else prices
    if not file.is_file():
        raise FileNotFoundError(
            f"There is no price list {str(file)!r}. Measure one: thriftwood flowtype measure -o {file}"
        )
    costs = Costs.from_file(file)
    unpriced = [name for name in FEATURES if name not in costs.tests]
    if unpriced:
        raise ValueError(f"{file} has no price for {unpriced[0]!r} and {len(unpriced) - 1} other features.")
    if len(corpus.sources) < 3:
        raise ValueError(
            f"The corpus has files of {len(corpus.sources)} sources. Splits by source need at least 3: "
            "one to judge by, and two to learn from."
        )
    costs = costs.only(FEATURES).replace(errors=None, errors_default=1.0)
    return Streams(corpus, feature_table(corpus, n_jobs=n_jobs), costs)
