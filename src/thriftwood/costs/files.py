"""Cost files: the content of `Costs` as plain data, and that data as TOML or JSON."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from thriftwood.base.saving import save_bytes
from thriftwood.costs import toml
from thriftwood.costs.further import Further
from thriftwood.costs.matrix import Errors
from thriftwood.costs.names import CostError, first_repeat, nearest, plain
from thriftwood.costs.test import Test
from thriftwood.costs.today import Today

Built = TypeVar("Built")

FILE_KEYS = (
    *("currency", "case_name", "payment", "charge_missing", "errors_default", "default_price"),
    *("tests", "shared", "errors", "answers", "today"),
)
TEST_KEYS = ("price", "needs", "delayed", "group", "after")
_NO_PRICE = "none"  # TOML has no word for nothing
ENDINGS = (".toml", ".json")
_COMMA = re.compile(r"[=:]\s*(?P<number>[+-]?\d+,\d+)\s*(?:$|[,}])")


# Costs <-> plain data


def to_plain(
    tests: Mapping[str, Test],
    shared: Mapping[str, float],
    errors: Errors,
    answers: Further,
    today: Today | None,
    settings: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the content of a cost file; `settings` come first, empty parts are left out."""
    data = {name: _NO_PRICE if value is None else value for name, value in settings.items()}
    if tests:
        data["tests"] = {name: _plain_test(test) for name, test in tests.items()}
    if shared:
        data["shared"] = {name: plain(price) for name, price in shared.items()}
    if errors is not None:
        data["errors"] = plain_errors(errors)
    if answers:
        data["answers"] = plain_answers(answers)
    if today is not None:
        data["today"] = today.to_dict()
    return data


def plain_today(today: Today) -> list[str] | dict[str, Any]:
    """Return today's practice in its shortest form."""
    content = today.to_dict()
    return content["tests"] if list(content) == ["tests"] else content


def plain_answers(answers: Further) -> dict[str, float | dict[str, float]]:
    """Return what answers besides the classes cost as dictionaries."""
    return {name: _plain_cost(cost) for name, cost in answers.items()}


def _plain_cost(cost: float | Mapping[str, float]) -> float | dict[str, float]:
    if isinstance(cost, Mapping):
        return {actual: plain(entry) for actual, entry in cost.items()}
    return plain(cost)


def plain_errors(errors: Errors) -> dict[str, dict[str, float]] | list[list[float]] | None:
    """Return error costs as dictionaries or lists."""
    if errors is None:
        return None
    if isinstance(errors, tuple):
        return [[plain(cost) for cost in row] for row in errors]
    return {actual: {answer: plain(cost) for answer, cost in row.items()} for actual, row in errors.items()}


def from_plain(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of `Costs` that a cost file's content describes."""
    if not isinstance(data, Mapping):
        raise CostError(f"A cost file holds a table with the keys {', '.join(FILE_KEYS)}. Got {data!r}.")
    for name in data:
        if name not in FILE_KEYS:
            raise CostError(f"A cost file has no key {name!r}. {nearest(str(name), FILE_KEYS)}")
    parameters = dict(data)
    if parameters.get("default_price") == _NO_PRICE:
        parameters["default_price"] = None
    tests = data.get("tests", {})
    if isinstance(tests, Mapping):  # anything else is refused, in words, by Costs itself
        parameters["tests"] = {name: _test(name, entry) for name, entry in tests.items()}
    return parameters


def _plain_test(test: Test) -> Any:
    if test.is_plain:
        return plain(test.price)
    entry: dict[str, Any] = {"price": plain(test.price)}
    if test.needs:
        entry["needs"] = list(test.needs)
    if test.delayed:
        entry["delayed"] = True
    if test.group is not None:
        entry["group"] = test.group
    if test.after is not None:
        entry["after"] = plain(test.after)
    return entry


def _test(name: str, entry: Any) -> Any:
    if not isinstance(entry, Mapping):
        return entry
    for key in entry:
        if key not in TEST_KEYS:
            raise CostError(
                f"tests.{name} has no key {key!r}. {nearest(str(key), TEST_KEYS)} "
                f'(In TOML a column name with a dot must be quoted: "{name}.{key}".)'
            )
    if "price" not in entry:
        raise CostError(f"tests.{name} has no price. Add price = ... (0 if all it costs is what it needs).")
    try:
        return Test(**entry)
    except CostError as error:
        raise CostError(f"tests.{name}: {error}") from None


# Plain data <-> files


def write(path: Path, data: Mapping[str, Any]) -> None:
    """Write a cost file in the form its ending names."""
    if _ending(path) == ".toml":
        text = toml.dumps(data, nested=frozenset({"errors"}))
    else:
        text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise CostError(
            f"{path} cannot be written: a name holds {error.object[error.start]!r}, "
            "half of a character pair, which no text file can. Rename it."
        ) from None
    save_bytes(path, content)


def read(path: Path, build: Callable[[Mapping[str, Any]], Built]) -> Built:
    """Read a cost file and return what `build` makes of its content; errors name the file."""
    ending = _ending(path)
    content = path.read_bytes()
    try:
        text = content.decode("utf-8-sig")  # some editors put a mark at the start
        data = tomllib.loads(text) if ending == ".toml" else json.loads(text, object_pairs_hook=_no_repeats)
        return build(data)
    except CostError as error:
        raise CostError(f"{path}: {error}") from None
    except RecursionError:
        raise CostError(f"{path} is nested too deeply for a cost file.") from None
    except UnicodeDecodeError as error:
        raise CostError(
            f"{path} is not readable as {ending[1:].upper()}: it is not text in UTF-8, byte {error.start} is "
            f"{content[error.start]:#04x}. Save it so."
        ) from None
    except ValueError as error:
        hint = _decimal_comma(text)
        raise CostError(f"{path} is not readable as {ending[1:].upper()}: {error}.{hint}") from error


def _decimal_comma(text: str) -> str:
    r"""Return " Line 3 ..." for a number with a decimal comma, which no cost file can hold.

    Examples
    --------
    >>> _decimal_comma("[tests]\nFTI = 22,78")
    " Line 2 writes 'FTI = 22,78': numbers have a decimal point, 22.78."
    """
    for number, line in enumerate(text.splitlines(), start=1):
        found = _COMMA.search(line.partition("#")[0])
        if found:
            point = found["number"].replace(",", ".")
            return f" Line {number} writes {line.strip()!r}: numbers have a decimal point, {point}."
    return ""


def _ending(path: Path) -> str:
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise CostError(f"A cost file is called something.toml or something.json. Got {path.name!r}.")
    return ending


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # JSON readers keep the last of two equal keys; a price list with two prices for a test is a mistake.
    twice = first_repeat(name for name, _ in pairs)
    if twice is not None:
        raise CostError(f"The key {twice!r} occurs twice.")
    return dict(pairs)
