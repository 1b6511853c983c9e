"""What is unlike recorded runs, in words: for `diagnose --why`, and for programs that explain themselves.

It needs nothing but the standard library, because it is loaded by those.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from thriftwood.clarify.normal import Normal, Odd
from thriftwood.clarify.patterns import Pattern, Sign, in_words


def odd_words(
    normal: Normal,
    label: str,
    row: Sequence[float],
    odd: Sequence[tuple[Odd, float]],
    features: Sequence[Pattern | Sign],
) -> tuple[str, ...]:
    """Say what is odd about a run, the oddest first.

    Parameters
    ----------
    normal : Normal
        What is normal.
    label : str
        What the leaf answers.
    row : sequence of float
        The values of the tree's features.
    odd : sequence of (Odd, float)
        What `Normal.odd` found of it.
    features : sequence of Pattern or Sign
        What the tree may ask for.
    """
    ordered = sorted(odd, key=lambda one: -one[1])
    return tuple(_words(normal, label, row, what, features) for what, _ in ordered)


def _words(
    normal: Normal, label: str, row: Sequence[float], what: Odd, features: Sequence[Pattern | Sign]
) -> str:
    if isinstance(what, Sign):
        return _new_words(what, normal.known[label][what.kind], by_label=normal.surprise is not None)
    feature, low, high = features[what], normal.low[label][what], normal.high[label][what]
    if isinstance(feature, Sign):
        so = "Not so here, but in all" if row[what] < low else "So here, but in no"
        return f"{so} recorded runs: {feature.words}"
    usual = f"{int(low):,}" if int(low) == int(high) else f"{int(low):,} to {int(high):,}"
    return f"{in_words(feature)}: {int(row[what]):,}; in recorded runs {usual}."


def _new_words(sign: Sign, known: Collection[str], by_label: bool) -> str:
    """Say of a sign that recorded runs did not show it."""
    if sign.kind == "ending":
        return f"No recorded run of this kind ended so, but with {', '.join(sorted(known))}."
    if sign.kind == "raises":
        return f"No recorded run of this kind ended by an exception of the type {sign.text}."
    if sign.kind == "raised in":
        return f"No recorded run of this kind raised an exception in {sign.text}."
    which = "No recorded run of this kind" if by_label else "No recorded run"
    return f"{which} said {'anything like' if sign.kind == 'says' else 'the word'}: {sign.text}"
