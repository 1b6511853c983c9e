"""A dictionary that cannot change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

V = TypeVar("V")


class FrozenDict(Mapping[str, V], Generic[V]):
    """A fixed mapping from names: hashable, picklable, equal to any mapping with the same entries.

    (`types.MappingProxyType` can be neither pickled nor copied, and estimators are both.)

    Examples
    --------
    >>> FrozenDict({"a": 1.0}) == {"a": 1.0}
    True
    """

    __slots__ = ("_entries",)
    _entries: dict[str, V]

    def __init__(self, entries: Mapping[str, V]) -> None:
        object.__setattr__(self, "_entries", dict(entries))

    def __getitem__(self, name: str) -> V:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __hash__(self) -> int:
        return hash(frozenset(self._entries.items()))

    def __repr__(self) -> str:
        return repr(self._entries)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("This mapping cannot change. Make a new one, e.g. with Costs.replace().")

    def __reduce__(self) -> tuple[type[FrozenDict[V]], tuple[dict[str, V]]]:
        return type(self), (self._entries,)
