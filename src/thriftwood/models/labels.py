"""Class labels as class numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import column_or_1d

COMPARED = "Uiub"
"""Kinds of labels that NumPy compares as Python does, in a fraction of the time: texts, integers, flags."""
_PLAIN = {bool: "b", int: "iu", float: "f"}
SHOWN = 5  # unknown labels listed in a message


def named(classes: NDArray[Any], numbers: NDArray[np.int32]) -> NDArray[Any]:
    """Return the classes of class numbers.

    Examples
    --------
    >>> named(np.array(["no", "yes"]), np.array([1, 0], dtype=np.int32))
    array(['yes', 'no'], dtype='<U3')
    """
    return classes.take(numbers)  # half to two thirds of the time of an index


def class_array(values: Iterable[Any]) -> NDArray[Any]:
    r"""Return classes, or answers, in the type that they alone decide: whichever container they came in.

    Texts are NumPy's, not objects, and so are truths, whole numbers and floats that came as objects. Texts
    that end with a zero stay objects, as NumPy's cannot end so; so does what is mixed or none of these.

    Examples
    --------
    >>> class_array(np.array(["no", "yes"], dtype=object)), class_array([False, True]).dtype
    (array(['no', 'yes'], dtype='<U3'), dtype('bool'))
    >>> class_array(["a", "a\0"]).dtype
    dtype('O')
    """
    listed = [value.item() if isinstance(value, np.generic) else value for value in values]
    objects = np.empty(len(listed), dtype=object)
    objects[:] = listed
    kinds = set(map(type, listed))
    if len(kinds) != 1:
        return objects
    (kind,) = kinds
    if kind is str:
        return objects if any(text.endswith("\0") for text in listed) else np.array(listed)
    if kind not in _PLAIN:
        return objects
    array = np.array(listed)
    return array if array.dtype.kind in _PLAIN[kind] else objects  # 2**64 is no integer of NumPy's


def with_further(classes: NDArray[Any], further: Sequence[str]) -> NDArray[Any]:
    """Return the classes and then the answers that are none; as objects, unless classes are texts, too.

    Examples
    --------
    >>> with_further(np.array(["no", "yes"]), ["refer"]), with_further(np.array([0, 1]), ["refer"])
    (array(['no', 'yes', 'refer'], dtype='<U5'), array([0, 1, 'refer'], dtype=object))
    """
    listed = [*classes.tolist(), *further]
    if classes.dtype.kind == "U":
        return np.array(listed)
    answers = np.empty(len(listed), dtype=object)
    answers[:] = listed
    return answers


def class_numbers(y: Any, classes: NDArray[Any], n_rows: int) -> NDArray[np.int32]:
    """Return the class number of every case.

    Examples
    --------
    >>> class_numbers(["yes", "no"], np.array(["no", "yes"]), 2)
    array([1, 0], dtype=int32)
    """
    given = one_per_case(y, n_rows)
    if given.dtype.kind == classes.dtype.kind and given.dtype.kind in COMPARED:
        order = np.argsort(classes)
        place = order[np.minimum(np.searchsorted(classes, given, sorter=order), len(classes) - 1)]
        if (classes[place] == given).all():
            return place.astype(np.int32)
    labels = given.tolist()
    number = {label: code for code, label in enumerate(classes.tolist())}
    try:
        return np.fromiter(map(number.__getitem__, labels), dtype=np.int32, count=n_rows)
    except KeyError:
        unknown = list(dict.fromkeys(label for label in labels if label not in number))
        more = f" and {len(unknown) - SHOWN} more" if len(unknown) > SHOWN else ""
        raise ValueError(
            f"y has labels that the model does not know: {', '.join(map(repr, unknown[:SHOWN]))}{more}. Its "
            f"classes are {', '.join(map(repr, number))}."
        ) from None


def one_per_case(y: Any, n_rows: int) -> NDArray[Any]:
    """Return the true answers as a 1-D array, one for each row."""
    values: NDArray[Any] = np.asarray(y)
    if values.ndim != 1:  # looking takes 100 us, which is much for a stream of single cases
        values = np.asarray(column_or_1d(values, warn=True))
    if len(values) != n_rows:
        raise ValueError(f"X has {n_rows} rows and y has {len(values)}. Give one true answer for each row.")
    return values
