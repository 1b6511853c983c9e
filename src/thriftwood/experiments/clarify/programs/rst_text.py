"""reStructuredText documents: valid, or with one slip of the pen.

A document is a row of *blocks*. Each kind of fault spoils blocks of one kind, and every document has at least
one of each.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

FAULTS = {
    "single colon": "Code follows a paragraph that ends in one colon; a literal block needs two.",
    "over-indented": "An item of a list is indented further than its neighbours.",
    "margin text": "Text of a table reaches into the margin between two columns.",
    "misaligned grid": "A border of the table does not stand where the other lines have it.",
    "unescaped star": "A star that is meant as a star must be escaped with a backslash.",
    "space before end": "There is a space before the mark that should end emphasis.",
    "no blank line": "A list needs a blank line before it.",
    "directive colon": "A directive needs two colons behind its name; with one it is a comment.",
    "late options": "Options of a directive must follow it at once, without a blank line.",
}

_WORDS = (
    *("river", "stone", "market", "engine", "garden", "winter", "letter", "copper", "signal"),
    *("harbor", "tunnel", "planet", "ribbon", "anchor", "bridge", "candle", "desert", "falcon"),
    *("glacier", "helmet", "island", "jacket", "kettle", "lantern", "meadow", "needle", "orchard"),
)


def rst_text(random: Random, fault: str | None, size: int = 1) -> str:
    """Return a document of some sections; with a size, so many times as many blocks.

    Examples
    --------
    >>> from random import Random
    >>> good, bad = (rst_text(Random(1), fault) for fault in (None, "single colon"))
    >>> good.count("::") - bad.count("::")
    1
    """
    writer = _Writer(random)
    kinds = [*_BLOCKS, *random.choices([*_BLOCKS], k=size * random.randint(4, 30))]
    random.shuffle(kinds)
    blocks = [(kind, _BLOCKS[kind](writer)) for kind in kinds]
    titles = [writer.title() if random.random() < 0.2 else "" for _ in blocks]
    if fault is not None:
        spoilt, spoil = _SLIPS[fault]
        place = random.choice([place for place, (kind, _) in enumerate(blocks) if kind in spoilt])
        blocks[place] = blocks[place][0], spoil(blocks[place][1], random)
    parts = [writer.title("="), *(title + text for title, (_, text) in zip(titles, blocks, strict=True))]
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


class _Writer:
    """Writes blocks."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def words(self, least: int = 3, most: int = 12) -> str:
        return " ".join(self.random.choice(_WORDS) for _ in range(self.random.randint(least, most)))

    def title(self, line: str = "-") -> str:
        text = self.words(2, 4).capitalize()
        return f"{text}\n{line * len(text)}\n\n"

    def sentence(self) -> str:
        draw = self.random
        marked = draw.choice(["*{}*", "**{}**", "``{}``", "`{} <https://example.org/{}>`_", "{}"])
        inside = self.words(1, 2)
        marked = marked.format(inside, draw.randint(1, 9_999_999))
        return f"{self.words().capitalize()} {marked} {self.words(1, 5)}."

    def paragraph(self) -> str:
        return "\n".join(self.sentence() for _ in range(self.random.randint(1, 5)))

    def emphasis(self) -> str:
        draw = self.random
        mark = draw.choice(["*", "**"])
        lines = [f"{self.words().capitalize()} {mark}{self.words(1, 3)}{mark} {self.words(1, 5)}."]
        lines += [self.sentence() for _ in range(draw.randint(0, 3))]
        return "\n".join(lines)

    def stars(self) -> str:
        name = self.random.choice(_WORDS)
        return f"{self.words().capitalize()} \\*{name} {self.words(2, 6)}.\n{self.sentence()}"

    def literal(self) -> str:
        draw = self.random
        code = []
        for _ in range(draw.randint(2, 6)):
            name, other = draw.choice(_WORDS), draw.choice(_WORDS)
            line = draw.choice(
                [
                    "{0} = {1} + {2}",
                    "print({0}, {1})",
                    "for {0} in range({2}): {1}()",
                    "{0} = [{1}, {2}]",
                    "def {0}({1}={2}): pass",
                ]
            ).format(name, other, draw.randint(0, 99))
            code.append("    " + line)
        return f"{self.words().capitalize()}::\n\n" + "\n".join(code)

    def bullets(self) -> str:
        mark = self.random.choice("-*+")
        return "\n".join(f"{mark} {self.words()}" for _ in range(self.random.randint(3, 8)))

    def numbers(self) -> str:
        return "\n".join(f"{place + 1}. {self.words()}" for place in range(self.random.randint(3, 8)))

    def introduced(self) -> str:
        return f"{self.words().capitalize()}:\n\n{self.bullets()}"

    def simple_table(self) -> str:
        draw = self.random
        widths = [draw.randint(10, 16) for _ in range(draw.randint(2, 4))]
        rule = "  ".join("=" * width for width in widths)
        rows = [[draw.choice(_WORDS)[:width] for width in widths] for _ in range(draw.randint(3, 9))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows
        ]
        return "\n".join([rule, lines[0], rule, *lines[1:], rule])

    def grid_table(self) -> str:
        draw = self.random
        widths = [draw.randint(10, 16) for _ in range(draw.randint(2, 4))]
        rule = "+" + "+".join("-" * (width + 2) for width in widths) + "+"
        lines = [rule]
        for _ in range(draw.randint(2, 7)):
            cells = [draw.choice(_WORDS)[:width].ljust(width) for width in widths]
            lines += ["| " + " | ".join(cells) + " |", rule]
        return "\n".join(lines)

    def note(self) -> str:
        kind = self.random.choice(["note", "warning", "tip", "hint", "important", "caution"])
        return f".. {kind}:: {self.words()}\n   {self.words()}"

    def image(self) -> str:
        draw = self.random
        options = draw.sample(
            [f":alt: {self.words(1, 3)}", f":width: {draw.randint(10, 99)}%", ":align: center", ":name: n{}"],
            draw.randint(1, 3),
        )
        lines = ["   " + option.format(draw.randrange(10**6)) for option in options]
        return "\n".join([f".. image:: {draw.choice(_WORDS)}.png", *lines])

    def code(self) -> str:
        draw = self.random
        head = f".. code::\n   :class: {draw.choice(_WORDS)}\n   :name: c{draw.randrange(10**6)}\n\n"
        return head + "\n".join(f"   {draw.choice(_WORDS)}()" for _ in range(draw.randint(2, 5)))

    def table_directive(self) -> str:
        draw = self.random
        rows = "\n".join(
            f"   {draw.choice(_WORDS)}, {draw.randint(0, 99)}" for _ in range(draw.randint(2, 6))
        )
        return f".. csv-table:: {self.words(1, 3)}\n   :widths: 20, 10\n   :align: left\n\n{rows}"

    def definitions(self) -> str:
        return "\n".join(f"{word}\n    {self.words()}" for word in self.random.sample(_WORDS, 3))

    def fields(self) -> str:
        return "\n".join(f":{word}: {self.words(1, 5)}" for word in self.random.sample(_WORDS, 3))

    def quotation(self) -> str:
        # After a directive it would be the directive's content, so it has a sentence of its own before it.
        return f"{self.words()}.\n\n    {self.words()}\n    {self.words()}"


_BLOCKS: dict[str, Callable[[_Writer], str]] = {
    "paragraph": _Writer.paragraph,
    "emphasis": _Writer.emphasis,
    "stars": _Writer.stars,
    "literal": _Writer.literal,
    "bullets": _Writer.bullets,
    "numbers": _Writer.numbers,
    "introduced": _Writer.introduced,
    "simple table": _Writer.simple_table,
    "grid table": _Writer.grid_table,
    "note": _Writer.note,
    "image": _Writer.image,
    "code": _Writer.code,
    "table directive": _Writer.table_directive,
    "definitions": _Writer.definitions,
    "fields": _Writer.fields,
    "quotation": _Writer.quotation,
}


def _single_colon(text: str, random: Random) -> str:
    return text.replace("::", ":", 1)


def _over_indented(text: str, random: Random) -> str:
    lines = text.split("\n")
    place = random.randrange(1, len(lines))
    lines[place] = " " * random.randint(1, 4) + lines[place]
    return "\n".join(lines)


def _margin_text(text: str, random: Random) -> str:
    """Lengthen the text of a cell that is not the last of its row until it stands in the margin."""
    lines = text.split("\n")
    if lines[0].startswith("="):
        width = lines[0].index(" ")
        place = random.choice([at for at, line in enumerate(lines) if not line.startswith("=")])
        long = lines[place][:width].rstrip() + "-" + random.choice(_WORDS) * 2
        long = long[: width + random.randint(1, 2)]
        lines[place] = long.ljust(width + 2)[: width + 2] + lines[place][width + 2 :]
    else:
        place = random.choice([at for at, line in enumerate(lines) if line.startswith("|")])
        cells = lines[place].split("|")
        cells[1] = f" {cells[1].strip()} {random.choice(_WORDS)} {random.choice(_WORDS)} "
        lines[place] = "|".join(cells)
    return "\n".join(lines)


def _misaligned(text: str, random: Random) -> str:
    """Shift one border or one corner by a character."""
    lines = text.split("\n")
    place = random.randrange(1, len(lines))
    mark = "+" if lines[place].startswith("+") else "|"
    inner = [at for at, sign in enumerate(lines[place]) if sign == mark][1:]
    at = random.choice(inner)
    fill = "-" if mark == "+" else " "
    line = lines[place]
    lines[place] = line[:at] + fill + line[at:] if random.random() < 0.5 else line[: at - 1] + line[at:]
    return "\n".join(lines)


def _unescaped(text: str, random: Random) -> str:
    return text.replace("\\*", random.choice(["*", "**"]), 1)


def _space_before_end(text: str, random: Random) -> str:
    start = text.index("*")
    mark = "**" if text[start + 1] == "*" else "*"
    end = text.index(mark, start + len(mark))
    return f"{text[:end]} {text[end:]}"


def _no_blank_line(text: str, random: Random) -> str:
    return text.replace("\n\n", "\n", 1)


def _late_options(text: str, random: Random) -> str:
    head, rest = text.split("\n", 1)
    return f"{head}\n\n{rest}"


_SLIPS: dict[str, tuple[tuple[str, ...], Callable[[str, Random], str]]] = {
    "single colon": (("literal",), _single_colon),
    "over-indented": (("bullets", "numbers"), _over_indented),
    "margin text": (("simple table", "grid table"), _margin_text),
    "misaligned grid": (("grid table",), _misaligned),
    "unescaped star": (("stars",), _unescaped),
    "space before end": (("emphasis",), _space_before_end),
    "no blank line": (("introduced",), _no_blank_line),
    "directive colon": (("note", "image", "code", "table directive"), _single_colon),
    "late options": (("image", "code", "table directive"), _late_options),
}
"""The kinds of blocks that a fault can spoil, and how."""
