"""Score cards as formulas: a block of rows for each stage, with the points of every test.

Tests are bought in an order that is the same for all cases, so what was bought before a test are those above
it.
"""

from __future__ import annotations

from collections.abc import Hashable

from thriftwood.export.cascade_plan import CardStage, CascadePlan, Counting, finite_stop
from thriftwood.export.workbook import Formula, Look, Sheet, own_place
from thriftwood.export.xlsx_answers import least_cost
from thriftwood.export.xlsx_consult import KNOWN, NONE, OPEN, ORDERED, Consultation, named_along
from thriftwood.export.xlsx_prices import largest, owned, price_formula

_REACHED, _WAITS, _BOUGHT, _PRICE, _PAYS, _DUE, _PRICE_THEN, _ALONG = range(3, 11)


def card_sheets(made: CascadePlan, front: Consultation) -> list[Sheet]:
    """Write the sheets behind the front, and the formulas of the front."""
    return _CardSheets(made, front).sheets()


class _CardSheets:
    def __init__(self, made: CascadePlan, front: Consultation) -> None:
        self.made, self.front = made, front
        self.orders = Sheet("Orders", widths=(8, 34))
        self.points = Sheet("Points", widths=(34, 14))
        self.order = made.upfront or tuple(range(len(made.tests)))
        self.place = {test: place for place, test in enumerate(self.order)}
        self.top = 1  # the next free row of the points
        self.stopped: list[str] = []
        """For each stage, the cell that says whether the case is answered there."""

    def sheets(self) -> list[Sheet]:
        answers, shares = [], []
        for stage in self.made.stages:
            stopped, answer, chances = self._stage(stage)
            self.stopped.append(stopped)
            answers.append(answer)
            shares.append(chances)
        sheet, n = self.orders, len(self.order)
        waits = sheet.span((2, _WAITS), (max(2, n + 1), _WAITS))
        row = max(2, n + 1) + 2
        first = sheet.put(row, 1, Formula(f"IF(COUNT({waits})=0,0,MIN({waits}))"))
        self._orders()
        following = sheet.put(row, 2, Formula(self._of_first(first, 1)))
        price, along = sheet.put(row, 3, Formula(self._of_first(first, _PRICE))), None
        if self.made.upfront or any(self._late_before(test) for test in self.order):
            price, along = self._orders_at_once(first, row)
        answer = self._of_stopped(answers)
        chances = [self._of_stopped([each[k] for each in shares]) for k in range(len(self.made.classes))]
        paid = [sheet.at(2 + self.place[test], _PAYS) for test in range(n)]
        self.front.finish(following, price, answer, chances, paid, along)
        return [self.orders, self.points]

    def _of_first(self, first: str, column: int) -> str:
        n = max(2, len(self.order) + 1)
        return f"IF({first}=0,0,INDEX({self.orders.span((2, column), (n, column))},{first}))"

    def _of_stopped(self, cells: list[str]) -> str:
        """Return a formula of the cell of the stage that answers, the last if no other does."""
        found = cells[-1]
        for stopped, cell in zip(reversed(self.stopped[:-1]), reversed(cells[:-1]), strict=True):
            found = f"IF({stopped}>0,{cell},{found})"
        return found

    def _orders(self) -> None:
        """Write a row for each test, in the order in which they are bought."""
        sheet, made = self.orders, self.made
        sheet.row(1, ["number of the test", "test", "ordered", "waits", "bought", "price", "paid"], Look.HEAD)
        before: dict[Hashable, list[str]] = {}
        for place, test in enumerate(self.order):
            row, state = place + 2, self.front.state(test)
            sheet.row(row, [test + 1.0, self.front.names[test]])
            sheet.put(row, _REACHED, Formula(self._ordered(test)))
            ordered, bought = own_place(row, _REACHED), own_place(row, _BOUGHT)
            sheet.put(row, _WAITS, Formula(f'IF(AND({ordered}>0,{state}={OPEN}),{place + 1},"")'))
            paid_for = f"{state}<>{OPEN}" if made.charge_missing else f"{state}<>{OPEN},{state}<>{NONE}"
            came = self._came_along(test)  # it is paid whenever its result is filled in
            sheet.put(
                row, _BOUGHT, Formula(f"IF(OR(AND({ordered}>0,{paid_for}),AND({came}>0,{state}={OPEN})),1,0)")
            )
            owned_before = {token: largest(cells) for token, cells in before.items()}
            sheet.put(row, _PRICE, Formula(price_formula(self.front, test, owned_before)))
            sheet.put(row, _PAYS, Formula(f"{bought}*{own_place(row, _PRICE)}"))
            for token in owned(test, made.tests[test]):
                before.setdefault(token, []).append(bought)

    def _ordered(self, test: int) -> str:
        """Write whether a test is ordered: at once, by its stage, or with a delayed one of a stage before."""
        if self.made.upfront:
            return "1"
        number = next(k for k, stage in enumerate(self.made.stages) if test in stage.tests)
        if number == 0:
            return "1"
        along = [own_place(2 + self.place[one], _BOUGHT) for one in self._late_before(test)]
        gone_on = "*".join(f"(1-{stopped})" for stopped in self.stopped[:number])
        # A stage that is not answered yet is not left: its own tests say so.
        complete = "*".join(self._complete(stage) for stage in self.made.stages[:number])
        return f"MAX({','.join([f'{gone_on}*{complete}', *along])})"

    def _late_before(self, test: int) -> list[int]:
        """List the late tests that are bought before: with each of them all later ones are ordered.

        Those of its own stage are among them: who waits for one of two late results would wait twice.
        """
        if self.made.upfront:
            return []
        number = next(k for k, stage in enumerate(self.made.stages) if test in stage.tests)
        earlier = [one for stage in self.made.stages[: number + 1] for one in stage.tests]
        return [one for one in earlier if one in self.made.delayed and self.place[one] < self.place[test]]

    def _came_along(self, test: int) -> str:
        """Write whether a test was ordered with another, above 0 if so."""
        if self.made.upfront:
            first = self.order[0]
            return "0" if test == first else f"IF({self.front.state(first)}<>{OPEN},1,0)"
        return largest(own_place(2 + self.place[one], _BOUGHT) for one in self._late_before(test))

    def _orders_at_once(self, first: str, row: int) -> tuple[str, str]:
        """Write what is ordered with the next test, as if it were; give the price of all and their names."""
        sheet, n = self.orders, len(self.order)
        sheet.row(1, ["due", "price then", "ordered with the next"], Look.HEAD, first=_DUE)
        before: dict[Hashable, list[str]] = {}
        for place, test in enumerate(self.order):
            at, state, bought = place + 2, self.front.state(test), own_place(place + 2, _BOUGHT)
            leads = self.order[:1] if self.made.upfront else self._late_before(test)
            begins = ",".join(f"{first}={self.place[one] + 1}" for one in dict.fromkeys([test, *leads]))
            charged = "TRUE" if self.made.charge_missing else f"{state}<>{NONE}"
            sheet.put(at, _DUE, Formula(f"IF(AND({bought}=0,{charged},OR({begins})),1,0)"))
            due = own_place(at, _DUE)
            then = {token: largest(cells) for token, cells in before.items()}
            sheet.put(at, _PRICE_THEN, Formula(price_formula(self.front, test, then)))
            names = own_place(at - 1, _ALONG) if place else '""'
            when = f"AND({due}>0,{first}<>{place + 1})"
            sheet.put(at, _ALONG, Formula(named_along(names, own_place(at, 2), when)))
            for token in owned(test, self.made.tests[test]):
                before.setdefault(token, []).append(f"{bought}+{due}")
        all_due, prices = (f"{own_place(2, of)}:{own_place(n + 1, of)}" for of in (_DUE, _PRICE_THEN))
        came = self._of_first(first, _BOUGHT)
        price = sheet.put(row, 4, Formula(f'IF({came}>0,"{ORDERED}",SUMPRODUCT({all_due},{prices}))'))
        return price, sheet.put(row, 5, Formula(f'{own_place(n + 1, _ALONG)}&""'))

    def _complete(self, stage: CardStage) -> str:
        states = [f"({self.front.state(test)}<>{OPEN})" for test in stage.tests]
        return "*".join(states) or "1"

    def _stage(self, stage: CardStage) -> tuple[str, str, list[str]]:
        """Write the points of a stage; give where it says that it answers, its answer and its chances."""
        sheet, top, n_scores = self.points, self.top, self.made.n_scores
        number = len(self.stopped) + 1
        sheet.put(top, 1, f"stage {number}", Look.HEAD)
        sheet.row(top + 1, ["where counting begins", None, *stage.base])
        for row, entry in enumerate(stage.counted, start=top + 2):
            sheet.put(row, 1, self.front.names[entry.test])
        row = top + 2 + len(stage.counted)
        below = row + 2
        for place, entry in enumerate(stage.counted):
            below = self._counted(top + 2 + place, entry, below)
        odds = []
        sheet.put(row, 1, "together", Look.LABEL)
        for k in range(n_scores):
            column = f"{own_place(top + 1, 3 + k)}:{own_place(row - 1, 3 + k)}"
            odds.append(f"({sheet.put(row, 3 + k, Formula(f'SUM({column})'))}/100)")
        chances, best = least_cost(sheet, below + 1, self._chances(row, odds), self.made, tolerance=0.0)
        width, classes = len(self.made.answers), len(self.made.classes)
        least = own_place(below + 1 + classes + 2 + width, 3)
        stop = finite_stop(stage)
        at = below + classes + width + 6
        sheet.put(at, 1, "answers here", Look.LABEL)
        sure = "TRUE" if stop is None else f"{least}<={sheet.put(at, 3, stop)}"
        stopped = sheet.put(at, 2, Formula(f"IF(AND({self._complete(stage)}>0,{sure}),1,0)"))
        self.top = at + 2
        return stopped, best, chances

    def _chances(self, row: int, odds: list[str]) -> list[str]:
        """Write what the chances of the classes are; the odds stand in the row."""
        if len(odds) == 1:
            second = f"(1/(1+EXP(-MIN(MAX({odds[0]},-700),700))))"
            return [f"1-{second}", second]
        # In cells of their own: as a part of every formula they would grow with the square of the classes.
        top = f"MAX({own_place(row, 3)}:{own_place(row, 2 + len(odds))})/100"
        self.points.put(row + 1, 1, "by the largest", Look.LABEL)
        raised = [self.points.put(row + 1, 3 + k, Formula(f"EXP({one}-{top})")) for k, one in enumerate(odds)]
        together = f"{own_place(row + 1, 3)}:{own_place(row + 1, 2 + len(odds))}"
        return [f"{one}/SUM({together})" for one in raised]

    def _counted(self, row: int, entry: Counting, below: int) -> int:
        """Write what one test adds, with its table below; give the next free row."""
        sheet, state, value = self.points, self.front.state(entry.test), self.front.value(entry.test)
        n, width = len(entry.points), self.made.n_scores
        sheet.row(below, ["points of", self.front.names[entry.test]], Look.HEAD)
        for place in range(n):
            at = below + 1 + place
            sheet.row(at, [None, float(place) if entry.at is None else entry.at[place], *entry.points[place]])
            if place < len(entry.slopes):
                sheet.row(at, list(entry.slopes[place]), first=3 + width)
        sheet.row(below + 1 + n, ["no value", None, *entry.missing])

        def column(place: int, last: int) -> str:
            return f"{own_place(below + 1, place)}:{own_place(below + last, place)}"

        found = f"{value}+1"
        if entry.at is not None:
            # The piece of the line that the number lies on, as the last one that begins below it.
            held = f"MIN(MAX({value},{own_place(below + 1, 2)}),{own_place(below + n, 2)})"
            found = f"MATCH({held},{column(2, max(1, len(entry.slopes)))},1)"
        piece = sheet.put(row, 2, Formula(f"IF({state}={KNOWN},{found},1)"))
        for k in range(width):
            added = f"INDEX({column(3 + k, n)},{piece})"
            if entry.at is not None and entry.slopes:
                slope = f"INDEX({column(3 + width + k, len(entry.slopes))},{piece})"
                added += f"+{slope}*({held}-INDEX({column(2, n)},{piece}))"
            missing = own_place(below + 1 + n, 3 + k)
            given = f"IF({state}={NONE},{missing},0)"  # a category that was not there before has no points
            sheet.put(row, 3 + k, Formula(f"IF({state}={KNOWN},{added},{given})"))
        return below + 3 + n
