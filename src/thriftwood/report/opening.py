"""The beginning of the page: what to order for whom, what that costs; last, what was learnt from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from thriftwood.costs.names import counted
from thriftwood.evaluation import Bill, Contender, Verdict
from thriftwood.evaluation.intervals import Difference
from thriftwood.evaluation.statement import Words, amount, paid_times
from thriftwood.evaluation.verdicts import today_words
from thriftwood.report.markup import Html, joined, tag
from thriftwood.report.naming import answers_word, name_text
from thriftwood.report.sentence import order_sentence

SAME = 1e-9
"""Differences so small, for the cost, are rounding."""


@dataclass(frozen=True)
class Opening:
    """All that the beginning of a page says.

    Attributes
    ----------
    bill : Bill
        Of the cases of the page, from which the shares of the tests are known.
    verdict : Verdict or None
        What a case costs that was not learnt from; None: that is not known.
    expected : Contender or None
        The same case by case, by cross-validation.
    training : bool
        Whether the model learnt from the cases of the page.
    noun : str
        "the tree" or "the cards".
    doubt : str
        Why today's practice is left out; "" where it is not.
    words : Words
        What a case is called.
    """

    bill: Bill
    verdict: Verdict | None
    expected: Contender | None
    training: bool
    noun: str
    doubt: str
    words: Words

    def html(self) -> Html:
        """Write it: a sentence, the figures to believe, then those of the cases learnt from."""
        verdict, parts = self.verdict, []
        if verdict is not None and verdict.dearer_than:
            parts.append(tag("p", verdict.sentence, class_="warning loud"))
        parts.append(tag("p", self.sentence, class_="sentence"))
        tiles = self._tiles()
        if tiles:
            parts.append(tag("dl", *tiles, class_="tiles"))
        said = verdict is None or verdict.dearer_than  # the warning has its basis already
        notes = ["" if said or verdict is None else verdict.basis, self.doubt]
        parts += [tag("p", note, class_="note") for note in notes if note]
        if self.training and verdict is None:
            parts.append(tag("p", self._unknown(), class_="warning"))
        if self.training:
            parts.append(tag("p", self._learnt_from(), class_="learnt"))
        return joined(parts)

    @property
    def sentence(self) -> str:
        """What to order for whom, what that costs, and what it saves."""
        order = order_sentence(self.bill, self.words)
        if self.verdict is not None:
            return f"{order}; {self.words.money(self.verdict.cost)} {self.words.a_one}{self._against()}."
        if self.training:
            return f"{order}."
        return f"{order}; the tests cost {self.words.money(self.bill.mean_test_cost)} {self.words.a_one}."

    def _against(self) -> str:
        """Say what is saved against today or, where that is not known, against testing nobody."""
        verdict = self.verdict
        assert verdict is not None  # asked for only if there is one
        name, more = today_words(verdict.costs.today), verdict.against_today
        if more is None:
            name, more = "testing nobody", verdict.against_nobody
        if more is None:
            return ""
        if abs(more.mean) <= SAME * max(1.0, abs(verdict.cost)):
            return f", the same as {name}"
        kind = "more" if more.mean > 0 else "less"
        chance = ", which may be chance" if more.low <= 0 <= more.high else ""
        return f", {amount(abs(more.mean))} {kind} than {name}{chance}"

    # The figures

    def _tiles(self) -> list[Html]:
        return [
            tag("div", tag("dt", name), tag("dd", value, tag("small", note)))
            for name, value, note in [*self._of_verdict(), *self._of_others(), *self._of_parts()]
        ]

    def _of_verdict(self) -> Iterable[tuple[str, str, str]]:
        if self.verdict is not None:
            low, high = map(amount, self.verdict.interval)
            note = f"{low} to {high} with 95 % confidence"
            yield f"{self.words.a_one} costs", self.words.money(self.verdict.cost), note

    def _of_parts(self) -> Iterable[tuple[str, str, str]]:
        """Give tests and mistakes, where there are cases that were not learnt from."""
        words, bill, found = self.words, self.bill, self.expected
        if found is None and self.training:
            return
        tests = bill.mean_test_cost if found is None else float(found.test_cost.mean())
        mistakes = bill.mean_error_cost if found is None else float(found.error_cost.mean())
        right = bill.accuracy if found is None else found.accuracy
        cases = bill.weight if found is None else len(found.fold)
        wrong = bill.n_errors if found is None else float(cases - found.right.sum())
        yield "tests", words.money(tests), f"{round(paid_tests(bill), 1):g} bought for {words.a_one}"
        if mistakes is not None and wrong is not None:
            yield answers_word(bill), words.money(mistakes), self._mistakes(wrong, cases)
        if right is not None:
            yield "right", f"{100 * right:.1f} %", f"of {words.many}"

    def _mistakes(self, wrong: float, cases: float) -> str:
        """Say how many answers are wrong; an answer that is no class is neither, nor told apart by folds."""
        among = self.words.counted(cases)
        if not self.bill.further:
            return f"{amount(wrong)} among {among}"
        if self.expected is not None:
            return f"of {among}"
        return f"{counted(amount(wrong), 'mistake') if wrong else 'no mistake'} among {among}"

    def _of_others(self) -> Iterable[tuple[str, str, str]]:
        """Give what would be paid today, and without any test."""
        verdict, money = self.verdict, self.words.money
        if verdict is None:
            return
        if verdict.against_today is not None:
            value = money(verdict.cost - verdict.against_today.mean)
            yield today_words(verdict.costs.today), value, _saved(verdict.against_today)
        nobody = self.bill.untested_cost
        if verdict.against_nobody is not None:
            nobody = verdict.cost - verdict.against_nobody.mean
        if nobody is not None:
            found = ", which turned out cheapest" if verdict.in_hindsight else ""
            notes = [f'if the answer is "{name_text(self.bill.untested_answer)}" for all{found}']
            if verdict.against_nobody is not None:
                notes.insert(0, _saved(verdict.against_nobody))
            yield "testing nobody", money(nobody), "; ".join(notes)

    # What was learnt from

    def _unknown(self) -> str:
        return (
            f"What a new {self.words.one} costs is not known here: this page was made of the "
            f"{self.words.many} that {self.noun} learnt from, without cross-validation and without others "
            "that were held back."
        )

    def _learnt_from(self) -> str:
        """Write the figures that flatter, in one line."""
        bill, words = self.bill, self.words
        said = f"The {words.counted(bill.weight)} that {self.noun} learnt from"
        if bill.mean_cost is None or bill.mean_error_cost is None or bill.accuracy is None:
            return f"{said} paid {words.money(bill.mean_test_cost)} each for tests."
        return (
            f"{said} cost {words.money(bill.mean_cost)} each (tests {amount(bill.mean_test_cost)}, "
            f"{answers_word(bill)} {amount(bill.mean_error_cost)}; {100 * bill.accuracy:.1f} % right). "
            "New ones cost more, as a rule."
        )


def paid_tests(bill: Bill) -> float:
    """Return how many tests that have a price are bought for a case; what is free is not bought.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> model = tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y)
    >>> bill = tw.bill(model, golf.X, golf.y)
    >>> round(paid_tests(bill), 2), bill.costs.tests["Wind"]
    (1.71, Test(0.5))
    >>> free = golf.costs.replace(tests={**golf.costs.tests, "Wind": 0})
    >>> round(paid_tests(tw.bill(model, golf.X, golf.y, free)), 2)
    1.36
    """
    return paid_times(bill)[0]


def _saved(more: Difference) -> str:
    """Write what is saved, or spent, with its interval."""
    if not more.mean:
        return "the same"
    if more.mean > 0:
        return f"{amount(more.mean)} cheaper ({amount(more.low)} to {amount(more.high)})"
    return f"{amount(-more.mean)} dearer ({amount(-more.high)} to {amount(-more.low)})"
