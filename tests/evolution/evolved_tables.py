"""Tables and costs of every kind, for hypothesis."""

import numpy as np
import pandas as pd
from hypothesis import strategies as st

import thriftwood as tw

CELL = st.one_of(st.none(), st.integers(-2, 4), st.floats(-1, 1))


@st.composite
def tables(draw, least=2):
    n = draw(st.integers(least, 25))
    numbers = draw(st.lists(CELL, min_size=n, max_size=n))
    words = draw(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=n, max_size=n))
    X = pd.DataFrame(
        {
            "number": [np.nan if value is None else float(value) for value in numbers],
            "word": pd.Series(words, dtype=object),
            "rank": draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)),
        }
    )
    y = draw(st.lists(st.sampled_from("xyz"), min_size=n, max_size=n))
    return X, y


@st.composite
def price_lists(draw):
    price = st.floats(0, 10, allow_subnormal=False)
    delayed = st.booleans()
    return tw.Costs(
        {
            "number": tw.Test(draw(price), needs=["lab"], delayed=draw(delayed)),
            "word": tw.Test(1 + draw(price), needs=["lab"], group="same", after=draw(st.floats(0, 1))),
            "rank": tw.Test(
                1 + draw(price), group="same", after=draw(st.floats(0, 1)), delayed=draw(delayed)
            ),
        },
        shared={"lab": draw(price)},
        errors_default=draw(st.floats(0.5, 100)),
        payment=draw(st.sampled_from(["sequential", "upfront"])),
        charge_missing=draw(st.booleans()),
    )
