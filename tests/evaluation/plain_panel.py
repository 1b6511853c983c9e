"""A panel in plain Python: who is consulted, what is answered and bought; random panels to compare it on."""

import math

import numpy as np
from evaluation.plain_ledger import tests_below, unavailable
from plain_tree import FRACTIONAL, LEAF, STOP, class_shares, outcome, random_rows, random_tree

from thriftwood import _core
from thriftwood.models import Tree
from thriftwood.models.panel import Panel
from thriftwood.models.voting import StackedTree, Vote
from thriftwood.table import Encoder

NAMES = ["no", "perhaps", "yes"]


class PlainPanel:
    """One case: `row` has codes and numbers; `trees` and `stacked` are arrays of trees."""

    def __init__(self, trees, rule, costs, row, stacked=None):
        self.trees, self.rule, self.costs, self.row, self.stacked = trees, rule, costs, row, stacked
        self.paid, self.consulted, self.said = [], [], {}
        if costs.payment == "upfront":
            asked = {int(test) for m in self.may_be_consulted() for test in tests_below(trees[m], 0)}
            self.buy(trees[0], sorted(asked))
        self.answer = self.voted() if stacked is None else self.stacked_answer()

    def may_be_consulted(self):
        if self.stacked is None:
            return range(len(self.trees))
        return dict.fromkeys(self.rule.member[column] for column in tests_below(self.stacked, 0))

    @property
    def bill(self):
        """Test -> price, in the order bought."""
        basket = self.costs.basket()
        return {f"x{test}": basket.buy(f"x{test}") for test in self.paid}

    def buy(self, tree, tests):
        for test in tests:
            if test not in self.paid and not unavailable(self.costs, self.row, tree, test):
                self.paid.append(int(test))

    def consult(self, m):
        if m not in self.said:
            tree = self.trees[m]
            self.consulted.append(m)
            reached = self.walked(tree, 0, 1.0)
            self.said[m] = self.answered(tree, reached), class_shares(tree, reached)
        return self.said[m]

    def walked(self, tree, node, share):
        if tree["kind"][node] == LEAF:
            return [(node, share, ())]
        feature = tree["feature"][node]
        if feature not in self.paid and not unavailable(self.costs, self.row, tree, feature):
            delayed = self.costs.tests[f"x{feature}"].delayed
            self.buy(tree, tests_below(tree, node) if delayed else [feature])
        branch = primary = outcome(tree, tree, node, self.row)
        first = tree["first_surrogate"][node]
        for s in range(first, first + tree["n_surrogates"][node]):
            if isinstance(branch, str):
                self.buy(tree, [tree["surrogates"]["feature"][s]])
                branch = outcome(tree, tree["surrogates"], s, self.row)
                if not isinstance(branch, str) and tree["surrogates"]["flipped"][s]:
                    branch = 1 - branch
        return self.gone_on(tree, node, share, branch, primary, self.walked)

    @staticmethod
    def gone_on(tree, node, share, branch, primary, walked):
        if isinstance(branch, str):
            branch = tree["unseen_route" if primary == "unseen" else "missing_route"][node]
        if branch == STOP:
            return [(node, share, ())]
        children = range(tree["first_child"][node], tree["first_child"][node] + tree["n_children"][node])
        if branch != FRACTIONAL:
            return walked(tree, children[branch], share)
        total = sum(tree["weight"][child] for child in children)
        parts = [share * (tree["weight"][c] / total if total > 0 else 1 / len(children)) for c in children]
        reached = []
        for child, part in zip(children, parts, strict=True):
            if part > 0:
                reached += walked(tree, child, part)
        return reached

    @staticmethod
    def answered(tree, reached):
        if len(reached) == 1:
            return int(tree["label"][reached[0][0]])
        return _core.Tree.from_arrays(tree).cheapest_answer(
            np.minimum(class_shares(tree, reached), 1).tolist()
        )

    def voted(self):
        cast, weights = np.zeros(len(NAMES)), self.rule.vote_weights
        for m, weight in enumerate(weights):
            label, shares = self.consult(m)
            cast += weight * (shares if self.rule.shares else np.eye(len(NAMES))[label])
            left = sum(weights[m + 1 :])
            leader = int(cast.argmax())
            caught = [
                cast[rival] + left >= cast[leader] - 1e-9 * sum(weights)
                and not (self.rule.tie_ends and leader < rival and cast[rival] + left <= cast[leader])
                for rival in range(len(NAMES))
                if rival != leader
            ]
            if self.rule.short_cut and not any(caught):
                break
        near = cast >= cast.max() * (1 - 1e-12)
        return int(near.argmax())

    def stacked_answer(self):
        return self.answered(self.stacked, self.asked(self.stacked, 0, 1.0))

    def asked(self, stacked, node, share):
        if stacked["kind"][node] == LEAF:
            return [(node, share, ())]
        column = stacked["feature"][node]
        label, shares = self.consult(self.rule.member[column])
        of = self.rule.share_of[column]
        told = {column: label if of < 0 else min(shares[of], 1.0)}
        branch = outcome(stacked, stacked, node, told)
        return self.gone_on(stacked, node, share, branch, branch, self.asked)


def encoder_of(feature_values, names=None):
    coded = {
        str(j): {"kind": "nominal", "categories": names or [f"c{code}" for code in range(count)]}
        for j, count in enumerate(feature_values)
        if count
    }
    return Encoder.from_json({"n_features": len(feature_values), "names": None, "categorical": coded})


def random_panel(rng, costs, feature_values):
    """A panel of random trees with a random rule, and its trees as arrays."""
    n_trees = int(rng.integers(1, 6))
    arrays = [
        random_tree(
            rng, feature_values=feature_values, n_tests=int(rng.integers(1, 7)), surrogates=rng.random() < 0.3
        )
        for _ in range(n_trees)
    ]
    encoder = encoder_of(feature_values)
    trees = [Tree(_core.Tree.from_arrays(one), encoder, NAMES) for one in arrays]
    if rng.random() < 0.5:
        weight = (1.0,) * n_trees if rng.random() < 0.5 else tuple(rng.uniform(0.1, 3, n_trees).tolist())
        flags = (rng.random(3) < 0.5).tolist()
        return Panel(trees, Vote(weight, *flags), costs), arrays, None
    members = rng.integers(0, n_trees, int(rng.integers(1, 5))).tolist()
    share_of = [int(rng.integers(-1, len(NAMES))) for _ in members]
    values = [len(NAMES) if of < 0 else 0 for of in share_of]
    stacked = random_tree(rng, feature_values=values, n_tests=5, surrogates=False)
    tree = Tree(_core.Tree.from_arrays(stacked), encoder_of(values, NAMES), NAMES)
    return Panel(trees, StackedTree(tree, tuple(members), tuple(share_of)), costs), arrays, stacked


def random_cases(rng, feature_values, n_rows):
    """Rows as codes, and the same as a user has them: None where missing, a new category where unseen."""
    codes = random_rows(rng, feature_values, n_rows)
    codes = np.where(np.isinf(codes), np.sign(codes) * 5.0, codes)
    rows = []
    for row in codes.tolist():
        rows.append([_value(code, count) for code, count in zip(row, feature_values, strict=True)])
    return codes, rows


def _value(code, count):
    if math.isnan(code) or (count and code == -1):
        return None
    if not count:
        return code
    return f"c{int(code)}" if 0 <= code < count else "new"
