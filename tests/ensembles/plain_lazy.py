"""Lazy option trees in plain Python: lists, dictionaries and recursion, no shared nodes and no bins."""

import math
from collections import Counter


def entropy(masses):
    total = sum(masses)
    return -sum(mass / total * math.log2(mass / total) for mass in masses if mass > 0)


def sides(rows, feature, value, nominal, cuts):
    """All tests of one feature from the case's point of view: who agrees, and who does not."""
    known = [row for row in rows if row["x"][feature] is not None]
    if nominal:
        yield [row for row in known if row["x"][feature] == value]
        return
    above = sorted((cut for cut in cuts if value <= cut), reverse=True)
    below = sorted(cut for cut in cuts if value > cut)
    for cut in above:
        yield [row for row in known if row["x"][feature] <= cut]
    for cut in below:
        yield [row for row in known if row["x"][feature] > cut]


def gain(rows, agreeing, feature, min_weight):
    known = sum(row["weight"] for row in rows if row["x"][feature] is not None)
    weight = sum(row["weight"] for row in agreeing)
    if weight < min_weight or weight == 0 or weight == known:
        return -math.inf
    at_node, after = Counter(), Counter()
    for row in rows:
        at_node[row["label"]] += row["weight"]
    for row in agreeing:
        after[row["label"]] += row["weight"]
    return math.log2(len(at_node)) - entropy([after[label] / mass for label, mass in at_node.items()])


def followed_tests(rows, case, kinds, cuts, *, options, share, min_weight):
    """The tests that are followed from a node: gain, feature, and who agrees."""
    offers = []
    for feature, value in enumerate(case):
        if value is None:
            continue
        best = (-math.inf, None)
        for agreeing in sides(rows, feature, value, kinds[feature], cuts[feature]):
            found = gain(rows, agreeing, feature, min_weight)
            if found > best[0] + 1e-12:
                best = (found, agreeing)
        offers.append((best[0], feature, best[1]))
    followed = []
    while offers and len(followed) < options:
        top = max(found for found, _, _ in offers)
        chosen = next(offer for offer in offers if offer[0] >= top - 1e-12)
        if chosen[0] <= 1e-9 or (followed and chosen[0] < share * followed[0][0]):
            break
        followed.append(chosen)
        offers.remove(chosen)
    return followed


def answer(rows, case, kinds, cuts, n_classes, *, options, share, depth, min_weight):
    """The shares of the classes for a case, and the features whose tests are followed.

    Rows that agree after several paths are one node, as deep as the shortest of them is long.
    """
    depths, below, nodes = {identity(rows): 0}, {}, [rows]
    for node in nodes:
        key = identity(node)
        labels, total = {row["label"] for row in node}, sum(row["weight"] for row in node)
        ends = depths[key] == depth or total < 2 * min_weight or len(labels) < 2
        rules = {"options": options, "share": share, "min_weight": min_weight}
        below[key] = [] if ends else followed_tests(node, case, kinds, cuts, **rules)
        for _, _, agreeing in below[key]:
            if identity(agreeing) not in depths:
                depths[identity(agreeing)] = depths[key] + 1
                nodes.append(agreeing)

    def said(node):
        followed = below[identity(node)]
        if followed:
            shares = [said(agreeing) for _, _, agreeing in followed]
            return [sum(own[c] for own in shares) / len(shares) for c in range(n_classes)]
        weights = Counter()
        for row in node:
            weights[row["label"]] += row["weight"]
        return [(weights[label] + 1) / (weights.total() + n_classes) for label in range(n_classes)]

    return said(rows), {feature for followed in below.values() for _, feature, _ in followed}


def identity(rows):
    return frozenset(map(id, rows))
