"""Folders of core/ include one way: each those that stand below it in ARCHITECTURE.md, none in a circle."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
CORE = ROOT / "core"


def room_of(file: Path) -> str:
    """Return the folder of a file, or the name of a file that stands in core/ by itself."""
    parts = file.relative_to(CORE).parts
    return parts[0] if len(parts) > 1 else file.stem


def includes(files: list[Path]) -> Iterator[tuple[Path, Path]]:
    """Give every file of core/ with each file of core/ that it includes."""
    for file in files:
        for name in re.findall(r'^#include "(.+)"', file.read_text(encoding="utf-8"), re.MULTILINE):
            yield file, (file.parent / name).resolve()


def written_order() -> list[set[str]]:
    """Return the layers of ARCHITECTURE.md, lowest first; rooms of one layer know nothing of each other."""
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^    (basics <- .+)$", page, re.MULTILINE)
    return [set(layer.split(", ")) for layer in line.split(" <- ")]


def test_every_room_of_the_core_has_a_place_in_the_order() -> None:
    files = [*CORE.rglob("*.hpp"), *CORE.rglob("*.cpp")]
    layers = written_order()
    assert set.union(*layers) == {room_of(file) for file in files}
    assert sum(map(len, layers)) == len(set.union(*layers))


def test_a_room_of_the_core_includes_only_rooms_below_it() -> None:
    height = {room: i for i, layer in enumerate(written_order()) for room in layer}
    files = sorted([*CORE.rglob("*.hpp"), *CORE.rglob("*.cpp")])
    upward = [
        f"{file.relative_to(ROOT)} includes {other.relative_to(ROOT)}"
        for file, other in includes(files)
        if room_of(file) != room_of(other) and height[room_of(other)] >= height[room_of(file)]
    ]
    assert not upward
