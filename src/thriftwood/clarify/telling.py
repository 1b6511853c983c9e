"""What a user reads of a diagnosis: the message, with as much doubt as its confidence leaves.

One rule for the command line, `explain` and exported C, whose tables are written from it. It needs nothing
but the standard library, because it is loaded by programs that explain themselves.

    confidence above 80 %     A brace is not closed.
    above 50 %                Probably: A brace is not closed.
    otherwise                 Perhaps: A brace is not closed.

What rests on nothing having been seen is said as if it were 80 % sure at most: a cause that nobody recorded
is not seen either. Up to 80 %, a second cause is named on a line of its own where it is close: where at least
half as many recorded runs like this one had it. Before all that stands why the label may not hold at all: a
run that is like none that was recorded, one that ended as no recorded run of the label did, a label that
rests on functions which changed. Where it is the ending that is doubted, the second cause is one that is
close and has runs which ended so, however sure the first one is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

FACT = 0.8
"""What is surer than this is said as it is. What is surer and wrong counts as misleading."""
LIKELY = 0.5
CLOSE = 0.5
"""A second cause is close if it has this part of the first one's runs at the leaf."""
UNKNOWN = "This does not look like anything that was recorded."
OTHERWISE = "\nOr: "
"""Stands between two causes that are close."""
NEAREST = " What was seen is most like: "
"""Stands between a doubt and the text of the label that is doubted."""
SUCCESS = "exit 0"


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


def stated(confidence: float, *, nothing_seen: bool) -> float:
    """Return the confidence that a message is worded by: no fact where nothing that was asked was seen.

    Examples
    --------
    >>> stated(0.95, nothing_seen=False), stated(0.95, nothing_seen=True), stated(0.3, nothing_seen=True)
    (0.95, 0.8, 0.3)
    """
    return min(confidence, FACT) if nothing_seen else confidence


def near(label: str, shares: Mapping[str, float]) -> list[str]:
    """List the causes that are close to a label, the commonest first.

    Examples
    --------
    >>> near("brace", {"brace": 6, "comma": 3, "colon": 2, "quote": 5})
    ['quote', 'comma']
    """
    close = [other for other in shares if other != label and 0 < CLOSE * shares[label] <= shares[other]]
    return sorted(close, key=lambda other: -shares[other])


def close_to(
    label: str,
    confidence: float,
    shares: Mapping[str, float],
    ended: str | None = None,
    known: Mapping[str, Mapping[str, int]] | None = None,
) -> str | None:
    """Return the cause that is to be named beside a label; None if none is close.

    Parameters
    ----------
    label : str
        What the leaf answers.
    confidence : float
        How sure that is, as it is stated.
    shares : mapping of str to float
        Of every label at the leaf; counts of runs do as well.
    ended, known
        As for `doubt_about`. Where no recorded run of the label ended so, one of a label is named that did.

    Examples
    --------
    >>> close_to("brace", 0.5, {"brace": 6, "comma": 3, "colon": 2})
    'comma'
    >>> close_to("brace", 0.5, {"brace": 7, "comma": 3, "colon": 2}) is None
    True
    >>> close_to("a", 0.9, {"a": 3, "b": 3, "c": 2}, "exit 3", {"a": {"exit 1": 9}, "c": {"exit 3": 9}})
    'c'
    """
    others = near(label, shares)
    if known and ended is not None and ended not in known.get(label, {}):
        others = [other for other in others if ended in known.get(other, {})]
    elif confidence > FACT:
        return None
    return others[0] if others else None


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


def doubt_about(
    label: str,
    ended: str | None,
    known: Mapping[str, Mapping[str, int]],
    in_doubt: Collection[str] = (),
) -> str | None:
    """Say why a label may not hold for a run that ended so; None if recorded runs of it ended so too.

    Parameters
    ----------
    label : str
        What the leaf answers.
    ended : str or None
        How the run ended: ``exit 1``, ``signal 11``, ``timeout``; None if nobody knows.
    known : mapping of str to (mapping of str to int)
        For each label, how many recorded runs ended how; empty if nobody knows.
    in_doubt : collection of str
        Labels that another build put in doubt.

    Examples
    --------
    >>> known = {"brace": {"exit 1": 8}, "fine": {"exit 0": 9}}
    >>> doubt_about("brace", "exit 1", known) is None
    True
    >>> print(doubt_about("brace", "signal 11", known))
    No recorded run ended like this one (signal 11), but with exit 0, exit 1. Its cause may not be recorded.
    >>> print(doubt_about("brace", "exit 0", known))
    The run did not fail (exit 0). Recorded runs of 'brace' ended with exit 1.
    """
    of_label = known.get(label, {})
    if not known or ended is None or ended in of_label:
        return changed(label) if label in in_doubt else None
    everywhere = sorted({words for counts in known.values() for words in counts})
    theirs = f"Recorded runs of {label!r} ended with {', '.join(of_label)}."
    if ended == SUCCESS:
        return f"The run did not fail ({SUCCESS}). {theirs}"
    if ended in everywhere:
        return f"The run ended with {ended}. {theirs}"
    return (
        f"No recorded run ended like this one ({ended}), but with {', '.join(everywhere)}. "
        "Its cause may not be recorded."
    )


def changed(label: str) -> str:
    """Say of a label that another build put it in doubt."""
    return f"{label!r} rests on functions that changed since it was recorded."


def said_of(
    text: str, confidence: float, other: str | None, *, ended: str | None, doubt: str | None, unknown: bool
) -> str:
    """Return what a user reads of a run: the one place where it is decided which of all that is said.

    Parameters
    ----------
    text : str
        What is said for the label.
    confidence, other
        As for `told`.
    ended : str or None
        How the run ended.
    doubt : str or None
        What `doubt_about` says.
    unknown : bool
        Whether the run is like none that was recorded.

    Examples
    --------
    >>> doubt = "The run ended with exit 2. Recorded runs of 'brace' ended with exit 1."
    >>> print(said_of("A brace is missing.", 0.9, None, ended="exit 2", doubt=doubt, unknown=True))
    This does not look like anything that was recorded.
    """
    if ended == SUCCESS and doubt is not None:
        return doubt
    if unknown:
        return UNKNOWN
    if doubt is None:
        return told(text, confidence, other)
    return f"{doubt}{NEAREST}{text}" + ("" if other is None else f"{OTHERWISE}{other}")
