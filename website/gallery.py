"""The gallery: every picture with the lines that draw it. The lines are in examples/gallery."""

from __future__ import annotations

import ast
import contextlib
import io
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from website.pages import ROOT

SNIPPETS = ROOT / "examples" / "gallery"
LONGEST = 10
"""Lines of code that a picture may take."""
DRAWN, PAGE = ".svg", ".html"


@dataclass(frozen=True)
class Snippet:
    """A file of examples/gallery: its first line is the heading, the rest of its docstring explains."""

    name: str
    title: str
    words: str
    code: str


def snippets() -> list[Snippet]:
    """Read all, in the order of their file names, which begin with a number."""
    return [_read(path) for path in sorted(SNIPPETS.glob("*.py"))]


def _read(path: Path) -> Snippet:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    title, _, words = (ast.get_docstring(tree) or "").partition("\n\n")
    after = tree.body[0].end_lineno or 0
    code = "\n".join(text.splitlines()[after:]).strip()
    return Snippet(path.stem.partition("_")[2], title.rstrip("."), words.replace("\n", " "), code)


def make(snippet: Snippet) -> dict[str, bytes]:
    """Run a snippet in an empty folder: give the files that it writes, or the picture on its axes `ax`."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    names: dict[str, Any] = {}
    settings = {"svg.hashsalt": snippet.name, "svg.fonttype": "none", "font.family": "sans-serif"}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), plt.rc_context(settings):
        exec(compile(snippet.code, snippet.name, "exec"), names)  # our own file
        made = {path.suffix: path.read_bytes() for path in Path().iterdir()}
        if "ax" in names:
            out = io.BytesIO()
            names["ax"].figure.savefig(out, format="svg", metadata={"Date": None}, bbox_inches="tight")
            made[DRAWN] = out.getvalue()
        plt.close("all")
    return {f"gallery/{snippet.name}{suffix}": content for suffix, content in made.items()}


def gallery() -> dict[str, str | bytes]:
    """Make the page and all its pictures."""
    made: dict[str, str | bytes] = {}
    parts = [
        "# Gallery",
        "Pictures and pages, with the lines that make them. The data are built in. Needs the extra `plots`.",
    ]
    for snippet in snippets():
        files = make(snippet)
        made |= files
        parts += [f"## {snippet.title}", snippet.words, f"```python\n{snippet.code}\n```"]
        parts += [_shown(name, snippet.title) for name in files]
    return made | {"gallery.md": "\n\n".join(parts) + "\n"}


def _shown(name: str, title: str) -> str:
    if name.endswith(DRAWN):
        return f"![{title}]({name}){{ .drawn }}"
    frame = f'<iframe class="page" src="{name}" title="{title}" loading="lazy"></iframe>'
    return f"{frame}\n\n[Open this page alone]({name})"
