"""Trees and plain rules to hold the strategies against."""

import numpy as np
import pandas as pd
from finished_trees import RANDOM_PRICES
from sklearn.utils import check_random_state

import thriftwood as tw
from thriftwood.costs import Costs, Test

PRICES = RANDOM_PRICES.replace(errors=[[0, 40, 15], [25, 0, 60], [9, 30, 0]])
"""With dear mistakes."""

IMMEDIATE = PRICES.replace(
    tests={"age": 1, "hair": Test(2, group="looks", after=0.5), "dose": Test(3, needs=["blood"])}
    | {"coat": Test(4, group="looks", after=1), "size": Test(0.25, needs=["blood"])}
)


def worked_example():
    """A: cost 10, misc 30; .5 a leaf, misc 5; .5 B: cost 4, misc 20, leaves of .6 misc 2 and .4 misc 6."""
    missed, alarm = 47 + 6 * 27 / 49, 47 * 49 / 27 + 6  # these two error costs give those five figures
    costs = Costs({"A": 10, "B": 4}, errors={"x": {"y": missed}, "y": {"x": alarm}})
    cells = [(0, 0, 0.5, 1 - 5 / alarm), (1, 0, 0.3, 2 / missed), (1, 1, 0.2, 1 - 6 / alarm)]
    X = pd.DataFrame([[a, b] for a, b, _, _ in cells for _ in "xy"], columns=["A", "B"], dtype=float)
    weights = [w for _, _, share, x in cells for w in (share * x, share * (1 - x))]
    model = tw.CostTreeClassifier(costs=costs).fit(X, ["x", "y"] * 3, sample_weight=weights)
    return model, [({"A": a, "B": b}, share) for a, b, share, _ in cells]


def run(case, row):
    """Answer all questions from a row, batch by batch."""
    while not case.finished:
        case.answer({name: row[name] for name in case.next_tests})
    return case


def misc(tree, costs, node):
    """What a node's answer costs on average, written out."""
    counts, answer, names = tree[node].counts, tree[node].answer, list(map(str, tree.classes))
    matrix, total = costs.error_matrix(tree.classes), sum(counts.values())
    if total == 0:
        return 0.0
    paid = sum(n * matrix[names.index(str(c)), names.index(str(answer))] for c, n in counts.items())
    return paid / total


def parts(tree, node):
    children = tree[node].children
    total = sum(tree[child].weight for child in children)
    return [(c, tree[c].weight / total if total else 1 / len(children)) for c in children]


def met_next(tree, row, batch, node, share):
    """The leaves and unknown tests that a case may meet first, from a node, with their chances."""
    test = tree[node].test
    if test is None:
        return [(node, share)]
    if test in row:
        child = next(c for c in tree[node].children if tree[c].condition.holds(row[test]))
        return met_next(tree, row, batch, child, share)
    if test not in batch:
        return [(node, share)]
    return [end for c, part in parts(tree, node) for end in met_next(tree, row, batch, c, share * part)]


def plain_batch(tree, costs, row):
    """The single batch by its definition, for immediate tests; what is free is always worth it."""
    batch = []
    while True:
        utility = {}
        for node, share in met_next(tree, row, batch, 0, 1.0):
            test = tree[node].test
            if test is None:
                continue
            price = costs.effective_price(test, batch)
            below = met_next(tree, row, [*batch, test], node, 1.0)
            gain = misc(tree, costs, node) - sum(part * misc(tree, costs, r) for r, part in below)
            utility[test, node] = share * gain - price if price else np.inf
        useful = {key: value for key, value in utility.items() if value > 1e-9}
        if not useful:
            return batch
        place = tree.feature_names.index
        best = min(useful, key=lambda key: (-round(useful[key], 9), place(key[0]), key[1]))
        batch.append(best[0])


def clinic(seed):
    """A fitted tree on yes-or-no tests, with its table and costs."""
    rng = check_random_state(seed)
    X = pd.DataFrame(rng.randint(0, 2, (60, 4)), columns=list("PQRS")).astype(float)
    y = np.where((X["P"] + X["Q"] * X["R"] + rng.randint(0, 2, 60)) > 1, "sick", "well")
    tests = {"P": 3.0, "Q": Test(2, needs=["kit"]), "R": Test(1, needs=["kit"]), "S": 0.5}
    errors = {"sick": {"well": 40}, "well": {"sick": 12}}
    costs = Costs(tests, {"kit": 1.5}, errors)
    model = tw.CostTreeClassifier(costs=costs, growth=tw.Growth(max_depth=4)).fit(X, y)
    return model, X, y, costs
