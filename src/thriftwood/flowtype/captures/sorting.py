"""The type of every stream of a capture; a corpus of streams whose types are known."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from os import PathLike
from pathlib import Path
from shutil import rmtree
from typing import Any, BinaryIO

from thriftwood.base.saving import save_bytes
from thriftwood.flowtype.captures.counts import PacketCounts
from thriftwood.flowtype.captures.files import CaptureError
from thriftwood.flowtype.captures.streams import Stream, read_streams
from thriftwood.flowtype.chunk import SIZES
from thriftwood.flowtype.classifying import Classification, StreamClassifier, classifier_of
from thriftwood.flowtype.corpus import MIN_BYTES, Corpus, check_type, index_folders
from thriftwood.models.model import Model

FILES = "streams"
MOST_STREAM = 1024 * 1024
"""Bytes of a stream that a corpus keeps."""
Told = Callable[[Path, PacketCounts, CaptureError | None], None]


@dataclass(frozen=True)
class SortedStream:
    """A stream with its type.

    Attributes
    ----------
    stream : Stream
        Its ends and its size.
    found : Classification or None
        Its type and what telling it cost; None if it has fewer than 2048 bytes.
    """

    stream: Stream
    found: Classification | None

    @property
    def answer(self) -> Any:
        """Its type; None if it is too short."""
        return None if self.found is None else self.found.answer


def classify_capture(
    file: BinaryIO | str | PathLike[str],
    classifier: StreamClassifier | Model | str | PathLike[str],
    *,
    packets: PacketCounts | None = None,
) -> Iterator[SortedStream]:
    """Tell the type of every stream of a capture, as each is over.

    Parameters
    ----------
    file : binary file or path
        pcap or pcapng; a pipe is read as it comes, and memory is bounded.
    classifier : StreamClassifier, path or model
        What tells types, as `classify` takes it.
    packets : PacketCounts, optional
        Counts the packets of this capture: how many were cut, and how many passed over.

    Raises
    ------
    CaptureError
        If it is no capture, is damaged, or has nothing but link types and tunnels that are not read; all
        streams before that have been given.
    """
    teller = classifier_of(classifier)
    for stream in read_streams(file, packets=packets):
        enough = len(stream.content) >= SIZES[0]
        found = teller.explain(bytes(stream.content)) if enough else None
        stream.content.clear()
        yield SortedStream(stream, found)


def capture_corpus(
    folder: str | PathLike[str],
    captures: Sequence[str | PathLike[str]],
    labels: Sequence[tuple[str, str]],
    *,
    chunks_per_file: int = 3,
    tell: Told | None = None,
) -> Corpus:
    """Make a corpus of the streams of captures whose types are known.

    Parameters
    ----------
    folder : path
        Where the streams, up to 1 MB of each, and the index are written. Streams of an earlier run must not
        be there; if something goes wrong, none are left.
    captures : sequence of paths
        pcap and pcapng files; each is a source of its name, those of one name with a number.
    labels : sequence of (pattern, type)
        See `read_labels`; the first pattern that fits a stream tells its type. Streams that none fits, and
        those of fewer than 20480 bytes, are left out.
    chunks_per_file : int
        As for `index_folders`.
    tell : callable, optional
        Called after each capture with its path, the counts of its packets and what was wrong with it, None
        if nothing was; streams before that are kept. Without it a capture that is cut off or damaged is an
        error.
    """
    streams = Path(folder) / FILES
    if streams.exists():
        raise ValueError(
            f"{str(streams)!r} has streams of an earlier run, which would be mixed with these. Give a new "
            "folder, or remove that one."
        )
    try:
        if not sum(_write_streams(streams, *one, labels, tell) for one in _sources(captures).items()):
            raise ValueError(
                f"No stream of the captures that has {MIN_BYTES:,} bytes fits a pattern of the labels. A "
                "pattern is SOURCE > TARGET, for example *:80 > *; `thriftwood flowtype classify` lists the "
                "streams of a capture."
            )
        return index_folders(streams.parent, [streams], chunks_per_file=chunks_per_file)
    except BaseException:  # half a corpus would be in the way of the next run
        rmtree(streams, ignore_errors=True)
        raise


def _sources(captures: Sequence[str | PathLike[str]]) -> dict[str, Path]:
    """Give each capture a name of its own."""
    found: dict[str, Path] = {}
    for capture in map(Path, captures):
        numbered = (f"{capture.stem}-{number}" for number in count(2))
        found[next(name for name in chain([capture.stem], numbered) if name not in found)] = capture
    return found


def _write_streams(
    folder: Path, source: str, capture: Path, labels: Sequence[tuple[str, str]], tell: Told | None
) -> int:
    """Write the streams of a capture whose types are known; return how many."""
    n_written, packets, problem = 0, PacketCounts(), None
    given = read_streams(capture, wanted=MOST_STREAM, most_open=64, packets=packets)
    try:
        for number, stream in enumerate(given):
            kind = label_of(stream, labels) if len(stream.content) >= MIN_BYTES else None
            if kind is None:
                continue
            place = folder / kind / source / f"{number:06}.bin"
            place.parent.mkdir(parents=True, exist_ok=True)
            save_bytes(place, bytes(stream.content))
            n_written += 1
    except CaptureError as error:
        if tell is None:
            raise
        problem = error
    if tell is not None:
        tell(capture, packets, problem)
    return n_written


def label_of(stream: Stream, labels: Sequence[tuple[str, str]]) -> str | None:
    """Return the type of the first pattern that fits the ends of a stream."""
    for pattern, kind in labels:
        if re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), stream.endpoints):
            return kind
    return None


def read_labels(path: str | PathLike[str]) -> list[tuple[str, str]]:
    r"""Read a file of labels: a type, a tab, and a pattern of a stream's ends on every line.

    A ``*`` in a pattern stands for anything: ``TXT\t10.0.0.7:8080 > *``.

    Raises
    ------
    ValueError
        Naming the line that is wrong.
    """
    found = []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        kind, tab, pattern = line.partition("\t")
        kind, pattern = kind.strip(), pattern.strip()
        if not tab or not kind or " > " not in pattern:
            raise ValueError(
                f"{path}, line {number}: a type, a tab and a pattern SOURCE > TARGET were wanted, for "
                f"example TXT, tab, 10.0.0.7:8080 > *. Got {line!r}."
            )
        try:
            check_type(kind)
            _check_folder(kind)
            for end in pattern.split(" > ", 1):
                _check_end(end)
        except ValueError as problem:
            raise ValueError(f"{path}, line {number}: {problem}") from None
        found.append((pattern, kind))
    if not found:
        raise ValueError(f"{path} has no labels. Write a type, a tab and SOURCE > TARGET on every line.")
    return found


def _check_folder(kind: str) -> None:
    """Refuse a type that is no name of a folder in the corpus."""
    if "/" in kind or kind.startswith("."):
        raise ValueError(
            f"a type is the name of a folder in the corpus, without / and with no dot in front. Got {kind!r}."
        )


def _check_end(end: str) -> None:
    """Refuse a pattern of an address and a port that no end of a stream fits."""
    if end.count(":") > 1 and not end.startswith(("[", "*")):
        raise ValueError(f"an address of IPv6 is in brackets, for example [fd00::7]:443. Got {end!r}.")
    if not re.search(r"\*$|:[\d*]*\d$", end):
        raise ValueError(
            f"{end!r} has no port, and the ends of a stream have one, so that no stream fits. Write "
            f"{end}:443, or {end}:* for any port."
        )
