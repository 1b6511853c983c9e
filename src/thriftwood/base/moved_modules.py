"""Modules of version 0.1 that have other names now: what is said to whoever asks for one.

Pickles name the modules of their classes, so one of an earlier version asks for these. What such a pickle
holds has changed as well, so it is refused in words; files that ``save`` wrote name no modules, and load.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # the one of typing: the front page loads nothing that it can do without
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

_ENSEMBLES = (
    *("answers", "bagged", "bagging", "boosted", "booster", "booster_files", "boosting", "cheapest_answer"),
    *("cocost", "costing", "entries", "forest", "gradient_boosting", "hearing", "inverse", "lazy", "lp_csb"),
    *("meeting", "metacost", "pairs", "panel", "panel_files", "sequences", "shortcut", "stacking"),
    *("stage_consult", "trees", "workshop"),
)
MOVED = frozenset(
    {
        "thriftwood.tree",
        "thriftwood.evolution.entries",
        "thriftwood.evaluation.peers",
        *(f"thriftwood.ensembles.{name}" for name in _ENSEMBLES),
    }
)


class MovedModules:
    """Answers for modules that nobody else has found.

    Examples
    --------
    >>> import thriftwood.tree.structure
    Traceback (most recent call last):
    ModuleNotFoundError: thriftwood.tree is a module of thriftwood 0.1, and has another name now. A pickle of
    that version cannot be read: load it there, save its tree_, panel_ or booster_ with .save("model.json"),
    and read that file here with tw.load. What was imported from it is in thriftwood.learning,
    thriftwood.models or thriftwood itself.
    """

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Refuse a module that has moved; of all others nothing is known here."""
        if fullname not in MOVED:
            return None
        raise ModuleNotFoundError(
            f"{fullname} is a module of thriftwood 0.1, and has another name now. A pickle of that version "
            'cannot be read: load it there, save its tree_, panel_ or booster_ with .save("model.json"), and '
            "read that file here with tw.load. What was imported from it is in thriftwood.learning, "
            "thriftwood.models or thriftwood itself.",
            name=fullname,
        )


def tell_of_moved_modules() -> None:
    """Ask this finder last, once."""
    if not any(isinstance(finder, MovedModules) for finder in sys.meta_path):
        sys.meta_path.append(MovedModules())
