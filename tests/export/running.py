"""Exported trees, run: each runner gives, for rows as name -> value, what the exported function gives."""

import ctypes
import json
import math
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from thriftwood.costs import Costs
from thriftwood.evaluation import bill
from thriftwood.export import export_c, export_javascript, export_onnx, export_python, export_sql
from thriftwood.export.plan import plan
from thriftwood.table.values import is_missing

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc on this machine")


@dataclass
class Decision:
    answer: object
    probabilities: list[float]
    asked: list[str]
    bought: list[str]
    paid: list[float]
    bill: float


def by_library(tree, X):
    """What the library decides and charges; `asked` is not there, as a bill tells only what was bought."""
    charged = bill(tree, X, costs=tree.costs or Costs())
    answers = tree.predict(X).tolist()
    shares = [[]] * len(answers) if tree.regression else tree.predict_proba(X).tolist()
    starts, paid = charged.purchases.starts.tolist(), charged.purchases.cost.tolist()
    names = charged.purchases.tests(tree.feature_names)
    return [
        Decision(answer, p, None, names[r], paid[starts[r] : starts[r + 1]], float(charged.test_cost[r]))
        for r, (answer, p) in enumerate(zip(answers, shares, strict=True))
    ]


def by_python(tree, rows, name="decide"):
    module = {}
    exec(compile(export_python(tree, name), "exported.py", "exec"), module)
    return [_python_decision(module[name](row)) for row in rows]


def _python_decision(result):
    tests, paid = [list(x) for x in zip(*result["bought"], strict=True)] or [[], []]
    shares = list(result.get("probabilities", {}).values())
    return Decision(result["answer"], shares, result["asked"], tests, paid, result["bill"])


_DRIVER = """
import { readFileSync } from "fs";
import { decide, MODEL } from "./model.mjs";
const answers = JSON.parse(readFileSync(0, "utf-8")).map((row) => {
  const decision = decide(row);
  const { probabilities } = decision;
  const shares = probabilities ? MODEL.classes.map((label) => probabilities[String(label)]) : [];
  return { ...decision, probabilities: shares };
});
process.stdout.write(JSON.stringify(answers));
"""


def by_javascript(tree, rows):
    """What the exported module decides, in node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    source = export_javascript(tree)
    assert source.isascii()
    plain_rows = [{name: _plain_value(value) for name, value in row.items()} for row in rows]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "model.mjs").write_text(source, encoding="ascii")
        Path(folder, "driver.mjs").write_text(_DRIVER, encoding="ascii")
        command = [node, str(Path(folder, "driver.mjs"))]
        done = subprocess.run(command, input=json.dumps(plain_rows), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [_javascript_decision(result) for result in json.loads(done.stdout)]


def _plain_value(value):
    if is_missing(value):
        return None
    return value.item() if isinstance(value, np.generic) else value


def _javascript_decision(result):
    tests, paid = [list(x) for x in zip(*result["bought"], strict=True)] or [[], []]
    return Decision(result["answer"], result["probabilities"], result["asked"], tests, paid, result["bill"])


class CFunction:
    """The exported C, compiled with every warning an error and called through ctypes."""

    def __init__(self, tree, name="decide", flags=()):
        self.made = plan(tree)
        n, k = max(len(self.made.tests), 1), len(self.made.classes or ())
        ints = ctypes.c_int * n
        answer = [("answer", ctypes.c_int), ("probabilities", ctypes.c_double * k)]
        rest = [("n_asked", ctypes.c_int), ("asked", ints), ("n_bought", ctypes.c_int), ("bought", ints)]
        rest += [("paid", ctypes.c_double * n), ("bill", ctypes.c_double)]
        fields = ([("answer", ctypes.c_double)] if self.made.classes is None else answer) + rest
        self.result = type("Result", (ctypes.Structure,), {"_fields_": fields})
        with tempfile.TemporaryDirectory() as folder:
            source, library = Path(folder, "tree.c"), Path(folder, "tree.so")
            source.write_text(export_c(tree, name), encoding="ascii")
            strict = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O0", "-shared", "-fPIC"]
            subprocess.run(["gcc", *strict, *flags, source, "-o", library], check=True)
            self.library = ctypes.CDLL(str(library))
        self.decide, self.code = self.library[name], self.library[f"{name}_code"]
        self.ask_type = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_int)

    def __call__(self, row):
        made, result = self.made, self.result()

        def ask(_, number):
            test = made.tests[number]
            value = row[test.name]
            if is_missing(value):
                return math.nan
            if test.categories is None:
                return float(value)
            return self.code(number, str(value).encode())

        assert self.decide(self.ask_type(ask), None, ctypes.byref(result)) == 0
        names = [test.name for test in made.tests]
        bought = [names[t] for t in result.bought[: result.n_bought]]
        return Decision(
            result.answer if made.classes is None else made.answers[result.answer],
            [] if made.classes is None else list(result.probabilities),
            [names[t] for t in result.asked[: result.n_asked]],
            bought,
            list(result.paid[: result.n_bought]),
            result.bill,
        )


def by_c(tree, rows):
    function = CFunction(tree)
    return [function(row) for row in rows]


def by_sql(tree, X, key=None, table="cases"):
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as database:
        database.execute("SET threads = 1")
        database.register(table, X)
        frame = database.execute(export_sql(tree, table, key=key)).fetchall()
    k = 0 if tree.classes is None else len(tree.classes)
    return [
        Decision(row[1], list(row[2 : 2 + k]), row[2 + k], row[3 + k], row[4 + k], row[5 + k])
        for row in frame
    ]


def rows_of(X):
    """The rows of a frame as dictionaries."""
    names = list(X.columns)
    return [dict(zip(names, values, strict=True)) for values in X.itertuples(index=False, name=None)]


def framed(tree, rows):
    return pd.DataFrame({name: [row[name] for row in rows] for name in tree.feature_names}, dtype=object)


def assert_same(decisions, wanted, tree):
    """The same answers, shares, purchases in the same order, prices."""
    charge_missing = tree.costs is None or tree.costs.charge_missing
    assert len(decisions) == len(wanted)
    for got, want in zip(decisions, wanted, strict=True):
        if isinstance(want.answer, float):
            assert got.answer == pytest.approx(want.answer, rel=1e-12, abs=1e-12)
        else:
            assert got.answer == want.answer
        np.testing.assert_allclose(got.probabilities, want.probabilities, rtol=0, atol=1e-12)
        assert got.bought == want.bought
        if charge_missing:
            assert got.asked == got.bought
        assert set(got.bought) <= set(got.asked)
        assert len(set(got.asked)) == len(got.asked)
        np.testing.assert_allclose(got.paid, want.paid, rtol=1e-12, atol=1e-12)
        assert got.bill == pytest.approx(want.bill, rel=1e-12, abs=1e-12)


def by_onnx(tree, X, undecided="refuse"):
    """The label and probabilities, or the number, of every row by onnxruntime."""
    runtime = pytest.importorskip("onnxruntime")
    model = export_onnx(tree, undecided=undecided)
    session = runtime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    feed = {entry.name: _onnx_column(entry, X) for entry in session.get_inputs()}
    return session.run(None, feed)


def _onnx_column(entry, X):
    values = X[entry.name] if entry.name in X else np.zeros(len(X))
    if entry.type == "tensor(string)":
        column = ["" if is_missing(value) else value for value in values]
        return np.array(column, dtype=object).reshape(-1, 1)
    column = [math.nan if is_missing(value) else float(value) for value in values]
    return np.array(column, dtype=np.float64).reshape(-1, 1)


def assert_same_onnx(outputs, tree, X):
    if tree.regression:
        np.testing.assert_allclose(outputs[0].ravel(), tree.predict(X), rtol=1e-12)
    else:
        assert outputs[0].tolist() == tree.predict(X).tolist()
        np.testing.assert_allclose(outputs[1], tree.predict_proba(X), rtol=0, atol=1e-12)
