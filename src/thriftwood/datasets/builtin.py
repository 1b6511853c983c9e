"""The sets that need no download: what scikit-learn carries, the golf table, and generated problems.

``BUILT_IN`` is the one table of them; a new set is one more row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from thriftwood.costs import Costs
from thriftwood.datasets.columns import Column
from thriftwood.datasets.golf import golf_columns, golf_costs
from thriftwood.datasets.published import shipped_costs
from thriftwood.datasets.synthetic import MONKS_VALUES, make_led, make_monks, make_waveform


@dataclass(frozen=True)
class BuiltIn:
    """One set that needs no download: size, description, and how to make its columns (target last)."""

    rows: int
    features: int
    classes: int
    description: str
    columns: Callable[[], list[Column]]
    source: Literal["built in", "generated"] = "built in"
    costs: Callable[[], Costs | None] | None = None


def _sklearn(loader: str, **options: Any) -> list[Column]:
    import sklearn.datasets  # a second of processor time, which names of data sets do not need

    bunch = getattr(sklearn.datasets, loader)(**options)
    names = [str(name) for name in bunch.feature_names]
    columns = [Column.numeric(name, values) for name, values in zip(names, bunch.data.T, strict=True)]
    if "target_names" not in bunch:
        return [*columns, Column.numeric("class", bunch.target)]
    labels = [str(label) for label in bunch.target_names]
    return [*columns, _labels(bunch.target, labels)]


def _labels(y: npt.NDArray[Any], labels: list[str]) -> Column:
    return Column("class", "nominal", y.astype(np.int32), tuple(labels))


def _waveform(noise: bool) -> list[Column]:
    X, y = make_waveform(5000, seed=0, noise=noise)
    columns = [Column.numeric(f"x{j}", values) for j, values in enumerate(X.T, start=1)]
    return [*columns, _labels(y, ["0", "1", "2"])]


def _monks(problem: int) -> list[Column]:
    X, y = make_monks(problem)
    columns = [
        Column(f"a{j}", "nominal", (values - 1).astype(np.int32), tuple("1234"[:n_values]))
        for j, (values, n_values) in enumerate(zip(X.T, MONKS_VALUES, strict=True), start=1)
    ]
    return [*columns, _labels(y, ["0", "1"])]


def _led(irrelevant: int) -> list[Column]:
    X, y = make_led(1000, seed=0, irrelevant=irrelevant)
    names = [f"segment{j}" for j in range(1, 8)] + [f"coin{j}" for j in range(1, irrelevant + 1)]
    codes = X.T.astype(np.int32)
    columns = [Column(name, "nominal", bits, ("0", "1")) for name, bits in zip(names, codes, strict=True)]
    return [*columns, _labels(y, [str(digit) for digit in range(10)])]


_GOLF = "Quinlan's fourteen days: is the weather fit for play? (Quinlan, Induction of decision trees, 1986.) "
_SKLEARN = " Carried by scikit-learn."
_MONKS = "The monk's problem {}, all 432 combinations, no noise (Thrun and others 1991): {}."

BUILT_IN: dict[str, BuiltIn] = {
    "golf": BuiltIn(
        14, 4, 2, _GOLF + "Temperature and humidity are numbers.", partial(golf_columns, "golf")
    ),
    "golf-missing": BuiltIn(
        14, 4, 2, _GOLF + "As golf, with the outlook of the twelfth day missing.",
        partial(golf_columns, "golf-missing"),
    ),
    "golf-nominal": BuiltIn(
        14, 4, 2, _GOLF + "All four columns are nominal. The prices are an example price list.",
        partial(golf_columns, "golf-nominal"), costs=golf_costs,
    ),
    "iris": BuiltIn(
        150, 4, 3, "Three species of iris from four measurements (Fisher 1936)." + _SKLEARN,
        partial(_sklearn, "load_iris"),
    ),
    "wine": BuiltIn(
        178, 13, 3, "Three growers of wine from a chemical analysis (Forina and others 1988)." + _SKLEARN,
        partial(_sklearn, "load_wine"),
    ),
    "wisconsin-diagnostic": BuiltIn(
        569, 30, 2,
        "Breast cancer from measurements of cell nuclei in an image of a needle aspirate (Street, "
        "Wolberg and Mangasarian 1993)." + _SKLEARN + " The prices are invented for demonstrations.",
        partial(_sklearn, "load_breast_cancer"),
        costs=partial(shipped_costs, "wisconsin-diagnostic"),
    ),
    "digits": BuiltIn(
        1797, 64, 10, "Handwritten digits as 8 x 8 images (Alpaydin and Kaynak 1998)." + _SKLEARN,
        partial(_sklearn, "load_digits"),
    ),
    "diabetes-progression": BuiltIn(
        442, 10, 0,
        "How far diabetes went in a year, from ten measurements in their own units (Efron and others 2004); "
        "a regression problem. The Pima data are named diabetes." + _SKLEARN,
        partial(_sklearn, "load_diabetes", scaled=False),
    ),
    "waveform": BuiltIn(
        5000, 21, 3, "Breiman's waveforms with 21 attributes (make_waveform, seed 0).",
        partial(_waveform, False), "generated",
    ),
    "waveform-40": BuiltIn(
        5000, 40, 3, "Breiman's waveforms with 19 further attributes of noise (make_waveform, seed 0).",
        partial(_waveform, True), "generated",
    ),
    "led-7": BuiltIn(
        1000, 7, 10, "The faulty LED display, a tenth of the segments turned over (make_led, seed 0).",
        partial(_led, 0), "generated",
    ),
    "led-24": BuiltIn(
        1000, 24, 10, "The faulty LED display with 17 coin flips as further attributes (make_led, seed 0).",
        partial(_led, 17), "generated",
    ),
    "monks-1": BuiltIn(
        432, 6, 2, _MONKS.format(1, "a1 = a2 or a5 = 1"), partial(_monks, 1), "generated"
    ),
    "monks-2": BuiltIn(
        432, 6, 2, _MONKS.format(2, "exactly two attributes are 1"), partial(_monks, 2), "generated"
    ),
    "monks-3": BuiltIn(
        432, 6, 2, _MONKS.format(3, "a5 = 3 and a4 = 1, or a5 is not 4 and a2 is not 3"),
        partial(_monks, 3), "generated",
    ),
}  # fmt: skip
