"""Settings of growth as published, for the learners by name and for the base trees of ensembles."""

from typing import Any

C45_GROWTH: dict[str, Any] = {
    "nominal": "multiway",
    "missing": "fractional",
    "min_split_weight": 4.0,
    "min_branch_weight": 2.0,
    "two_branches": True,
    "share_rule": True,
    "cut_penalty": True,
    "average_gain": True,
    "min_gap": 1e-5,
    "cut_at": "observed",
    "gain_floor": -0.001,
    "slack": 0.001,
    "bins": None,
}
LASC_GROWTH: dict[str, Any] = {
    "nominal": "value",
    "missing": "fractional",
    "min_split_weight": 4.0,
    "bins": None,
}
