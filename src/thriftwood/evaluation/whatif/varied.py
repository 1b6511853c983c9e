"""What is varied: the price of a test, the price of a shared resource, or what a mistake costs.

All three enter the bill of a tree in proportion: turned from one number to another, what a tree costs lies on
a straight line. `tracing` rests on that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from thriftwood.base.advice import advised
from thriftwood.base.remedies import GiveCosts
from thriftwood.costs import CostError, Costs, Test
from thriftwood.costs.names import class_name, column_name, counted, got, nearest, number, plain, quoted

Kind: TypeAlias = Literal["price", "shared", "error"]
Range: TypeAlias = tuple[float, float]

KINDS: tuple[Kind, ...] = ("price", "shared", "error")


@dataclass(frozen=True, slots=True)
class Varied:
    """One number of a price list, and the range it is turned through.

    Examples
    --------
    >>> blood = Varied("price", ("FTI",), 18, 60)
    >>> blood.words, blood.turned(Costs({"FTI": 20}), ["sick", "well"], 35)
    ('the price of FTI', Costs(tests={'FTI': 35}))
    """

    kind: Kind
    key: tuple[str, ...]
    """The test or the resource; of an error cost the true class and the answer."""
    low: float
    high: float

    @property
    def name(self) -> str:
        """The test, the resource, or the mistake as TRUTH:ANSWER."""
        return ":".join(self.key)

    @property
    def words(self) -> str:
        """What it is, as part of a sentence."""
        if self.kind == "error":
            return f"the cost of answering {self.key[1]} to {self.key[0]}"
        return f"the price of {self.name}"

    def over(self, low: float, high: float) -> Varied:
        """Return the same with another range."""
        return replace(self, low=low, high=high)

    def value(self, costs: Costs, classes: Iterable[Any]) -> float:
        """Return what the price list says now."""
        if self.kind == "price":
            test = costs.tests.get(self.name)
            return float(costs.default_price or 0.0) if test is None else test.price
        if self.kind == "shared":
            return costs.shared[self.name]
        names = [class_name(label) for label in classes]
        answers = [*names, *costs.further_answers(names)]
        return float(costs.error_matrix(names)[names.index(self.key[0]), answers.index(self.key[1])])

    def turned(self, costs: Costs, classes: Iterable[Any], value: float) -> Costs:
        """Return the price list with this number instead."""
        if self.kind == "price":
            test = costs.tests.get(self.name) or Test(value)
            own = Test(value, test.needs, test.delayed, test.group, test.after)
            return costs.replace(tests={**costs.tests, self.name: own})
        if self.kind == "shared":
            return costs.replace(shared={**costs.shared, self.name: value})
        return _with_error(costs, [class_name(label) for label in classes], self.key, value)

    def needed_by(self, costs: Costs) -> tuple[str, ...]:
        """Name the tests that pay it; none for an error cost."""
        if self.kind == "price":
            return (self.name,)
        return tuple(name for name, test in costs.tests.items() if self.name in test.needs)

    def least(self, costs: Costs) -> float:
        """Return the least that it can be: 0, or the price that a test has after others of its group."""
        test = costs.tests.get(self.name) if self.kind == "price" else None
        return 0.0 if test is None or test.after is None else test.after


def check_prices(costs: object, wanted: str) -> Costs:
    """Return the price list; an error where there is none to vary."""
    if isinstance(costs, Costs):
        return costs
    if costs is None:
        raise advised(
            ValueError, f"{wanted} asks what prices and mistakes do, and there are none. ", GiveCosts(), "."
        )
    raise TypeError(f"costs must be a Costs. {got(costs)}")


def varied_of(
    given: Mapping[Kind, Any], costs: Costs, columns: Sequence[str], classes: Iterable[Any]
) -> Varied:
    """Return what is to be varied, of the parameters `price`, `shared` and `error`.

    Raises
    ------
    ValueError
        If it is not one of them, or not one thing; if the price list or the table does not have it; if the
        range is none.
    """
    named = [kind for kind in KINDS if given.get(kind) is not None]
    if len(named) != 1:
        came = "Got none of them." if not named else f"Got {' and '.join(named)}."
        raise ValueError(f"What is to be varied? Give one of price, shared and error. {came}")
    kind = named[0]
    entries = given[kind]
    example = '{("sick", "healthy"): (50, 500)}' if kind == "error" else '{"FTI": (18, 60)}'
    if not isinstance(entries, Mapping):
        raise TypeError(f"{kind} must be a dictionary name -> (low, high), such as {example}. {got(entries)}")
    if len(entries) != 1:
        raise ValueError(
            f"{kind} must name one thing to vary, such as {example}. Got {counted(len(entries), 'name')}: "
            "ask for one after the other."
        )
    ((label, ends),) = entries.items()
    key = {"price": _test, "shared": _resource, "error": _mistake}[kind](label, costs, columns, classes)
    found = Varied(kind, key, 0.0, 1.0)
    low, high = _range(ends, found.words, below_zero=kind == "error")
    least = found.least(costs)
    if kind == "price" and low < least:
        raise CostError(
            f"The range of {found.words} begins at {plain(low)}, but the price list has after={plain(least)} "
            f"for {key[0]!r}, what it costs once another test of its group was bought, and that is a "
            f"discount. Begin at {plain(least)} or above, or take after out."
        )
    return found.over(low, high)


def _test(label: Any, costs: Costs, columns: Sequence[str], classes: Iterable[Any]) -> tuple[str, ...]:
    name = column_name(label)
    cannot = f"The price of {name!r} cannot be varied: "
    if name not in columns:
        raise CostError(f"{cannot}the table has no such column. {nearest(name, columns)}")
    if not costs.tests and not costs.default_price:
        raise CostError(
            f"{cannot}the price list has no price of any test. Give each test that costs something its price."
        )
    if name not in costs.tests and not costs.default_price:
        raise CostError(
            f"{cannot}it is free, for the price list does not name it. Tests with a price: "
            f"{quoted(costs.tests)}. If it is a test, too, give it a price, 0 at least."
        )
    return (name,)


def _resource(label: Any, costs: Costs, columns: Sequence[str], classes: Iterable[Any]) -> tuple[str, ...]:
    cannot = f"The price of {label!r} cannot be varied: "
    if label not in costs.shared:
        known = nearest(str(label), costs.shared) if costs.shared else "It has none at all."
        raise CostError(f"{cannot}the price list has no such shared resource. {known}")
    if not any(label in test.needs for name, test in costs.tests.items() if name in columns):
        raise CostError(f"{cannot}no test of this table needs it, so nobody pays for it.")
    return (str(label),)


def _mistake(label: Any, costs: Costs, columns: Sequence[str], classes: Iterable[Any]) -> tuple[str, ...]:
    if isinstance(label, str) or not isinstance(label, Sequence) or len(label) != 2:
        raise CostError(
            f"A mistake is named by the true class and the answer, such as ('sick', 'healthy'). {got(label)}"
        )
    truth, answer = map(class_name, label)
    names = [class_name(one) for one in classes]
    answers = [*names, *costs.further_answers(names)]
    cannot = f"The cost of answering {answer!r} to {truth!r} cannot be varied: "
    if truth not in names:
        raise CostError(f"{cannot}there is no class {truth!r}. {nearest(truth, names)}")
    if answer not in answers:
        raise CostError(f"{cannot}there is no answer {answer!r}. {nearest(answer, answers)}")
    return truth, answer


def _range(ends: Any, words: str, *, below_zero: bool) -> Range:
    if isinstance(ends, str) or not isinstance(ends, Sequence) or len(ends) != 2:
        raise CostError(f"The range of {words} must be two numbers, (low, high). {got(ends)}")
    low, high = (number(end, f"An end of the range of {words}", below_zero=below_zero) for end in ends)
    if low >= high:
        raise CostError(
            f"The range of {words} must have its lower number first. Got {plain(low)} and {plain(high)}."
        )
    return low, high


def _with_error(costs: Costs, names: list[str], key: tuple[str, ...], value: float) -> Costs:
    """Return the price list with another cost of one answer to one class."""
    truth, answer = key
    if answer in costs.answers:
        said = costs.answers[answer]
        row = dict(said) if isinstance(said, Mapping) else dict.fromkeys(names, said)
        return costs.replace(answers={**costs.answers, answer: row | {truth: value}})
    if isinstance(costs.errors, tuple):
        rows = [list(row) for row in costs.errors]
        rows[names.index(truth)][names.index(answer)] = value
        return costs.replace(errors=rows)
    errors = {} if costs.errors is None else dict(costs.errors)
    # Without any error costs a mistake costs 1: so do the others, now that one has a cost.
    default = 1.0 if costs.errors is None and costs.errors_default is None else costs.errors_default
    return costs.replace(
        errors=errors | {truth: {**errors.get(truth, {}), answer: value}}, errors_default=default
    )
