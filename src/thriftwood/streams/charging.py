"""What a batch of a stream is answered and pays, whichever classes and categories turn up in it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs import Costs
from thriftwood.models.adapters.foreign import ForeignModel
from thriftwood.models.labels import class_array, one_per_case
from thriftwood.models.model import Model

FloatArray = NDArray[np.float64]

FREE = Costs()
"""No test costs anything, and every mistake costs 1."""


class Answered(NamedTuple):
    """What became of the cases of a batch."""

    right: NDArray[np.bool_]
    test_cost: FloatArray
    error_cost: FloatArray

    @property
    def cost(self) -> FloatArray:
        """The bill of each case."""
        return np.asarray(self.test_cost + self.error_cost)


class Classes:
    """The classes that a stream has shown so far; a class may come at any time.

    Examples
    --------
    >>> classes = Classes(["b"])
    >>> classes.with_new(["a", "b"]).tolist()
    ['a', 'b']
    """

    def __init__(self, known: Any = ()) -> None:
        self.known: NDArray[Any] = _sorted(np.asarray(list(known))) if len(known) else np.array([])

    def with_new(self, y: Any) -> NDArray[Any]:
        """Return the classes with those of `y` among them, sorted; nothing is remembered."""
        labels = np.asarray(y)
        if len(self.known) and labels.dtype.kind == self.known.dtype.kind != "O":  # quicker than unique
            places = np.minimum(self.known.searchsorted(labels), len(self.known) - 1)
            if (self.known[places] == labels).all():
                return self.known
        new = _sorted(labels)
        if not len(self.known):
            return new
        if len(new) <= len(self.known) and np.isin(new, self.known).all():
            return self.known
        if isinstance(new[0], str) != isinstance(self.known[0], str):
            raise ValueError(
                f"y has labels such as {new.tolist()[0]!r}, and those of the stream so far are such as "
                f"{self.known.tolist()[0]!r}. Give all classes as text, or all as numbers."
            )
        return _sorted(np.concatenate([self.known, new]))


def _sorted(labels: NDArray[Any]) -> NDArray[Any]:
    """Return the classes among labels, in the type that they alone decide."""
    classes = np.unique(labels)
    return class_array(classes) if classes.dtype.kind == "O" else classes


def answered(model: Model, X: Any, y: Any, costs: Costs, classes: NDArray[Any]) -> Answered:
    """Answer a batch, and charge for it.

    `classes` are all that the stream has, sorted; the model need not know all of them: an answer to a case of
    a class that it has not learnt is a mistake, and costs what such a mistake costs.
    """
    asked, table = model.read(X) if isinstance(model, ForeignModel) else (model, quietly_read(model, X))
    charged = asked.charge(table, costs)
    known = asked.classes
    if known is None:
        raise TypeError("A stream is answered with classes, and this model answers with numbers.")
    actual = np.searchsorted(classes, one_per_case(y, len(charged.answers)))
    all_known = np.unique(np.concatenate([classes, known])) if len(known) else classes
    if len(all_known) != len(classes):  # the model was told of classes that the stream has not shown
        actual = np.searchsorted(all_known, classes)[actual]
    further = costs.further_answers(all_known)
    names = [*asked.further]
    places = np.concatenate(
        [
            np.searchsorted(all_known, known),
            [len(all_known) + further.index(name) for name in names] if names else np.empty(0, dtype=np.intp),
        ]
    ).astype(np.intp)
    predicted = places[charged.answers]
    loss = costs.error_matrix(all_known)
    return Answered(predicted == actual, charged.ledger.test_cost, np.asarray(loss[actual, predicted]))


def quietly_read(model: Model, X: Any) -> Any:
    """Read a table without the warning that a column has new categories only: a stream may bring them."""
    return model.handed(model.encoder.encode(model.setup.prepared(X)))
