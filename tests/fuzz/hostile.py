"""Tables, targets, weights and settings that nobody would choose."""

import datetime
import decimal
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st

import thriftwood as tw
from thriftwood.learning.criteria import FACTS, PARAMETERS, PRICED, VALUE_OBJECTS
from thriftwood.learning.criteria import criterion as chosen_criterion

EXTREMES = np.array([0.0, -0.0, 5e-324, -5e-324, 1e-310, 1.0, 1e16, 1e308, -1e308, 1.7976931348623157e308])

# Columns: each makes n values.


def text(rng, n, words=("red", "green", "blue", "", "grün", "nan")):
    return pd.Series(rng.choice(np.array(words, dtype=object), n), dtype=object)


def holes(rng, series, share=0.3, mark=None):
    series = series.astype(object)
    series[rng.random(len(series)) < share] = mark
    return series


COLUMNS = {
    "float": lambda rng, n: pd.Series(rng.normal(size=n)),
    "float32": lambda rng, n: pd.Series(rng.normal(size=n).astype(np.float32)),
    "float16": lambda rng, n: pd.Series(rng.normal(size=n).astype(np.float16)),
    "few": lambda rng, n: pd.Series(rng.integers(0, 3, n).astype(float)),
    "constant": lambda rng, n: pd.Series(np.full(n, 7.5)),
    "nan": lambda rng, n: pd.Series(np.where(rng.random(n) < 0.4, np.nan, rng.normal(size=n))),
    "all nan": lambda rng, n: pd.Series(np.full(n, np.nan)),
    "all None": lambda rng, n: pd.Series([None] * n, dtype=object),
    "one known": lambda rng, n: pd.Series(np.where(np.arange(n) == n // 2, 1.0, np.nan)),
    "extreme": lambda rng, n: pd.Series(rng.choice(EXTREMES, n)),
    "denormal": lambda rng, n: pd.Series(rng.integers(0, 4, n) * 5e-324),
    "neighbours": lambda rng, n: pd.Series(np.nextafter(1.0, 2.0) ** rng.integers(0, 3, n)),
    "int": lambda rng, n: pd.Series(rng.integers(-5, 5, n)),
    "uint8": lambda rng, n: pd.Series(rng.integers(0, 255, n).astype(np.uint8)),
    "huge int": lambda rng, n: pd.Series(2**53 + 2 * rng.integers(0, 4, n)),
    "bool": lambda rng, n: pd.Series(rng.random(n) < 0.5),
    "text": text,
    "text holes": lambda rng, n: holes(rng, text(rng, n)),
    "NA text": lambda rng, n: holes(rng, text(rng, n), mark=pd.NA),
    "str": lambda rng, n: text(rng, n).astype("str"),
    "mixed": lambda rng, n: pd.Series(
        [[1, 2.5, "one", True, None][i] for i in rng.integers(0, 5, n)], dtype=object
    ),
    "254": lambda rng, n: pd.Series(np.arange(n) % 254 * 0.1),
    "255": lambda rng, n: pd.Series(np.arange(n) % 255),
    "256": lambda rng, n: pd.Series(np.arange(n) % 256),
    "255 words": lambda rng, n: pd.Series([f"w{i % 255}" for i in range(n)]),
    "256 words": lambda rng, n: pd.Series([f"w{i % 256}" for i in range(n)]),
    "many": lambda rng, n: text(rng, n, [f"c{i}" for i in range(400)]),
    "category": lambda rng, n: text(rng, n).astype("category"),
    "declared": lambda rng, n: pd.Series(pd.Categorical.from_codes(rng.integers(-1, 2, n), list("zyxw"))),
    "no categories": lambda rng, n: pd.Series(pd.Categorical([None] * n, categories=[])),
    "ordered": lambda rng, n: pd.Series(
        pd.Categorical.from_codes(rng.integers(-1, 3, n), ["S", "M", "L"], ordered=True)
    ),
    "number category": lambda rng, n: pd.Series(rng.integers(0, 3, n)).astype("category"),
    "Int64": lambda rng, n: holes(rng, pd.Series(rng.integers(0, 4, n)), mark=pd.NA).astype("Int64"),
    "boolean": lambda rng, n: holes(rng, pd.Series(rng.random(n) < 0.5), mark=pd.NA).astype("boolean"),
    "Float64": lambda rng, n: pd.Series(rng.normal(size=n)).astype("Float64"),
    "object numbers": lambda rng, n: holes(rng, pd.Series(rng.integers(0, 4, n))),
    "decimal": lambda rng, n: pd.Series(
        [decimal.Decimal(int(i)) / 4 for i in rng.integers(0, 4, n)], dtype=object
    ),
}
REFUSED = {
    "long ids": lambda rng, n: pd.Series(2**53 + 1 + 2 * rng.integers(0, 4, n)),
    "inf": lambda rng, n: pd.Series(np.where(np.arange(n) == n // 2, np.inf, 1.0)),
    "-inf float32": lambda rng, n: pd.Series(
        np.where(np.arange(n) == n // 2, -np.inf, 1.0).astype(np.float32)
    ),
    "date": lambda rng, n: pd.Series(pd.date_range("2024-01-01", periods=n)),
    "duration": lambda rng, n: pd.Series(pd.to_timedelta(np.arange(n), unit="s")),
    "period": lambda rng, n: pd.Series(pd.period_range("2024-01", periods=n)),
    "zoned": lambda rng, n: pd.Series(pd.date_range("2024-01-01", periods=n, tz="UTC")),
    "object date": lambda rng, n: pd.Series([datetime.date(2024, 1, 1)] * n, dtype=object),
    "complex": lambda rng, n: pd.Series(rng.normal(size=n) + 1j),
    "lists": lambda rng, n: pd.Series([[1]] * n, dtype=object),
    "beyond float": lambda rng, n: pd.Series([10**400] * n, dtype=object),
}

# Targets


def labels(kind, rng, n):
    names = {
        "two": [0, 1],
        "three": ["a", "b", "c"],
        "one": ["only"],
        "bool": [False, True],
        "floats": [-1.0, 3.0],
        "far": [-(2**62), 2**62],
        "uint64": [2**63, 2**64 - 1],
    }.get(kind)
    if kind == "all differ":
        return np.arange(n) % 150
    chosen = np.array(names, dtype=np.uint64 if kind == "uint64" else None)
    return chosen[rng.integers(0, len(names), n)]


CLASSES = ("two", "three", "one", "bool", "floats", "far", "uint64", "all differ")
NUMBERS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "constant": lambda rng, n: np.full(n, 0.1),
    "zero": lambda rng, n: np.zeros(n),
    "far off": lambda rng, n: 1e15 + rng.integers(0, 3, n),
    "tiny": lambda rng, n: rng.integers(0, 3, n) * 1e-200,
    "denormal": lambda rng, n: rng.integers(0, 3, n) * 5e-324,
    "huge": lambda rng, n: rng.uniform(-1e60, 1e60, n),
    "int": lambda rng, n: rng.integers(0, 5, n),
}
WEIGHTS = {
    "none": lambda rng, n: None,
    "ones": lambda rng, n: np.ones(n),
    "whole": lambda rng, n: rng.integers(0, 4, n) + (np.arange(n) == 0),
    "fractions": lambda rng, n: rng.random(n) + 1e-3,
    "tiny": lambda rng, n: rng.random(n) * 1e-50 + 1e-50,
    "huge": lambda rng, n: rng.random(n) * 1e46,
    "mixed": lambda rng, n: rng.choice([0.0, 5e-324, 1e-300, 1e-9, 1.0, 1e9, 1e40], n) + (np.arange(n) == 0),
    "one case": lambda rng, n: (np.arange(n) == n // 2).astype(float),
}

# Settings

GROWTH_OPTIONS = {
    "max_depth": [1, 3, 30],
    "max_leaves": [2, 3, 7, 100],
    "min_split_weight": [0.0, 0.0, 1e-300, 2.5],
    "min_branch_weight": [0.0, 0.0, 1e-9, 2.0],
    "two_branches": [False, True],
    "order": ["depth", "breadth", "best"],
    "nominal": ["binary", "multiway", "grouped", "value"],
    "missing": ["fractional", "surrogate", "branch", "stay", "majority", "error"],
    "bins": [None, "auto", 2, 16, 254, 255],
    "min_decrease": [0.0, 1e-3],
    "gain_floor": [-1.0, -1e-9, 0.0, 1e-12, 0.1],
    "min_gap": [0.0, 1e-5],
    "cut_at": ["midpoint", "observed"],
    "max_exhaustive": [2, 4, 12],
    "max_surrogates": [0, 1, 5],
    "surrogate_style": [0, 1],
    "use_surrogate": [0, 1, 2],
}
GROWTH = st.fixed_dictionaries(
    {}, optional={name: st.sampled_from(values) for name, values in GROWTH_OPTIONS.items()}
)
COUNTING = st.fixed_dictionaries(
    {},
    optional={
        "confidence": st.sampled_from([0.01, 0.01, 0.95]),
        "bonferroni": st.booleans(),
        "share_rule": st.booleans(),
        "cut_penalty": st.booleans(),
        "slack": st.sampled_from([0.0, 0.001, 10.0]),
    },
)
CUTTING = st.one_of(
    st.builds(
        tw.CostComplexity,
        st.sampled_from([None, 0.0, 0.01, 1e300]),
        cv=st.sampled_from([2, 3, 50]),
        se_rule=st.sampled_from([0.0, 1.0]),
        risk=st.sampled_from(["loss", "impurity"]),
    ),
    st.builds(
        tw.ReducedError, st.sampled_from([1e-9, 1 / 3, 0.9]), order=st.sampled_from(["greedy", "bottom_up"])
    ),
    st.builds(
        tw.CrossValidatedComplexity,
        st.sampled_from([1, 3]),
        order=st.sampled_from(["breadth", "best"]),
        complexity=st.sampled_from(["internal_nodes", "leaves", "nodes"]),
    ),
)
TELLING = st.one_of(
    st.builds(tw.ExpectedLoss, st.sampled_from([None, "laplace", 2.5])),
    st.builds(
        tw.Pessimistic,
        st.sampled_from([1e-9, 0.25, 1.0]),
        subtree_raising=st.booleans(),
        z=st.sampled_from(["table", "exact"]),
        collapse=st.booleans(),
    ),
    st.builds(
        tw.MDL,
        st.sampled_from(["full", "partial", "hybrid", "quinlan_rivest"]),
        test_bits=st.sampled_from(["choices", "sliq"]),
    ),
)


@st.composite
def weighing(draw, criterion):
    """The parameters that a criterion reads."""
    numbers = [None, 0, 1e-300, 1e-9, 0.01, 0.25, 0.5, 1.0, 1e9, 1e300]
    settings = {}
    for name, parameter in PARAMETERS[criterion].items():
        rule = VALUE_OBJECTS[criterion].rules[name]
        known = {"flag": [False, True], "choice": parameter.choices}.get(parameter.kind, numbers)
        fitting = [value for value in known if rule.accepts(value)]
        settings[name] = draw(st.sampled_from(fitting[1:] if parameter.must_be_given else fitting))
    return settings


def priced(costs, columns, upfront, seed):
    """The same error costs with prices of any size, a shared resource and a group."""
    rng = np.random.default_rng(seed)
    names = [f"{j} {kind}" for j, kind in enumerate(columns)]
    grouped = len(names) > 1 and rng.random() < 0.5
    tests = {
        name: tw.Test(
            rng.choice([0.0, 0.0, 1e-300, 1e-6, 0.01, 0.01, 0.25, 1.0, 1e60]),
            needs=["kit"][: rng.integers(2)],
            group="g" if grouped else None,
            after=0.0 if grouped else None,
        )
        for name in names
    }
    payment = "upfront" if upfront else "sequential"
    return costs.replace(tests=tests, shared={"kit": 2.0}, payment=payment)


@dataclass
class Case:
    """A model and what it is to be fitted to; printed by hypothesis when it fails."""

    model: Any
    columns: list[str]
    n_rows: int
    target: str
    weights: str
    seed: int

    def table(self, seed_shift=0, n_rows=None):
        n = n_rows or self.n_rows
        makers = COLUMNS | REFUSED
        return pd.DataFrame(
            {
                f"{j} {kind}": makers[kind](np.random.default_rng([self.seed, j, seed_shift]), n)
                for j, kind in enumerate(self.columns)
            }
        )

    def y(self):
        rng = np.random.default_rng([self.seed, 1000])
        return (
            labels(self.target, rng, self.n_rows)
            if self.target in CLASSES
            else NUMBERS[self.target](rng, self.n_rows)
        )

    def sample_weight(self):
        return WEIGHTS[self.weights](np.random.default_rng([self.seed, 2000]), self.n_rows)


@st.composite
def cases(draw, columns=tuple(COLUMNS), classes=None, sizes=(130, 40, 1100, 300, 1, 2, 3, 5, 12)):
    classes = draw(st.booleans()) if classes is None else classes
    chosen = draw(st.lists(st.sampled_from(columns), min_size=1, max_size=5))
    n_rows = draw(st.sampled_from(sizes))
    growth = draw(GROWTH)
    model = {"n_jobs": draw(st.sampled_from([None, 2])), "random_state": 0}
    seed = draw(st.integers(0, 2**32 - 1))
    case = Case(None, chosen, n_rows, "", draw(st.sampled_from(tuple(WEIGHTS))), seed)
    if classes:
        plain = ["gini", "entropy", "gain_ratio", "gini-loss", "lsid3"]
        criterion = draw(st.sampled_from([*plain, *PRICED, *PRICED]))
        own = draw(weighing(criterion))
        if FACTS[criterion].samples:
            own["look_ahead"] = tw.LookAhead(draw(st.integers(0, 2)))
        growth |= draw(COUNTING)
        if FACTS[criterion].averages_gain:
            growth["average_gain"] = draw(st.booleans())
        case.target = draw(st.sampled_from(CLASSES))
        names = np.unique(case.y()).tolist()
        errors = draw(st.sampled_from([None, None, "matrix", "default", "benefits"]))
        if errors == "matrix":
            matrix = np.random.default_rng(seed).choice([0.0, 1.0, 1e-9, 1e9], (len(names), len(names)))
            matrix[0, -1] += 1.0 if len(names) > 1 and (matrix == matrix[:, :1]).all() else 0.0
            model["costs"] = tw.Costs(errors=matrix)
        elif errors == "benefits":
            model["costs"] = tw.Costs(errors=np.where(np.eye(len(names)) > 0, -5.0, 1.0))
        elif errors == "default":
            model["costs"] = tw.Costs(errors={}, errors_default=2.0)
        if criterion in PRICED:
            if not FACTS[criterion].samples:  # which judge whole trees, in which a test is paid once
                model["cost_reuse"] = draw(st.sampled_from(["effective", "list"]))
            model["costs"] = priced(model.get("costs", tw.Costs()), chosen, draw(st.booleans()), seed)
        if FACTS[criterion].two_outcomes and growth.get("nominal") in ("multiway", "grouped"):
            growth["nominal"] = "value"
        if draw(st.booleans()):
            model["priors"] = dict(
                zip(names, np.random.default_rng(seed).random(len(names)) + 1e-6, strict=True)
            )
        if not FACTS[criterion].asks_errors:
            model["loss_in_growth"] = draw(st.sampled_from([None, "altered_priors", "instance_weights"]))
        if not (criterion in PRICED and PRICED[criterion].in_money):
            model["answer"] = draw(st.sampled_from(["cheapest", "most_likely"]))
        model["smoothing"] = draw(st.sampled_from([None, None, "laplace", 1e-9, 5, 1e300]))
        model["pruning"] = draw(st.one_of(st.none(), TELLING, CUTTING))
        kind = tw.CostTreeClassifier
    else:
        criterion, own = draw(st.sampled_from(["squared_error", "absolute_error"])), {}
        case.target = draw(st.sampled_from(tuple(NUMBERS)))
        model["pruning"] = draw(st.one_of(st.none(), CUTTING))
        kind = tw.CostTreeRegressor
    case.model = kind(chosen_criterion(criterion, **own), growth=tw.Growth(**growth), **model)
    return case
