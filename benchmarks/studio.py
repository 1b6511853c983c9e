"""How fast the studio follows a price, in a browser: `python -m benchmarks.studio`.

Chromium without a window opens pages of drawn tables. Prices are edited one after the other, as soon as the
tree and the bill of the one before are shown, which is what happens while a slider moves. A figure is the
median, by the clock, from the event of the field until tree and bill are in the page; beside it stand what
the learner took of it and when it was painted. Nothing else should run on the machine.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import thriftwood as tw
from benchmarks.browsing import NoBrowserError, launched
from benchmarks.thrift.figure import Figure
from benchmarks.thrift.speed import table

ROWS, THRIFT_ROWS, COLUMNS = 10_000, 1_000, 20
EDITS = 30
MOST_OF_EDIT, MOST_OF_THRIFT, MOST_OF_PAINT = 50.0, 300.0, 1000.0
"""Milliseconds."""
MOST_KILOBYTES = 1500.0

EDITING = """async (edits) => {
    const page = document.getElementById("page");
    const numbers = document.querySelectorAll("#prices input.number");
    const taken = [];
    for (let edit = 0; edit < edits; edit += 1) {
        const number = numbers[edit % numbers.length];
        const shown = new Promise((resolve) => {
            const watching = new MutationObserver(() => {
                watching.disconnect();
                resolve(performance.now());
            });
            watching.observe(page, { attributeFilter: ["data-tree"] });
        });
        number.value = Number(number.value) + 1.5;
        const begun = performance.now();
        number.dispatchEvent(new Event("change"));
        const shownAt = await shown;
        // A frame is begun by the callback and painted when the next task has its turn.
        await new Promise((resolve) => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = resolve;
            requestAnimationFrame(() => port2.postMessage(null));
        });
        taken.push([shownAt - begun, Number(page.dataset.worker), performance.now() - begun]);
    }
    return taken;
}"""
FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


class Visit:
    """One page of a drawn table, open in the browser."""

    def __init__(self, browser: Any, folder: Path, rows: int) -> None:
        X, y, costs = table(rows, COLUMNS)
        self.size = f"{rows:,} x {COLUMNS}"
        self.requests: list[str] = []
        file = folder / f"studio-{rows}.html"
        tw.make_studio(X, y, costs, file)
        self.page = browser.new_page()
        self.page.set_default_timeout(0)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(file.as_uri())
        self.page.wait_for_selector("#page[data-tree]", state="attached")

    def first_paint(self) -> float:
        """Milliseconds from opening the file until something is seen."""
        return float(self.page.evaluate(FIRST_PAINT))

    def edited(self, learner: str, edits: int, most: float) -> Iterator[Figure]:
        """Edit prices, and say how long the tree and the bill took to follow."""
        if self.page.input_value("#learner") != learner:
            before = self.page.get_attribute("#page", "data-tree")
            self.page.select_option("#learner", learner)
            changed = "before => document.getElementById('page').dataset.tree !== before"
            self.page.wait_for_function(changed, arg=before)
        taken = self.page.evaluate(EDITING, edits)
        shown, learnt, painted = map(median, zip(*taken, strict=True))
        name = f"{learner}, {self.size}"
        yield Figure(f"{name}: a price to tree and bill, ms", shown, most=most)
        yield Figure(f"{name}: of it learning and billing, ms", learnt)
        yield Figure(f"{name}: a price to a painted frame, ms", painted)

    def further_requests(self) -> int:
        """Count what was asked for besides the file; its worker is a part of it."""
        return sum(not url.startswith("blob:") for url in self.requests[1:])


def measure(rows: int = ROWS, thrift_rows: int = THRIFT_ROWS, edits: int = EDITS) -> Iterator[Figure]:
    """Open the pages and edit prices in them."""
    with tempfile.TemporaryDirectory() as folder, launched() as browser:
        large = Visit(browser, Path(folder), rows)
        for learner in ("c45", "csgain"):
            yield from large.edited(learner, edits, MOST_OF_EDIT)
        painted = large.first_paint()
        large.page.close()
        small = Visit(browser, Path(folder), thrift_rows)
        yield from small.edited("thrift", edits, MOST_OF_THRIFT)
        yield Figure(f"first paint of {large.size}, ms", painted, most=MOST_OF_PAINT)
        yield Figure("further requests", large.further_requests() + small.further_requests(), most=0)
    kilobytes = len(tw.make_studio().html.encode()) / 1000
    yield Figure("the page without a table, kB", kilobytes, most=MOST_KILOBYTES)


def main(given: list[str] | None = None) -> int:
    """Measure, print, and return 1 if a figure is above what it may be."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.studio", description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS, help="cases of the table for c45 and csgain")
    parser.add_argument("--thrift-rows", type=int, default=THRIFT_ROWS, help="cases of the table for thrift")
    parser.add_argument("--edits", type=int, default=EDITS, help="how many prices are edited")
    options = parser.parse_args(given)
    if min(options.rows, options.thrift_rows) < 20:
        parser.error("tables must have 20 rows or more")
    if options.edits < 1:
        parser.error("--edits must be 1 or more")
    failed = False
    try:
        for figure in measure(options.rows, options.thrift_rows, options.edits):
            wanted = "" if math.isinf(figure.most) else f"   at most {figure.most:g}"
            verdict = "" if figure.holds else ", which does not hold"
            print(f"{figure.what:50} {figure.value:7.4g}{wanted}{verdict}", flush=True)
            failed = failed or not figure.holds
    except NoBrowserError as reason:
        print(f"Nothing is measured: {reason}.", file=sys.stderr)
        return 2
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
