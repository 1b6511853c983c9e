"""Free evidence: how a run ended, what it raised and said, how long it took. Nothing is watched for it.

A message costs nothing, so a *sign* is a test with price 0: it is there (1) or not (0). What differs from
input to input is taken out of messages first: paths, file names of the command line, numbers, quoted names.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Literal, get_args

from thriftwood.clarify.commands import Ran, after_options, ending_words
from thriftwood.clarify.patterns import Sign, SignKind

EvidenceKind = Literal["ending", "exception", "message", "duration"]
EVIDENCE: tuple[EvidenceKind, ...] = get_args(EvidenceKind)
"""What can be switched off."""
KIND_OF: dict[SignKind, EvidenceKind] = {
    "ending": "ending",
    "raises": "exception",
    "raised in": "exception",
    "says": "message",
    "word": "message",
    "took": "duration",
}
MOST_KEPT = 4096
"""Characters of what a run wrote that are kept and looked at, the last ones."""
DURATIONS = (1, 10, 100, 1000)
"""Seconds. Less than a second is not told apart: starting, and being recorded, take that long by
themselves."""

_ESCAPE = re.compile(  # what a terminal obeys: colours and the cursor, titles and links, alphabets
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[ -/]*[0-OQ-WYZ\\`-~])"
)
_LONGEST = 160  # characters of a shape; what is longer is data
_PLACE = re.compile(r"[^\s'\"`(]*/[^\s'\"`:)]+(?::\d+)*:?|\b[\w-]+\.[A-Za-z]\w{0,3}(?::\d+)+:?")
_QUOTED = re.compile(r"(?<![^\s(\[{=])(['\"`])(?=\w\w|\S[^'\"`]* )(?:(?!\1)[^`])*(?:\1|')")
_NAME = re.compile(r"\b(?!0x)\w*(?:[A-Za-z]_?\d|\d_?[A-Za-z])\w*\b")
_NUMBER = re.compile(r"\b0x[0-9a-fA-F]+\b|\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[A-Za-z]{2,}|['\"`][^\w\s'\"`*]{1,3}['\"`]")
_FRAME = re.compile(r'^\s+File "(.+)", line \d+, in (.+)$')
_CHAINED = ("During handling of the above exception,", "The above exception was the direct cause of")
_RAISED = re.compile(r"^([A-Za-z_][\w.]*)(?:: (.*))?$")
_TERMINATED = re.compile(r"terminate called after throwing an instance of '(.+)'")
_ASSERTED = re.compile(r":\d+: (.+?): Assertion [`'].*' failed\.$")


def check_kinds(without: Collection[str]) -> None:
    """Refuse to switch off what does not exist."""
    for kind in without:
        if kind not in EVIDENCE:
            raise ValueError(f"There is evidence of the kinds {', '.join(EVIDENCE)}. Got {kind!r}.")


def signs_of(ran: Ran, command: Sequence[str] = (), known: Collection[str] = ()) -> frozenset[Sign]:
    """Return every sign that a run showed.

    Parameters
    ----------
    ran : Ran
        How it ended, how long it took, and what it wrote to standard error.
    command : sequence of str
        Its command line: names of files in it, and of the program, are taken out of messages.
    known : collection of str
        Lines that a model knows. Those of models of earlier versions may have the program's name, and where
        they do it stays.

    Examples
    --------
    >>> said = "in/07.c:12: error: ';' expected (got 'total_7')"
    >>> ran = Ran(exit=1, timed_out=False, seconds=0.1, stdout="", stderr=said)
    >>> print(*sorted(str(sign) for sign in signs_of(ran) if sign.kind != "word"), sep=", ")
    [exit 1], [says * error: ';' expected (got *)]
    """
    found = {Sign("ending", ending_words(ran.exit, timed_out=ran.timed_out))}
    if ran.timed_out:
        found.add(Sign("ending", f"signal {-ran.exit}"))
    found |= {Sign("took", str(least)) for least in DURATIONS if ran.seconds >= least}
    lines = _lines(ran.stderr)
    raised, rest = _exception(lines)
    hidden = _hidden(command, known)
    said = set()
    for line in rest:
        plain = _PLACE.sub("*", hidden.sub("*", line) if hidden is not None else line)
        found |= {Sign("word", word) for word in _WORD.findall(plain)}
        said.add(Sign("says", _shape(plain)))
    return frozenset(found | raised | said)


# What a run wrote


def kept(text: str) -> str:
    r"""Return the part of an output that is kept and looked at: its end, without what a terminal obeys.

    On a terminal programs colour what they say, and the same message must have the same signs.

    Examples
    --------
    >>> kept("\x1b[1;35mValueError\x1b[0m: \x1b[35mno\x1b[0m")
    'ValueError: no'
    """
    return _ESCAPE.sub("", text)[-MOST_KEPT:]


def _lines(text: str) -> list[str]:
    """Return the lines of a message that are whole."""
    text = kept(text)
    lines = text.splitlines()
    return [line.rstrip() for line in (lines[1:] if len(text) >= MOST_KEPT else lines) if line.strip()]


def known_lines(signs: Iterable[Sign], by_label: Iterable[Mapping[str, Collection[str]]]) -> frozenset[str]:
    """Return the lines of messages that a model knows: that its tree asks for, that its labels showed.

    Examples
    --------
    >>> signs = [Sign("says", "no such file"), Sign("word", "such")]
    >>> sorted(known_lines(signs, [{"says": {"disk full"}}, {"word": {"full"}}]))
    ['disk full', 'no such file']
    """
    asked = {sign.text for sign in signs if sign.kind == "says"}
    return frozenset(asked.union(*(known.get("says", ()) for known in by_label)))


def _hidden(command: Sequence[str], known: Collection[str]) -> re.Pattern[str] | None:
    """Return what finds the names of a command line in a message."""
    named = {word for word in command[1:] if "/" in word or "." in word or any(map(str.isdigit, word))}
    program = _program_names(command)
    own = _finder(program)
    shows = own is not None and any(map(own.search, known))
    return _finder(named - program if shows else named | program)


def _program_names(command: Sequence[str]) -> set[str]:
    """Return what a program may call itself, so that `order`, `python order.py` and `-m order` are one."""
    if not command:
        return set()
    if not PurePath(command[0]).name.lower().startswith("python"):
        return {command[0]}
    rest = after_options(command)
    if rest[:1] == ["-m"] and len(rest) > 1:
        parts = rest[1].split(".")
        return {*parts, f"{parts[-1]}.py"}
    return {*rest[:1]} - {"-c", "-m", "-"}


def _finder(given: Collection[str]) -> re.Pattern[str] | None:
    """Return what finds words in a message, and the names of files that they are."""
    named = {*given, *(part for word in given for part in (PurePath(word).name, PurePath(word).stem))}
    found = sorted((name for name in named if len(name) > 2), key=lambda name: (-len(name), name))
    words = "|".join(name for name in found if name.isalpha())
    others = "|".join(re.escape(name) for name in found if not name.isalpha())
    parts = [rf"(?<!\w)(?:{others})(?!\w)(?::\d+)*:?"] if others else []
    if words:  # which a message may have by itself: names where something goes on, or in quotes
        parts += [rf"(?<!\w)(?:{words})(?:(?::\d+)*:|(?=\.))", rf"(?<=['\"`])(?:{words})(?=['\"`])"]
    return re.compile("|".join(parts)) if parts else None


def _shape(line: str) -> str:
    """Take out of a line what differs from input to input."""
    line = "".join(letter if letter.isprintable() else "?" for letter in line)
    return _NUMBER.sub("#", _NAME.sub("*", _QUOTED.sub("*", line))).strip()[:_LONGEST]


def _exception(lines: Sequence[str]) -> tuple[set[Sign], list[str]]:
    """Find what was raised, and by which function; return the lines that are no part of a traceback, too."""
    found: set[Sign] = set()
    rest: list[str] = []
    last: str | None = None  # the function of the last line of a traceback that is being read
    inside = False
    for line in lines:
        if line.startswith("Traceback (most recent call last)"):
            inside, last = True, None
            found = {
                sign for sign in found if KIND_OF[sign.kind] != "exception"
            }  # of several the last is seen
        elif inside and line[:1].isspace():
            frame = _FRAME.match(line)
            last = frame[2] if frame else last
        elif inside and (raised := _RAISED.match(line)):
            inside = False
            found.add(Sign("raises", raised[1]))
            found |= {Sign("raised in", last)} if last else set()
            rest += [raised[2]] if raised[2] else []
        elif not line.startswith(_CHAINED):
            inside = False
            found |= _native_exception(line)
            rest.append(line)
    return found, rest


def _native_exception(line: str) -> set[Sign]:
    if raised := _TERMINATED.search(line):
        return {Sign("raises", raised[1])}
    if asserted := _ASSERTED.search(line):
        return {Sign("raises", "assertion"), Sign("raised in", asserted[1])}
    return set()
