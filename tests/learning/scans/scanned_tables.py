"""Tables for tests of scans: random ones with everything in them, and model files to be compared."""

import numpy as np
import pyarrow as pa


def mixed_table(seed, n, *, classes=2, missing=0.1, categories=5, numbers=False):
    """A table of numbers, text and integers, with a target `y` and weights `w`."""
    rng = np.random.default_rng(seed)
    number = rng.normal(size=n)
    text = rng.integers(0, categories, n)
    small = rng.integers(0, 4, n)
    signal = (number > 0.3).astype(int) + (text % 3 == 1) + (rng.random(n) < 0.2)
    gaps = rng.random((3, n)) < missing
    target = number + small + rng.normal(size=n) if numbers else [f"class {k % classes}" for k in signal]
    return pa.table(
        {
            "number": pa.array(np.where(gaps[0], np.nan, number)),
            "text": pa.array(
                [None if gap else f"v{k}" for k, gap in zip(text, gaps[1], strict=True)], "string"
            ),
            "small": pa.array(small.astype(np.int16), mask=gaps[2]),
            "single": pa.array(rng.normal(size=n).astype(np.float32).round(1)),
            "w": pa.array(np.where(rng.random(n) < 0.1, 0.0, rng.random(n) * 3 + 0.01)),
            "y": pa.array(target),
        }
    )


FEATURES = ["number", "text", "small", "single"]


def saved(model, folder):
    """The bytes of the model's file."""
    path = folder / "model.json"
    model.save(path)
    return path.read_bytes()


def fitted(model, table, *, weighted):
    """The model learnt in memory."""
    weights = table["w"].to_numpy() if weighted else None
    return model.fit(table.select(FEATURES), table["y"], sample_weight=weights)
