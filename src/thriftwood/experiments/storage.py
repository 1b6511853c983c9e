"""`Store`: finished trials in a file, so that a run that was interrupted goes on where it stopped.

One file holds the trials of one set of settings: its first line says which, every further line is a trial.
Other settings, or another version of thriftwood, have a file of their own beside it, so results never mix.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from thriftwood import __version__
from thriftwood.base.saving import save_text


@dataclass(slots=True)
class Store:
    """Finished trials by key.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Store.open(Path(folder), "demo", {"seed": 0}).add("first", {"cost": 0.5})
    ...     again = Store.open(Path(folder), "demo", {"seed": 0})
    ...     other = Store.open(Path(folder), "demo", {"seed": 1})
    >>> again.records, other.records
    ({'first': {'cost': 0.5}}, {})
    """

    path: Path
    records: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def open(cls, folder: Path, experiment: str, settings: Mapping[str, Any]) -> Self:
        """Open the file of these settings in a folder; both are made if they are not there.

        Raises
        ------
        ValueError
            When the file is there and is not one of ours; the message names the line.
        """
        heading = {"experiment": experiment, "version": __version__, "settings": dict(settings)}
        first = _line(heading)
        name = f"trials-{hashlib.sha256(first.encode()).hexdigest()[:12]}.jsonl"
        store = cls(Path(folder) / name)
        if store.path.exists() and store._read(first):
            return store
        store.path.parent.mkdir(parents=True, exist_ok=True)
        save_text(store.path, first)
        return store

    def add(self, key: str, record: Mapping[str, Any]) -> None:
        """Keep a finished trial, in the file too."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(_line([key, record]))
        self.records[key] = record

    def _read(self, first: str) -> bool:
        """Read what is there; False when not even the first line was written to its end."""
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        lines = whole.decode("utf-8", errors="replace").splitlines(keepends=True)
        if lines and lines[0] != first:
            raise ValueError(f"{self.path}, line 1, does not hold the settings of this run. {_MEND}")
        for number, line in enumerate(lines[1:], start=2):
            key, record = _trial(line)
            if key is None:
                raise ValueError(f"{self.path}, line {number}, is not a finished trial. {_MEND}")
            self.records[key] = record
        if len(whole) < len(content):  # the run was killed while it wrote; that trial is run again
            with self.path.open("rb+") as file:
                file.truncate(len(whole))
        return bool(lines)


_MEND = "Delete the file to run its trials again."


def _trial(line: str) -> tuple[str | None, Any]:
    """Read the key and the record of a trial; the key is None if it is none."""
    try:
        pair = json.loads(line)
    except ValueError:
        return None, None
    known = isinstance(pair, list) and [type(part) for part in pair] == [str, dict]
    return (pair[0], pair[1]) if known else (None, None)


def _line(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True) + "\n"
