"""The lines that ``thriftwood stream`` learns from: a file is read as `fit` reads it, a pipe as it comes."""

from __future__ import annotations

import codecs
import io
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from thriftwood.base.advice import advised
from thriftwood.base.remedies import Pass
from thriftwood.cli.advice import in_shell
from thriftwood.cli.options import STANDARD
from thriftwood.cli.printing import note
from thriftwood.cli.progress import progress
from thriftwood.datasets.files.decoding import codec_of
from thriftwood.datasets.files.parts import delimited_parts

UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True)
class StreamLines:
    """Lines of a table, the header first.

    `delimiter` and `decimal_commas` (names of columns) are what all rows of a file decided; None: nobody
    knows yet, as in a pipe.
    """

    lines: Iterable[str]
    source: str
    delimiter: str | None = None
    decimal_commas: frozenset[str] | None = None


@contextmanager
def stream_lines(table: Path, encoding: str | None) -> Iterator[StreamLines]:
    """Open a table, and say what is to be known about how it is read; - is standard input."""
    if table == STANDARD:
        yield StreamLines(_piped(sys.stdin.buffer, "standard input", encoding), "standard input")
    elif table.exists() and not table.is_file():  # a named pipe, which is read once only
        with table.open("rb") as pipe:
            yield StreamLines(_piped(pipe, str(table), encoding), str(table))
    else:
        with progress(f"reading {table.name}"):
            parts = delimited_parts(table, encoding=encoding)
        for remark in parts.notes:
            note(in_shell(remark))
        with parts.text() as lines:
            yield StreamLines(lines, parts.source, parts.delimiter, parts.decimal_commas)


def _piped(pipe: BinaryIO, source: str, encoding: str | None) -> Iterator[str]:
    """Give lines as they come. What is not in the encoding is an error: earlier rows are learnt already."""
    buffered = pipe if isinstance(pipe, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, pipe))
    start = buffered.peek(2)[:2]
    codec = codec_of(lambda: [start] if start in UTF16 else [], Path(source), encoding).name
    text = io.TextIOWrapper(buffered, codec, newline=None)
    n_lines = 0
    try:
        for line in text:
            yield line
            n_lines += 1
    except UnicodeDecodeError as error:
        line_number = n_lines + error.object.count(b"\n", 0, error.start) + 1
        raise advised(
            ValueError,
            f"{source}, line {line_number}: the byte {error.object[error.start]:#04x} is not text in "
            f"{encoding or 'UTF-8'}. ",
            Pass("encoding", "cp1252"),
            ", or whatever it is in.",
        ) from None
    finally:
        text.detach()  # standard input stays open
