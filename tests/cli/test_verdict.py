"""No default path shows a model that is dearer than testing nobody without saying so in its first line."""

import csv
import json

import numpy as np
import pytest
from cli.commands import thriftwood
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

import thriftwood as tw

N_ROWS, N_COLUMNS, FOLDS = 36, 3, 2
LEVELS = (0.2, 2.0, 20.0)
"""What a mistake costs, in prices of all tests together: dear tests, even ones, dear mistakes."""


def noise(seed):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(N_ROWS, N_COLUMNS)), rng.integers(2 + seed % 2, size=N_ROWS)


def rule(seed):
    """Two columns tell the class, with some noise; a few values are missing."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N_ROWS, N_COLUMNS))
    y = (X[:, 0] * (X[:, 1] if seed % 2 else 1.0) + 0.5 * rng.normal(size=N_ROWS) > seed / 10).astype(int)
    X[rng.random(X.shape) < 0.05] = np.nan
    return X, y


def published(loader, first):
    data = loader()
    rows = np.random.default_rng(first).permutation(len(data.target))[:N_ROWS]
    return data.data[rows, first : first + N_COLUMNS], data.target[rows]


TABLES = {
    "iris": lambda: published(load_iris, 0),
    "wine": lambda: published(load_wine, 0),
    "wine, other columns": lambda: published(load_wine, 6),
    "cancer": lambda: published(load_breast_cancer, 0),
    "cancer, other columns": lambda: published(load_breast_cancer, 10),
    "cancer, further columns": lambda: published(load_breast_cancer, 20),
    **{f"a rule, {seed}": lambda seed=seed: rule(seed) for seed in range(3)},
    **{f"noise, {seed}": lambda seed=seed: noise(seed) for seed in range(3)},
}


def written(folder, name, level):
    X, y = TABLES[name]()
    with open(folder / "t.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*(f"c{j}" for j in range(N_COLUMNS)), "y"])
        for row, label in zip(X, y, strict=True):
            writer.writerow(["" if value != value else repr(float(value)) for value in row] + [f"k{label}"])
    prices = {f"c{j}": float(j + 1) for j in range(N_COLUMNS)}
    costs = tw.Costs(prices, errors_default=level * sum(prices.values()), today=["c0"], case_name="patient")
    costs.to_file(folder / "p.toml")
    return costs


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", list(TABLES))
def test_what_is_dearer_says_so_first(tmp_path, monkeypatch, name, level):
    monkeypatch.chdir(tmp_path)
    costs = written(tmp_path, name, level)
    data = tw.read_table("t.csv", "y")
    table = ("t.csv", "--target", "y", "--costs", "p.toml")
    for algorithm in ("thrift", "c45"):
        named = () if algorithm == "thrift" else ("--algorithm", algorithm)
        run = thriftwood("fit", *table, *named, "-o", "model.json")
        assert run.code == 0, run.err
        first = run.out.splitlines()[0]
        learner = tw.algorithm(algorithm, costs=costs)
        folds = min(10, np.unique(data.y, return_counts=True)[1].max())
        found = tw.compare({algorithm: learner}, data.X, data.y, costs, cv=int(folds), random_state=0)
        others = ("NOBODY", found.nobody), ("TODAY", found.today)
        than = [word for word, other in others if dear(found[0], other)]
        lead = first.partition(":")[0] if first.startswith("DEARER THAN ") else ""
        assert [word for word in ("NOBODY", "TODAY") if word in lead] == than, first
        assert " a patient (" in first
    bill = thriftwood("bill", "model.json", "t.csv", "--target", "y")
    content = json.loads(thriftwood("bill", "model.json", "t.csv", "--target", "y", "--json").out)
    above = content["mean_cost"] > content["untested_cost"] * (1 + 1e-9)
    assert ("TESTING NOBODY" in bill.out.splitlines()[0]) == above
    compared = thriftwood("compare", *table, "--algorithms", "c45", "--cv", str(FOLDS))
    found = tw.compare({"c45": tw.algorithm("c45")}, data.X, data.y, costs, cv=FOLDS, random_state=0)
    first = compared.out.splitlines()[0]
    assert ("TESTING NOBODY" in first) == dear(found[0], found.nobody)
    assert ("c45 !" in compared.out) == bool(found.verdict.dearer_than)


@pytest.mark.parametrize("name", list(TABLES)[::3])
def test_a_frontier_says_it_too(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, name, LEVELS[0])
    table = ("t.csv", "--target", "y", "--costs", "p.toml", "--cv", "2")
    for words in ((), ("--values", "0,1", "--within", "0.001")):
        run = thriftwood("frontier", *table, *words)
        assert run.code == 0, run.err
        content = json.loads(thriftwood("frontier", *table, *words, "--json").out)["verdict"]
        first = run.out.splitlines()[0]
        assert first == content["sentence"]
        assert ("TESTING NOBODY" in first) == (content["against_nobody"]["mean"] > 1e-9)


def dear(one, other):
    return bool(one.mean_cost - other.mean_cost > 1e-9 * max(1.0, one.mean_cost))
