"""Published prices, and every published data file against its description."""

import json

import numpy as np
import pytest

from thriftwood.costs import Test
from thriftwood.datasets import load_dataset
from thriftwood.datasets.catalogue import catalogue
from thriftwood.datasets.folder import describe_folder, read_columns
from thriftwood.datasets.published import shipped_costs, turney_costs

# What all tests of a set cost together, each group paying what it has in common once (dollars).
TURNEY_TOTALS = {
    "heart-cleveland": 4 * 1 + (5.17 + 3.10 + 2.10) + 15.50 + (2 * 1 + 101.90) + (3 * 1 + 86.30) + 100.90,
    "hepatitis": 14 * 1 + (4 * 5.17 + 6.20 + 2.10),
    "diabetes": 6 * 1 + (15.51 + 20.68 + 2.10),
    "liver-disorders-drinks": 4 * 5.17 + 7.76 + 2.10,
    "ann-thyroid": 16 * 1 + (20.68 + 9.31 + 12.41 + 9.31 + 2.10),
}


@pytest.mark.parametrize("name", TURNEY_TOTALS)
def test_turney_total(name):
    costs = shipped_costs(name)
    assert costs.total(costs.tests) == pytest.approx(TURNEY_TOTALS[name], abs=1e-9)
    assert costs.errors is None


def test_heart_prices_first_and_later():
    costs = shipped_costs("heart-cleveland-2class")
    assert costs.purchase(["chol", "fbs"]) == pytest.approx([7.27, 3.10])
    assert costs.purchase(["fbs", "chol"]) == pytest.approx([5.20, 5.17])
    assert costs.purchase(["thal", "thalach", "exang", "slope"]) == pytest.approx([102.90, 1, 87.30, 1])
    delayed = {name for name, test in costs.tests.items() if test.delayed}
    assert delayed == set(costs.tests) - {"age", "sex", "cp", "trestbps"}


def test_a_computed_column_costs_what_it_is_computed_from():
    costs = shipped_costs("ann-thyroid")
    assert costs.purchase(["TT4", "T4U", "FTI"]) == pytest.approx([14.51, 9.31, 0])
    assert costs.purchase(["FTI", "TT4", "T4U"]) == pytest.approx([2.10 + 12.41 + 9.31, 0, 0])
    assert costs.purchase(["TSH", "FTI"]) == pytest.approx([22.78, 12.41 + 9.31])


def test_groups_that_save_different_amounts_keep_two_prices():
    listing = [
        {"column": "bf", "first_cost": 1500, "later_cost": 1500, "group": "a", "delayed": False},
        {"column": "chrom", "first_cost": 1500, "later_cost": 250, "group": "a", "delayed": False},
    ]
    costs = turney_costs(listing, ["bf", "chrom"])
    assert costs.shared == {}
    assert costs.tests["chrom"] == Test(1500, group="a", after=250)
    assert costs.purchase(["bf", "chrom"]) == [1500, 250]
    assert costs.purchase(["chrom", "bf"]) == [1500, 1500]


def test_a_price_for_an_unknown_column_is_named():
    listing = [{"column": "bmi", "first_cost": 1, "later_cost": 1, "group": None, "delayed": False}]
    with pytest.raises(ValueError, match=r"column 'bmi', which the table does not have. Columns: 'mass'"):
        turney_costs(listing, ["mass"])


def test_every_described_file_has_the_described_content(published_folder):
    described = describe_folder(published_folder)
    assert described
    for name, entry in described.items():
        columns, target = read_columns(published_folder, entry)
        assert len(target.values) == entry["n_instances"], name
        assert {column.name: column.n_missing for column in columns} == {
            column["name"]: column["missing"] for column in entry["columns"]
        }, name
        n_values = {column.name: len(column.categories) for column in columns if column.kind == "nominal"}
        wanted = {column["name"]: column["n_values"] for column in entry["columns"] if "n_values" in column}
        assert n_values == wanted, name
        labels, counts = np.unique([label or "" for label in target.texts()], return_counts=True)
        assert dict(zip(labels.tolist(), counts.tolist(), strict=True)) == entry["class_counts"], name


def test_every_described_set_loads_as_the_catalogue_says(published_folder):
    described = describe_folder(published_folder)
    for name in described:
        if described[name]["n_instances"] > 30_000:
            continue  # read in the test above; here the frames would only take time
        data = load_dataset(name, data_dir=published_folder)
        entry = catalogue()[name]
        left_out = [column["name"] for column in described[name]["columns"] if "role" in column]
        assert data.X.shape == (entry.rows, entry.features), name
        assert sorted(np.unique(data.y, return_counts=True)[1].tolist(), reverse=True) == list(entry.classes)
        assert not set(left_out) & set(data.feature_names)
        assert (data.extra is None) == (not left_out)
        assert entry.openml is None or entry.missing == data.n_missing, name
        if data.costs is not None:
            data.costs.compile(data.feature_names)
            data.costs.error_matrix(data.target_names)


def test_shipped_prices_are_those_of_the_folder(published_folder):
    turney = json.loads((published_folder / "test_costs.json").read_text())["turney"]
    names = {name for problem in turney.values() for name in problem["datasets"]}
    assert names == {*TURNEY_TOTALS, "heart-cleveland-2class", "liver-disorders"}
    for name in names - {"liver-disorders"}:
        assert load_dataset(name, data_dir=published_folder).costs == shipped_costs(name), name
    for name in ("credit-g", "heart-statlog"):
        assert load_dataset(name, data_dir=published_folder).costs == shipped_costs(name), name


def test_every_test_costs_first_and_later_what_turney_wrote(published_folder):
    turney = json.loads((published_folder / "test_costs.json").read_text())["turney"]
    for problem in turney.values():
        costs = load_dataset(problem["datasets"][0], data_dir=published_folder).costs
        for test in problem["attributes"]:
            column = test["column"]
            assert costs.effective_price(column) == pytest.approx(test["first_cost"], abs=1e-9)
            assert costs.tests[column].delayed == test["delayed"]
            for other in problem["attributes"]:
                if other is not test and test["group"] is not None and other["group"] == test["group"]:
                    later = costs.effective_price(column, paid=[other["column"]])
                    assert later == pytest.approx(test["later_cost"], abs=1e-9)


def test_columns_without_a_price_are_told(published_folder):
    data = load_dataset("liver-disorders", data_dir=published_folder)
    assert "drinks" not in data.costs.tests
    assert data.description.endswith("No price was published for drinks: counted as free.")


def test_churn_keeps_the_costs_of_its_rows(published_folder):
    data = load_dataset("churn-tv", data_dir=published_folder, frame="pandas")
    assert {name for name, role in data.roles.items() if role == "cost"} == {"C_FP", "C_FN", "C_TP", "C_TN"}
    assert data.extra["C_FN"].iloc[0] == pytest.approx(1028.571429)
