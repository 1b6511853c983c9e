"""One test: the price of measuring one feature, and what the price depends on."""

from __future__ import annotations

from collections.abc import Collection, Set
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from thriftwood.costs.names import CostError, Number, first_repeat, got, number, number_or_none, plain


@dataclass(frozen=True, init=False, repr=False, slots=True)
class Test:
    """The price of one test and the rules that change it.

    Parameters
    ----------
    price : number, 0 or more
        What the test itself costs.
    needs : collection of str
        Shared resources the test needs. Each is paid once, by the test that needs it first; their prices are
        in ``Costs(shared=...)``. A test that is nothing but its resources has price 0.
    delayed : bool
        The answer comes too late to choose the next test by it, so on reaching this test everything that the
        rest of the procedure may ask is ordered at once. Where a tree never asks it, it changes nothing.
    group : str, optional
        Tests of the same group can have a lower price once another test of the group was bought. The only
        test of a group always has its full price.
    after : number, 0 to `price`, optional
        The price that replaces `price` once any other test of the same group was bought.

    Examples
    --------
    >>> Test(5.17, needs=["blood draw"], delayed=True)
    Test(5.17, needs=['blood draw'], delayed=True)
    >>> Test(7, group="blood", after=5)
    Test(7, group='blood', after=5)
    """

    __test__: ClassVar[bool] = False  # pytest takes a class called Test for a set of tests

    price: float
    needs: tuple[str, ...]
    delayed: bool
    group: str | None
    after: float | None

    def __init__(
        self,
        price: Number,
        needs: Collection[str] = (),
        delayed: bool = False,
        group: str | None = None,
        after: Number | None = None,
    ) -> None:
        put = object.__setattr__
        put(self, "price", number(price, "The price of a test"))
        put(self, "needs", _resources(needs))
        put(self, "delayed", flag(delayed, "delayed"))
        put(self, "group", _group(group))
        put(
            self,
            "after",
            number_or_none(after, "after, the price once another test of the group was bought,"),
        )
        self._check_after()

    def _check_after(self) -> None:
        if self.after is None:
            return
        if self.group is None:
            raise CostError(
                f"after={plain(self.after)} needs a group: it is the price once another test of the same "
                "group was bought. Add group=..., or leave out after."
            )
        if self.after > self.price:
            raise CostError(
                f"after={plain(self.after)} is more than the price {plain(self.price)}. The price after "
                "another test of the group is a discount: give a number from 0 to the price."
            )

    @property
    def is_plain(self) -> bool:
        """Whether the price is all there is to say, so that a number can stand for the test."""
        return not self.needs and not self.delayed and self.group is None

    def __repr__(self) -> str:
        parts = [str(plain(self.price))]
        if self.needs:
            parts.append(f"needs={list(self.needs)!r}")
        if self.delayed:
            parts.append("delayed=True")
        if self.group is not None:
            parts.append(f"group={self.group!r}")
        if self.after is not None:
            parts.append(f"after={plain(self.after)}")
        return f"Test({', '.join(parts)})"


def flag(value: object, what: str) -> bool:
    """Return a bool, or say that the setting called `what` is none."""
    if not isinstance(value, (bool, np.bool_)):
        raise CostError(f"{what} must be True or False. {got(value)}")
    return bool(value)


def _group(group: object) -> str | None:
    if group is None or isinstance(group, str):
        return group
    raise CostError(f"The group of a test must be a string. {got(group)}")


def _resources(needs: object) -> tuple[str, ...]:
    if isinstance(needs, str):
        raise CostError(f"needs must be a list of names. Got the string {needs!r}: write [{needs!r}].")
    if not isinstance(needs, Collection):
        raise CostError(f"needs must be a list of names. {got(needs)}")
    for name in needs:
        if not isinstance(name, str):
            raise CostError(f"needs must be a list of names (strings). {got(name)}")
    # A set has no order of its own; sorting keeps equal tests equal from run to run.
    names = tuple(sorted(needs) if isinstance(needs, Set) else needs)
    twice = first_repeat(names)
    if twice is not None:
        raise CostError(f"needs names the resource {twice!r} twice. A resource is paid once: name it once.")
    return names
