"""Fingerprints of the bodies of functions: whether a function of a new build does what it did.

Of Python the program's own interpreter compiles the source: byte code, names, constants and what is tried
count, lines do not, so that a function that only moved is the same. Of native code the bytes count, without
the distances in calls, jumps and references to data, which change wherever anything moves; where that cannot
be told apart for certain a function is taken for changed.
"""

from __future__ import annotations

import hashlib
import json
import re
import struct
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from thriftwood.base.saving import save_text

FILE, SLEDS = "bodies.json", "sleds.json"
_SLED = re.compile(rb"(?:\xf3\x0f\x1e\xfa)?(?:\x90{8}|\x0f\x1f\x84\0\0\x02\0\0)")
_COMPILE = r"""
import hashlib, json, sys
def constant(value):
    if isinstance(value, tuple):
        return [constant(one) for one in value]
    if isinstance(value, frozenset):
        return sorted(map(repr, value))
    return value.co_qualname if hasattr(value, "co_code") else repr(value)
def walk(code, found):
    told = [code.co_code.hex(), code.co_names, code.co_varnames, code.co_freevars, code.co_flags,
            constant(code.co_consts), *filter(None, [code.co_exceptiontable.hex()])]
    key = f"{code.co_qualname}:{code.co_firstlineno}"  # of several of a line, as lambdas, all count
    found[key] = hashlib.sha256((found.get(key, "") + json.dumps(told)).encode()).hexdigest()[:24]
    for value in code.co_consts:
        if hasattr(value, "co_code"):
            walk(value, found)
    return found
told = {}
for path in sys.stdin.read().split("\n"):
    try:
        with open(path, "rb") as file:
            told[path] = walk(compile(file.read(), path, "exec", dont_inherit=True), {})
    except Exception:
        told[path] = {}
print(json.dumps(told))
"""
_DISTANCE = re.compile(
    rb"([\xe8\xe9]|\x0f[\x80-\x8f]|[\x05\x0d\x15\x1d\x25\x2d\x35\x3d])[\s\S]{4}", re.DOTALL
)
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_SYMBOLS, _FUNCTION = (2, 11), 2
_RANK = {1: 0, 2: 1}  # global, weak; as the recorder has it


def python_bodies(python: str, paths: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return for each source file the fingerprints of its functions, by ``qualname:line``.

    Examples
    --------
    >>> import sys
    >>> found = python_bodies(sys.executable, [__file__])[__file__]
    >>> [name.partition(":")[0] for name in found if name.startswith("python_bodies:")]
    ['python_bodies']
    """
    given = "\n".join(paths)
    done = subprocess.run([python, "-c", _COMPILE], input=given, capture_output=True, text=True, check=False)
    found: dict[str, dict[str, str]] = json.loads(done.stdout) if done.returncode == 0 else {}
    return found


class NativeFunctions(NamedTuple):
    """What is known of a binary that has its symbols.

    Attributes
    ----------
    bodies : dict of str to str
        The fingerprints of its functions, by name.
    sleds : list of str
        Those that can be watched and whose name is that of one alone, sorted. Of several names for one
        function it is the one that profiles have.
    """

    bodies: dict[str, str]
    sleds: list[str]


def native_functions(path: Path) -> NativeFunctions:
    """Read the functions of a binary."""
    bodies: dict[str, str] = {}
    places: dict[int, tuple[int, str]] = {}
    for name, rank, begin, code in _placed(path):
        if name not in bodies:
            bodies[name] = _native_fingerprint(code)
        if _SLED.match(code):
            places[begin] = min(places.get(begin, (rank, name)), (rank, name))
    times = Counter(name for _, name in places.values())
    return NativeFunctions(bodies, sorted(name for name, n in times.items() if n == 1))


def _placed(path: Path) -> Iterator[tuple[str, int, int, bytes]]:
    """Yield the functions that a binary's symbols name: name, rank of the name, place in the file, code."""
    data = path.read_bytes()
    head = _HEADER.unpack_from(data)
    sections = [_SECTION.unpack_from(data, head[6] + number * head[11]) for number in range(head[12])]
    for section in sections:
        if section[1] not in _SYMBOLS:
            continue
        names = sections[section[6]]
        table = data[section[4] : section[4] + section[5] // _SYMBOL.size * _SYMBOL.size]
        for name, info, _, owner, value, size in _SYMBOL.iter_unpack(table):
            if info & 15 != _FUNCTION or not size or not 0 < owner < len(sections):
                continue
            begin = sections[owner][4] + value - sections[owner][3]
            text = data[names[4] + name : data.find(b"\0", names[4] + name)].decode("utf-8", "replace")
            yield text, _RANK.get(info >> 4, 2), begin, data[begin : begin + size]


def _native_fingerprint(code: bytes) -> str:
    plain = _DISTANCE.sub(lambda found: found[1] + b"\0\0\0\0", code)
    return hashlib.sha256(plain).hexdigest()[:24]


# In a recording


def remember_bodies(folder: Path, builds: Mapping[str, str], python: str | None) -> None:
    """Keep what is not known yet of builds: fingerprints, and of native ones what can be watched.

    A recording that was begun before version 3 of models has the first alone.
    """
    known = read_bodies(folder)
    met = set(known) if python is not None else set(known) & set(read_sleds(folder))
    new = {path: identity for path, identity in builds.items() if identity and identity not in met}
    if not new:
        return
    if python is not None:
        found = python_bodies(python, new)
    else:
        read = {path: native_functions(Path(path)) for path in new if Path(path).is_file()}
        found = {path: functions.bodies for path, functions in read.items()}
        sleds = read_sleds(folder) | {new[path]: functions.sleds for path, functions in read.items()}
        save_text(folder / SLEDS, json.dumps(sleds))
    known |= {new[path]: bodies for path, bodies in found.items()}
    save_text(folder / FILE, json.dumps(known))


def read_bodies(folder: Path) -> dict[str, dict[str, str]]:
    """Read the fingerprints of a recording: by the identity of a file, then by the function's own name."""
    return _read(folder / FILE)


def read_sleds(folder: Path) -> dict[str, list[str]]:
    """Read which functions of each build could be watched, by the identity of a native file."""
    return _read(folder / SLEDS)


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    content = json.loads(path.read_text(encoding="utf-8"))
    return content if isinstance(content, dict) else {}


def own_name(function: str) -> str:
    """Return the name of a function without what it belongs to.

    Examples
    --------
    >>> own_name("docutils.nodes:Node.walk:17"), own_name("tcc!next_nomacro")
    ('Node.walk:17', 'next_nomacro')
    """
    _, native, name = function.partition("!")
    return name if native else function.partition(":")[2]


def without_line(function: str) -> str:
    """Return what a function is called in every build: without its line.

    Examples
    --------
    >>> without_line("docutils.nodes:Node.walk:17"), without_line("tcc!next_nomacro")
    ('docutils.nodes:Node.walk', 'tcc!next_nomacro')
    """
    return function if "!" in function else function.rpartition(":")[0]
