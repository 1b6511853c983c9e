"""The file that a recorded process leaves behind, read into a `Profile` whatever ended the process.

The file is written by ``core/clarify`` (``arena.hpp`` says what it consists of): a page of header, then
blocks. It is complete at any moment, so that a process may be killed while it writes. What could not be
written any more is an error here, never a smaller profile.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

from thriftwood.clarify.profile import Ended, Profile, ProfileError, Tree1, Tree2

MAGIC = b"TWCLAR01"
HEADER = struct.Struct("<8sIIQQQQIIII")  # the names of its fields: Header below
BLOCK = struct.Struct("<IIQQQ")  # kind, owner, next, content, length
RECORDER = struct.Struct("<QQQQQQ")  # open, frames, states, state_count, shapes, shape_count
FRAME = struct.Struct("<QQII")  # stack, back, state, caller (as in recorder.hpp)
STATE = struct.Struct("<IIQIIII")  # function, shape, ended, previous, added, last_child, last_next
SHAPE = struct.Struct("<IIII")  # function, previous, added, size
PAGE = 4096
COUNTS, TREES, WATCH = 1, 2, 3
FUNCTIONS, BUILDS, COUNTERS, RECORDERS = 1, 2, 3, 4
TROUBLES = {
    1: "there was no room, so recording stopped before the program ended. Is the disk full, is there a limit "
    "for files or memory (ulimit -f, -v), or was the file moved? Make room and record again",
    2: "functions of the program could not be instrumented. The system may forbid changing code (SELinux, "
    "seccomp), or a binary is larger than 2 GB",
    3: "the plan could not be followed. It cannot be read, is no plan, or asks for more than 64 children of "
    "one function; leave out some patterns",
}


@dataclass(frozen=True, slots=True)
class WatchedCounts:
    """What a watched process counted.

    Attributes
    ----------
    values : tuple of int
        A count for each line of the plan.
    build : mapping of str to str
        For each program, library or module watched what identifies its build.
    ended : {"exit", "open"}
        Whether the process ended by itself.
    pid : int
        The number of the process.
    found : frozenset of str
        Functions of the plan that the program has.

    Examples
    --------
    >>> WatchedCounts((3, 0)).values
    (3, 0)
    """

    values: tuple[int, ...]
    build: dict[str, str] = field(default_factory=dict)
    ended: Ended = "exit"
    pid: int = 0
    found: frozenset[str] = frozenset()


def read_profile(path: str | PathLike[str]) -> Profile:
    """Read the file of a recorded process.

    Activations that were open at the end are counted as if they had ended then, from the innermost out.

    Parameters
    ----------
    path : str or path
        A ``.profile`` file of mode ``fc`` or ``ctp``.

    Raises
    ------
    ProfileError
        If the file is no profile, was cut short, is one of a watched process, or could not hold everything.

    Examples
    --------
    >>> read_profile(__file__)
    Traceback (most recent call last):
    thriftwood.clarify.profile.ProfileError: ...reading.py is no profile of a process: it does not begin ...
    """
    file = _File(Path(path))
    if file.mode == WATCH:
        raise ProfileError(f"{file.path} has the counts of a watched process. Read it with read_counts.")
    names = [text for _, text in sorted(file.texts(FUNCTIONS).items())]
    calls: Counter[str] = Counter()
    d1: Counter[Tree1] = Counter()
    d2: Counter[Tree2] = Counter()
    if file.mode == COUNTS:
        for first, values in file.counters():
            for place, value in enumerate(values, start=first):
                if value:
                    calls[file.named(names, place)] += value
    else:
        for tables in file.recorders():
            tables.drain()
            tables.add_to(file, names, calls, d1, d2)
    return Profile(
        functions=tuple(name for name in dict.fromkeys(names) if name in calls),
        calls=dict(calls),
        d1=dict(d1),
        d2=dict(d2),
        build=file.builds(),
        ended=file.ended,
        threads=file.threads,
        pid=file.pid,
    )


def read_counts(path: str | PathLike[str]) -> WatchedCounts:
    """Read the file of a watched process.

    Parameters
    ----------
    path : str or path
        A ``.profile`` file of mode ``watch``.

    Raises
    ------
    ProfileError
        If the file is no profile, was cut short, or is not one of a watched process.
    """
    file = _File(Path(path))
    if file.mode != WATCH:
        raise ProfileError(f"{file.path} is the profile of a recorded process. Read it with read_profile.")
    blocks = list(file.counters())
    if file.lines > max((first + len(counted) for first, counted in blocks), default=0):
        raise file.damaged(f"{file.lines} lines of a plan, and fewer counters")
    values = [0] * file.lines
    for first, counted in blocks:
        for place, value in enumerate(counted, start=first):
            if place < file.lines:
                values[place] += value
    found = frozenset(file.texts(FUNCTIONS).values())
    return WatchedCounts(tuple(values), file.builds(), file.ended, file.pid, found)


@dataclass
class _Tables:
    """The call tree of one thread."""

    frames: list[tuple[int, bool, int]]  # state, attached, state besides or 0; the innermost last
    states: list[tuple[int, ...]]
    shapes: list[tuple[int, ...]]
    ended: Counter[int]

    def settle(self, opened: int) -> None:
        """Make the count that goes with the last change of the open frames, if a kill came before it."""
        goes_down, odd, state = opened >> 31 & 1, opened >> 32 & 1, opened >> 33
        if state and self.ended[state] % 2 != odd:
            self.ended[state] += -1 if goes_down else 1

    def drain(self) -> None:
        """End the open activations, each in the state that its children leave it in."""
        steps = {(state[3], state[4]): number for number, state in enumerate(self.states) if state[3]}
        while self.frames:
            state, attached, besides = self.frames.pop()
            whole = state
            for shape in list(self.chain(self.states, besides, 3)):
                whole = self.step(whole, shape, steps)
            self.ended[whole] += 1
            if attached and self.frames:
                parent, whose, more = self.frames[-1]
                self.frames[-1] = (self.step(parent, self.states[state][1], steps), whose, more)

    def step(self, state: int, shape: int, steps: dict[tuple[int, int], int]) -> int:
        if any(added == shape for added in self.chain(self.states, state, 3)):
            return state
        known = steps.get((state, shape))
        if known is not None:
            return known
        function, before = self.states[state][:2]
        child = self.shapes[shape][0]
        with_child = before
        if child not in set(self.chain(self.shapes, before, 1)):
            self.shapes.append((function, before, child, 0))
            with_child = len(self.shapes) - 1
        self.states.append((function, with_child, 0, state, shape, 0, 0))
        steps[state, shape] = len(self.states) - 1
        return len(self.states) - 1

    @staticmethod
    def chain(table: list[tuple[int, ...]], number: int, previous: int) -> Iterator[int]:
        """The members of a set, which is kept as what was added to which set before."""
        while table[number][previous]:
            yield table[number][previous + 1]
            number = table[number][previous]

    def add_to(
        self, file: _File, names: list[str], calls: Counter[str], d1: Counter[Tree1], d2: Counter[Tree2]
    ) -> None:
        shapes: dict[int, Tree1] = {}

        def tree1(number: int) -> Tree1:
            if number not in shapes:
                children = frozenset(file.named(names, f) for f in self.chain(self.shapes, number, 1))
                shapes[number] = (file.named(names, self.shapes[number][0]), children)
            return shapes[number]

        for number, count in (+self.ended).items():
            function, shape = self.states[number][:2]
            name = file.named(names, function)
            calls[name] += count
            d1[tree1(shape)] += count
            d2[name, frozenset(tree1(s) for s in self.chain(self.states, number, 3))] += count


class _File:
    """The blocks of a profile file. Every number in it is checked before it is believed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.data = path.read_bytes()
        if not self.data:
            raise ProfileError(f"{path} is empty: {TROUBLES[1]}.")
        if len(self.data) < PAGE or self.data[: len(MAGIC)] != MAGIC:
            raise ProfileError(f"{path} is no profile of a process: it does not begin as one.")
        head = HEADER.unpack_from(self.data)
        self.mode, exited, self.pid, _, self.used, _, trouble, self.threads, self.lines, _ = head[1:]
        self.ended: Ended = "exit" if exited else "open"
        if self.mode not in (COUNTS, TREES, WATCH):
            raise self.damaged(f"mode {self.mode}")
        if trouble:
            raise ProfileError(f"{path} is not complete: {TROUBLES.get(trouble, 'for an unknown reason')}.")
        if self.used > len(self.data):
            raise self.damaged(f"{self.used} bytes were written, and it has {len(self.data)}")
        self.blocks = list(self._walk())

    def damaged(self, what: str) -> ProfileError:
        return ProfileError(f"{self.path} was cut short or written over ({what}). Record this run again.")

    def _walk(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield kind, owner, offset and length of every block."""
        at = PAGE
        while at < self.used:
            if at + BLOCK.size > self.used:
                raise self.damaged(f"half a block at {at}")
            kind, owner, following, content, length = BLOCK.unpack_from(self.data, at)
            if not (at + BLOCK.size <= content <= content + length <= following <= self.used):
                raise self.damaged(f"a block at {at} that does not fit")
            yield kind, owner, content, length
            at = following

    def of_kind(self, kind: int) -> list[tuple[int, int, int]]:
        return [(owner, content, length) for found, owner, content, length in self.blocks if found == kind]

    def texts(self, kind: int) -> dict[int, str]:
        """The texts of a kind by their number."""
        texts: dict[int, str] = {}
        for number, content, length in self.of_kind(kind):
            used = struct.unpack_from("<Q", self.data, content)[0] if length >= 8 else length
            at, end = content + 8, content + 8 + used
            if end > content + length:
                raise self.damaged(f"names beyond their block at {content}")
            while at < end:
                size = struct.unpack_from("<I", self.data, at)[0] if at + 4 <= end else end
                if at + 4 + size > end:
                    raise self.damaged(f"a name beyond its block at {at}")
                texts[number] = self.data[at + 4 : at + 4 + size].decode("utf-8", "surrogateescape")
                number, at = number + 1, at + 4 + size
        return texts

    def builds(self) -> dict[str, str]:
        pairs = (text.split("\t", 1) for text in self.texts(BUILDS).values() if "\t" in text)
        return dict(sorted((name, identity) for name, identity in pairs))

    def counters(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        for owner, content, length in self.of_kind(COUNTERS):
            yield owner, struct.unpack_from(f"<{length // 8}Q", self.data, content)

    def named(self, names: list[str], function: int) -> str:
        if function >= len(names):
            raise self.damaged(f"function {function} has no name")
        return names[function]

    def recorders(self) -> Iterator[_Tables]:
        for _, content, length in self.of_kind(RECORDERS):
            if length < RECORDER.size:
                raise self.damaged(f"half a recorder at {content}")
            opened, frames, states, n_states, shapes, n_shapes = RECORDER.unpack_from(self.data, content)
            if not (frames and states and shapes):
                continue  # killed while it was made
            table = self.table(STATE, states, n_states)
            tables = _Tables(
                [
                    (state, bool(caller & 1), caller >> 1)
                    for _, _, state, caller in self.table(FRAME, frames, opened & 0x7FFFFFFF)
                ],
                table,
                self.table(SHAPE, shapes, n_shapes),
                Counter({n: state[2] for n, state in enumerate(table) if n and state[2]}),
            )
            tables.settle(opened)
            self.check(tables)
            yield tables

    def table(self, row: struct.Struct, at: int, count: int) -> list[tuple[int, ...]]:
        if at + count * row.size > self.used:
            raise self.damaged(f"a table beyond its end at {at}")
        return list(row.iter_unpack(self.data[at : at + count * row.size]))

    def check(self, tables: _Tables) -> None:
        """Make sure that every number names something and that chains end: each goes to a smaller number."""
        n_states, n_shapes = len(tables.states), len(tables.shapes)
        sound = (
            all(state[3] == 0 for state in tables.states[:1])  # number 0 is nobody: chains end there
            and all(shape[1] == 0 for shape in tables.shapes[:1])
            and all(state < n_states and count >= 0 for state, count in tables.ended.items())
            and all(0 < state < n_states and besides < n_states for state, _, besides in tables.frames)
            and all(0 < s[1] < n_shapes and s[3] < n and s[4] < n_shapes
                    for n, s in enumerate(tables.states[1:], start=1))
            and all(s[1] < n for n, s in enumerate(tables.shapes[1:], start=1))
        )  # fmt: skip
        if not sound:
            raise self.damaged("a call tree that cannot be followed")
