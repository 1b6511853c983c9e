"""Pictures of the experiments, drawn from the tables of their pages, so that both say the same."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass

from website.pages import ROOT

PAGES = ROOT / "docs" / "experiments"
TABLE = re.compile(r"(?:^\|.*\|\n)+", re.MULTILINE)
NUMBER = re.compile(r"[-+]?(?:\d[\d,]*)?\.?\d+")


@dataclass(frozen=True)
class Picture:
    """Bars of a table: which table (its header begins so), which rows or columns, what they are."""

    page: str
    header: str
    what: str
    columns: tuple[str, ...] = ()
    """Columns whose figures are drawn; () are all but the first."""
    rows: tuple[str, ...] = ()
    """Rows that are drawn; () are all."""
    logarithmic: bool = False


PICTURES = (
    Picture(
        "afabench",
        "| data set | tests | c45",
        "share of right answers, by so many tests a case",
        ("c45", "gated", "bayes", "boosting"),
        ("cube, 5", "cube-nm, 5", "bank-marketing, 4"),
    ),
    Picture(
        "clarify",
        "| program | calls and call trees",
        "share of runs told right, mean of three deals of folds",
    ),
    Picture(
        "cocost2009",
        "| learner | right",
        "microseconds a chunk; all features 383",
        ("microseconds",),
        logarithmic=True,
    ),
    Picture(
        "davis2006",
        "| data set | csgain | published | csgain-ratio",
        "price of all tests of the tree; C4.5's is 1",
        ("csgain", "csgain-ratio", "eg2", "mitchell", "idx"),
    ),
    Picture("ecco2012", "| mean cost of a case", "mean cost of a case"),
    Picture(
        "lomax2013",
        "| setting | constant",
        "mean cost of a case over 24 settings, percent of the standard cost",
        rows=("mean",),
    ),
    Picture(
        "savings", "| data set | chosen | forest", "share of the losses that is saved", rows=("average",)
    ),
    Picture(
        "streams",
        "| stream | streaming |",
        "share of right answers",
        ("streaming", "hoeffding", "efdt", "hat"),
    ),
    Picture("thrift", "| learner | cost | rank", "cost of a case; testing nobody is 100", ("cost",)),
    Picture(
        "ting1998", "| data set | cost | published", "cost of mistakes; C4.5's is 1", ("cost", "published")
    ),
    Picture(
        "turney1995",
        "| data set | icet",
        "average cost, percent of the standard cost",
        ("icet", "eg2", "cs-id3", "idx", "c45"),
    ),
)


def table_of(picture: Picture) -> tuple[list[str], dict[str, list[float | None]]]:
    """Read the figures of a picture from its page: the names of the colours, and the bars of each group."""
    text = (PAGES / f"{picture.page}.md").read_text(encoding="utf-8")
    table = next(found for found in TABLE.findall(text) if found.startswith(picture.header))
    header, _, *lines = [
        [cell.strip() for cell in line.strip("|\n").split("|")] for line in table.splitlines()
    ]
    wanted = picture.columns or tuple(header[1:])
    chosen = [header.index(name) for name in wanted]
    labels = range(chosen[0]) if picture.rows and chosen[0] > 1 else range(1)
    found = {", ".join(_plain(line[k]) for k in labels): [_number(line[k]) for k in chosen] for line in lines}
    kept = {name: found[name] for name in picture.rows} if picture.rows else found
    return list(wanted), {
        name: figures for name, figures in kept.items() if any(f is not None for f in figures)
    }


def _plain(cell: str) -> str:
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", cell).replace("*", "").replace("`", "")


def _number(cell: str) -> float | None:
    found = NUMBER.match(_plain(cell).strip())
    return None if found is None else float(found[0].replace(",", ""))


def draw(picture: Picture) -> bytes:
    """Draw a picture as SVG; it is the same in every run."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    names, groups = table_of(picture)
    if len(groups) == 1:  # one row: its cells are the bars
        names, groups = (
            list(groups),
            {name: [figure] for name, figure in zip(names, *groups.values(), strict=True)},
        )
    thick = 0.8 / len(names)
    with plt.rc_context({"svg.hashsalt": picture.page, "svg.fonttype": "none", "font.family": "sans-serif"}):
        height = 0.9 + len(groups) * max(0.28, 0.16 * len(names))
        figure, axes = plt.subplots(figsize=(7.5, height), layout="constrained")
        for k, name in enumerate(names):
            places = [place + (k - (len(names) - 1) / 2) * thick for place in range(len(groups))]
            axes.barh(places, [figures[k] or 0 for figures in groups.values()], thick * 0.9, label=name)
        axes.set_yticks(range(len(groups)), list(groups))
        axes.invert_yaxis()
        axes.set_xlabel(picture.what)
        axes.spines[["top", "right"]].set_visible(False)
        if picture.logarithmic:
            axes.set_xscale("log")
        if len(names) > 1:
            axes.legend(
                frameon=False, ncols=min(len(names), 5), loc="lower left", bbox_to_anchor=(0, 1), fontsize=8
            )
        out = io.BytesIO()
        figure.savefig(out, format="svg", metadata={"Date": None})
        plt.close(figure)
    return out.getvalue()


def pictures() -> dict[str, bytes]:
    """Draw all, each under its name in the site."""
    return {f"pictures/{picture.page}.svg": draw(picture) for picture in PICTURES}


def with_picture(where: str, markdown: str) -> str:
    """Put the picture of an experiment above the table that it shows."""
    for picture in PICTURES:
        if where == f"experiments/{picture.page}.md":
            shown = f"![{picture.what}](../pictures/{picture.page}.svg){{ .experiment }}"
            return markdown.replace(f"\n{picture.header}", f"\n{shown}\n\n{picture.header}", 1)
    return markdown


def index_page() -> str:
    """Write the overview: what README.md says came out of each, with its picture."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme.partition("## Papers, run again")[2].partition("\n## ")[0]
    rows = re.findall(
        r"^\| `thriftwood reproduce (\w+).*?` \| (.*) \(\[page\]\(.*\)\) \|$", section, re.MULTILINE
    )
    parts = [
        "# Experiments",
        "Published tables, run again: each command prints ours beside the published one, writes CSV and a "
        "picture, and goes on where it was interrupted. [How we measure](../explanations/how-we-measure.md).",
    ]
    for name, words in rows:
        parts.append(
            f"## [{name}]({name}.md)\n\n{words}.\n\n![{name}](../pictures/{name}.svg){{ .experiment }}"
        )
    return "\n\n".join(parts) + "\n"
