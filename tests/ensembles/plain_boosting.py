"""Gradient boosting with prices, written plainly: the reference that the core is held to."""

import math

import numpy as np


def shares_of(scores):
    raised = np.exp(scores - scores.max())
    return raised / raised.sum()


class PlainBooster:
    """Stages on numeric columns; a basket of tests for every case, from `Costs.basket`."""

    def __init__(self, X, labels, n_classes, costs, names, weights=None, **settings):
        self.X, self.labels, self.k, self.names = X, labels, n_classes, names
        self.weights = np.ones(len(X)) if weights is None else weights
        self.set = {"learning_rate": 0.1, "max_leaves": 4, "max_depth": 6, "min_leaf_weight": 5.0, "l2": 1.0}
        self.set |= {"cost_weight": 0.0, "cheap_first": 1.0, "cheap_rounds": 15.0, "stop": math.inf}
        self.set |= settings
        self.baskets = [costs.basket() for _ in X]
        share = np.array([self.weights[labels == c].sum() for c in range(n_classes)]) / self.weights.sum()
        self.start = np.log(share)
        self.scores = np.tile(self.start, (len(X), 1))
        self.stages = []

    def boost(self, rounds):
        for number in range(rounds):
            excess = (self.set["cheap_first"] - 1) * math.exp(-number / self.set["cheap_rounds"])
            self.price_of_money = self.set["cost_weight"] * (1 + excess)
            shares = np.array([shares_of(row) for row in self.scores])
            truth = np.eye(self.k)[self.labels]
            self.gradient = (shares - truth) * self.weights[:, None]
            self.curvature = shares * (1 - shares) * self.weights[:, None]
            self.sure = shares.max(axis=1) >= self.set["stop"]
            self.stages.append(self.grow())
        return self

    def grow(self):
        leaves = [self.leaf(np.arange(len(self.X)), 0)]
        tree = leaves[0]
        for _ in range(self.set["max_leaves"] - 1):
            best = max(leaves, key=lambda leaf: leaf["net"])
            if best["net"] <= 0:
                break
            leaves = [leaf for leaf in leaves if leaf is not best]
            rows, feature = best["rows"], best["feature"]
            for row in rows[~self.sure[rows]]:
                self.baskets[row].buy(self.names[feature])
            second = self.goes_second(best, rows)
            best["children"] = [self.leaf(rows[side], best["depth"] + 1) for side in (~second, second)]
            leaves += best["children"]
        for leaf in leaves if tree["children"] else []:  # without a test it is no stage
            self.scores[leaf["rows"]] += leaf["steps"]
        return tree

    def goes_second(self, node, rows):
        values = self.X[rows, node["feature"]]
        return np.where(np.isnan(values), node["missing_second"], values > node["threshold"]).astype(bool)

    def leaf(self, rows, depth):
        G, H = self.gradient[rows].sum(axis=0), self.curvature[rows].sum(axis=0)
        steps = -self.set["learning_rate"] * G / (H + self.set["l2"])
        leaf = {"rows": rows, "depth": depth, "steps": steps, "net": 0.0, "children": None}
        if depth < self.set["max_depth"]:
            for feature in range(self.X.shape[1]):
                price = sum(
                    self.weights[row] * self.baskets[row].price(self.names[feature])
                    for row in rows[~self.sure[rows]]
                )
                for cut in self.cuts(feature, rows):
                    net = cut["gain"] - self.price_of_money * price
                    if net > leaf["net"] + 1e-12 * abs(leaf["net"]):
                        leaf.update(cut, net=net)
        return leaf

    def worth(self, rows):
        G, H = self.gradient[rows].sum(axis=0), self.curvature[rows].sum(axis=0)
        return 0.5 * (G**2 / (H + self.set["l2"])).sum()

    def cuts(self, feature, rows):
        column = self.X[:, feature]
        edges = np.unique(column[~np.isnan(column)])
        lowest = np.nanmin(column[rows], initial=np.inf)
        for threshold in [*(edges[:-1] + edges[1:]) / 2, np.finfo(float).max]:
            if threshold < lowest:  # a number of the leaf goes first
                continue
            for missing_second in (False, True):
                cut = {"feature": feature, "threshold": threshold, "missing_second": missing_second}
                second = self.goes_second(cut, rows)
                left, right = rows[~second], rows[second]
                least = min(self.weights[left].sum(), self.weights[right].sum())
                if least >= self.set["min_leaf_weight"]:
                    yield cut | {"gain": self.worth(left) + self.worth(right) - self.worth(rows)}


def walk(booster, row):
    """Ask the stages of a `Booster` about one encoded row: (scores, the tests in the order asked)."""
    scores, had = np.array(booster.core.start), {}
    for stage in booster.core.stages:
        node = 0
        while stage.kind[node]:
            feature = int(stage.feature[node])
            if feature not in had:
                if booster.stop is not None and shares_of(scores).max() >= booster.stop:
                    return scores, list(had)
                had[feature] = None
            value = row[feature]
            if value < 0 if stage.kind[node] == 2 else math.isnan(value):
                branch = stage.missing_route[node]
            elif stage.kind[node] == 1:
                branch = int(value > stage.threshold[node])
            else:
                branch = stage.branch_map[stage.map_offset[node] + int(value)]
            node = stage.first_child[node] + branch
        scores = scores + stage.values[node]
    return scores, list(had)
