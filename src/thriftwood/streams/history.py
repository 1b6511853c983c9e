"""`StreamHistory`: what a model answered and paid while a stream went by."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.table.results import to_frame

FloatArray = NDArray[np.float64]

MOST_POINTS = 2000
"""More are not kept: neighbours are added up then, so that a history of any length takes as little memory."""
_NAMES = ("rows", "right", "test_cost", "error_cost")


class StreamHistory:
    """The prequential record of a stream: each case was answered before it was learnt from.

    Attributes
    ----------
    n_rows : int
        How many cases were answered.
    accuracy : float
        The share of right answers; NaN before the first.
    mean_test_cost, mean_error_cost, mean_cost : float
        What a case paid for its tests, what its answer cost, and both: the bill.
    n_refits, drifts
        How often a `StreamingTree` has learnt, and after how many cases it noticed drift.
    seconds : float
        Processor time of `evaluate_stream`: answering, charging and learning.

    Examples
    --------
    >>> history = StreamHistory()
    >>> history.add(np.array([True, False]), np.array([1.0, 3.0]), np.array([0, 5.0]))
    >>> history
    <StreamHistory: 2 cases, accuracy 0.5, tests 2 and mistakes 2.5 a case>
    """

    def __init__(self) -> None:
        self._points: list[list[float]] = []
        self._sums = [0.0] * 4
        self._per_point = 1
        self.n_refits = 0
        self.drifts: list[int] = []
        self.seconds = 0.0

    def add(self, right: NDArray[np.bool_], test_cost: FloatArray, error_cost: FloatArray) -> None:
        """Add the answers to a batch of cases."""
        point = [float(len(right)), float(right.sum()), float(test_cost.sum()), float(error_cost.sum())]
        self._sums = [a + b for a, b in zip(self._sums, point, strict=True)]
        if self._points and self._points[-1][0] < self._per_point:
            self._points[-1] = [a + b for a, b in zip(self._points[-1], point, strict=True)]
        else:
            self._points.append(point)
        if len(self._points) > MOST_POINTS:
            pairs = zip(self._points[::2], [*self._points[1::2], [0.0] * 4], strict=False)
            self._points = [[a + b for a, b in zip(*pair, strict=True)] for pair in pairs]
            self._per_point = max(2 * self._per_point, round(self._sums[0] / MOST_POINTS))

    @property
    def n_rows(self) -> int:
        """How many cases were answered."""
        return int(self._sums[0])

    @property
    def accuracy(self) -> float:
        """The share of right answers."""
        return self._mean(1)

    @property
    def mean_test_cost(self) -> float:
        """What a case paid for tests."""
        return self._mean(2)

    @property
    def mean_error_cost(self) -> float:
        """What the answer to a case cost."""
        return self._mean(3)

    @property
    def mean_cost(self) -> float:
        """The bill of a case: tests and mistakes."""
        return self.mean_test_cost + self.mean_error_cost

    def columns(self) -> dict[str, FloatArray]:
        """Return the record by stretches of the stream, in order: means of each stretch.

        ``rows`` is how many cases had been answered at its end.
        """
        points = np.array(self._points or np.empty((0, 4)))
        means = {name: points[:, k] / points[:, 0] for k, name in enumerate(_NAMES) if k}
        means["cost"] = means["test_cost"] + means["error_cost"]
        accuracy = means.pop("right")
        return {"rows": np.cumsum(points[:, 0]), "accuracy": accuracy, **means}

    @property
    def frame(self) -> Any:
        """The same as a frame."""
        return to_frame(self.columns())

    def plot(self, ax: Any = None) -> Any:
        """Draw the bill and the accuracy as the stream went by; needs matplotlib.

        ``tw.plot_stream(history)`` is the same.
        """
        from thriftwood import plot_stream  # a higher room: asked for when it is called

        return plot_stream(self, ax)

    def to_json(self) -> dict[str, Any]:
        """Return what it holds in types that JSON has."""
        return {
            "points": self._points,
            "sums": self._sums,
            "per_point": self._per_point,
            "n_refits": self.n_refits,
            "drifts": self.drifts,
            "seconds": self.seconds,
        }

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> StreamHistory:
        """Return what `to_json` saved."""
        history = cls()
        history._points = [[float(value) for value in point] for point in content["points"]]
        history._sums = [float(value) for value in content["sums"]]
        history._per_point = int(content["per_point"])
        history.n_refits, history.drifts = int(content["n_refits"]), list(map(int, content["drifts"]))
        history.seconds = float(content["seconds"])
        return history

    def _mean(self, which: int) -> float:
        return self._sums[which] / self._sums[0] if self._sums[0] else float("nan")

    def __repr__(self) -> str:
        if not self.n_rows:
            return "<StreamHistory: no case was answered yet>"
        return (
            f"<StreamHistory: {self.n_rows:,} case{'s' * (self.n_rows > 1)}, accuracy {self.accuracy:.4g}, "
            f"tests {self.mean_test_cost:.4g} and mistakes {self.mean_error_cost:.4g} a case>"
        )
