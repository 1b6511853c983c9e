"""How the leaves of a classification tree smooth their class shares.

Weight is added to every class at a leaf before its shares are taken: 1 each (Laplace), or a weight m that is
divided as the classes of the training table are (m-estimate).
"""

from __future__ import annotations

from typing import Literal

from thriftwood import _core
from thriftwood.base.parameters import Real

Smoothing = Literal["laplace"] | float | None

SMOOTHING = Real(0.0, above=True, below=True, none=True, words=("laplace",))


def smoothing_of(smoothing: Smoothing) -> _core.Smoothing | None:
    """Return the smoothing as the core reads it; None: there is none.

    Examples
    --------
    >>> smoothing_of("laplace").laplace, smoothing_of(2).m
    (True, 2.0)
    """
    if smoothing is None:
        return None
    return _core.Smoothing(laplace=True) if smoothing == "laplace" else _core.Smoothing(m=float(smoothing))
