"""Trees as files of text that the library itself reads or people do: JSON and rules."""

from __future__ import annotations

from typing import Any

from thriftwood.export.plan import exported_of, tree_of


def export_json(model: Any) -> str:
    """Write a tree, or score cards, as JSON, the format of `save`; ``docs/model-format.md`` describes it.

    Parameters
    ----------
    model : fitted estimator, search, Tree or Cascade
        What to write.

    Examples
    --------
    >>> from thriftwood.learning import CostTreeClassifier
    >>> from thriftwood.models import Tree
    >>> model = CostTreeClassifier().fit([[1.0], [2.0]], ["no", "yes"])
    >>> Tree.from_json(export_json(model)) == model.tree_
    True
    """
    return exported_of(model).to_json() + "\n"


def export_rules(model: Any) -> str:
    """Write a tree as rules, one line for each leaf.

    Parameters
    ----------
    model : fitted estimator, search, or Tree
        The tree to write.

    Examples
    --------
    >>> from thriftwood.learning import CostTreeClassifier
    >>> print(export_rules(CostTreeClassifier().fit([[1.0], [2.0]], ["no", "yes"])), end="")
    if x0 <= 1.5 then no  (weight 1, confidence 66.7%)
    if x0 > 1.5 then yes  (weight 1, confidence 66.7%)
    """
    return "".join(f"{rule}\n" for rule in tree_of(model, "Rules").rules())
