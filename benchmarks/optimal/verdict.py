"""`Verdict`: one thing that was measured, and whether it holds."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Verdict:
    """A line of the table.

    Parameters
    ----------
    what : str
        What was compared.
    ours, theirs : float
        Seconds here, and those of the other program or of the limit.
    most : float
        The share of theirs that ours may be; infinity: not judged.
    equal : bool
        Whether the trees cost the same, or what was said is true.
    words : str
        What else there is to say.
    """

    what: str
    ours: float
    theirs: float
    most: float = math.inf
    equal: bool = True
    words: str = ""

    @property
    def ratio(self) -> float:
        """Ours by theirs."""
        return self.ours / self.theirs if self.theirs > 0 else math.inf

    @property
    def holds(self) -> bool:
        """Whether the trees are equal and ours is fast enough."""
        return self.equal and (math.isinf(self.most) or self.ours <= self.most * self.theirs)


def timed(function: Callable[[], Result], repeats: int = 1) -> tuple[Result, float]:
    """Return a result, and the least seconds of CPU that it took."""
    least = math.inf
    for _ in range(repeats):
        begun = time.process_time()
        result = function()
        least = min(least, time.process_time() - begun)
    return result, least


def same(ours: float, theirs: float) -> bool:
    """Tell whether two costs are the same to 1e-9."""
    return math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9)
