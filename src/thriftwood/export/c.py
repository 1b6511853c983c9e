"""Trees as C: one file of C99 that includes nothing and allocates nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from thriftwood.export import c_text
from thriftwood.export.c_tables import array, names_of, price_tables, starts
from thriftwood.export.cascade_c import cascade_c
from thriftwood.export.plan import Plan, exported_of, plan
from thriftwood.export.quoting import function_name
from thriftwood.models import Cascade


def export_c(model: Any, name: str = "decide") -> str:
    r"""Write a tree, or score cards, as a C function that asks only for the tests it needs.

    Parameters
    ----------
    model : fitted estimator, search, Tree or Cascade
        What to write.
    name : str
        The name of the function, and the beginning of every other name in the file.

    Returns
    -------
    str
        A file of C99 in ASCII. Its comment says how to call it: values come from a callback
        ``double ask(void *context, int test)`` with NaN for a missing value and codes for categories;
        ``decide_tests``, ``decide_categories`` and ``decide_classes`` are the names behind the numbers, as
        UTF-8.

    Raises
    ------
    ValueError
        If `name` is no name for a function, or a name or category cannot be written in C.

    Notes
    -----
    Answers, purchases and prices are those of ``tw.bill``, as in `export_python`. It needs no heap, keeps
    nothing between calls, and may be called by several threads. Compile without ``-ffast-math``: NaN means
    missing. Score cards need the maths library (``-lm``), and their result also has ``scores`` and ``stage``.

    Examples
    --------
    >>> from thriftwood.learning import CostTreeClassifier
    >>> source = export_c(CostTreeClassifier().fit([[1.0], [2.0]], ["no", "yes"]), name="screen")
    >>> print(*(line for line in source.splitlines() if line.startswith("const")), sep="\n")
    const char *const screen_tests[] = {"x0"};
    const char *const *const screen_categories[] = {0};
    const int screen_n_categories[] = {-1};
    const char *const screen_classes[] = {"no", "yes"};
    """
    exported = exported_of(model)
    if isinstance(exported, Cascade):
        return cascade_c(exported, name)
    made = plan(exported)
    name = function_name(name, language="C")
    classes = made.classes
    words = {
        "name": name,
        "upper": name.upper(),
        "n_tests": len(made.tests),
        "most_tests": max(len(made.tests), 1),  # C has no arrays of nothing
        "n_classes": 0 if classes is None else len(classes),
        "answers": "ANSWERS" if made.further else "CLASSES",
        "named": "answers" if made.further else "classes",
        "further": f", {name.upper()}_ANSWERS = {len(made.answers)}" if made.further else "",
        "most_open": made.most_open,
        "n_upfront": len(made.upfront),
        "charge_missing": int(made.charge_missing),
        "what": "A decision tree as a C99 function. Written by thriftwood; needs no library.",
        "bought": "the case comes to",
    }
    chosen = c_text.NUMBER_PARTS if classes is None else c_text.CLASS_PARTS
    words |= {part: text.format(**words) for part, text in chosen.items()}
    cheapest = c_text.CHEAPEST_BY_LOSS if made.loss else c_text.LIKELIEST
    pieces = [
        c_text.HEAD.format(**words),
        "\n".join([*names_of(made, name), *price_tables(made, name), *_tables(made, name)]) + "\n",
        c_text.CODE.format(**words),
        c_text.BUYING.format(**words),
        c_text.BRANCH.format(**words),
        "" if classes is None else cheapest.format(**words),
        c_text.DECIDE.format(**words),
    ]
    return "\n".join(piece for piece in pieces if piece)


def _tables(made: Plan, name: str) -> list[str]:
    """Write the nodes as arrays."""
    nodes = range(max([*made.steps, *made.endings]) + 1)
    steps = [made.steps.get(node) for node in nodes]
    questions = [question for step in steps if step for question in step.questions]
    share = {c: s for step in steps if step for c, s in zip(step.children, step.shares, strict=True)}
    place = {node: number for number, node in enumerate(sorted(made.endings))}
    whole: dict[str, Iterable[int]] = {
        "first_question": starts(step.questions if step else () for step in steps),
        "test": [question.test for question in questions],
        "first_branch": starts(question.branches for question in questions),
        "branches": [branch for question in questions for branch in question.branches],
        "first_child": [step.children.start if step else -1 for step in steps],
        "n_children": [len(step.children) if step else 0 for step in steps],
        "missing": [step.missing if step else -1 for step in steps],
        "unseen": [step.unseen if step else -1 for step in steps],
        "first_order": starts(step.orders if step else () for step in steps),
        "order": [test for step in steps if step for test in step.orders],
        "ending": [place.get(node, -1) for node in nodes],
    }
    if made.classes is not None:
        whole["label"] = [made.endings[node].label if node in place else -1 for node in nodes]
    numbers: dict[str, Iterable[float]] = {
        "cut": [question.cut or 0.0 for question in questions],
        "share": [share.get(node, 1.0) for node in nodes],
        "values": [value for node in place for value in made.endings[node].values],
    }
    if made.loss:
        numbers["loss"] = made.loss
    return [array(f"static const int {name}_{key}_", values) for key, values in whole.items()] + [
        array(f"static const double {name}_{key}_", map(repr, values)) for key, values in numbers.items()
    ]
