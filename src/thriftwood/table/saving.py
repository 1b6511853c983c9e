"""The learnt encoding as plain JSON types, and back with every entry checked."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from thriftwood.table.columns import Column, Kind

_MOST_FEATURES = 2**31 - 1
_Learnt = tuple[int, tuple[str, ...] | None, dict[int, Column]]


def to_json(n_features: int, names: tuple[str, ...] | None, coded: Mapping[int, Column]) -> dict[str, Any]:
    """Give `n_features`, `names` and `categorical` (position -> kind, categories); the rest is numeric."""
    categorical = {}
    for index, column in coded.items():
        for value in column.categories:
            if not _can_be_saved(value):
                raise ValueError(
                    f"{column.label} has the category {value!r} of type {type(value).__name__}; a file "
                    "can hold text, finite numbers and booleans. Turn its values into text before fit."
                )
        categorical[str(index)] = {"kind": column.kind.value, "categories": list(column.categories)}
    listed = None if names is None else list(names)
    return {"n_features": n_features, "names": listed, "categorical": categorical}


def from_json(content: object) -> _Learnt:
    """Undo `to_json`; a ValueError names the key that is wrong."""
    entries = _mapping(content, "encoder", {"n_features", "names", "categorical"})
    n_features = entries["n_features"]
    if type(n_features) is not int or not 1 <= n_features <= _MOST_FEATURES:
        raise ValueError(
            f"n_features must be an integer from 1 to {_MOST_FEATURES}, got {_short(n_features)}."
        )
    names = _names(entries["names"], n_features)
    categorical = entries["categorical"]
    if not isinstance(categorical, Mapping):
        raise ValueError(f"categorical must map positions to columns, got {_short(categorical)}.")
    coded: dict[int, Column] = {}
    for key, entry in categorical.items():
        index = _index(key, n_features)
        coded[index] = _column(entry, index, names[index] if names else None)
    return n_features, names, coded


def _names(names: object, n_features: int) -> tuple[str, ...] | None:
    if names is None:
        return None
    if not isinstance(names, list) or not all(type(name) is str for name in names):
        raise ValueError(f"names must be a list of texts or null, got {_short(names)}.")
    if len(names) != n_features:
        raise ValueError(f"names must have n_features = {n_features} entries, got {len(names)}.")
    if len(set(names)) != n_features:
        raise ValueError(f"names must differ from each other, got {_short(names)}.")
    return tuple(names)


def _index(key: object, n_features: int) -> int:
    # "7" and nothing else: "07", "+7" and "7.0" would let two keys mean one column
    if type(key) is str and key.isascii() and key.isdigit() and len(key) <= 10 and str(int(key)) == key:
        index = int(key)
        if index < n_features:
            return index
    raise ValueError(f"categorical has the key {_short(key)}; keys are positions, '0' to '{n_features - 1}'.")


def _column(content: object, index: int, name: str | None) -> Column:
    where = f"categorical.{index}"
    entry = _mapping(content, where, {"kind", "categories"})
    kind, categories = entry["kind"], entry["categories"]
    if type(kind) is not str or kind not in (Kind.NOMINAL.value, Kind.ORDERED.value):
        raise ValueError(f"{where}.kind must be 'nominal' or 'ordered', got {_short(kind)}.")
    if not isinstance(categories, list):
        raise ValueError(f"{where}.categories must be a list, got {_short(categories)}.")
    for position, value in enumerate(categories):
        if not _can_be_saved(value):
            raise ValueError(
                f"{where}.categories[{position}] must be text, finite number or boolean, got {_short(value)}."
            )
    if len(set(categories)) != len(categories):
        raise ValueError(f"{where}.categories must differ from each other, got {_short(categories)}.")
    return Column(index, name, Kind(kind), tuple(categories))


def _mapping(content: object, where: str, keys: set[str]) -> Mapping[str, Any]:
    if not isinstance(content, Mapping):
        raise ValueError(f"{where} must be an object with {', '.join(sorted(keys))}, got {_short(content)}.")
    for key in keys - content.keys():
        raise ValueError(f"{where} lacks the key {key!r}.")
    for key in content.keys() - keys:
        raise ValueError(f"{where} has an unknown key {_short(key)}; keys: {', '.join(sorted(keys))}.")
    return content


def _can_be_saved(value: object) -> bool:
    return type(value) in (str, int, bool) or (type(value) is float and math.isfinite(value))


def _short(value: object) -> str:
    """Say what came, short enough for a message even when it is a megabyte."""
    if isinstance(value, str):
        return repr(value[:60])
    if isinstance(value, list | dict):
        return f"a {type(value).__name__} of {len(value)}"
    if isinstance(value, int) and value.bit_length() > 200:
        return "a very large number"
    return repr(value)[:60]
