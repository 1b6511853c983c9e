"""The section of data and settings, which stays folded: the cases, the model's parameters, the price list."""

from __future__ import annotations

from itertools import islice
from typing import Any

from thriftwood.costs.names import counted
from thriftwood.evaluation import Bill
from thriftwood.evaluation.statement import Words, amount
from thriftwood.models.cascade import Cascade
from thriftwood.models.tree.conditions import list_text
from thriftwood.models.tree.tree import Tree
from thriftwood.report.markup import Html, joined, table, tag
from thriftwood.report.naming import cut, name_text

PRICES_SHOWN, SETTING_SHOWN = 40, 300


def settings_section(bill: Bill, model: Any, asked: Tree | Cascade, words: Words) -> Html:
    """Write what the page is about: the cases, the model's settings, the price list."""
    unused = tuple(name for name in asked.feature_names if name not in set(asked.features_used))
    tests = cut(list_text(asked.features_used)) or "none"
    noun = "tree" if isinstance(asked, Tree) else "cards"
    facts = [
        [
            words.many,
            f"{bill.n_cases:,}" + ("" if bill.weights is None else f" of weight {amount(bill.weight)}"),
        ],
        ["features of the table", f"{asked.n_features:,}"],
        [f"tests of the {noun}", f"{len(asked.features_used):,}: {tests}"],
        ["never asked", cut(list_text(unused)) or "none"],
        *_size(asked, words),
        ["all these tests, bought once", words.money(bill.upfront_cost)],
        ["payment", bill.costs.payment],
        ["a test without a value", "is charged" if bill.costs.charge_missing else "is not charged"],
    ]
    parts = [table(f"The {words.many} and the {noun}", ["what", "value"], facts, names=2)]
    settings = _settings(model)
    if settings:
        parts.append(table(f"Settings of {type(model).__name__}", ["parameter", "value"], settings, names=2))
    return joined([tag("div", *parts), tag("div", _prices(bill, asked))])


def _size(asked: Tree | Cascade, words: Words) -> list[list[str]]:
    if isinstance(asked, Cascade):
        return [["size", asked.size]]
    nodes, leaves = counted(asked.n_nodes, "node"), counted(asked.n_leaves, "leaf", "leaves")
    return [
        ["size of the tree", f"{nodes}, {leaves}, depth {asked.depth:,}"],
        ["grown on", words.counted(asked.flat.weight[0])],
    ]


def _settings(model: Any) -> list[list[str]]:
    if not hasattr(model, "get_params"):
        return []
    params = model.get_params(deep=False)
    return [
        [name, _cut(repr(value))] for name, value in params.items() if name != "costs" and value is not None
    ]


def _cut(text: str) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= SETTING_SHOWN else one_line[: SETTING_SHOWN - 1] + "…"


def _prices(bill: Bill, asked: Tree | Cascade) -> Html:
    costs = bill.costs
    tests = set(asked.features_used)
    names = sorted(asked.feature_names, key=lambda name: name not in tests)  # the model's tests first
    rows = []
    for name in names[:PRICES_SHOWN]:
        test = costs.tests.get(name)
        price = test.price if test is not None else costs.default_price
        rules = [] if test is None else _rules(test)
        rows.append([name_text(name), "; ".join(rules), "-" if price is None else amount(price)])
    shared = islice(costs.shared.items(), PRICES_SHOWN)
    rows += [[f"{name_text(name)} (shared)", "", amount(price)] for name, price in shared]
    more = len(names) - PRICES_SHOWN
    shown = table("Price list", ["test", "rules", "price"], rows, names=2)
    return (
        joined([shown, tag("p", f"and {counted(more, 'more feature')}", class_="note")])
        if more > 0
        else shown
    )


def _rules(test: Any) -> list[str]:
    rules = []
    if test.needs:
        rules.append(f"needs {cut(list_text(test.needs))}")
    if test.after is not None:
        rules.append(f"{amount(test.after)} after another of {name_text(test.group)}")
    if test.delayed:
        rules.append("delayed")
    return rules
