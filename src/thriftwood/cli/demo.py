"""``thriftwood demo``: from table to bill in a few seconds."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from thriftwood.cli.printing import console, fail

Save = Annotated[Path | None, typer.Option(help="Also save the tree to this JSON file.", dir_okay=False)]
REPORT = Path("thriftwood-results") / "demo.html"
ReportFile = Annotated[Path, typer.Option("--report", help="Where to write the report.", dir_okay=False)]


def demo(save: Save = None, report: ReportFile = REPORT) -> None:
    """Breast cancer data: frontier, tree, bill, report.

    Learns from data that scikit-learn carries, with a price list that ships with thriftwood.

    Example: thriftwood demo --save tree.json
    """
    if find_spec("pandas") is None:  # prices go by column names, which an array does not have
        raise fail("The demo shows a pandas frame, and pandas is not installed: pip install pandas.")
    from thriftwood.cli.demo_page import print_demo  # loads scikit-learn: not for `thriftwood --help`
    from thriftwood.cli.reporting import check_report
    from thriftwood.cli.writing import check_folder

    if report == REPORT:
        REPORT.parent.mkdir(exist_ok=True)
    check_report(report)
    check_folder(save)
    print_demo(console(), save, report)
