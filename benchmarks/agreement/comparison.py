"""Two trees side by side, from the root down, and why they part.

Where a node has another test in the two trees, what is below cannot be compared. Differences that are none
of the method are told apart:

tie
    Both tests improve the node by the same amount, both answers cost the same, both surrogates agree on as
    many cases: rounding, or the order of a loop, decides.
count
    rpart means to refuse surrogates that send fewer than two cases one way. For categories its release 4.1.19
    counts the cases on which the surrogate is right and wrong instead: it takes surrogates of a single
    case, and refuses those that are wrong at most once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from benchmarks.agreement.goldens import Node, Size, Test
from benchmarks.agreement.tables import Table

Why = Literal["tie", "count", "unknown"]

_SAME = 1e-6
"""Goldens keep eight digits."""
_SAME_CUT = 1e-12
"""Half way between two numbers can be reckoned in two ways."""
_MOST_SURROGATES = 5


@dataclass(frozen=True)
class Difference:
    """Where two trees part."""

    path: str
    """Branches from the root, such as "010"."""
    what: Literal["test", "size", "cases", "risk", "answer", "surrogates"]
    """"size": one goes on where the other ends."""
    why: Why
    words: str
    moves: bool = False
    """Surrogates: cases go another way by it."""


@dataclass(frozen=True)
class Verdict:
    """What came of comparing two trees."""

    found: tuple[Difference, ...]

    @property
    def tree(self) -> Literal["same", "tie", "count", "unknown"]:
        """The worst reason why the trees differ; lists of surrogates that change nothing else are none."""
        reasons = {found.why for found in self.found if found.what != "surrogates" or found.moves}
        return next((why for why in ("unknown", "count", "tie") if why in reasons), "same")

    @property
    def surrogates(self) -> Literal["same", "tie", "count", "unknown"]:
        """The same for the lists of surrogates."""
        reasons = {found.why for found in self.found if found.what == "surrogates"}
        return next((why for why in ("unknown", "count", "tie") if why in reasons), "same")


def compared(table: Table, theirs: Node, own: Node) -> Verdict:
    """Compare the trees that rpart and we grow on a table."""
    return Verdict(tuple(differences(table, theirs, own)))


def same_sizes(theirs: tuple[Size, ...], own: tuple[Size, ...]) -> bool:
    """Compare tables of complexity parameters; rpart's last one is that which it was given."""
    return len(theirs) == len(own) and all(
        a.splits == b.splits
        and (_close(a.cp, b.cp) or a is theirs[-1])
        and all(map(_close, (a.risk, a.validated, a.error), (b.risk, b.validated, b.error)))
        for a, b in zip(theirs, own, strict=True)
    )


def differences(table: Table, theirs: Node, own: Node, path: str = "") -> Iterator[Difference]:
    """Give what differs; nothing below a node that has another test or divides its cases otherwise."""

    def found(what: str, why: Why, a: object, b: object) -> Difference:
        return Difference(path, what, why, f"{a} and {b}")  # type: ignore[arg-type]

    if theirs.cases != own.cases:
        yield found("cases", "unknown", theirs.cases, own.cases)
    if not _close(theirs.risk, own.risk):
        yield found("risk", "unknown", theirs.risk, own.risk)
    elif theirs.answer != own.answer:
        yield found("answer", "tie", theirs.answer, own.answer)
    if theirs.test is None or own.test is None:
        if theirs.test is not own.test:
            yield found("size", "unknown", shown(theirs.test), shown(own.test))
        return
    as_good = _close(theirs.test.value, own.test.value)
    if not same_test(theirs.test, own.test) or not as_good:
        yield found("test", "tie" if as_good else "unknown", shown(theirs.test), shown(own.test))
        return
    why = _surrogates(table, theirs, own)
    assert theirs.branches is not None  # neither is a leaf
    assert own.branches is not None
    if why is not None:
        pairs = zip(theirs.branches, own.branches, strict=True)
        moves = any(a.cases != b.cases or not _close(a.risk, b.risk) for a, b in pairs)
        words = f"{_listed(theirs.surrogates)} and {_listed(own.surrogates)}"
        yield Difference(path, "surrogates", why, words, moves)
        if moves:
            return
    for branch in (0, 1):
        yield from differences(table, theirs.branches[branch], own.branches[branch], path + str(branch))


def _surrogates(table: Table, theirs: Node, own: Node) -> Why | None:
    """Say why two lists of surrogates differ; None: they do not."""
    if _all(same_surrogate, theirs.surrogates, own.surrogates):
        return None
    if _all(_as_good, theirs.surrogates, own.surrogates):
        return "tie"
    left = [test for test in theirs.surrogates if not _of_one_case(table, own, test)]
    right = [test for test in own.surrogates if not _nearly_right(table, own, test)]
    for one, other, whole in ((left, right, own.surrogates), (right, left, theirs.surrogates)):
        if len(one) > len(other) and len(whole) == _MOST_SURROGATES:
            del one[len(other) :]  # there was no room for them
    return "count" if _all(_as_good, tuple(left), tuple(right)) else "unknown"


def _all(alike: object, theirs: tuple[Test, ...], own: tuple[Test, ...]) -> bool:
    return len(theirs) == len(own) and all(map(alike, theirs, own))  # type: ignore[call-overload]


def _of_one_case(table: Table, node: Node, test: Test) -> bool:
    """Tell whether a surrogate of categories sends fewer than two cases one way."""
    if test.sets is None:
        return False
    column = table.columns[test.feature][_knowing(table, node)]
    return any(np.isin(column, codes).sum() < 2 for codes in test.sets)


def _nearly_right(table: Table, node: Node, test: Test) -> bool:
    """Tell whether a surrogate of categories is wrong on fewer than two cases that know it."""
    if test.sets is None:
        return False
    knowing = _knowing(table, node)
    known = np.isin(table.columns[test.feature][knowing], test.sets[0] + test.sets[1]).sum()
    return bool(known - round(test.value * len(knowing)) < 2)


def _knowing(table: Table, node: Node) -> np.ndarray:
    """Return the cases of a node that have the value of its test."""
    assert node.test is not None
    return node.rows[~np.isnan(table.columns[node.test.feature][node.rows])]


def same_test(a: Test, b: Test) -> bool:
    """Tell whether two tests ask the same."""
    if a.feature != b.feature:
        return False
    if a.cut is None or b.cut is None:
        return a.cut is b.cut and a.sets == b.sets
    return math.isclose(a.cut, b.cut, rel_tol=_SAME_CUT, abs_tol=_SAME_CUT)


def same_surrogate(a: Test, b: Test) -> bool:
    """Tell whether two surrogates ask the same, send cases the same way and agree as often."""
    return same_test(a, b) and a.turned == b.turned and _as_good(a, b)


def _as_good(a: Test, b: Test) -> bool:
    return _close(a.value, b.value) and _close(a.adjusted, b.adjusted)


def shown(test: Test | None) -> str:
    """Say a test in a few words."""
    if test is None:
        return "leaf"
    where = f"< {test.cut:g}" if test.cut is not None else f"in {test.sets}"
    return f"x{test.feature} {where}{' turned' if test.turned else ''} ({test.value:.6g})"


def _listed(tests: tuple[Test, ...]) -> str:
    return f"[{'; '.join(map(shown, tests))}]"


def _close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=_SAME, abs_tol=_SAME)
