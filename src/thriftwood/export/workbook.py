"""Workbooks of spreadsheets (.xlsx) without macros: texts, numbers, formulas, cells to fill in.

Whatever comes from data is the text of a cell, never a part of a formula: a name that looks like a formula
stays a name.
"""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple
from xml.sax.saxutils import escape

MOST_ROWS = 1_048_576
"""A sheet has so many rows."""
LONGEST = 250
"""Characters of a text: more than 255 cannot be chosen from a list."""
LONGEST_FORMULA = 8192
"""Characters of a formula; a file with a longer one is not opened."""
LARGEST = 9.99999999999999e307
"""The largest number that a cell can hold."""
_UNWRITTEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")


_ESCAPED = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
"""What a reader of the format would take for the number of a character."""


class Look(IntEnum):
    """How a cell looks: its place in `_STYLES`."""

    PLAIN = 0
    TITLE = 1
    LABEL = 2
    HEAD = 3
    NUMBER_TO_FILL = 4
    TEXT_TO_FILL = 5
    LARGE = 6
    NOTE = 7
    PERCENT = 8
    BESIDE = 9
    """A note beside a number."""


class Formula(NamedTuple):
    """A formula, without its sign of equality."""

    text: str


Content = str | float | Formula


@dataclass
class Sheet:
    """One sheet. Rows and columns count from 1."""

    name: str
    widths: tuple[float, ...] = ()
    locked: bool = False
    cells: dict[tuple[int, int], tuple[Content | None, Look]] = field(default_factory=dict)
    marked: str = ""
    """Cells that are marked while `marked_when` holds."""
    marked_when: str = ""
    validations: list[str] = field(default_factory=list)

    def put(self, row: int, column: int, content: Content | None, look: Look = Look.PLAIN) -> str:
        """Fill a cell; return where it is, with the name of the sheet."""
        if row > MOST_ROWS:
            raise ValueError(f"A sheet has {MOST_ROWS:,} rows, and this model needs more. Prune it.")
        if isinstance(content, Formula) and len(content.text) >= LONGEST_FORMULA:
            raise ValueError(
                f"A formula of a sheet has fewer than {LONGEST_FORMULA:,} characters, and this model needs "
                f"one of {len(content.text):,}. Learn one with fewer tests."
            )
        self.cells[row, column] = content, look
        return self.at(row, column)

    def row(self, row: int, contents: list[Content | None], look: Look = Look.PLAIN, first: int = 1) -> None:
        """Fill cells of a row; None leaves one out."""
        for column, content in enumerate(contents, start=first):
            if content is not None:
                self.put(row, column, content, look)

    def at(self, row: int, column: int) -> str:
        """Return what a formula calls a cell.

        Examples
        --------
        >>> Sheet("Steps").at(3, 28)
        'Steps!$AB$3'
        """
        return f"{self.name}!{own_place(row, column)}"

    def span(self, first: tuple[int, int], last: tuple[int, int]) -> str:
        """Return what a formula calls the cells between two corners."""
        return f"{self.at(*first)}:{own_place(*last)}"

    def choose(self, row: int, column: int, listed: str, prompt: str) -> None:
        """Offer a list of texts in a cell; others are taken after a warning."""
        self._validate(
            row, column, f'type="list" errorStyle="warning" {_said("Not in the list", prompt)}', listed
        )

    def wanted(self, row: int, column: int, condition: str, prompt: str) -> None:
        """Refuse what does not fulfil a condition."""
        self._validate(row, column, f'type="custom" {_said("A number is wanted", prompt)}', condition)

    def _validate(self, row: int, column: int, how: str, formula: str) -> None:
        place = own_place(row, column).replace("$", "")
        self.validations.append(
            f'<dataValidation {how} allowBlank="1" showInputMessage="1" showErrorMessage="1" sqref="{place}">'
            f"<formula1>{escape(formula)}</formula1></dataValidation>"
        )

    def xml(self) -> str:
        """Write the sheet."""
        rows: dict[int, list[str]] = {}
        for (row, column), (content, look) in sorted(self.cells.items()):
            rows.setdefault(row, []).append(_cell(own_place(row, column).replace("$", ""), content, look))
        parts = [
            f'{_XML}<worksheet xmlns="{_MAIN}">',
            '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>',
            '<sheetViews><sheetView workbookViewId="0"/></sheetViews>',
        ]
        if self.widths:
            columns = "".join(
                f'<col min="{n}" max="{n}" width="{width:g}" customWidth="1"/>'
                for n, width in enumerate(self.widths, start=1)
            )
            parts.append(f"<cols>{columns}</cols>")
        lines = "".join(f'<row r="{row}">{"".join(cells)}</row>' for row, cells in rows.items())
        parts.append(f"<sheetData>{lines}</sheetData>")
        if self.locked:
            parts.append('<sheetProtection sheet="1" objects="1" scenarios="1" formatColumns="0"/>')
        if self.marked:
            when = f"<formula>{escape(self.marked_when)}</formula>"
            rule = f'<cfRule type="expression" dxfId="0" priority="1">{when}</cfRule>'
            parts.append(f'<conditionalFormatting sqref="{self.marked}">{rule}</conditionalFormatting>')
        if self.validations:
            count = len(self.validations)
            parts.append(f'<dataValidations count="{count}">{"".join(self.validations)}</dataValidations>')
        parts.append('<pageSetup orientation="landscape" fitToHeight="0"/></worksheet>')
        return "".join(parts)


def own_place(row: int, column: int) -> str:
    """Return what a formula of the same sheet calls a cell.

    Examples
    --------
    >>> own_place(2, 27)
    '$AA$2'
    """
    letters = ""
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(65 + letter) + letters
    return f"${letters}${row}"


def shown(text: str) -> str:
    r"""Return a text as a cell can show it: on one line, without characters that no file can hold.

    Examples
    --------
    >>> shown("two\nlines"), shown("")
    ('two lines', '(empty)')
    """
    line = _UNWRITTEN.sub(" ", text).strip()
    return (line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…") or "(empty)"


def shown_apart(texts: list[str]) -> list[str]:
    """Return texts as cells can show them, numbered where two would look the same.

    Examples
    --------
    >>> shown_apart(["a", "a ", "b"])
    ['a', 'a (2)', 'b']
    """
    taken: dict[str, None] = {}
    for text in texts:
        name, number = shown(text), 1
        while name in taken:
            number += 1
            ending = f" ({number})"
            name = shown(text)[: LONGEST - len(ending)] + ending
        taken[name] = None
    return list(taken)


def workbook(sheets: list[Sheet]) -> bytes:
    """Write the file; the same sheets give the same bytes.

    Examples
    --------
    >>> sheet = Sheet("Sum")
    >>> _ = sheet.put(1, 1, 2.0), sheet.put(1, 2, Formula("A1+1"))
    >>> workbook([sheet])[:2]
    b'PK'
    """
    names = "".join(
        f'<sheet name="{sheet.name}" sheetId="{n}" r:id="rId{n}"/>' for n, sheet in enumerate(sheets, start=1)
    )
    links = "".join(
        f'<Relationship Id="rId{n}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{n}.xml"/>'
        for n in range(1, len(sheets) + 1)
    )
    kinds = "".join(
        f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{_SHEETML}.worksheet+xml"/>'
        for n in range(1, len(sheets) + 1)
    )
    parts = {
        "[Content_Types].xml": f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
        f'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_SHEETML}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_SHEETML}.styles+xml"/>{kinds}</Types>',
        "_rels/.rels": f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'{_XML}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{names}</sheets>'
        '<calcPr calcId="0" fullCalcOnLoad="1"/></workbook>',
        "xl/_rels/workbook.xml.rels": f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">{links}'
        f'<Relationship Id="rId0" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
        "xl/styles.xml": _STYLES,
        **{f"xl/worksheets/sheet{n}.xml": sheet.xml() for n, sheet in enumerate(sheets, start=1)},
    }
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, text.encode("utf-8"))
    return written.getvalue()


def _cell(place: str, content: Content | None, look: Look) -> str:
    style = f' s="{int(look)}"' if look else ""
    if content is None:
        return f'<c r="{place}"{style}/>'
    if isinstance(content, Formula):
        return f'<c r="{place}"{style}><f>{escape(content.text)}</f></c>'
    if isinstance(content, str):
        text = f'<t xml:space="preserve">{_ESCAPED.sub("_x005F_", escape(shown(content)))}</t>'
        return f'<c r="{place}"{style} t="inlineStr"><is>{text}</is></c>'
    number = min(max(float(content), -LARGEST), LARGEST)
    return f'<c r="{place}"{style}><v>{number!r}</v></c>'


def _said(title: str, prompt: str) -> str:
    words = escape(shown(prompt), {'"': "&quot;"})
    return f'errorTitle="{title}" error="{words}" prompt="{words}"'


_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_SCHEMAS = "http://schemas.openxmlformats.org"  # names of the format's parts; nothing is fetched
_MAIN = f"{_SCHEMAS}/spreadsheetml/2006/main"
_OFFICE = f"{_SCHEMAS}/officeDocument/2006/relationships"
_PACKAGE = f"{_SCHEMAS}/package/2006"
_SHEETML = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_BORDER = "".join(
    f'<{side} style="thin"><color rgb="FF8A97A3"/></{side}>' for side in ("left", "right", "top", "bottom")
)
_TO_FILL = 'fontId="0" fillId="3" borderId="1" xfId="0" applyFill="1" applyBorder="1" applyProtection="1"'
_STYLES = (
    f'{_XML}<styleSheet xmlns="{_MAIN}">'
    '<fonts count="5"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="16"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="12"/><color rgb="FF0B5C8A"/><name val="Calibri"/></font>'
    '<font><sz val="11"/><color rgb="FF55626F"/><name val="Calibri"/></font></fonts>'
    '<fills count="4"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill>'
    '<fill><patternFill patternType="solid"><fgColor rgb="FFE3E9EF"/></patternFill></fill>'
    '<fill><patternFill patternType="solid"><fgColor rgb="FFFFF9DB"/></patternFill></fill></fills>'
    f'<borders count="2"><border/><border>{_BORDER}</border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="10"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>'
    '<xf numFmtId="0" fontId="2" fillId="0" borderId="0" xfId="0" applyFont="1"/>'
    '<xf numFmtId="0" fontId="2" fillId="2" borderId="0" xfId="0" applyFont="1" applyFill="1"/>'
    f'<xf numFmtId="0" {_TO_FILL}><alignment horizontal="left"/><protection locked="0"/></xf>'
    f'<xf numFmtId="49" {_TO_FILL} applyNumberFormat="1"><alignment horizontal="left"/>'
    '<protection locked="0"/></xf>'
    '<xf numFmtId="0" fontId="3" fillId="0" borderId="0" xfId="0" applyFont="1" applyAlignment="1">'
    '<alignment horizontal="left"/></xf>'
    '<xf numFmtId="0" fontId="4" fillId="0" borderId="0" xfId="0" applyFont="1"/>'
    '<xf numFmtId="10" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
    '<xf numFmtId="0" fontId="4" fillId="0" borderId="0" xfId="0" applyFont="1" applyAlignment="1">'
    '<alignment horizontal="left" indent="1"/></xf></cellXfs>'
    '<dxfs count="1"><dxf><font><b/></font><fill><patternFill patternType="solid"><bgColor rgb="FFFFE08A"/>'
    "</patternFill></fill></dxf></dxfs></styleSheet>"
)
