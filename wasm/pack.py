"""Put the built core among the studio's assets, with the digest of the sources it was made from.

`make wasm` runs it after the compiler. Tests ask `digest` whether what is committed is that of the sources.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
ASSETS = ROOT / "src" / "thriftwood" / "studio" / "assets"
BUILT = ROOT / "build" / "wasm"
INCLUDED = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def sources() -> list[Path]:
    """Return every file that the module is made of: the face, what it links of the core, their headers."""
    makefile = (ROOT / "wasm" / "Makefile").read_text(encoding="utf-8")
    rooms = re.search(r"^ROOMS := (.*)$", makefile, re.MULTILINE)
    left_out = re.findall(r"%/(\w+\.cpp)", makefile)
    assert rooms is not None  # the line that says what is compiled
    folders = [ROOT / "core", *(ROOT / "core" / room for room in rooms[1].split())]
    core = [file for folder in folders for file in folder.glob("*.cpp") if file.name not in left_out]
    face = [file for file in (ROOT / "wasm").iterdir() if file.is_file()]
    found = {*core, *face}
    waiting = list(found)
    while waiting:
        file = waiting.pop()
        for name in INCLUDED.findall(file.read_text(encoding="utf-8")):
            beside = ((folder / name).resolve() for folder in (file.parent, ROOT / "core", ROOT / "wasm"))
            header = next((one for one in beside if one.is_file()), None)
            if header is not None and header not in found:
                found.add(header)
                waiting.append(header)
    return sorted(found)


def digest() -> str:
    """Return the SHA-256 of names and contents of the sources."""
    found = hashlib.sha256()
    for file in sources():
        content = file.read_bytes()
        found.update(f"{file.relative_to(ROOT).as_posix()} {len(content)}\n".encode())
        found.update(content)
    return found.hexdigest()


def compiler() -> str:
    """Return the version of emscripten."""
    said = subprocess.run(["em++", "--version"], capture_output=True, text=True, check=True).stdout
    return said.splitlines()[0]


def pack(built: Path = BUILT, assets: Path = ASSETS) -> None:
    """Write the module, compressed, its loader, and what they were made of."""
    packed = gzip.compress((built / "core.wasm").read_bytes(), 9, mtime=0)
    (assets / "core.wasm.gz").write_bytes(packed)
    (assets / "core.js").write_bytes((built / "core.js").read_bytes())
    made_of = {"sources": digest(), "compiler": compiler()}
    (assets / "core.json").write_text(json.dumps(made_of, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--digest"]:
        sys.stdout.write(digest() + "\n")
    else:
        pack()
