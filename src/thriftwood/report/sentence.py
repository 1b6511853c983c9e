"""The sentence that the page begins with: which test to order for whom."""

from __future__ import annotations

from typing import NamedTuple

from thriftwood.costs.names import counted
from thriftwood.evaluation import Bill
from thriftwood.evaluation.statement import Words
from thriftwood.plots.axes import shortened
from thriftwood.report.naming import name_text

EVERYBODY = 0.995
"""From this share on a test is for everybody."""
RARE = 0.05
"""Tests of a smaller share are not named, but added up."""
NAMED, LONGEST = 4, 40
"""So many tests are named, each with at most so many letters."""
ORDINALS = ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
SIMPLE = (
    *((1, n) for n in range(2, 11)),
    *((1, 15), (1, 20), (3, 10), (2, 5), (3, 5), (2, 3), (7, 10), (3, 4), (4, 5), (9, 10)),
    *((19, 20), (99, 100)),
)
"""The parts of a whole that readers know, as numerator and denominator."""


class Ordered(NamedTuple):
    """Tests that are ordered equally often."""

    tests: list[str]
    whom: str


def order_sentence(bill: Bill, words: Words) -> str:
    """Say which tests to order for whom, without a full stop; tests that are free are not ordered.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> model = tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y)
    >>> order_sentence(tw.bill(model, golf.X, golf.y), Words("day", "days"))
    'Order Outlook for everybody, and Humidity and Wind for every third day'
    """
    columns = bill.test_columns
    shares = [
        (name_text(name), float(share))
        for name, share, price in zip(columns["test"], columns["share"], columns["full_price"], strict=True)
        if price > 0 and share > 0
    ]
    if not shares:
        return _nothing(bill)
    shares.sort(key=lambda pair: -pair[1])  # of equal ones the dearest first, as in the bill
    common = [pair for pair in shares if pair[1] >= RARE] or shares[:1]
    named = common[:NAMED]
    rest = [share for _, share in shares[len(named) :]]
    groups = _groups(named, words)
    alike = sum(whom(share, words) == groups[-1].whom for share in rest)
    if alike:
        groups[-1].tests.append(_more(alike))
        rest = rest[alike:]
    parts = [f"{_listed(group.tests)} for {group.whom}" for group in groups]
    if rest:
        parts.append(f"{_more(len(rest))} for {_at_most(max(rest), words)}")
    clear = all(len(group.tests) == 1 for group in groups)
    return f"Order {_listed(parts, ' and ' if clear else ', and ')}"


def whom(share: float, words: Words) -> str:
    """Say for which part of the cases something is, by the nearest simple fraction.

    Examples
    --------
    >>> patients = Words("patient", "patients")
    >>> [whom(share, patients) for share in (0.998, 0.26, 0.31, 0.02)]
    ['everybody', 'every fourth patient', '3 of 10 patients', 'fewer than 1 in 20 patients']
    """
    if share >= EVERYBODY:
        return "everybody"
    if share < RARE:
        return f"fewer than 1 in 20 {words.many}"
    part, whole = _nearest(share)
    if part == 1 and whole <= len(ORDINALS) + 1:
        return f"every {ORDINALS[whole - 2]} {words.one}"
    return f"{part} {'in' if part == 1 else 'of'} {whole} {words.many}"


def _nearest(share: float) -> tuple[int, int]:
    return min(SIMPLE, key=lambda simple: abs(simple[0] / simple[1] - share))


def _at_most(share: float, words: Words) -> str:
    if share < RARE or share >= EVERYBODY:
        return whom(share, words)
    # Rounded up: the words must not promise less than is ordered.
    above = [simple for simple in SIMPLE if simple[0] / simple[1] >= share]
    part, whole = min(above, key=lambda simple: simple[0] / simple[1], default=(1, 1))
    return f"at most {part} {'in' if part == 1 else 'of'} {whole} {words.many}"


def _groups(shares: list[tuple[str, float]], words: Words) -> list[Ordered]:
    """Put tests for the same part of the cases together."""
    groups: list[Ordered] = []
    for name, share in shares:
        said = whom(share, words)
        if not groups or groups[-1].whom != said:
            groups.append(Ordered([], said))
        groups[-1].tests.append(shortened(name, LONGEST))
    return groups


def _nothing(bill: Bill) -> str:
    """Say what decides where no test is paid for."""
    columns = bill.test_columns
    free = [
        shortened(name_text(name), LONGEST)
        for name, price in zip(columns["test"], columns["full_price"], strict=True)
        if price == 0
    ]
    if free:
        more = [f"{len(free) - NAMED} more columns"] if len(free) > NAMED + 1 else []
        shown = free[:NAMED] if more else free
        decides = "which costs nothing, decides" if len(free) == 1 else "which cost nothing, decide"
        return f"Order no test: {_listed([*shown, *more])}, {decides}"
    if bill.answers is None or not bill.n_cases:
        return "Order no test"
    answer = shortened(name_text(bill.answers[[int(bill.predicted[0])]].tolist()[0]), LONGEST)
    return f'Order no test: answer "{answer}" for everybody'


def _more(number: int) -> str:
    return counted(number, "more test")


def _listed(parts: list[str], last: str = " and ") -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])}{last}{parts[-1]}"
