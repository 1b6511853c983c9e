"""``thriftwood costs``: price lists, begun and checked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from thriftwood.base.saving import save_text
from thriftwood.cli.options import STANDARD, Encoding, Ignored, Json, TableFile, Target
from thriftwood.cli.printing import WRONG_INPUT, console, fail, plainly, print_json, print_lines

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)

Output = Annotated[
    Path,
    typer.Option("--output", "-o", metavar="FILE", help="A .toml file; - for standard output."),
]
Force = Annotated[bool, typer.Option("--force", help="Write over a file that is there.")]
PriceList = Annotated[
    Path, typer.Argument(metavar="COSTS", help="A price list, .toml or .json.", dir_okay=False)
]
MaybeTable = Annotated[
    Path | None,
    typer.Argument(
        metavar="[TABLE]", help="The table it is for; - reads CSV from standard input.", allow_dash=True
    ),
]


@app.callback()
def costs() -> None:
    """Begin a price list for a table, or check one.

    Example: thriftwood costs init patients.csv --target state -o costs.toml
    """


@app.command()
@plainly
def init(
    table: TableFile,
    target: Target = None,
    ignored: Ignored = None,
    encoding: Encoding = None,
    output: Output = STANDARD,
    force: Force = False,
) -> None:
    """Write a price list to fill in.

    Every column has the price 1, every kind of mistake costs 1, and comments say what else can stand there.
    A large CSV, TSV or Parquet file is read some rows at a time.

    Example: thriftwood costs init patients.csv --target state -o costs.toml
    """
    from thriftwood.cli.costs_page import price_list, unfilled  # loads numpy
    from thriftwood.cli.inputs import parts_of

    if output != STANDARD and output.suffix.lower() != ".toml":
        raise typer.BadParameter(f"A commented price list is a .toml file. Got {output.name!r}.")
    if output != STANDARD and output.exists() and not force:
        raise fail(
            f"{output} is there already. --force writes over it, and its prices are lost.", WRONG_INPUT
        )
    file = parts_of(table, encoding)
    text = price_list(file, file.target if target is None else target, ignored or ())
    if output == STANDARD:
        typer.echo(text, nl=False)
    else:
        save_text(output, text)
        print_lines(console(), f"Written: {output}. {unfilled(output)}")


@app.command()
@plainly
def check(
    costs: PriceList,
    table: MaybeTable = None,
    target: Target = None,
    ignored: Ignored = None,
    encoding: Encoding = None,
    as_json: Json = False,
) -> None:
    """Say what a price list contains, and whether it fits a table.

    Example: thriftwood costs check costs.toml patients.csv --target state
    """
    from thriftwood.cli.costs_page import checked, checked_text  # loads numpy
    from thriftwood.cli.inputs import costs_of, of_price_list, parts_of

    if table is None and encoding is not None:
        raise typer.BadParameter("--encoding is that of a table. Name one, or leave it out.")
    prices = costs_of(costs, ignored)
    assert prices is not None  # a file was named
    file = None if table is None else parts_of(table, encoding)
    with of_price_list(costs):
        content = checked(prices, file, target, ignored or ())
    if as_json:
        print_json(content)
    else:
        print_lines(console(), checked_text(costs, content))
