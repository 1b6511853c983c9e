"""What a user reads of a diagnosis: the message, with as much doubt as its confidence leaves.

One rule for the command line, `explain` and exported C, whose tables are written from it. It needs nothing
but the standard library, because it is loaded by programs that explain themselves.

    confidence above 80 %     A brace is not closed.
    above 50 %                Probably: A brace is not closed.
    otherwise                 Perhaps: A brace is not closed.

Below 80 %, a second cause is named on a line of its own where it is close: where at least half as many
recorded runs like this one had it.
"""

from __future__ import annotations

from collections.abc import Mapping

FACT = 0.8
"""What is surer than this is said as it is. What is surer and wrong counts as misleading."""
LIKELY = 0.5
CLOSE = 0.5
"""A second cause is close if it has this part of the first one's runs at the leaf."""
UNKNOWN = "This does not look like anything that was recorded."
OTHERWISE = "\nOr: "
"""Stands between two causes that are close."""


def opening(confidence: float) -> str:
    """Return the words in front of a message that is so sure.

    Examples
    --------
    >>> [opening(sure) for sure in (0.81, 0.8, 0.29)]
    ['', 'Probably: ', 'Perhaps: ']
    """
    if confidence > FACT:
        return ""
    return "Probably: " if confidence > LIKELY else "Perhaps: "


def close_to(label: str, confidence: float, shares: Mapping[str, float]) -> str | None:
    """Return the cause that is to be named beside a label; None if none is close.

    Parameters
    ----------
    label : str
        What the leaf answers.
    confidence : float
        How sure that is.
    shares : mapping of str to float
        Of every label at the leaf; counts of runs do as well.

    Examples
    --------
    >>> close_to("brace", 0.5, {"brace": 6, "comma": 3, "colon": 2})
    'comma'
    >>> close_to("brace", 0.5, {"brace": 7, "comma": 3, "colon": 2}) is None
    True
    """
    others = [other for other in shares if other != label]
    if confidence > FACT or not others:
        return None
    second = max(others, key=lambda other: shares[other])
    return second if 0 < CLOSE * shares[label] <= shares[second] else None


def told(text: str, confidence: float, other: str | None = None) -> str:
    r"""Return what a user reads: the text of a cause, and of another where that is close.

    Examples
    --------
    >>> told("A brace is not closed.", 0.9)
    'A brace is not closed.'
    >>> told("A brace is not closed.", 0.4, "A comma is missing.")
    'Perhaps: A brace is not closed.\nOr: A comma is missing.'
    """
    said = f"{opening(confidence)}{text}"
    return said if other is None else f"{said}{OTHERWISE}{other}"
