"""Tables in files: CSV, TSV, Parquet, Arrow, ARFF and C4.5's .names with .data.

Words used in this folder:

cell
    one entry of a text file, spaces around it taken off; None is missing.
file column
    one column as the file has it, before anybody decided its kind (`FileColumn`).
missing mark
    a text that stands for "no value" (`MISSING_MARKS`).
file table
    the file columns of one file (`FileTable`), or of a *part* of it: some rows of a file that is too large to
    be held whole (`TableParts`).

The walk of one file: ``reading`` recognises the format by the name's ending, a reader (``delimited``,
``arff``, ``c45``, ``arrow``) gives a file table, and that becomes columns: by what the cells look like, or by
what a tree learnt about them (``matching``). Whatever is wrong with a file is a ValueError that names it.
"""

from thriftwood.datasets.files.matching import matched
from thriftwood.datasets.files.parts import TableParts, WholeTable, open_parts
from thriftwood.datasets.files.reading import open_table, read_table
from thriftwood.datasets.files.table import MISSING_MARKS, FileTable

__all__ = [
    "MISSING_MARKS",
    "FileTable",
    "TableParts",
    "WholeTable",
    "matched",
    "open_parts",
    "open_table",
    "read_table",
]
