"""Two small tables in the form of Lomax's benchmark, with groups and several columns of an attribute."""

import numpy as np

SIZES = {"lamp": (90, 2), "pump": (120, 3)}
ATTRIBUTES = (
    "Attribute-name test-cost discount group binarize-begin binarize-end",
    "colour 4 4 x 0 2",
    "sound 6 1 a 3 3",
    "smell 9 2 a 4 5",
    "weight 3 3 x 6 6",
)


def write_small_lomax(folder):
    """Write tables, divisions and costs into the folder ``lomax`` of a folder."""
    target = folder / "lomax"
    target.mkdir(parents=True)
    for seed, (name, (rows, classes)) in enumerate(SIZES.items()):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 2, (rows, 7)).astype(np.uint8)
        y = (X[:, 0] + X[:, 3] * X[:, 5] + (rng.random(rows) < 0.1)) % classes
        tested = np.full((4, rows // 4 + 2), -1)
        for line in tested:
            line[: rows // 4] = np.sort(rng.choice(rows, rows // 4, replace=False))
        np.savez(target / f"{name}.npz", X=X, y=y.astype(np.uint8), test_rows=tested)
        for level, scale in (("low", 5), ("middle", 30), ("high", 200)):
            matrix = scale * (1 + np.arange(classes))[:, None] * (1 - np.eye(classes, dtype=int))
            lines = [" ".join(map(str, row)) for row in matrix]
            (target / f"{name}-{level}-costs.csv").write_text("\n".join([*lines, *ATTRIBUTES]) + "\n")
    return folder
