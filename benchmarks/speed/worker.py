"""Runs one case in this process and writes its outcome.

`python -m benchmarks.speed.worker REQUEST.json`: the command starts it with the number of threads already in
the environment, because most libraries read it once, when they are imported.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.speed import ours, peers, sample
from benchmarks.speed.cases import OURS, UNPRICED, Case, choose
from benchmarks.speed.contestant import Contestant, Job, NotInstalled, Work, accuracy
from benchmarks.speed.measure import Clock, calls_needed, interleave, memory_added
from benchmarks.speed.record import Entry, Outcome, Request, with_threads
from benchmarks.speed.sample import Sample

# A tree to predict with is grown on at most this many rows: growing it is not what is timed.
_MOST_ROWS_TO_GROW = 100_000

# Fits in one native call, enough to spread the cost of the call over.
_FITS_IN_A_CALL = 200


# Trees of an evolution, in all and in a quick run.
_TREES = {"icet": 1_000, "ecco": 20_000}
_QUICK_TREES = 100


@dataclass(frozen=True)
class Entrant:
    """A contestant with the call to time.

    `fits` trees are grown by one call; `fitted` says that it returns the model.
    """

    who: Contestant
    job: Job
    fits: int = 1
    fitted: bool = False


def run(request: Request) -> Outcome:
    """Measure the case of a request."""
    [case] = choose([request.case])
    rows = case.table.quick_rows if request.quick else case.table.rows
    if case.kind == "memory":
        return _memory(case, rows, request)
    if case.kind == "streamed":
        return _streamed(case, rows, request)
    table = sample.make(case.table.name, rows, seed=1, quick=request.quick)
    held_out = sample.make(case.table.name, min(rows, 20_000), seed=2, quick=request.quick)
    clock: Clock = "wall" if case.kind == "scaling" or request.threads != 1 else "cpu"

    entries: dict[str, Entry] = {}
    entrants: dict[str, Entrant] = {}
    calls: dict[str, int] = {}
    for name, threads in _field(case, request).items():
        try:
            entrants[name] = _enter(case, name, table, Work(case.depth, case.bins, threads), request.quick)
            calls[name] = calls_needed(entrants[name].job, clock)  # warms it up, too
        except NotInstalled as error:
            entries[name] = Entry("not installed", detail=str(error))
        except Exception as error:  # whatever a library raises belongs in the table; the others go on
            entries[name] = Entry("failed", detail=f"{type(error).__name__}: {error}")

    jobs = {name: (entrants[name].job, calls[name]) for name in calls}
    seconds, last = interleave(jobs, min(request.rounds, case.most_rounds), clock)
    for name in jobs:
        entrant = entrants[name]
        each = [taken / entrant.fits for taken in seconds[name]]
        entries[name] = Entry("ok", entrant.who.version, seconds=each)
        if entrant.fitted:
            predicted = entrant.who.predictor(last[name], table, held_out.X)()
            entries[name].accuracy = accuracy(predicted, held_out.y)
    return _outcome(request, clock, table, entries)


def _outcome(request: Request, clock: str, table: Sample, entries: dict[str, Entry]) -> Outcome:
    rows, columns = table.X.shape
    return Outcome(request.case, request.quick, request.threads, clock, rows, columns, entries)


def _field(case: Case, request: Request) -> dict[str, int]:
    """Who takes part, with how many threads each."""
    if case.kind == "scaling":
        return {with_threads(1): 1, with_threads(2): 2}
    if case.kind == "priced fit":
        return {OURS: request.threads, UNPRICED: request.threads}
    return dict.fromkeys([OURS, *(peer for peer in case.peers if peer in request.peers)], request.threads)


def _enter(case: Case, name: str, table: Sample, work: Work, quick: bool) -> Entrant:
    is_ours = name in (OURS, UNPRICED, with_threads(2))
    who: Contestant = ours.Ours() if is_ours else peers.enter(name)
    if case.kind == "many fits" and is_ours:
        return Entrant(who, ours.many_small_fits(table, work, _FITS_IN_A_CALL), fits=_FITS_IN_A_CALL)
    if case.kind == "priced fit":
        return Entrant(who, ours.priced_fit(table, work, blind=name == UNPRICED), fitted=True)
    if case.kind == "evolution":
        trees = _QUICK_TREES if quick else _TREES[case.name]
        job = (
            ours.evolving(case.name, table, work, trees)
            if is_ours
            else _again(who.fitter(table, work), trees)
        )
        return Entrant(who, job, fits=1 if case.name == "icet" else trees)  # a run, or a tree of it
    if case.kind == "look-ahead":
        job = ours.stacking(table, work) if case.name == "cocost" else ours.looking_ahead(table, work)
        return Entrant(who, job, fitted=True)
    if case.kind in ("fit", "scaling", "many fits"):
        return Entrant(who, who.fitter(table, work), fitted=True)
    grown_on = table.head(_MOST_ROWS_TO_GROW)
    model = who.fitter(grown_on, work)()
    if case.kind == "predict":
        return Entrant(who, who.predictor(model, grown_on, table.X))
    if case.kind == "predict codes":
        job = (
            ours.predicting_codes(grown_on, table.X, work)
            if is_ours
            else who.predictor(model, grown_on, table.X)
        )
        return Entrant(who, job)
    if case.kind == "one dictionary" and is_ours:
        return Entrant(who, ours.deciding(model, grown_on))
    if case.kind in ("one row", "one dictionary"):
        return Entrant(who, who.predictor(model, grown_on, table.X[:1]))
    return Entrant(who, who.own_one_row(model, table.X[:1]))


def _again(job: Job, times: int) -> Job:
    def loop() -> None:
        for _ in range(times):
            job()

    return loop


def _memory(case: Case, rows: int, request: Request) -> Outcome:
    """Peak memory of our fit. The table is made elsewhere: making it takes more memory than the fit."""
    with tempfile.TemporaryDirectory() as folder:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as maker:
            maker.submit(_save_table, folder, case.table.name, rows, request.quick).result()
        table = Sample(np.load(Path(folder) / "X.npy"), np.load(Path(folder) / "y.npy"))
    work = Work(case.depth, case.bins, request.threads)
    who = ours.Ours()
    who.fitter(table.head(1_000), work)()
    added = memory_added(who.fitter(table, work))
    entry = Entry("ok", who.version, bytes=added)
    return _outcome(request, "none", table, {OURS: entry})


def _streamed(case: Case, rows: int, request: Request) -> Outcome:
    """Peak memory and time of the command that predicts a file; the file is made elsewhere."""
    work = Work(case.depth, case.bins, request.threads)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as maker:
            columns = maker.submit(ours.write_file, place, case.table.name, rows, work).result()
        job = ours.streaming(place)
        start = time.process_time()
        added = memory_added(job)
        entry = Entry("ok", ours.Ours().version, bytes=added, seconds=[time.process_time() - start])
    return Outcome(request.case, request.quick, request.threads, "cpu", rows, columns, {OURS: entry})


def _save_table(folder: str, name: str, rows: int, quick: bool) -> None:
    table = sample.make(name, rows, seed=1, quick=quick)
    np.save(Path(folder) / "X.npy", table.X)
    np.save(Path(folder) / "y.npy", table.y)


def main(arguments: list[str]) -> None:
    """Read the request, measure, write the outcome where the request says."""
    content: dict[str, Any] = json.loads(Path(arguments[0]).read_text())
    request = Request(**content)
    Path(request.outcome).write_text(json.dumps(asdict(run(request))))


if __name__ == "__main__":
    main(sys.argv[1:])
