"""Few runs and many weak signs: some trees are accurate by luck with the folds."""

import numpy as np

from thriftwood.clarify import Profile


def lucky_runs(seed, n=40):
    """Two labels, told by `dear` in nine runs of ten, by each of six cheap functions in three of four."""
    random = np.random.default_rng(seed)
    labels = [("one", "two")[k % 2] for k in range(n)]
    profiles = []
    for label in labels:
        counts = {"main": 1, "dear": 100 + 100 * ((label == "two") == (random.random() < 0.9))}
        counts |= {f"cheap{k}": 1 + ((label == "two") == (random.random() < 0.75)) for k in range(6)}
        profiles.append(Profile(tuple(counts), counts))
    return profiles, labels
