"""What a case is called on the page, and the unit of its money: the price list says both."""

from __future__ import annotations

from typing import NamedTuple

from thriftwood.costs import Costs
from thriftwood.costs.names import counted
from thriftwood.evaluation.statement import amount


class Words(NamedTuple):
    """The words of one price list.

    Examples
    --------
    >>> words = Words("patient", "patients", "EUR")
    >>> words.money(26.816), words.counted(171), words.a_one
    ('26.82 EUR', '171 patients', 'a patient')
    """

    one: str
    many: str
    currency: str = ""

    @property
    def a_one(self) -> str:
        """One of them, with its article."""
        return f"{'an' if self.one[:1].lower() in tuple('aeiou') else 'a'} {self.one}"

    def money(self, value: float) -> str:
        """Write an amount with its unit."""
        return f"{amount(value)} {self.currency}".rstrip()

    def counted(self, number: float) -> str:
        """Write how many cases there are."""
        return counted(amount(number), self.one, self.many)


def words_of(costs: Costs) -> Words:
    """Return the words of a price list."""
    return Words(costs.case_name, costs.cases_name, costs.currency)
