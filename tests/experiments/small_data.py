"""A folder with two small tables under names of the paper, so that experiments run without its data."""

import json

import numpy as np


def write_small_data(folder):
    """Write zoo, 40 cases with nominal columns and missing cells, and hepatitis, 30 cases of numbers."""
    rng = np.random.default_rng(7)
    folder.mkdir(exist_ok=True)
    zoo = rng.integers(0, 3, (40, 4))
    classes = np.where(zoo[:, 0] == 0, "fish", np.where(zoo[:, 1] + zoo[:, 3] > 2, "bird", "frog"))
    rows = [
        [f"v{a}", f"v{b}", f"v{c}" if c else "", d, y] for (a, b, c, d), y in zip(zoo, classes, strict=True)
    ]
    nominal = [{"name": name, "type": "nominal"} for name in ("hair", "eggs", "milk")]
    zoo_entry = {"name": "zoo", "columns": [*nominal, {"name": "legs", "type": "numeric"}]}
    _csv(folder / "zoo.csv", [*("hair", "eggs", "milk", "legs"), "class"], rows)

    liver = rng.normal(size=(30, 3)).round(2)
    sick = np.where(liver[:, 0] + 0.5 * liver[:, 2] + rng.normal(scale=0.4, size=30) > 0.3, "DIE", "LIVE")
    names = ["AGE", "SGOT", "PROTIME"]
    entry = {"name": "hepatitis", "columns": [{"name": name, "type": "numeric"} for name in names]}
    _csv(folder / "hepatitis.csv", [*names, "class"], [[*x, y] for x, y in zip(liver, sick, strict=True)])
    (folder / "datasets.json").write_text(json.dumps({"datasets": [zoo_entry, entry]}))
    return folder


def _csv(path, header, rows):
    path.write_text("\n".join(",".join(map(str, row)) for row in [header, *rows]) + "\n")
