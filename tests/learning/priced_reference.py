"""The criteria that weigh prices, in plain Python: checks every choice of a tree that the core grew.

It goes down the tree as `reference.Checker` does, keeping the tests paid so far: those above the node, or, if
all are paid upfront, those of the tree up to here in depth-first order.
"""

import math
from dataclasses import dataclass, field

import numpy as np
from learning.criterion_trees import COUNTING
from learning.growing_tables import core_settings, random_data
from learning.reference import KNOWN, TIE, Checker, answer_costs

from thriftwood import _core
from thriftwood.costs import Costs, Test

NOTHING = 1e-12  # a gain below it is rounding
SMALL_CHANGE = 1e-9  # an amount of money below it is


@dataclass
class PriceTags:
    """Prices by feature number, as `algorithms` define them and without the core's cleverness."""

    own: list
    needs: list  # per feature: the resources it needs
    resources: dict
    group: list  # per feature: its group, or None
    after: list  # per feature: its own price once another of the group was bought, or None
    upfront: bool = False
    paid: list = field(default_factory=list)

    def effective(self, feature, paid):
        if feature in paid:
            return 0.0
        group = self.group[feature]
        opened = group is not None and any(self.group[other] == group for other in paid)
        own = self.after[feature] if opened and self.after[feature] is not None else self.own[feature]
        had = {resource for other in paid for resource in self.needs[other]}
        return own + sum(self.resources[name] for name in self.needs[feature] if name not in had)

    @property
    def costs(self):
        tests = {}
        for feature, price in enumerate(self.own):
            group, after = self.group[feature], self.after[feature]
            tests[feature] = Test(price, needs=self.needs[feature], group=group, after=after)
        payment = "upfront" if self.upfront else "sequential"
        return Costs(tests, shared=self.resources, payment=payment)


def random_tags(seed, n_features, upfront):
    """Prices with free tests, shared resources and groups among them."""
    rng = np.random.default_rng(seed)
    own = (rng.integers(0, 9, n_features) / 4 * (rng.random(n_features) < 0.85)).tolist()
    resources = {"draw": 1.5, "scan": float(rng.integers(0, 5))}
    needs = [[name for name in resources if rng.random() < 0.3] for _ in own]
    group = [["g", "h", None][rng.integers(3)] for _ in own]
    # A group of one, and a price after others that nobody lowers, are no groups.
    group = [name if group.count(name) > 1 else None for name in group]
    after = [
        None if name is None else price * float(rng.random() < 0.8) / 2
        for name, price in zip(group, own, strict=True)
    ]
    return PriceTags(own, needs, resources, group, after, upfront)


def random_loss(seed, n_classes):
    """What mistakes cost, some of them nothing; right answers are free."""
    unit = [1.0, 8.0, 100.0][seed % 3]
    loss = np.random.default_rng(seed).integers(0, 12, (n_classes, n_classes)) * unit
    np.fill_diagonal(loss, 0)
    return loss


class PricedChecker(Checker):
    def __init__(self, data, tags, **rules):
        super().__init__(data, **rules)
        self.tags = tags
        self.path, self.bought = [], []
        self.path_factor = 1.0
        self.whole = self.weight([(r, w) for r, w in enumerate(data.weights or [1.0] * data.n_rows)])

    def walk(self, tree, node, cases, used, parent_label, depth):
        above, factor = len(self.path), self.path_factor
        super().walk(tree, node, cases, used, parent_label, depth)
        del self.path[above:]
        self.path_factor = factor

    def divided(self, tree, node, feature, cases, offer):
        self.path.append(feature)
        if feature not in self.bought:
            self.bought.append(feature)
        self.path_factor /= offer.split_info
        return super().divided(tree, node, feature, cases, offer)

    def best_features(self, cases, used):
        rules, found = self.rules, self.offers(cases, used)
        bar = self.least_gain(found)
        merits = {}
        for feature, offer in found.items():
            merit = self.merit(feature, offer, cases)
            if offer.gain >= bar and merit is not None:
                merits[feature] = merit
        if not merits:
            return {}
        tier, best = max(merits.values())
        winners = {f: found[f] for f, (t, value) in merits.items() if t == tier and value > best - TIE}
        return {} if all(o.gain <= rules.gain_floor + 1e-13 for o in winners.values()) else winners

    def saving(self, feature, offer, cases):
        """What a test takes from the cost of the mistakes, with the cheapest answer everywhere."""
        column, (have, lacking) = self.data.columns[feature], self.known(cases, feature)
        if offer.cuts == [KNOWN]:
            groups = [have]
        elif offer.cuts:
            low, _ = offer.cuts[0]
            groups = [[c for c in have if column[c[0]] <= low], [c for c in have if column[c[0]] > low]]
        else:
            groups = self.groups_of(feature, offer.groups[0], have)
        stays = self.rules.missing in ("branch", "stay")

        def leaf_cost(cases):
            return min(answer_costs(self.pairs(cases), self.rules, self.data.n_classes))

        before, branches = (cases, [*groups, lacking]) if stays else (have, groups)
        return leaf_cost(before) - math.fsum(leaf_cost(group) for group in branches)

    def merit(self, feature, offer, cases):
        """(tier, value) of a feature's offer; None if it may not be taken."""
        rules, gain = self.rules, offer.gain
        reach = self.weight(cases) / self.whole
        price = self.tags.effective(feature, self.bought if self.tags.upfront else self.path)
        if not rules.reuse_is_free:
            price = self.tags.effective(feature, [])
        ratio = rules.criterion in ("csgain-ratio", "cs-c45") or (
            rules.criterion == "pm" and rules.parameter("info") == "gain_ratio"
        )
        if ratio and offer.split_info <= rules.slack:
            return None

        def per(value, amount):
            return (0, value / amount) if amount > 0 else (1, gain) if gain > NOTHING else (0, 0.0)

        def less(value):
            charge = rules.parameter("gamma") * price
            return (
                None
                if charge > 0 and value <= charge and not rules.parameter("allow_negative")
                else (0, value - charge)
            )

        match rules.criterion:
            case "cs-id3":
                return per(gain**2, price)
            case "idx":
                return per(gain, price ** rules.parameter("gamma"))
            case "eg2":
                return 0, (2**gain - 1) / (price + 1) ** rules.parameter("w")
            case "cs-c45":
                return per(gain / offer.split_info, price ** rules.parameter("w"))
            case "lasc":
                list_prices = [self.tags.effective(other, []) for other in range(len(self.tags.own))]
                units = {"max": max(list_prices), "mean": sum(list_prices) / len(list_prices), "none": 1.0}
                suppression = reach ** rules.parameter("alpha")
                expense = suppression * price / (units[rules.parameter("norm")] or 1.0) + 1 - suppression
                return per(gain, expense) if gain > NOTHING else None
            case "mitchell":
                return less(gain)
            case "csgain":
                return less(reach * gain)
            case "csgain-ratio":
                factor = self.path_factor / (
                    offer.split_info if rules.parameter("path") == "inclusive" else 1
                )
                return less(reach * min(factor, rules.parameter("max_path_factor")) * gain)
            case "pm":
                information = gain / offer.split_info if rules.parameter("info") == "gain_ratio" else gain
                saving = self.saving(feature, offer, cases)
                if information <= NOTHING or saving <= SMALL_CHANGE:
                    return None
                return 0, (2**information - 1) * saving / (price + 1)
            case "min-total-cost" | "cstree":
                payers = self.whole if self.tags.upfront else self.weight(self.known(cases, feature)[0])
                worth = self.weight(cases) * gain - payers * price
                return (0, worth) if worth > SMALL_CHANGE or rules.parameter("allow_negative") else None
        raise AssertionError(f"no formula for {rules.criterion}")


def assert_weighed_by_the_rules(seed, upfront, *, n_classes=2, **rules):
    """Grows a priced tree of a random table in the core, checks every node; returns how many there were."""
    data = random_data(seed, n_classes=n_classes)
    tags = random_tags(seed, len(data.values), upfront)
    if rules["criterion"] in COUNTING and seed % 5:
        rules["loss"] = random_loss(seed, n_classes)
    prices = _core.Prices(tags.costs.compile(range(len(data.values))))
    tree = _core.grow(data.table, core_settings(**rules), prices=prices, **data.core_target())
    return PricedChecker(data, tags, **rules).check(tree)
