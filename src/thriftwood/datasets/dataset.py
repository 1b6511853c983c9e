"""What ``load_dataset`` gives back, and the line about a set in ``list_datasets``."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from textwrap import fill
from typing import Any, Literal

from thriftwood.costs import Costs
from thriftwood.costs.names import counted

Task = Literal["classification", "regression"]


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A table to learn from, what is known about its prices, and where it comes from.

    Attributes
    ----------
    name : str
        The name it was loaded by.
    X : frame
        One column per feature. Columns that must not be learnt from (identifiers, leaks) are not here.
    y : ndarray or None
        The target: texts for classification, numbers for regression; None for a file read without a target.
    costs : Costs or None
        The published prices of tests and mistakes; None where nobody published any.
    description : str
        What the table is, its source and what to watch out for.
    feature_names : tuple of str
        The names of the columns of ``X``, in order.
    target_names : tuple of str
        The classes, sorted as ``numpy.unique`` sorts them; empty for regression.
    extra : frame or None
        The columns left out of ``X``: costs that differ by row, identifiers, leaks. None when there are none.
    roles : dict
        Why each column of ``extra`` was left out: ``"cost"``, ``"identifier"``, ``"leak"`` or ``"ignore"``.
    n_missing : int
        Number of cells of ``X`` without a value.

    Examples
    --------
    >>> from thriftwood.datasets import load_dataset
    >>> load_dataset("golf")
    <Dataset 'golf': 14 rows, 4 features, 2 classes (Yes 9, No 5), no missing cells, no prices>
    """

    name: str
    X: Any
    y: Any
    costs: Costs | None
    description: str
    feature_names: tuple[str, ...]
    target_names: tuple[str, ...]
    extra: Any = None
    roles: dict[str, str] | None = None
    n_missing: int = 0

    @property
    def task(self) -> Task:
        """``"classification"`` or ``"regression"``; a table without a target can be for either."""
        return "classification" if self.target_names else "regression"

    def __repr__(self) -> str:
        missing = counted(self.n_missing, "missing cell") if self.n_missing else "no missing cells"
        size = f"{counted(len(self.X), 'row')}, {counted(len(self.feature_names), 'feature')}"
        return f"<Dataset {self.name!r}: {size}, {self._target_text()}, {missing}, {self._costs_text()}>"

    def __str__(self) -> str:
        parts = [repr(self)[1:-1], "", fill(self.description, width=100)]
        parts += ["", fill(f"Features: {', '.join(self.feature_names)}", width=100)]
        return "\n".join(parts)

    def _target_text(self) -> str:
        if self.y is None:
            return "no target"
        if not self.target_names:
            return f"target from {self.y.min():g} to {self.y.max():g}"
        counts = Counter(self.y.tolist()).most_common()
        shown = ", ".join(f"{label} {count}" for label, count in counts[:5])
        return f"{counted(len(counts), 'class', 'classes')} ({shown}{', ...' if len(counts) > 5 else ''})"

    def _costs_text(self) -> str:
        if self.costs is None:
            return "no prices"
        parts = ["prices of tests"] if self.costs.tests else []
        parts += ["costs of mistakes"] if self.costs.errors is not None else []
        return " and ".join(parts)


@dataclass(frozen=True)
class DatasetInfo:
    """One line of :func:`list_datasets`.

    Attributes
    ----------
    name : str
        What to give to ``load_dataset``.
    task : str
        ``"classification"`` or ``"regression"``.
    n_rows, n_features, n_classes : int
        The size; ``n_classes`` is 0 for regression.
    source : str
        ``"built in"``, ``"generated"``, ``"folder"``, ``"cache"``, ``"OpenML"`` (would be downloaded) or
        ``"not here"`` (known by name, but only from a folder of data files).

    Examples
    --------
    >>> print(DatasetInfo("iris", "classification", 150, 4, 3, "built in"))
    iris                         150 x 4    3 classes   built in
    """

    name: str
    task: Task
    n_rows: int
    n_features: int
    n_classes: int
    source: str

    def __str__(self) -> str:
        target = counted(self.n_classes, "class", "classes") if self.n_classes else "regression"
        return f"{self.name:<24} {self.n_rows:>7} x {self.n_features:<4} {target:<11} {self.source}"
