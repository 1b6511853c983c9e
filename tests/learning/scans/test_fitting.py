"""A tree learnt from a scan is the tree learnt in memory, to the last byte of its file."""

import errno
import os
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from learning.scans.scanned_tables import FEATURES, fitted, mixed_table, saved

import thriftwood as tw
from thriftwood.cli.advice import in_shell
from thriftwood.learning.scans import counted
from thriftwood.learning.scans.fitting import bytes_of

LOOK_AHEAD = {"lasc", "lsid3", "act"}
GIVEN = {
    "mitchell": tw.Mitchell(gamma=0.01),
    "csgain": tw.CsGain(gamma=0.01),
    "csgain-ratio": tw.CsGainRatio(gamma=0.01),
}
KNOWN = [GIVEN.get(name, name) for name in tw.CostTreeClassifier.criteria.values if name not in LOOK_AHEAD]
COSTS = tw.Costs(
    {"number": 4, "text": tw.Test(1, needs=["lab"]), "small": tw.Test(2, needs=["lab"]), "single": 0.5},
    shared={"lab": 1.5},
)
ERRORS = {"class 0": {"class 1": 5}, "class 1": {"class 0": 1}}


def held(monkeypatch, node, rows):
    """Let a fit gather nodes of so many cases, so many in all: small tables are counted like large ones."""
    limits = counted.Limits(node, max(node, rows), 20_000)
    monkeypatch.setattr(counted.Limits, "of", classmethod(lambda cls, *args: limits))


def assert_same_tree(model, table, folder, node, *, weighted):
    """Learn from the file in the folder, where nodes of so many cases are gathered, and in memory."""
    scan = tw.scan(
        folder / "t.parquet",
        target="y",
        weight="w" if weighted else None,
        leave_out=() if weighted else ("w",),
    )
    with pytest.MonkeyPatch.context() as patch:
        held(patch, node, 60)
        there = saved(model.fit_scan(scan), folder)
    assert there == saved(fitted(model, table, weighted=weighted), folder)


@pytest.mark.filterwarnings("ignore::thriftwood.table.case_names.CaseNamesWarning")
@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(20, 400),
    criterion=st.sampled_from(KNOWN),
    payment=st.sampled_from(["sequential", "upfront"]),
    missing=st.sampled_from(["branch", "stay", "majority"]),
    order=st.sampled_from(["depth", "best", "breadth"]),
    weighted=st.booleans(),
    categories=st.sampled_from([2, 40, 300]),
    node=st.sampled_from([0, 30, 10_000]),
    max_leaves=st.sampled_from([None, 7]),
    data=st.data(),
)
def test_files_of_counted_trees_are_those_of_trees_in_memory(
    tmp_path_factory,
    seed,
    n,
    criterion,
    payment,
    missing,
    order,
    weighted,
    categories,
    node,
    max_leaves,
    data,
):
    folder = tmp_path_factory.mktemp("scan")
    table = mixed_table(seed, n, classes=2, categories=categories)
    if len(set(table["y"].to_pylist())) < 2:
        return
    pq.write_table(table, folder / "t.parquet", row_group_size=data.draw(st.integers(1, n)))
    growth = tw.Growth(
        bins=data.draw(st.integers(2, 200)), missing=missing, order=order, max_leaves=max_leaves
    )
    priors = data.draw(st.sampled_from([None, {"class 0": 0.7, "class 1": 0.3}]))
    pruning = data.draw(st.sampled_from([None, tw.MDL(), tw.CostComplexity(alpha=0.01), tw.ExpectedLoss()]))
    model = tw.CostTreeClassifier(
        criterion,
        costs=COSTS.replace(payment=payment, errors=ERRORS),
        growth=growth,
        priors=priors,
        pruning=pruning,
    )
    assert_same_tree(model, table, folder, node, weighted=weighted)


def test_many_categories_some_of_which_come_last(tmp_path, monkeypatch):
    table = mixed_table(3, 4000, classes=3, categories=1000)
    last = pa.array([*table["text"].to_pylist()[:-1], "only here"])
    table = table.set_column(1, "text", last)
    for part in range(4):
        pq.write_table(table.slice(part * 1000, 1000), tmp_path / f"{part}.parquet")
    held(monkeypatch, 200, 1000)
    model = tw.CostTreeClassifier(
        "entropy", growth=tw.Growth(bins=255, missing="branch", many_categories=None)
    )
    there = saved(model.fit_scan(tw.scan(tmp_path, target="y", leave_out=["w"])), tmp_path)
    assert there == saved(fitted(model, table, weighted=False), tmp_path)
    assert b"only here" in there


@pytest.mark.parametrize("weighted", [False, True])
def test_numbers_and_fractional_values_where_all_codes_fit(tmp_path, weighted):
    table = mixed_table(5, 600, numbers=True)
    pq.write_table(table, tmp_path / "t.parquet", row_group_size=77)
    scan = tw.scan(
        tmp_path / "t.parquet",
        target="y",
        weight="w" if weighted else None,
        leave_out=[] if weighted else ["w"],
    )
    model = tw.CostTreeRegressor(growth=tw.Growth(bins=30, max_depth=4))
    assert model.checked_growth().missing == "fractional"
    there = saved(model.fit_scan(scan), tmp_path)
    assert there == saved(fitted(model, table, weighted=weighted), tmp_path)
    assert model.get_n_leaves() > 5


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(20, 400),
    payment=st.sampled_from(["sequential", "upfront"]),
    missing=st.sampled_from(["branch", "stay", "majority"]),
    order=st.sampled_from(["depth", "best", "breadth"]),
    weights=st.sampled_from(["none", "any", "ones", "whole", "eighths"]),
    categories=st.sampled_from([2, 40, 300]),
    node=st.sampled_from([0, 30, 10_000]),
    scale=st.sampled_from([1.0, 1e-9, 1e12]),
    shift=st.sampled_from([0.0, -1e9, 3e15]),
    bins=st.integers(2, 200),
    group=st.integers(1, 400),
)
@pytest.mark.filterwarnings("ignore::thriftwood.table.case_names.CaseNamesWarning")
def test_files_of_counted_regression_trees_are_those_of_trees_in_memory(
    tmp_path_factory,
    seed,
    n,
    payment,
    missing,
    order,
    weights,
    categories,
    node,
    scale,
    shift,
    bins,
    group,
):
    folder = tmp_path_factory.mktemp("scan")
    table = mixed_table(seed, n, categories=categories, numbers=True)
    table = table.set_column(5, "y", pa.array(table["y"].to_numpy() * scale + shift))
    if weights == "ones":
        table = table.set_column(4, "w", pa.array(np.ones(n)))
    if weights in ("whole", "eighths"):
        whole = np.random.default_rng(seed).integers(0, 9, n) + (np.arange(n) == 0)
        table = table.set_column(4, "w", pa.array(whole / (1.0 if weights == "whole" else 8.0)))
    pq.write_table(table, folder / "t.parquet", row_group_size=group)
    growth = tw.Growth(bins=bins, missing=missing, order=order)
    model = tw.CostTreeRegressor(
        costs=COSTS.replace(payment=payment), growth=growth, pruning=tw.CostComplexity(alpha=1e-6)
    )
    weighted = weights != "none"
    assert_same_tree(model, table, folder, node, weighted=weighted)


def test_a_target_is_rounded_by_less_than_its_last_digits(monkeypatch):
    table = mixed_table(7, 3000, numbers=True, missing=0.0)
    held(monkeypatch, 0, 1)
    growth = tw.Growth(bins=64, max_depth=4)
    model = tw.CostTreeRegressor(growth=growth).fit_scan(tw.scan(table, target="y", leave_out=["w"]))
    y, leaves = table["y"].to_numpy(), model.apply(table.select(FEATURES))
    for leaf in np.unique(leaves):
        found = model.tree_.core.values[leaf][0]
        assert found == pytest.approx(y[leaves == leaf].mean(), rel=1e-13, abs=1e-14)


def test_what_does_not_fit_is_refused_with_the_way_out(tmp_path, monkeypatch):
    table = mixed_table(5, 600, numbers=True)
    scan = tw.scan(table, target="y", leave_out=["w"])
    held(monkeypatch, 100, 100)
    with pytest.raises(ValueError, match="absolute_error"):
        tw.CostTreeRegressor("absolute_error", growth=tw.Growth(missing="branch")).fit_scan(scan)
    scan = tw.scan(mixed_table(5, 600), target="y", leave_out=["w"])
    with pytest.raises(ValueError, match=r"column 'text' has no value in row 7.*Growth\(missing='branch'\)"):
        tw.CostTreeClassifier().fit_scan(scan)
    growth = tw.Growth(missing="branch")
    with pytest.raises(ValueError, match="more of them than the memory may hold"):
        tw.CostTreeClassifier("lasc", costs=COSTS, growth=growth).fit_scan(scan)
    with pytest.raises(
        ValueError, match=r"Pessimistic\(\) prunes with the cases themselves.*subtree_raising=False"
    ):
        tw.CostTreeClassifier(growth=growth, pruning=tw.Pessimistic()).fit_scan(scan)
    with pytest.raises(ValueError, match=r"alpha"):
        tw.CostTreeClassifier(growth=growth, pruning=tw.CostComplexity()).fit_scan(scan)
    with pytest.raises(ValueError, match="'act' grows trees on samples"):
        tw.CostTreeClassifier(tw.Act(), costs=COSTS, growth=growth).fit_scan(scan)
    with pytest.raises(ValueError, match="counted by bins"):
        tw.CostTreeClassifier(growth=tw.Growth(bins=None)).fit_scan(scan)
    with pytest.raises(ValueError, match="needs exact thresholds"):
        tw.CostTreeClassifier(growth=tw.Growth(cut_at="observed")).fit_scan(scan)
    with pytest.raises(ValueError, match="Input X contains NaN"):
        tw.CostTreeClassifier(growth=tw.Growth(missing="error")).fit_scan(scan)
    with pytest.raises(TypeError, match=r"what tw\.scan returns"):
        tw.CostTreeClassifier().fit_scan(table)


@pytest.mark.parametrize("kind", ["polars", "duckdb", "dataset", "arrow", "pandas"])
def test_every_engine_gives_the_same_tree(tmp_path, kind):
    table = mixed_table(8, 3000, classes=3)
    path = tmp_path / "t.parquet"
    pq.write_table(table, path, row_group_size=500)
    source = {
        "polars": lambda: pl.scan_parquet(path),
        "duckdb": lambda: duckdb.read_parquet(str(path)),
        "dataset": lambda: ds.dataset(path),
        "arrow": lambda: table,
        "pandas": lambda: table.to_pandas(),
    }[kind]()
    model = tw.CostTreeClassifier(growth=tw.Growth(bins=64, missing="branch"))
    there = saved(model.fit_scan(tw.scan(source, target="y", leave_out=["w"])), tmp_path)
    assert there == saved(fitted(model, table, weighted=False), tmp_path)


def test_codes_are_kept_reused_and_replaced(tmp_path):
    path, cache = tmp_path / "t.parquet", tmp_path / "cache"
    pq.write_table(mixed_table(1, 500), path)
    model = tw.CostTreeClassifier(growth=tw.Growth(bins=64, missing="branch"))

    def passes():
        seen = []
        scan = tw.scan(path, target="y", leave_out=["w"])
        model.fit_scan(scan, cache=cache, progress=lambda done, total: seen.append((done, total)))
        return seen

    assert passes()[:2] == [(500, 500), (500, 500)]
    first = saved(model, tmp_path)
    kept = list(cache.iterdir())
    assert len(kept) == 1
    assert len(passes()) == 1  # nothing was read but the codes, once, to be gathered
    assert saved(model, tmp_path) == first
    (kept[0] / "codes").write_bytes(b"x" * (kept[0] / "codes").stat().st_size)
    assert len(passes()) == 3  # damaged: written anew
    assert saved(model, tmp_path) == first
    pq.write_table(mixed_table(2, 500), path)
    passes()
    assert saved(model, tmp_path) != first
    assert len(list(cache.iterdir())) == 1  # that of the earlier table is gone
    assert list(cache.iterdir()) != kept


def test_fits_that_share_a_cache_do_not_disturb_each_other(tmp_path):
    path, cache = tmp_path / "t.parquet", tmp_path / "cache"
    table = mixed_table(1, 500)
    pq.write_table(table, path)

    def learn(turn):
        """Learn by turns from 8 and from 64 bins: each writes the codes anew and throws the others away."""
        model = tw.CostTreeClassifier(growth=tw.Growth(bins=(8, 64)[turn % 2], missing="branch"))
        return model.fit_scan(tw.scan(path, target="y", leave_out=["w"]), cache=cache).tree_

    alone = [learn(0), learn(1)]
    with ThreadPoolExecutor(6) as pool:
        assert all(tree == alone[turn % 2] for turn, tree in enumerate(pool.map(learn, range(60))))
    assert len(list(cache.iterdir())) in (1, 2)
    assert not list(cache.glob(".writing*"))


def test_a_cache_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "taken").write_text("a file")
    pq.write_table(mixed_table(1, 50), tmp_path / "t.parquet")
    scan = tw.scan(tmp_path / "t.parquet", target="y", leave_out=["w"])
    for place in (tmp_path / "taken", tmp_path / "taken" / "codes"):
        with pytest.raises(OSError, match=r"cache= names another folder for the codes.*taken"):
            tw.CostTreeClassifier(growth=tw.Growth(missing="branch")).fit_scan(scan, cache=place)


def test_nothing_is_left_behind_when_something_goes_wrong(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    table = mixed_table(1, 500)
    path = tmp_path / "t.parquet"
    pq.write_table(table, path)
    model = tw.CostTreeClassifier(growth=tw.Growth(missing="branch"))

    def interrupt(done, total):
        raise KeyboardInterrupt

    for cache in (None, tmp_path / "cache"):
        with pytest.raises(KeyboardInterrupt):
            model.fit_scan(tw.scan(path, target="y", leave_out=["w"]), cache=cache, progress=interrupt)
    calls = []

    def change(done, total):
        calls.append(done)
        if len(calls) == 2:
            os.utime(path, ns=(1, 1))

    with pytest.raises(ValueError, match=r"t\.parquet changed while it was learnt from"):
        model.fit_scan(tw.scan(path, target="y", leave_out=["w"]), cache=tmp_path / "cache", progress=change)
    model.fit_scan(tw.scan(path, target="y", leave_out=["w"]))
    assert list((tmp_path / "temporary").iterdir()) == []
    assert list((tmp_path / "cache").rglob("*")) == []


@pytest.mark.parametrize("what", ["fewer rows", "another category", "cut off", "gone"])
def test_a_file_that_changes_between_passes_is_named(tmp_path, what):
    folder, cache = tmp_path / "cases", tmp_path / "cache"
    folder.mkdir()
    for part in range(3):
        pq.write_table(mixed_table(part, 200), folder / f"{part}.parquet")
    last, calls = folder / "2.parquet", []

    def change(done, total):
        calls.append(done)
        if len(calls) != 3:  # the last batch of the first pass
            return
        if what == "fewer rows":
            pq.write_table(mixed_table(2, 150), last)
        elif what == "another category":
            pq.write_table(mixed_table(2, 200, categories=9), last)
        elif what == "cut off":
            last.write_bytes(last.read_bytes()[:-500])
        else:
            last.unlink()

    model = tw.CostTreeClassifier(growth=tw.Growth(missing="branch"))
    with pytest.raises(ValueError, match=r"2\.parquet changed while it was learnt from"):
        model.fit_scan(tw.scan(folder, target="y", leave_out=["w"]), cache=cache, progress=change)
    assert calls[:3] == [200, 400, 600]
    assert list(cache.rglob("*")) == []


def changed_in_the_first_pass(source, change):
    calls = []

    def once(done, total):
        calls.append(done)
        if len(calls) == 1:
            change()

    with pytest.raises(ValueError, match="changed while it was learnt from") as error:
        tw.CostTreeClassifier().fit_scan(tw.scan(source, target="y"), progress=once)
    assert calls == sorted(set(calls))  # no second pass began
    return str(error.value)


def test_a_text_file_that_is_cut_off_during_the_first_pass_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("thriftwood.datasets.files.parts.MOST_ROWS", 300)
    path = tmp_path / "cases.csv"
    lines = [f"{n},{n % 7},{'x' * 500},yes" for n in range(6000)]  # more than is read ahead
    path.write_text("\n".join(["a,b,c,y", *lines, ""]))
    said = changed_in_the_first_pass(path, lambda: os.truncate(path, path.stat().st_size - 10))
    assert said.startswith(str(path))


def test_a_parquet_file_that_is_gone_during_the_first_pass_is_named(tmp_path):
    for part in range(2):
        pq.write_table(
            pa.table({"a": np.arange(300.0), "y": ["no", "yes"] * 150}), tmp_path / f"{part}.parquet"
        )
    path = tmp_path / "1.parquet"
    assert changed_in_the_first_pass(tmp_path, path.unlink).startswith(str(path))


def test_a_disk_that_fills_up_is_told_in_the_words_of_each_audience(tmp_path, monkeypatch):
    def on_a_full_disk(prefix, suffix):
        return open("/dev/full", "w+b")  # takes what is written, and says that there is no room

    monkeypatch.setattr("tempfile.TemporaryFile", on_a_full_disk)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    scan = tw.scan(mixed_table(1, 500), target="y", leave_out=["w"])
    with pytest.raises(OSError, match=r"No space left on device; .* TMPDIR, or .* cache=, names") as error:
        tw.CostTreeClassifier(growth=tw.Growth(missing="branch")).fit_scan(scan)
    assert (error.value.errno, error.value.filename) == (errno.ENOSPC, str(tmp_path))
    said = in_shell(error.value)
    assert said.endswith("; the environment variable TMPDIR names another folder for the codes of the table")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_what_ends_a_fit_while_it_counts_leaves_nothing_behind(tmp_path, number):
    script = textwrap.dedent(
        """
        import sys, tempfile, numpy as np, pyarrow as pa, thriftwood as tw
        from thriftwood.learning.scans import counted
        tempfile.tempdir = sys.argv[1]
        rng = np.random.default_rng(0)
        table = pa.table({f"x{j}": rng.normal(size=50_000) for j in range(10)})
        table = table.append_column("y", pa.array(rng.integers(0, 2, 50_000)))
        limits = counted.Limits(0, 1, 10_000)
        counted.Limits.of = classmethod(lambda cls, *args: limits)
        def tell(done, total):
            print(done, flush=True)
        tw.CostTreeClassifier().fit_scan(tw.scan(table, target="y"), progress=tell)
        """
    )
    child = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for _ in range(20):
        assert child.stdout.readline()
    maps = Path(f"/proc/{child.pid}/maps")
    assert not maps.exists() or str(tmp_path) in maps.read_text()  # there are codes, without a name
    child.send_signal(number)
    began = time.monotonic()
    _, error = child.communicate(timeout=60)
    assert time.monotonic() - began < 20
    assert ("KeyboardInterrupt" in error) == (number == signal.SIGINT)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_told_before_anything_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda path: type("Usage", (), {"free": 100})())
    scan = tw.scan(mixed_table(1, 500), target="y", leave_out=["w"])
    with pytest.raises(OSError, match=r"The codes of the table take .* bytes, and there are 100 left"):
        tw.CostTreeClassifier(growth=tw.Growth(missing="branch")).fit_scan(scan)


def test_weights_that_are_shares_and_wrong_weights_are_refused(tmp_path):
    table = mixed_table(1, 50)
    for weight, words in [
        (0.001, "add up to 0.05"),
        (0.0, "zero in every row"),
        (-1.0, r"not negative.*row 0"),
        (1e49, r"add up to 5e\+50 or more"),
        (1e308, r"add up to 1e\+308 or more"),
    ]:
        own = table.set_column(4, "w", pa.array(np.full(50, weight)))
        with pytest.raises(ValueError, match=words):
            tw.CostTreeClassifier(growth=tw.Growth(missing="branch")).fit_scan(
                tw.scan(own, target="y", weight="w")
            )


def test_text_where_numbers_are_wanted_is_told_by_what_the_column_is_for():
    table = pl.DataFrame({"age": [54, 61], "city": ["Ulm", "Ulm"], "y": [1.5, 2.0]})
    with pytest.raises(ValueError, match=r"hold numbers to predict, .* such as 'Ulm'\. .*CostTreeClassifier"):
        tw.CostTreeRegressor().fit_scan(tw.scan(table, target="city"))
    with pytest.raises(ValueError, match="'city' is to hold weights, and it holds texts such as 'Ulm'"):
        tw.CostTreeRegressor().fit_scan(tw.scan(table, target="y", weight="city"))


def test_of_several_files_the_one_that_is_wrong_is_named(tmp_path):
    for part, number in enumerate((1.0, np.inf)):
        table = pa.table({"a": [2.0] * 99 + [number], "y": ["no", "yes"] * 50})
        pq.write_table(table, tmp_path / f"{part}.parquet")
    scan = tw.scan(tmp_path, target="y")
    with pytest.raises(ValueError, match=r"inf in row 199[^$]*1\.parquet, whose first row is row 100 of"):
        tw.CostTreeClassifier().fit_scan(scan)
    pq.write_table(table.slice(10), tmp_path / "0.parquet")
    with pytest.raises(ValueError, match=r"0\.parquet had 100 rows when it was scanned and now has 90"):
        tw.CostTreeClassifier().fit_scan(scan)


def test_learners_that_do_not_grow_from_counts_are_refused_in_true_words():
    scan = tw.scan(mixed_table(1, 50), target="y")
    for name in ("nobody", "optimal", "icet"):
        with pytest.raises(ValueError, match="does not grow one tree from counts of cases"):
            tw.algorithm(name).fit_scan(scan)
    with pytest.raises(ValueError, match=r"HoeffdingTreeClassifier learns case by case.*partial_fit"):
        tw.algorithm("hoeffding").fit_scan(scan)


def test_rows_without_a_class_are_named():
    table = mixed_table(1, 50)
    own = table.set_column(
        5, "y", pa.array([*table["y"].to_pylist()[:20], None, *table["y"].to_pylist()[21:]])
    )
    with pytest.raises(ValueError, match="'y' has no value in row 20"):
        tw.CostTreeClassifier().fit_scan(tw.scan(own, target="y", leave_out=["w"]))


def test_classes_that_are_numbers_stay_numbers():
    table = mixed_table(1, 200)
    numbers = np.array([int(name[-1]) for name in table["y"].to_pylist()], dtype=np.int8)
    own = table.set_column(5, "y", pa.array(numbers))
    model = tw.CostTreeClassifier(growth=tw.Growth(missing="branch"))
    model.fit_scan(tw.scan(own, target="y", leave_out=["w"]))
    assert model.classes_.dtype == np.int8
    assert model.predict(table.select(FEATURES)).dtype == np.int8


@pytest.mark.parametrize(("said", "words"), [("2 pounds", "a size such as '2GB'"), ("10KB", "at least 1 MB")])
def test_sizes_that_are_none_are_refused(said, words):
    with pytest.raises(ValueError, match=words):
        bytes_of(said)


def test_published_learners_with_the_settings_that_counting_takes(tmp_path):
    table = mixed_table(6, 800)
    choice = {"cut_at": "midpoint", "min_gap": 0.0, "missing": "branch", "pruning": tw.MDL(), "bins": 100}
    for name in ("eg2", "cs-id3", "min-total-cost"):
        model = tw.algorithm(name, costs=COSTS.replace(errors=ERRORS), **choice)
        there = saved(model.fit_scan(tw.scan(table, target="y", leave_out=["w"])), tmp_path)
        assert there == saved(fitted(model, table, weighted=False), tmp_path)


@pytest.mark.parametrize("order", ["depth", "best"])
@pytest.mark.parametrize("missing", ["branch", "stay"])
@pytest.mark.parametrize("priors", [None, {"class 0": 0.7, "class 1": 0.3}])
def test_pessimistic_pruning_without_raising_needs_counts_alone(monkeypatch, order, missing, priors):
    held(monkeypatch, 50, 200)
    table = mixed_table(7, 1500)
    growth = tw.Growth(bins=60, missing=missing, order=order)
    for rule in (
        tw.Pessimistic(subtree_raising=False),
        tw.Pessimistic(0.01, subtree_raising=False, z="exact"),
    ):
        model = tw.CostTreeClassifier("gain_ratio", growth=growth, pruning=rule, priors=priors)
        weighed = tw.scan(table, target="y", weight="w")
        assert model.fit_scan(weighed).tree_ == fitted(model, table, weighted=True).tree_
        scan = tw.scan(table, target="y", leave_out=["w"])
        assert model.fit_scan(scan).tree_ == fitted(model, table, weighted=False).tree_
        assert 1 < model.get_n_leaves() < model.set_params(pruning=None).fit_scan(scan).get_n_leaves()
