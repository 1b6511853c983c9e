"""`make_stream`: a stream by its name."""

from __future__ import annotations

import inspect
from typing import Any

from thriftwood.base.parameters import nearest
from thriftwood.streams.generators.agrawal import Agrawal
from thriftwood.streams.generators.moving import Hyperplane, Rbf
from thriftwood.streams.generators.simple import Led, Sea, Waveform
from thriftwood.streams.generators.stream import Stream

STREAMS: dict[str, type[Stream]] = {
    "agrawal": Agrawal,
    "hyperplane": Hyperplane,
    "led": Led,
    "rbf": Rbf,
    "sea": Sea,
    "waveform": Waveform,
}


def make_stream(name: str, **settings: Any) -> Stream:
    """Make a stream of drawn cases.

    Parameters
    ----------
    name : {"agrawal", "hyperplane", "led", "rbf", "sea", "waveform"}
        Which. Each is a class of `thriftwood.streams`, which says what its settings mean.
    **settings
        Its settings, such as ``random_state``, ``noise`` and ``drift_every``.

    Returns
    -------
    Stream
        ``take(n)`` gives the next n cases as (X, y), ``batches(n, size)`` gives them by and by.

    Examples
    --------
    >>> stream = make_stream("sea", drift_every=10_000, random_state=1)
    >>> X, y = stream.take(5)
    >>> X.shape, y.tolist()
    ((5, 3), [1, 1, 1, 0, 1])
    """
    if name not in STREAMS:
        listed = ", ".join(map(repr, STREAMS))
        raise ValueError(f"There is no stream {name!r}.{nearest(str(name), STREAMS)} Choices: {listed}.")
    known = list(inspect.signature(STREAMS[name]).parameters)
    for setting in settings:
        if setting not in known:
            hint = nearest(setting, known)
            raise ValueError(
                f"The stream {name!r} has no setting {setting!r}.{hint} It has: {', '.join(known)}."
            )
    return STREAMS[name](**settings)
