"""Our CART beside rpart's trees, which are kept as goldens; rpart itself is not needed."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.agreement import goldens, ours, rpart, sklearn_tests, tables
from benchmarks.agreement.__main__ import main
from benchmarks.agreement.comparison import compared, same_sizes
from benchmarks.agreement.goldens import Golden, Node, Size, Test
from benchmarks.agreement.sklearn_trees import DecisionTreeClassifier

TIES = {
    "anneal": {"prior", "both"},
    "credit-a": {"prior", "both"},
    "credit-g": {"prior", "loss"},
    "diabetes": {"prior", "both"},
    "glass": {"prior"},
    "monks-2": {"prior"},
    "monks-3": {"loss"},
    "soybean": {"plain", "prior", "loss", "both"},
    "vehicle": {"loss", "both"},
    "wine": {"both"},
    "wisconsin-diagnostic": {"loss", "both"},
    "zoo": {"prior", "both"},
}
"""Somewhere in these two tests, or two answers, are worth the same, and the programs take one each."""
COUNTS = {"hypothyroid": {"prior"}, "sick-euthyroid": {"plain", "prior", "loss", "both"}}
"""Cases go another way by a surrogate that rpart takes although it rests on a single case."""
COUNTED = {
    "anneal": {"plain", "prior", "loss", "both"},
    "credit-a": {"plain", "loss", "both"},
    "credit-g": {"plain", "prior", "both"},
    "horse-colic": {"loss"},
    "hypothyroid": {"plain", "prior", "loss", "both"},
    "lymphography": {"prior"},
    "sick-euthyroid": {"plain", "prior", "loss", "both"},
    "soybean": {"plain", "loss"},
    "zoo": {"plain", "loss"},
}
"""Some list of surrogates differs by how rpart counts those of categories."""
TIED_SURROGATES = {"credit-g": {"loss"}, "horse-colic": {"plain", "prior"}}


def table_of(name: str) -> tables.Table:
    if not tables.is_built_in(name) and not os.environ.get("THRIFTWOOD_DATA"):
        pytest.skip("THRIFTWOOD_DATA is not set: the published data files are not here")
    return tables.load(name)


@pytest.mark.parametrize("name", tables.RPART)
def test_our_trees_are_those_of_rpart(name: str) -> None:
    table = table_of(name)
    stored = goldens.read(name)
    assert set(stored) == set(tables.MODES)
    for mode, theirs in stored.items():
        verdict = compared(table, theirs.tree, ours.tree_of(table, mode))
        tree = "count" if mode in COUNTS.get(name, ()) else "tie" if mode in TIES.get(name, ()) else "same"
        assert (mode, verdict.tree, verdict.found) == (mode, tree, verdict.found)
        counted, tied = mode in COUNTED.get(name, ()), mode in TIED_SURROGATES.get(name, ())
        assert (mode, verdict.surrogates) == (mode, "count" if counted else "tie" if tied else "same")


@pytest.mark.parametrize("name", tables.RPART)
def test_cross_validation_likes_the_size_that_rpart_likes(name: str) -> None:
    table = table_of(name)
    leaves = ours.cart(table, "plain", by_one_se=True).tree_.core.n_leaves
    assert leaves == goldens.read(name)["plain"].one_se.splits + 1


@pytest.mark.parametrize(
    ("name", "modes"),
    [
        ("iris", tables.MODES),
        ("monks-3", tables.MODES),
        ("led-7", ("plain", "prior", "loss")),
        ("wine", ("plain",)),
        ("wisconsin-diagnostic", ("plain",)),
        ("echocardiogram", ("plain", "loss", "both")),
        ("glass", ("plain", "loss")),
        ("hepatitis", tables.MODES),
        ("soybean", ("plain",)),
    ],
)
def test_complexity_parameters_and_validated_risks_are_those_of_rpart(
    name: str, modes: tuple[str, ...]
) -> None:
    table, stored = table_of(name), goldens.read(name)
    for mode in modes:
        assert same_sizes(stored[mode].sizes, ours.sizes_of(table, mode)), mode


def test_at_least_twelve_tables_in_four_modes_are_kept() -> None:
    assert len(tables.RPART) >= 12
    assert {path.stem for path in goldens.FOLDER.glob("*.json")} == set(tables.RPART)
    assert sum(path.stat().st_size for path in goldens.FOLDER.glob("*.json")) < 400_000


def test_goldens_are_read_as_they_were_written(tmp_path) -> None:
    for name in ("iris", "monks-2"):
        stored = goldens.read(name)
        goldens.write(name, "R", stored, tmp_path)
        assert goldens.read(name, tmp_path) == stored


LEAF = Node(10, 2.0, 0)
OTHER = Node(10, 3.0, 1)
NUMBERS = Node(20, 9.0, 0, Test(0, cut=1.5, value=4.0), (), (LEAF, OTHER))


@pytest.mark.parametrize(
    ("own", "what", "why"),
    [
        (replace(NUMBERS, answer=1), "answer", "tie"),
        (replace(NUMBERS, risk=8.0), "risk", "unknown"),
        (replace(NUMBERS, cases=21), "cases", "unknown"),
        (replace(NUMBERS, test=Test(0, cut=2.5, value=4.0)), "test", "tie"),
        (replace(NUMBERS, test=Test(1, cut=1.5, value=4.1)), "test", "unknown"),
        (replace(NUMBERS, test=None, branches=None), "size", "unknown"),
        (replace(NUMBERS, branches=(LEAF, NUMBERS)), "cases", "unknown"),
        (replace(NUMBERS, surrogates=(Test(1, cut=1.0, value=0.9),)), "surrogates", "unknown"),
    ],
)
def test_what_differs_is_found(own: Node, what: str, why: str) -> None:
    table = tables.load("iris")
    assert not compared(table, NUMBERS, NUMBERS).found
    found = compared(table, NUMBERS, own).found
    assert (found[0].what, found[0].why) == (what, why)
    assert compared(table, NUMBERS, own).tree == ("same" if what == "surrogates" else why)


def test_the_smallest_tree_within_a_standard_error_is_chosen() -> None:
    sizes = (Size(0.5, 0, 1.0, 1.0, 0.1), Size(0.1, 1, 0.5, 0.55, 0.05), Size(0.0, 3, 0.3, 0.52, 0.05))
    assert Golden(LEAF, sizes).one_se.splits == 1


def test_the_command_compares_with_what_is_kept(capsys) -> None:
    assert main(["rpart", "--stored", "--only", "iris", "--explain"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("iris") == 4
    assert "DIFFERS" not in printed


def test_the_command_says_what_to_install(monkeypatch, capsys) -> None:
    monkeypatch.setattr(rpart.shutil, "which", lambda name: None)
    assert main(["rpart"]) == 2
    assert "apt-get install r-base-core r-cran-rpart" in capsys.readouterr().err


def test_some_tests_of_scikit_learn_pass_on_our_trees() -> None:
    found = sklearn_tests.run("test_xor or test_mae or test_regression_toy")
    assert set(found.passed) == {
        "test_xor",
        "test_regression_toy[squared_error-DecisionTreeRegressor]",
        "test_regression_toy[absolute_error-DecisionTreeRegressor]",
    }
    assert list(found.differs) == ["test_mae"]
    assert not found.unexplained
    assert found.left_out["test_regression_toy[poisson-DecisionTreeRegressor]"] == "the criterion poisson"
    assert found.left_out["test_regression_toy[squared_error-ExtraTreeRegressor]"] == "random cuts"


def test_what_differs_from_scikit_learn_is_told_apart_by_the_test() -> None:
    found = sklearn_tests.Outcomes((), {"test_mae": "", "test_toy[0]": ""}, {})
    assert found.unexplained == ["test_toy[0]"]


def test_the_page_explains_every_test_of_scikit_learn_that_differs() -> None:
    page = Path(__file__).parents[2].joinpath("docs/trees.md").read_text()
    assert [name for name in sklearn_tests.EXPLAINED if f"`{name}`" not in page] == []


def test_our_trees_under_the_names_of_scikit_learn_are_ours() -> None:
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    model = DecisionTreeClassifier(min_samples_leaf=0.5, max_leaf_nodes=2).fit(X, y)
    assert model.tree_.threshold.tolist() == [1.5, -2.0, -2.0]
    assert model.tree_.n_node_samples.tolist() == [4, 2, 2]
    assert model.get_params()["min_samples_leaf"] == 0.5
    assert DecisionTreeClassifier(min_samples_leaf=3).fit(X, y).tree_.node_count == 1


def test_unknown_tables_are_named(capsys) -> None:
    with pytest.raises(SystemExit):
        main(["rpart", "--only", "nothing"])
    assert "there is no table 'nothing'" in capsys.readouterr().err
