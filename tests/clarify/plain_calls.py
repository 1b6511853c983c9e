"""Call trees by hand: what an activation called, and the profile that follows, in plain Python."""

from collections import Counter

from thriftwood.clarify import Profile


def tree(function, *children):
    return (function, children)


def profile_of(*roots, **facts):
    """Walk call trees node by node; count D0, D1 and D2 as they are defined."""
    calls, d1, d2 = Counter(), Counter(), Counter()

    def first(node):
        return node[0], frozenset(child[0] for child in node[1])

    def walk(node):
        calls[node[0]] += 1
        d1[first(node)] += 1
        d2[node[0], frozenset(first(child) for child in node[1])] += 1
        for child in node[1]:
            walk(child)

    for root in roots:
        walk(root)
    return Profile(tuple(calls), dict(calls), dict(d1), dict(d2), **facts)


def matches(pattern, *roots):
    """Count a pattern by looking at every activation of the trees themselves."""
    f, *others = pattern.functions

    def holds(node):
        if node[0] != f:
            return False
        if pattern.kind == "count":
            return True
        if pattern.kind == "inside":
            return {child[0] for child in node[1]} >= set(others)
        if pattern.kind == "without":
            return not {child[0] for child in node[1]} >= set(others)
        return all(
            any(child[0] == g and {x[0] for x in child[1]} >= below for child in node[1])
            for g, below in pattern.children
        )

    def count(node):
        return holds(node) + sum(count(child) for child in node[1])

    return sum(count(root) for root in roots)
