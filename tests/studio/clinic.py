"""A small table whose prices are of every kind."""

import numpy as np
import pandas as pd

import thriftwood as tw

HOSTILE = "<img src=x onerror=alert(1)>"


def clinic_of_every_price():
    """Prices of every kind: shared, in groups, late; an answer that is no class; today's panel."""
    rng = np.random.default_rng(3)
    sick = rng.random(300) < 0.3
    X = pd.DataFrame(
        {
            "age": rng.integers(20, 80, 300) + 8 * sick,
            "pain": np.where(rng.random(300) < 0.7, np.where(sick, "typical", "none"), "atypical"),
            "TSH": np.round(sick * 2 + rng.normal(size=300), 2),
            "T3": np.round(sick * 3 + rng.normal(size=300), 2),
            "scan": np.round(sick * 4 + rng.normal(size=300), 2),
        }
    )
    X.loc[::9, "T3"] = np.nan
    costs = tw.Costs(
        {
            "pain": 1,
            "TSH": tw.Test(6, needs=["blood"], group="thyroid", after=4),
            "T3": tw.Test(9, needs=["blood"], group="thyroid", after=5, delayed=True),
            "scan": 60,
        },
        {"blood": 3},
        errors={"sick": {"well": 200}, "well": {"sick": 80}},
        answers={"refer": 45},
        today=["TSH", "T3"],
        currency="EUR",
        case_name="patient",
    )
    return X, np.where(sick, "sick", "well"), costs
