"""``thriftwood export``: a saved tree in another language."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

import thriftwood as tw
from thriftwood.base.saving import save_text
from thriftwood.cli.options import STANDARD, Member, ModelFile, WithoutIdle
from thriftwood.cli.printing import console, fail, print_lines
from thriftwood.cli.writing import check_spared


class Language(StrEnum):
    """What a tree can be written in."""

    PYTHON = "python"
    C = "c"
    SQL = "sql"
    JAVASCRIPT = "javascript"
    HTML = "html"
    XLSX = "xlsx"
    ONNX = "onnx"
    RULES = "rules"
    JSON = "json"


class Undecided(StrEnum):
    """What becomes of cases that ONNX, or a plain CASE, has no form for."""

    REFUSE = "refuse"
    NAN = "nan"
    NULL = "null"


# The options that each language has.
_OPTIONS: dict[Language, tuple[str, ...]] = {
    Language.PYTHON: ("name",),
    Language.C: ("name",),
    Language.SQL: ("table", "key", "plain", "undecided"),
    Language.JAVASCRIPT: ("name",),
    Language.HTML: ("title",),
    Language.XLSX: ("title",),
    Language.ONNX: ("undecided",),
}
# What is no text.
_FILES = (Language.ONNX, Language.XLSX)


def export(
    model: ModelFile,
    to: Annotated[Language, typer.Option(help="The language.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", dir_okay=False, help="The file to write; - or nothing: it is printed."
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(help="python, c, javascript: the name of the function; 'decide' if not given."),
    ] = None,
    table: Annotated[
        str | None, typer.Option(help="sql: the name of the table; 'cases' if not given.")
    ] = None,
    key: Annotated[
        str | None, typer.Option(help="sql: a column with a value for each row, and no value twice.")
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="sql: the answer alone, as one CASE inside another.")
    ] = False,
    title: Annotated[str | None, typer.Option(help="html, xlsx: what stands at the top.")] = None,
    undecided: Annotated[
        Undecided | None,
        typer.Option(
            help="onnx, sql --plain: refuse a tree that could send a case down several branches (so if not "
            "given), or answer such a case with nan (onnx) or null (sql)."
        ),
    ] = None,
    member: Member = None,
    without_idle: WithoutIdle = False,
) -> None:
    """Write a saved model in another language, or as a page.

    --to says which: html is a page to consult, one question at a time, without Python, and xlsx a
    spreadsheet that does the same by formulas. Score cards are written as Python, C, SQL, JavaScript, a page,
    a spreadsheet or JSON.

    Several trees that vote are written as a page or JavaScript. Otherwise --member chooses one tree of a
    panel, which answers alone then; a booster cannot be exported.

    Example: thriftwood export tree.json --to c -o tree.c
    """
    given = {"name": name, "table": table, "key": key, "undecided": undecided, "plain": plain or None}
    given["title"] = title
    options = {option: value for option, value in given.items() if value is not None}
    for option in options:
        if option not in _OPTIONS.get(to, ()):
            raise typer.BadParameter(f"--{option} is not for --to {to}; leave it out.")
    if to in _FILES and (output is None or output == STANDARD):
        raise typer.BadParameter(f"--to {to} is no text to print. Give a file: -o tree.{to}.")
    check_spared(output, model=model)
    from thriftwood.cli.models import exported, model_of  # loads scikit-learn: not for `thriftwood --help`

    tree = exported(model_of(model), member, panels=to in (Language.HTML, Language.JAVASCRIPT))
    if without_idle:
        tree = tree.without_idle_tests()
    if to in _FILES:
        _write_file(tree, to, output, options)
    else:
        text: str = getattr(tw, f"export_{to}")(tree, **options)
        if output is None or output == STANDARD:
            typer.echo(text, nl=False)
            return
        save_text(output, text)
    print_lines(console(), f"Written: {output}.")


def _write_file(tree: Any, to: Language, output: Path | None, options: dict[str, Any]) -> None:
    try:
        getattr(tw, f"export_{to}")(tree, output, **options)
    except ImportError as error:
        raise fail(str(error)) from None
