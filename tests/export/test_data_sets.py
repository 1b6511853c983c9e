"""Exported trees of the published tables decide and buy as the library does."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from export import test_cascade_plan as cards
from export.random_cases import random_prices
from export.running import (
    assert_same,
    assert_same_onnx,
    by_c,
    by_library,
    by_onnx,
    by_python,
    by_sql,
    needs_gcc,
    rows_of,
)

import thriftwood as tw
from thriftwood.datasets.folder import ROLES, describe_folder

pytestmark = pytest.mark.filterwarnings("ignore:.* as names of cases have")

FOLDER = Path(os.environ.get("THRIFTWOOD_DATA") or "no such folder")
ENTRIES = describe_folder(FOLDER) if FOLDER.is_dir() else {}
SETS = sorted(ENTRIES)
GROWTHS = {
    "fractional": tw.Growth(nominal="multiway", max_depth=6),
    "surrogate": tw.Growth(nominal="binary", missing="surrogate", max_depth=6),
    "branch": tw.Growth(nominal="multiway", missing="branch", max_depth=6),
    "grouped": tw.Growth(nominal="grouped", max_depth=6),
    "majority": tw.Growth(nominal="binary", missing="majority", max_depth=6),
}


def read(name, n_rows=800):
    """The first rows of a table, which is enough here, and its target."""
    entry = ENTRIES[name]
    nominal = {c["name"]: str for c in entry["columns"] if c["type"] == "nominal"}
    frame = pd.read_csv(
        FOLDER / entry["file"], keep_default_na=False, na_values=[""], dtype=nominal, nrows=n_rows
    )
    apart = [c["name"] for c in entry["columns"] if c.get("role") in ROLES]
    target = entry.get("target", "class")
    frame = frame.dropna(subset=[target])
    return frame.drop(columns=[*apart, target]), frame[target].astype(str)


@pytest.mark.skipif(not SETS, reason="THRIFTWOOD_DATA is not set: the published data are not here")
@needs_gcc
@pytest.mark.parametrize("name", SETS)
def test_exports_decide_as_the_library_on(name):
    X, y = read(name)
    place = SETS.index(name)
    rng = np.random.default_rng(place)
    # some of the values that are there are made missing, and a quarter of the nominal ones of a row unknown
    shown = X.sample(30, random_state=place).astype(object)
    shown = shown.mask(rng.random(shown.shape) < 0.1, None)
    names = X.select_dtypes(exclude="number").columns
    shown.iloc[0, [X.columns.get_loc(name) for name in names[::4]]] = "never seen before"
    for number, (kind, growth) in enumerate(GROWTHS.items()):
        if (place + number) % 5 >= 2:
            continue  # two kinds of trees for each table, every kind for some tables
        costs = random_prices(rng, list(X.columns))
        tree = tw.CostTreeClassifier(costs=costs, growth=growth).fit(X, y).tree_
        wanted, rows = by_library(tree, shown), rows_of(shown)
        assert_same(by_python(tree, rows), wanted, tree)
        if (place + number) % 5 == 0:
            assert_same(by_c(tree, rows), wanted, tree)
            assert_same(by_sql(tree, shown), wanted, tree)
        if kind in ("branch", "majority"):
            assert_same_onnx(by_onnx(tree, shown), tree, shown)
        elif tree.n_nodes > 1:
            with pytest.raises(ValueError, match="which ONNX has no form for"):
                by_onnx(tree, shown)


@pytest.mark.skipif(not SETS, reason="THRIFTWOOD_DATA is not set: the published data are not here")
@needs_gcc
@pytest.mark.parametrize("name", SETS[::4])
def test_exported_score_cards_decide_as_the_library_on(name):
    X, y = read(name, 300)
    place = SETS.index(name)
    rng = np.random.default_rng(place)
    shown = X.sample(30, random_state=place).astype(object)
    shown = shown.mask(rng.random(shown.shape) < 0.1, None)
    costs = random_prices(rng, list(X.columns), payment="sequential").replace(errors_default=100)
    cascade = tw.ThriftClassifier(costs, leaves="score").fit(X, y).cascade_
    for by in (cards.by_python, cards.by_c, cards.by_sql):
        cards.assert_same(by(cascade, shown), cascade, shown)
