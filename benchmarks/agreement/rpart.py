"""Running rpart: the program is called through Rscript, and not part of this project."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.agreement.goldens import Golden, from_rpart
from benchmarks.agreement.tables import MODES, Table

_SCRIPT = Path(__file__).with_name("rpart.R")


class NotInstalled(Exception):
    """The program that is to be compared with is not here."""


def versions() -> str:
    """Name the versions of R and rpart."""
    if shutil.which("Rscript") is None:
        raise NotInstalled("Rscript is not here. On Debian: apt-get install r-base-core r-cran-rpart")
    said = subprocess.run(
        [
            "Rscript",
            "-e",
            'cat("R", as.character(getRversion()), "rpart", as.character(packageVersion("rpart")))',
        ],
        capture_output=True,
        text=True,
    )
    if said.returncode:
        raise NotInstalled("R has no package rpart. On Debian: apt-get install r-cran-rpart")
    return said.stdout.strip()


def run(table: Table) -> dict[str, Golden]:
    """Grow rpart's trees of a table, one for each mode."""
    n_classes = len(table.classes)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _whole(folder / "sizes", [len(table.labels), len(table.columns), n_classes, len(MODES)])
        _whole(folder / "categories", table.categories)
        np.stack(table.columns).astype(np.float64).tofile(folder / "x")
        _whole(folder / "y", table.labels + 1)
        _whole(folder / "folds", table.folds + 1)
        np.concatenate([_parms(table, mode) for mode in MODES]).tofile(folder / "modes")
        subprocess.run(["Rscript", str(_SCRIPT), name], check=True)
        answers = [json.loads((folder / f"{i + 1}.json").read_text()) for i in range(len(MODES))]
    return {mode: from_rpart(answer) for mode, answer in zip(MODES, answers, strict=True)}


def _parms(table: Table, mode: str) -> np.ndarray:
    settings, n = table.settings(mode), len(table.classes)
    priors = settings.get("priors", np.full(n, np.nan))
    loss = table.loss if "costs" in settings else 1.0 - np.eye(n)
    return np.concatenate([[float("priors" in settings)], priors, loss.ravel()])


def _whole(path: Path, numbers: object) -> None:
    np.asarray(numbers, dtype=np.int32).tofile(path)
