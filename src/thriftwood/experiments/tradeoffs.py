"""`Tradeoffs`: what accuracy costs with several learners, as points and lines."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from thriftwood.base.saving import replacing


class Tried(NamedTuple):
    """A setting of a learner that was tried, with its cost and score."""

    setting: str
    cost: float
    score: float
    best: bool
    """Whether no other setting of the learner beats it in both."""


@dataclass(frozen=True, slots=True)
class Tradeoffs:
    """Settings of several learners by cost and score.

    Parameters
    ----------
    title : str
        What it is.
    cost_title, score_title : str
        What costs and scores are measured in.
    learners : mapping of name to tuple of Tried
        A learner with a single setting is a mark, others are lines.

    Examples
    --------
    >>> found = Tradeoffs("ours", "cost", "accuracy", {"eg2": (Tried("w=1", 3.0, 0.9, True),)})
    >>> found.learners["eg2"][0].cost
    3.0
    """

    title: str
    cost_title: str
    score_title: str
    learners: Mapping[str, tuple[Tried, ...]]

    def save_csv(self, path: Path) -> None:
        """Write one line per setting."""
        with replacing(path) as new, new.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["learner", *Tried._fields])
            for name, settings in self.learners.items():
                writer.writerows([name, *tried] for tried in settings)
