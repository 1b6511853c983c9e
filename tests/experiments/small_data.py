"""A folder of small tables under names of the papers, so that experiments run without their data."""

import json

import numpy as np


def write_small_data(folder):
    """Write zoo and soybean, 40 cases with nominal columns and gaps; hepatitis, numbers; credit-g, both."""
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
    entries = [zoo_entry, entry, credit, soybean]
    (folder / "datasets.json").write_text(json.dumps({"datasets": entries}))
    return folder


def _csv(path, header, rows):
    path.write_text("\n".join(",".join(map(str, row)) for row in [header, *rows]) + "\n")
