"""`Evolution`: how large a population is, how it is renewed, and when that ends."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Protocol

from sklearn.utils import check_random_state

from thriftwood import _core
from thriftwood.base.parameters import Choice, Flag, Real, Rule, Whole, check
from thriftwood.base.value_object import ValueObject
from thriftwood.evolution.progress import ProgressCallback

_MOST = 2**31 - 1


class Genome(Protocol):
    """A genome of the core: what strings decode to, and how they evolve."""

    def evolve(
        self,
        stop: _core.Stop,
        population: int,
        trials: int,
        crossover: float,
        gap: float,
        window: int,
        elitist: bool,
        patience: int,
        seed: int,
        n_threads: int = 1,
        progress: ProgressCallback | None = None,
    ) -> _core.Evolved:
        """Evolve strings."""


class Evolution(ValueObject):
    """How a population evolves; the defaults are those of GENESIS, which ICET and ECCO were run with.

    Parameters
    ----------
    population : int
        The number of strings in a generation.
    trials : int
        The number of strings judged in all; whole generations, so it is rounded up.
    crossover : float
        The part of a new generation that is crossed, in pairs.
    generation_gap : float
        The part of a generation that is replaced; strings drawn at random stay as they are.
    scaling_window : int
        How much better than the worst cost of so many generations a string is decides how many copies it
        gets.
    elitist : bool
        Whether the best string of a generation is in the next one, unchanged.
    keep : {"best", "last"}
        Which string makes the tree: the best of all trials, or the best of the last generation that was
        judged as a whole (of all trials, if none was). They differ where the same string costs more or less
        from trial to trial, as in ICET: the best of all was lucky, too.
    patience : int, optional
        Ends after so many generations without a better string. None: never.
    time_budget : float, optional
        Ends so many seconds after ``fit`` was called. None: never. The table is prepared and one string is
        judged in any case.

    Examples
    --------
    >>> Evolution(trials=5000, patience=20)
    Evolution(patience=20, trials=5000)

    References
    ----------
    Grefenstette 1986, Optimization of control parameters for genetic algorithms, IEEE Transactions on
    Systems, Man, and Cybernetics 16; Baker 1987, Reducing bias and inefficiency in the selection algorithm,
    ICGA
    """

    rules: ClassVar[dict[str, Rule]] = {
        "population": Whole(2, _MOST),
        "trials": Whole(1, 2**62),
        "crossover": Real(0.0, 1.0),
        "generation_gap": Real(0.0, 1.0, above=True),
        "scaling_window": Whole(1, _MOST),
        "elitist": Flag(),
        "keep": Choice(("best", "last")),
        "patience": Whole(1, _MOST, none=True),
        "time_budget": Real(0.0, above=True, below=True, none=True),
    }

    def __init__(
        self,
        population: int = 50,
        trials: int = 1000,
        *,
        crossover: float = 0.6,
        generation_gap: float = 1.0,
        scaling_window: int = 5,
        elitist: bool = True,
        keep: Literal["best", "last"] = "best",
        patience: int | None = None,
        time_budget: float | None = None,
    ) -> None:
        self.population = population
        self.trials = trials
        self.crossover = crossover
        self.generation_gap = generation_gap
        self.scaling_window = scaling_window
        self.elitist = elitist
        self.keep = keep
        self.patience = patience
        self.time_budget = time_budget

    def stop(self) -> _core.Stop:
        """Start the clock of `time_budget`.

        Raises
        ------
        ValueError
            When a parameter is out of its bounds; the message names it.
        """
        check(self, self.rules)
        return _core.Stop(self.time_budget)

    def run(
        self,
        genome: Genome,
        random_state: Any,
        n_threads: int,
        tell: ProgressCallback | None,
        stop: _core.Stop,
    ) -> _core.Evolved:
        """Evolve the strings of a genome, until `stop` at the latest."""
        return genome.evolve(
            stop,
            int(self.population),
            int(self.trials),
            float(self.crossover),
            float(self.generation_gap),
            int(self.scaling_window),
            bool(self.elitist),
            int(self.patience or 0),
            int(check_random_state(random_state).randint(_MOST)),
            n_threads,
            tell,
        )
