"""Strangers: functions of a native program that no recorded run called.

Nobody knows what they stand for, and watching them costs nothing while the program runs as long as they are
not called; finding 1,000 among 10,000 functions takes .3 ms at the start, in exported C. A run that calls one
does what no recorded run did; so all of them together are one thing to count, which no tree asks for and
every label has at 0 (`thriftwood.clarify.normal`). Python programs have none: there each function that is
watched takes time when its module is loaded, called or not.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, hstack

from thriftwood.clarify.bodies import read_sleds
from thriftwood.clarify.counting import PatternTable
from thriftwood.clarify.patterns import Pattern, Sign
from thriftwood.clarify.profile import ProfileError
from thriftwood.clarify.store import Recording, Run

MOST_STRANGERS = 1000


def strangers_of(
    recording: Recording, build: Mapping[str, str], called: Collection[str], learnt_from: Collection[Run]
) -> tuple[str, ...]:
    """List the functions that could be watched and that no run called; at most so many, by name.

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
    return tuple(sorted(known)[:MOST_STRANGERS])


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


def called_in(table: PatternTable) -> Any:
    """Return the columns of the calls of single functions, a row per run."""
    columns = [
        place
        for place, feature in enumerate(table.patterns)
        if isinstance(feature, Pattern) and feature.kind == "count"
    ]
    return table.counts[:, columns].tocsr()


def lonely_calls(called: Any) -> NDArray[np.float64]:
    """Count, in each run, the calls of functions that no other run calls.

    Examples
    --------
    >>> called = csc_matrix([[1.0, 0.0], [3.0, 0.0], [1.0, 4.0]]).tocsr()
    >>> lonely_calls(called).tolist()
    [0.0, 0.0, 4.0]
    """
    lonely = np.flatnonzero(np.asarray((called > 0).sum(axis=0)).ravel() == 1)
    return np.asarray(called[:, lonely].sum(axis=1), dtype=np.float64).ravel()


def strange_calls(called: Any, seen: NDArray[np.intp], unseen: NDArray[np.intp]) -> NDArray[np.float64]:
    """Count, in runs, the calls of functions that other runs do not call at all.

    Examples
    --------
    >>> called = csc_matrix([[1.0, 0.0], [3.0, 0.0], [1.0, 4.0]]).tocsr()
    >>> strange_calls(called, np.array([0, 1]), np.array([1, 2])).tolist()
    [0.0, 4.0]
    """
    new = np.asarray(called[seen].sum(axis=0)).ravel() == 0
    return np.asarray(called[unseen][:, np.flatnonzero(new)].sum(axis=1), dtype=np.float64).ravel()
