"""Strangers: functions of a native program that no recorded run called.

Nobody knows what they stand for, and watching them costs nothing while the program runs as long as they are
not called; finding 1,000 among 10,000 functions takes .3 ms at the start, in exported C. A run that calls one
does what no recorded run did; so all of them together are one thing to count, which no tree asks for and
every label has at 0 (`thriftwood.clarify.normal`). Python programs have none: there each function that is
watched takes time when its module is loaded, called or not.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, hstack

from thriftwood.clarify.bodies import read_sleds
from thriftwood.clarify.builds import owner
from thriftwood.clarify.counting import PatternTable
from thriftwood.clarify.patterns import Pattern, Sign
from thriftwood.clarify.profile import ProfileError
from thriftwood.clarify.store import Recording, Run

MOST_STRANGERS = 1000


def strangers_of(
    recording: Recording, build: Mapping[str, str], called: Collection[str], learnt_from: Collection[Run]
) -> tuple[str, ...]:
    """List the functions that could be watched and that no run called; at most so many, in their order.

    Parameters
    ----------
    recording : Recording
        All runs, also those without a label.
    build : mapping of str to str
        The identity of each file.
    called : collection of str
        What the runs called that are learnt from.
    learnt_from : collection of Run
        Those runs; their profiles have been read.
    """
    sleds = read_sleds(recording.folder)
    known = {f"{name}!{own}" for name, identity in build.items() for own in sleds.get(identity, ())}
    known -= set(called)
    read = {run.profile for run in learnt_from}
    for run in recording.runs:
        if known and run.profile is not None and run.profile not in read:
            known -= _called_by(recording, run)
    return tuple(sorted(known, key=place_among)[:MOST_STRANGERS])


def place_among(function: str) -> tuple[bool, str]:
    """Order strangers: those of libraries come last, for they may be many, and exported C cannot find them.

    Examples
    --------
    >>> sorted(["liba.so.1!f", "tcc!h", "tcc!g"], key=place_among)
    ['tcc!g', 'tcc!h', 'liba.so.1!f']
    """
    return ".so" in owner(function), function


def _called_by(recording: Recording, run: Run) -> frozenset[str]:
    try:
        return frozenset(recording.profile(run).calls)
    except ProfileError:  # nothing is learnt from this run, so a damaged file is no hindrance
        return frozenset()


def with_strangers(table: PatternTable, strangers: Sequence[str]) -> PatternTable:
    """Add a column for the calls of any of some functions, all 0, behind the last pattern.

    Examples
    --------
    >>> one = Pattern("count", ("tcc!f",))
    >>> table = PatternTable((one, Sign("ending", "exit 1")), csc_matrix([[2.0, 1.0]]), {"tcc!f": 2.0})
    >>> added = with_strangers(table, ["tcc!g", "tcc!h"])
    >>> [str(feature) for feature in added.patterns], added.counts.toarray().tolist()
    (['tcc!f', 'any of 2 functions', '[exit 1]'], [[2.0, 0.0, 1.0]])
    """
    if not strangers:
        return table
    n = sum(not isinstance(feature, Sign) for feature in table.patterns)
    parts = [table.counts[:, :n], csc_matrix((table.n_runs, 1)), table.counts[:, n:]]
    return PatternTable(
        (*table.patterns[:n], Pattern("any", tuple(strangers)), *table.patterns[n:]),
        hstack(parts, format="csc"),
        {**table.mean_calls, **dict.fromkeys(strangers, 0.0)},
    )


def place_of_strangers(table: PatternTable) -> int | None:
    """Return the place of the column that `with_strangers` added, None if it added none."""
    for place, feature in enumerate(table.patterns):
        if isinstance(feature, Pattern) and feature.kind == "any":
            return place
    return None


class Called(NamedTuple):
    """The calls of functions that are strangers to whoever has not seen the runs that call them."""

    counts: Any
    """A row per run, a column per function, functions in the order of strangers."""
    before: NDArray[np.intp]
    """How many functions that no run calls come before each in that order; only so many are watched."""

    def strangers(self, columns: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return those of some columns that would be watched if no run had called their functions."""
        return columns[self.before[columns] + np.arange(len(columns)) < MOST_STRANGERS]


def called_in(table: PatternTable, strangers: Sequence[str] = ()) -> Called:
    """Return the calls of single functions.

    Examples
    --------
    >>> f, g = Pattern("count", ("tcc!f",)), Pattern("count", ("tcc!g",))
    >>> table = PatternTable((g, f), csc_matrix([[2.0, 1.0]]), {"tcc!f": 1.0, "tcc!g": 2.0})
    >>> called = called_in(table, ["tcc!d", "tcc!f2"])
    >>> called.counts.toarray().tolist(), called.before.tolist()
    ([[1.0, 2.0]], [1, 2])
    """
    named = {
        feature.functions[0]: column
        for column, feature in enumerate(table.patterns)
        if isinstance(feature, Pattern) and feature.kind == "count"
    }
    functions = sorted(named, key=place_among)
    places = [place_among(name) for name in strangers]
    before = [bisect_left(places, place_among(name)) for name in functions]
    counts = table.counts[:, [named[name] for name in functions]].tocsr()
    return Called(counts, np.array(before, dtype=np.intp))


def lonely_calls(called: Called) -> NDArray[np.float64]:
    """Count, in each run, the calls of functions that no other run calls.

    Examples
    --------
    >>> counts = csc_matrix([[1.0, 0.0], [3.0, 0.0], [1.0, 4.0]]).tocsr()
    >>> lonely_calls(Called(counts, np.zeros(2, dtype=np.intp))).tolist()
    [0.0, 0.0, 4.0]
    """
    found = np.zeros(called.counts.shape[0])
    lonely = np.asarray((called.counts > 0).sum(axis=0)).ravel() == 1
    for run in range(len(found)):
        row = called.counts[run]
        own = called.strangers(np.sort(row.indices[(row.data > 0) & lonely[row.indices]]).astype(np.intp))
        found[run] = row[:, own].sum()
    return found


def strange_calls(called: Called, seen: NDArray[np.intp], unseen: NDArray[np.intp]) -> NDArray[np.float64]:
    """Count, in runs, the calls of functions that other runs do not call at all.

    Examples
    --------
    >>> counts = csc_matrix([[1.0, 0.0], [3.0, 0.0], [1.0, 4.0]]).tocsr()
    >>> called = Called(counts, np.zeros(2, dtype=np.intp))
    >>> strange_calls(called, np.array([0, 1]), np.array([1, 2])).tolist()
    [0.0, 4.0]
    """
    new = np.flatnonzero(np.asarray(called.counts[seen].sum(axis=0)).ravel() == 0)
    return np.asarray(called.counts[unseen][:, called.strangers(new)].sum(axis=1), dtype=np.float64).ravel()
