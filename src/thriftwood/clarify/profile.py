"""What one process did: calls of functions, and call trees of depth one and two.

A profile as JSON is one object; functions are named once and then go by their place in the list::

    {"functions": ["main:run:3", "main:step:9"],
     "calls": [[0, 1], [1, 7]],                     function, times called
     "d1": [[0, [1], 1], [1, [], 7]],               function, its children, times seen
     "d2": [[0, [[1, []]], 1], [1, [], 7]],         function, [child, the child's children] ..., times seen
     "build": {"main": "sha256..."}, "ended": "exit", "threads": 1, "pid": 4711}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

Tree1 = tuple[str, frozenset[str]]
"""A function and the functions that one activation of it called."""
Tree2 = tuple[str, frozenset[Tree1]]
"""The same, each child with its own children."""
Ended = Literal["exit", "open"]

ENTRIES = ("functions", "calls", "d1", "d2", "build", "ended", "threads", "pid")


class ProfileError(ValueError):
    """What was read is no profile."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What one process did.

    A call tree is counted when its activation ends; activations that were open when the process was killed
    are counted with the children they had by then. Children are a set: neither their order nor how often
    each was called matters.

    Attributes
    ----------
    functions : tuple of str
        Every function called, in the order of its first call where that is known.
    calls : mapping of function to int
        How often each was called (FC, which is D0).
    d1 : mapping of (function, its children) to int
        Activations with exactly these children. Empty where only calls were counted.
    d2 : mapping of (function, its children with their children) to int
        Activations with exactly these children and grandchildren.
    build : mapping of str to str
        For each program, library or module recorded what identifies its build.
    ended : {"exit", "open"}
        Whether the process ended by itself, or was killed with functions still open.
    threads : int
        How many threads were recorded.
    pid : int
        The number of the process.

    Examples
    --------
    >>> profile = Profile(("f", "g"), {"f": 1, "g": 3}, {("f", frozenset("g")): 1, ("g", frozenset()): 3})
    >>> profile.n_calls, profile.has_trees
    (4, True)
    >>> Profile.from_json(profile.to_json()) == profile
    True
    """

    functions: tuple[str, ...]
    calls: Mapping[str, int]
    d1: Mapping[Tree1, int] = field(default_factory=dict)
    d2: Mapping[Tree2, int] = field(default_factory=dict)
    build: Mapping[str, str] = field(default_factory=dict)
    ended: Ended = "exit"
    threads: int = 1
    pid: int = 0

    @property
    def n_calls(self) -> int:
        """All calls of all functions."""
        return sum(self.calls.values())

    @property
    def has_trees(self) -> bool:
        """Whether call trees were recorded, not calls alone."""
        return bool(self.d1)

    def to_json(self) -> dict[str, Any]:
        """Return the profile in types that JSON has; equal profiles give equal content."""
        number = {name: place for place, name in enumerate(self.functions)}
        return {
            "functions": list(self.functions),
            "calls": sorted([number[name], count] for name, count in self.calls.items()),
            "d1": sorted([number[f], sorted(number[g] for g in children), n]
                         for (f, children), n in self.d1.items()),
            "d2": sorted([number[f], sorted([number[g], sorted(number[h] for h in below)]
                                            for g, below in children), n]
                         for (f, children), n in self.d2.items()),
            "build": dict(self.build),
            "ended": self.ended,
            "threads": self.threads,
            "pid": self.pid,
        }  # fmt: skip

    @classmethod
    def from_json(cls, content: Any) -> Profile:
        """Read what `to_json` gave.

        Raises
        ------
        ProfileError
            For anything else.
        """
        if not isinstance(content, dict) or set(content) != set(ENTRIES):
            raise ProfileError(f"A profile is a JSON object with the entries {', '.join(ENTRIES)}.")
        functions = content["functions"]
        if not isinstance(functions, list) or not all(isinstance(name, str) for name in functions):
            raise ProfileError("The functions of a profile must be a list of names.")
        if len(set(functions)) != len(functions):
            raise ProfileError("The functions of a profile must be different from each other.")
        try:
            return cls(
                tuple(functions),
                {functions[_place(f)]: _count(n) for f, n in content["calls"]},
                {_tree1(functions, f, children): _count(n) for f, children, n in content["d1"]},
                {_tree2(functions, f, children): _count(n) for f, children, n in content["d2"]},
                {str(name): str(identity) for name, identity in content["build"].items()},
                _ended(content["ended"]),
                _count(content["threads"]),
                _count(content["pid"]),
            )
        except (TypeError, ValueError, IndexError, AttributeError) as error:
            if isinstance(error, ProfileError):
                raise
            raise ProfileError(f"This is no profile: {error}.") from None


def merged(profiles: Iterable[Profile]) -> Profile:
    """Add up the profiles of the processes of one run.

    Raises
    ------
    ProfileError
        If there are none, or two of them come from different builds of one program.

    Examples
    --------
    >>> parent, child = Profile(("f",), {"f": 1}), Profile(("f", "g"), {"f": 2, "g": 1}, ended="open")
    >>> merged([parent, child]).calls, merged([parent, child]).ended
    ({'f': 3, 'g': 1}, 'open')
    """
    profiles = list(profiles)
    if not profiles:
        raise ProfileError("There is no profile: the program wrote none. Was it started under the recorder?")
    if len(profiles) == 1:
        return profiles[0]
    names: dict[str, None] = {}
    build: dict[str, str] = {}
    calls: Counter[str] = Counter()
    d1: Counter[Tree1] = Counter()
    d2: Counter[Tree2] = Counter()
    for one in profiles:
        names.update(dict.fromkeys(one.functions))
        for name, identity in one.build.items():
            if build.setdefault(name, identity) != identity:
                raise ProfileError(
                    f"The processes of this run come from two builds of {name}: {build[name]} and {identity}."
                )
        calls.update(one.calls)
        d1.update(one.d1)
        d2.update(one.d2)
    return Profile(
        functions=tuple(names),
        calls=dict(calls),
        d1=dict(d1),
        d2=dict(d2),
        build=build,
        ended="open" if any(one.ended == "open" for one in profiles) else "exit",
        threads=sum(one.threads for one in profiles),
        pid=profiles[0].pid,
    )


def renamed(profile: Profile, names: Mapping[str, str]) -> Profile:
    """Return a profile with other names for some of its functions.

    Examples
    --------
    >>> one = Profile(("f:1", "g:2"), {"f:1": 1, "g:2": 3}, {("f:1", frozenset({"g:2"})): 1})
    >>> renamed(one, {"g:2": "g:5"}).d1
    {('f:1', frozenset({'g:5'})): 1}
    """

    def now(name: str) -> str:
        return names.get(name, name)

    return replace(
        profile,
        functions=tuple(map(now, profile.functions)),
        calls={now(f): n for f, n in profile.calls.items()},
        d1={(now(f), frozenset(map(now, below))): n for (f, below), n in profile.d1.items()},
        d2={
            (now(f), frozenset((now(g), frozenset(map(now, below))) for g, below in children)): n
            for (f, children), n in profile.d2.items()
        },
    )


# Reading


def _place(number: Any) -> int:
    if type(number) is not int or number < 0:
        raise ProfileError(f"A function goes by its place in the list, from 0. Got {number!r}.")
    return number


def _count(number: Any) -> int:
    if type(number) is not int or number < 0:
        raise ProfileError(f"A count must be a whole number, 0 or more. Got {number!r}.")
    return number


def _ended(word: Any) -> Ended:
    if word == "exit":
        return "exit"
    if word == "open":
        return "open"
    raise ProfileError(f"A process ended by 'exit' or was left 'open'. Got {word!r}.")


def _tree1(functions: list[str], f: Any, children: Any) -> Tree1:
    return functions[_place(f)], frozenset(functions[_place(g)] for g in children)


def _tree2(functions: list[str], f: Any, children: Any) -> Tree2:
    return functions[_place(f)], frozenset(_tree1(functions, g, below) for g, below in children)
