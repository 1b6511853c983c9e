"""What the evolved trees share: fit reads as encode, evolve, decode, wrap."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.base.advice import advised
from thriftwood.base.callers import callers_level
from thriftwood.base.interrupts import ends_all
from thriftwood.base.parameters import Rule, check
from thriftwood.base.remedies import InPython
from thriftwood.costs.further import refuse_further
from thriftwood.costs.reasonable import warn_if_unreasonable
from thriftwood.evolution.evolution import Evolution, Genome
from thriftwood.evolution.progress import ProgressCallback, progress_callback
from thriftwood.learning.class_tree import ClassTree
from thriftwood.learning.estimator import Prepared
from thriftwood.learning.growth import Growth
from thriftwood.learning.problem import Problem
from thriftwood.learning.pruning import Pruning
from thriftwood.learning.targets import class_labels, training_weights
from thriftwood.table import Encoded, Encoder
from thriftwood.table.native import core_table
from thriftwood.table.results import to_frame

G = TypeVar("G", bound=Genome)


class Found(NamedTuple, Generic[G]):
    """The result of an evolution."""

    genome: G
    evolved: _core.Evolved
    string: str
    cost: float
    kept: str
    """Which string that is, in words."""
    tree: _core.Tree


class EvolvedTree(ClassTree, Generic[G]):
    """The common part of `IcetClassifier` and `EccoClassifier`."""

    grows_one_tree = False
    rules: ClassVar[Mapping[str, Rule]]

    # Trees come from strings: nothing grows, so there is no growth or pruning to set.
    growth: Growth | None = None
    pruning: Pruning | None = None

    evolution: Evolution | None
    progress: bool | ProgressCallback

    _history: dict[str, NDArray[Any]]
    best_cost_: float
    n_trials_: int
    ended_: str
    string_: str

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **others: Any) -> Self:
        """Evolve a tree.

        Parameters
        ----------
        X : array, frame, sparse matrix or list of rows, of shape (n_rows, n_features)
            The cases. Text and unordered categories are nominal, NaN, None and NA are missing.
        y : array-like of shape (n_rows,)
            Their classes.
        sample_weight : array-like of shape (n_rows,), optional
            How much each case counts; one of weight 0 does not at all.
        **others
            None: anything else, such as `error_costs`, is refused.

        Returns
        -------
        self
            After Ctrl-C: with the best tree so far (or as `keep` of `Evolution` says), and a warning.
        """
        for name in others:
            raise TypeError(_not_taken(type(self).__name__, name))
        stop = self.checked_evolution().stop()  # time runs from here
        prepared = self.prepare(X, y, sample_weight)
        found = self._found(prepared.problem, stop)
        if found.evolved.ended == "interrupt":
            if ends_all():
                raise KeyboardInterrupt
            said = f"Ctrl-C was pressed; kept is {found.kept}. "
            warnings.warn(advised(UserWarning, said, InPython("See history_.")), stacklevel=callers_level())
        self.set_fitted(prepared, found.tree)
        self._remember(found)
        return self

    @property
    def history_(self) -> Any:
        """What the generations cost, as a frame; made when it is asked for, so that files need no frames."""
        return to_frame(self._history)

    def plot_history(self, ax: Any = None) -> Any:
        """Draw how the costs fell; the same as ``tw.plot_history(model)``."""
        from thriftwood import plot_history  # a higher room: asked for when it is called

        return plot_history(self, ax)

    def set_params(self, **params: Any) -> Self:
        """Set parameters; ``evolution__trials=5000`` reaches into `evolution`, also when that is None so far.

        Returns
        -------
        self
        """
        reaches_in = any(name.startswith("evolution__") for name in params)
        if reaches_in and params.get("evolution", self.evolution) is None:
            params["evolution"] = Evolution()
        super().set_params(**params)
        return self

    @abstractmethod
    def make_genome(self, problem: Problem, stop: _core.Stop) -> G:
        """Return the decoder of strings; Ctrl-C raises KeyboardInterrupt here, as there is no tree yet."""

    @abstractmethod
    def _tree(self, genome: G, string: str) -> _core.Tree:
        """Return the finished tree of a string."""

    def _found(self, problem: Problem, stop: _core.Stop) -> Found[G]:
        genome, evolution = self.make_genome(problem, stop), self.checked_evolution()
        with progress_callback(self.progress, evolution.time_budget) as tell:
            evolved = evolution.run(genome, problem.random_state, self.thread_count(), tell, stop)
        string, cost = evolved.best, evolved.cost
        kept = f"the best of the {evolved.trials} trees tried"
        if evolution.keep == "last" and evolved.trials >= evolution.population:
            string, cost = evolved.last, evolved.last_cost
            kept = f"the best of the last whole generation; {evolved.trials} trees were tried"
        return Found(genome, evolved, string, cost, kept, self._tree(genome, string))

    def grow_tree(self, problem: Problem) -> _core.Tree:
        """Evolve the tree of a problem, one of many; Ctrl-C ends all of them."""
        found = self._found(problem, self.checked_evolution().stop())
        if found.evolved.ended == "interrupt":
            raise KeyboardInterrupt
        return found.tree

    def _remember(self, found: Found[G]) -> None:
        """Set the fitted attributes that describe the evolution."""
        evolved = found.evolved
        best, mean = evolved.generation_best, evolved.generation_mean
        self._history = {
            "generation": np.arange(1, len(best) + 1),
            "best_cost": best,
            "mean_cost": mean,
            "best_so_far": np.minimum.accumulate(best),
        }
        self.best_cost_ = found.cost
        self.n_trials_ = evolved.trials
        self.ended_ = evolved.ended
        self.string_ = found.string

    def prepare(
        self, X: Any, y: Any, sample_weight: Any, encoding: tuple[Encoder, Encoded] | None = None
    ) -> Prepared:
        """Check the parameters, encode the table, and state the problem in terms of the core."""
        check(self, self.rules)
        encoder, encoded = encoding or self.fit_encoder(X)
        self._check_columns(encoder, encoded)
        classes, labels = class_labels(y, encoded.n_rows)
        errors = self._error_costs(classes)
        if errors is not None:
            refuse_further(self._further_answers(classes), self.owner)
            warn_if_unreasonable(errors, classes)
        problem = Problem(
            encoded=encoded,
            encoder=encoder,
            table=core_table(encoded, encoder),
            settings=_core.Settings(),
            labels=labels,
            n_classes=len(classes),
            weights=training_weights(sample_weight, encoded.n_rows),
            loss=errors,
            random_state=self.random_state,
            costs=self.costs,
        )
        return Prepared(problem, encoder, classes)

    def checked_evolution(self) -> Evolution:
        """Return `evolution`, or the default one; an error if it is something else."""
        if self.evolution is None:
            return Evolution()
        if not isinstance(self.evolution, Evolution):
            raise TypeError(
                f"The 'evolution' parameter of {type(self).__name__} must be an Evolution, such as "
                "tw.Evolution(trials=5000), or None. "
                f"Got {self.evolution!r} of type {type(self.evolution).__name__}."
            )
        return self.evolution


def _not_taken(owner: str, name: str) -> str:
    if name == "error_costs":
        return (
            f"{owner}.fit takes no error_costs: trees evolve by what mistakes cost by class, "
            "costs=tw.Costs(errors=...). By row they are for CostTreeClassifier, CostForestClassifier and "
            "CheapestAnswer."
        )
    return f"{owner}.fit takes X, y and sample_weight, and no {name!r}."
