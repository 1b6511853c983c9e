"""What to do where even ECCO's flattest tree takes too many bits; the core says which remedies would help."""

from __future__ import annotations

from collections.abc import Sequence

from thriftwood import _core
from thriftwood.base.advice import Part, advised, column_text
from thriftwood.base.remedies import LeaveOut, Setting


def oversized(tree: _core.OversizedTree, max_bits: int, names: Sequence[str] | None) -> ValueError:
    """Return the error that says how large the tree is and what would help."""
    widest = None if tree.widest is None else names[tree.widest] if names else tree.widest
    bits = "countless" if tree.bits is None else tree.bits
    said = (
        f"A tree of depth {tree.depth} takes {bits} bits with {tree.questions} questions of up to "
        f"{tree.branches} outcomes{'' if widest is None else f' ({column_text(widest)})'}, and "
        f"max_bits={max_bits} asks for fewer. "
    )
    return advised(ValueError, said, *_listed(_remedies(tree, widest)), ".")


def _remedies(tree: _core.OversizedTree, widest: str | int | None) -> list[list[Part]]:
    found: list[list[Part]] = []
    if tree.without_widest and widest is not None:
        names_cases = ", which nearly names the cases" if tree.widest_names_cases else ""
        found.append([LeaveOut(widest), names_cases])
    if tree.nominal_by_value:
        found.append(["ask for one category at a time (", Setting("nominal", "value"), ")"])
    if tree.one_cut:
        found.append(["ask fewer questions about numbers (", Setting("cuts_per_feature", 1), ")"])
    if tree.smaller_depth is not None:
        found.append(["give a smaller depth (", Setting("depth", tree.smaller_depth), ")"])
    if tree.more_bits is not None:
        found.append(["allow more bits (", Setting("max_bits", tree.more_bits), ")"])
    return found


def _listed(remedies: list[list[Part]]) -> list[Part]:
    """Join the remedies to a sentence."""
    parts: list[Part] = []
    for number, (first, *rest) in enumerate(remedies, start=1):
        if number == 1:
            parts += [first.capitalize() if isinstance(first, str) else first, *rest]
        else:
            parts += ["; or " if number == len(remedies) else "; ", first, *rest]
    return parts
