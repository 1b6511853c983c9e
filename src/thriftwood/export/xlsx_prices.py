"""What tests cost in a sheet, once others were bought."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from thriftwood.export.plan import Asked
from thriftwood.export.xlsx_consult import Consultation

_MOST_IN_A_CALL = 200  # a function takes 255 values


def owned(test: int, asked: Asked) -> list[Hashable]:
    """Return what is owned once a test was bought: its result, the entry to its group, what it needed.

    Examples
    --------
    >>> owned(2, Asked("ecg", None, False, 5.0, 3.0, 1, (0,)))
    [('test', 2), ('group', 1), ('resource', 0)]
    """
    group = [("group", asked.group)] if asked.group >= 0 else []
    return [("test", test), *group, *(("resource", need) for need in asked.needs)]


def largest(cells: Iterable[str]) -> str:
    """Return a formula of the largest of some cells; "0" if there is none.

    Examples
    --------
    >>> largest(["A1", "B2"]), largest([])
    ('MAX(A1,B2)', '0')
    """
    left = list(cells)
    while len(left) > 1:
        parts = [left[at : at + _MOST_IN_A_CALL] for at in range(0, len(left), _MOST_IN_A_CALL)]
        left = [f"MAX({','.join(part)})" for part in parts]
    return left[0] if left else "0"


def price_formula(front: Consultation, test: int, before: dict[Hashable, str]) -> str:
    """Write what a test costs; `before` has formulas, above 0 for what is owned already."""
    asked, price = front.made.tests[test], front.price(test)
    opened = before.get(("group", asked.group), "0")
    if asked.after is not None and opened != "0":
        price = f"IF({opened}>0,{front.after(test)},{price})"
    for need in asked.needs:
        there, cost = before.get(("resource", need), "0"), front.resource(need)
        price += f"+{cost}" if there == "0" else f"+IF({there}>0,0,{cost})"
    return price
