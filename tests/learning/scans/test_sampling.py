"""`ThriftClassifier.fit_scan`: a sample chooses the tests, and the leaves count all cases."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thriftwood as tw
from thriftwood import _core
from thriftwood.learning.scans.sampling import places_of

COSTS = tw.Costs({"a": 1, "b": 1, "kind": 2}, errors={"yes": {"no": 40}, "no": {"yes": 30}})


def table(n, seed=0):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=n), rng.normal(size=n)
    kind = rng.integers(0, 3, n)
    y = np.where((a > 0) ^ (rng.random(n) < 0.05), "yes", "no")
    kinds = pa.array([f"k{k}" for k in kind])
    return pa.table({"a": a, "b": np.where(rng.random(n) < 0.1, np.nan, b), "kind": kinds, "y": y})


def test_a_table_that_fits_into_the_sample_is_learnt_from_as_in_memory(tmp_path):
    cases = table(400)
    there = tw.ThriftClassifier(COSTS, leaves="class").fit_scan(tw.scan(cases, target="y"))
    here = tw.ThriftClassifier(COSTS, leaves="class").fit(cases.drop(["y"]), np.array(cases["y"].to_pylist()))
    assert there.choice_ == here.choice_
    assert there.tree_ == here.tree_


@pytest.mark.parametrize("weighted", [False, True])
def test_leaves_count_all_cases_and_answer_by_them(weighted):
    cases = table(6000)
    weights = np.where(np.arange(6000) % 10 == 0, 0.0, 1.0 + np.arange(6000) % 3)
    cases = cases.append_column("w", pa.array(weights))
    scan = tw.scan(cases, target="y", weight="w" if weighted else None, leave_out=[] if weighted else ["w"])
    told = []
    model = tw.ThriftClassifier(COSTS, leaves="class")
    model.fit_scan(scan, memory="1MB", progress=lambda done, total: told.append((done, total)))
    counted = weights > 0 if weighted else np.ones(6000, bool)
    assert f"of {counted.sum():,} cases; its leaves count all." in model.choice_
    assert told.count((6000, 6000)) == 3
    X, y = cases.select(["a", "b", "kind"]), np.array(cases["y"].to_pylist())
    nodes = model.apply(X)
    core = model.tree_.core
    for leaf in np.unique(nodes):
        own = (nodes == leaf) & counted
        for place, name in enumerate(model.classes_):
            wanted = weights[own & (y == name)].sum() if weighted else (own & (y == name)).sum()
            assert core.values[leaf][place] == wanted
    assert core.weight[0] == (weights.sum() if weighted else 6000)
    assert model.score(X, y) > 0.9


def test_scores_say_what_they_were_learnt_from():
    cases = table(6000)
    model = tw.ThriftClassifier(COSTS, leaves="score").fit_scan(tw.scan(cases, target="y"), memory="1MB")
    assert "were not looked at" in model.choice_
    assert model.score(cases.drop(["y"]), np.array(cases["y"].to_pylist())) > 0.9


def test_a_file_that_changes_meanwhile_is_named(tmp_path):
    path, calls = tmp_path / "cases.parquet", []
    pq.write_table(table(300), path)

    def change(done, total):
        calls.append(done)
        if len(calls) == 1:
            pq.write_table(table(300, seed=1), path)

    with pytest.raises(ValueError, match=r"cases\.parquet changed while it was learnt from"):
        tw.ThriftClassifier(COSTS, leaves="class").fit_scan(tw.scan(path, target="y"), progress=change)


def appended_while_trees_are_judged(tmp_path, memory):
    path = tmp_path / "cases.csv"
    table(2000).to_pandas().to_csv(path, index=False)

    def append(done, total):
        if done == 1:
            with path.open("a") as file:
                file.write("0.5,0.5,k1,yes\n")

    model = tw.ThriftClassifier(COSTS, leaves="class", progress=append)
    return model.fit_scan(tw.scan(path, target="y"), memory=memory)


def test_what_is_appended_after_the_last_pass_does_no_harm(tmp_path):
    model = appended_while_trees_are_judged(tmp_path, "2GB")  # the sample is the table: two passes
    assert model.tree_.core.weight[0] == 2000


def test_what_is_appended_before_the_last_pass_is_told(tmp_path):
    with pytest.raises(ValueError, match=r"cases\.csv changed while it was learnt from"):
        appended_while_trees_are_judged(tmp_path, "1MB")


def test_a_cache_is_refused():
    with pytest.raises(ValueError, match="writes no codes"):
        tw.ThriftClassifier().fit_scan(tw.scan(table(50), target="y"), cache="codes")


@given(
    counts=st.lists(st.integers(1, 3000), min_size=1, max_size=6),
    most=st.integers(1, 500),
    seed=st.integers(0, 100),
)
def test_every_class_has_its_share_and_at_least_one(counts, most, seed):
    drawn = places_of(counts, most, seed)
    for n, places in zip(counts, drawn, strict=True):
        assert len(places) == len(set(places.tolist())) >= 1
        assert 0 <= places.min() <= places.max() < n
        share = n if sum(counts) <= most else most * n / sum(counts)
        assert abs(len(places) - share) <= 1


def test_a_fit_that_fails_leaves_the_model_as_it_was():
    model = tw.ThriftClassifier(leaves="class").fit(pd.DataFrame({"a": [1.0, 2.0]}), ["no", "yes"])
    before = model.tree_

    def fail(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        model.fit_scan(tw.scan(table(300), target="y"), progress=fail)
    assert model.tree_ is before


@pytest.mark.parametrize("smoothing", [None, _core.Smoothing(laplace=True), _core.Smoothing(m=7.0)])
@pytest.mark.parametrize("weighted", [False, True])
def test_counts_at_endings_give_the_tree_that_cases_give(smoothing, weighted):
    cases = table(500)
    X, y = cases.drop(["y"]), np.array(cases["y"].to_pylist())
    model = tw.CostTreeClassifier(growth=tw.Growth(missing="stay", max_depth=4)).fit(X[:200], y[:200])
    prepared = tw.CostTreeClassifier().prepare(X, y, None)
    problem, core = prepared.problem, model.tree_.core
    weights = np.arange(500) % 4 * 1.0 if weighted else None
    loss = np.array([[0.0, 3.0], [8.0, 0.0]])
    wanted = _core.recount(
        core, problem.table, problem.labels, loss[problem.labels], loss, weights, smoothing
    )
    ended = np.zeros((core.n_nodes, 2))
    np.add.at(ended, (core.apply(problem.table), problem.labels), 1.0 if weights is None else weights)
    found = _core.recount_ended(core, ended, loss, smoothing, 0 if weights is None else 375)
    for name in ("values", "weight", "label", "risk", "gain", "impurity", "smoothing", "loss"):
        wanted_array, own = wanted.to_arrays()[name], found.to_arrays()[name]
        np.testing.assert_allclose(own, wanted_array, rtol=1e-12, err_msg=name)
    assert found.to_arrays().get("cases") == wanted.to_arrays().get("cases")
    with pytest.raises(ValueError, match="a number for every class at every node"):
        _core.recount_ended(core, ended[1:], loss)
    with pytest.raises(ValueError, match="finite and not negative"):
        _core.recount_ended(core, -1 - ended, loss)
