"""The sheets of every exported model: the one to fill in, what the results mean, lists of names."""

from __future__ import annotations

from thriftwood.costs import Costs
from thriftwood.export.cascade_plan import CascadePlan
from thriftwood.export.plan import Asked, Plan
from thriftwood.export.quoting import plain
from thriftwood.export.workbook import Formula, Look, Sheet, own_place, shown_apart

ORDERED = "ordered before"
"""What is said of the price of a test that came with another."""
OPEN, KNOWN, NONE, UNKNOWN = range(4)
"""What was filled in: nothing yet, a value, that it cannot be had, a category that is not in the list."""
FIRST = 10
"""The row of the first test."""
_NEXT, _PRICE, _PAID, _ANSWER = 4, 5, 6, 7
_NUMBERS, _ANSWERS, _CATEGORIES = 1, 2, 3
_CHEAPEST = "the cheapest by what mistakes cost, not the likeliest"
_ASK, _WRONG, _UNLISTED = "ask this next", "a number is wanted", "not one of the values"


class Consultation:
    """The sheet to fill in, and what the formulas behind it read.

    Parameters
    ----------
    made : Plan or CascadePlan
        The model.
    title : str
        What stands at the top.
    costs : Costs or None
        Whose currency is named.

    Attributes
    ----------
    sheet, results, lists : Sheet
        The one to fill in; what was filled in; answers and categories.
    """

    def __init__(self, made: Plan | CascadePlan, title: str, costs: Costs | None) -> None:
        self.made, self.n = made, len(made.tests)
        self.money = f" ({costs.currency})" if costs is not None and costs.currency else ""
        self.heads = ("test", "result", f"alone costs{self.money}", f"paid{self.money}", "what to do")
        widths = (34, 26, *(max(14, len(head) + 3) for head in self.heads[2:4]), 24)
        self.sheet = Sheet("Consult", widths=widths, locked=True)
        self.results = Sheet("Results", widths=(34, 10, 14, 14))
        self.lists = Sheet("Lists", widths=(8, 24))
        self.names = shown_apart([test.name for test in made.tests])
        self.answers = shown_apart([str(plain(answer, "The target")) for answer in made.answers])
        self.categories = [_categories(test) for test in made.tests]
        self.none = _word({name for names in self.categories for name in names or ()})
        self._fill(title)
        self._results()
        self._lists()

    def state(self, test: int) -> str:
        """Return the cell that says what was filled in for a test."""
        return self.results.at(test + 2, 2)

    def value(self, test: int) -> str:
        """Return the cell with the number of a test, or with the code of its category."""
        return self.results.at(test + 2, 3)

    def price(self, test: int) -> str:
        """Return the cell with the price of a test alone."""
        return self.results.at(test + 2, 5)

    def after(self, test: int) -> str:
        """Return the cell with the price of a test after another of its group."""
        return self.results.at(test + 2, 6)

    def resource(self, need: int) -> str:
        """Return the cell with the price of a shared resource."""
        return self.results.at(need + 2, 7)

    def finish(
        self,
        following: str,
        price: str,
        answer: str,
        shares: list[str],
        paid: list[str],
        along: str | None = None,
    ) -> None:
        """Fill in the formulas of the front.

        Parameters
        ----------
        following : str
            The cell with the number of the test to ask, from 1; 0 for none.
        price : str
            The cell that says what that test costs, with all that is ordered with it, or that it was ordered.
        answer : str
            The number of the answer, from 1; of a regression tree the answer itself.
        shares : list of str
            The cells with the share of each class.
        paid : list of str
            What was paid for each test.
        along : str, optional
            The cell that names the tests that are ordered with that one; None: none ever is.
        """
        sheet, last = self.sheet, FIRST + self.n - 1
        asked, found = f"{following}>0", answer
        if self.made.classes is not None:
            found = f"INDEX({self.lists.span((2, _ANSWERS), (1 + len(self.answers), _ANSWERS))},{answer})"
        names = f"{own_place(FIRST, 1)}:{own_place(max(last, FIRST), 1)}"
        sheet.put(_NEXT, 2, Formula(f'IF({asked},INDEX({names},{following}),"nothing more")'), Look.LARGE)
        sheet.put(_PRICE, 2, Formula(f'IF({asked},{price},"")'), Look.LARGE)
        if along is not None:
            some = f"AND({asked},ISNUMBER({price}),LEN({along})>0)"
            sheet.put(_NEXT, 3, Formula(f'IF({some},"ordered together with "&{along},"")'), Look.BESIDE)
            sheet.put(_PRICE, 3, Formula(f'IF({some},"for all of them","")'), Look.BESIDE)
        total = f"SUM({own_place(FIRST, 4)}:{own_place(max(last, FIRST), 4)})"
        sheet.put(_PAID, 2, Formula(total), Look.LARGE)
        sheet.put(_ANSWER, 2, Formula(f'IF({asked},"not yet known",{found})'), Look.LARGE)
        for test, formula in enumerate(paid):
            row = FIRST + test
            sheet.put(row, 4, Formula(formula))
            empty, state = f"LEN({own_place(row, 2)})=0", self.state(test)
            rest = f'IF(AND(NOT({asked}),{empty}),"not needed","")'
            note = f'IF({following}={test + 1},"{_ASK}",{rest})'
            if self.categories[test] is None:
                wrong, words = f"AND({state}={OPEN},NOT({empty}))", _WRONG
            else:
                unlisted, none = f"{self.results.at(test + 2, 4)}=0", self._is_none(own_place(row, 2))
                wrong, words = f"AND({unlisted},NOT({empty}),NOT({none}))", _UNLISTED
            sheet.put(row, 5, Formula(f'IF({wrong},"{words}",{note})'), Look.BESIDE)
        if shares:
            sheet.put(last + 2, 1, "How sure", Look.HEAD)
            sheet.put(last + 2, 2, "share", Look.HEAD)
            for place, share in enumerate(shares):
                sheet.put(last + 3 + place, 1, self.answers[place])
                sheet.put(last + 3 + place, 2, Formula(f'IF({asked},"",{share})'), Look.PERCENT)
            chances = f"{own_place(last + 3, 2)}:{own_place(last + 2 + len(shares), 2)}"
            behind = f"MAX({chances})-INDEX({chances},{answer})>1E-9"
            said = f'IF({behind},"{_CHEAPEST}","")'
            of_class = f'IF(OR({asked},{answer}>{len(shares)}),"",{said})'
            sheet.put(_ANSWER, 3, Formula(of_class), Look.BESIDE)

    def _fill(self, title: str) -> None:
        sheet, money = self.sheet, self.money
        sheet.put(1, 1, title, Look.TITLE)
        sheet.put(
            2, 1, f"Fill in the yellow cells, the marked one next. No result? Write: {self.none}", Look.NOTE
        )
        for row, label in (
            (_NEXT, "Ask next"),
            (_PRICE, f"It costs{money}"),
            (_PAID, f"Paid so far{money}"),
            (_ANSWER, "Answer"),
        ):
            sheet.put(row, 1, label, Look.LABEL)
        sheet.row(FIRST - 1, [*self.heads], Look.HEAD)
        for test, asked in enumerate(self.made.tests):
            row, names = FIRST + test, self.categories[test]
            sheet.put(row, 1, self.names[test])
            alone = asked.price + sum(self.made.resources[need] for need in asked.needs)
            sheet.put(row, 3, alone)
            prompt = f"or: {self.none}"
            if names is None:
                sheet.put(row, 2, None, Look.NUMBER_TO_FILL)
                cell = own_place(row, 2)
                sheet.wanted(row, 2, f"OR(ISNUMBER({cell}),{self._is_none(cell)})", f"A number, {prompt}")
            else:
                sheet.put(row, 2, None, Look.TEXT_TO_FILL)
                listed = self.lists.span((2, self._column(test)), (2 + len(names), self._column(test)))
                sheet.choose(row, 2, listed, f"One of the list, {prompt}")
        if self.n:
            sheet.marked = f"A{FIRST}:E{FIRST + self.n - 1}"
            # A wrong cell keeps the mark only where it is the one asked next.
            wrong = f'AND($E{FIRST}="{_WRONG}",EXACT($A{FIRST},$B${_NEXT}))'
            sheet.marked_when = f'OR($E{FIRST}="{_ASK}",$E{FIRST}="{_UNLISTED}",{wrong})'

    def _results(self) -> None:
        sheet = self.results
        head = ["test", "state", "value", "in the list", "price", "after another", "shared resources"]
        sheet.row(1, [*head], Look.HEAD)
        for need, cost in enumerate(self.made.resources):
            sheet.put(need + 2, 7, cost)
        for test, asked in enumerate(self.made.tests):
            row, cell, names = test + 2, self.sheet.at(FIRST + test, 2), self.categories[test]
            sheet.row(row, [self.names[test], None, None, None, asked.price, asked.after])
            none = self._is_none(cell)
            if names is None:
                state = f"IF(ISNUMBER({cell}),{KNOWN},IF({none},{NONE},{OPEN}))"
                value = f"IF({own_place(row, 2)}={KNOWN},{cell},0)"
            else:
                column, last = self._column(test), 1 + len(names)
                listed = self.lists.span((2, column), (last, column))
                numbers = self.lists.span((2, _NUMBERS), (last, _NUMBERS))
                sheet.put(row, 4, Formula(_place_in(cell, listed, numbers)))
                other = NONE if asked.unseen_is_missing else UNKNOWN
                given = f"IF({none},{NONE},IF({own_place(row, 4)}>0,{KNOWN},{other}))"
                state, value = f"IF(LEN({cell})=0,{OPEN},{given})", f"{own_place(row, 4)}-1"
            sheet.put(row, 2, Formula(state))
            sheet.put(row, 3, Formula(value))

    def _lists(self) -> None:
        sheet = self.lists
        longest = max([len(self.answers), *(len(names or ()) for names in self.categories)])
        sheet.row(1, ["number", "answers"], Look.HEAD)
        for place in range(longest):
            sheet.put(place + 2, _NUMBERS, float(place + 1))
        for place, answer in enumerate(self.answers):
            sheet.put(place + 2, _ANSWERS, answer)
        sheet.put(1, _CATEGORIES, self.none)
        for test, names in enumerate(self.categories):
            if names is not None:
                column = self._column(test)
                sheet.put(1, column, self.names[test], Look.HEAD)
                for place, name in enumerate([*names, self.none]):
                    sheet.put(place + 2, column, name)

    def _is_none(self, cell: str) -> str:
        """Write whether a cell says that there is no result, whatever its case and the blanks around it."""
        return _alike(cell, self.lists.at(1, _CATEGORIES))

    def _column(self, test: int) -> int:
        """Return the column of the lists that has the categories of a test."""
        return _CATEGORIES + 1 + sum(names is not None for names in self.categories[:test])


def named_along(before: str, name: str, when: str) -> str:
    """Write a list of names one longer, if the condition holds; `before` is the cell that has the others."""
    return f'IF({when},IF(LEN({before})=0,"",{before}&", ")&{name},{before}&"")'


def _alike(cell: str, other: str) -> str:
    return f"EXACT(UPPER(TRIM({cell})),UPPER(TRIM({other})))"


def _place_in(cell: str, listed: str, numbers: str) -> str:
    """Write which of a list a cell names: as it is written, or else alone but for case and outer blanks."""
    exact, alike = f"SUMPRODUCT(EXACT({cell},{listed})*{numbers})", _alike(cell, listed)
    loose = f"IF(SUMPRODUCT({alike}*1)=1,SUMPRODUCT({alike}*{numbers}),0)"
    return f"IF({exact}>0,{exact},{loose})"


def _categories(test: Asked) -> list[str] | None:
    if test.categories is None:
        return None
    return shown_apart([str(plain(value, f"The test {test.name!r}")) for value in test.categories])


def _word(taken: set[str]) -> str:
    word = "cannot be had"
    alike = {name.strip().upper() for name in taken}
    while word.upper() in alike:
        word += "_"
    return word
