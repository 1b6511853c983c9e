"""A corpus: files of known types and sources, and where in them the chunks are.

The index is a file of JSON lines, ``index.jsonl``, one file of the corpus to a line::

    {"path": "files/WAV/enigma-data/03.wav", "type": "WAV", "source": "enigma-data", "offsets": [9216, 70144]}

Paths are relative to the folder of the index. The types are names of folders, by custom those of `TYPES`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath

import numpy as np

from thriftwood.base.saving import save_text
from thriftwood.flowtype.chunk import CHUNK_BYTES
from thriftwood.flowtype.sureness import UNKNOWN

TYPES = ("BMP", "ENC", "JPG", "MP3", "MPG", "TXT", "WAV", "ZIP")
INDEX = "index.jsonl"
HEADER_BYTES = 4096  # what a file says about itself at its beginning is easy to forge, and not to be learnt
MIN_BYTES = HEADER_BYTES + CHUNK_BYTES
CHUNKS_PER_FILE = 3


@dataclass(frozen=True)
class Entry:
    """A file of a corpus."""

    path: str
    type: str
    source: str
    offsets: tuple[int, ...]


@dataclass(frozen=True)
class Corpus:
    """Files with types, sources and chunks; `Corpus.read` reads the index of one.

    Attributes
    ----------
    folder : Path
        What the paths of the entries are relative to.
    entries : tuple of Entry
        The files: `path`, `type`, `source`, and `offsets`, where the chunks begin.

    Examples
    --------
    >>> from pathlib import Path
    >>> Corpus(Path("corpus"), (Entry("TXT/a/1.txt", "TXT", "a", (4096,)),))
    <Corpus: 1 file of 1 type from 1 source, 1 chunk>
    """

    folder: Path
    entries: tuple[Entry, ...]

    @property
    def types(self) -> list[str]:
        """The types there are, sorted."""
        return sorted({entry.type for entry in self.entries})

    @property
    def sources(self) -> list[str]:
        """The sources there are, sorted."""
        return sorted({entry.source for entry in self.entries})

    @property
    def n_chunks(self) -> int:
        """The number of chunks."""
        return sum(len(entry.offsets) for entry in self.entries)

    def chunks(self) -> Iterator[bytes]:
        """Read the chunks, file after file."""
        for entry in self.entries:
            with (self.folder / entry.path).open("rb") as file:
                for offset in entry.offsets:
                    file.seek(offset)
                    chunk = file.read(CHUNK_BYTES)
                    if len(chunk) < CHUNK_BYTES:
                        raise ValueError(
                            f"{entry.path} has no {CHUNK_BYTES} bytes at {offset}, as its entry says: it was "
                            "another file then. Index the corpus again."
                        )
                    yield chunk

    def write(self) -> Path:
        """Write the index into the folder; return its path."""
        path = self.folder / INDEX
        lines = [json.dumps(asdict(entry)) + "\n" for entry in self.entries]
        save_text(path, "".join(lines))
        return path

    @classmethod
    def read(cls, folder: Path | str) -> Corpus:
        """Read the corpus whose index is in a folder."""
        path = Path(folder) / INDEX
        if not path.is_file():
            raise FileNotFoundError(
                f"There is no {INDEX} in {str(folder)!r}. `thriftwood flowtype corpus` makes it."
            )
        entries = []
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            try:
                entries.append(_entry(json.loads(line)))
            except (ValueError, KeyError, TypeError):
                raise ValueError(
                    f"Line {number} of {path} is no entry of a corpus: path, type, source and offsets were "
                    "wanted. `thriftwood flowtype corpus` writes such a file."
                ) from None
        for kind in {entry.type for entry in entries}:
            check_type(kind)
        return cls(Path(folder), tuple(entries))

    def __repr__(self) -> str:
        return (
            f"<Corpus: {_count(len(self.entries), 'file')} of {_count(len(self.types), 'type')} from "
            f"{_count(len(self.sources), 'source')}, {_count(self.n_chunks, 'chunk')}>"
        )


def index_folders(
    folder: Path | str,
    roots: Sequence[Path | str],
    *,
    min_bytes: int = MIN_BYTES,
    chunks_per_file: int = CHUNKS_PER_FILE,
) -> Corpus:
    """Index files of types that the names of their folders say; write the index.

    ``ROOT/TYPE/SOURCE/...`` is a file of that type from that source. A file right below ``ROOT/TYPE`` is a
    source of its own.

    Parameters
    ----------
    folder : path
        Where the index is to be.
    roots : list of paths
        Folders with one subfolder for each type.
    min_bytes : int
        Smaller files are left out; at least 20480, a header and a chunk.
    chunks_per_file : int
        How many chunks of each file; fewer where they would overlap.
    """
    if min_bytes < MIN_BYTES:
        raise ValueError(f"min_bytes must be {MIN_BYTES} or more: a header and a chunk. Got {min_bytes}.")
    if chunks_per_file < 1:
        raise ValueError(f"chunks_per_file must be 1 or more. Got {chunks_per_file}.")
    folder = Path(folder)
    entries = []
    for root in map(Path, roots):
        if not root.is_dir():
            raise NotADirectoryError(f"{str(root)!r} is no folder. Give one with a subfolder for each type.")
        for path in sorted(root.glob("*/**/*")):
            size = path.stat().st_size if path.is_file() and not path.is_symlink() else 0
            if size < min_bytes:
                continue
            kind, source, *_ = path.relative_to(root).parts
            check_type(kind)
            offsets = chunk_offsets(str(path.relative_to(root)), size, chunks_per_file)
            entries.append(Entry(_relative(path, folder), kind, source, offsets))
    if not entries:
        raise ValueError(
            f"No file of {min_bytes} bytes or more lies in {', '.join(map(repr, map(str, roots)))}. Wanted: "
            "FOLDER/TYPE/SOURCE/file."
        )
    folder.mkdir(parents=True, exist_ok=True)
    corpus = Corpus(folder, tuple(entries))
    corpus.write()
    return corpus


def check_type(kind: str) -> None:
    """Refuse "unknown" as the name of a type: it is the answer for streams of none.

    Examples
    --------
    >>> check_type("TXT")
    """
    if kind == UNKNOWN:
        raise ValueError(
            f"A type cannot be called {UNKNOWN!r}: that is the answer for streams that are like no type. "
            "Give it another name, such as 'other'."
        )


def chunk_offsets(name: str, size: int, count: int) -> tuple[int, ...]:
    """Draw where chunks begin: after the header, one in each of `count` equal parts of the rest.

    The draw depends on the name and the size of the file alone.

    Examples
    --------
    >>> chunk_offsets("TXT/a/1.txt", 20480, 3)
    (4096,)
    >>> offsets = chunk_offsets("TXT/a/1.txt", 100_000, 3)
    >>> len(offsets), offsets[0] >= 4096, offsets[-1] + 16384 <= 100_000
    (3, True, True)
    """
    random = np.random.default_rng(list(hashlib.sha256(f"{name} {size}".encode()).digest()[:16]))
    count = min(count, (size - HEADER_BYTES) // CHUNK_BYTES)
    part = (size - HEADER_BYTES) // count
    starts = [HEADER_BYTES + number * part for number in range(count)]
    return tuple(start + int(random.integers(0, part - CHUNK_BYTES + 1)) for start in starts)


def _entry(content: dict[str, object]) -> Entry:
    path, kind, source, offsets = (content[key] for key in ("path", "type", "source", "offsets"))
    if not all(isinstance(text, str) for text in (path, kind, source)) or not isinstance(offsets, list):
        raise TypeError
    if not all(isinstance(offset, int) and offset >= 0 for offset in offsets):
        raise TypeError
    return Entry(str(path), str(kind), str(source), tuple(offsets))


def _relative(path: Path, folder: Path) -> str:
    try:
        return path.resolve().relative_to(folder.resolve()).as_posix()
    except ValueError:  # elsewhere on the machine
        return path.resolve().as_posix()


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def count_files(entries: Iterable[Entry]) -> dict[str, int]:
    """Count the files of each type.

    Examples
    --------
    >>> count_files([Entry("a", "TXT", "s", ()), Entry("b", "TXT", "s", ())])
    {'TXT': 2}
    """
    counts: dict[str, int] = {}
    for entry in entries:
        counts[entry.type] = counts.get(entry.type, 0) + 1
    return counts


def types_without_sources(entries: Iterable[Entry]) -> list[str]:
    """List the types whose files all lie right in the folder of their type, each a source of its own.

    Examples
    --------
    >>> types_without_sources([Entry("TXT/1.txt", "TXT", "1.txt", ()), Entry("WAV/a/1.wav", "WAV", "a", ())])
    ['TXT']
    """
    grouped: dict[str, bool] = {}
    for entry in entries:
        own = PurePosixPath(entry.path).parts[-2:] == (entry.type, entry.source)
        grouped[entry.type] = grouped.get(entry.type, False) or not own
    return sorted(kind for kind, by_source in grouped.items() if not by_source)
