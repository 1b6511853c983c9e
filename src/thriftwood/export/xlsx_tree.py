"""A tree as formulas: the instructions of its program, each with the share of the case that comes to it.

Edges are sorted by where they lead, so that a share is the sum of some rows. What was bought before is known
from the nearest earlier instructions with the same test, group or resource: a case comes to each instruction
in one way, so those that it did not come to say 0.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from thriftwood.export.plan import Plan
from thriftwood.export.program import Edge, Program, program
from thriftwood.export.workbook import Formula, Look, Sheet, own_place
from thriftwood.export.xlsx_answers import least_cost
from thriftwood.export.xlsx_consult import NONE, OPEN, ORDERED, UNKNOWN, Consultation, named_along
from thriftwood.export.xlsx_prices import largest, owned, price_formula
from thriftwood.table import MISSING, UNSEEN

_CUT, _SHARE, _OUTCOME, _WAITS, _PRICE, _BUYS, _PAYS, _TOLD, _ALONG, _HAS = range(5, 15)


def tree_sheets(plan: Plan, front: Consultation) -> list[Sheet]:
    """Write the sheets behind the front, and the formulas of the front."""
    made = program(plan)
    return _TreeSheets(plan, made, front).sheets()


class _Order(NamedTuple):
    """Some `buy` instructions, one after the other, that are ordered at once."""

    at: int
    """The instruction that waits for the first result: one of kind `order`, or the first of what all buy."""
    rows: range
    share: str
    """The cell with the share of the case that comes to it."""
    due: str
    """A condition: it is not placed and will be, or it is placed."""
    placed: str
    """1 once it is placed, else 0."""


class _TreeSheets:
    def __init__(self, plan: Plan, made: Program, front: Consultation) -> None:
        self.plan, self.made, self.front = plan, made, front
        self.steps = Sheet("Steps", widths=(8, 10, 34, 12))
        self.edges = Sheet("Edges")
        self.ends = Sheet("Ends")
        self.last = 1 + len(made.instructions)
        self.before = self._nearest()
        self.order_of = {number: order for order in self._orders() for number in order.rows}

    def sheets(self) -> list[Sheet]:
        self._edges()
        self._steps()
        best, shares = self._answer()
        steps, n = self.steps, self.last
        waits = f"{steps.span((2, _WAITS), (n, _WAITS))}"
        first = self.ends.put(1, 1, Formula(f"IF(COUNT({waits})=0,0,MIN({waits}))"))
        tests = steps.span((2, 4), (n, 4))
        following = self.ends.put(1, 2, Formula(f"IF({first}=0,0,INDEX({tests},{first}))"))
        prices = steps.span((2, _TOLD), (n, _TOLD))
        price = self.ends.put(1, 3, Formula(f'IF({first}=0,"",INDEX({prices},{first}))'))
        along = None
        if self.order_of:
            names = steps.span((2, _ALONG), (n, _ALONG))
            along = self.ends.put(1, 5, Formula(f'IF({first}=0,"",INDEX({names},{first})&"")'))
        pays = steps.span((2, _PAYS), (n, _PAYS))
        paid = [f"SUMIF({tests},{test + 1},{pays})" for test in range(len(self.plan.tests))]
        self.front.finish(following, price, best, shares, paid, along)
        return [self.steps, self.edges, self.ends]

    def _orders(self) -> list[_Order]:
        """List what is ordered at once: all tests that are paid upfront, and what goes with a late one."""
        found = []
        if self.plan.upfront:
            first = f"{self.front.state(self.plan.upfront[0])}<>{OPEN}"
            found.append(_Order(0, range(len(self.plan.upfront)), "1", "TRUE", f"IF({first},1,0)"))
        for number, instruction in enumerate(self.made.instructions):
            if instruction.kind != "order":
                continue
            end = number + 1
            while self.made.instructions[end].kind == "buy":
                end += 1
            outcome = own_place(number + 2, _OUTCOME)
            rows, share = range(number + 1, end), own_place(number + 2, _SHARE)
            found.append(_Order(number, rows, share, f"{outcome}<>1", f"COUNT({outcome})"))
        return found

    def _nearest(self) -> list[dict[Hashable, frozenset[int]]]:
        """Find, for every instruction, the nearest earlier ones after which something may be owned."""
        into: dict[int, list[int]] = {}
        for edge in self.made.edges:
            into.setdefault(edge.target, []).append(edge.at)
        found: list[dict[Hashable, frozenset[int]]] = []
        for number, instruction in enumerate(self.made.instructions):
            nearest: dict[Hashable, frozenset[int]] = {}
            if instruction.kind == "end":  # surrogates lead back to it, and it buys nothing
                into.pop(number, None)
            for before in dict.fromkeys(into.get(number, ())):
                ways = dict(found[before])
                ways.update((token, frozenset([before])) for token in self._tokens(before))
                for token, places in ways.items():
                    nearest[token] = nearest.get(token, frozenset()) | places
            found.append(nearest)
        return found

    def _tokens(self, number: int) -> list[Hashable]:
        """Return what is owned after an instruction, if the case buys its test there or has bought it."""
        instruction = self.made.instructions[number]
        if instruction.kind in ("end", "order"):
            return []
        return owned(instruction.test, self.plan.tests[instruction.test])

    def _owned_before(self, number: int) -> dict[Hashable, str]:
        found = {}
        for token, places in self.before[number].items():
            cells = (
                own_place(place + 2, _HAS + self._tokens(place).index(token)) for place in sorted(places)
            )
            found[token] = largest(cells)
        return found

    def _edges(self) -> None:
        """Write the edges; `ranges` has, for every instruction, the rows of those that lead to it."""
        sheet, self.ranges = self.edges, dict[int, tuple[int, int]]()
        sheet.row(1, ["from", "outcome", "to", "share", "flow"], Look.HEAD)
        by_target = sorted(self.made.edges, key=lambda edge: (edge.target, edge))
        for row, edge in enumerate(by_target, start=2):
            sheet.row(row, [edge.at + 1.0, float(edge.outcome), edge.target + 1.0, edge.share])
            sheet.put(row, 5, Formula(self._flow(edge, row)))
            self.ranges[edge.target] = self.ranges.get(edge.target, (row, row))[0], row

    def _flow(self, edge: Edge, row: int) -> str:
        outcome = self.steps.at(edge.at + 2, _OUTCOME)
        return f"IF({outcome}={own_place(row, 2)},{self.steps.at(edge.at + 2, _SHARE)}*{own_place(row, 4)},0)"

    def _steps(self) -> None:
        sheet = self.steps
        head = [
            "step",
            "does",
            "test",
            "number of the test",
            "cut",
            "share",
            "outcome",
            "waits",
            "price",
            "buys",
            "pays",
            "price as told",
            "ordered with it",
        ]
        sheet.row(1, [*head, "owned after it"], Look.HEAD)
        for number, instruction in enumerate(self.made.instructions):
            row = number + 2
            sheet.row(row, [number + 1.0, instruction.kind])
            share = "0" if number else "1"  # some are never come to
            if number in self.ranges:
                first, last = self.ranges[number]
                share = f"SUM({self.edges.span((first, 5), (last, 5))})"
            sheet.put(row, _SHARE, Formula(share))
            if instruction.kind != "end":
                sheet.row(row, [self.front.names[instruction.test], instruction.test + 1.0], first=3)
                self._step(number)

    def _step(self, number: int) -> None:
        sheet, row, instruction = self.steps, number + 2, self.made.instructions[number]
        test, before = instruction.test, self._owned_before(number)
        state, value = self.front.state(test), self.front.value(test)
        share, had = own_place(row, _SHARE), before.get(("test", test), "0")
        there = f"{share}>0,{state}<>{OPEN}"
        unpaid = "FALSE" if self.plan.charge_missing else f"{state}={NONE}"
        found = "0"
        if instruction.kind == "order":
            found = f"IF(OR({had}>0,{unpaid}),1,0)"
        elif instruction.kind == "ask":
            known = value
            if instruction.cut is not None:
                sheet.put(row, _CUT, instruction.cut)
                known = f"IF({value}<={own_place(row, _CUT)},0,1)"
            found = f"IF({state}={NONE},{MISSING},IF({state}={UNKNOWN},{UNSEEN},{known}))"
        sheet.put(row, _OUTCOME, Formula(f'IF(AND({there}),{found},"")'))
        sheet.put(row, _WAITS, Formula(f'IF(AND({share}>0,{state}={OPEN}),{number + 1},"")'))
        if instruction.kind == "order":
            last = number + 2 + sum(order.at == number for order in self.order_of.values())
            self._tell(row, range(row + 1, last + 1))
            return
        sheet.put(row, _PRICE, Formula(price_formula(self.front, test, before)))
        buys, order, placed = own_place(row, _BUYS), self.order_of.get(number), ""
        if order is not None:  # bought when the order is placed, whenever its result is filled in
            share, placed = order.share, f"*{order.placed}"
            there = f"{share}>0,{order.due}"
        sheet.put(row, _BUYS, Formula(f"IF(AND({there},{had}=0,NOT({unpaid})),1,0)"))
        sheet.put(row, _PAYS, Formula(f"{buys}{placed}*{share}*{own_place(row, _PRICE)}"))
        if order is None:
            sheet.put(row, _TOLD, Formula(own_place(row, _PRICE)))
        else:
            self._name(number, order)
        for place, token in enumerate(self._tokens(number)):
            earlier = before.get(token, "0")
            sheet.put(row, _HAS + place, Formula(f"IF({share}>0,MAX({buys},{earlier}),0)"))

    def _tell(self, row: int, rows: range) -> None:
        """Write, where an order waits, what all of it costs and the tests that go with the first."""
        prices, buys = (f"{own_place(rows[0], of)}:{own_place(rows[-1], of)}" for of in (_PRICE, _BUYS))
        self.steps.put(row, _TOLD, Formula(f"SUMPRODUCT({buys},{prices})"))
        if rows[-1] != row:
            self.steps.put(row, _ALONG, Formula(f'{own_place(rows[-1], _ALONG)}&""'))

    def _name(self, number: int, order: _Order) -> None:
        """Write the names of an order down to this row, and what is told of its test where that waits."""
        sheet, row = self.steps, number + 2
        if number == order.at:  # the first of what all buy: the names are those of the rows below
            self._tell(row, range(row, row + len(order.rows)))
            return
        own = self.made.instructions[number].test == self.made.instructions[order.at].test
        when = "FALSE" if own else f"{own_place(row, _BUYS)}>0"
        before = '""' if number == order.at + 1 else own_place(row - 1, _ALONG)
        sheet.put(row, _ALONG, Formula(named_along(before, own_place(row, 3), when)))
        sheet.put(row, _TOLD, ORDERED)

    def _answer(self) -> tuple[str, list[str]]:
        """Write the ends and what they say together; give the answer and the shares of the classes."""
        sheet, plan = self.ends, self.plan
        sheet.row(3, ["step", "share", "answer", "values"], Look.HEAD)
        ends = sorted(self.made.ends.items())
        for row, (number, node) in enumerate(ends, start=4):
            ending = plan.endings[node]
            sheet.put(row, 1, number + 1.0)
            sheet.put(row, 2, Formula(self.steps.at(number + 2, _SHARE)))
            sheet.row(row, [ending.label + 1.0, *ending.values], first=3)
        last = 3 + len(ends)

        def column(place: int) -> str:
            return f"{own_place(4, place)}:{own_place(last, place)}"

        shares = column(2)
        if plan.classes is None:
            mean = f"SUMPRODUCT({shares},{column(4)})/SUM({shares})"
            return sheet.put(1, 4, Formula(f"IF(SUM({shares})>0,{mean},0)")), []
        weights = [f"SUMPRODUCT({shares},{column(4 + place)})" for place in range(len(plan.classes))]
        sums, best = least_cost(sheet, last + 2, [f"MIN(1,{weight})" for weight in weights], plan)
        alone = f"SUMPRODUCT(({shares}>0)*{column(3)})"
        return sheet.put(1, 4, Formula(f'IF(COUNTIF({shares},">0")=1,{alone},{best})')), sums
