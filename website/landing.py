"""The live studio of the first page: Turney's prices of tests for heart disease, in the reader's browser."""

from __future__ import annotations

import thriftwood as tw

HEART = "heart-cleveland-2class"
PAGE = "live/studio.html"  # studio.html is the page of docs/studio.md
MARK = "<!-- studio -->"
INSTEAD = "wisconsin-diagnostic"
OVERLOOKED, FALSE_ALARM = 1000, 500
"""Dollars that mistakes cost at first; Turney tried 10 to 10,000. The reader changes them."""


def table() -> tuple[str, str]:
    """Say which table the page has, and its title: the heart patients need a folder of data files.

    They are published, but not ours to pass on, so a build without THRIFTWOOD_DATA shows a table that
    scikit-learn carries.
    """
    here = {info.name: info.source for info in tw.list_datasets()}
    if here[HEART] in ("folder", "cache"):
        return HEART, "Heart disease: which tests, for whom?"
    return INSTEAD, "Breast cancer: which tests, for whom?"


def studio_page() -> str:
    """Make the page with the table inside; nothing is fetched."""
    name, title = table()
    data = tw.load_dataset(name)
    costs = data.costs
    assert costs is not None  # both tables come with a price list
    if name == HEART:
        answers = ["sick" if value == "1" else "well" for value in data.y]
        errors = {"sick": {"well": OVERLOOKED}, "well": {"sick": FALSE_ALARM}}
        costs = costs.replace(errors=errors, currency="$", case_name="patient")
    else:
        answers = list(data.y)
    return tw.make_studio(data.X, answers, costs, title=title, name=name).html


NOTES = {
    HEART: "303 patients of Cleveland with what their tests cost in Ontario in 1992 (Turney 1995): an "
    "exercise ECG, a thallium stress test and a blood draw are paid once, most results come a day later. "
    "What mistakes cost is up to you.",
    INSTEAD: "569 samples of scikit-learn's breast cancer table with an invented price list. (Built without "
    "the folder of data files, so the heart patients of Turney 1995 are not here.)",
}


def with_studio(markdown: str) -> str:
    """Put the studio into the first page, at its mark."""
    name, title = table()
    frame = f'<iframe class="studio" src="{PAGE}" title="{title}"></iframe>'
    return markdown.replace(
        MARK, f"{frame}\n\n{NOTES[name]} [Open the studio alone]({PAGE}){{ target=_blank }}."
    )
