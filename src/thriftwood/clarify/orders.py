"""A plan turned round: for each watched function what to do when it begins.

The same rules as in ``core/clarify/watcher.hpp``, for programs that are watched by code compiled into them. A
*mark* is a bit of an open activation: one for each child, and each chain, that its patterns ask for. A
pattern is counted when its last mark is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from thriftwood.clarify.patterns import Pattern

NOBODY = -1
MOST_MARKS = 64


@dataclass(frozen=True)
class CallOrder:
    """Done in an activation of the parent when it calls the function that has this order."""

    parent: int
    mark: int = 0
    grandparent: int = NOBODY
    chain: int = 0


@dataclass(frozen=True)
class Completion:
    """What happens once an activation has the marks wanted.

    A line is counted, or the activation that called it gets a mark.
    """

    wanted: int
    line: int = NOBODY
    parent: int = NOBODY
    passed: int = 0


@dataclass
class WatchedFunction:
    """What happens when a function begins."""

    name: str
    lines: list[int] = field(default_factory=list)
    calls: list[CallOrder] = field(default_factory=list)
    completions: list[Completion] = field(default_factory=list)
    n_marks: int = 0
    opens: bool = False


class Orders:
    """What the functions of a plan do.

    Parameters
    ----------
    lines : sequence of Pattern
        Of a `Plan`.

    Raises
    ------
    ValueError
        If a function would need more than 64 marks.

    Examples
    --------
    >>> orders = Orders([Pattern("count", ("f",)), Pattern("inside", ("f", "g"))])
    >>> [(one.name, one.lines, one.opens, len(one.calls)) for one in orders.functions]
    [('f', [0], True, 0), ('g', [], False, 1)]
    """

    def __init__(self, lines: Sequence[Pattern]) -> None:
        self.functions: list[WatchedFunction] = []
        self._numbers: dict[str, int] = {}
        for line, pattern in enumerate(lines):
            numbers = [self._number(name) for name in pattern.functions]
            first = self.functions[numbers[0]]
            if pattern.kind == "count":
                first.lines.append(line)
                continue
            first.opens = True
            first.completions.append(Completion(self._wanted(pattern, numbers), line))

    def _wanted(self, pattern: Pattern, numbers: Sequence[int]) -> int:
        """Return the marks that an activation has once the pattern holds."""
        if pattern.kind == "inside":
            return self._of_calls(numbers[0], numbers[1:])
        if pattern.kind == "chain":
            self._follow(numbers[1], numbers[0])
            wanted = self._new_mark(numbers[0])
            self.functions[numbers[2]].calls.append(CallOrder(numbers[1], 0, numbers[0], wanted))
            return wanted
        wanted, at = 0, 1
        for below in pattern.shape:
            child = numbers[at]
            if below == 0:
                wanted |= self._of_calls(numbers[0], [child])
            else:
                self._follow(child, numbers[0])
                called = self._of_calls(child, numbers[at + 1 : at + 1 + below])
                passed = self._new_mark(numbers[0])
                self.functions[child].completions.append(Completion(called, NOBODY, numbers[0], passed))
                wanted |= passed
            at += 1 + below
        return wanted

    def _number(self, name: str) -> int:
        if name not in self._numbers:
            self._numbers[name] = len(self.functions)
            self.functions.append(WatchedFunction(name))
        return self._numbers[name]

    def _follow(self, child: int, parent: int) -> None:
        """Have the activations of a child known, and who called each."""
        self.functions[child].opens = True
        self.functions[child].calls.append(CallOrder(parent))

    def _new_mark(self, function: int) -> int:
        watched = self.functions[function]
        if watched.n_marks == MOST_MARKS:
            raise ValueError(
                f"The plan asks for more than {MOST_MARKS} calls of {watched.name}, the most that can "
                "be followed. Learn with a larger loss (--within)."
            )
        watched.n_marks += 1
        return 1 << (watched.n_marks - 1)

    def _of_calls(self, parent: int, children: Sequence[int]) -> int:
        """Return the marks of calls, one for each however many patterns ask for it."""
        marks = 0
        for child in children:
            calls = self.functions[child].calls
            known = next((order.mark for order in calls if order.parent == parent and order.mark), 0)
            if not known:
                known = self._new_mark(parent)
                calls.append(CallOrder(parent, known))
            marks |= known
        return marks
