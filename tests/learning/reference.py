"""A grower in plain Python, straight from the formulas and with no care for speed.

It does not grow a tree to compare with: it goes down a tree of the core, works out every test that each node
could have, and checks that the core took the best one (of equals the lowest feature, then the lowest cut) and
divided the cases rightly.
"""

import itertools
import math
import sys
from dataclasses import dataclass, field

import numpy as np
from learning.growing_tables import categories_of, children, core_settings

TIE = 1e-10
KNOWN = "known against missing"  # in the place of a cut


@dataclass
class Found:
    """The best test of one feature."""

    gain: float
    split_info: float
    cuts: list = field(default_factory=list)  # numbers: equally good (low, high) neighbours, ascending
    groups: list = field(default_factory=list)  # categories: equally good lists of sets
    counts_for_average: bool = True


def cost(pairs, rules, n_classes):
    """Weight times impurity of (target, weight) pairs."""
    total = math.fsum(w for _, w in pairs)
    if total <= 0:
        return 0.0
    if rules.criterion == "squared_error":
        mean = math.fsum(w * y for y, w in pairs) / total
        return math.fsum(w * (y - mean) ** 2 for y, w in pairs)
    if rules.criterion == "absolute_error":
        middle = lower_median(pairs)
        return math.fsum(w * abs(y - middle) for y, w in pairs)
    if rules.criterion == "min-total-cost":
        return min(answer_costs(pairs, rules, n_classes))
    if rules.criterion == "cstree":
        costs = answer_costs(pairs, rules, n_classes)
        return n_classes / math.fsum(1 / c for c in costs) if min(costs) > 0 else 0.0
    shares = [w / total for w in class_weights(pairs, n_classes)]
    if rules.criterion == "gini":
        return total * (1 - math.fsum(p * p for p in shares))
    return total * bits(shares)


def bits(shares):
    return -math.fsum(p * math.log2(p) for p in shares if p > 0)


def lower_median(pairs):
    half = math.fsum(w for _, w in pairs) / 2
    below = 0.0
    for y, w in sorted(pairs):
        below += w
        if below >= half * (1 - 1e-12):
            return y
    raise ValueError("no cases")


def answer_costs(pairs, rules, n_classes):
    """What each answer costs; 1 for a mistake, unless the rules say otherwise."""
    loss = rules.loss.reshape(-1, n_classes) if rules.loss.size else 1 - np.eye(n_classes)
    return [math.fsum(w * loss[y][answer] for y, w in pairs) for answer in range(n_classes)]


def class_weights(pairs, n_classes):
    return [math.fsum(w for y, w in pairs if y == c) for c in range(n_classes)]


class Checker:
    def __init__(self, data, **rules):
        self.data = data
        self.rules = core_settings(**rules)  # for its defaults; nothing but plain numbers and words is read
        self.checked = 0

    # ---- what could be done at a node ----

    def pairs(self, cases):
        return [(self.data.target[r], w) for r, w in cases]

    def cost(self, cases):
        return cost(self.pairs(cases), self.rules, self.data.n_classes)

    def weight(self, cases):
        return math.fsum(w for _, w in cases)

    def known(self, cases, feature):
        column, nominal = self.data.columns[feature], self.data.values[feature] > 0
        have = [(r, w) for r, w in cases if (column[r] >= 0 if nominal else not math.isnan(column[r]))]
        return have, [case for case in cases if case not in have]

    def gain(self, groups, cases, lacking):
        """What a division of the known cases gains, per unit of the node's weight."""
        own_branch = self.rules.missing in ("branch", "stay")
        known = [case for group in groups for case in group]
        before = self.cost(cases) - self.cost(lacking) if own_branch else self.cost(known)
        return (before - sum(self.cost(group) for group in groups)) / self.weight(cases)

    def split_info(self, groups, cases, lacking):
        total = self.weight(cases)
        return bits([self.weight(group) / total for group in [*groups, lacking]])

    def missing_too_light(self, lacking):
        """Every branch needs the least weight, that of missing values too, unless two are enough."""
        rules, weight = self.rules, self.weight(lacking)
        own_branch = rules.missing == "branch" and not rules.two_branches
        return own_branch and 1e-9 < weight < rules.min_branch_weight - 1e-9

    def numeric(self, feature, cases):
        column, rules = self.data.columns[feature], self.rules
        have, lacking = self.known(cases, feature)
        if self.missing_too_light(lacking):
            return None
        known = self.weight(have)
        least = rules.min_branch_weight
        if rules.share_rule:
            least = max(least, min(25.0, 0.1 * known / self.data.n_classes))
        numbers = sorted({column[r] for r, _ in have})
        tried = []
        for low, high in itertools.pairwise(numbers):
            left = [(r, w) for r, w in have if column[r] <= low]
            right = [(r, w) for r, w in have if column[r] > low]
            if min(self.weight(left), self.weight(right)) < least - 1e-9 or high - low <= rules.min_gap:
                continue
            tried.append((self.gain([left, right], cases, lacking), (low, high), [left, right]))
        if not tried:
            return self.known_or_missing(cases, have, lacking)
        best = max(gain for gain, *_ in tried)
        equal = [entry for entry in tried if entry[0] > best - TIE]
        if rules.cut_penalty:
            best -= math.log2(len(tried)) / self.weight(cases)
            if best <= 1e-13:
                return None
        return Found(best, self.split_info(equal[0][2], cases, lacking), cuts=[cut for _, cut, _ in equal])

    def known_or_missing(self, cases, have, lacking):
        """Where known values cannot be told apart, a test may ask whether there is one."""
        least = max(self.rules.min_branch_weight, 1e-9) - 1e-9
        if self.rules.missing != "branch" or not have or not lacking:
            return None
        if min(self.weight(have), self.weight(lacking)) < least:
            return None
        info = self.split_info([have], cases, lacking)
        return Found(self.gain([have], cases, lacking), info, cuts=[KNOWN])

    def groups_of(self, feature, sets, cases):
        column = self.data.columns[feature]
        return [[(r, w) for r, w in cases if column[r] in members] for members in sets]

    def nominal(self, feature, cases):
        rules = self.rules
        have, lacking = self.known(cases, feature)
        if self.missing_too_light(lacking):
            return None
        present = sorted({self.data.columns[feature][r] for r, _ in have})
        values = self.data.values[feature]
        if rules.nominal == "binary":
            subsets = [s for n in range(1, len(present)) for s in itertools.combinations(present, n)]
            ways = [[set(s), set(present) - set(s)] for s in subsets]
        elif rules.nominal == "value":
            ways = [[{c}, set(range(values)) - {c}] for c in present if len(present) > 1]
        else:
            ways = [[{c} for c in range(values)]]
        scored = []
        for sets in ways:
            groups = self.groups_of(feature, sets, have)
            weights = [self.weight(g) for g in groups if g]
            enough = [w for w in weights if w >= rules.min_branch_weight - 1e-9]
            further = rules.missing == "branch" and self.weight(lacking) >= max(rules.min_branch_weight, 1e-9)
            if len(enough) + further < 2 or (not rules.two_branches and len(enough) < len(weights)):
                continue
            scored.append((self.gain(groups, cases, lacking), sets, groups))
        if not scored:
            found = None if rules.nominal == "multiway" else self.known_or_missing(cases, have, lacking)
            return found and Found(found.gain, found.split_info, groups=[[set(range(values))]])
        best = max(gain for gain, *_ in scored)
        equal = [entry for entry in scored if entry[0] > best - TIE]
        info = self.split_info(equal[0][2], cases, lacking)
        return Found(
            best, info, groups=[sets for _, sets, _ in equal], counts_for_average=not self.is_large(feature)
        )

    def is_large(self, feature):
        return self.data.values[feature] >= 0.3 * self.data.n_rows

    def offers(self, cases, used):
        """What each feature offers, of those that have a test here."""
        found = {}
        for feature, values in enumerate(self.data.values):
            if values and feature in used and not self.rules.reuse_nominal:
                continue
            offer = self.nominal(feature, cases) if values else self.numeric(feature, cases)
            if offer is not None:
                found[feature] = offer
        return found

    def least_gain(self, found):
        """What an offer must gain by the rule of average gain."""
        if not self.rules.average_gain:
            return -math.inf
        all_large = all(values and self.is_large(f) for f, values in enumerate(self.data.values))
        counted = [o.gain for o in found.values() if o.counts_for_average or all_large]
        return sum(counted) / len(counted) - self.rules.slack if counted else math.inf

    def best_features(self, cases, used):
        """All features within a hair of the best, ascending, with what each offers."""
        rules, found = self.rules, self.offers(cases, used)
        bar = self.least_gain(found)
        ratio = rules.criterion == "gain_ratio"
        worth = {}
        for feature, offer in found.items():
            if (
                offer.split_info <= (rules.slack if ratio else 0)
                or offer.gain < bar
                or offer.gain <= rules.gain_floor + 1e-13
            ):
                continue
            worth[feature] = offer.gain / offer.split_info if ratio else offer.gain
        if not worth:
            return {}
        best = max(worth.values())
        return {f: found[f] for f, value in worth.items() if value > best - TIE}

    # ---- going down a tree of the core ----

    def check(self, tree):
        weights = self.data.weights or [1.0] * self.data.n_rows
        self.walk(tree, 0, [(r, w) for r, w in enumerate(weights) if w > 0], frozenset(), None, 0)
        return self.checked

    def walk(self, tree, node, cases, used, parent_label, depth):
        self.checked += 1
        self.check_summary(tree, node, cases, parent_label)
        best = self.best_features(cases, used) if self.may_split(cases, depth) else {}
        if tree.kind[node] == 0:
            assert not best, f"node {node} is a leaf, but features {sorted(best)} could be tested"
            return
        feature = int(tree.feature[node])
        assert best, f"node {node} tests feature {feature}, but should be a leaf"
        assert feature in best, f"node {node} tests feature {feature}, best are {sorted(best)}"
        # Squares summed far from the overall mean lose digits, so equal features need not come out equal.
        if self.rules.criterion != "squared_error":
            assert feature == min(best), (
                f"node {node} tests feature {feature}, of {sorted(best)} equally good"
            )
        if not self.rules.cut_penalty:
            assert math.isclose(tree.gain[node], best[feature].gain, rel_tol=1e-9, abs_tol=1e-12)
        branches = self.divided(tree, node, feature, cases, best[feature])
        for place, (child, branch) in enumerate(zip(children(tree, node), branches, strict=True)):
            if self.rules.missing == "stay" and place == tree.missing_route[node]:
                self.check_summary(tree, child, branch, None)
                assert tree.kind[child] == 0, f"node {child} is of cases that stay, but was split"
                continue
            self.walk(tree, child, branch, used | {feature}, int(tree.label[node]), depth + 1)

    def may_split(self, cases, depth):
        if 0 < self.rules.max_depth <= depth:
            return False
        pairs = self.pairs(cases)
        return (
            self.weight(cases) >= self.rules.min_split_weight - 1e-9
            and len({y for y, w in pairs if w > 0}) > 1
        )

    def check_summary(self, tree, node, cases, parent_label):
        total = self.weight(cases)
        pairs = self.pairs(cases)
        assert math.isclose(tree.weight[node], total, rel_tol=1e-9, abs_tol=1e-12)
        if total == 0:
            assert parent_label is None or self.data.n_classes == 0 or tree.label[node] == parent_label
            return
        assert math.isclose(tree.impurity[node], self.cost(cases) / total, rel_tol=1e-8, abs_tol=1e-10)
        if self.data.n_classes == 0:
            median = self.rules.criterion == "absolute_error"
            value = lower_median(pairs) if median else math.fsum(w * y for y, w in pairs) / total
            assert math.isclose(tree.values[node, 0], value, rel_tol=1e-9, abs_tol=1e-9)
            assert math.isclose(tree.risk[node], self.cost(cases), rel_tol=1e-8, abs_tol=1e-9)
            return
        by_class = class_weights(pairs, self.data.n_classes)
        for got, wanted in zip(tree.values[node], by_class, strict=True):
            assert math.isclose(got, wanted, rel_tol=1e-9, abs_tol=1e-12)
        label = min(c for c, w in enumerate(by_class) if w > max(by_class) - TIE)
        assert tree.label[node] == label
        assert math.isclose(tree.risk[node], total - by_class[label], rel_tol=1e-8, abs_tol=1e-9)

    def divided(self, tree, node, feature, cases, offer):
        """The cases of each branch, after checking that the test is the one it should be."""
        column = self.data.columns[feature]
        have, lacking = self.known(cases, feature)
        if tree.kind[node] == 1 and offer.cuts == [KNOWN]:
            assert tree.threshold[node] == sys.float_info.max
            groups = [have]
        elif tree.kind[node] == 1:
            cut = float(tree.threshold[node])
            low, high = offer.cuts[0]
            assert cut == self.place(column, low, high), (
                f"node {node} cuts at {cut}, wanted between {low} and {high}"
            )
            groups = [
                [(r, w) for r, w in have if column[r] <= cut],
                [(r, w) for r, w in have if column[r] > cut],
            ]
        else:
            branch_of = categories_of(tree, node)
            sets = [
                {c for c, b in enumerate(branch_of) if b == branch} for branch in range(max(branch_of) + 1)
            ]
            assert sets in offer.groups, f"node {node} has the groups {sets}, best are {offer.groups}"
            groups = self.groups_of(feature, sets, have)
        return self.with_lacking(groups, lacking, self.weight(have))

    def place(self, column, low, high):
        middle = low / 2 + high / 2
        if self.rules.cut_at == "midpoint":
            return for_copies(middle, low, high)
        weights = self.data.weights or [1.0] * self.data.n_rows
        observed = [x for x, w in zip(column, weights, strict=True) if w > 0]
        below = max(x for x in observed if x <= middle)
        return for_copies(below, below, min(x for x in observed if x > middle))

    def with_lacking(self, groups, lacking, known):
        if not lacking:
            return groups
        match self.rules.missing:
            case "branch" | "stay":
                return [*groups, lacking]
            case "majority":
                weights = [self.weight(g) for g in groups]
                heaviest = min(b for b, w in enumerate(weights) if w > max(weights) - TIE)
                return [g + lacking if b == heaviest else g for b, g in enumerate(groups)]
            case _:
                return [g + [(r, w * self.weight(g) / known) for r, w in lacking] if g else g for g in groups]


def for_copies(cut, low, high):
    """Move a cut as little as it takes for float32 copies of its neighbours to fall on their sides."""
    least, below = max(low, float(np.float32(low))), min(high, float(np.float32(high)))
    return cut if least <= cut < below else least


def assert_grown_by_the_rules(data, **rules):
    """Grows a tree in the core and checks every node of it; returns how many there were."""
    return Checker(data, **rules).check(data.grow(**rules))
