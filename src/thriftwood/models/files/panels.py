"""Panels as JSON files, by the means of tree files: written exactly, read with suspicion.

A file, version 1, is one JSON object::

    {"format": "thriftwood-panel", "version": 1, "sha256": "...",
     "costs": {...},                                      Costs.to_dict(), or null
     "members": [{"format": "thriftwood-tree", ...}, ...] tree files without costs (`models.files.trees`)
     "rule": {"kind": "vote", "say": [1.0, ...],          one number per member
              "shares": false, "short_cut": true, "tie_ends": false}}

or, where a tree asks the members::

     "rule": {"kind": "chair", "tree": {"format": "thriftwood-tree", ...},
              "member": [0, 1, ...], "share_of": [-1, -1, ...]}}

The entries of a rule are the fields of `Vote` and `StackedTree`. Reading a file checks everything, runs
nothing, and raises `TreeFileError` for whatever is not such a file.
"""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from thriftwood.costs import Costs
from thriftwood.models.files import trees as files
from thriftwood.models.files.kinds import PANEL, TreeFileError, read_as, refuse
from thriftwood.models.tree.tree import Tree
from thriftwood.models.voting import StackedTree, Vote, VotingRule

if TYPE_CHECKING:
    from thriftwood.models.panel import Panel

FORMAT, VERSION = PANEL, 1
ENTRIES = ("format", "version", "sha256", "costs", "members", "rule")
VOTE_ENTRIES = ("kind", "say", "shares", "short_cut", "tie_ends")
CHAIR_ENTRIES = ("kind", "tree", "member", "share_of")


class Parts(NamedTuple):
    """What a panel is made of."""

    members: list[Tree]
    rule: VotingRule
    costs: Costs | None


def to_text(panel: Panel) -> str:
    """Write a panel."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        "costs": None if panel.costs is None else panel.costs.to_dict(),
        "members": [files.content_of(tree.with_costs(None)) for tree in panel.members],
        "rule": _rule_content(panel.rule),
    }
    return json.dumps({**content, "sha256": files.digest(content)}, allow_nan=False)


@read_as("panel")
def parts_of(content: Any) -> Parts:
    """Read the object that a file is."""
    entries = files.entries_of(
        content, "the file", ENTRIES, partial(files.check_header, written=FORMAT, version=VERSION)
    )
    files.check_digest(entries)
    members = _members(entries["members"])
    costs = files.read_costs(entries["costs"], members[0].encoder)
    return Parts([tree.with_costs(costs) for tree in members], _rule(entries["rule"]), costs)


def _rule_content(rule: VotingRule) -> dict[str, Any]:
    if isinstance(rule, StackedTree):
        tree = files.content_of(rule.tree)
        return {
            "kind": "chair",
            "tree": tree,
            "member": list(rule.member),
            "share_of": list(rule.share_of),
        }
    flags = {"shares": rule.shares, "short_cut": rule.short_cut, "tie_ends": rule.tie_ends}
    return {"kind": "vote", "say": list(rule.vote_weights), **flags}


def _members(content: object) -> list[Tree]:
    if not isinstance(content, list) or not content:
        refuse("members must be a list of trees, at least one")
    trees = [_tree(one, f"tree {number} of it") for number, one in enumerate(content, 1)]
    first = trees[0]
    # Equal encoders are one: a table is then read once for all trees.
    return [
        Tree(tree.core, first.encoder, tree.classes, tree.costs, tree.further)
        if tree.columns == first.columns and tree.feature_names == first.feature_names
        else tree
        for tree in trees
    ]


def _tree(content: object, which: str) -> Tree:
    try:
        return Tree.from_content(content)
    except TreeFileError as error:
        refuse(f"{which} is not a tree file: {error.reason}")


def _rule(content: object) -> VotingRule:
    if not isinstance(content, dict) or content.get("kind") not in ("vote", "chair"):
        refuse("rule must be an object whose kind is 'vote' or 'chair'")
    if content["kind"] == "vote":
        files.entries_of(content, "rule", VOTE_ENTRIES)
        flags = [content[name] for name in ("shares", "short_cut", "tie_ends")]
        if any(type(flag) is not bool for flag in flags):
            refuse("rule.shares, rule.short_cut and rule.tie_ends must be true or false")
        return Vote(_numbers(content["say"], "rule.say", float), *flags)
    files.entries_of(content, "rule", CHAIR_ENTRIES)
    tree = _tree(content["tree"], "the tree of its rule")
    member = _numbers(content["member"], "rule.member", int)
    return StackedTree(tree, member, _numbers(content["share_of"], "rule.share_of", int))


def _numbers(content: object, where: str, kind: type) -> tuple[Any, ...]:
    if not isinstance(content, list) or any(type(one) is not kind for one in content):
        refuse(f"{where} must be a list of {kind.__name__}s")
    if kind is int and any(not -1 <= one < 2**31 for one in content):
        refuse(f"{where} must hold integers from -1 up")
    return tuple(content)
