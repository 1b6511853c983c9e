"""Trees as C: one file of C99 that includes nothing and allocates nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from thriftwood.export import c_text
from thriftwood.export.plan import Asked, Plan, plan, tree_of
from thriftwood.export.quoting import c_string, function_name, plain
from thriftwood.models.tree.conditions import number_text


def export_c(model: Any, name: str = "decide") -> str:
    r"""Write a tree as a C function that asks only for the tests it needs.

    Parameters
    ----------
    model : fitted estimator, search, or Tree
        The tree to write.
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
    missing.

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
    made = plan(tree_of(model))
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
    }
    chosen = c_text.NUMBER_PARTS if classes is None else c_text.CLASS_PARTS
    words |= {part: text.format(**words) for part, text in chosen.items()}
    cheapest = c_text.CHEAPEST_BY_LOSS if made.loss else c_text.LIKELIEST
    pieces = [
        c_text.HEAD.format(**words),
        "\n".join([*_names(made, name), *_tables(made, name)]) + "\n",
        c_text.CODE.format(**words),
        c_text.WALK.format(**words),
        "" if classes is None else cheapest.format(**words),
        c_text.DECIDE.format(**words),
    ]
    return "\n".join(piece for piece in pieces if piece)


def _check_distinct(test: Asked) -> None:
    texts = [_category_text(value, test) for value in test.categories or ()]
    for text in texts:
        if texts.count(text) > 1:
            raise ValueError(
                f"The test {test.name!r} has two categories that C writes as {text!r}, such as 1 and '1'. "
                "Turn its values into text before fit."
            )


def _names(made: Plan, name: str) -> list[str]:
    """Write what numbers mean."""
    lines = [_texts(f"const char *const {name}_tests", (test.name for test in made.tests))]
    pointers = []
    for number, test in enumerate(made.tests):
        if test.categories:
            _check_distinct(test)
            declared = f"static const char *const {name}_categories_{number}_"
            lines.append(
                _texts(declared, map(_category_text, test.categories, [test] * len(test.categories)))
            )
        pointers.append(f"{name}_categories_{number}_" if test.categories else "0")
    lines.append(_array(f"const char *const *const {name}_categories", pointers))
    counts = [-1 if test.categories is None else len(test.categories) for test in made.tests]
    lines.append(_array(f"const int {name}_n_categories", counts))
    if made.classes is not None:
        texts = [_text(plain(value, "The target")) for value in made.classes]
        lines.append(_texts(f"const char *const {name}_classes", texts))
        if made.further:
            lines.append(_texts(f"const char *const {name}_answers", [*texts, *made.further]))
    return lines


def _tables(made: Plan, name: str) -> list[str]:
    """Write the tests' prices and the nodes as arrays."""
    tests, nodes = made.tests, range(max([*made.steps, *made.endings]) + 1)
    steps = [made.steps.get(node) for node in nodes]
    questions = [question for step in steps if step for question in step.questions]
    share = {c: s for step in steps if step for c, s in zip(step.children, step.shares, strict=True)}
    place = {node: number for number, node in enumerate(sorted(made.endings))}
    whole: dict[str, Iterable[int]] = {
        "unseen_is_missing": [int(test.unseen_is_missing) for test in tests],
        "group": [test.group for test in tests],
        "has_after": [int(test.after is not None) for test in tests],
        "first_need": _starts(test.needs for test in tests),
        "need": [resource for test in tests for resource in test.needs],
        "upfront": made.upfront,
        "first_question": _starts(step.questions if step else () for step in steps),
        "test": [question.test for question in questions],
        "first_branch": _starts(question.branches for question in questions),
        "branches": [branch for question in questions for branch in question.branches],
        "first_child": [step.children.start if step else -1 for step in steps],
        "n_children": [len(step.children) if step else 0 for step in steps],
        "missing": [step.missing if step else -1 for step in steps],
        "unseen": [step.unseen if step else -1 for step in steps],
        "first_order": _starts(step.orders if step else () for step in steps),
        "order": [test for step in steps if step for test in step.orders],
        "ending": [place.get(node, -1) for node in nodes],
    }
    if made.classes is not None:
        whole["label"] = [made.endings[node].label if node in place else -1 for node in nodes]
    numbers: dict[str, Iterable[float]] = {
        "own_price": [test.price for test in tests],
        "after": [test.after or 0.0 for test in tests],
        "resource_price": made.resources,
        "cut": [question.cut or 0.0 for question in questions],
        "share": [share.get(node, 1.0) for node in nodes],
        "values": [value for node in place for value in made.endings[node].values],
    }
    if made.loss:
        numbers["loss"] = made.loss
    return [_array(f"static const int {name}_{key}_", values) for key, values in whole.items()] + [
        _array(f"static const double {name}_{key}_", map(repr, values)) for key, values in numbers.items()
    ]


def _starts(groups: Iterable[Any]) -> list[int]:
    """Say where each group begins when they lie one after another, and where the last one ends."""
    starts = [0]
    for group in groups:
        starts.append(starts[-1] + len(group))
    return starts


def _category_text(value: Any, test: Asked) -> str:
    return _text(plain(value, f"The test {test.name!r}"))


def _text(value: Any) -> str:
    return number_text(value) if isinstance(value, float) else str(value)


def _texts(declared: str, texts: Iterable[str]) -> str:
    return _array(declared, map(c_string, texts))


def _array(declared: str, values: Iterable[Any]) -> str:
    """Write an array, a zero where there would be nothing, in lines of bearable length."""
    entries = [str(value) for value in values] or ["0"]
    lines, line = [], f"{declared}[] = {{"
    for number, entry in enumerate(entries):
        entry += "};" if number + 1 == len(entries) else ","
        if len(line) + len(entry) > 109:
            lines.append(line.rstrip())
            line = "  "
        line += entry if line.endswith(("{", "  ")) else f" {entry}"
    return "\n".join([*lines, line])
