"""What is to be predicted and how much each case counts, checked and in the core's types."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from thriftwood import _core
from thriftwood.base.callers import callers_level
from thriftwood.models.labels import class_array, class_numbers
from thriftwood.table.frames import series_values
from thriftwood.table.values import is_missing, time_error

Labels = NDArray[np.int32]
Numbers = NDArray[np.float64]

# Sums of weights, of squared targets and of their squares (their standard error) must stay ordinary numbers.
MOST_WEIGHT = 1e50
_LEAST_WEIGHT = 1e-50
_LARGEST_NUMBER = 1e60
_ROUNDING = 1e-9

# Integer labels that span at most this many more values than there are cases are counted, not sorted.
_SPREAD = 4096


def class_labels(y: Any, n_rows: int) -> tuple[NDArray[Any], Labels]:
    """Return the sorted classes and the number of each case's class.

    Their type depends on the classes alone, not on what y came in (`class_array`): a model of a frame, of an
    array and of a file read in parts is the same to its last byte.

    Examples
    --------
    >>> class_labels(["sick", "well", "sick"], 3)
    (array(['sick', 'well'], dtype='<U4'), array([0, 1, 0], dtype=int32))
    """
    if type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "iub" and len(y) == n_rows:
        counted = _counted(y)
        if counted is not None:
            return counted
    values = _column(given_labels(y), n_rows)
    if values.dtype.kind == "O":
        named = _named(values.tolist())
        if named is not None:
            return named
        _refuse_missing(values)
    elif values.dtype.kind in "iub" and values is not y:
        counted = _counted(values)
        if counted is not None:
            return counted
    elif values.dtype.kind == "f":
        _refuse_unfinite(values)
    elif values.dtype.kind in "mM":
        raise time_error("column 'y'", str(values.dtype))
    check_classification_targets(values)
    try:
        classes, labels = np.unique(values, return_inverse=True)
    except TypeError:
        kinds = sorted({type(value).__name__ for value in values})
        raise TypeError(
            f"The classes in y cannot be put in order: they are of types {', '.join(kinds)}. Make all labels "
            "text, or all numbers."
        ) from None
    return class_array(classes) if classes.dtype.kind == "O" else classes, labels.astype(np.int32)


def given_labels(y: Any) -> Any:
    """Return labels as they were given, but truths and numbers that came as objects in NumPy's types.

    Examples
    --------
    >>> given_labels(np.array([True, False], dtype=object))
    array([ True, False])
    """
    read = series_values(y, "y")
    values = read if read is not None else np.asarray(y) if hasattr(y, "dtype") else y
    if not (isinstance(values, np.ndarray) and values.dtype.kind == "O" and values.ndim == 1):
        return values
    return values if str in set(map(type, values)) else class_array(values)


def numbers(y: Any, n_rows: int) -> Numbers:
    """Return the numbers to predict as finite, contiguous float64."""
    if type(y) is not np.ndarray or y.ndim != 1 or len(y) != n_rows:
        y = _column(y, n_rows)
    try:
        values = _as_floats(y)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(
            f"y must hold numbers, and it holds values such as {str(y[0])!r}. For classes use "
            "CostTreeClassifier."
        ) from None
    return finite_numbers(values)


def finite_numbers(values: Numbers, first_row: int = 0) -> Numbers:
    """Return numbers to predict; an error, with the row, if one is missing, infinite or too large."""
    _refuse_unfinite(values, first_row)
    size = np.abs(values)
    if size.max() > _LARGEST_NUMBER:
        row = int(size.argmax())
        raise ValueError(
            f"Input y contains {values[row]} in row {first_row + row}; numbers to predict may be as large as "
            f"{_LARGEST_NUMBER:g}, so that their squares can be summed. Give y in another unit."
        )
    return values


def share_right(answers: Labels, y: Any, classes: NDArray[Any], sample_weight: Any) -> float:
    """Return the share of cases whose answer is their class; of numbers beyond the classes none is.

    Examples
    --------
    >>> share_right(np.array([0, 2, 1], dtype=np.int32), ["a", "b", "b"], np.array(["a", "b"]), None)
    0.6666666666666666
    """
    right = answers == class_numbers(y, classes, len(answers))
    return float(np.average(right, weights=case_weights(sample_weight, len(answers))))


def case_weights(sample_weight: Any, n_rows: int, *, none_counts: bool = False) -> NDArray[np.float64] | None:
    """Return weights as contiguous float64, or None when every case counts once.

    `none_counts`: all may be 0, as in a batch of a stream; otherwise there would be nothing to learn from.
    """
    if sample_weight is None:
        return None
    try:
        weights = _as_floats(sample_weight)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(
            f"sample_weight must hold one number per case. This {type(sample_weight).__name__} does not."
        ) from None
    if weights.ndim == 0:
        weights = np.full(n_rows, weights)
    if weights.shape != (n_rows,):
        raise ValueError(
            f"sample_weight must have one number per case, shape ({n_rows},). Got shape {weights.shape}."
        )
    if not np.isfinite(weights).all() or weights.min() < 0:
        row = int(np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))[0])
        raise ValueError(f"sample_weight must be finite and not negative. Got {weights[row]} in row {row}.")
    if not weights.any():
        if none_counts:
            return weights
        raise ValueError("sample_weight is zero for every case, so no case counts.")
    with np.errstate(over="ignore"):
        total = float(weights.sum())
    if not _LEAST_WEIGHT <= total <= MOST_WEIGHT:
        raise ValueError(
            f"sample_weight adds up to {total:g}, and squares of it to what no float64 holds. Scale it to "
            f"between {_LEAST_WEIGHT:g} and {MOST_WEIGHT:g} in all, for example to a mean of 1."
        )
    return weights


def training_weights(sample_weight: Any, n_rows: int) -> NDArray[np.float64] | None:
    """Return the weights to learn with: `case_weights` that count cases, see `counting_cases`."""
    weights = case_weights(sample_weight, n_rows)
    return None if weights is None else counting_cases(weights)


def are_shares(weights: NDArray[np.float64]) -> bool:
    """Tell whether weights are shares of a table rather than numbers of cases: they add up to 1 or less."""
    return bool(weights.sum() <= 1.0 + _ROUNDING)


def counting_cases(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scale weights that are shares to the number of cases.

    Minimum sizes and the doubt about small leaves are in cases. Weights such as scikit-learn's AdaBoost
    gives would make a single leaf of every tree.

    Examples
    --------
    >>> counting_cases(np.array([0.5, 0.25, 0.25, 0.0]))
    array([1.5 , 0.75, 0.75, 0.  ])
    >>> counting_cases(np.array([1.0, 3.0, 0.5]))
    array([1. , 3. , 0.5])
    """
    return weights * (np.count_nonzero(weights) / weights.sum()) if are_shares(weights) else weights


def warn_if_light(weights: NDArray[np.float64] | None, settings: _core.Settings) -> None:
    """Warn of weights by which no node could be split, although there are cases enough."""
    if weights is None:
        return
    needed = max(settings.min_split_weight, 2.0 * settings.min_branch_weight)
    cases, total = np.count_nonzero(weights), weights.sum()
    if total < needed * (1.0 - _ROUNDING) and cases >= needed:
        warnings.warn(
            f"sample_weight adds up to {total:g} for {cases} cases, and what is lighter than {needed:g} is "
            "not split, so the tree is a single leaf. Multiply the weights until a case counts about 1.",
            stacklevel=callers_level(),
        )


def warn_if_coarse(
    y: NDArray[np.float64], weights: NDArray[np.float64] | None, settings: _core.Settings
) -> None:
    """Warn of a range of numbers so large that rounding for bins takes away what most of them differ by.

    Sums are exact where bins are used, and numbers rounded for it (`core/splitting/exact_numbers.hpp`): to
    the range divided by 2^51, by as little as 2^35 where weights need all their bits. A thousand numbers tell
    what most differ by.
    """
    if weights is not None:
        y, weights = y[weights > 0.0], weights[weights > 0.0]
    if settings.bins == 0 or len(y) == 0:
        return
    step = _step(y, weights)
    some = y[:: max(1, len(y) // 1000)]
    distances = np.abs(some - np.median(some))
    apart = float(np.median(distances))
    if apart == 0.0 and distances.any():  # most are alike, such as claims of 0: then the others tell
        apart = float(np.median(distances[distances > 0.0]))
    if 0.0 < apart < 1e3 * step:
        warnings.warn(
            f"The numbers to predict reach from {y.min():g} to {y.max():g}, and half of them lie within "
            f"{apart:.3g} of their median. With bins they are rounded to steps of up to {step:.3g}. Look at "
            "the largest ones, or pass growth=Growth(bins=None), which rounds nothing.",
            stacklevel=callers_level(),
        )


def _step(y: NDArray[np.float64], weights: NDArray[np.float64] | None) -> float:
    """Return what numbers of such a range are rounded to multiples of, where bins are used."""
    width = float(y.max() - y.min())
    if weights is None:
        return _core.number_grid(0.0, width, len(y))[0]
    largest = float(weights.max())
    grid = _core.exact_grid(len(y), largest, _core.common_step(weights))
    return _core.number_grid(0.0, width, len(y), grid, largest)[0]


def _counted(y: NDArray[Any]) -> tuple[NDArray[Any], Labels] | None:
    """Number the classes by counting; None when they lie too far apart or too far out."""
    low, high = int(np.minimum.reduce(y)), int(np.maximum.reduce(y))
    if high - low > _SPREAD + len(y) or high >= 2**62:
        return None
    offsets = y.astype(np.int64)  # because the difference of two int8 need not be an int8
    if low:
        offsets -= low
    counts = np.bincount(offsets)
    if np.count_nonzero(counts) == len(counts):  # a fourth of the time of `all`, which counts in small tables
        labels = offsets.astype(np.int32)
        classes = np.arange(low, low + len(counts))
    else:
        classes = np.flatnonzero(counts)
        rank = np.zeros(len(counts), dtype=np.int32)
        rank[classes] = np.arange(len(classes), dtype=np.int32)
        labels = rank[offsets]
        classes += low
    return classes.astype(y.dtype), labels


def _named(labels: list[Any]) -> tuple[NDArray[Any], Labels] | None:
    """Number texts without sorting all of them; None when some are none, or too many differ to be classes."""
    if set(map(type, labels)) != {str}:
        return None
    names = sorted(set(labels))
    if 2 * len(names) > len(labels):
        return None  # scikit-learn warns of it
    number = {name: code for code, name in enumerate(names)}
    return class_array(names), np.fromiter(map(number.__getitem__, labels), np.int32, count=len(labels))


def _column(y: Any, n_rows: int) -> NDArray[Any]:
    if y is None:
        raise ValueError("This estimator requires y to be passed, but the target y is None.")
    values: NDArray[Any] = np.asarray(column_or_1d(y, warn=True))
    if len(values) != n_rows:
        raise ValueError(f"X has {n_rows} rows and y has {len(values)}. Give one target for each row.")
    return values


def _as_floats(values: Any) -> Numbers:
    """Return contiguous float64; a TypeError for what numpy would turn into other numbers."""
    array = np.asarray(values)
    if array.dtype.kind in "cmM":
        raise TypeError(f"{array.dtype} is no type of real numbers")
    return np.asarray(array, dtype=np.float64, order="C")


def _refuse_unfinite(values: NDArray[Any], first_row: int = 0) -> None:
    finite = np.isfinite(values)
    if not finite.all():
        row = int(np.flatnonzero(~finite)[0])
        what = "NaN" if np.isnan(values[row]) else "infinity"
        place = first_row + row
        raise ValueError(f"Input y contains {what}.\nIt is in row {place}. Drop the row or give it a value.")


def _refuse_missing(values: NDArray[Any]) -> None:
    for row, value in enumerate(values):
        if is_missing(value):
            raise ValueError(
                f"Input y contains NaN or another missing value.\nIt is {value!r} in row {row}. Drop the "
                "row, or make 'unknown' a class of its own."
            )
