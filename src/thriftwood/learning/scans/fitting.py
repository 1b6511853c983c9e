"""`fit_scan`: an estimator learns from a table that need not fit in memory."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from thriftwood import _core
from thriftwood.base.advice import Part, advised
from thriftwood.base.progress import Progress, bar, reported
from thriftwood.base.remedies import InPython, SetParameter, TreatMissing
from thriftwood.datasets.scans import Scan
from thriftwood.datasets.scans.source import FileState, changed_file
from thriftwood.learning.criteria import facts_of
from thriftwood.learning.scans.cache import CodeCache, DamagedError, Place, load_cache, writing
from thriftwood.learning.scans.coding import Coder, place_of, survey_from_json, write_codes
from thriftwood.learning.scans.counted import CountedTable, Limits
from thriftwood.learning.scans.survey import Survey, survey

if TYPE_CHECKING:
    from thriftwood.learning.estimator import CostTree, Prepared
    from thriftwood.learning.pruning import Pruning

_UNITS = {
    "B": 1,
    "KB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "TB": 10**12,
    "KIB": 2**10,
    "MIB": 2**20,
    "GIB": 2**30,
    "TIB": 2**40,
}
_LEAST_MEMORY = 10**6
MANY_ROWS = 1 << 31
"""Growth(bins="auto") uses bins in tables of so many rows, and so does every table that is counted."""


def bytes_of(memory: int | str) -> int:
    """Read a size such as "2GB", or a number of bytes.

    Examples
    --------
    >>> bytes_of("2GB"), bytes_of("512 MiB"), bytes_of(10_000_000)
    (2000000000, 536870912, 10000000)
    """
    if isinstance(memory, str):
        found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?I?B)?\s*", memory.upper())
        if found is None:
            raise ValueError(f"memory is a size such as '2GB' or '512MB'. Got {memory!r}.")
        memory = int(float(found[1]) * _UNITS[found[2] or "B"])
    if isinstance(memory, bool) or not isinstance(memory, int):
        raise TypeError(f"memory is a size such as '2GB', or a number of bytes. Got {memory!r}.")
    if memory < _LEAST_MEMORY:
        raise ValueError(f"memory must be at least 1 MB. Got {memory:,} bytes.")
    return memory


class Passes:
    """Tells the progress of the passes over a table, in rows."""

    def __init__(self, tell: Callable[..., object] | None, n_rows: int, *, named: bool) -> None:
        self._tell, self._n_rows, self._named = tell, n_rows, named
        self.passes = 0
        self._last = 0

    def start(self, what: str) -> Callable[[int], None]:
        """Begin a kind of pass; the function hears how many rows of a pass were seen."""
        self._last = 0

        def seen(rows: int) -> None:
            if rows <= self._last or not self._last:
                self.passes += 1
            self._last = rows
            if self._tell is not None:
                now = [f"pass {self.passes}: {what}"] if self._named else []
                self._tell(rows, self._n_rows, *now)

        return seen


def checked_memory(scan: Scan, memory: int | str) -> int:
    """Return the bytes that there are; an error if they are too few, or if there is no scan."""
    if not isinstance(scan, Scan):
        raise TypeError(f"fit_scan takes what tw.scan returns. Got {type(scan).__name__}.")
    return bytes_of(memory)


@contextmanager
def told_passes(scan: Scan, progress: bool | Progress) -> Iterator[Passes]:
    """Give what tells the progress of passes."""
    shown = progress is True
    with bar("rows") if shown else reported(progress, "rows") as tell:
        yield Passes(tell, scan.n_rows, named=shown)


def fit_scan(
    model: CostTree,
    scan: Scan,
    *,
    memory: int | str,
    cache: str | PathLike[str] | None,
    progress: bool | Progress,
) -> tuple[Prepared, _core.Tree]:
    """Grow and prune the tree of a scan: the problem, and the tree."""
    budget = checked_memory(scan, memory)
    bins = checked_bins(model)
    with ExitStack() as stack:
        passes = stack.enter_context(told_passes(scan, progress))
        codes, seen = stack.enter_context(_coded(model, scan, bins, cache, passes))
        prepared = prepare_counted(model, seen, codes, budget, passes.start("counting"))
        return prepared, model.grow_tree(prepared.problem)


@contextmanager
def _coded(
    model: CostTree, scan: Scan, bins: int, cache: str | PathLike[str] | None, passes: Passes
) -> Iterator[tuple[CodeCache, Survey]]:
    """Give the codes of a scan: from the cache if they are there, else written anew."""
    regression = model.predicts_numbers
    before = scan.source.files()
    place = None
    if cache is not None and before is not None:
        place = place_of(Path(cache), scan, before, model.nominal_features, bins, regression=regression)
    kept = None if place is None else _kept(place)
    if kept is not None:
        found = survey_from_json(kept.about["survey"], model.owner)
        refuse(model, found)
        yield kept, found
        return
    with unchanged(scan, before):
        found = survey(
            scan,
            model.owner,
            model.nominal_features,
            regression=regression,
            cut=lambda sample: _core.bin_edges(sample, bins),
            tell=passes.start("looking"),
        )
    refuse(model, found)
    coder = Coder(found)
    with writing(place, coder.layout.file_bytes(found.n_cases)) as folder:
        with unchanged(scan, before):
            codes = write_codes(scan, coder, folder, passes.start("coding"))
        if folder is not None:
            codes = load_cache(folder)  # before another fit can replace it; what is open can be read on
    yield codes, found


def _kept(place: Place) -> CodeCache | None:
    """Open the cache that lies there; None: there is none, or it is damaged."""
    if not place.final.is_dir():
        return None
    try:
        return load_cache(place.final)
    except DamagedError:
        return None  # it is written anew


@contextmanager
def unchanged(scan: Scan, before: tuple[FileState, ...] | None) -> Iterator[None]:
    """Raise if a file is not as it was before: what else went wrong came of that."""
    try:
        yield
    except (ValueError, OSError):
        _check_unchanged(scan, before)
        raise
    _check_unchanged(scan, before)


def _check_unchanged(scan: Scan, before: tuple[FileState, ...] | None) -> None:
    if before is None:
        return
    try:
        changed = changed_file(before, scan.source.files() or ())
    except FileNotFoundError as error:
        changed = error.filename
    if changed is not None:
        raise ValueError(f"{changed} changed while it was learnt from. Fit again when it no longer does.")


def checked_bins(model: CostTree) -> int:
    """Return the number of bins; an error if the estimator cannot learn from counts."""
    if hasattr(model, "partial_fit"):
        raise advised(
            ValueError,
            f"{type(model).__name__} learns case by case and needs no scan. ",
            InPython("Call partial_fit with frames of some rows each."),
        )
    if not model.grows_one_tree:
        raise advised(
            ValueError,
            f"{type(model).__name__} does not grow one tree from counts of cases, so it learns from tables "
            "in memory. ",
            InPython("Use a CostTreeClassifier, or a sample."),
        )
    rule = model.checked_pruning()
    if rule is not None and rule.needs_cases:
        raise advised(
            ValueError,
            f"{rule!r} prunes with the cases themselves, and a table that is read in parts is counted only. ",
            *instead_of(rule),
        )
    facts = facts_of(model.checked_criterion())
    if facts.samples:
        raise advised(
            ValueError,
            f"criterion={facts.name!r} grows trees on samples of the cases, and a table that is read in "
            "parts is counted only. ",
            InPython("Fit on a sample in memory."),
        )
    bins = model.core_settings(MANY_ROWS).bins
    if not bins:
        raise model.checked_growth().exact_error(facts.name)
    return bins


def instead_of(rule: Pruning) -> tuple[Part, ...]:
    """Say what prunes from counts."""
    if "subtree_raising" in rule.get_params():
        return (SetParameter("subtree_raising", (False,)), ": the same from counts.")
    return (
        InPython("Use CostComplexity(alpha=...), MDL(), ExpectedCost(), ExpectedLoss() or no pruning. "),
        SetParameter("pruning", (None,)),
        ".",
    )


def refuse(model: CostTree, found: Survey) -> None:
    """Raise if missing values are to be treated in a way that counts cannot."""
    if found.first_missing is None:
        return
    missing = model.checked_growth().missing
    row, j = found.first_missing
    label = found.encoder.columns[j].label
    if missing == "error":
        raise advised(
            ValueError,
            f"Input X contains NaN.\n{label} has no value in row {row}, and ",
            TreatMissing(model.owner, "id3", ("branch", "majority")),
            ".",
        )


def prepare_counted(
    model: CostTree, seen: Survey, codes: CodeCache, memory: int, tell: Callable[[int], None] | None
) -> Prepared:
    """State the problem in terms of the core."""
    coder = Coder(seen)
    limits = limits_of(model, coder, memory)
    check_fits(model, seen, limits)

    def counted(class_weights: np.ndarray[Any, np.dtype[np.float64]] | None) -> CountedTable:
        n_classes = 0 if seen.classes is None else len(seen.classes)
        coding = _core.Coding(
            coder.columns(),
            n_classes,
            seen.largest is not None,
            class_weights,
            grid_of(seen, class_weights),
            number_grid_of(seen),
        )
        return CountedTable(coding, list(shards_of(coding, codes)), codes.n_cases, limits, tell)

    return model.prepare_counted(seen.encoder, seen.n_rows, seen.classes, seen.totals, counted)


def limits_of(model: CostTree, coder: Coder, memory: int) -> Limits:
    """Return how much a fit of these codes may hold at once."""
    max_depth = model.core_settings(MANY_ROWS).max_depth or None  # 0: no limit
    third = coder.survey.first_missing is not None and model.checked_growth().missing == "branch"
    binary = not third and all(isinstance(column, np.ndarray) for column in coder.columns())
    n_cases, row_bytes = coder.survey.n_cases, coder.layout.row_bytes
    return Limits.of(memory, n_cases, row_bytes, coder.cells, max_depth, binary)


def grid_of(seen: Survey, class_weights: Any) -> float:
    """Return what weights are multiples of, as the core does for a table in memory; 0: all are 1."""
    if seen.largest is None and class_weights is None:
        return 0.0
    largest = np.ones(len(seen.totals)) if seen.largest is None else seen.largest
    if class_weights is not None:
        return _core.exact_grid(seen.n_rows, float((largest * class_weights).max()))
    return _core.exact_grid(seen.n_rows, float(largest.max()), seen.common)


def number_grid_of(seen: Survey) -> tuple[float, float, float] | None:
    """Return what numbers to predict are multiples of, as the core does for a table in memory."""
    if seen.bounds is None:
        return None
    if seen.largest is None:
        return _core.number_grid(*seen.bounds, seen.n_rows)
    return _core.number_grid(*seen.bounds, seen.n_rows, grid_of(seen, None), float(seen.largest.max()))


def shards_of(coding: _core.Coding, codes: CodeCache) -> Iterator[_core.Shard]:
    """Give the blocks of a cache to the core."""
    n = len(codes.layout.codes)
    for rows, parts in codes.parts():
        weights = parts[n + 1] if codes.layout.weighted else None
        target = parts[n]
        labels, numbers = (target, None) if codes.layout.target == "u2" else (None, target)
        codes_of: list[Any] = parts[:n]
        yield _core.Shard(coding, rows, codes_of, labels, numbers, weights, True)


def check_fits(model: CostTree, seen: Survey, limits: Limits) -> None:
    """Raise if codes do not fit in memory and must: missing values that are shared."""
    if seen.n_cases <= limits.gathered_node:
        return
    if model.checked_growth().missing != "fractional" or seen.first_missing is None:
        return
    row, j = seen.first_missing
    raise advised(
        ValueError,
        f"{seen.encoder.columns[j].label} has no value in row {row}, and cases with missing values can be "
        "shared among branches only where all codes fit in memory. ",
        InPython("Use Growth(missing='branch') or Growth(missing='majority')."),
    )
