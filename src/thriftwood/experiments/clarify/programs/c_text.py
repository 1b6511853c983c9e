"""C files: valid, or with one slip of the pen.

The writer puts a *mark* before every place where a slip can happen; a fault takes one mark of its kind, and
all marks are removed in the end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

FAULTS = {
    "semicolon": "A semicolon is missing at the end of a statement or declaration.",
    "type": "The name of a type is misspelt.",
    "operator": "An operator is missing between two values.",
    "parenthesis": "A parenthesis is opened and never closed.",
    "missing brace": "A block is opened and never closed: a closing brace is missing.",
    "extra brace": "There is a closing brace too many.",
    "comma": "A comma is missing between two arguments or elements.",
    "keyword": "A variable is named like a keyword of C.",
}

SEMICOLON, TYPE, OPERATOR, CLOSING, END, COMMA, STATEMENT = "\x01\x02\x03\x04\x05\x06\x07"
_MARKS = re.compile("[\x01-\x07]")

_WORDS = (
    *("count", "total", "index", "width", "height", "offset", "limit", "weight", "score", "level"),
    *("first", "second", "depth", "speed", "value", "state", "delta", "scale", "angle", "power"),
)
_KEYWORDS = ("case", "default", "switch", "while", "return", "goto", "break", "continue", "if", "for")


def c_text(random: Random, fault: str | None, size: int = 1) -> str:
    """Return a C file of some functions over a few types; with a size, so many times as many functions.

    Examples
    --------
    >>> from random import Random
    >>> good, bad = (c_text(Random(1), fault) for fault in (None, "comma"))
    >>> good.count(",") - bad.count(",")
    1
    """
    marked = _Writer(random).file(size)
    if fault is not None:
        marked = _SLIPS[fault](marked, random)
    return _MARKS.sub("", marked)


class _Writer:
    """Writes functions that declare before they use."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.types = ["int", "long", "unsigned int", "double", "char", "short"]
        self.functions: list[tuple[str, int]] = []
        self.structs: list[tuple[str, list[str]]] = []
        self.arrays: list[str] = []
        self.names = 0

    def file(self, size: int) -> str:
        draw = self.random
        parts = [self.typedef() for _ in range(draw.randint(1, 3))]
        parts += [self.struct() for _ in range(draw.randint(1, 3))]
        parts += [self.enumeration() for _ in range(draw.randint(1, 2))]
        parts += [self.array() for _ in range(draw.randint(1, 4))]
        for _ in range(size * draw.randint(4, 14)):
            parts.append(self.array() if draw.random() < 0.15 else self.function())
        return "\n\n".join(parts) + "\n"

    def name(self, word: str | None = None) -> str:
        self.names += 1
        return f"{word or self.random.choice(_WORDS)}_{self.names}"

    def type(self) -> str:
        return TYPE + self.random.choice(self.types)

    def typedef(self) -> str:
        name = self.name().title()
        text = f"typedef {self.type()} {name}{SEMICOLON};"
        self.types.append(name)
        return text

    def struct(self) -> str:
        tag = self.name()
        fields = [self.name() for _ in range(self.random.randint(2, 6))]
        lines = [f"    {self.type()} {field}{SEMICOLON};" for field in fields]
        self.structs.append((tag, fields))
        return "\n".join([f"struct {tag} {{", *lines, f"{END}}}{SEMICOLON};"])

    def enumeration(self) -> str:
        members = f"{COMMA}, ".join(self.name().upper() for _ in range(self.random.randint(3, 7)))
        return f"enum {self.name()} {{ {members} {END}}}{SEMICOLON};"

    def array(self) -> str:
        size = self.random.randint(3, 12)
        values = f"{COMMA}, ".join(str(self.random.randint(0, 999)) for _ in range(size))
        name = self.name()
        self.arrays.append(name)
        return f"static {self.type()} {name}[{size}] = {{ {values} {END}}}{SEMICOLON};"

    def function(self) -> str:
        draw = self.random
        given = [self.name() for _ in range(draw.randint(1, 4))]
        parameters = f"{COMMA}, ".join(f"{self.type()} {name}" for name in given)
        name = self.name()
        head = f"{self.type()} {name}({parameters}{CLOSING}) {{"
        local = [self.name() for _ in range(draw.randint(1, 3))]
        known = [*given]
        lines = []
        for one in local:
            lines.append(f"    {self.type()} {one} = {self.expression(known, 1)}{SEMICOLON};")
            known.append(one)
        if draw.random() < 0.4:
            tag, fields = draw.choice(self.structs)
            record = self.name()
            lines.append(f"    struct {tag} {record}{SEMICOLON};")
            lines += [f"    {record}.{field} = {self.expression(known, 1)}{SEMICOLON};" for field in fields]
            known.append(f"{record}.{fields[0]}")
        for _ in range(draw.randint(2, 7)):
            lines.append(self.statement(known, 1, in_loop=False))
        lines.append(f"    return {self.expression(known, 2)}{SEMICOLON};")
        self.functions.append((name, len(given)))
        return "\n".join([head, *lines, f"{END}}}"])

    def statement(self, known: list[str], depth: int, in_loop: bool) -> str:
        pad = "    " * depth
        kinds: list[Callable[[], str]] = [
            lambda: f"{self.target(known)} {self.assigning()} {self.expression(known, 2)}{SEMICOLON};",
            lambda: f"{self.target(known)}{self.random.choice(['++', '--'])}{SEMICOLON};",
        ]
        if self.functions:
            kinds.append(lambda: f"{self.target(known)} = {self.call(known)}{SEMICOLON};")
        if in_loop:
            kinds.append(
                lambda: f"if {self.condition(known)} {self.random.choice(['break', 'continue'])}{SEMICOLON};"
            )
        if depth < 4:
            kinds += [lambda: self.block(known, depth, in_loop)] * 2
        return STATEMENT + pad + self.random.choice(kinds)()

    def block(self, known: list[str], depth: int, in_loop: bool) -> str:
        draw, pad = self.random, "    " * depth
        shape = draw.choice(["if", "if else", "while", "for", "do"])
        looping = in_loop or shape in ("while", "for", "do")

        def body() -> str:
            lines = [self.statement(known, depth + 1, looping) for _ in range(draw.randint(1, 3))]
            return "\n".join(["{", *lines, f"{pad}{END}}}"])

        if shape == "for":
            name = draw.choice(known)
            head = f"{name} = 0; {name} < {draw.randint(2, 50)}; {name}++"
            return f"for ({head}{CLOSING}) {body()}"
        if shape == "do":
            return f"do {body()} while {self.condition(known)}{SEMICOLON};"
        if shape == "while":
            return f"while {self.condition(known)} {body()}"
        text = f"if {self.condition(known)} {body()}"
        return f"{text} else {body()}" if shape == "if else" else text

    def condition(self, known: list[str]) -> str:
        sign = self.random.choice(["<", ">", "<=", ">=", "==", "!="])
        left, right = self.expression(known, 1), self.expression(known, 1)
        return f"({left} {OPERATOR}{sign} {right}{CLOSING})"

    def assigning(self) -> str:
        return self.random.choice(["=", "=", "+=", "-=", "*="])

    def target(self, known: list[str]) -> str:
        if self.arrays and self.random.random() < 0.2:
            return f"{self.random.choice(self.arrays)}[{self.random.randint(0, 2)}]"
        return self.random.choice(known)

    def call(self, known: list[str]) -> str:
        name, number = self.random.choice(self.functions)
        given = f"{COMMA}, ".join(self.expression(known, 1) for _ in range(number))
        return f"{name}({given}{CLOSING})"

    def expression(self, known: list[str], depth: int) -> str:
        draw = self.random
        if depth == 0 or draw.random() < 0.3:
            return str(draw.randint(1, 99)) if draw.random() < 0.4 else draw.choice(known)
        if self.functions and draw.random() < 0.15:
            return self.call(known)
        sign = draw.choice(["+", "-", "*", "/"])
        left, right = self.expression(known, depth - 1), self.expression(known, depth - 1)
        text = f"{left} {OPERATOR}{sign} {right}"
        return f"({text}{CLOSING})" if draw.random() < 0.5 else text


def _without(mark: str) -> Callable[[str, Random], str]:
    """Leave out what stands behind one mark.

    Before a parenthesis an operator or a comma is no slip to a parser: what remains reads as a call.
    """
    joining = rf"{mark}(?:[<>=!]=|[<>](?!=)|[-+*/,])(?![\x01-\x07 ]*\()"
    spot = re.compile(joining if mark in (OPERATOR, COMMA) else f"{mark}.")

    def slip(text: str, random: Random) -> str:
        found = random.choice(list(spot.finditer(text)))
        return text[: found.start()] + text[found.end() :]

    return slip


def _misspelt(text: str, random: Random) -> str:
    """Swap two letters of a type's name, or lose or double one."""
    place = _one(text, TYPE, random) + 1
    found = re.compile(r"\w+").match(text, place)
    assert found is not None
    word = found.group()
    while True:
        at = random.randrange(len(word) - 1)
        changed = random.choice(
            [
                word[:at] + word[at + 1] + word[at] + word[at + 2 :],
                word[:at] + word[at + 1 :],
                word[:at] + word[at] + word[at:],
            ]
        )
        if changed != word and changed.lower() not in ("", "int", "in", "do"):
            return text[:place] + changed + text[found.end() :]


def _extra_brace(text: str, random: Random) -> str:
    place = _one(text, STATEMENT, random)
    return f"{text[:place]}    }}\n{text[place:]}"


def _keyword(text: str, random: Random) -> str:
    """Rename a local variable wherever it stands; one that is never used would be no mistake to tcc."""
    declared = set(re.findall(TYPE + r"[\w ]+? ([a-z]+_\d+) =", text))
    name = random.choice(sorted(one for one in declared if len(re.findall(rf"\b{one}\b", text)) > 1))
    return re.sub(rf"\b{name}\b", random.choice(_KEYWORDS), text)


def _one(text: str, mark: str, random: Random) -> int:
    return random.choice([found.start() for found in re.finditer(mark, text)])


_SLIPS: dict[str, Callable[[str, Random], str]] = {
    "semicolon": _without(SEMICOLON),
    "type": _misspelt,
    "operator": _without(OPERATOR),
    "parenthesis": _without(CLOSING),
    "missing brace": _without(END),
    "extra brace": _extra_brace,
    "comma": _without(COMMA),
    "keyword": _keyword,
}
