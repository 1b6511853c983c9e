"""The text of a plan, from the words of its patterns.

A program that explains itself needs no more of a plan until it fails, so nothing is imported here: the
classes of `thriftwood.clarify.plan` take longer to load than many a plan takes to watch.
"""

TYPE_CHECKING = False  # the one of typing, which need not be loaded yet
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def text_of(patterns: "Iterable[Sequence[str]]") -> str:
    r"""Write the plan file of patterns that are given as words (`thriftwood.clarify.plan.to_words`).

    Examples
    --------
    >>> text_of([["without", "f", "g"], ["count", "f"]])
    '0\tcount\tf\n1\tinside\tf\tg\n'
    """
    lines = dict.fromkeys(line for words in patterns for line in _lines(*words))
    return "".join("\t".join((str(n), *line)) + "\n" for n, line in enumerate(lines))


def _lines(kind: str, *functions: str) -> "list[tuple[str, ...]]":
    """What is counted for a pattern: ``lines`` of `thriftwood.clarify.patterns.Pattern`, in words."""
    if kind == "any":
        return [("count", f) for f in functions]
    if kind == "without":
        return [("count", *functions[:1]), ("inside", *functions)]
    return [(kind, *functions)]
