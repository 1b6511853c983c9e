"""The page of ``thriftwood reproduce``: progress, the table beside the published one, files."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from thriftwood.cli.printing import fail, print_json, table
from thriftwood.cli.progress import progress
from thriftwood.experiments import EXPERIMENTS, Comparison, Experiment, Options, Report
from thriftwood.experiments.tradeoffs import Tradeoffs


def print_list(out: Console) -> None:
    """Print every experiment with its sentence and reference."""
    listed = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 1, 0))
    for name, experiment in EXPERIMENTS.items():
        words = Text(experiment.sentence).append(f"\n{experiment.reference}", style="dim")
        listed.add_row(Text(name, style="bold"), words)
    out.print(listed)
    out.print(Text("thriftwood reproduce NAME --help shows the settings of one."))


def run_and_print(
    out: Console, experiment: Experiment, data: Path | None, folder: Path, jobs: int, as_json: bool
) -> None:
    """Run an experiment, show its report and write its files."""
    with progress("reading data") as tell:
        try:
            report = experiment.run(Options(data, folder, jobs), tell)
        except KeyboardInterrupt:
            stopped = True
        else:
            stopped = False
    if stopped:
        message = f"Stopped. Finished trials are in {folder}; the same command goes on from there."
        raise fail(message, code=130)
    files, missing = _write(experiment, report, folder)
    if as_json:
        print_json(_as_json(experiment, report, files))
        return
    for comparison in filter(lambda each: each.shown, report.comparisons):
        _print_comparison(out, experiment, comparison)
    for note in (*report.notes, *missing):
        out.print(Text(note), style="dim")
    out.print(Text(f"Written: {', '.join(map(str, files))}."), soft_wrap=True)


def _write(experiment: Experiment, report: Report, folder: Path) -> tuple[list[Path], list[str]]:
    """Write tables and pictures; return the files, and a sentence for what could not be made."""
    folder.mkdir(parents=True, exist_ok=True)
    files: list[Path] = []
    several = len(report.comparisons) > 1
    for number, comparison in enumerate(report.comparisons, start=1):
        stem = f"{experiment.name}-{number}" if several else experiment.name
        comparison.save_csv(folder / f"{stem}.csv")
        files.append(folder / f"{stem}.csv")
        if comparison.drawn and find_spec("matplotlib") is not None:
            from thriftwood.plots import save_comparison

            save_comparison(comparison, folder / f"{stem}.png")
            files.append(folder / f"{stem}.png")
    if report.tradeoffs is not None:
        files += _write_tradeoffs(report.tradeoffs, folder / f"{experiment.name}-tradeoffs")
    if find_spec("matplotlib") is None:
        return files, ["No picture: matplotlib is not installed (pip install matplotlib)."]
    return files, []


def _write_tradeoffs(tradeoffs: Tradeoffs, stem: Path) -> list[Path]:
    table, picture = stem.with_suffix(".csv"), stem.with_suffix(".png")
    tradeoffs.save_csv(table)
    if find_spec("matplotlib") is None:
        return [table]
    from thriftwood.plots import save_tradeoffs

    save_tradeoffs(tradeoffs, picture)
    return [table, picture]


def _print_comparison(out: Console, experiment: Experiment, comparison: Comparison) -> None:
    out.print(Text(f"{comparison.title}: {comparison.measure}", style="bold"))
    out.print(Text(experiment.reference), style="dim")
    for columns, *lines in comparison.blocks(out.width):
        out.print(table("", columns, lines, names=2))


def _as_json(experiment: Experiment, report: Report, files: list[Path]) -> dict[str, Any]:
    return {
        "experiment": experiment.name,
        "reference": experiment.reference,
        "settings": experiment.settings(),
        "tables": [
            {
                "title": comparison.title,
                "measure": comparison.measure,
                "figures": [
                    entry._asdict() | {"difference": entry.difference} for entry in comparison.entries()
                ],
            }
            for comparison in report.comparisons
        ],
        "notes": list(report.notes),
        "files": [str(path) for path in files],
    }
