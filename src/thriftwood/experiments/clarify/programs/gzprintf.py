"""A program that logs through zlib's gzprintf, whose failures all look the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

from thriftwood.experiments.clarify.programs.building import SUPPORT, Build
from thriftwood.experiments.clarify.programs.program import NativeProgram
from thriftwood.experiments.clarify.programs.sources import Archive

_FILES = (
    *("adler32", "compress", "crc32", "deflate", "gzclose", "gzlib", "gzread", "gzwrite", "infback"),
    *("inffast", "inflate", "inftrees", "trees", "uncompr", "zutil"),
)
FAULTS = {
    "too long": "The record is longer than zlib's buffer; call gzbuffer with a larger size first.",
    "empty text": "The record is empty: gzprintf returns 0, which is no error.",
    "read mode": "The log was opened for reading; open it with mode w or a.",
    "not opened": "The log could not be opened: its folder does not exist.",
    "closed": "The file descriptor was closed while the log was still in use.",
    "full device": "There is no room left on the device.",
    "earlier error": "An earlier write failed and was not looked at; the log has refused all since.",
}

_WORDS = (
    *("door", "valve", "pump", "reader", "motor", "sensor", "relay", "heater", "switch"),
    *("filter", "boiler", "drum"),
)
_BUFFERS = (0, 512, 1024, 2048, 4096)


class Gzprintf(NativeProgram):
    """zlib under a small driver that keeps compressed logs.

    zlib is the published one. The driver is ours: it obeys a job line by line and, like many programs, only
    looks at whether gzprintf succeeded.
    """

    name = "gzprintf"
    suffix = ".job"
    large = 150
    classes = FAULTS
    archives = (
        Archive(
            "zlib",
            "z/zlib",
            "zlib_1.2.13.dfsg.orig.tar.bz2",
            "71feb7947e3c00ef125f83b79a4e529bde31171e5babe48b391f06758d1ab0a1",
        ),
    )

    def compile(self, build: Build, sources: Mapping[str, Path]) -> None:
        """Compile zlib and the driver into one program."""
        home = sources["zlib"]
        files = [SUPPORT / "gzlog.c", *(home / f"{name}.c" for name in _FILES)]
        build.link(self.name, files, ["-DHAVE_UNISTD_H", "-DHAVE_STDARG_H", f"-I{home}"], at=home)

    def written(self, random: Random, fault: str | None, size: int = 1) -> bytes:
        """Write a job: one to three logs of records, and at the fault the record that fails."""
        lines: list[str] = []
        logs = random.randint(1, 3)
        for place in range(logs):
            buffer = random.choice(_BUFFERS)
            name = f"log{place}.gz"
            lines += [f"open {name} wb{random.randint(1, 9)} {buffer}", *_records(random, size)]
            if place < logs - 1:
                lines += ["close", f"count {name}"] if random.random() < 0.5 else ["close"]
        if fault is not None:
            lines = _MISHAPS[fault](lines, random)
        return "".join(f"{line}\n" for line in lines).encode()


def _records(random: Random, size: int) -> list[str]:
    """Return lines that write; most of them are events."""
    kinds: list[Callable[[], str]] = [
        lambda: f"event {_text(random)}",
        lambda: f"measure {random.choice(_WORDS)}",
        lambda: f"note {_text(random)}",
        lambda: f"bare {_text(random)}",
        lambda: f"block {_text(random)}",
        lambda: random.choice(["flush", f"level {random.randint(1, 9)}", f"skip {random.randint(1, 400)}"]),
    ]
    chosen = random.choices(kinds, weights=(6, 4, 2, 2, 1, 1), k=size * random.randint(10, 400))
    return [kind() for kind in chosen]


def _text(random: Random) -> str:
    return " ".join(random.choice(_WORDS) for _ in range(random.randint(2, 9)))


def _last_open(lines: list[str]) -> int:
    return max(place for place, line in enumerate(lines) if line.startswith("open "))


def _somewhere(lines: list[str], random: Random, *added: str) -> list[str]:
    """Put lines among the records of the last log."""
    place = random.randint(_last_open(lines) + 1, len(lines))
    return [*lines[:place], *added, *lines[place:]]


def _too_long(lines: list[str], random: Random) -> list[str]:
    size = int(lines[_last_open(lines)].split()[-1]) or 8192
    return _somewhere(lines, random, "event " + "x" * random.randint(size + 1, 3 * size + 100))


def _empty(lines: list[str], random: Random) -> list[str]:
    return _somewhere(lines, random, "bare ")


def _read_mode(lines: list[str], random: Random) -> list[str]:
    place = _last_open(lines)
    _, name, _, buffer = lines[place].split()
    return [*lines[:place], f"fill {name}", f"open {name} rb {buffer}", *lines[place + 1 :], "event end"]


def _not_opened(lines: list[str], random: Random) -> list[str]:
    place = _last_open(lines)
    _, name, mode, buffer = lines[place].split()
    return [*lines[:place], f"open nowhere/{name} {mode} {buffer}", *lines[place + 1 :], "event end"]


def _closed(lines: list[str], random: Random) -> list[str]:
    return _enough(_somewhere(lines, random, "release"), random)


def _full(lines: list[str], random: Random) -> list[str]:
    place = _last_open(lines)
    _, _, mode, buffer = lines[place].split()
    return _enough([*lines[:place], f"open /dev/full {mode} {buffer}", *lines[place + 1 :]], random)


def _earlier(lines: list[str], random: Random) -> list[str]:
    return [*_somewhere(lines, random, f"block -{random.randint(1, 99)}"), "event end"]


def _enough(lines: list[str], random: Random) -> list[str]:
    """Flush and go on, so that what is buffered must be written."""
    return [*lines, "flush", *(f"event {_text(random)}" for _ in range(random.randint(1, 20)))]


_MISHAPS: dict[str, Callable[[list[str], Random], list[str]]] = {
    "too long": _too_long,
    "empty text": _empty,
    "read mode": _read_mode,
    "not opened": _not_opened,
    "closed": _closed,
    "full device": _full,
    "earlier error": _earlier,
}
