"""Which line called the library: where its warnings belong."""

from __future__ import annotations

import sys


def callers_level() -> int:
    """Return the stack level of the first frame outside the library, for ``warnings.warn`` in the caller.

    Python shows a warning once for each line: one that is told of a line of ours hides the next model's.
    """
    level, frame = 1, sys._getframe(1)  # noqa: SLF001  # nothing public gives it
    while frame.f_back is not None and _is_ours(frame.f_globals.get("__name__", "")):
        level, frame = level + 1, frame.f_back
    return level


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in ("thriftwood", "contextlib")
