"""`LookAhead`: how far criteria look that judge a test by trees sampled below it, and within which time.

Words
-----
sample
    A tree grown below one outcome of a test, its own tests drawn at random.
estimate
    What a finished tree is judged by: its leaves ("lsid3"), or its expected cost as `ExpectedCost` prunes it
    ("act").
round
    One tree, grown with so many samples for each outcome.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from thriftwood import _core
from thriftwood.base.advice import advised
from thriftwood.base.callers import callers_level
from thriftwood.base.parameters import Real, Rule, Whole
from thriftwood.base.remedies import InPython
from thriftwood.base.value_object import ValueObject
from thriftwood.table.native import core_seed

if TYPE_CHECKING:
    from thriftwood.learning.problem import Problem, Rows

PUBLISHED_R = 5
_MOST_SAMPLES = 2**20


class LookAhead(ValueObject):
    """How many trees "lsid3" and "act" sample below every outcome of every test, and for how long.

    Parameters
    ----------
    r : int, optional
        Samples for each outcome; 0: none, the criterion chooses without looking ahead (ID3, EG2). None: 5, or
        with a time budget as many as it allows.
    time_budget : float, optional
        Seconds for growing a tree. One is grown with 0, then 1, 2, 4, ... samples, up to `r`, and the best by
        its own estimate is kept: the fewest leaves, or the least expected cost. Without a budget one tree is
        grown, with `r` samples, and the same `random_state` gives the same tree.

    Notes
    -----
    When time is up, or Ctrl-C is pressed, the tree at hand is finished without looking ahead, and the best
    tree there is by then is kept; ``model.look_ahead_`` says what was reached. A warning says so after
    Ctrl-C, and when time did not suffice for the `r` that was asked for.

    Of a numeric feature the best cut is taken, both where a test is chosen and where one is drawn, as ID3 and
    EG2 take it; the published samples draw cuts by their gain.

    Growing takes about `r` times the square of the number of features as long as without looking ahead.

    Examples
    --------
    The class is the exclusive or of the first two columns, so neither of them gains anything by itself. The
    third has the class in six cases of eight, and ID3 begins with it.

    >>> import thriftwood as tw
    >>> rows = [[a, b, (a != b) != (a == c == 1)] for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    >>> y = [a != b for a, b, _ in rows]
    >>> for r in (0, 5):
    ...     model = tw.algorithm("lsid3", r=r, random_state=0).fit(rows, y)
    ...     print(r, "samples:", model.tree_[0].test, "first,", model.get_n_leaves(), "leaves")
    0 samples: x2 first, 6 leaves
    5 samples: x0 first, 4 leaves
    """

    rules: ClassVar[dict[str, Rule]] = {
        "r": Whole(0, _MOST_SAMPLES, none=True),
        "time_budget": Real(0.0, above=True, below=True, none=True),
    }

    def __init__(self, r: int | None = None, *, time_budget: float | None = None) -> None:
        self.r = r
        self.time_budget = time_budget

    def rounds(self) -> Iterator[int]:
        """Give the numbers of samples to grow trees with."""
        if self.time_budget is None:
            yield PUBLISHED_R if self.r is None else int(self.r)
            return
        last = _MOST_SAMPLES if self.r is None else int(self.r)
        r = 0
        while r < last:
            yield r
            r = max(1, 2 * r)
        yield last


class Reached(NamedTuple):
    """The result of growing a tree by samples."""

    r: int
    """Samples for each outcome when the tree was grown."""
    estimate: float
    """Its leaves before pruning, or its expected cost after `ExpectedCost` with the cf of the criterion."""
    stopped: str | None
    """What ended growth early: "time", "interrupt", or None."""
    finished: bool
    """Whether every test of the tree was chosen with `r` samples; otherwise the last ones without any."""


class LookAheadGrower:
    """Grows the trees of one fit by samples, and remembers what was reached with the one that is kept."""

    def __init__(self, look_ahead: LookAhead, cf: float | None) -> None:
        self.look_ahead = look_ahead
        self.cf = cf
        """The confidence factor of mistakes, where trees are judged by their cost; None: by their leaves."""
        self.reached: Reached | None = None

    def grow(self, problem: Problem, rows: Rows | None, settings: _core.Settings) -> _core.Tree:
        """Grow within the budget and return the best tree; `warn` says what was not reached."""
        stop = _core.Stop(self.look_ahead.time_budget)
        stopped: str | None = None
        best: tuple[_core.Tree, Reached] | None = None
        try:
            for r in self.look_ahead.rounds():
                tree = problem.grown(rows, with_samples(settings, r), stop)
                stopped = stop.why
                estimate = self._estimate(tree, problem)
                if best is None or estimate < best[1].estimate:
                    best = tree, Reached(r, estimate, stopped, stopped is None)
                if stopped is not None or tree.n_nodes == 1:
                    break
        except KeyboardInterrupt:  # pressed between two trees, or the last one took too long to be finished
            if best is None:
                raise
            stopped = "interrupt"
        assert best is not None  # there is a round
        self.reached = best[1]._replace(stopped=stopped)
        return best[0]

    def raise_interrupt(self) -> None:
        """Raise KeyboardInterrupt if Ctrl-C ended the growth of the last tree."""
        if self.reached is not None and self.reached.stopped == "interrupt":
            raise KeyboardInterrupt

    def _estimate(self, tree: _core.Tree, problem: Problem) -> float:
        if self.cf is None:
            return float(tree.n_leaves)
        costs = problem.price_list, problem.loss, self.cf
        return _core.expected_cost(_core.prune_expected_cost(problem.answered(tree), *costs), *costs)

    def warn(self) -> None:
        """Warn that growth ended early, unless that was what the budget asked for."""
        reached, wanted = self.reached, self.look_ahead.r
        assert reached is not None  # something was grown
        if reached.stopped is None or (reached.stopped == "time" and wanted is None):
            return
        why = "Ctrl-C was pressed" if reached.stopped == "interrupt" else "time_budget was used up"
        kept = f"a tree grown with r={reached.r}"
        if not reached.finished:
            kept += ", its last tests chosen without looking ahead"
        said = f"{why} before growth was finished; kept is {kept}. "
        warnings.warn(advised(UserWarning, said, InPython("See look_ahead_.")), stacklevel=callers_level())


def sampled(
    settings: _core.Settings, facts: _core.Criterion, look_ahead: LookAhead, random_state: Any
) -> tuple[_core.Settings, LookAheadGrower]:
    """Return the settings with the samples of a criterion in them, and what grows trees by them."""
    own = with_samples(settings, next(look_ahead.rounds()))
    own.seed = core_seed(random_state)
    return own, LookAheadGrower(look_ahead, own.leaf_confidence if facts.samples_by_cost else None)


def with_samples(settings: _core.Settings, r: int) -> _core.Settings:
    """Return the settings with r samples for each outcome."""
    own = copy.copy(settings)  # cached and shared: copy before changing
    own.choosing = "look-ahead" if r else "best"
    own.samples = r
    return own
