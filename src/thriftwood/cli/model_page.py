"""A model as ``show`` and ``fit`` print it: a tree as a drawing, several as tables, score cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.text import Text

from thriftwood.cli.members import Member, asked_tests, members_of
from thriftwood.cli.printing import heading, print_lines, print_tree
from thriftwood.costs import Test
from thriftwood.evaluation.statement import FULL_PRICE, Part, amount, as_text
from thriftwood.models import Cascade, Tree
from thriftwood.models.model import Model
from thriftwood.models.tree.conditions import category_text, list_text
from thriftwood.models.tree.text import also_missing

ROWS_SHOWN = 20
RECKONED = (
    "Price and bill are reckoned here, from what the tests of each tree cost a case on average. A case pays "
    "for the tests it comes to, each once."
)


def headline(model: Model) -> str:
    """Say in a line what it is.

    >>> import thriftwood as tw
    >>> headline(tw.CostTreeClassifier().fit([[1], [2]], ["no", "yes"]).tree_)
    'Tree: 3 nodes, 2 leaves, depth 1, classes no, yes'
    """
    return repr(model)[1:-1]


def print_model(out: Console, model: Model) -> None:
    """Print a tree as a drawing, score cards as text; of several trees how they answer and what they ask."""
    if model.single_tree is not None:
        print_tree(out, model.single_tree)
        return
    if isinstance(model, Cascade):
        print_lines(out, model.text())
        return
    print_lines(out, how_it_answers(model))
    if not model.parts:
        if model.features_used:
            out.print()
            print_lines(out, as_text([_panel(model)]))
        return
    if model.stacked_tree is not None:
        heading(out, "The tree that asks the others")
        print_tree(out, _reckoned(model.stacked_tree))
        if model.stacked_tree.costs is not None:
            print_lines(out, RECKONED)
    out.print()
    print_lines(out, as_text([_members(model), _tests(model)]))


def _panel(model: Model) -> Part:
    """Return a table of the tests that every case is asked."""
    names, costs = model.features_used, model.costs
    rows, columns, notes = [[category_text(name)] for name in names], [""], _more(names)
    if costs is not None:
        columns.append("full price")
        prices = model.prices.list_price()
        for row, name in zip(rows, names, strict=True):
            row.append(amount(float(prices[model.feature_index[name]])))
        notes += (f"all of them: {amount(costs.total(names))}",)
        if any(name in costs.tests and costs.tests[name].needs for name in names):
            notes += (FULL_PRICE,)
    return Part("Tests that everybody is asked", columns, rows[:ROWS_SHOWN], notes)


def _reckoned(tree: Tree) -> Tree:
    """Return a tree whose prices are averages with them rounded, so that the sums on the page add up."""
    costs = tree.costs
    if costs is None:
        return tree
    prices = {name: rounded(test.price) for name, test in costs.tests.items()}
    tests = {name: Test(price, needs=costs.tests[name].needs) for name, price in prices.items()}
    shared = {name: rounded(price) for name, price in costs.shared.items()}
    return tree.with_costs(costs.replace(tests=tests, shared=shared))


def rounded(price: float) -> float:
    """Round to what `amount` would print.

    >>> [rounded(price) for price in (1234.5678, 0.33333, 0.0123456, 2)]
    [1234.57, 0.33, 0.0123, 2.0]
    """
    return float(amount(price).replace(",", ""))


def how_it_answers(model: Model) -> str:
    """Say which trees are asked, when asking ends, and what is answered."""
    upfront = model.costs is not None and model.costs.payment == "upfront"
    paid = " Payment is upfront: every case pays for all tests." if upfront else ""
    return f"{model.how_it_answers}{paid}"


def _members(model: Model) -> Part:
    rows = members_of(model)
    if model.stacked_tree is None:
        weighed = any(row.say is not None for row in rows)
        own = {"say": [row.say for row in rows]} if weighed else {}
        return _table(f"{model.part_noun.capitalize()}s, in the order asked", rows, own)
    asked = [rows[place] for place in model.parts_asked]
    numbers, prices = [float(row.number) for row in asked], [row.price for row in asked]
    found = _table("Trees that it may ask", asked, {"number": numbers, "price": prices})
    never = tuple(f"{row.name} ({row.number})" for row in rows if not row.asked)
    return found._replace(notes=(*found.notes, f"never asked: {list_text(never)}")) if never else found


def _table(title: str, rows: Sequence[Member], own: Mapping[str, Sequence[float | None]]) -> Part:
    """Return a table of the sizes of trees, with the columns of their kind of model."""
    columns: dict[str, Sequence[float | None]] = {
        **own,
        "depth": [row.depth for row in rows],
        "leaves": [row.n_leaves for row in rows],
        "tests": [len(row.tests) for row in rows],
    }
    cells = [
        [row.name, *("" if value is None else amount(value) for value in values)]
        for row, *values in zip(rows, *columns.values(), strict=True)
    ]
    return Part(title, ["", *columns], cells[:ROWS_SHOWN], _more(cells))


def _more(rows: Sequence[object]) -> tuple[str, ...]:
    return (f"and {len(rows) - ROWS_SHOWN:,} more",) if len(rows) > ROWS_SHOWN else ()


def _tests(model: Model) -> Part:
    found, costs = asked_tests(model), model.costs
    columns = {"": [category_text(row.test) for row in found]}
    notes = _more(found)
    if costs is not None:
        columns["full price"] = [amount(row.price or 0.0) for row in found]
        notes += (f"all of them, upfront: {amount(costs.total(row.test for row in found))}",)
        if any(row.test in costs.tests and costs.tests[row.test].needs for row in found):
            notes += (FULL_PRICE,)
    columns["first asked by"] = [str(row.first) for row in found]
    columns[f"{model.part_noun}s"] = [f"{row.n_trees:,}" for row in found]
    rows = [list(row) for row in zip(*columns.values(), strict=True)]
    return Part("Tests, in the order asked for", list(columns), rows[:ROWS_SHOWN], notes)


def print_stage(out: Console, model: Model, number: int) -> None:
    """Print a stage: its tests, and what each leaf adds to the scores of the classes."""
    tree, n_stages = model.parts[number - 1].tree, len(model.parts)
    names = [] if model.classes is None else [category_text(label) for label in model.classes.tolist()]
    out.print(Text(f"Stage {number} of {n_stages}: steps in the scores of the classes"), style="dim")
    for node in tree.preorder():
        condition = "" if node == 0 else f"{tree.condition(node)}{also_missing(tree, node)}: "
        if tree.flat.feature[node] >= 0:
            said = f"{category_text(tree.feature_names[tree.flat.feature[node]])}?"
        else:
            steps = tree.core.values[node].tolist()
            said = ", ".join(f"{name} {step:+.3g}" for name, step in zip(names, steps, strict=True))
        print_lines(out, f"{'   ' * tree.flat.depth[node]}{condition}{said}")
