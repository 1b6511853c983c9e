"""Why a program failed, told from what cheap monitoring saw: record, learn, plan, watch, diagnose.

Words
-----
profile
    What one process did: how often each function was called (FC), and how often each call tree of depth one
    and two was seen (CTP), children being a set without order or repetition.
recording
    Profiles of many runs of a program with the label of each, in a folder.
pattern
    What can be counted at a planned price: calls of a function ``f``, activations of f that call g directly
    (``f>g``), that call g and h (``f>{g,h}``), that call a g that calls an h (``f>g>h``).
sign
    What a run shows for nothing: how it ended, what it raised, what it wrote to standard error, how long it
    took.
plan
    The patterns that a tree asks for, and the functions that must be watched to count them.
model
    The tree, its plan, a message for each class, and the build of the program they belong to.

This front page loads nothing until a name is used: a recorded program imports this package too.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # the one of typing, which a program that explains itself need not load
if TYPE_CHECKING:
    from typing import Any

    from thriftwood.clarify.commands import ByOutput, Command, by_exit, read_commands
    from thriftwood.clarify.counting import PatternTable, pattern_table
    from thriftwood.clarify.diagnosing import Diagnosis, diagnose, diagnose_run
    from thriftwood.clarify.endings import Ending
    from thriftwood.clarify.evidence import signs_of
    from thriftwood.clarify.explaining import explain
    from thriftwood.clarify.learning import Learned, learn
    from thriftwood.clarify.model import Model, ModelFileError, read_messages
    from thriftwood.clarify.patterns import Pattern, Sign
    from thriftwood.clarify.plan import Plan
    from thriftwood.clarify.profile import Profile, ProfileError, merged
    from thriftwood.clarify.recording import RecordingWarning, record
    from thriftwood.clarify.releases import Release, check_release
    from thriftwood.clarify.store import Recording, Run
    from thriftwood.clarify.training import train
    from thriftwood.clarify.watching import read_watched, watch

__all__ = [
    "ByOutput",
    "Command",
    "Diagnosis",
    "Ending",
    "Learned",
    "Model",
    "ModelFileError",
    "Pattern",
    "PatternTable",
    "Plan",
    "Profile",
    "ProfileError",
    "Recording",
    "RecordingWarning",
    "Release",
    "Run",
    "Sign",
    "by_exit",
    "check_release",
    "diagnose",
    "diagnose_run",
    "explain",
    "learn",
    "merged",
    "pattern_table",
    "read_commands",
    "read_messages",
    "read_watched",
    "record",
    "signs_of",
    "train",
    "watch",
]

_ROOMS = {
    "ByOutput": "commands",
    "Command": "commands",
    "by_exit": "commands",
    "read_commands": "commands",
    "Diagnosis": "diagnosing",
    "diagnose": "diagnosing",
    "diagnose_run": "diagnosing",
    "Ending": "endings",
    "explain": "explaining",
    "signs_of": "evidence",
    "Learned": "learning",
    "learn": "learning",
    "Model": "model",
    "ModelFileError": "model",
    "read_messages": "model",
    "Pattern": "patterns",
    "Sign": "patterns",
    "PatternTable": "counting",
    "pattern_table": "counting",
    "Plan": "plan",
    "Profile": "profile",
    "ProfileError": "profile",
    "merged": "profile",
    "RecordingWarning": "recording",
    "record": "recording",
    "Release": "releases",
    "check_release": "releases",
    "Recording": "store",
    "Run": "store",
    "train": "training",
    "read_watched": "watching",
    "watch": "watching",
}


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module 'thriftwood.clarify' has no attribute {name!r}")
    value = getattr(import_module(f"thriftwood.clarify.{_ROOMS[name]}"), name)
    globals()[name] = value  # found without this function from now on
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
