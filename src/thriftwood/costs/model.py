"""`Costs`: prices of tests and costs of mistakes as one fixed value.

A value: frozen, hashable, compared by content, shared by clones. Prices that guide growth and prices that
are charged are two things: a tree that looked at no price has a bill too.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from thriftwood.costs import files, readers
from thriftwood.costs.checking import checked_needs, checked_payment, checked_shared, checked_tests
from thriftwood.costs.compiled import MissingValues, PriceList, compile_prices
from thriftwood.costs.frozen import FrozenDict
from thriftwood.costs.further import Further, checked_answers, further_columns, further_names
from thriftwood.costs.matrix import Errors, checked_errors, error_matrix
from thriftwood.costs.names import (
    CostError,
    Number,
    class_name,
    nearest,
    number,
    number_or_none,
    plain,
    quoted,
)
from thriftwood.costs.prices import Basket
from thriftwood.costs.reasonable import threshold
from thriftwood.costs.selecting import selected
from thriftwood.costs.test import Test, flag
from thriftwood.costs.today import Today, checked_today, checked_word, plural

Prices: TypeAlias = (
    Mapping[str, Number | Test] | Mapping[int, Number | Test] | Mapping[str | int, Number | Test]
)
NOTHING: FrozenDict[Any] = FrozenDict({})
ENTRIES_SHOWN = 20  # a repr of 100,000 tests helps nobody
LONGEST_SHOWN = 120  # letters of a dictionary that is repeated in a message


@dataclass(frozen=True, init=False, repr=False)
class Costs(MissingValues):
    """What every test costs and what every mistake costs.

    A value: it checks itself when built, cannot change afterwards, and can be compared, hashed, copied,
    pickled and used as a parameter of an estimator.

    Parameters
    ----------
    tests : mapping of str or int to number or Test
        The price of measuring each feature. A column of a table without names is called by its position: 0
        and ``"x0"`` are the same. Columns not named here cost `default_price`.
    shared : mapping of str to number
        Prices of the resources that tests need; each is paid once, by whoever needs it first.
    errors : mapping, square array or None
        ``errors[actual][predicted]``, what an answer costs; negative is a benefit. Right answers that are not
        named cost 0; mistakes that are not named cost `errors_default`. Class labels are kept as text, so 1,
        1.0 and ``"1"`` name the same class. An array is ``[actual, predicted]`` in the order of the sorted
        classes (``classes_``), like scikit-learn's confusion matrix. None: every mistake costs
        `errors_default`.
    payment : {"sequential", "upfront"}
        Sequential: a case pays for the tests on its own path. Upfront: every test that the model may ask is
        paid for once, before anything happens.
    charge_missing : bool
        Whether a test that was ordered is paid although its value turns out to be missing.
    errors_default : number, optional
        The cost of every mistake that `errors` does not name. Without it, a mistake missing from a dictionary
        is an error when the classes become known, and ``errors=None`` means 1, plain accuracy.
    default_price : number or None
        The price of every column that `tests` does not name. None: every column needs a price of its own, and
        one without is an error.
    answers : mapping of str to number, or to a mapping of classes to numbers
        Answers that are no class, such as ``{"refer": 50}``, and what they cost: the same whatever the truth,
        or ``{"refer": {"sick": 40, "healthy": 60}}`` by it. They may also stand in `errors`, as a column that
        every row names and that has no row of its own, unless there is an `errors_default`.
    today : list of str, mapping or Today, optional
        Today's practice, to compare models with: a list of tests that everybody gets, or one of
        ``{"tests": [...]}``, ``{"answers": "column"}`` and ``{"model": "file.json"}``.
    currency : str
        The unit of all amounts, such as ``"EUR"``: written behind them.
    case_name : str
        What a case is called: ``"patient"``, ``"application"``. Several are called by the rules of English
        (`cases_name`), which know children, people, women, men, mice, feet, calves, sheep and fish.

    Examples
    --------
    >>> costs = Costs(
    ...     tests={
    ...         "age": 1,
    ...         "chol": Test(5.17, needs=["blood draw"]),
    ...         "sugar": Test(3.10, needs=["blood draw"]),
    ...     },
    ...     shared={"blood draw": 2.10},
    ...     errors={"sick": {"healthy": 50}, "healthy": {"sick": 10}},
    ... )
    >>> costs.purchase(["age", "chol", "sugar"])
    [1.0, 7.27, 3.1]
    >>> costs.error_matrix(["healthy", "sick"])
    array([[ 0., 10.],
           [50.,  0.]])

    Referring a case to an expert costs 8:

    >>> costs.replace(answers={"refer": 8}).error_matrix(["healthy", "sick"])
    array([[ 0., 10.,  8.],
           [50.,  0.,  8.]])
    """

    tests: Mapping[str, Test]
    shared: Mapping[str, float]
    errors: Errors
    payment: Literal["sequential", "upfront"]
    charge_missing: bool
    errors_default: float | None
    default_price: float | None
    answers: Further = NOTHING  # this and what follows has a default for pickles from before there were any
    today: Today | None = None
    currency: str = ""
    case_name: str = "case"

    def __init__(
        self,
        tests: Prices = NOTHING,
        shared: Mapping[str, Number] = NOTHING,
        errors: Mapping[Any, Mapping[Any, Number]] | ArrayLike | None = None,
        payment: Literal["sequential", "upfront"] = "sequential",
        charge_missing: bool = True,
        *,
        errors_default: Number | None = None,
        default_price: Number | None = 0.0,
        answers: Mapping[Any, Number | Mapping[Any, Number]] = NOTHING,
        today: Sequence[str | int] | Mapping[str, Any] | Today | None = None,
        currency: str = "",
        case_name: str = "case",
    ) -> None:
        put = object.__setattr__
        put(self, "tests", checked_tests(tests))
        put(self, "shared", checked_shared(shared))
        put(self, "errors", checked_errors(errors))
        put(self, "payment", checked_payment(payment))
        put(self, "charge_missing", flag(charge_missing, "charge_missing"))
        put(self, "errors_default", number_or_none(errors_default, "errors_default"))
        put(self, "default_price", number_or_none(default_price, "default_price"))
        put(self, "answers", checked_answers(answers, self.errors))
        put(self, "today", checked_today(today))
        put(self, "currency", checked_word(currency, "currency", empty=True))
        put(self, "case_name", checked_word(case_name, "case_name", empty=False))
        checked_needs(self.tests, self.shared)
        if isinstance(self.errors, tuple) and self.errors_default is not None:
            raise CostError(
                "errors is an array and names every cost; errors_default has nothing to add. Drop it."
            )

    # What tests cost

    def basket(self) -> Basket:
        """Return an empty basket: the running bill of one case, test by test."""
        return Basket(self.tests, self.shared, self._unnamed)

    def effective_price(self, test: str | int, paid: Collection[str | int] = ()) -> float:
        """Return what `test` costs when the tests `paid` were paid before.

        Examples
        --------
        >>> costs = Costs({"delta": Test(7, group="g", after=5), "epsilon": Test(10, group="g", after=8)})
        >>> costs.effective_price("epsilon"), costs.effective_price("epsilon", paid=["delta"])
        (10.0, 8.0)
        """
        basket = self.basket()
        for name in paid:
            basket.buy(name)
        return basket.price(test)

    def purchase(self, tests_in_order: Iterable[str | int]) -> list[float]:
        """Return what each test costs when they are bought in this order."""
        basket = self.basket()
        return [basket.buy(name) for name in tests_in_order]

    def total(self, tests: Iterable[str | int]) -> float:
        """Return what these tests cost together; the order matters only for `after` prices."""
        return math.fsum(self.purchase(tests))

    def standard_cost(self, feature_names: Iterable[str | int], class_shares: Mapping[Any, Number]) -> float:
        """Return Turney's standard cost, the yardstick that makes costs of different problems comparable.

        All tests, plus the largest error cost times the share of cases outside the commonest class.

        Examples
        --------
        >>> costs = Costs({"T": 30}, errors_default=50)
        >>> costs.standard_cost(["T"], {"a": 0.6, "b": 0.4})
        50.0
        """
        shares = [number(share, f"The share of class {label!r}") for label, share in class_shares.items()]
        if not shares or not math.isclose(sum(shares), 1.0, abs_tol=1e-6):
            raise CostError(f"The shares of the classes must add up to 1. Got {shares}.")
        largest_error = float(self.error_matrix(class_shares)[:, : len(shares)].max())
        return self.total(feature_names) + (1.0 - max(shares)) * largest_error

    # What the native core and the learners read

    def compile(self, feature_names: Iterable[str | int]) -> PriceList:
        """Return the prices of a table with these columns as arrays.

        Raises
        ------
        CostError
            If `tests` names a column the table does not have (`only` leaves such prices out), or if a column
            has no price and `default_price` is None.
        """
        return compile_prices(
            feature_names,
            self.tests,
            self.shared,
            unnamed=self._unnamed,
            upfront=self.payment == "upfront",
            charge_missing=self.charge_missing,
        )

    def error_matrix(self, classes: Iterable[Any]) -> NDArray[np.float64]:
        """Return what answers cost as a new array ``[actual, answered]``.

        The columns are the classes and then the `further_answers`, if there are any.

        Raises
        ------
        CostError
            If `errors` names another class, has another size, or leaves out a mistake and there is no
            `errors_default`; if an answer besides the classes is one of them, or has no cost for one.
        """
        names = [class_name(label) for label in classes]
        matrix = error_matrix(self.errors, self.errors_default, names)
        further = further_columns(self.answers, self.errors, self.errors_default, names)
        return np.column_stack([matrix, *further.values()]) if further else matrix

    @property
    def names_errors(self) -> bool:
        """Whether they say what answers cost; otherwise every mistake costs 1."""
        return self.errors is not None or self.errors_default is not None or bool(self.answers)

    @property
    def error_parameters(self) -> dict[str, Any]:
        """What they say about answers, as parameters for `replace`."""
        return {"errors": self.errors, "errors_default": self.errors_default, "answers": self.answers}

    def further_answers(self, classes: Iterable[Any]) -> tuple[str, ...]:
        """Name the answers that are none of these classes, in the order of their columns.

        Examples
        --------
        >>> Costs(errors_default=100, answers={"refer": 49}).further_answers(["well", "sick"])
        ('refer',)
        """
        names = [class_name(label) for label in classes]
        return tuple(further_names(self.answers, self.errors, self.errors_default, names))

    def threshold(self, classes: Iterable[Any]) -> float:
        """Return the probability of the second of two classes above which it is the cheaper answer.

        Examples
        --------
        >>> Costs(errors={"sick": {"well": 5}, "well": {"sick": 1}}).threshold(["well", "sick"])
        0.16666666666666666

        References
        ----------
        Elkan 2001, The foundations of cost-sensitive learning, IJCAI
        """
        names = [class_name(label) for label in classes]
        further = self.further_answers(names)
        if further:
            raise CostError(
                f"There is no single threshold between {quoted(names)}: between them {quoted(further)} can "
                "be the cheapest answer. Compare expected costs, by error_matrix."
            )
        return threshold(self.error_matrix(names), names)

    @property
    def cases_name(self) -> str:
        """What several cases are called.

        Examples
        --------
        >>> Costs(case_name="patient").cases_name
        'patients'
        """
        return plural(self.case_name)

    # Copies, files and other programs' formats

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some parameters changed.

        Examples
        --------
        >>> Costs({"age": 1}).replace(payment="upfront")
        Costs(tests={'age': 1}, payment='upfront')
        """
        current = {field.name: getattr(self, field.name) for field in fields(self)}
        for name in changes:
            if name not in current:
                raise CostError(f"Costs has no parameter {name!r}. {nearest(name, current)}")
        return type(self)(**{**current, **changes})

    def only(self, columns: Iterable[str | int]) -> Self:
        """Return a copy for a table with these columns: prices of other tests are left out.

        So are shared resources that no test needs any more, and groups with a single test left. What the
        tests that are left cost does not change, nor does `today`.

        Examples
        --------
        >>> prices = Costs({"age": 1, "chol": Test(5, needs=["blood"]), "scan": 90}, {"blood": 2, "bed": 50})
        >>> prices.only(["age", "chol", "height"])
        Costs(tests={'age': 1, 'chol': Test(5, needs=['blood'])}, shared={'blood': 2})
        """
        tests, shared = selected(self.tests, self.shared, columns)
        return self.replace(tests=tests, shared=shared)

    def to_dict(self) -> dict[str, Any]:
        """Return the content as plain dictionaries, lists, numbers and strings: what a cost file holds."""
        parts = self.tests, self.shared, self.errors, self.answers, self.today
        return files.to_plain(*parts, self._settings())

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the costs that `to_dict` described; an unknown key is an error that names it.

        Examples
        --------
        >>> Costs.from_dict({"tests": {"age": 1, "chol": {"price": 7, "delayed": True}}})
        Costs(tests={'age': 1, 'chol': Test(7, delayed=True)})
        """
        return cls(**files.from_plain(data))

    def to_file(self, path: str | Path) -> None:
        """Write a cost file, TOML or JSON by the name's ending. Reading it gives an equal object."""
        files.write(Path(path), self.to_dict())

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Read a cost file, TOML or JSON by the name's ending.

        Notes
        -----
        The TOML layout; every part may be left out::

            currency = "EUR"
            case_name = "patient"
            payment = "sequential"
            errors_default = 1
            default_price = 0  # "none": every column must be listed

            [tests]
            age = 1
            chol = {price = 5.17, needs = ["blood draw"], delayed = true}
            thal = {price = 102.9, group = "scan", after = 1}

            [shared]
            "blood draw" = 2.1

            [errors.sick]
            healthy = 50

            [answers]  # besides the classes
            refer = 8
            later = {sick = 30, healthy = 1}

            [today]  # one of: tests for everybody, a column of today's answers, a saved model
            tests = ["age", "chol"]
        """
        return files.read(Path(path), cls.from_dict)

    @classmethod
    def from_weka(cls, path: str | Path, classes: Sequence[Any]) -> Self:
        """Read error costs from a Weka cost matrix; `classes` are its rows, in the order of the ARFF header.

        Both forms: the matrix after a line with its size, and the older list of lines ``actual predicted
        cost`` with positions from 0, where a mistake not listed costs 1. Comments start with ``%``.
        """
        return cls(**readers.weka(Path(path), classes))

    @classmethod
    def from_c50(cls, path: str | Path) -> Self:
        """Read error costs from a C5.0 costs file: lines ``predicted, actual: cost``; others cost 1."""
        return cls(**readers.c50(Path(path)))

    @classmethod
    def from_lomax(
        cls,
        path: str | Path,
        *,
        columns: Literal["binary", "attributes"] = "binary",
        classes: Sequence[Any] | None = None,
    ) -> Self:
        """Read a cost file of Lomax's benchmark, as published with STreeD.

        Parameters
        ----------
        path : path
            A matrix ``[actual][predicted]``, then a line per attribute with its price, discounted price,
            group (``x`` for none) and the first and last of the 0/1 columns made from it.
        columns : {"binary", "attributes"}
            Whether the tests are the 0/1 columns (named x0, x1, ...; buying one gives the others of its
            attribute for nothing) or the attributes themselves.
        classes : sequence, optional
            Names of the matrix's rows. Without them errors is an array, in the order of the sorted classes.
        """
        return cls(**readers.lomax(Path(path), columns, classes))

    @classmethod
    def from_uci(cls, path: str | Path, name: str | None = None) -> Self:
        """Read Turney's prices from the UCI files ``.cost``, ``.expense``, ``.group`` and ``.delay``.

        Parameters
        ----------
        path : path
            The folder of the files; or, without `name`, the files' common path up to the ending.
        name : str, optional
            The files' name without ending, such as ``heart-disease``.

        Notes
        -----
        ``.cost`` must be there. Without ``.delay`` no test is delayed; ``.expense`` (full and discounted
        prices) and ``.group`` explain each other, so there must be both or neither.
        """
        return cls(**readers.uci(Path(path), name))

    # Being a value

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # nothing in it can change, and cloning an estimator of 100,000 prices should be free

    def _settings(self) -> dict[str, Any]:
        """Return the parameters that are neither prices nor error costs and are not at their default."""
        settings: dict[str, Any] = {}
        if self.currency:
            settings["currency"] = self.currency
        if self.case_name != "case":
            settings["case_name"] = self.case_name
        if self.payment != "sequential":
            settings["payment"] = self.payment
        if not self.charge_missing:
            settings["charge_missing"] = False
        if self.errors_default is not None:
            settings["errors_default"] = plain(self.errors_default)
        if self.default_price is None:
            settings["default_price"] = None
        elif self.default_price:
            settings["default_price"] = plain(self.default_price)
        return settings

    @property
    def _unnamed(self) -> Test | None:
        """The test that a column without a price of its own stands for; None if there must be none."""
        return None if self.default_price is None else Test(self.default_price)

    def __repr__(self) -> str:
        parts = []
        if self.tests:
            prices = ((name, plain(t.price) if t.is_plain else t) for name, t in self.tests.items())
            parts.append(f"tests={_shown(prices, len(self.tests))}")
        if self.shared:
            resources = ((name, plain(price)) for name, price in self.shared.items())
            parts.append(f"shared={_shown(resources, len(self.shared))}")
        if self.errors is not None:
            parts.append(f"errors={files.plain_errors(self.errors)!r}")
        if self.answers:
            parts.append(f"answers={files.plain_answers(self.answers)!r}")
        if self.today is not None:
            parts.append(f"today={files.plain_today(self.today)!r}")
        parts += [f"{name}={value!r}" for name, value in self._settings().items()]
        return f"Costs({', '.join(parts)})"


def _shown(entries: Iterable[tuple[str, object]], count: int) -> str:
    shown = [f"{name!r}: {value!r}" for (name, value), _ in zip(entries, range(ENTRIES_SHOWN), strict=False)]
    more = [f"... {count - ENTRIES_SHOWN:,} more"] if count > ENTRIES_SHOWN else []
    return "{" + ", ".join(shown + more) + "}"


def check_costs(owner: str, costs: object, wanted: str = "a Costs or None") -> None:
    """Raise unless costs are costs; a dictionary is told what to make of it.

    Examples
    --------
    >>> check_costs("CostTreeClassifier", {"age": 1})
    Traceback (most recent call last):
    ...
    TypeError: The 'costs' parameter of CostTreeClassifier must be a Costs or None.
        Got {'age': 1} of type dict. Did you mean costs=tw.Costs(tests={'age': 1})?
    """
    if costs is not None and not isinstance(costs, Costs):
        came = f"Got {costs!r} of type {type(costs).__name__}."
        raise TypeError(f"The 'costs' parameter of {owner} must be {wanted}. {came}{meant_costs(costs)}")


def meant_costs(given: object) -> str:
    """Say what may have been meant by something that is no `Costs`, or nothing.

    Examples
    --------
    >>> meant_costs({"sick": {"well": 50}})
    " Did you mean costs=tw.Costs(errors={'sick': {'well': 50}})?"
    >>> meant_costs({"tests": {"age": 1}, "errors_default": 1})
    ' Did you mean costs=tw.Costs.from_dict(...)?'
    """
    if not isinstance(given, Mapping) or not given:
        return ""
    if set(given) <= {field.name for field in fields(Costs)}:
        return " Did you mean costs=tw.Costs.from_dict(...)?"
    errors = all(isinstance(value, Mapping) and "price" not in value for value in given.values())
    text = repr(given) if len(repr(given)) <= LONGEST_SHOWN else "{...}"
    return f" Did you mean costs=tw.Costs({'errors' if errors else 'tests'}={text})?"
