"""``thriftwood whatif``: what happens if a price changes, and what every test is worth."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Any

import typer

from thriftwood.base.spelling import decimal_comma
from thriftwood.cli.fit import Settings
from thriftwood.cli.options import (
    CostsFile,
    Encoding,
    Folds,
    Ignored,
    Json,
    Nominal,
    Seed,
    TableFile,
    Target,
)
from thriftwood.cli.printing import INTERRUPTED, console, print_json, print_lines

Price = Annotated[
    str | None,
    typer.Option(metavar="TEST=LOW..HIGH", help="Let the price of a test go from LOW to HIGH: FTI=18..60."),
]
Shared = Annotated[
    str | None,
    typer.Option(metavar="NAME=LOW..HIGH", help="Instead: the price of a shared resource."),
]
Error = Annotated[
    str | None,
    typer.Option(
        metavar="TRUE:ANSWER=LOW..HIGH", help="Instead: what a mistake costs: sick:healthy=50..500."
    ),
]
Algorithm = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="A learner of a single tree; without it the best tree of up to three tests."
    ),
]
Plot = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Also draw what was asked for: a .png, .svg or .pdf file (matplotlib)."
    ),
]


def whatif(
    table: TableFile,
    target: Target = None,
    costs: CostsFile = None,
    price: Price = None,
    shared: Shared = None,
    error: Error = None,
    algorithm: Algorithm = None,
    settings: Settings = None,
    ignored: Ignored = None,
    nominal: Nominal = None,
    encoding: Encoding = None,
    folds: Folds = 5,
    seed: Seed = 0,
    plot: Plot = None,
    as_json: Json = False,
) -> None:
    """Say what a changed price does, and what tests are worth.

    With --price, --shared or --error: where the tree changes while that number goes through its range, and
    what an unseen case costs along the way. Without them, for every test: the most that should be paid for
    it, and what the bill would be without it.

    Example: thriftwood whatif patients.csv --target state --costs costs.toml --price cholesterol=5..60
    """
    import thriftwood as tw
    from thriftwood.cli.drawing import check_picture, save_picture
    from thriftwood.cli.inputs import cases_of, costs_of
    from thriftwood.cli.learners import tree_learner_of  # loads scikit-learn
    from thriftwood.cli.machine import break_even_content, what_if_content
    from thriftwood.cli.progress import progress

    if costs is None:
        raise typer.BadParameter("What if which price? A price list is needed: --costs FILE.")
    given = {"price": price, "shared": shared, "error": error}
    asked = [name for name, text in given.items() if text is not None]
    if len(asked) > 1:
        raise typer.BadParameter(f"Give one of --{' and --'.join(asked)}: one number is varied at a time.")
    if plot is not None and not asked:
        raise typer.BadParameter("--plot draws the way of one price: give --price, --shared or --error, too.")
    check_picture(plot)
    prices = costs_of(costs, ignored)
    cases = cases_of(table, target, prices, ignored, nominal, encoding)
    if algorithm is None and settings:
        raise typer.BadParameter("--set belongs to a learner: name it by --algorithm.")
    learner = None if algorithm is None else tree_learner_of(algorithm, settings or [], prices, seed)
    assert prices is not None  # there is a file
    options: dict[str, Any] = {"learner": learner, "folds": folds, "random_state": seed}
    if asked:
        kind = asked[0]
        ranged: dict[str, Any] = {kind: _ranged(kind, str(given[kind]), set(cases.y.tolist()))}
        with progress("following the tree") as tell:
            found = tw.what_if(cases.X, cases.y, prices, progress=tell, **options, **ranged)
        if plot is not None:
            save_picture(found.plot(), plot)
        content, text, interrupted = what_if_content(found) if as_json else {}, str(found), found.interrupted
    else:
        with progress("prices") as tell:
            worths = tw.break_even(cases.X, cases.y, prices, **options, progress=tell)
        content = break_even_content(worths) if as_json else {}
        text, interrupted = str(worths), worths.interrupted
    if as_json:
        print_json(content)
    else:
        print_lines(console(), text)
        if plot is not None:
            print_lines(console(), f"Written: {plot}.")
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def _ranged(kind: str, text: str, classes: Collection[str]) -> dict[Any, tuple[float, float]]:
    """Read NAME=LOW..HIGH; of a mistake TRUE:ANSWER=LOW..HIGH.

    >>> _ranged("price", "FTI=18..60", []), _ranged("error", "sick:well=5..50", ["sick", "well"])
    ({'FTI': (18.0, 60.0)}, {('sick', 'well'): (5.0, 50.0)})
    """
    name, equals, ends = text.rpartition("=")
    example = "sick:healthy=50..500" if kind == "error" else "FTI=18..60"
    low, dots, high = ends.partition("..")
    if not (equals and name and dots):
        raise ValueError(f"--{kind} is written like {example}. Got {text!r}.")
    key = _mistake(name, classes) if kind == "error" else name.strip()
    return {key: (_end(low, kind, example), _end(high, kind, example))}


def _end(text: str, kind: str, example: str) -> float:
    try:
        return float(text)
    except ValueError:
        comma = decimal_comma(text)
        raise ValueError(
            f"--{kind} is written like {example}, and {text.strip()!r} is no number.{comma}"
        ) from None


def _mistake(name: str, classes: Collection[str]) -> tuple[str, str]:
    """Read TRUE:ANSWER; names of classes may have colons themselves."""
    parts = name.split(":")
    pairs = [(":".join(parts[:cut]).strip(), ":".join(parts[cut:]).strip()) for cut in range(1, len(parts))]
    if not pairs:
        raise ValueError(f"--error names the true class and the answer: sick:healthy=50..500. Got {name!r}.")
    return next((pair for pair in pairs if pair[0] in classes), pairs[0])
