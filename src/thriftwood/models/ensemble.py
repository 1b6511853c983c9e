"""`EnsembleModel`: several models that are all asked, and answer together by their shares of the classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs import Costs
from thriftwood.costs.answers import cheapest
from thriftwood.models.asked import AskedModel, Came
from thriftwood.models.ledger import FloatArray, Mask
from thriftwood.models.members import asked_by_trees, shares_of_members
from thriftwood.models.model import Part
from thriftwood.models.tree.tree import Tree


class LearntColumns(NamedTuple):
    """The columns that a fitted estimator takes, as far as it says."""

    owner: str
    """The class of the estimator, for messages."""
    n_features: int | None
    names: tuple[str, ...] | None

    @classmethod
    def of(cls, estimator: Any) -> LearntColumns:
        """Read what scikit-learn calls fitted attributes."""
        named = getattr(estimator, "feature_names_in_", None)
        n_features = getattr(estimator, "n_features_in_", None)
        return cls(type(estimator).__name__, n_features, None if named is None else tuple(named))

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Their names; x0, x1, ... if they had none."""
        if self.n_features is None:
            raise TypeError(
                f"The base estimator of this {self.owner} does not say which columns it takes "
                "(n_features_in_), so there are no tests to charge. Write the bill of one that does."
            )
        return self.names or tuple(f"x{j}" for j in range(self.n_features))


class EnsembleModel(AskedModel):
    """Several models that are all asked: trees of ours, which share an encoder, or any fitted classifiers.

    A case pays for the tests that any of them asks, each once; for all columns if they are not trees of ours.

    Parameters
    ----------
    members : sequence of Tree, or of fitted classifiers
        Who is asked.
    learnt : LearntColumns
        The columns of the tables they learnt from.
    classes : array
        Class labels, sorted.
    costs : Costs, optional
        What tests and mistakes cost.
    weights : array of shape (n_members,), optional
        How much what each says counts in the shares; None: the shares are the mean.
    votes : bool
        Whether members are for their answer alone; otherwise they give the shares of the classes.
    loss : array of shape (n_classes, n_classes), optional
        What answers cost, ``[actual, predicted]``: the cheapest by the shares is answered. None: the class
        with the largest share.
    further : tuple of str
        The answers that are no class, for which the loss has further columns.
    """

    kind: ClassVar[str] = "ensemble"
    classes: NDArray[Any]

    def __init__(
        self,
        members: Sequence[Any],
        learnt: LearntColumns,
        classes: NDArray[Any],
        costs: Costs | None = None,
        *,
        weights: FloatArray | None = None,
        votes: bool = False,
        loss: FloatArray | None = None,
        further: tuple[str, ...] = (),
    ) -> None:
        self.members = members
        self.learnt = learnt
        self.classes = classes
        self.costs = costs
        self.weights, self.votes, self.loss = weights, votes, loss
        self.further = further
        if isinstance(members[0], Tree):
            self.encoder = members[0].encoder

    @property
    def decides_by_name(self) -> bool:  # type: ignore[override]
        """Whether `decide` takes a case as a mapping: if the members are trees of ours."""
        return self.of_trees

    @property
    def of_trees(self) -> bool:
        """Whether the members are trees of ours."""
        return isinstance(self.members[0], Tree)

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        """The names of the features; x0, x1, ... if the table had none."""
        return self.learnt.feature_names

    @cached_property
    def trees(self) -> list[Tree]:
        """The members, if they are trees of ours; otherwise none."""
        return list(self.members) if self.of_trees else []

    @property
    def parts(self) -> tuple[Part, ...]:
        """The members, if they are trees of ours."""
        return tuple(Part(f"tree {number}", tree) for number, tree in enumerate(self.trees, 1))

    @cached_property
    def tests(self) -> NDArray[np.int32]:
        """The numbers of the features that any member tests, in the order of the columns; all, if unknown."""
        if not self.of_trees:
            return np.arange(self.n_features, dtype=np.int32)
        return np.unique(np.concatenate([tree.tests for tree in self.trees]))

    @property
    def features_asked(self) -> tuple[str, ...]:
        """The features that a case may be asked for, surrogates included."""
        asked = {name for tree in self.trees for name in tree.features_asked} | set(self.features_used)
        return tuple(name for name in self.feature_names if name in asked)

    def table(self, X: Any) -> Any:
        """Read a table: encoded for trees of ours, as it came for other members."""
        return super().table(X) if self.of_trees else self.setup.prepared(X)

    def said(self, table: Any, n_threads: int | None = None) -> Iterator[FloatArray]:
        """Give what each member says of the rows of a table that was read."""
        threads = self.threads(n_threads)
        return shares_of_members(self.members, table, self.classes, votes=self.votes, n_threads=threads)

    def shares_of(self, table: Any, n_threads: int | None = None) -> FloatArray:
        """Give the share of each class in what the members say, for every row of a table that was read."""
        found = self.said(table, n_threads)
        if self.weights is None:
            return np.asarray(sum(found) / len(self.members))
        return np.asarray(sum(weight * own for weight, own in zip(self.weights, found, strict=True)))

    def answers_of(self, table: Any, n_threads: int | None = None) -> NDArray[np.int32]:
        """Give the number of the class that is answered to each row of a table that was read."""
        return cheapest(self.shares_of(table, n_threads), self.loss)

    def asked(self, table: Any, costs: Costs, n_threads: int | None = None) -> Mask:
        """Tell which tests each case is asked by any of the members."""
        if self.of_trees:
            return asked_by_trees(self.trees, table, costs, self.threads(n_threads))
        return super().asked(table, costs, n_threads)

    def came(self, table: Any) -> Came:
        """Return a table that was read as it came, for members that are not trees of ours."""
        return Came(table, self.learnt.names)
