"""Published prices, from a folder's ``test_costs.json`` or from a price list that ships with us."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from thriftwood.costs import Costs, Test
from thriftwood.datasets.folder import read_json

# Several forms of one table share a price list.
_SAME_PRICES = {"heart-cleveland-2class": "heart-cleveland"}

# What the members of Turney's groups have in common and pay once.
_COMMON = {
    "A": "blood draw",
    "B": "thallium stress test",
    "C": "exercise ECG",
}

# Computed columns: nothing of their own to pay, but everything that they are computed from.
_COMPUTED = {"ann-thyroid": {"FTI": ("TT4", "T4U")}}


def shipped_costs(name: str) -> Costs | None:
    """Return the price list that ships inside the package for a set, or None.

    >>> shipped_costs("diabetes").purchase(["plas", "insu"])
    [17.61, 20.68]
    >>> shipped_costs("zoo") is None
    True
    """
    resource = files("thriftwood.datasets").joinpath("prices", f"{_SAME_PRICES.get(name, name)}.toml")
    if not resource.is_file():
        return None
    with as_file(resource) as path:
        return Costs.from_file(path)


def published_costs(
    name: str, entry: Mapping[str, Any], folder: Path, features: Sequence[str], classes: Sequence[str]
) -> Costs | None:
    """Return what is published about the prices of a set in a folder, or None.

    From the folder: ``test_costs.json`` if it names the set, and ``documented_cost_matrix`` of the
    description if its labels are the classes of the table. Without either, the price list that ships with
    us for this name, provided that the table has the columns it names: a folder may use the name for
    another table.
    """
    errors = _documented_errors(entry, classes)
    listing = _turney_listing(folder, name)
    if listing is not None:
        return turney_costs(listing, features, _COMPUTED.get(name, {}), errors)
    if errors is not None:
        return Costs(errors=errors)
    shipped = shipped_costs(name)
    return shipped if shipped is not None and set(shipped.tests) <= set(features) else None


def turney_costs(
    listing: Sequence[Mapping[str, Any]],
    features: Sequence[str],
    computed: Mapping[str, Sequence[str]] | None = None,
    errors: Mapping[str, Mapping[str, float]] | None = None,
) -> Costs:
    """Turn a list of tests with first and later prices into costs.

    A group whose members all save the same amount shares a resource of that price; otherwise each member
    keeps its two prices (``group`` and ``after``).

    Parameters
    ----------
    listing : sequence of dict
        Tests with ``column``, ``first_cost``, ``later_cost``, ``group`` (or None) and ``delayed``.
    features : sequence of str
        The columns of the table; tests of other columns are an error.
    computed : dict, optional
        Columns that are computed from others: name to the columns that must be bought.
    errors : dict, optional
        Costs of mistakes, actual to predicted to cost.

    Examples
    --------
    >>> tests = [
    ...     {"column": "chol", "first_cost": 7.27, "later_cost": 5.17, "group": "A", "delayed": True},
    ...     {"column": "fbs", "first_cost": 5.2, "later_cost": 3.1, "group": "A", "delayed": True},
    ... ]
    >>> costs = turney_costs(tests, ["chol", "fbs"])
    >>> costs.shared
    {'blood draw': 2.1}
    >>> costs.tests["fbs"]
    Test(3.1, needs=['blood draw'], delayed=True)
    """
    computed = computed or {}
    if unknown := [test["column"] for test in listing if test["column"] not in features]:
        raise ValueError(
            f"The price list names the column {unknown[0]!r}, which the table does not have. "
            f"Columns: {', '.join(map(repr, features))}."
        )
    savings = _common_savings(listing)
    ingredients = {column for columns in computed.values() for column in columns}
    tests: dict[str, Test] = {}
    shared = {_resource(group): float(saving) for group, saving in savings.items()}
    for test in listing:
        column, group = test["column"], test["group"]
        price, delayed = float(test["first_cost"]), bool(test["delayed"])
        if group is not None and group not in savings:
            tests[column] = Test(price, group=group, after=float(test["later_cost"]), delayed=delayed)
            continue
        needs = []
        if group is not None:
            price, needs = float(test["later_cost"]), [_resource(group)]
        if column in ingredients:  # the work itself becomes a resource, so that whoever needs it pays it once
            shared[f"{column} assay"] = price
            price, needs = 0.0, [*needs, f"{column} assay"]
        tests[column] = Test(price, needs=needs, delayed=delayed)
    for column, sources in computed.items():
        needs = list(dict.fromkeys(need for source in sources for need in tests[source].needs))
        tests[column] = Test(0.0, needs=needs, delayed=any(tests[source].delayed for source in sources))
    return Costs(tests=tests, shared=shared, errors=errors)


def _common_savings(listing: Sequence[Mapping[str, Any]]) -> dict[str, Decimal]:
    """Return, for each group whose members all save the same, what they save; exact, in decimals."""
    savings: dict[str, set[Decimal]] = {}
    for test in listing:
        if test["group"] is not None:
            saving = Decimal(str(test["first_cost"])) - Decimal(str(test["later_cost"]))
            savings.setdefault(test["group"], set()).add(saving)
    return {group: amounts.pop() for group, amounts in savings.items() if len(amounts) == 1}


def _resource(group: str) -> str:
    return _COMMON.get(group, f"group {group}")


def _turney_listing(folder: Path, name: str) -> Sequence[Mapping[str, Any]] | None:
    path = folder / "test_costs.json"
    if not path.is_file():
        return None
    for problem in read_json(path).get("turney", {}).values():
        if name in problem["datasets"]:
            attributes: Sequence[Mapping[str, Any]] = problem["attributes"]
            return attributes
    return None


def _documented_errors(
    entry: Mapping[str, Any], classes: Sequence[str]
) -> dict[str, dict[str, float]] | None:
    documented = entry.get("documented_cost_matrix")
    if documented is None or set(documented["order"]) != set(classes):
        return None
    if documented["rows"] != "true":
        raise ValueError(f"The cost matrix of {entry['name']!r} must have the true classes as rows.")
    order = documented["order"]
    return {
        actual: {
            predicted: float(cost) for predicted, cost in zip(order, row, strict=True) if predicted != actual
        }
        for actual, row in zip(order, documented["matrix"], strict=True)
    }
