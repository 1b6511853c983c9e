"""Trees as Python functions that need nothing but Python."""

from __future__ import annotations

from typing import Any

from thriftwood.export.cascade_python import cascade_python
from thriftwood.export.plan import Ending, Plan, Step, exported_of, plan
from thriftwood.export.python_text import HELPERS, TABLES, purchase_tables
from thriftwood.export.quoting import function_name, plain, python_literal
from thriftwood.models import Cascade

_PROGRAM = '''\
"""A decision tree as a function: {name}(ask). Written by thriftwood; needs nothing but Python 3."""

{tables}# Inner nodes: ((test, cut or None, branches), then its surrogates), children, where a case goes
# whose value is missing, and one whose category is unseen (a branch; -1: down all; -2: nowhere), shares of
# the branches, tests ordered with a delayed one.
_{name}_nodes = {{
{nodes}}}
# Where a case can end: {ending}.
_{name}_endings = {{
{endings}}}
{answers}

def {name}(ask):
    """Decide one case.

    ask gives the value of a test by its name: a function that runs the test, or a mapping of what is known.
    It is used only for tests that the case comes to, once each; None means that there is no
    value, and categories are those listed above, of the same type. The result is a dictionary: answer,
    {result}asked (tests in order), bought (tests with what was paid for each, in
    order) and bill (the sum).
    """
    fetch = ask if callable(ask) else ask.__getitem__
    values = {{}}  # test -> number, code, "missing" or "unseen"
    paid = {{}}  # test -> what it cost, by the share of the case that bought it

    def read(test):
        if test not in values:
            values[test] = _{name}_encode(test, fetch(_{name}_tests[test][0]))
        return values[test]

    def buy(tests, share, basket):
        for test in tests:
            if test not in basket and (read(test) != "missing" or _{name}_charge_missing):
                paid[test] = paid.get(test, 0.0) + share * _{name}_price(test, basket)
                basket = (*basket, test)
        return basket

    ends = []
    waiting = [(0, 1.0, buy(_{name}_upfront, 1.0, ()))]
    while waiting:
        node, share, basket = waiting.pop()
        branch = -2
        if node in _{name}_nodes:
            questions, children, missing, unseen, shares, orders = _{name}_nodes[node]
            first = questions[0][0]
            if first not in basket and (read(first) != "missing" or _{name}_charge_missing):
                basket = buy(orders or (first,), share, basket)
            for test, cut, branches in questions:
                if test != first:
                    basket = buy((test,), share, basket)
                value = read(test)
                if value != "missing" and value != "unseen":
                    branch = branches[value if cut is None else value > cut]
                    if branch >= 0:
                        break
            else:
                branch = unseen if read(first) == "unseen" else missing
        if branch == -2:
            ends.append((share, *_{name}_endings[node]))
        elif branch == -1:
            parts = [(child, share * part, basket) for child, part in zip(children, shares)]
            waiting.extend(part for part in reversed(parts) if part[1] > 0.0)
        else:
            waiting.append((children[branch], share, basket))
    names = [entry[0] for entry in _{name}_tests]
    return {{
{collect}        "asked": [names[test] for test in values],
        "bought": [(names[test], cost) for test, cost in paid.items()],
        "bill": sum(paid.values()),
    }}
{helpers}'''

_CLASSES = """\
_{name}_classes = {classes}
# What answers cost, [actual][predicted] row by row; empty: 1 for a mistake.
_{name}_loss = {loss}
"""

_FURTHER = """\
# The classes, then the answers that are no class.
_{name}_answers = {answers}
"""

_COLLECT_CLASSES = """\
        "answer": _{name}_{named}[ends[0][1] if len(ends) == 1 else _{name}_cheapest(_{name}_sums(ends))],
        "probabilities": dict(zip(_{name}_classes, _{name}_sums(ends))),
"""

_COLLECT_NUMBER = """\
        "answer": ends[0][1] if len(ends) == 1 else sum(s * n for s, n in ends) / sum(s for s, _ in ends),
"""

_CHEAPEST = '''

def _{name}_sums(ends):
    sums = [0.0] * len(_{name}_classes)
    for share, _, shares in ends:
        for k, part in enumerate(shares):
            sums[k] += share * part
    return [min(share, 1.0) for share in sums]  # parts can add up to a little more, by rounding


def _{name}_cheapest(sums):
    """Ties, up to rounding, go to the first class."""
    width = len(sums)
    best = 0
    if not _{name}_loss:
        for k in range(1, width):
            if sums[k] > sums[best] + 1e-12 * abs(sums[best]):
                best = k
        return best
    costs = [sum(sums[a] * _{name}_loss[a * {n} + k] for a in range(width)) for k in range({n})]
    for k in range(1, {n}):
        if costs[best] > costs[k] + 1e-12 * abs(costs[k]):
            best = k
    return best
'''


def export_python(model: Any, name: str = "decide") -> str:
    """Write a tree, or score cards, as a Python function that asks only for the tests it needs.

    Parameters
    ----------
    model : fitted estimator, search, Tree or Cascade
        What to write.
    name : str
        The name of the function.

    Returns
    -------
    str
        A module in ASCII that imports nothing (of score cards: ``math``). ``decide(ask)`` takes a function
        from the name of a test to its value, or a mapping, and returns a dictionary: ``answer``,
        ``probabilities`` (classes only), ``asked``, ``bought`` and ``bill``; of score cards also ``scores``
        and ``stage``. A missing value is None (or NaN). A category has the type that it had in training: "1"
        is not 1.

    Raises
    ------
    ValueError
        If `name` is no name for a function, or a category or class is neither text, number nor boolean.

    Notes
    -----
    Answers, purchases and prices are those of ``tw.bill``: a delayed test asks for everything that is ordered
    with it, upfront payment asks for every test before the first decision, and a case that goes down several
    branches asks each branch in turn. A value is asked for once.

    Examples
    --------
    >>> from thriftwood.datasets import load_dataset
    >>> from thriftwood.learners import algorithm
    >>> golf = load_dataset("golf-nominal")
    >>> source = export_python(algorithm("c45", costs=golf.costs).fit(golf.X, golf.y))
    >>> module = {}
    >>> exec(source, module)
    >>> case = module["decide"]({"Outlook": "Rain", "Wind": "Weak"})
    >>> case["answer"], case["asked"], case["bill"]
    ('Yes', ['Outlook', 'Wind'], 4.5)
    """
    exported = exported_of(model)
    if isinstance(exported, Cascade):
        return cascade_python(exported, name)
    made = plan(exported)
    name = function_name(name, language="Python")
    classes = made.classes is not None
    named, n = ("answers", str(len(made.answers))) if made.further else ("classes", "width")
    parts = {
        "name": name,
        "tables": TABLES.format(name=name, **purchase_tables(made)),
        "helpers": HELPERS.format(name=name),
        "nodes": "".join(f"    {node}: {_node_entry(made.steps[node])},\n" for node in sorted(made.steps)),
        "ending": "class number, shares of all classes" if classes else "the number to answer",
        "endings": "".join(
            f"    {node}: {_ending_entry(made, made.endings[node])},\n" for node in sorted(made.endings)
        ),
        "answers": _classes(made, name),
        "result": "probabilities (class: share), " if classes else "",
        "collect": (_COLLECT_CLASSES if classes else _COLLECT_NUMBER).format(name=name, named=named),
    }
    return _PROGRAM.format(**parts) + (_CHEAPEST.format(name=name, n=n) if classes else "")


def _node_entry(step: Step) -> str:
    questions = tuple((q.test, q.cut, q.branches) for q in step.questions)
    children = tuple(step.children)
    return python_literal((questions, children, step.missing, step.unseen, step.shares, step.orders))


def _ending_entry(made: Plan, ending: Ending) -> str:
    return python_literal(ending.values if made.classes is None else (ending.label, ending.values))


def _classes(made: Plan, name: str) -> str:
    if made.classes is None:
        return ""
    classes = tuple(plain(value, "The target") for value in made.classes)
    text = _CLASSES.format(name=name, classes=python_literal(classes), loss=python_literal(made.loss))
    answers = python_literal((*classes, *made.further))
    return text + (_FURTHER.format(name=name, answers=answers) if made.further else "")
