"""All ensembles with few models, and tables for them."""

import numpy as np
import pandas as pd

import thriftwood as tw

TWO_CLASSES = {
    "metacost": {"n_estimators": 5},
    "adacost": {},
    "csb0": {},
    "csb1": {},
    "csb2": {},
    "asymboost": {},
    "lp-csb": {},
    "b-pet": {"n_estimators": 5},
    "b-lot": {"n_estimators": 3},
    "costing": {"n_estimators": 4},
}
MANY_CLASSES = {
    name: TWO_CLASSES[name] for name in ("metacost", "csb0", "csb1", "csb2", "lp-csb", "b-pet", "b-lot")
}


def made(name, costs, **settings):
    return tw.algorithm(name, costs=costs, **({"random_state": 0} | TWO_CLASSES[name] | settings))


def mixed_table(n_rows=120, n_classes=2, seed=0, noise=1.0):
    """Numbers and categories with missing values; the first two columns tell about the class."""
    rng = np.random.RandomState(seed)
    age, kind = rng.normal(50, 10, n_rows), rng.choice(["a", "b", "c"], n_rows)
    score = age / 10 + (kind == "a") * 2 + rng.normal(0, noise, n_rows)
    y = np.digitize(score, np.quantile(score, np.arange(1, n_classes) / n_classes))
    X = pd.DataFrame({"age": age, "kind": kind, "noise": rng.normal(0, 1, n_rows)})
    X.loc[rng.random_sample(n_rows) < 0.1, "age"] = np.nan
    X.loc[rng.random_sample(n_rows) < 0.1, "kind"] = None
    return X, np.array(["well", "ill", "dying"])[y]
