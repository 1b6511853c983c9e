"""The data sets, encoded: which columns are read, and which cases each tree gets."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from thriftwood.datasets import load_dataset, make_waveform
from thriftwood.experiments.digest import table_digest
from thriftwood.experiments.folds import deal
from thriftwood.learners import algorithm
from thriftwood.learning.problem import Problem, Rows

FOLDS = 10
"""Folds of a cross-validation."""

LEFT_OUT = {"horse-colic": ("outcome",), "vowel": ("Train or Test", "Speaker Number", "Sex")}
"""What is known only afterwards, and what is no measurement. The printed sizes of trees agree with that."""

WAVEFORM = "waveform"
DRAWN, DRAWN_TO_JUDGE = 300, 5000
"""Waveforms to grow a tree on, and to judge it by."""


class Split(NamedTuple):
    """The cases of one tree."""

    grow_rows: Rows
    judge_rows: Rows


class Draw(NamedTuple):
    """A table, and the cases of the trees grown on it."""

    problem: Problem
    splits: list[Split]


class DataTable(Protocol):
    """A data set that gives out the cases of ten trees at a time."""

    @property
    def name(self) -> str:
        """As `load_dataset` knows it."""

    @property
    def classes(self) -> tuple[str, ...]:
        """In the order of their numbers."""

    @property
    def digest(self) -> str:
        """A text that changes with the content of the table."""

    def draws(self, rng: np.random.Generator, stratified: bool) -> list[Draw]:
        """Draw the cases of ten trees."""


@dataclass(frozen=True, slots=True)
class FileTable:
    """A data set that is cross-validated."""

    name: str
    classes: tuple[str, ...]
    problem: Problem

    @property
    def digest(self) -> str:
        """A text that changes with the content of the table."""
        return table_digest(self.problem, self.classes)

    def draws(self, rng: np.random.Generator, stratified: bool) -> list[Draw]:
        """Deal the cases into ten folds; each is judged by the tree of the nine others."""
        assert self.problem.labels is not None
        fold = deal(self.problem.labels, FOLDS, stratified, rng)
        splits = [Split(_rows(fold != number), _rows(fold == number)) for number in range(FOLDS)]
        return [Draw(self.problem, splits)]


@dataclass(frozen=True, slots=True)
class Waveforms:
    """Breiman's waveforms, drawn anew for each tree."""

    name: str = WAVEFORM
    classes: tuple[str, ...] = ("0", "1", "2")
    digest: str = f"{DRAWN} and {DRAWN_TO_JUDGE}"

    def draws(self, rng: np.random.Generator, stratified: bool) -> list[Draw]:
        """Draw cases to grow on and cases to judge by; there are no folds, so none to stratify."""
        to_grow_on = np.arange(DRAWN + DRAWN_TO_JUDGE) < DRAWN
        split = Split(_rows(to_grow_on), _rows(~to_grow_on))
        tables = (make_waveform(len(to_grow_on), seed) for seed in rng.integers(2**32, size=FOLDS).tolist())
        return [Draw(_problem(X, y), [split]) for X, y in tables]


def loaded(name: str, data_dir: Path | None) -> DataTable:
    """Load a data set by its name."""
    if name == WAVEFORM:
        return Waveforms()
    data = load_dataset(name, data_dir=data_dir, frame="numpy")
    kept = [column for column in data.feature_names if column not in LEFT_OUT.get(name, ())]
    return FileTable(name, data.target_names, _problem(data.X[kept], data.y))


def _problem(X: Any, y: Any) -> Problem:
    """Encode a table as C4.5 reads it."""
    problem: Problem = algorithm("c45").prepare(X, y, None).problem
    return problem


def _rows(mask: Any) -> Rows:
    return np.flatnonzero(mask).astype(np.uint32)
