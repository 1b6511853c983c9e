"""A folder of small tables under names of the papers, so that experiments run without their data."""

import json

import numpy as np


def write_small_data(folder):
    """Write zoo and soybean, mostly nominal with gaps; hepatitis, numbers; credit-g and heart, both."""
    rng = np.random.default_rng(7)
    folder.mkdir(exist_ok=True)
    zoo = rng.integers(0, 3, (40, 4))
    classes = np.where(zoo[:, 0] == 0, "fish", np.where(zoo[:, 1] + zoo[:, 3] > 2, "bird", "frog"))
    animals = [
        [f"v{a}", f"v{b}", f"v{c}" if c else "", d, y] for (a, b, c, d), y in zip(zoo, classes, strict=True)
    ]
    nominal = [{"name": name, "type": "nominal"} for name in ("hair", "eggs", "milk")]
    zoo_entry = {"name": "zoo", "columns": [*nominal, {"name": "legs", "type": "numeric"}]}
    _csv(folder / "zoo.csv", [*("hair", "eggs", "milk", "legs"), "class"], animals)

    liver = rng.normal(size=(30, 3)).round(2)
    sick = np.where(liver[:, 0] + 0.5 * liver[:, 2] + rng.normal(scale=0.4, size=30) > 0.3, "DIE", "LIVE")
    names = ["AGE", "SGOT", "PROTIME"]
    entry = {"name": "hepatitis", "columns": [{"name": name, "type": "numeric"} for name in names]}
    _csv(folder / "hepatitis.csv", [*names, "class"], [[*x, y] for x, y in zip(liver, sick, strict=True)])

    terms = rng.integers(0, 4, 50)
    amounts = rng.normal(size=50).round(2)
    debtors = np.where(terms + amounts + rng.normal(scale=0.5, size=50) > 2.0, "bad", "good")
    rows = [[f"t{a}" if a else "", b, y] for a, b, y in zip(terms, amounts, debtors, strict=True)]
    _csv(folder / "credit-g.csv", ["terms", "amount", "class"], rows)
    kinds = [{"name": "terms", "type": "nominal"}, {"name": "amount", "type": "numeric"}]
    credit = {"name": "credit-g", "columns": kinds}

    # The same animals under the name of a data set of more classes.
    _csv(folder / "soybean.csv", [*("hair", "eggs", "milk", "legs"), "class"], animals)
    soybean = {**zoo_entry, "name": "soybean"}

    ages = rng.normal(50.0, 9.0, 48).round()
    pains, scans = rng.integers(1, 5, 48), rng.choice(["normal", "fixed", ""], 48)
    ill = np.where((pains == 4) * 20 + ages + rng.normal(scale=6.0, size=48) > 58, 1, 0)
    rows = [[*case] for case in zip(ages, pains, scans, ill, strict=True)]
    _csv(folder / "heart-cleveland-2class.csv", ["age", "cp", "thal", "class"], rows)
    kinds = {"age": "numeric", "cp": "nominal", "thal": "nominal"}
    heart_columns = [{"name": name, "type": kind} for name, kind in kinds.items()]
    heart = {"name": "heart-cleveland-2class", "columns": heart_columns}
    entries = [zoo_entry, entry, credit, soybean, heart]
    (folder / "datasets.json").write_text(json.dumps({"datasets": entries}))
    # Column, price, price after another of its group.
    prices = {
        "hepatitis": [("AGE", 1.0, None), ("SGOT", 7.27, 5.17), ("PROTIME", 8.3, 6.2)],
        "heart-cleveland-2class": [("age", 1.0, None), ("cp", 1.0, None), ("thal", 102.9, None)],
    }
    problems = {name: {"datasets": [name], "attributes": _priced(tests)} for name, tests in prices.items()}
    (folder / "test_costs.json").write_text(json.dumps({"turney": problems}))
    return folder


def _priced(tests):
    """Tests of a group are laboratory tests: their results come later."""
    return [
        {
            "column": column,
            "first_cost": price,
            "later_cost": after or price,
            "group": after and "A",
            "delayed": after is not None,
        }
        for column, price, after in tests
    ]


def _csv(path, header, rows):
    path.write_text("\n".join(",".join(map(str, row)) for row in [header, *rows]) + "\n")
