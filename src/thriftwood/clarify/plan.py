"""Plans: what to watch for in production, and what that costs.

A plan file is text, a line per pattern, tabs between words; the program that is watched reads it::

    0	count	m:parse:3
    1	inside	m:parse:3	m:token:9	m:error:20
    2	chain	m:main:1	m:parse:3	m:error:20
    3	tree	m:main:1	m:parse:3	2	m:token:9	m:error:20	m:close:30	0

A tree has the number of its own children behind each child. What lacks something (``f>!g``) has two lines:
the calls of f, and the activations of f that call g. What counts calls of any function has a line for each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from thriftwood.clarify.patterns import Kind, Pattern, contains
from thriftwood.clarify.plan_text import text_of
from thriftwood.clarify.profile import Profile, ProfileError

KINDS: dict[str, Kind] = {
    "count": "count",
    "inside": "inside",
    "chain": "chain",
    "tree": "tree",
    "without": "without",
    "any": "any",
}


@dataclass(frozen=True)
class Plan:
    """What to watch for.

    Attributes
    ----------
    patterns : tuple of Pattern
        What a tree wants to know.

    Examples
    --------
    >>> plan = Plan((Pattern("without", ("f", "g")), Pattern("inside", ("f", "g"))))
    >>> print(plan.text().expandtabs(4), end="")
    0   count   f
    1   inside  f   g
    >>> plan.values([7, 3])
    (4, 3)
    """

    patterns: tuple[Pattern, ...]

    def __post_init__(self) -> None:
        for pattern in self.patterns:
            _check(pattern)

    @cached_property
    def lines(self) -> tuple[Pattern, ...]:
        """One per line of the plan file, and one per counter of a watched process; each once."""
        return tuple(dict.fromkeys(line for pattern in self.patterns for line in pattern.lines))

    def values(self, counters: Sequence[int]) -> tuple[int, ...]:
        """Return the value of each pattern from the counters of a watched process."""
        if len(counters) != len(self.lines):
            raise ValueError(
                f"The plan has {len(self.lines)} lines, so as many counters. Got {len(counters)} counters."
            )
        of_line = dict(zip(self.lines, counters, strict=True))
        return tuple(_joined(pattern, [of_line[line] for line in pattern.lines]) for pattern in self.patterns)

    @property
    def functions(self) -> tuple[str, ...]:
        """Every function that must be watched, sorted."""
        return tuple(sorted({f for pattern in self.patterns for f in pattern.functions}))

    @property
    def strangers(self) -> tuple[str, ...]:
        """Those of them that no recorded run called (`thriftwood.clarify.strangers`), sorted."""
        return tuple(sorted({f for p in self.patterns if p.kind == "any" for f in p.functions}))

    @property
    def spanned(self) -> tuple[str, ...]:
        """Those whose activations are followed; of the others calls are counted."""
        return tuple(sorted({f for p in self.patterns if p.has_span for f in p.functions}))

    def events(self, mean_calls: Mapping[str, float]) -> float:
        """Return how many watched calls a run has, on average."""
        return float(sum(mean_calls[f] for f in self.functions))

    def text(self) -> str:
        """Write the plan file."""
        return text_of(map(to_words, self.patterns))

    @classmethod
    def from_text(cls, text: str) -> Plan:
        """Read a plan file: the plan of its lines.

        Raises
        ------
        ValueError
            Naming the line that is wrong.
        """
        patterns = []
        for number, line in enumerate(text.removesuffix("\n").split("\n") if text else ()):
            first, *words = line.split("\t")
            try:
                if first != str(number):
                    raise ValueError(f"It must begin with its number, {number}.")
                pattern = from_words(words)
                if pattern.lines != (pattern,):
                    raise ValueError(f"{pattern} is no line by itself.")
            except ValueError as problem:
                raise ValueError(f"Line {number + 1} of the plan, {line!r}: {problem}") from None
            patterns.append(pattern)
        return cls(tuple(patterns))

    def count(self, profile: Profile) -> tuple[int, ...]:
        """Return the value of each pattern in the profile of a recorded process.

        Raises
        ------
        ProfileError
            If the plan asks for call trees, and the profile has calls alone.
        """
        if self.spanned and profile.calls and not profile.has_trees:
            raise ProfileError(
                "The plan asks for call trees, and the profile has calls alone. Record with mode 'ctp'."
            )
        return tuple(value(pattern, profile) for pattern in self.patterns)


def _joined(pattern: Pattern, numbers: Sequence[int]) -> int:
    return sum(numbers) if pattern.kind == "any" else numbers[0] - sum(numbers[1:])


# Patterns as words, in plan files and in models


def to_words(pattern: Pattern) -> list[str]:
    """Write a pattern as words: its kind and its functions, in a tree with the numbers of children.

    Examples
    --------
    >>> to_words(Pattern("tree", ("f", "g", "h", "i", "k"), (2, 0)))
    ['tree', 'f', 'g', '2', 'h', 'i', 'k', '0']
    """
    if pattern.kind != "tree":
        return [pattern.kind, *pattern.functions]
    words, at = [pattern.kind, pattern.functions[0]], 1
    for below in pattern.shape:
        words += [pattern.functions[at], str(below), *pattern.functions[at + 1 : at + 1 + below]]
        at += 1 + below
    return words


def from_words(words: Sequence[str]) -> Pattern:
    """Read a pattern from its words.

    Raises
    ------
    ValueError
        If they are none.

    Examples
    --------
    >>> str(from_words(["tree", "f", "g", "2", "h", "i", "k", "0"]))
    'f>{g>{h,i},k}'
    """
    kind, *others = words if words else [""]
    if kind not in KINDS:
        raise ValueError(f"A pattern begins with its kind, one of {', '.join(KINDS)}. Got {kind!r}.")
    if kind != "tree":
        pattern = Pattern(KINDS[kind], tuple(others))
    else:
        functions, shape, at = others[:1], [], 1
        while at < len(others):
            number = others[at + 1] if at + 1 < len(others) else ""
            if not number.isdecimal() or not number.isascii():
                raise ValueError(
                    f"Behind the child {others[at]!r} of a tree stands how many children it has."
                )
            below = int(number)
            functions += [others[at], *others[at + 2 : at + 2 + below]]
            shape.append(below)
            at += 2 + below
        pattern = Pattern("tree", tuple(functions), tuple(shape))
    _check(pattern)
    return pattern


# Patterns in profiles


def value(pattern: Pattern, profile: Profile) -> int:
    """Count a pattern in a profile: what the words of the pattern say, and nothing clever.

    Examples
    --------
    >>> profile = Profile(("f", "g"), {"f": 5}, {("f", frozenset("gh")): 2, ("f", frozenset("g")): 1})
    >>> [value(Pattern("inside", names), profile) for names in (("f", "g"), ("f", "g", "h"), ("g", "h"))]
    [3, 2, 0]
    """
    if pattern.kind == "any":
        return sum(profile.calls.get(f, 0) for f in pattern.functions)
    f, *others = pattern.functions
    if pattern.kind == "count":
        return profile.calls.get(f, 0)
    if pattern.kind == "inside":
        wanted = frozenset(others)
        return sum(n for (root, children), n in profile.d1.items() if root == f and wanted <= children)
    if pattern.kind == "without":
        having, every = Pattern("inside", pattern.functions), Pattern("count", (f,))
        return value(every, profile) - value(having, profile)
    return sum(
        n
        for (root, children), n in profile.d2.items()
        if root == f and all(contains(children, wanted) for wanted in pattern.children)
    )


_LEAST = {"count": 1, "inside": 2, "chain": 3, "tree": 2, "without": 2, "any": 0}
_MOST = {"count": 1, "chain": 3}


def _check(pattern: Pattern) -> None:
    n = len(pattern.functions)
    if n < _LEAST[pattern.kind] or n > _MOST.get(pattern.kind, n):
        raise ValueError(f"A plan has no pattern of kind {pattern.kind} with {n} functions.")
    if (pattern.kind == "tree") != bool(pattern.shape) or sum(pattern.shape) + len(pattern.shape) != (
        n - 1 if pattern.shape else 0
    ):
        raise ValueError(f"The shape {pattern.shape} of a pattern in a plan does not fit its {n} functions.")
    for name in pattern.functions:
        if not name or "\t" in name or "\n" in name or "\r" in name:
            raise ValueError(f"A function in a plan needs a name without tabs and line ends. Got {name!r}.")
