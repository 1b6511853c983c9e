"""`make_studio`, and `Studio`, the finished page."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from os import PathLike
from pathlib import Path
from string import Template
from typing import Any

from thriftwood import __version__
from thriftwood.base.page_parts import content_hash, script_json, writable
from thriftwood.base.saving import save_text
from thriftwood.costs import Costs
from thriftwood.export.javascript import OF_TREE
from thriftwood.export.javascript import asset as consulting_asset
from thriftwood.export.page import consulting_page
from thriftwood.learning.growth import EXACT_ROWS
from thriftwood.studio.content import costs_content, table_content
from thriftwood.studio.learners import THRIFT, forest_lines, offered

WORKER = ("core.js", "costs.js", "model_file.js", "engine.js", "worker.js")
SCRIPTS = (
    *("dom.js", "numbers.js", "hashing.js", "costs.js", "model_file.js", "table.js"),
    *("refusals.js", "scenario.js", "link.js", "state.js", "first_costs.js", "prices.js"),
    *("figures.js", "frontier.js", "outline.js", "payments.js", "drawing.js", "aid.js", "downloads.js"),
    "walk.js",
    *("studio.js", "start.js"),
)
TITLE_MARK, MODEL_MARK = "\ue000", "\ue001"
"""Where the page puts title and model into the pocket consultation that it makes: assets/aid.js."""


@dataclass(frozen=True, eq=False, repr=False)
class Studio:
    """A page where prices are changed and the tree follows. Made by `make_studio`.

    Attributes
    ----------
    title : str
        What stands at its top.
    html : str
        The whole page: one file that loads nothing and sends nothing.
    n_cases : int
        The cases inside it; 0 where a table is to be dropped on it.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> page = tw.make_studio(golf.X, golf.y, golf.costs, title="Golf")
    >>> page.title, page.n_cases
    ('Golf', 14)
    """

    title: str
    html: str = field(repr=False)
    n_cases: int

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the page to a file, in UTF-8, and return the file's path."""
        written = Path(path)
        if written.suffix.lower() not in (".html", ".htm"):
            raise ValueError(f"A studio is a .html file. Got {written.name!r}.")
        save_text(written, self.html)
        return written

    def __repr__(self) -> str:
        return f"<Studio {self.title!r}: {self.n_cases} cases>"


def make_studio(
    X: Any = None,
    y: Any = None,
    costs: Costs | None = None,
    path: str | PathLike[str] | None = None,
    *,
    title: str | None = None,
    name: str = "table",
    target: str | None = None,
    nominal_features: Any = None,
) -> Studio:
    """Make a page that learns in the browser: change a price, and the tree, its bill and its frontier follow.

    The core itself runs there, compiled to WebAssembly, so the trees are those of the library, to the byte.
    The page is one file; it needs neither Python nor a network.

    Parameters
    ----------
    X : array, frame or list of rows, optional
        The cases. None: a table is dropped on the page. Of more than 100,000 cases a sample is taken.
    y : array-like of shape (n_rows,), optional
        Their classes.
    costs : Costs, optional
        The prices to begin with. None: every test costs 1 and every mistake 50. Without a table they are
        those of the table that is dropped, as far as they name its tests and classes.
    path : str or path, optional
        Also write the page to this file.
    title : str, optional
        What stands at the top.
    name : str
        What the table is called there. A link of one page opens in another, and in one on which the table is
        dropped, where they call the table alike, but for folder and ending, and learn the same.
    target : str, optional
        What the classes are called; None: as `y` is, if that is a column with a name.
    nominal_features : list of column names or positions, optional
        Columns of numbers that are names of categories.

    Returns
    -------
    Studio

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> tw.make_studio(golf.X, golf.y, golf.costs, title="Golf")
    <Studio 'Golf': 14 cases>
    """
    if (X is None) != (y is None):
        raise ValueError("make_studio takes cases and their classes, X and y, or neither of them.")
    data: dict[str, Any] = {
        "learners": [learner.to_json() for learner in offered()],
        # Our own learner searches branches apart.
        "learner": "csgain" if costs is not None and costs.payment == "upfront" else THRIFT,
        "exact_rows": EXACT_ROWS,
        "forest": forest_lines(),
        "table": None,
        "costs": {} if costs is None else costs.to_dict(),
        "invented": costs is None,
        "title": title,
        "aid": consulting_page(TITLE_MARK, MODEL_MARK, OF_TREE),
    }
    n_cases = 0
    if X is not None:
        table = table_content(X, y, name, nominal_features)
        named = getattr(y, "name", None) if target is None else target
        if isinstance(named, str):
            table["target"] = named
        columns = [column["name"] for column in table["columns"]]
        usual = Costs(dict.fromkeys(columns, 1), errors_default=50)
        data["table"] = table
        data["costs"] = costs_content(costs or usual, table["classes"], columns)
        n_cases = len(table["labels"])
    heading = title or ("Studio" if X is None else f"Studio: {name}")
    made = Studio(heading, _page(heading, data), n_cases)
    if path is not None:
        made.save(path)
    return made


def joined(names: tuple[str, ...]) -> str:
    """Return scripts of the page as one, in their order."""
    return '"use strict";\n' + "\n".join(map(_asset, names))


def page_scripts(names: tuple[str, ...]) -> str:
    """Return scripts of a page with fields; numbers are typed there as in the pocket consultation."""
    return f"{joined(names)}\n{consulting_asset('typing.js')}"


def packed_core() -> str:
    """Return the compiled core, compressed, as text."""
    content = (files("thriftwood.studio") / "assets" / "core.wasm.gz").read_bytes()
    return base64.b64encode(content).decode("ascii")


def _page(title: str, data: dict[str, Any]) -> str:
    script = f"(() => {{\n{page_scripts(SCRIPTS)}\n}})();"
    style = _asset("studio.css")
    page = Template(_asset("studio.html")).substitute(
        title=escape(title),
        version=escape(__version__),
        style=style,
        style_hash=content_hash(style),
        script=script,
        script_hash=content_hash(script),
        worker=joined(WORKER),
        core=packed_core(),
        data=script_json(data),
    )
    return writable(page)


def _asset(name: str) -> str:
    return (files("thriftwood.studio") / "assets" / name).read_text(encoding="utf-8").strip()
