"""The Python that is the same for everything that buys tests: tables of prices, and how they are read."""

from __future__ import annotations

from thriftwood.export.cascade_plan import CascadePlan
from thriftwood.export.plan import Asked, Plan
from thriftwood.export.quoting import plain, python_literal

TABLES = """\
# Tests: name, {{category: code}} or None for a number, whether an unknown category counts as missing,
# own price, price after another test of its group or None, group or None, shared resources needed.
_{name}_tests = (
{tests})
# Prices of the shared resources, each paid once.
_{name}_resources = {resources}
# Tests bought before anything is decided; whether a test that gives no value is paid.
_{name}_upfront = {upfront}
_{name}_charge_missing = {charge_missing}
"""

HELPERS = """\


def _{name}_encode(test, value):
    name, codes, unknown_is_missing = _{name}_tests[test][:3]
    if value is None or type(value).__name__ in ("NAType", "NaTType") or value != value:
        return "missing"
    if codes is not None:
        return codes.get(value, "missing" if unknown_is_missing else "unseen")
    if isinstance(value, (str, bytes)):
        raise TypeError(f"The test {{name!r}} takes a number or None, got {{value!r}}.")
    return float(value)


def _{name}_price(test, basket):
    price, after, group, needs = _{name}_tests[test][3:]
    bought = [_{name}_tests[other] for other in basket]
    if after is not None and any(entry[5] == group for entry in bought):
        price = after
    for resource in needs:
        if not any(resource in entry[6] for entry in bought):
            price += _{name}_resources[resource]
    return price
"""


def purchase_tables(made: Plan | CascadePlan) -> dict[str, str]:
    """Write what `TABLES` holds."""
    return {
        "tests": "".join(f"    {_test_entry(test)},\n" for test in made.tests),
        "resources": python_literal(made.resources),
        "upfront": python_literal(made.upfront),
        "charge_missing": python_literal(made.charge_missing),
    }


def _test_entry(test: Asked) -> str:
    codes = "None"
    if test.categories is not None:
        what = f"The test {test.name!r}"
        pairs = (f"{python_literal(plain(c, what))}: {code}" for code, c in enumerate(test.categories))
        codes = f"{{{', '.join(pairs)}}}"
    group = None if test.group < 0 else test.group
    rest = (test.unseen_is_missing, test.price, test.after, group, test.needs)
    return f"({python_literal(test.name)}, {codes}, {python_literal(rest)[1:]}"
