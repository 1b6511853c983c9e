"""Trees from Dask collections are those of the same rows in memory, however divided, whoever is killed."""

import os
import signal
import threading
import time
import warnings

import numpy as np
import pandas as pd
import pytest

dd = pytest.importorskip("dask.dataframe", reason="Dask is not installed")
da = pytest.importorskip("dask.array")
dask = pytest.importorskip("dask")

from hypothesis import Phase, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

import thriftwood as tw  # noqa: E402
from benchmarks.scale import killed  # noqa: E402
from thriftwood.dask import DaskCostTreeClassifier, DaskCostTreeRegressor, fit_dask  # noqa: E402
from thriftwood.dask import counting as dask_counting  # noqa: E402
from thriftwood.learning.scans.counted import Limits  # noqa: E402

FEATURES = ["number", "text", "small"]
COSTS = tw.Costs({"number": 3, "text": 1, "small": 2})
ERRORS = {"no": {"yes": 5, "maybe": 2}, "yes": {"no": 1, "maybe": 3}, "maybe": {"no": 1, "yes": 1}}
LOOK_AHEAD = {"lasc", "lsid3", "act"}
GIVEN = {
    "mitchell": tw.Mitchell(gamma=0.01),
    "csgain": tw.CsGain(gamma=0.01),
    "csgain-ratio": tw.CsGainRatio(gamma=0.01),
}
CRITERIA = [GIVEN.get(name, name) for name in tw.CostTreeClassifier.criteria.values if name not in LOOK_AHEAD]


def cases(seed, n, categories=5):
    rng = np.random.default_rng(seed)
    number, text = rng.normal(size=n), rng.integers(0, categories, n)
    signal_ = (number > 0.2).astype(int) + (text % 2) + (rng.random(n) < 0.2)
    return pd.DataFrame(
        {
            "number": np.where(rng.random(n) < 0.1, np.nan, number),
            "text": pd.Series([f"v{k}" for k in text], dtype=object),
            "small": rng.integers(0, 4, n),
            "w": rng.random(n) + 0.1,
            "y": np.array(["no", "yes", "maybe"])[np.minimum(signal_, 2)],
        }
    )


def divided(frame, sizes):
    """A collection whose partitions have these sizes."""
    ends = np.cumsum(sizes)
    parts = [frame.iloc[end - size : end] for end, size in zip(ends, sizes, strict=True)]
    return dd.from_delayed(
        [dask.delayed(lambda part: part)(part) for part in parts], meta=frame.iloc[:0], verify_meta=False
    )


def saved(model, folder):
    path = folder / "model.json"
    model.save(path)
    return path.read_bytes()


@pytest.fixture(autouse=True)
def alone():
    with dask.config.set(scheduler="sync", num_workers=4), warnings.catch_warnings():
        warnings.filterwarnings("ignore", module="dask|distributed")
        yield


def counting(patch, node=20):
    limits = Limits(node, max(node, 100), 10**6)
    patch.setattr(Limits, "of", classmethod(lambda cls, *args: limits))


@pytest.mark.parametrize("sizes", [[700], [1, 699], [0, 350, 0, 349, 1], [100] * 7, [11] * 63 + [7]], ids=len)
def test_partitions_do_not_change_the_tree(tmp_path, monkeypatch, sizes):
    counting(monkeypatch)
    frame = cases(1, 700, categories=300)
    table = divided(frame, sizes)
    growth = tw.Growth(bins=50, missing="branch", max_depth=6, many_categories=None)
    for model in (
        tw.CostTreeClassifier("entropy", growth=growth),
        tw.CostTreeClassifier(tw.CsGain(gamma=0.01), costs=COSTS.replace(payment="upfront"), growth=growth),
    ):
        there = saved(fit_dask(model, table[FEATURES], table["y"]), tmp_path)
        assert there == saved(model.fit(frame[FEATURES], frame["y"]), tmp_path)


@settings(max_examples=8, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(
    seed=st.integers(0, 1000),
    cuts=st.lists(st.integers(0, 150), max_size=6),
    payment=st.sampled_from(["sequential", "upfront"]),
    criterion=st.sampled_from(["gini", "entropy", "eg2"]),
    node=st.sampled_from([0, 1000]),
)
def test_weights_do_not_depend_on_partitions(tmp_path_factory, seed, cuts, payment, criterion, node):
    folder = tmp_path_factory.mktemp("dask")
    frame = cases(seed, 150)
    ends = [0, *sorted(cuts), 150]
    table = divided(frame, np.diff(ends).tolist())
    model = tw.CostTreeClassifier(
        criterion, costs=COSTS.replace(payment=payment), growth=tw.Growth(bins=20, missing="branch")
    )
    with pytest.MonkeyPatch.context() as patch:
        counting(patch, node)
        there = saved(fit_dask(model, table[FEATURES], table["y"], table["w"]), folder)
    here = model.fit(frame[FEATURES], frame["y"], sample_weight=frame["w"].to_numpy())
    assert there == saved(here, folder)


@pytest.mark.parametrize("node", [0, 1000])
def test_weights_of_1_leave_cases_whole(tmp_path, monkeypatch, node):
    counting(monkeypatch, node)
    frame = cases(1, 300).assign(w=1.0)
    table = divided(frame, [0, 100, 1, 199])
    model = tw.CostTreeClassifier(growth=tw.Growth(bins=20, missing="branch"))
    there = saved(fit_dask(model, table[FEATURES], table["y"] != "no", table["w"]), tmp_path)
    y = frame["y"].to_numpy() != "no"
    assert there == saved(model.fit(frame[FEATURES], y, sample_weight=frame["w"]), tmp_path)


def sizes_of(n, partitions, skewed):
    """The sizes of so many partitions; skewed: one is empty, one has a row, one nearly all."""
    if skewed and partitions > 2:
        small = [1, 0, *[2] * (partitions - 3)]
        return [*small, n - sum(small)]
    return np.diff(np.linspace(0, n, partitions + 1).astype(int)).tolist()


@pytest.mark.filterwarnings("ignore::thriftwood.table.case_names.CaseNamesWarning")
@settings(max_examples=12, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(
    seed=st.integers(0, 1000),
    partitions=st.sampled_from([1, 2, 7, 64]),
    skewed=st.booleans(),
    by_class=st.booleans(),
    weighted=st.booleans(),
    payment=st.sampled_from(["sequential", "upfront"]),
    criterion=st.sampled_from(CRITERIA),
    node=st.sampled_from([0, 50]),
)
def test_every_criterion_gives_the_tree_in_memory(
    tmp_path_factory, seed, partitions, skewed, by_class, weighted, payment, criterion, node
):
    folder = tmp_path_factory.mktemp("dask")
    frame = cases(seed, 300, categories=1000)  # most categories are in one partition alone
    if by_class:  # most partitions lack a class
        frame = frame.sort_values("y", kind="stable")
    table = divided(frame, sizes_of(300, partitions, skewed))
    costs = COSTS.replace(payment=payment, errors=ERRORS)
    growth = tw.Growth(bins=20, missing="branch", max_depth=5, many_categories=None)
    model = tw.CostTreeClassifier(criterion, costs=costs, growth=growth)
    with pytest.MonkeyPatch.context() as patch:
        counting(patch, node)
        there = saved(fit_dask(model, table[FEATURES], table["y"], table["w"] if weighted else None), folder)
    weights = frame["w"].to_numpy() if weighted else None
    here = model.fit(frame[FEATURES], frame["y"], sample_weight=weights)
    assert there == saved(here, folder)


def test_answers_are_lazy_and_those_of_the_local_model():
    frame = cases(2, 300)
    table = divided(frame, [100, 0, 200])
    model = DaskCostTreeClassifier(growth=tw.Growth(bins=50, missing="branch")).fit(
        table[FEATURES], table["y"]
    )
    lazy = model.predict(table[FEATURES])
    assert dask.is_dask_collection(lazy)
    local = model.to_local()
    assert type(local) is tw.CostTreeClassifier
    assert lazy.compute().tolist() == local.predict(frame[FEATURES]).tolist()
    shares = model.predict_proba(table[FEATURES]).compute()
    np.testing.assert_array_equal(shares, local.predict_proba(frame[FEATURES]))
    assert list(shares.columns) == [0, 1, 2]
    # A table in memory is answered at once.
    assert model.predict(frame[FEATURES]).tolist() == lazy.compute().tolist()
    np.testing.assert_array_equal(model.predict_proba(frame[FEATURES]), shares)


@pytest.mark.parametrize("known", [True, False])
def test_bills_are_lazy_and_those_of_the_local_model(known):
    frame = cases(2, 300)
    table = divided(frame, [100, 0, 20, *[18] * 10])
    costs = COSTS.replace(errors={"no": {"yes": 5, "maybe": 9}, "yes": {"no": 7}}, errors_default=3)
    model = DaskCostTreeClassifier(costs=costs, growth=tw.Growth(bins=50, missing="branch"))
    model.fit(table[FEATURES], table["y"])
    lazy = model.bill(table[FEATURES], table["y"] if known else None)
    assert dask.is_dask_collection(lazy)
    there = lazy.compute()
    here = tw.bill(model.to_local(), frame[FEATURES], frame["y"] if known else None)
    assert there.n_cases == here.n_cases == 300
    assert there.mean_test_cost == pytest.approx(here.mean_test_cost, rel=1e-12)
    assert there.mean_cost == (pytest.approx(here.mean_cost, rel=1e-12) if known else None)
    with pytest.raises(ValueError, match="must have the same partitions"):
        model.bill(table[FEATURES], divided(frame, [300])["y"])
    with pytest.raises(ValueError, match="nothing to bill"):
        model.bill(divided(frame, [0])[FEATURES]).compute()


def test_shuffled_rows_give_the_tree_of_the_shuffled_rows(tmp_path, monkeypatch):
    counting(monkeypatch)
    frame = cases(3, 4000, categories=1000).sample(frac=1.0, random_state=0)
    growth = tw.Growth(bins=50, missing="branch", max_depth=6, many_categories=None)
    model = tw.CostTreeClassifier("gini", growth=growth)
    table = divided(frame.sort_values("y", kind="stable"), [3900, 90, 10])  # a class is in the last alone
    there = saved(fit_dask(model, table[FEATURES], table["y"]), tmp_path)
    ordered = frame.sort_values("y", kind="stable")
    assert there == saved(model.fit(ordered[FEATURES], ordered["y"]), tmp_path)


def test_arrays_and_numbers():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 3)), rng.normal(size=300)
    model = DaskCostTreeRegressor(growth=tw.Growth(bins=30, max_depth=3))
    rows = da.from_array(X, chunks=(70, 2))
    model.fit(rows, da.from_array(y, chunks=70))
    here = tw.CostTreeRegressor(growth=tw.Growth(bins=30, max_depth=3)).fit(X, y)
    np.testing.assert_array_equal(model.predict(rows).compute(), here.predict(X))


@pytest.mark.parametrize("sizes", [[700], [0, 350, 0, 349, 1], [100] * 7, [11] * 63 + [7]], ids=len)
@pytest.mark.parametrize("weighted", [False, True])
def test_partitions_do_not_change_regression_trees(tmp_path, monkeypatch, sizes, weighted):
    counting(monkeypatch)
    frame = cases(6, 700, categories=300)
    frame["y"] = frame["number"].fillna(2.0) ** 2 + frame["small"] + np.random.default_rng(0).normal(size=700)
    table = divided(frame, sizes)
    growth = tw.Growth(bins=50, missing="branch", max_depth=6, many_categories=None)
    model = DaskCostTreeRegressor(costs=COSTS.replace(payment="upfront"), growth=growth)
    there = saved(
        model.fit(table[FEATURES], table["y"], table["w"] if weighted else None).to_local(), tmp_path
    )
    weights = frame["w"].to_numpy() if weighted else None
    here = tw.CostTreeRegressor(costs=COSTS.replace(payment="upfront"), growth=growth)
    assert there == saved(here.fit(frame[FEATURES], frame["y"].to_numpy(), sample_weight=weights), tmp_path)


def test_what_a_worker_raises_arrives_with_its_words():
    frame = cases(2, 100)
    table = divided(frame, [50, 50])
    wrong = table["y"].map_partitions(lambda part: part.where(part.index != 70), meta=("y", object))
    with pytest.raises(ValueError, match="has no value in row"):
        fit_dask(tw.CostTreeClassifier(growth=tw.Growth(missing="branch")), table[FEATURES], wrong)
    with pytest.raises(ValueError, match="must have the same partitions"):
        fit_dask(tw.CostTreeClassifier(), table[FEATURES], divided(frame, [100])["y"])
    with pytest.raises(TypeError, match="X must be a Dask DataFrame"):
        fit_dask(tw.CostTreeClassifier(), frame[FEATURES], table["y"])


def test_messages_name_the_collection_and_the_row_of_the_table():
    model = tw.CostTreeClassifier(growth=tw.Growth(missing="branch"))
    frame = cases(2, 100)
    table = divided(frame, [50, 50])
    for column, wrong_value, words in (
        ("y", None, r"Column 'y' has no value in row 70"),
        ("w", -1.0, r"Column 'sample_weight' holds weights.* Got -1.0 in row 70"),
        ("number", np.inf, r"column 'number' has inf in row 70"),
    ):
        wrong = frame.copy()
        wrong.loc[70, column] = wrong_value
        table = divided(wrong, [50, 50])
        with pytest.raises(ValueError, match=words):
            fit_dask(model, table[FEATURES], table["y"], table["w"])
    with pytest.raises(ValueError, match=r"y must have one column, and has 2\."):
        fit_dask(model, table[FEATURES], table[["w", "y"]])
    with pytest.raises(ValueError, match="Expected 2D array, got 1D array"):
        fit_dask(model, da.arange(100, chunks=50), da.arange(100, chunks=50) % 2)


@pytest.mark.parametrize("names", [[7, 8, 9], ["y", "sample_weight", "small"]], ids=str)
def test_names_of_columns_are_taken_as_in_memory(tmp_path, names):
    frame = cases(3, 200)
    X = frame[FEATURES].set_axis(names, axis=1)
    model = tw.CostTreeClassifier(growth=tw.Growth(bins=20, missing="branch", max_depth=4))
    there = saved(
        fit_dask(model, dd.from_pandas(X, npartitions=3), dd.from_pandas(frame["y"], npartitions=3)), tmp_path
    )
    assert there == saved(model.fit(X, frame["y"]), tmp_path)


def test_partitions_without_a_value_and_with_other_types_of_numbers_change_nothing(tmp_path):
    frame = cases(5, 200).sort_values("text", na_position="first")
    frame["text"] = frame["text"].where(frame["text"] > "v1", None)
    y = frame["number"].to_numpy() > 0
    parts = [frame[begin : begin + 40].assign(y=y[begin : begin + 40]) for begin in range(0, 200, 40)]
    parts[0]["y"] = parts[0]["y"].astype(float)
    with dask.config.set({"dataframe.convert-string": False}):  # a column of objects has no type
        table = dd.from_delayed(
            [dask.delayed(part) for part in parts], meta=parts[0].iloc[:0], verify_meta=False
        )
        model = tw.CostTreeClassifier(growth=tw.Growth(bins=20, missing="branch", max_depth=4))
        there = saved(fit_dask(model, table[FEATURES], table["y"]), tmp_path)
    assert there == saved(model.fit(frame[FEATURES], y.astype(float)), tmp_path)
    assert "text" in model.tree_.features_used


def test_columns_of_a_folder_that_dask_joins_differently_belong_together(tmp_path):
    """Dask reads several small Parquet files at a time, the more the fewer columns are wanted."""
    frame = cases(4, 1200)
    folder = tmp_path / "cases"
    folder.mkdir()
    for number in range(12):
        frame[100 * number : 100 * (number + 1)].to_parquet(folder / f"{number:02}.parquet")
    table = dd.read_parquet(folder)
    X, y = table[FEATURES], table["y"]
    assert len(X.to_delayed()) != len(y.to_delayed())
    growth = tw.Growth(missing="branch", max_depth=4)
    model = tw.CostTreeClassifier(growth=growth)
    scan = tw.scan(
        folder, target="y", leave_out=[name for name in frame.columns if name not in (*FEATURES, "y")]
    )
    assert saved(fit_dask(model, X, y), tmp_path) == saved(model.fit_scan(scan), tmp_path)


def test_what_draws_a_sample_says_so():
    table = divided(cases(2, 100), [50, 50])
    with pytest.raises(ValueError, match=r"ThriftClassifier learns large tables from a sample.*fit_scan"):
        fit_dask(tw.algorithm("thrift"), table[FEATURES], table["y"])


@pytest.mark.parametrize("name", ["boosting", "gradient-boosting", "metacost", "fixed-panel"])
def test_what_is_no_single_tree_says_so(name):
    table = divided(cases(2, 100), [50, 50])
    with pytest.raises(ValueError, match=r"takes estimators of a single tree, .* Fit it on a sample"):
        fit_dask(tw.algorithm(name), table[FEATURES], table["y"])


def test_collections_where_tables_in_memory_are_wanted_are_told_what_dask_calls_it():
    table = divided(cases(2, 100), [50, 50])
    with pytest.raises(TypeError, match=r"Call \.compute\(\) on it first, or use thriftwood\.dask"):
        tw.CostTreeClassifier().fit(table[FEATURES], table["y"])


@pytest.mark.parametrize("phase", ["joined", "gather"])  # the command has all of them
def test_a_worker_killed_in_a_phase_changes_nothing(capsys, phase):
    pytest.importorskip("distributed")
    killed.main(["--rows", "2000", "--phases", phase])
    assert "the same tree" in capsys.readouterr().out


def test_a_killed_worker_changes_nothing(tmp_path, monkeypatch):
    distributed = pytest.importorskip("distributed")
    counting(monkeypatch, 100)
    frame = cases(4, 4000)
    growth = tw.Growth(bins=50, missing="branch", max_depth=8)
    model = tw.CostTreeClassifier("entropy", growth=growth)
    here = saved(model.fit(frame[FEATURES], frame["y"]), tmp_path)
    settings_ = {"distributed.scheduler.allowed-failures": 50, "distributed.comm.timeouts.connect": "20s"}
    with (
        dask.config.set(settings_),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster),
        dask.config.set(scheduler="distributed"),
    ):
        table = divided(frame, [500] * 8)
        fits = []
        victims = [worker.pid for worker in cluster.workers.values()]

        def kill():
            time.sleep(0.5)
            os.kill(victims[0], signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        while killer.is_alive() or len(fits) < 2:
            fits.append(saved(fit_dask(model, table[FEATURES], table["y"]), tmp_path))
        killer.join()
    assert set(fits) == {here}


def test_large_partitions_are_counted_as_they_are_and_small_ones_put_together(monkeypatch):
    monkeypatch.setattr(dask_counting, "PIECE_ROWS", 10)
    sizes = [4, 5, 0, 12, 3, 7, 2]
    coded = [[np.full(n, i, np.uint8)] for i, n in enumerate(sizes)]
    found = dask_counting.joined(coded)
    assert [len(piece[0]) for piece in found] == [9, 12, 10, 2]
    assert found[1][0] is coded[3][0]
    rows = np.concatenate([piece[0] for piece in found])
    np.testing.assert_array_equal(rows, np.repeat(np.arange(7), sizes))


def test_a_scan_names_who_learns_from_a_collection_of_dask():
    parts = dd.from_pandas(pd.DataFrame({"number": [1, 2], "sick": [0, 1]}), npartitions=2)
    with pytest.raises(TypeError, match=r"Got DataFrame of Dask, which thriftwood\.dask\.DaskCostTree"):
        tw.scan(parts, target="sick")
