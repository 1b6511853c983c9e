"""Exported spreadsheets, filled in and computed by LibreOffice."""

import csv
import io
import re
import shutil
import subprocess
import zipfile
from dataclasses import dataclass
from xml.sax.saxutils import escape

import pytest

import thriftwood as tw
from thriftwood.export.cascade_plan import cascade_plan
from thriftwood.export.plan import plan
from thriftwood.export.workbook import shown_apart
from thriftwood.export.xlsx_consult import FIRST
from thriftwood.table.values import is_missing

SOFFICE = shutil.which("soffice") or shutil.which("libreoffice")
needs_office = pytest.mark.skipif(SOFFICE is None, reason="LibreOffice is not installed")
NONE = "cannot be had"
# Commas and quotes, UTF-8, from line 1, every number with all its digits.
_FILTER = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false"


@dataclass
class Seen:
    """What the front of a sheet says."""

    following: str
    price: str
    bill: float
    answer: str
    paid: list[float]
    notes: list[str]
    shares: list[float]


def filled(content, values):
    """The file with results filled in: by place, text or number; None leaves a cell empty."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            text = old.read(name).decode("utf-8")
            if name == "xl/worksheets/sheet1.xml":
                for place, value in enumerate(values):
                    text = _put(text, f"B{FIRST + place}", value)
            new.writestr(name, text)
    return made.getvalue()


def _put(text, place, value):
    empty = re.search(rf'<c r="{place}" s="(\d)"/>', text)
    if value is None:
        return text
    style = f'<c r="{place}" s="{empty[1]}"'
    cell = f"{style}><v>{value!r}</v></c>"
    if isinstance(value, str):
        cell = f'{style} t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'
    return text.replace(empty[0], cell)


def computed(folder, files):
    """What LibreOffice shows on the first sheet of each file, as rows of cells."""
    for number, content in enumerate(files):
        (folder / f"case{number}.xlsx").write_bytes(content)
    names = [str(folder / f"case{number}.xlsx") for number in range(len(files))]
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    command = [SOFFICE, profile, "--headless", "--convert-to", _FILTER, "--outdir", str(folder), *names]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    texts = [(folder / f"case{number}.csv").read_text(encoding="utf-8") for number in range(len(files))]
    return [list(csv.reader(io.StringIO(text))) for text in texts]


def seen(rows, n_tests, n_classes):
    first = FIRST - 1
    tests = rows[first : first + n_tests]
    shares = rows[first + n_tests + 2 : first + n_tests + 2 + n_classes]
    return Seen(
        *(rows[3][1], rows[4][1], float(rows[5][1]), rows[6][1]),
        [float(row[3]) for row in tests],
        [row[4] for row in tests],
        [float(row[1].rstrip("%")) / 100 for row in shares if row[1]],
    )


def made_of(model):
    return cascade_plan(model) if isinstance(model, tw.Cascade) else plan(model)


def written(test, value):
    """A value as it is filled in."""
    if is_missing(value):
        return NONE
    if test.categories is None:
        return float(value)
    if value in test.categories:
        return shown_apart([str(one) for one in test.categories])[test.categories.index(value)]
    return f"not in the list: {value}"


def by_sheet(model, rows, folder):
    """What the sheet says of rows whose results are all filled in."""
    made, content = made_of(model), tw.export_xlsx(model)
    files = [filled(content, [written(test, row[test.name]) for test in made.tests]) for row in rows]
    return [seen(one, len(made.tests), len(made.classes or ())) for one in computed(folder, files)]
