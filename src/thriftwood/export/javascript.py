"""Trees, panels of them and score cards as JavaScript that needs nothing but JavaScript."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any

from thriftwood import __version__
from thriftwood.export.cascade_plan import CascadePlan, cascade_plan, finite_stop
from thriftwood.export.panel_plan import PanelPlan, panel_of, panel_plan
from thriftwood.export.plan import Asked, Plan, exported_of, plan
from thriftwood.export.quoting import plain
from thriftwood.models import Cascade

_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*\Z")
_TAKEN = """
await break case catch class const continue debugger default delete do else enum export extends false finally
for function if implements import in instanceof interface let new null package private protected public
return static super switch this throw true try typeof undefined var void while with yield eval
arguments MODEL next walk encoded priceOf answerOf branchOf cheapest endsOf isDecided pointsOf
chancesOf missed Object Number String Math Map JSON Error TypeError NaN Infinity
"""
OF_TREE, OF_PANEL, OF_CARDS = ("answering.js", "tree.js"), ("answering.js", "panel.js"), ("cascade.js",)
"""The scripts that walk a model, by its kind."""


def export_javascript(model: Any, name: str = "decide") -> str:
    """Write a tree, a panel or score cards as a JavaScript module that asks only for the tests it needs.

    Parameters
    ----------
    model : fitted estimator, search, Tree, Panel that votes, or Cascade
        What to write.
    name : str
        The name of the function that is exported.

    Returns
    -------
    str
        An ECMAScript module in ASCII that imports nothing. ``decide(ask)`` takes a function from the name of
        a test to its value, or an object, and returns an object: ``answer``, ``probabilities`` (classes
        only), ``asked``, ``bought`` and ``bill``; of score cards also ``scores`` and ``stage``, of a panel
        ``consulted``, the number of trees asked.
        ``next(known)`` returns ``{ask: test}``, the next test to run, or ``{decision}``. A missing value is
        null (or NaN); undefined, as of a key that is not there, is an Error that names the test. A category
        has the type that it had in training: "1" is not 1.

    Raises
    ------
    ValueError
        If `name` is no name for a function, or a category or class is neither text, number nor boolean.

    Examples
    --------
    >>> from thriftwood.learning import CostTreeClassifier
    >>> model = CostTreeClassifier().fit([[1.0], [2.0]], ["no", "yes"])
    >>> print(export_javascript(model).splitlines()[-1])
    export { decide, next, MODEL };
    """
    if not isinstance(name, str) or not _NAME.match(name) or name in _TAKEN.split():
        raise ValueError(
            "name must be a name that JavaScript leaves free for a function: letters of the English "
            f"alphabet, digits, _ and $, no keyword and nothing that the module has itself. Got {name!r}."
        )
    content, walking = model_content(model)
    parts = [
        f"// A decision procedure: {name}(ask). Written by thriftwood {__version__}; needs nothing else.",
        f"const MODEL = {_literal(content)};",
        *(asset(part) for part in ("buying.js", *walking, "deciding.js")),
        "export { decide, next, MODEL };"
        if name == "decide"
        else f"export {{ decide as {name}, next, MODEL }};",
    ]
    return "\n\n".join(parts) + "\n"


def model_content(model: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the data of a model, and the scripts that walk them."""
    panel = panel_of(model)
    if panel is not None:
        several = panel_plan(panel)
        return {**_shared(several), **_panel(several)}, OF_PANEL
    exported = exported_of(model)
    if isinstance(exported, Cascade):
        cards = cascade_plan(exported)
        return {**_shared(cards), **_cards(cards)}, OF_CARDS
    made = plan(exported)
    return {**_shared(made), **_tree(made)}, OF_TREE


def asset(name: str) -> str:
    """Return one of the scripts that exported files share."""
    return (files("thriftwood.export") / "assets" / name).read_text(encoding="utf-8").strip()


def _shared(made: Plan | CascadePlan | PanelPlan) -> dict[str, Any]:
    classes = None if made.classes is None else [plain(value, "The target") for value in made.classes]
    return {
        "tests": [_test(test) for test in made.tests],
        "resources": list(made.resources),
        "upfront": list(made.upfront),
        "charge_missing": made.charge_missing,
        "classes": classes,
        "answers": [*(classes or ()), *made.further],
        "loss": list(made.loss),
    }


def _test(test: Asked) -> dict[str, Any]:
    what = f"The test {test.name!r}"
    return {
        "name": test.name,
        "categories": None if test.categories is None else [plain(one, what) for one in test.categories],
        "unseen_is_missing": test.unseen_is_missing,
        "price": test.price,
        "after": test.after,
        "group": test.group,
        "needs": list(test.needs),
    }


def _tree(made: Plan) -> dict[str, Any]:
    return {
        "nodes": {
            str(node): {
                "questions": [[one.test, one.cut, list(one.branches)] for one in step.questions],
                "children": list(step.children),
                "missing": step.missing,
                "unseen": step.unseen,
                "shares": list(step.shares),
                "orders": list(step.orders),
            }
            for node, step in made.steps.items()
        },
        "endings": {
            str(node): {"label": ending.label, "values": list(ending.values)}
            for node, ending in made.endings.items()
        },
    }


def _panel(made: PanelPlan) -> dict[str, Any]:
    return {
        "members": [{**_tree(member), "loss": list(member.loss)} for member in made.members],
        "weights": list(made.vote.vote_weights),
        "shares": made.vote.shares,
        "short_cut": made.vote.short_cut,
        "tie_ends": made.vote.tie_ends,
    }


def _cards(made: CascadePlan) -> dict[str, Any]:
    return {
        "delayed": list(made.delayed),
        "stages": [
            {
                "tests": list(stage.tests),
                "base": list(stage.base),
                "counted": [
                    {
                        "test": one.test,
                        "at": None if one.at is None else list(one.at),
                        "points": [list(row) for row in one.points],
                        "slopes": [list(row) for row in one.slopes],
                        "missing": list(one.missing),
                    }
                    for one in stage.counted
                ],
                "stop": finite_stop(stage),
            }
            for stage in made.stages
        ],
    }


def _literal(content: Any) -> str:
    """Write data as a literal, in ASCII; JSON is JavaScript."""
    return json.dumps(content, allow_nan=False)
