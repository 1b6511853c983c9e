"""From the survey of a scan to its codes, in a cache: the second pass."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.datasets.scans import Scan
from thriftwood.datasets.scans.source import FileState
from thriftwood.learning.scans.cache import CodeCache, CodeWriter, Layout, Place, save_about
from thriftwood.learning.scans.sampling import class_numbers
from thriftwood.learning.scans.survey import Batch, Survey, batches
from thriftwood.table import Encoder, Kind

FloatArray = NDArray[np.float64]
MOST_BYTE_CODES = 255
NUMBER_DIGITS = 8
"""What a sum of numbers to predict takes: as much as so many classes."""


class Coder:
    """Turns batches into codes, labels and weights, by what a survey found."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        self._binners = {j: _core.Binner(edges) for j, edges in survey.edges.items()}
        self._categories = {
            column.index: len(column.categories)
            for column in survey.encoder.coded_columns
            if column.kind is Kind.NOMINAL
        }

    @property
    def layout(self) -> Layout:
        """What a row is made of."""
        wide = [self._categories.get(j, 0) > MOST_BYTE_CODES for j in range(self.survey.encoder.n_features)]
        codes = tuple("u2" if two else "u1" for two in wide)
        return Layout(codes, "f8" if self.survey.classes is None else "u2", self.survey.largest is not None)

    def columns(self) -> list[FloatArray | int]:
        """Describe the columns to the core: edges of bins, or numbers of categories."""
        return [
            self._categories[j] if j in self._categories else self.survey.edges[j]
            for j in range(self.survey.encoder.n_features)
        ]

    @property
    def cells(self) -> list[int]:
        """The numbers that are counted for a node, by column."""
        survey = self.survey
        width = NUMBER_DIGITS if survey.classes is None else len(survey.classes)
        codes = [one if isinstance(one, int) else len(one) + 1 for one in self.columns()]
        return [(n + 1) * (width + (survey.largest is not None)) for n in codes]

    def parts(self, batch: Batch) -> list[NDArray[Any]]:
        """Return the codes of every column, then labels or numbers, then weights if there are any.

        Cases that count nothing are left out.
        """
        weights = None if self.survey.largest is None else batch.weights()
        kept = None if weights is None or weights.all() else np.flatnonzero(weights)
        made = [*self._codes(batch), self._target(batch), *([] if weights is None else [weights])]
        return made if kept is None else [part[kept] for part in made]

    def _codes(self, batch: Batch) -> list[NDArray[Any]]:
        encoded = self.survey.encoder.encode(batch.features)
        if encoded.unseen:
            raise ValueError(f"The table has changed since it was read first: {encoded.unseen[0]}.")
        made: list[NDArray[Any]] = []
        for j in range(encoded.n_features):
            values = encoded.columns[j] if encoded.columns is not None else _dense(encoded.dense)[:, j]
            if j in self._categories:
                kind = np.uint16 if self._categories[j] > MOST_BYTE_CODES else np.uint8
                made.append(np.where(values < 0, self._categories[j], values).astype(kind))
            else:
                codes = np.empty(encoded.n_rows, np.uint8)
                self._binners[j].encode(values, codes)
                made.append(codes)
        return made

    def _target(self, batch: Batch) -> NDArray[Any]:
        if self.survey.classes is None:
            return batch.numbers()
        return class_numbers(batch, self.survey.classes).astype(np.uint16)


def _dense(table: NDArray[Any] | None) -> NDArray[Any]:
    assert table is not None  # an encoded batch has columns or is dense
    return table


def write_codes(
    scan: Scan, coder: Coder, folder: Path | None, tell: Callable[[int], None] | None = None
) -> CodeCache:
    """Read a scan for the second time, and write its codes; without a folder nothing is left of them."""
    layout = coder.layout
    writer = CodeWriter(folder, layout)
    try:
        for batch in batches(scan, tell):
            parts = coder.parts(batch)
            done, rows = 0, len(parts[-1])
            while done < rows:
                places, room = writer.room()
                some = min(room, rows - done)
                for place, part in zip(places, parts, strict=True):
                    place[:some] = part[done : done + some]
                writer.filled(some)
                done += some
        writer.finish()
        about = {
            "codes": layout.codes,
            "target": layout.target,
            "weighted": layout.weighted,
            "blocks": writer.blocks,
            "survey": survey_to_json(coder.survey),
        }
        if folder is not None:
            save_about(folder, about)
        return CodeCache(writer.file, writer.path, json.loads(json.dumps(about)))
    finally:
        writer.close()


def survey_to_json(survey: Survey) -> dict[str, Any]:
    """Save what a survey found, in types that JSON has."""
    return {
        "encoder": survey.encoder.to_json(),
        "n_rows": survey.n_rows,
        "n_cases": survey.n_cases,
        "classes": None if survey.classes is None else survey.classes.tolist(),
        "class_kind": None if survey.classes is None else survey.classes.dtype.str,
        "totals": survey.totals.tolist(),
        "largest": None if survey.largest is None else survey.largest.tolist(),
        "edges": {str(j): edges.tolist() for j, edges in sorted(survey.edges.items())},
        "first_missing": survey.first_missing,
        "counts": survey.counts.tolist(),
        "bounds": survey.bounds,
        "common": survey.common,
    }


def survey_from_json(content: dict[str, Any], owner: str) -> Survey:
    """Load what `survey_to_json` saved."""
    classes, largest, missing = content["classes"], content["largest"], content["first_missing"]
    bounds = content["bounds"]
    return Survey(
        Encoder.from_json(content["encoder"], owner),
        content["n_rows"],
        content["n_cases"],
        None if classes is None else np.array(classes, dtype=content["class_kind"]),
        np.array(content["totals"], dtype=np.float64),
        None if largest is None else np.array(largest, dtype=np.float64),
        {int(j): np.array(edges, dtype=np.float64) for j, edges in content["edges"].items()},
        None if missing is None else (missing[0], missing[1]),
        np.array(content["counts"], dtype=np.int64),
        None if bounds is None else (bounds[0], bounds[1]),
        content["common"],
    )


def place_of(
    folder: Path, scan: Scan, files: tuple[FileState, ...], nominal: Any, bins: int, *, regression: bool
) -> Place:
    """Return where the codes of a scan of files lie, by everything that decides about them."""
    # A position is another column than one of that name.
    columns = list(map(repr, nominal)) if isinstance(nominal, Iterable) else repr(nominal)
    told = [scan.features, scan.target, scan.weight, columns, bins, regression]
    paths = [file.path for file in files]
    return Place(folder, _digest([paths, scan.target]), _digest([told, files]))


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]
