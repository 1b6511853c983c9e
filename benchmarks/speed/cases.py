"""The list of cases: what is done, on which data, against whom, and how fast it has to be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "fit",
    "many fits",
    "priced fit",
    "look-ahead",
    "evolution",
    "predict",
    "predict codes",
    "one row",
    "one dictionary",
    "own one row",
    "scaling",
    "memory",
    "streamed",
]
Unit = Literal["ratio", "seconds", "speedup", "bytes"]

OURS = "thriftwood"
UNPRICED = "thriftwood without prices"
SKLEARN = "scikit-learn"
LIGHTGBM = "LightGBM"
HGB = "HistGradientBoosting"
XGBOOST = "XGBoost"
YDF = "YDF"
PEERS = (SKLEARN, LIGHTGBM, HGB, XGBOOST, YDF)

MIB = 1024 * 1024


@dataclass(frozen=True)
class Limit:
    """The figure to meet.

    `ratio` is ours over the fastest of `Case.judged`, `seconds` and `bytes` are ours alone: upper limits.
    `speedup` is our time with one thread over that with two: a lower limit.
    """

    value: float
    unit: Unit = "ratio"

    def met_by(self, score: float) -> bool:
        """Whether a score is on the right side of the limit.

        Examples
        --------
        >>> Limit(0.15).met_by(0.1), Limit(1.6, "speedup").met_by(1.5)
        (True, False)
        """
        return score >= self.value if self.unit == "speedup" else score <= self.value


@dataclass(frozen=True)
class Table:
    """The data of a case: a generator of `sample.py`, its rows, and its rows with `--quick`."""

    name: str
    rows: int
    quick_rows: int


@dataclass(frozen=True)
class Case:
    """One line of the table.

    Attributes
    ----------
    name, title : str
        What `--only` takes, and what the table shows.
    kind : str
        What is timed; see `worker.py`.
    table : Table
        The data.
    depth : int or None
        Depth limit of every tree; None grows until the leaves are pure.
    bins : int or None
        Our bins; None for exact thresholds. The peers are what they are.
    limit : Limit
        The figure to meet.
    judged, shown : tuple of str
        Peers that the limit speaks of, and peers that are timed beside them for information.
    most_rounds : int
        Upper bound on rounds, for cases in which one round takes minutes.
    """

    name: str
    title: str
    kind: Kind
    table: Table
    depth: int | None
    bins: int | None
    limit: Limit
    judged: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    most_rounds: int = 1000

    @property
    def peers(self) -> tuple[str, ...]:
        """Every peer that takes part, the judged ones first."""
        return self.judged + self.shown


_DENSE = Table("dense", 100_000, 2_000)
_MILLION = Table("dense", 1_000_000, 5_000)
_COUNTS = Table("counts", 2_000, 200)
_MIXED = Table("mixed", 200_000, 2_000)
_NOMINAL = Table("nominal", 200_000, 2_000)
_STREAMED = Table("mixed", 5_000_000, 2_000)
_SMALL = Table("small", 300, 300)
_FLOWS = Table("flows", 2_400, 120)
_HEART = Table("heart", 202, 202)  # two thirds of 303

_OTHERS = (LIGHTGBM, HGB, XGBOOST, YDF)
_TWICE = Limit(1.6, "speedup")
_MEMORY = Limit(2 * 1_000_000 * 30 + 200 * MIB, "bytes")  # a binned value is one byte

CASES: tuple[Case, ...] = (
    Case("exact-depth8", "exact, 100,000 x 30, depth 8",
         "fit", _DENSE, 8, None, Limit(0.15), (SKLEARN,), _OTHERS),
    Case("exact-unlimited", "exact, 100,000 x 30, unlimited",
         "fit", _DENSE, None, None, Limit(0.22), (SKLEARN,), _OTHERS),
    Case("binned-depth8", "binned, 1,000,000 x 30, depth 8, binning included",
         "fit", _MILLION, 8, 256, Limit(0.35), (LIGHTGBM, HGB, XGBOOST)),
    Case("counts", "counts, 2,000 x 20,000, unlimited",
         "fit", _COUNTS, None, None, Limit(0.25), (SKLEARN,), (XGBOOST,), most_rounds=3),
    Case("mixed-unlimited", "mixed, 200,000 rows, 10 nominal + 10 numeric, unlimited",
         "fit", _MIXED, None, None, Limit(0.35), (SKLEARN,), _OTHERS),
    Case("mixed-depth8", "mixed, 200,000 rows, 10 nominal + 10 numeric, depth 8, binned",
         "fit", _MIXED, 8, 256, Limit(1.0), (HGB,), (LIGHTGBM, XGBOOST, YDF)),
    Case("small-fit", "small, 300 x 13, one fit through the estimator",
         "fit", _SMALL, None, None, Limit(0.2), (SKLEARN,), _OTHERS),
    Case("small-many", "small, 300 x 13, a fit among many in one native call",
         "many fits", _SMALL, None, None, Limit(0.06), (SKLEARN,)),
    Case("predict-million", "predict 1,000,000 rows, depth 8, float32",
         "predict", _MILLION, 8, None, Limit(0.35), (SKLEARN,), _OTHERS),
    Case("predict-one", "predict one row, `predict`",
         "one row", _DENSE, 8, None, Limit(0.25), (SKLEARN,), _OTHERS),
    Case("predict-one-own", "predict one row, the tree's own call",
         "own one row", _DENSE, 8, None, Limit(3e-6, "seconds"), (), (SKLEARN,)),
    Case("predict-one-frame", "predict one row, a pandas frame of 10 nominal + 10 numeric columns",
         "one row", _MIXED, 8, None, Limit(5e-4, "seconds"), (), (SKLEARN,)),
    Case("decide-one", "predict one row, a dictionary of 10 nominal + 10 numeric values, `decide`",
         "one dictionary", _MIXED, 8, None, Limit(5e-5, "seconds"), (), (SKLEARN,)),
    Case("predict-categories", "predict 200,000 rows, 10 nominal columns, depth 8, a frame of categories",
         "predict", _NOMINAL, 8, None, Limit(0.5), (SKLEARN,), (LIGHTGBM,)),
    Case("predict-codes", "predict 200,000 rows, 10 nominal columns, depth 8, codes as floats",
         "predict codes", _NOMINAL, 8, None, Limit(1.0), (SKLEARN,), (LIGHTGBM,)),
    Case("scaling-exact", "two threads: exact, 100,000 x 30, depth 8",
         "scaling", _DENSE, 8, None, _TWICE),
    Case("scaling-binned", "two threads: binned, 1,000,000 x 30, depth 8",
         "scaling", _MILLION, 8, 256, _TWICE),
    Case("scaling-mixed", "two threads: mixed, 200,000 rows, unlimited",
         "scaling", _MIXED, None, None, _TWICE),
    Case("scaling-mixed-binned", "two threads: mixed, 200,000 rows, depth 8, binned",
         "scaling", _MIXED, 8, 256, _TWICE),
    Case("priced-profile", "csgain with context costs, counts, 2,000 x 20,000",
         "priced fit", _COUNTS, None, None, Limit(2.0), (UNPRICED,), most_rounds=3),
    Case("lasc", "looking ahead (lasc), 2,400 x 88, 8 classes, unlimited",
         "look-ahead", _FLOWS, None, None, Limit(5.0, "seconds"), most_rounds=3),
    Case("cocost", "cocost as published, 16 x 10 trees of lasc, 2,400 x 88 (two threads: half)",
         "look-ahead", _FLOWS, None, None, Limit(100.0, "seconds"), most_rounds=1),
    Case("icet", "icet, heart, 202 x 13, a run of 1,000 trees; beside it 1,000 fits",
         "evolution", _HEART, None, None, Limit(1.0, "seconds"), (), (SKLEARN,), most_rounds=3),
    Case("ecco", "ecco, heart, 202 x 13, depth 5, a tree among 20,000; beside it a fit among 20,000",
         "evolution", _HEART, 5, None, Limit(2e-6, "seconds"), (), (SKLEARN,), most_rounds=3),
    Case("memory-binned", "peak memory: binned, 1,000,000 x 30, depth 8",
         "memory", _MILLION, 8, 256, _MEMORY),
    Case("streamed", "peak memory: predict a Parquet file of 5,000,000 x 20 into another",
         "streamed", _STREAMED, 8, None, Limit(400 * MIB, "bytes")),
)  # fmt: skip


def choose(names: list[str]) -> tuple[Case, ...]:
    """The named cases in the order of the table; all of them when no name is given.

    Examples
    --------
    >>> [case.name for case in choose(["small-fit", "counts"])]
    ['counts', 'small-fit']
    """
    known = [case.name for case in CASES]
    for name in names:
        if name not in known:
            raise ValueError(f"There is no case {name!r}. Cases: {', '.join(known)}.")
    return tuple(case for case in CASES if not names or case.name in names)
