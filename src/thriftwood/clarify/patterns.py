"""Patterns: what profiles are compared by.

A pattern can be counted by watching its own functions and no others, because it says what an activation must
contain, not all that it contains: ``f>{g,h}`` holds whatever else f called. An exact call tree does not: it
is counted wrongly unless every function that f may call is watched. Exact trees are here for comparison.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from thriftwood.clarify.profile import Tree1, Tree2

Kind = Literal["count", "inside", "chain", "tree", "without", "any"]
Features = Literal["fc", "ctp", "exact"]
FEATURES: tuple[Features, ...] = ("fc", "ctp", "exact")


@dataclass(frozen=True, slots=True)
class Pattern:
    """Something a program can be watched for.

    Attributes
    ----------
    kind : {"count", "inside", "chain", "tree", "without", "any"}
        Calls of f; activations of f that directly call all of g, h, ...; activations of f that directly call
        a g that directly calls an h; activations of f that directly call several children which directly call
        children of their own; activations of f that do not directly call all of g, h, ...; calls of any
        function.
    functions : tuple of str
        f; f, g, ... (children sorted); f, g, h; f and each child followed by its own children; as inside.
    shape : tuple of int
        Of a tree: for each child the number of its own children.

    Examples
    --------
    >>> for kind, *functions in (("count", "f"), ("inside", "f", "g"), ("inside", "f", "g", "h")):
    ...     print(Pattern(kind, tuple(functions)))
    f
    f>g
    f>{g,h}
    >>> str(Pattern("chain", ("f", "g", "h"))), str(Pattern("without", ("f", "g")))
    ('f>g>h', 'f>!g')
    >>> str(Pattern("tree", ("f", "g", "h", "i", "k"), (2, 0)))
    'f>{g>{h,i},k}'
    """

    kind: Kind
    functions: tuple[str, ...]
    shape: tuple[int, ...] = ()

    @property
    def has_span(self) -> bool:
        """Whether activations must be followed, not calls alone."""
        return self.kind not in ("count", "any")

    @property
    def children(self) -> tuple[Tree1, ...]:
        """What f must call, and what these must call."""
        others = self.functions[1:]
        if self.kind == "chain":
            return ((others[0], frozenset(others[1:])),)
        if self.kind != "tree":
            return tuple((g, frozenset()) for g in others)
        found, at = [], 0
        for below in self.shape:
            found.append((others[at], frozenset(others[at + 1 : at + 1 + below])))
            at += 1 + below
        return tuple(found)

    @property
    def lines(self) -> tuple[Pattern, ...]:
        """What is counted for it: itself, or for what lacks something all calls and those that have it.

        For calls of any function those of each.
        """
        if self.kind == "any":
            return tuple(Pattern("count", (f,)) for f in self.functions)
        if self.kind != "without":
            return (self,)
        return Pattern("count", self.functions[:1]), Pattern("inside", self.functions)

    def __str__(self) -> str:
        if self.kind == "any":
            return f"any of {len(self.functions):,} functions"
        f = self.functions[0]
        if self.kind == "chain":
            return ">".join(self.functions)
        if self.kind == "count":
            return f
        texts = [f"{g}>{_listed(sorted(below))}" if below else g for g, below in self.children]
        return f"{f}>{'!' if self.kind == 'without' else ''}{_listed(texts)}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{{{','.join(names)}}}"


@dataclass(frozen=True, slots=True)
class ExactTree:
    """An exact call tree of depth one or two. It cannot be watched at the price of its functions.

    Examples
    --------
    >>> str(ExactTree(("f", frozenset({("g", frozenset("h")), ("k", frozenset())}))))
    'f{g{h},k{}}'
    """

    tree: Tree1 | Tree2

    has_span = True

    @property
    def functions(self) -> tuple[str, ...]:
        """Its functions, each once, sorted."""
        f, children = self.tree
        names = {f}
        for child in children:
            names |= {child} if isinstance(child, str) else {child[0], *child[1]}
        return tuple(sorted(names))

    def __str__(self) -> str:
        f, children = self.tree
        texts = (c if isinstance(c, str) else f"{c[0]}{{{','.join(sorted(c[1]))}}}" for c in children)
        return f"{f}{{{','.join(sorted(texts))}}}"


SignKind = Literal["ending", "raises", "raised in", "says", "word", "took"]


@dataclass(frozen=True, slots=True)
class Sign:
    """Something that a run shows for nothing: there is nothing to watch for it.

    Attributes
    ----------
    kind : {"ending", "raises", "raised in", "says", "word", "took"}
        It ended so; its exception is of this type; was raised in this function; a line of its message has
        this shape; its message has this word; it took so many seconds or more.
    text : str
        Which one.

    Examples
    --------
    >>> print(Sign("ending", "exit 1"), Sign("says", "';' expected (got *)"), Sign("took", "10"))
    [exit 1] [says ';' expected (got *)] [took 10 s]
    """

    kind: SignKind
    text: str

    has_span = False

    @property
    def functions(self) -> tuple[str, ...]:
        """What must be watched for it: nothing."""
        return ()

    @property
    def words(self) -> str:
        """What it is, in words."""
        if self.kind == "ending":
            return f"It ended with {self.text}."
        if self.kind == "raises":
            return f"It ended by an exception, {self.text}."
        if self.kind == "raised in":
            return f"The exception was raised in {self.text}."
        if self.kind == "took":
            return f"It took {self.text} {'second' if self.text == '1' else 'seconds'} or more."
        return f"Its message has {'a line like' if self.kind == 'says' else 'the word'}: {self.text}"

    def __str__(self) -> str:
        if self.kind == "ending":
            return f"[{self.text}]"
        return f"[{self.kind} {self.text}{' s' if self.kind == 'took' else ''}]"


Feature: TypeAlias = Pattern | ExactTree | Sign


def in_words(pattern: Pattern) -> str:
    """Say what a pattern counts, in plain words.

    Examples
    --------
    >>> print(in_words(Pattern("count", ("m:parse:3",))))
    calls of parse
    >>> print(in_words(Pattern("without", ("m:parse:3", "m:A.token:9", "m:error:20"))))
    calls of parse that did not directly call A.token and error
    >>> print(in_words(Pattern("chain", ("tcc!f", "tcc!g", "tcc!h"))))
    calls of f that directly called g, and that h
    """
    if pattern.kind == "any":
        return "calls of functions that no recorded run called"
    first = short_name(pattern.functions[0])
    if pattern.kind == "count":
        return f"calls of {first}"
    listed = []
    for child, below in pattern.children:
        names = " and ".join(short_name(name) for name in sorted(below))
        listed.append(f"{short_name(child)}, and that {names}" if below else short_name(child))
    did = "that did not directly call" if pattern.kind == "without" else "that directly called"
    return f"calls of {first} {did} {' and '.join(listed)}"


def short_name(function: str) -> str:
    """Return the name of a function as its programmer wrote it: without module, binary and line.

    Examples
    --------
    >>> short_name("docutils.nodes:Node.walk:17"), short_name("tcc!next_nomacro")
    ('Node.walk', 'next_nomacro')
    """
    _, native, name = function.partition("!")
    if native:
        return name
    parts = function.split(":")
    return parts[-2] if len(parts) > 2 else function


def contains(children: Iterable[Tree1], wanted: Tree1) -> bool:
    """Tell whether one of the children is this function and calls all that it should."""
    return any(g == wanted[0] and wanted[1] <= below for g, below in children)


def check_watchable(patterns: Iterable[Feature]) -> None:
    """Refuse exact trees: they cannot be counted by watching their own functions.

    Raises
    ------
    ValueError
        Naming the first.
    """
    for pattern in patterns:
        if isinstance(pattern, ExactTree):
            raise ValueError(
                f"The tree tests the exact call tree {pattern}, which cannot be counted without watching "
                "all that its functions may call. Learn from 'ctp' or 'fc' features to watch a program."
            )
