"""`RiverClassifier`: learners of streams with river's `learn_one` and `predict_one`."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from thriftwood.models.conversion import as_model
from thriftwood.table.frames import array_column
from thriftwood.table.named import NamedColumns

_Base: Any = object
with suppress(ImportError):  # the class is there without river, too, and says what it needs when it is made
    from river import base

    _Base = base.Classifier


class RiverClassifier(_Base):
    """A learner of streams as a classifier of river.

    Parameters
    ----------
    model : estimator with ``partial_fit``
        Such as ``tw.StreamingTree(...)`` or ``tw.algorithm("hoeffding")``.
    batch : int
        Cases are handed to it so many at a time, which is quicker; 1: each at once. Until then they are not
        learnt from.

    Raises
    ------
    ImportError
        If river is not installed.

    Notes
    -----
    Features are those of the first case; one that a later case lacks is missing, others are passed over.
    Before the first batch `predict_one` answers None. For example::

        from river import evaluate, metrics
        model = RiverClassifier(tw.algorithm("hoeffding"))
        evaluate.progressive_val_score(cases, model, metrics.Accuracy())
    """

    def __init__(self, model: Any, batch: int = 100) -> None:
        if _Base is object:
            raise ImportError(
                "RiverClassifier needs river, which is not installed. Get it by: "
                "pip install 'thriftwood[river]'"
            )
        self.model = model
        self.batch = batch
        self._names: tuple[str, ...] = ()
        self._waiting: list[tuple[dict[Any, Any], Any]] = []
        self._learnt = False

    @property
    def _multiclass(self) -> bool:
        return True

    def learn_one(self, x: dict[Any, Any], y: Any) -> None:
        """Learn from a case, with the others of its batch."""
        if not self._names:
            self._names = tuple(map(str, x))
        self._waiting.append((x, y))
        if len(self._waiting) >= self.batch:
            rows, labels = zip(*self._waiting, strict=True)
            self._waiting = []
            self.model.partial_fit(self._table(rows), np.array(labels))
            self._learnt = True

    def predict_one(self, x: dict[Any, Any], **kwargs: Any) -> Any:
        """Answer a case; None before anything was learnt."""
        if not self._learnt:
            return None
        return as_model(self.model).decide({name: x.get(name) for name in self._names})

    def predict_proba_one(self, x: dict[Any, Any], **kwargs: Any) -> dict[Any, float]:
        """Give the share of each class; nothing before anything was learnt."""
        if not self._learnt:
            return {}
        model = as_model(self.model)
        assert model.classes is not None  # a classifier's
        shares = model.predict_proba(self._table([x]))[0]
        return dict(zip(model.classes.tolist(), shares.tolist(), strict=True))

    def _table(self, rows: Any) -> NamedColumns:
        columns = []
        for name in self._names:
            values = [row.get(name) for row in rows]
            numbers = all(value is None or isinstance(value, int | float) for value in values)
            array = np.array([np.nan if v is None else v for v in values]) if numbers else _objects(values)
            columns.append(array_column(array, f"column {name!r}"))
        return NamedColumns(self._names, columns, len(rows))


def _objects(values: list[Any]) -> Any:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
