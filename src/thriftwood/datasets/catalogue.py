"""The published data sets known by name: ``catalogue.toml`` as values."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Entry:
    """What is known of one published set before it is read.

    Attributes
    ----------
    name, title : str
        Its name here, and what it is about.
    rows, features : int
        The size of the table that is learnt from.
    classes : tuple of int
        The class sizes, largest first.
    openml : int or None
        Its number on OpenML; None when no copy there is known to hold the same table.
    missing : int
        Number of empty cells; only known together with ``openml``.
    drop : tuple of str
        Columns of the copy on OpenML that must not be learnt from.
    """

    name: str
    title: str
    rows: int
    features: int
    classes: tuple[int, ...]
    openml: int | None = None
    missing: int = 0
    drop: tuple[str, ...] = ()


@cache
def catalogue() -> dict[str, Entry]:
    """Return every published set by name.

    >>> catalogue()["diabetes"].rows, catalogue()["diabetes"].classes
    (768, (500, 268))
    """
    path = files("thriftwood.datasets").joinpath("catalogue.toml")
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        name: Entry(
            name=name,
            title=fields["title"],
            rows=fields["rows"],
            features=fields["features"],
            classes=tuple(fields["classes"]),
            openml=fields.get("openml"),
            missing=fields.get("missing", 0),
            drop=tuple(fields.get("drop", ())),
        )
        for name, fields in content.items()
    }
