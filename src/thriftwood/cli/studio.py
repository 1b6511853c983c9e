"""``thriftwood studio``: a page where prices are changed and the tree follows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from thriftwood.cli.options import CostsFile, Encoding, Ignored, Nominal, Target
from thriftwood.cli.printing import WRONG_INPUT, console, fail, note, print_lines

if TYPE_CHECKING:
    from thriftwood.costs import Costs

UNNAMED = Path("studio.html")

Table = Annotated[
    Path | None,
    typer.Argument(
        metavar="TABLE",
        help="A table to put inside, as `fit` takes it; without one a CSV file is dropped on the page.",
        allow_dash=True,
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", dir_okay=False, help=f"The page to write; without it {UNNAMED}."
    ),
]
Force = Annotated[bool, typer.Option("--force", help=f"Write over a {UNNAMED} that is there.")]
Title = Annotated[str | None, typer.Option(metavar="TEXT", help="What stands at the top of the page.")]


def studio(
    table: Table = None,
    target: Target = None,
    costs: CostsFile = None,
    ignored: Ignored = None,
    nominal: Nominal = None,
    encoding: Encoding = None,
    title: Title = None,
    output: Output = None,
    force: Force = False,
) -> None:
    """Write a page where prices are changed and the tree follows.

    One HTML file with the table and the learner inside. It needs no server and no network, sends nothing, and
    its trees are those that `fit` learns. A link to it is a scenario; it writes price lists, models and
    answers. Tables of more than 100,000 rows are sampled.

    Example: thriftwood studio patients.csv --target state --costs costs.toml -o studio.html
    """
    import thriftwood as tw
    from thriftwood.cli.inputs import cases_of, costs_of  # loads numpy
    from thriftwood.cli.writing import check_folder, check_spared
    from thriftwood.studio.content import MOST_ROWS

    if output is None and UNNAMED.exists() and not force:
        raise fail(
            f"{UNNAMED} is there already. Name another page, -o FILE; --force writes over the one there.",
            WRONG_INPUT,
        )
    output = UNNAMED if output is None else output
    check_folder(output)
    check_spared(output, table=table, costs=costs)
    prices = costs_of(costs, ignored)
    _note_what_is_no_panel(prices)
    if table is None:
        if target is not None:
            raise typer.BadParameter("--target names a column of a table; name the table, too.")
        made = tw.make_studio(costs=prices, title=title)
        made.save(output)
        print_lines(console(), f"Written: {output}. Open it and drop a CSV file on it.")
        return
    cases = cases_of(table, target, prices, ignored, nominal, encoding)
    name = Path(cases.source).name
    made = tw.make_studio(cases.X, cases.y, prices, title=title, name=name, target=target)
    made.save(output)
    sampled = (
        f" A sample of {MOST_ROWS:,} of the {len(cases):,} rows is inside." if len(cases) > MOST_ROWS else ""
    )
    print_lines(console(), f"Written: {output}. Open it in a browser.{sampled}")


def _note_what_is_no_panel(prices: Costs | None) -> None:
    """Say what of today the page cannot be compared with."""
    today = None if prices is None else prices.today
    if today is None or (today.answers is None and today.model is None):
        return
    named = (
        f"[today] model = {today.model!r}"
        if today.answers is None
        else f"[today] answers = {today.answers!r}"
    )
    note(
        f"{named} is left out: the page compares with panels only, as [today] tests = [...]. "
        "`thriftwood fit` compares with it."
    )
