"""What the file of a native program or library says about itself: its build, and how it was compiled."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_Section = tuple[int, int, int, int, int]  # name, type, offset, size, the section it refers to
_SEGMENT = struct.Struct("<IIQQQQQQ")
_X86_64, _INTERPRETER, _NOTES, _GNU_BUILD_ID = 62, 3, 4, 3
_DYNAMIC_SYMBOLS, _SYMBOL = 11, struct.Struct("<IBBHQQ")
_SLEDS = {b"__patchable_function_entries", b".thriftwood_sleds"}
_HOOK = b"__cyg_profile_func_enter"


class ElfError(ValueError):
    """The file is no program or library that can be recorded."""


@dataclass(frozen=True, slots=True)
class ElfFile:
    """A native program or library.

    Attributes
    ----------
    path : Path
        Its file.
    build : str
        What identifies its build: the build id in hexadecimal, or a checksum of the file where it has none.
    sleds : bool
        Compiled with ``-fpatchable-function-entry``.
    hooks : bool
        Compiled with ``-finstrument-functions``.
    dynamic : bool
        Started by the dynamic loader, as a program must be to be recorded.
    """

    path: Path
    build: str
    sleds: bool
    hooks: bool
    dynamic: bool


def read_elf(path: str | PathLike[str]) -> ElfFile:
    """Read the file of a native program or library.

    Raises
    ------
    ElfError
        If it is no ELF file of x86-64.

    Examples
    --------
    >>> read_elf(__file__)
    Traceback (most recent call last):
    thriftwood.clarify.elf.ElfError: ...elf.py is no native program: it does not begin as an ELF file does.
    """
    path = Path(path)
    data = path.read_bytes()
    if len(data) < _HEADER.size or data[:4] != b"\x7fELF":
        raise ElfError(f"{path} is no native program: it does not begin as an ELF file does.")
    head = _HEADER.unpack_from(data)
    if data[4] != 2 or data[5] != 1 or head[2] != _X86_64:
        raise ElfError(f"{path} was not compiled for x86-64, which is what native recording is written for.")
    sections, section_names = _sections(data, *head[6:7], *head[11:])
    segments = _segments(data, head[5], head[10])
    return ElfFile(
        path=path,
        build=_build_id(data, segments) or f"crc32:{zlib.crc32(data):x}",
        sleds=bool(_SLEDS & section_names),
        hooks=_wants_hook(data, sections),
        dynamic=any(kind == _INTERPRETER for kind, _, _ in segments),
    )


def _sections(
    data: bytes, at: int, size: int, count: int, names_at: int
) -> tuple[list[_Section], set[bytes]]:
    """All sections, and their names."""
    sections: list[_Section] = []
    for number in range(count):
        if at + number * size + _SECTION.size > len(data):
            break
        name, kind, _, _, offset, length, link, *_ = _SECTION.unpack_from(data, at + number * size)
        sections.append((name, kind, offset, length, link))
    if names_at >= len(sections):
        return sections, set()
    return sections, {_text(data, sections[names_at], name) for name, *_ in sections}


def _text(data: bytes, section: _Section, at: int) -> bytes:
    start = section[2] + at
    end = data.find(b"\0", start, section[2] + section[3])
    return data[start:end] if end >= 0 else b""


def _wants_hook(data: bytes, sections: list[_Section]) -> bool:
    """Whether it calls the hook, which others define."""
    for _, kind, offset, length, link in sections:
        if kind != _DYNAMIC_SYMBOLS or link >= len(sections):
            continue
        table = data[offset : offset + length // _SYMBOL.size * _SYMBOL.size]
        for name, _, _, section, _, _ in _SYMBOL.iter_unpack(table):
            if section == 0 and _text(data, sections[link], name) == _HOOK:
                return True
    return False


def _segments(data: bytes, at: int, count: int) -> list[tuple[int, int, int]]:
    """Type, offset and size in the file of each segment."""
    segments = []
    for number in range(count):
        if at + (number + 1) * _SEGMENT.size > len(data):
            break
        kind, _, offset, _, _, length, *_ = _SEGMENT.unpack_from(data, at + number * _SEGMENT.size)
        segments.append((kind, offset, length))
    return segments


def _build_id(data: bytes, segments: list[tuple[int, int, int]]) -> str:
    for kind, at, length in segments:
        end = min(at + length, len(data))
        while kind == _NOTES and at + 12 <= end:
            name_size, size, note = struct.unpack_from("<III", data, at)
            content = at + 12 + (name_size + 3) // 4 * 4
            if note == _GNU_BUILD_ID and data[at + 12 : content] == b"GNU\0" and content + size <= end:
                return data[content : content + size].hex()
            at = content + (size + 3) // 4 * 4
    return ""
