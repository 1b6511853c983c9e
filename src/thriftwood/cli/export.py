"""``thriftwood export``: a saved tree in another language."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

import thriftwood as tw
from thriftwood.cli.printing import fail, one_sentence
from thriftwood.cli.show import ModelFile


class Language(StrEnum):
    """What a tree can be written in."""

    PYTHON = "python"
    C = "c"
    SQL = "sql"
    ONNX = "onnx"
    RULES = "rules"
    JSON = "json"


def export(
    model: ModelFile,
    to: Annotated[Language, typer.Option(help="The language.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write; otherwise it is printed.")
    ] = None,
    name: Annotated[str, typer.Option(help="The name of the function (python, c).")] = "decide",
    table: Annotated[str, typer.Option(help="The name of the table (sql).")] = "cases",
    undecided: Annotated[
        str,
        typer.Option(
            help="onnx: 'refuse' a tree that ONNX has no form for, or answer 'nan' where it has none."
        ),
    ] = "refuse",
) -> None:
    """Write a saved tree as Python, C, SQL, ONNX, rules or JSON.

    Example: thriftwood export tree.json --to c -o tree.c
    """
    with one_sentence():
        tree = tw.load(model)
        if to is Language.ONNX:
            if output is None:
                raise ValueError("ONNX is no text to print. Give a file with -o, for example -o tree.onnx.")
            try:
                tw.export_onnx(tree, output, undecided=undecided)  # type: ignore[arg-type]
            except ImportError as error:
                raise fail(str(error)) from None
            return
        text = {
            Language.PYTHON: lambda: tw.export_python(tree, name),
            Language.C: lambda: tw.export_c(tree, name),
            Language.SQL: lambda: tw.export_sql(tree, table),
            Language.RULES: lambda: tw.export_rules(tree),
            Language.JSON: lambda: tw.export_json(tree),
        }[to]()
        if output is None:
            typer.echo(text, nl=False)
        else:
            output.write_text(text, encoding="utf-8")
