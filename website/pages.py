"""The project's own Markdown as the site's: titles of files, links out of docs/, names of the library."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BORROWED = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "ARCHITECTURE.md": "architecture.md",
    "benchmarks/README.md": "benchmarks.md",
}
"""Pages that stand elsewhere in the project, and what the site calls them."""
FENCE = re.compile(r"^(```.*?^```)$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
NAME = re.compile(r"(?<![\[`\w])`tw\.(\w+)(\([^`]*\))?`(?!\]|`)")
FILE = re.compile(r"(?<!!)\[([\w/-]+\.md)\](?=\()")
MENU = {
    file: title
    for title, file in re.findall(
        r"^ +- (.+): (\S+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE
    )
}
"""What the menu calls each page."""
TITLED = re.compile(r"^```(\w+) (\S+)$", re.MULTILINE)


def borrowed_page(source: str) -> str:
    """Read a page from elsewhere in the project; its links are made the site's."""
    text = (ROOT / source).read_text(encoding="utf-8")
    return outside_fences(text, lambda part: LINK.sub(lambda found: _moved(found, source), part))


def _moved(found: re.Match[str], source: str) -> str:
    """Lead a link of a page outside docs/ to the site's page; without one only the words are left."""
    picture, words, target = found.groups()
    if "://" in target or target.startswith("#"):
        return found[0]
    file, mark, anchor = target.partition("#")
    aim = posixpath.normpath(posixpath.join(posixpath.dirname(source), file))
    page = BORROWED.get(aim, aim.removeprefix("docs/") if aim.startswith("docs/") else "")
    return f"{picture}[{words}]({page}{mark}{anchor})" if page else words


def for_the_site(text: str, places: dict[str, str]) -> str:
    """Lay a page out for the site: code files and pages have titles, names lead to the reference.

    `places` says under which full name the reference has each name of `import thriftwood as tw`.

    >>> for_the_site("`tw.bill(model)` is what it cost.", {"bill": "thriftwood.evaluation.bill"})
    '[`tw.bill(model)`][thriftwood.evaluation.bill] is what it cost.'
    """
    titled = TITLED.sub(r'```\1 title="\2"', text)
    return outside_fences(titled, lambda part: _with_names(FILE.sub(_as_in_menu, part), places))


def _as_in_menu(found: re.Match[str]) -> str:
    """Call a page that is called by its file, which a reader of the site does not see, by its title."""
    file = BORROWED.get(found[1], found[1].removeprefix("docs/"))
    return f"[{MENU.get(file, found[1])}]"


def _with_names(part: str, places: dict[str, str]) -> str:
    def linked(found: re.Match[str]) -> str:
        place = places.get(found[1])
        return found[0] if place is None else f"[{found[0]}][{place}]"

    lines = []
    for line in part.split("\n"):
        plain = line.startswith(("#", "    ")) or (LINK.search(line) and _within_link(line))
        lines.append(line if plain else NAME.sub(linked, line))
    return "\n".join(lines)


def _within_link(line: str) -> bool:
    """Tell whether a name stands within the words of a link, where a second link cannot be."""
    return any(NAME.search(found[2]) for found in LINK.finditer(line))


def outside_fences(text: str, change: Callable[[str], str]) -> str:
    """Change a page, but for its blocks of code."""
    return "".join(part if part.startswith("```") else change(part) for part in FENCE.split(text))
