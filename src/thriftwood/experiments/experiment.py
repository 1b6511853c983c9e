"""`Experiment`: what every published experiment can do here, and `Report`, what comes of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar

from thriftwood.base.interrupts import ending_all
from thriftwood.base.parameters import nearest
from thriftwood.experiments.comparison import Comparison
from thriftwood.experiments.storage import Store
from thriftwood.experiments.tradeoffs import Tradeoffs

Record: TypeAlias = Mapping[str, Any]
"""The result of a trial: what JSON can hold."""

Progress: TypeAlias = Callable[[int, int, str], object]
"""Called with the number of trials done, the number of all, and the name of the next or last one."""


@dataclass(frozen=True, slots=True)
class Options:
    """Where a run finds and keeps things; nothing here changes its figures.

    Parameters
    ----------
    data_dir : path, optional
        The folder of data files, as for `load_dataset`.
    folder : path, optional
        Where finished trials are stored, for a later run to go on from. None: nowhere.
    n_jobs : int
        Number of threads; 0: one per core.
    """

    data_dir: Path | None = None
    folder: Path | None = None
    n_jobs: int = 0


@dataclass(frozen=True, slots=True)
class Trial:
    """A part of an experiment that is run and stored as a whole."""

    key: str
    """Tells it apart from all others with the same settings."""
    title: str
    """What progress calls it."""
    perform: Callable[[], Record]


@dataclass(frozen=True, slots=True)
class Report:
    """What an experiment found.

    Parameters
    ----------
    comparisons : tuple of Comparison
        Our tables beside the published ones.
    notes : tuple of str
        How it was read and what to know about the figures, one sentence or more each.
    tradeoffs : Tradeoffs, optional
        What accuracy costs with each learner: for a picture and a file.
    """

    comparisons: tuple[Comparison, ...]
    notes: tuple[str, ...] = ()
    tradeoffs: Tradeoffs | None = None


class NamedTable(Protocol):
    """What trials are about."""

    @property
    def name(self) -> str:
        """Of the data set."""

    @property
    def digest(self) -> str:
        """Changes with the content."""


Of = TypeVar("Of", bound=NamedTable)


def numbered(tables: Sequence[Of], trials: int, perform: Callable[[Of, int], Record]) -> list[Trial]:
    """List so many trials of every table, numbered from 0, table by table."""
    return [
        Trial(
            key=f"{table.name}/{table.digest}/{number}",
            title=f"{table.name} {number + 1}",
            perform=partial(perform, table, number),
        )
        for table in tables
        for number in range(trials)
    ]


class Experiment(ABC):
    """A published experiment that can be run again.

    Subclasses are frozen dataclasses whose fields are the settings of the experiment, with the published
    values as defaults.
    """

    name: ClassVar[str]
    sentence: ClassVar[str]
    """What it does."""
    reference: ClassVar[str]

    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """Return what decides the result of each trial, as JSON values; the number of trials does not."""

    @abstractmethod
    def planned(self, options: Options) -> Sequence[Trial]:
        """Check everything, load the data and list the trials."""

    @abstractmethod
    def report(self, records: Sequence[Record]) -> Report:
        """Sum up the records of all trials, in the order of `planned`."""

    def run(self, options: Options | None = None, progress: Progress | None = None) -> Report:
        """Run the trials that are not stored yet, store each, and report on all.

        Parameters
        ----------
        options : Options, optional
            Where things are; None: nothing is stored.
        progress : callable, optional
            See `Progress`.

        Raises
        ------
        ValueError
            When a setting is out of bounds, or data or a stored file cannot be used.
        KeyboardInterrupt
            On Ctrl-C. Finished trials are stored: the same run goes on from there.
        """
        options = options or Options()
        trials = self.planned(options)
        known: dict[str, Record] = {}
        store = Store.open(options.folder, self.name, self.settings()) if options.folder else None
        if store is not None:
            known.update(store.records)
        done = sum(trial.key in known for trial in trials)
        tell = progress or _silent
        for trial in trials:
            if trial.key in known:
                continue
            tell(done, len(trials), trial.title)
            with ending_all():  # half a trial would be stored as a whole one
                known[trial.key] = record = trial.perform()
            if store is not None:
                store.add(trial.key, record)
            done += 1
        if trials:
            tell(done, len(trials), trials[-1].title)
        return self.report([known[trial.key] for trial in trials])

    def _check_least(self, **bounds: int) -> None:
        """Refuse settings below their least value."""
        for name, least in bounds.items():
            value = getattr(self, name)
            if value < least:
                raise ValueError(f"{self.name} needs {name} of at least {least}. Got {value}.")

    def _check_choice(self, name: str, choices: Sequence[str]) -> None:
        """Refuse a setting that is none of the choices."""
        if (word := getattr(self, name)) not in choices:
            raise ValueError(f"{self.name} needs {name} to be one of {', '.join(choices)}. Got {word!r}.")

    def _check_data_sets(
        self, given: Sequence[str], known: Collection[str], called: str = "data set"
    ) -> None:
        """Refuse unknown data sets, or whatever they are called, none, and one given twice."""
        unknown = [name for name in given if name not in known]
        if unknown or not given:
            came = f"Got {unknown[0]!r}.{nearest(unknown[0], known)}" if unknown else "Got none."
            raise ValueError(f"{self.name} has the {called}s {', '.join(known)}. {came}")
        if len(set(given)) < len(given):
            raise ValueError(f"{self.name} was given a {called} twice: {', '.join(given)}.")


def _silent(done: int, total: int, title: str) -> None:
    """Report progress to nobody."""
