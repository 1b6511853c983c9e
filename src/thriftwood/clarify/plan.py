"""Plans: what to watch for in production, and what that costs.

A plan file is text, a line per pattern, tabs between words; the program that is watched reads it::

    0	count	m:parse:3
    1	inside	m:parse:3	m:token:9	m:error:20
    2	chain	m:main:1	m:parse:3	m:error:20
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from thriftwood.clarify.patterns import Kind, Pattern
from thriftwood.clarify.profile import Profile

KINDS: dict[str, Kind] = {"count": "count", "inside": "inside", "chain": "chain"}


@dataclass(frozen=True)
class Plan:
    """What to watch for.

    Attributes
    ----------
    patterns : tuple of Pattern
        One per line of the plan file, and one per counter of a watched process.

    Examples
    --------
    >>> plan = Plan((Pattern("count", ("f",)), Pattern("inside", ("f", "g"))))
    >>> print(plan.text().expandtabs(4), end="")
    0   count   f
    1   inside  f   g
    >>> Plan.from_text(plan.text()) == plan
    True
    """

    patterns: tuple[Pattern, ...]

    def __post_init__(self) -> None:
        for pattern in self.patterns:
            _check(pattern)

    @property
    def functions(self) -> tuple[str, ...]:
        """Every function that must be watched, sorted."""
        return tuple(sorted({f for pattern in self.patterns for f in pattern.functions}))

    @property
    def spanned(self) -> tuple[str, ...]:
        """Those whose activations are followed; of the others calls are counted."""
        return tuple(sorted({f for p in self.patterns if p.has_span for f in p.functions}))

    def events(self, mean_calls: Mapping[str, float]) -> float:
        """Return how many watched calls a run has, on average."""
        return float(sum(mean_calls[f] for f in self.functions))

    def text(self) -> str:
        """Write the plan file."""
        lines = ("\t".join((str(n), p.kind, *p.functions)) for n, p in enumerate(self.patterns))
        return "".join(f"{line}\n" for line in lines)

    @classmethod
    def from_text(cls, text: str) -> Plan:
        """Read a plan file.

        Raises
        ------
        ValueError
            Naming the line that is wrong.
        """
        patterns = []
        for number, line in enumerate(text.split("\n")[:-1] if text.endswith("\n") else text.split("\n")):
            first, *words = line.split("\t")
            if first != str(number) or len(words) < 2 or words[0] not in KINDS:
                raise ValueError(
                    f"Line {number + 1} of the plan must be {number}, a tab, one of {', '.join(KINDS)}, and "
                    f"functions with tabs between. Got {line!r}."
                )
            pattern = Pattern(KINDS[words[0]], tuple(words[1:]))
            try:
                _check(pattern)
            except ValueError as problem:
                raise ValueError(f"Line {number + 1} of the plan: {problem}") from None
            patterns.append(pattern)
        return cls(tuple(patterns))

    def count(self, profile: Profile) -> tuple[int, ...]:
        """Return what a watched process would count, from the profile of a recorded one."""
        return tuple(value(pattern, profile) for pattern in self.patterns)


def value(pattern: Pattern, profile: Profile) -> int:
    """Count a pattern in a profile: what the words of the pattern say, and nothing clever.

    Examples
    --------
    >>> profile = Profile(("f", "g"), {"f": 5}, {("f", frozenset("gh")): 2, ("f", frozenset("g")): 1})
    >>> [value(Pattern("inside", names), profile) for names in (("f", "g"), ("f", "g", "h"), ("g", "h"))]
    [3, 2, 0]
    """
    f, *others = pattern.functions
    if pattern.kind == "count":
        return profile.calls.get(f, 0)
    if pattern.kind == "inside":
        wanted = frozenset(others)
        return sum(n for (root, children), n in profile.d1.items() if root == f and wanted <= children)
    g, h = others
    return sum(
        n
        for (root, children), n in profile.d2.items()
        if root == f and any(child == g and h in below for child, below in children)
    )


def _check(pattern: Pattern) -> None:
    least, most = {"count": (1, 1), "inside": (2, None), "chain": (3, 3)}[pattern.kind]
    n = len(pattern.functions)
    if n < least or (most is not None and n > most):
        raise ValueError(f"A pattern of kind {pattern.kind} has {least} functions. Got {n}.")
    for name in pattern.functions:
        if not name or "\t" in name or "\n" in name or "\r" in name:
            raise ValueError(f"A function in a plan needs a name without tabs and line ends. Got {name!r}.")
