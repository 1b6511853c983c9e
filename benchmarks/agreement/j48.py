"""Running J48, Weka's C4.5: the jar is called through Java, and not part of this project.

J48 is an implementation of its own, so trees are compared by their size and by what they answer, not node
by node.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.agreement.rpart import NotInstalled
from benchmarks.agreement.tables import Table

_JAR = Path("/usr/share/java/weka.jar")
"""Where Debian's package has it; $WEKA_JAR names another."""
_PREDICTION = re.compile(r"^\s*\d+\s+\d+:\S+\s+(\d+):", re.MULTILINE)
_LEAVES = re.compile(r"Number of Leaves\s*:\s*(\d+)")
_SIZE = re.compile(r"Size of the tree\s*:\s*(\d+)")


@dataclass(frozen=True)
class Grown:
    """A tree of J48, grown on a table and asked about it."""

    leaves: int
    nodes: int
    answers: NDArray[np.intp]


def jar() -> Path:
    """Find the jar."""
    found = Path(os.environ.get("WEKA_JAR", _JAR))
    if shutil.which("java") is None or not found.exists():
        raise NotInstalled(
            "Weka is not here. On Debian: apt-get install weka; elsewhere name the jar in $WEKA_JAR."
        )
    return found


def run(table: Table) -> Grown:
    """Grow a tree with J48's defaults, which are C4.5's, and ask it about its own cases."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "table.arff"
        path.write_text(_arff(table), encoding="ascii")
        call = ["java", "-cp", str(jar()), "weka.classifiers.trees.J48", "-t", str(path), "-T", str(path)]
        shown = subprocess.run(call, check=True, capture_output=True, text=True).stdout
        answered = subprocess.run([*call, "-p", "0"], check=True, capture_output=True, text=True).stdout
    answers = np.array([int(number) - 1 for number in _PREDICTION.findall(answered)])
    if len(answers) != len(table.labels):
        raise RuntimeError(f"J48 answered {len(answers)} of {len(table.labels)} cases of {table.name}.")
    leaves, nodes = (int(pattern.findall(shown)[0]) for pattern in (_LEAVES, _SIZE))
    return Grown(leaves, nodes, answers)


def _arff(table: Table) -> str:
    """Write the table as Weka reads it; categories and classes by number."""
    lines = ["@relation table"]
    for i, categories in enumerate(table.categories):
        kind = f"{{{','.join(f'c{code}' for code in range(categories))}}}" if categories else "numeric"
        lines.append(f"@attribute x{i} {kind}")
    lines.append(f"@attribute class {{{','.join(f'k{c}' for c in range(len(table.classes)))}}}")
    lines.append("@data")
    for row, label in enumerate(table.labels):
        cells = [
            _cell(column[row], nominal=bool(categories))
            for column, categories in zip(table.columns, table.categories, strict=True)
        ]
        lines.append(",".join([*cells, f"k{label}"]))
    return "\n".join([*lines, ""])


def _cell(value: float, *, nominal: bool) -> str:
    if np.isnan(value):
        return "?"
    return f"c{int(value)}" if nominal else repr(float(value))
