"""How runs ended: by themselves, by a signal, or because their time was over.

A tree knows the causes it was shown and no others: whatever else goes wrong gets one of their labels. How the
recorded runs of each label ended is therefore kept, and a run that ended otherwise is told apart.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from thriftwood.clarify.commands import ending_words
from thriftwood.clarify.store import Run
from thriftwood.costs.names import counted

Endings = Mapping[str, Mapping[str, int]]
"""For each label, how many recorded runs ended with ``exit 1``, ``signal 11``, ``timeout``."""


@dataclass(frozen=True)
class Ending:
    """How one run ended.

    Attributes
    ----------
    exit : int
        Its exit code; -n if signal n ended it.
    timeout : float or None
        After how many seconds it was killed because its time was over; None: it was not.

    Examples
    --------
    >>> Ending(1).words, Ending(-9).words, Ending(-9, timeout=1.0).words
    ('exit 1', 'signal 9', 'timeout')
    >>> print(Ending(-9, timeout=1.0))
    Killed after 1 second (--timeout).
    """

    exit: int
    timeout: float | None = None

    @property
    def timed_out(self) -> bool:
        """Whether it was killed after a time-out."""
        return self.timeout is not None

    @property
    def signal(self) -> int | None:
        """The number of the signal that ended it."""
        return -self.exit if self.exit < 0 else None

    @property
    def words(self) -> str:
        """How it ended, in the words that recorded runs are counted by."""
        return ending_words(self.exit, timed_out=self.timed_out)

    def __str__(self) -> str:
        if self.timeout is not None:
            return f"Killed after {counted(f'{self.timeout:g}', 'second')} (--timeout)."
        if self.signal is not None:
            return f"Ended by signal {self.signal}."
        return f"Ended with exit code {self.exit}."


def endings_of(runs: Iterable[Run]) -> dict[str, dict[str, int]]:
    """Count how recorded runs ended, by label."""
    found: dict[str, Counter[str]] = {}
    for run in runs:
        if run.label is not None:
            words = ending_words(run.exit, timed_out=run.timed_out)
            found.setdefault(run.label, Counter())[words] += 1
    return {label: dict(counts.most_common()) for label, counts in sorted(found.items())}


def read_ending(path: Path) -> Ending | None:
    """Read from the ``run.json`` of a watched run how it ended; None if that is not known."""
    if not path.exists():
        return None
    facts = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(facts, dict) or not isinstance(facts.get("exit"), int):
        return None
    timeout = facts.get("timed_out_after")
    return Ending(facts["exit"], float(timeout) if isinstance(timeout, int | float) else None)
