"""PDF files: valid, or spoilt in one way.

A file is numbered *objects* and a table of where they begin. A document is drawn first; most faults change
how it is written, some what is done with the bytes afterwards.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

FAULTS = {
    "truncated": "The file was not copied or fetched to its end.",
    "html": "This is a web page that was saved under the name of a PDF file, often a login or error page.",
    "bad offsets": "The table of objects points to wrong places: an editor or a transfer changed the file.",
    "encrypted": "The file is encrypted; give its password.",
    "zeros": "The file holds only zeros: the place was reserved, and the content never arrived.",
    "scanned": "The pages are pictures; a program for character recognition must read them.",
    "damaged stream": "The compressed content of a page is damaged.",
    "no unicode map": "The font does not say which characters its glyphs stand for.",
    "missing object": "The list of pages names an object that is not in the file.",
}

_WORDS = (
    *("account", "address", "balance", "contract", "delivery", "estimate", "factory", "guarantee", "invoice"),
    *("journal", "ledger", "margin", "notice", "order", "payment", "quarter", "receipt", "summary"),
    *("transfer", "update", "voucher", "warehouse"),
)
_PADDING = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")
"""Fills up passwords, by the standard."""


@dataclass
class _Page:
    lines: list[str]
    compressed: bool
    picture: bytes
    """Samples of a small picture, or nothing."""


@dataclass(frozen=True)
class _Document:
    pages: list[_Page] = field(default_factory=list)
    title: str = ""
    stream_table: bool = False
    """Whether the table of objects is a stream, as from PDF 1.5 on."""
    scanned: bool = False
    glyphs: bool = False
    """Whether texts are numbers of glyphs in a font without a map to characters."""
    lost_page: int | None = None
    damaged_page: int | None = None
    shift: int = 0
    """What the table of objects is wrong by."""
    password: bytes | None = None


def pdf_bytes(random: Random, fault: str | None, size: int = 1) -> bytes:
    """Return a file of some pages of text; with a size, so many times as many.

    Examples
    --------
    >>> from random import Random
    >>> pdf_bytes(Random(1), None)[:5], pdf_bytes(Random(1), "html")[:5]
    (b'%PDF-', b'<!DOC')
    """
    document = _document(random, size)
    if fault is None:
        return _written(document, random)
    if fault in _CHANGES:
        return _written(_CHANGES[fault](document, random), random)
    return _BYTES[fault](_written(document, random), random)


def _document(random: Random, size: int) -> _Document:
    pages = []
    for _ in range(size * random.randint(1, 6)):
        lines = [_line(random) for _ in range(random.randint(3, 25))]
        picture = random.randbytes(3 * 64) if random.random() < 0.4 else b""
        pages.append(_Page(lines, random.random() < 0.7, picture))
    return _Document(pages, _line(random), random.random() < 0.4)


def _line(random: Random) -> str:
    return " ".join(random.choice(_WORDS) for _ in range(random.randint(3, 9)))


class _File:
    """Collects objects and writes them with their table."""

    def __init__(self, document: _Document, random: Random) -> None:
        self.document = document
        self.objects: dict[int, bytes] = {}
        self.taken = 0
        self.id = random.randbytes(16)
        self.key = b""

    def number(self) -> int:
        self.taken += 1
        return self.taken

    def stream(self, number: int, words: str, content: bytes) -> None:
        content = _rc4(self._object_key(number), content) if self.key else content
        head = f"<< {words} /Length {len(content)} >>\nstream\n".encode()
        self.objects[number] = head + content + b"\nendstream"

    def encrypt(self, password: bytes) -> int:
        """Encrypt all streams that follow, with 40 bits (revision 2); return the number of what says so."""
        padded = (password + _PADDING)[:32]
        owner = _rc4(hashlib.md5(padded, usedforsecurity=False).digest()[:5], padded)
        permissions = -44
        secret = padded + owner + struct.pack("<i", permissions) + self.id
        self.key = hashlib.md5(secret, usedforsecurity=False).digest()[:5]
        user = _rc4(self.key, _PADDING)
        number = self.number()
        keys = f"/O <{owner.hex()}> /U <{user.hex()}> /P {permissions}"
        self.objects[number] = f"<< /Filter /Standard /V 1 /R 2 {keys} >>".encode()
        return number

    def _object_key(self, number: int) -> bytes:
        secret = self.key + struct.pack("<I", number)[:3] + b"\0\0"
        return hashlib.md5(secret, usedforsecurity=False).digest()[:10]

    def written(self, root: int, encryption: int | None) -> bytes:
        out = bytearray(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
        places = {}
        for number, content in self.objects.items():
            places[number] = len(out)
            out += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
        shifted = {number: max(0, place + self.document.shift) for number, place in places.items()}
        words = f"/Root {root} 0 R /ID [<{self.id.hex()}> <{self.id.hex()}>]"
        if encryption is not None:
            words += f" /Encrypt {encryption} 0 R"
        begin = len(out)
        if self.document.stream_table:
            out += self._stream_table(words, begin, shifted)
        else:
            out += self._plain_table(words, shifted)
        return bytes(out) + f"startxref\n{begin}\n%%EOF\n".encode()

    def _plain_table(self, words: str, places: dict[int, int]) -> bytes:
        lines = [f"xref\n0 {self.taken + 1}\n0000000000 65535 f \n"]
        for number in range(1, self.taken + 1):
            kind = "n" if number in places else "f"
            lines.append(f"{places.get(number, 0):010d} 00000 {kind} \n")
        return "".join([*lines, f"trailer\n<< /Size {self.taken + 1} {words} >>\n"]).encode()

    def _stream_table(self, words: str, begin: int, places: dict[int, int]) -> bytes:
        number = self.number()
        rows = [struct.pack(">BIH", 0, 0, 65535)]
        for one in range(1, number):
            rows.append(struct.pack(">BIH", int(one in places), places.get(one, 0), 0))
        rows.append(struct.pack(">BIH", 1, begin, 0))
        content = zlib.compress(b"".join(rows))
        head = f"/Type /XRef /Size {number + 1} /W [1 4 2] {words} /Filter /FlateDecode"
        start = f"{number} 0 obj\n<< {head} /Length {len(content)} >>\nstream\n".encode()
        return start + content + b"\nendstream\nendobj\n"


def _written(document: _Document, random: Random) -> bytes:
    file = _File(document, random)
    encryption = None if document.password is None else file.encrypt(document.password)
    root, tree, font = file.number(), file.number(), file.number()
    file.objects[root] = f"<< /Type /Catalog /Pages {tree} 0 R >>".encode()
    if document.glyphs:
        inner = file.number()
        file.objects[inner] = (
            b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Subset /DW 600 "
            b"/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> "
            b"/FontDescriptor << /Type /FontDescriptor /FontName /Subset /Flags 4 /ItalicAngle 0 "
            b"/FontBBox [0 -200 1000 900] /Ascent 900 /Descent -200 /CapHeight 700 /StemV 80 >> >>"
        )
        words = f"/Subtype /Type0 /BaseFont /Subset /Encoding /Identity-H /DescendantFonts [{inner} 0 R]"
    else:
        words = "/Subtype /Type1 /BaseFont /Helvetica"
    file.objects[font] = f"<< /Type /Font {words} >>".encode()
    kids = [_page(file, place, tree, font, random) for place in range(len(document.pages))]
    names = " ".join(f"{kid} 0 R" for kid in kids)
    file.objects[tree] = f"<< /Type /Pages /Kids [{names}] /Count {len(kids)} >>".encode()
    if document.lost_page is not None:
        del file.objects[kids[document.lost_page]]
    return file.written(root, encryption)


def _page(file: _File, place: int, tree: int, font: int, random: Random) -> int:
    document = file.document
    page = document.pages[place]
    number, content = file.number(), file.number()
    pictures = ""
    shown = []
    samples = page.picture or (random.randbytes(3 * 64) if document.scanned else b"")
    if samples:
        picture = file.number()
        words = "/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceRGB /BitsPerComponent 8"
        file.stream(picture, f"{words} /Filter /FlateDecode", zlib.compress(samples))
        pictures = f"/XObject << /I {picture} 0 R >>"
        shown.append("q 400 0 0 400 50 50 cm /I Do Q")
    if not document.scanned:
        shown += [
            f"BT /F 11 Tf 60 {760 - 24 * at} Td {_text(line, document.glyphs)} Tj ET"
            for at, line in enumerate(page.lines)
        ]
    data = "\n".join(shown).encode()
    damaged = document.damaged_page == place
    if page.compressed or damaged:
        data = zlib.compress(data)
        file.stream(content, "/Filter /FlateDecode", _noisy(data, random) if damaged else data)
    else:
        file.stream(content, "", data)
    resources = f"<< /Font << /F {font} 0 R >> {pictures} >>"
    file.objects[number] = (
        f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 595 842] /Resources {resources} "
        f"/Contents {content} 0 R >>"
    ).encode()
    return number


def _text(line: str, glyphs: bool) -> str:
    return "<" + "".join(f"{ord(sign) - 29:04x}" for sign in line) + ">" if glyphs else f"({line})"


def _noisy(data: bytes, random: Random) -> bytes:
    """Return data of which a stretch near the beginning is noise, as deflate cannot go on behind it."""
    start = random.randint(0, min(20, len(data) - 12))
    length = random.randint(8, max(9, len(data) // 3))
    return (data[:start] + random.randbytes(length) + data[start + length :])[: len(data)]


def _rc4(key: bytes, data: bytes) -> bytes:
    """Return data encrypted by RC4, which is what old PDF files use."""
    box = list(range(256))
    j = 0
    for i in range(256):
        j = (j + box[i] + key[i % len(key)]) & 255
        box[i], box[j] = box[j], box[i]
    out = bytearray()
    i = j = 0
    for byte in data:
        i = (i + 1) & 255
        j = (j + box[i]) & 255
        box[i], box[j] = box[j], box[i]
        out.append(byte ^ box[(box[i] + box[j]) & 255])
    return bytes(out)


def _html(content: bytes, random: Random) -> bytes:
    rows = "".join(f"<p>{_line(random)}</p>\n" for _ in range(random.randint(2, 60)))
    head = f"<head><title>{_line(random)}</title></head>"
    return f"<!DOCTYPE html>\n<html>{head}\n<body>{rows}</body></html>".encode()


_CHANGES: dict[str, Callable[[_Document, Random], _Document]] = {
    "bad offsets": lambda one, random: replace(one, shift=random.choice([-1, 1]) * random.randint(3, 40)),
    "encrypted": lambda one, random: replace(one, password=random.randbytes(8).hex().encode()),
    "scanned": lambda one, random: replace(one, scanned=True),
    "damaged stream": lambda one, random: replace(one, damaged_page=random.randrange(len(one.pages))),
    "no unicode map": lambda one, random: replace(one, glyphs=True),
    "missing object": lambda one, random: replace(one, lost_page=random.randrange(len(one.pages))),
}
_BYTES: dict[str, Callable[[bytes, Random], bytes]] = {
    "truncated": lambda content, random: content[: int(len(content) * random.uniform(0.2, 0.9))],
    "html": _html,
    "zeros": lambda content, random: bytes(random.randint(500, 60_000)),
}
