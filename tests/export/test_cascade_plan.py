"""Exported score cards decide, ask, buy and pay as the library does, in every language."""

import ctypes
import math
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest
from export.running import Decision, by_sql, needs_gcc
from export.test_quoting_names import HOSTILE
from hypothesis import given, settings
from hypothesis import strategies as st
from random_cascades import golf_cascade, random_cascade, random_frame

import thriftwood as tw
from thriftwood.costs import Costs
from thriftwood.export.cascade_plan import cascade_plan
from thriftwood.table.values import is_missing

SEEDS = st.integers(0, 2**32 - 1)


def rows_of(frame):
    return [
        dict(zip(frame.columns, row, strict=True)) for row in frame.astype(object).itertuples(index=False)
    ]


def by_python(cascade, frame, name="decide"):
    source = tw.export_python(cascade, name)
    assert source.isascii()
    module = {}
    exec(compile(source, "exported.py", "exec"), module)
    found = []
    for row in rows_of(frame):
        case = module[name](row.__getitem__)
        bought, paid = [list(part) for part in zip(*case["bought"], strict=True)] or [[], []]
        shares = list(case["probabilities"].values())
        found.append(Decision(case["answer"], shares, case["asked"], bought, paid, case["bill"]))
    return found


class CFunction:
    """The exported C, compiled with every warning an error and called through ctypes."""

    def __init__(self, cascade, name="decide"):
        self.made, self.name = cascade_plan(cascade), name
        n, ints = max(len(self.made.tests), 1), ctypes.c_int * max(len(self.made.tests), 1)
        self.fields = [
            ("answer", ctypes.c_int),
            ("probabilities", ctypes.c_double * len(self.made.classes)),
            ("stage", ctypes.c_int),
            ("scores", ctypes.c_double * self.made.n_scores),
            *(("n_asked", ctypes.c_int), ("asked", ints), ("n_bought", ctypes.c_int), ("bought", ints)),
            *(("paid", ctypes.c_double * n), ("bill", ctypes.c_double)),
        ]
        with tempfile.TemporaryDirectory() as folder:
            source, library = Path(folder, "cards.c"), Path(folder, "cards.so")
            source.write_text(tw.export_c(cascade, name), encoding="ascii")
            strict = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O2", "-ffp-contract=off"]
            subprocess.run(["gcc", *strict, "-shared", "-fPIC", source, "-o", library, "-lm"], check=True)
            self.library = ctypes.CDLL(str(library))

    def __call__(self, row):
        made, result = self.made, type("Result", (ctypes.Structure,), {"_fields_": self.fields})()

        def ask(_, number):
            test = made.tests[number]
            value = row[test.name]
            if is_missing(value):
                return math.nan
            return (
                float(value)
                if test.categories is None
                else self.library[f"{self.name}_code"](number, str(value).encode())
            )

        asking = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_int)(ask)
        assert self.library[self.name](asking, None, ctypes.byref(result)) == 0
        names = [test.name for test in made.tests]
        return Decision(
            made.answers[result.answer],
            list(result.probabilities),
            [names[t] for t in result.asked[: result.n_asked]],
            [names[t] for t in result.bought[: result.n_bought]],
            list(result.paid[: result.n_bought]),
            result.bill,
        )


def by_c(cascade, frame):
    function = CFunction(cascade)
    return [function(row) for row in rows_of(frame)]


def wanted(cascade, frame):
    """What the library says; `asked` are the tests of all stages that a case has ordered."""
    cascade = cascade if cascade.costs is not None else cascade.with_costs(Costs())
    bill = tw.bill(cascade, frame)
    charged = tw.bill(cascade, frame, costs=cascade.costs.replace(charge_missing=True))
    starts, paid = bill.purchases.starts.tolist(), bill.purchases.cost.tolist()
    names, asked = bill.purchases.tests(cascade.feature_names), charged.purchases.tests(cascade.feature_names)
    pairs = zip(cascade.predict(frame).tolist(), cascade.predict_proba(frame).tolist(), strict=True)
    return [
        Decision(answer, shares, asked[r], names[r], paid[starts[r] : starts[r + 1]], bill.test_cost[r])
        for r, (answer, shares) in enumerate(pairs)
    ]


def assert_same(found, cascade, frame):
    late = cascade.costs is not None and not cascade.costs.charge_missing
    for got, want in zip(found, wanted(cascade, frame), strict=True):
        assert (got.answer, got.bought) == (want.answer, want.bought)
        np.testing.assert_allclose(got.probabilities, want.probabilities, rtol=0, atol=1e-12)
        np.testing.assert_allclose(got.paid, want.paid, rtol=1e-12, atol=1e-12)
        assert got.bill == pytest.approx(want.bill, rel=1e-12, abs=1e-12)
        # A delayed test that cannot be had is free and brings nothing along.
        assert got.asked == want.asked or (late and set(got.bought) <= set(got.asked) <= set(want.asked))


@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_python_decides_as_the_library(seed):
    cascade = random_cascade(seed, costs="random" if seed % 5 else None)
    frame = random_frame(np.random.default_rng(seed), 25)
    assert_same(by_python(cascade, frame), cascade, frame)


@needs_gcc
@given(SEEDS)
@settings(max_examples=8, deadline=None)
def test_c_decides_as_the_library(seed):
    cascade = random_cascade(seed, costs="random" if seed % 5 else None)
    frame = random_frame(np.random.default_rng(seed), 60)
    assert_same(by_c(cascade, frame), cascade, frame)


@given(SEEDS)
@settings(max_examples=10, deadline=None)
def test_sql_decides_as_the_library(seed):
    cascade = random_cascade(seed, costs="random" if seed % 5 else None)
    frame = random_frame(np.random.default_rng(seed), 60)
    assert_same(by_sql(cascade, frame), cascade, frame)


@needs_gcc
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("places", [range(5), range(8, 13), range(13, 18)])
def test_names_may_hold_anything(seed, places):
    names = [HOSTILE[place] for place in places]
    classes = np.array([HOSTILE[place] for place in (0, 2, 9)])
    cascade = random_cascade(seed, n_classes=3, names=names, classes=classes, besides=[HOSTILE[1]])
    frame = random_frame(np.random.default_rng(seed), 20, names=names)
    for found in (by_python(cascade, frame), by_c(cascade, frame), by_sql(cascade, frame)):
        assert_same(found, cascade, frame)


@needs_gcc
@pytest.mark.parametrize("name", ["wisconsin-diagnostic", "golf"])
def test_learnt_cards_are_exported(name):
    table = tw.load_dataset(name)
    model = tw.ThriftClassifier(table.costs, leaves="score").fit(table.X, table.y)
    frame = table.X.head(80).copy()
    frame.iloc[::7, 0] = None
    frame.iloc[::5, 1] = np.nan
    cascade = model.model_
    assert tw.export_python(model) == tw.export_python(cascade)
    for found in (by_python(cascade, frame), by_c(cascade, frame), by_sql(cascade, frame)):
        assert_same(found, cascade, frame)


def test_python_asks_for_a_stage_when_it_is_bought():
    module = {}
    exec(tw.export_python(golf_cascade()), module)
    case = module["decide"]({"Outlook": "Overcast"})
    assert (case["answer"], case["stage"], case["scores"], case["asked"]) == ("Yes", 1, [290.0], ["Outlook"])
    case = module["decide"]({"Outlook": "Rain", "Humidity": 70, "Windy": "true"})
    assert (case["answer"], case["stage"], case["bill"]) == ("No", 2, 5.0)


def test_what_cards_cannot_become_is_told():
    cascade = golf_cascade()
    for export, what in ((tw.export_onnx, "ONNX"), (tw.export_rules, "Rules")):
        with pytest.raises(TypeError, match=f"{what} can be made of a tree, and this is a cascade"):
            export(cascade)
    assert tw.Cascade.from_json(tw.export_json(cascade)) == cascade
    mixed = random_cascade(1, n_classes=3, classes=np.array([0, 1, 2]), besides=["refer"])
    with pytest.raises(ValueError, match="a column in SQL cannot hold both"):
        tw.export_sql(mixed)
    twins = random_cascade(1, names=["a", "A", "b", "c", "d"])
    assert {"a", "A"} <= {twins.feature_names[test] for test in twins.order}
    with pytest.raises(ValueError, match="differ only in upper and lower case"):
        tw.export_sql(twins)
    with pytest.raises(ValueError, match="name must be a name"):
        tw.export_c(cascade, name="int")
