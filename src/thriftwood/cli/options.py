"""Arguments and options that several commands share, each described once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

STANDARD = Path("-")
"""In place of a file: standard input, or standard output."""

TableFile = Annotated[
    Path,
    typer.Argument(
        metavar="TABLE",
        help="A table: .csv, .tsv, .parquet, .arrow, .feather, .arff, or C4.5's .data with .names; "
        "- reads CSV from standard input.",
        allow_dash=True,
        dir_okay=False,
    ),
]
ModelFile = Annotated[
    Path,
    typer.Argument(
        metavar="MODEL",
        help="A model that `thriftwood fit -o` or save() wrote; - reads it from standard input.",
        allow_dash=True,
        dir_okay=False,
    ),
]
Member = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="Of a model of several trees: this one, counted from 1."),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        "--encoding",
        metavar="NAME",
        help="How letters are written in a text file, cp1250 for example. Without it: UTF-8, and cp1252 "
        "where it is not, with a note.",
    ),
]
Target = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="The column to learn (C4.5 files say it themselves)."),
]
CostsFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The price list, .toml or .json; `thriftwood costs init` writes one."),
]
Ignored = Annotated[
    list[str] | None,
    typer.Option("--ignore", metavar="COLUMN", help="Do not learn from this column. Repeatable."),
]
Nominal = Annotated[
    list[str] | None,
    typer.Option("--nominal", metavar="COLUMN", help="Its numbers are names, not amounts. Repeatable."),
]
Budget = Annotated[
    float | None, typer.Option(metavar="AMOUNT", help="The most that a case may pay for tests.")
]
Folds = Annotated[int, typer.Option(min=2, help="The number of folds.")]
Jobs = Annotated[int, typer.Option(min=0, help="Number of threads; 0: one per core.")]
Seed = Annotated[int, typer.Option(min=0, help="Decides all that is drawn by chance.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON, for programs.")]
Raw = Annotated[
    bool,
    typer.Option(
        "--raw",
        help="Write cells as they are. Without it an apostrophe stands before texts that a spreadsheet would "
        "take for a formula.",
    ),
]
WithoutIdle = Annotated[
    bool, typer.Option("--without-idle-tests", help="Leave out tests that cannot change the answer.")
]
