"""Edges of scans: weights of 1, columns given by their places, very large tables, an interrupted exchange."""

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from learning.scans.scanned_tables import FEATURES, fitted, mixed_table, saved

import thriftwood as tw
from thriftwood.learning.scans import cache, counted
from thriftwood.learning.scans.coding import Coder
from thriftwood.learning.scans.fitting import bytes_of, limits_of
from thriftwood.learning.scans.survey import survey


@pytest.mark.parametrize("node", [0, 10_000])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_weights_of_1_and_priors_that_are_the_shares_leave_cases_whole(
    tmp_path, monkeypatch, criterion, classes, node
):
    """In memory, too: gains from whole cases have other last digits than gains from weights."""
    limits = counted.Limits(node, max(node, 60), 20_000)
    monkeypatch.setattr(counted.Limits, "of", classmethod(lambda cls, *args: limits))
    table = mixed_table(2, 600, classes=classes).set_column(4, "w", pa.array(np.ones(600)))
    shares = {name.as_py(): table["y"].to_pylist().count(name.as_py()) for name in table["y"].unique()}
    growth = tw.Growth(bins=40, missing="branch", max_depth=5)
    for priors in (None, shares):
        model = tw.CostTreeClassifier(criterion, growth=growth, priors=priors)
        plain = saved(model.fit_scan(tw.scan(table, target="y", leave_out=["w"])), tmp_path)
        assert plain == saved(fitted(model, table, weighted=False), tmp_path)
        ones = saved(model.fit_scan(tw.scan(table, target="y", weight="w")), tmp_path)
        assert ones == saved(fitted(model, table, weighted=True), tmp_path) == plain


def test_a_cache_tells_a_position_from_a_name(tmp_path):
    rng = np.random.default_rng(0)
    columns = {"1": rng.integers(0, 4, 200), "0": rng.integers(0, 4, 200), "y": rng.integers(0, 2, 200)}
    pd.DataFrame(columns).to_parquet(tmp_path / "t.parquet")
    scan = tw.scan(tmp_path / "t.parquet", target="y")
    for nominal, names in (([0], ["1"]), (["0"], ["0"]), (np.array(["0", "1"]), ["1", "0"])):
        model = tw.CostTreeClassifier(nominal_features=nominal).fit_scan(scan, cache=tmp_path / "cache")
        encoder = model.tree_.encoder
        assert [encoder.columns[j].name for j in range(2) if encoder.columns[j].kind == "nominal"] == names
    with pytest.raises(ValueError, match="a list of column names or positions"):
        tw.CostTreeClassifier(nominal_features=3).fit_scan(scan, cache=tmp_path / "cache")


def test_a_batch_without_a_value_changes_nothing(tmp_path, monkeypatch):
    """A frame's column of objects has no type, and its first rows may all be missing."""
    monkeypatch.setattr("thriftwood.datasets.scans.engines.rows_in_batch", lambda columns: 50)
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"text": rng.choice(["a", "b", "c"], 300), "number": rng.normal(size=300).round(1)})
    table = table.astype(object)
    table.iloc[:120] = None
    y = np.where((table["text"] == "a") | (table["number"] > 1), "yes", "no")
    model = tw.CostTreeClassifier(growth=tw.Growth(bins=40, missing="branch"))
    there = saved(model.fit_scan(tw.scan(table.assign(y=y), target="y")), tmp_path)
    assert there == saved(model.fit(table, y), tmp_path)


def test_a_pass_counts_no_more_than_the_core_can_number():
    limits = counted.Limits.of(bytes_of("1TB"), 10**11, 32, [512] * 30, None, True)
    assert 2**31 < limits.counted_cells < 2**32


@pytest.mark.parametrize(
    ("gaps", "missing", "whole"), [(0, "branch", 0), (0.1, "stay", 0), (0.1, "branch", 1)]
)
def test_small_nodes_are_copied_where_a_test_has_three_branches(gaps, missing, whole):
    """A flat tree is counted to its leaves; with a branch of missing values there may be 3^depth of them."""
    model = tw.CostTreeClassifier(growth=tw.Growth(bins=255, missing=missing, max_depth=6))
    scan = tw.scan(mixed_table(1, 20_000, missing=gaps).select(["number", "single", "y"]), target="y")
    found = survey(
        scan, model.owner, None, regression=False, cut=lambda sample: np.unique(np.quantile(sample, 0.5))
    )
    assert (found.first_missing is not None) == bool(gaps)
    assert (limits_of(model, Coder(found), 10**6).gathered_node > 0) == bool(whole)


def test_ctrl_c_while_codes_are_exchanged_leaves_nothing_behind(tmp_path, monkeypatch):
    pq.write_table(mixed_table(1, 200), tmp_path / "t.parquet")
    model = tw.CostTreeClassifier(growth=tw.Growth(missing="branch"))
    place = tmp_path / "cache"

    def learn():
        model.fit_scan(tw.scan(tmp_path / "t.parquet", target="y", leave_out=["w"]), cache=place)

    learn()
    (next(place.iterdir()) / "codes").write_bytes(b"damaged")
    rename = Path.rename

    def interrupted(self, target):
        rename(self, target)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", interrupted)
        with pytest.raises(KeyboardInterrupt):
            learn()
    assert list(place.iterdir()) == []
    learn()
    assert [folder.suffix for folder in place.iterdir()] == [cache.ENDING]
    assert model.predict(mixed_table(1, 200).select(FEATURES)).size == 200
