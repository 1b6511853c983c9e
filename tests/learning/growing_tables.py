"""What the tests of growing share: Quinlan's fourteen days, random tables, named ways of growing."""

import math
from dataclasses import dataclass

import numpy as np
from finished_trees import MULTIWAY

from thriftwood._core import Settings, Table, criteria, grow

YES, NO = 0, 1
SUNNY, OVERCAST, RAIN = range(3)
HOT, MILD, COOL = range(3)
OUTLOOK = [0, 0, 1, 2, 2, 2, 1, 0, 0, 2, 0, 1, 1, 2]
TEMP = [0, 0, 0, 1, 2, 2, 2, 1, 2, 1, 1, 1, 0, 1]
HUMIDITY = [0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 0]  # High, Normal
WIND = [0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1]  # Weak, Strong
DEGREES = [85, 80, 83, 70, 68, 65, 64, 72, 69, 75, 75, 72, 81, 71]
PERCENT = [85, 90, 78, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 80]
PLAY = [NO, NO, YES, YES, YES, NO, YES, NO, YES, YES, YES, YES, YES, NO]

C45 = {
    "criterion": "gain_ratio",
    "nominal": "multiway",
    "missing": "fractional",
    "cut_at": "observed",
    "min_branch_weight": 2.0,
    "min_split_weight": 4.0,
    "two_branches": True,
    "share_rule": True,
    "min_gap": 1e-5,
    "cut_penalty": True,
    "average_gain": True,
    "gain_floor": -0.001,
}
C45_GAIN = C45 | {"criterion": "entropy", "average_gain": False}
C45_GROUPED = C45 | {"nominal": "grouped", "reuse_nominal": True}
ID3 = {"many_categories": 0, "criterion": "entropy", "nominal": "multiway", "missing": "branch"}
CART = {
    "many_categories": 0,
    "criterion": "gini",
    "nominal": "binary",
    "missing": "fractional",
    "reuse_nominal": True,
}


def c45(m=2, **changes):
    return C45 | {"min_branch_weight": float(m), "min_split_weight": 2.0 * m} | changes


@dataclass
class Data:
    """Columns of numbers (NaN missing) or of codes (-1 missing), and what is to be predicted."""

    columns: list  # one list per feature
    values: list  # number of categories per feature; 0 for numbers
    target: list  # classes, or numbers if n_classes is 0
    n_classes: int = 2
    weights: list | None = None

    @property
    def n_rows(self):
        return len(self.target)

    @property
    def table(self):
        def column(cells, categories):
            if categories:
                return np.array(cells, dtype=np.int32), categories
            return np.array(cells, dtype=float)

        return Table.from_columns([column(c, v) for c, v in zip(self.columns, self.values, strict=True)])

    def grow(self, rows=None, **rules):
        rows = None if rows is None else np.array(rows, dtype=np.uint32)
        return grow(self.table, core_settings(**rules), rows=rows, **self.core_target())

    def core_target(self):
        weights = None if self.weights is None else np.array(self.weights, dtype=float)
        if self.n_classes == 0:
            return {"numbers": np.array(self.target, dtype=float), "weights": weights}
        labels = np.array(self.target, dtype=np.int32)
        return {"labels": labels, "n_classes": self.n_classes, "weights": weights}

    def row(self, *cells):
        """One row to ask a tree about."""
        one = [np.array([c], dtype=np.int32 if v else float) for c, v in zip(cells, self.values, strict=True)]
        return Table.from_columns([(c, v) if v else c for c, v in zip(one, self.values, strict=True)])

    def taken(self, rows):
        """The same columns with only these rows, in this sequence; a row may come several times."""
        pick = [[column[r] for r in rows] for column in self.columns]
        weights = None if self.weights is None else [self.weights[r] for r in rows]
        return Data(pick, self.values, [self.target[r] for r in rows], self.n_classes, weights)


def core_settings(**rules):
    settings = Settings()
    rules = MULTIWAY | rules
    if "criterion" in rules:  # first: its parameters are set below
        settings.criterion = rules.pop("criterion")
    own = {each.name for facts in criteria() if facts.name == settings.criterion for each in facts.parameters}
    for name, value in rules.items():
        if name in own:
            settings.set_parameter(name, value)
        else:
            setattr(settings, name, value)
    return settings


T14 = Data([OUTLOOK, TEMP, HUMIDITY, WIND], [3, 3, 2, 2], PLAY)
GOLF = Data([OUTLOOK, DEGREES, PERCENT, WIND], [3, 0, 0, 2], PLAY)
GOLFQ = Data([[*OUTLOOK[:11], -1, *OUTLOOK[12:]], DEGREES, PERCENT, WIND], [3, 0, 0, 2], PLAY)


def random_data(
    seed, *, n_classes=2, n_rows=None, weights="some", missing=0.15, nominal=True, continuous=False
):
    """A small table with numbers (many of them equal), categories, missing values and weights."""
    rng = np.random.default_rng(seed)
    n = n_rows or int(rng.integers(6, 28))
    columns, values = [], []
    for f in range(int(rng.integers(2, 5))):
        categories = int(rng.integers(2, 6)) if nominal and f % 2 else 0
        if categories:
            cells = rng.integers(0, categories, n)
        else:
            cells = rng.normal(size=n) if continuous else rng.integers(0, 9, n) / 2.0
        gone = rng.random(n) < missing
        columns.append(
            [(-1 if categories else math.nan) if g else c for c, g in zip(cells.tolist(), gone, strict=True)]
        )
        values.append(categories)
    signal = np.nan_to_num(np.array(columns[0], dtype=float)) + rng.normal(size=n)
    if n_classes:
        target = np.clip((signal * n_classes / 4).astype(int), 0, n_classes - 1).tolist()
    else:
        target = (signal * 4).round(1).tolist()
    kind = rng.integers(3) if weights == "some" else 0
    case_weights = [
        None,
        rng.integers(1, 4, n).astype(float).tolist(),
        (rng.integers(1, 12, n) / 4).tolist(),
    ][kind]
    return Data(columns, values, target, n_classes, case_weights)


def children(tree, node):
    first = int(tree.first_child[node])
    return range(first, first + int(tree.n_children[node]))


def categories_of(tree, node):
    """The branch of every category of a nominal test."""
    start = int(tree.map_offset[node])
    return tree.branch_map[start : start + int(tree.feature_values[tree.feature[node]])].tolist()


def shape(tree, node=0):
    """A tree as nested tuples: (feature, cut or branches of categories, subtrees), a leaf as its label."""
    if tree.kind[node] == 0:
        return int(tree.label[node])
    test = float(tree.threshold[node]) if tree.kind[node] == 1 else tuple(categories_of(tree, node))
    return (int(tree.feature[node]), test, *(shape(tree, c) for c in children(tree, node)))
