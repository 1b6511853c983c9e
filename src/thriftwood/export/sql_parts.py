"""Parts of queries that trees and score cards share: names, encoded values, answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from thriftwood.export.plan import Asked
from thriftwood.export.quoting import plain, sql_literal, sql_name
from thriftwood.table import UNSEEN


def check_names(tests: Sequence[Asked], key: str | None) -> None:
    """Refuse columns that SQL does not tell apart."""
    names: dict[str, str] = {}
    for name in [test.name for test in tests] + ([] if key is None else [key]):
        other = names.setdefault(name.casefold(), name)
        if other != name:
            raise ValueError(
                f"The columns {other!r} and {name!r} differ only in upper and lower case, which SQL does not "
                "tell apart. Rename one of them before fit."
            )


def prefix_for(table: list[str]) -> str:
    """Begin the query's own names with something the table's name does not begin with."""
    prefix = "tree"
    while any(part.casefold().startswith(prefix) for part in table):
        prefix += "_"
    return prefix


def value_of(test: Asked) -> str:
    """Write what encodes a column: a double, NULL where it is missing."""
    column = sql_name(test.name)
    if test.categories is None:
        return f"CASE WHEN isnan(CAST({column} AS DOUBLE)) THEN NULL ELSE CAST({column} AS DOUBLE) END"
    kinds = {_kind(plain(value, f"The test {test.name!r}")) for value in test.categories}
    if len(kinds) > 1:
        raise ValueError(
            f"The test {test.name!r} has categories of several types ({', '.join(sorted(kinds))}), which a "
            "column in SQL cannot hold. Turn its values into text before fit."
        )
    otherwise = "NULL" if test.unseen_is_missing else f"{UNSEEN}e0"
    known = "".join(f" WHEN {column} = {sql_literal(c)} THEN {n}e0" for n, c in enumerate(test.categories))
    missing = f"{column} IS NULL"
    if kinds == {"numbers"}:
        missing += f" OR isnan(CAST({column} AS DOUBLE))"
    return f"CASE WHEN {missing} THEN NULL{known} ELSE {otherwise} END"


def _kind(value: Any) -> str:
    if isinstance(value, str | bool):
        return "text" if isinstance(value, str) else "booleans"
    return "numbers"


def one_type(answers: tuple[Any, ...], further: tuple[str, ...]) -> tuple[Any, ...]:
    """Return the answers, if a column can hold them."""
    kinds = {_kind(plain(value, "The target")) for value in answers}
    if len(kinds) > 1 and further:
        raise ValueError(
            f"The classes are {', '.join(sorted(kinds - {'text'}))}, the answer {further[0]!r} is text; "
            "a column in SQL cannot hold both. Turn the classes into text before fit."
        )
    if len(kinds) > 1:
        raise ValueError(
            f"The classes are of several types ({', '.join(sorted(kinds))}), which a column in SQL cannot "
            "hold. Turn them into text before fit."
        )
    return answers


def probability_names(classes: tuple[Any, ...]) -> list[str]:
    """Name the columns by the classes; SQL takes names for equal that differ only in their case."""
    names: dict[str, str] = {}
    for value in classes:
        name = f"probability_{value}"
        while name.casefold() in names:
            name += "_"
        names[name.casefold()] = sql_name(name)
    return list(names.values())
