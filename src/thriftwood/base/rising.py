"""Rising steps from how sure a model says it is to how often it was right: isotonic regression."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

Steps = Sequence[tuple[float, float]]


def rising(shares: Sequence[float], right: Sequence[bool]) -> tuple[tuple[float, float], ...]:
    """Return the best rising steps from shares to how often they were right.

    Each step begins with one right and one wrong case that nobody saw, so that none says 0 or 1.

    Examples
    --------
    >>> rising([0.5, 0.5, 0.9, 0.9], [True, False, True, True])
    ((0.5, 0.5), (0.9, 0.75))
    """
    blocks: list[list[float]] = []  # first share, right, all
    for share, was in sorted(zip(shares, right, strict=True)):
        if blocks and share == blocks[-1][0]:
            blocks[-1][1:] = [blocks[-1][1] + was, blocks[-1][2] + 1]
        else:
            blocks.append([share, float(was), 1.0])
    steps = _pooled(_pooled(blocks, unseen=0), unseen=1)  # few cases that nobody saw may turn two steps round
    return tuple((first, (good + 1) / (n + 2)) for first, good, n in steps) or ((0.0, 0.5),)


def _pooled(blocks: Sequence[Sequence[float]], unseen: int) -> list[list[float]]:
    """Join blocks until their rates rise, each with so many right and wrong cases besides its own."""
    joined: list[list[float]] = []
    for block in blocks:
        joined.append(list(block))
        while len(joined) > 1 and _rate(joined[-2], unseen) >= _rate(joined[-1], unseen):
            last = joined.pop()
            joined[-1][1:] = [joined[-1][1] + last[1], joined[-1][2] + last[2]]
    return joined


def stepped(steps: Steps, share: float) -> float:
    """Return the height of the step that a share is on; of one below all, that of the first.

    Examples
    --------
    >>> stepped(((0.5, 0.4), (0.9, 0.75)), 0.8), stepped(((0.5, 0.4),), 0.1)
    (0.4, 0.4)
    """
    place = bisect_right([bound for bound, _ in steps], share) - 1
    return steps[max(0, place)][1]


def _rate(block: Sequence[float], unseen: int) -> float:
    return (block[1] + unseen) / (block[2] + 2 * unseen)
