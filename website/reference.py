"""The reference: a page for every public room of the package, one entry for each of its names."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import thriftwood as tw

WITHOUT_A_PAGE = {"base", "cli"}
"""What only the package itself uses; the command line has a page of its own."""
CRITERIA = "criteria"


@cache
def rooms() -> dict[str, tuple[str, ...]]:
    """Name every public room, and in it every public name."""
    found = {room.name for room in iter_modules(tw.__path__) if room.ispkg} - WITHOUT_A_PAGE
    named = {room: tuple(import_module(f"thriftwood.{room}").__all__) for room in sorted(found)}
    return {room: tuple(dict.fromkeys(names)) for room, names in named.items()} | {CRITERIA: criteria()}


@cache
def criteria() -> tuple[str, ...]:
    """Name the criteria with parameters, whose classes are made from the core's list."""
    return tuple(sorted(set(dir(tw)) - set(tw.__all__)))


@cache
def places() -> dict[str, str]:
    """Say where the reference has each name of the front page: `bill` is thriftwood.evaluation.bill."""
    found: dict[str, str] = {"__version__": "thriftwood.__version__"}
    for room, names in rooms().items():
        for name in names:
            if is_on_front_page(room, name):
                found.setdefault(name, place(room, name))
    return found


def place(room: str, name: str) -> str:
    """Give the full name of an entry.

    Where a function has the name of its own file (scans/scan.py), the short one would be the file's.
    """
    if room == CRITERIA:
        return f"thriftwood.learning.criteria.{name}"
    home = getattr(getattr(import_module(f"thriftwood.{room}"), name), "__module__", "")
    return f"{home}.{name}" if home.endswith(f".{name}") else f"thriftwood.{room}.{name}"


def is_on_front_page(room: str, name: str) -> bool:
    """Tell whether `tw.NAME` is the very thing of the room: experiments have a Report of their own."""
    if room == CRITERIA:
        return True
    return name in tw.__all__ and getattr(import_module(f"thriftwood.{room}"), name) is getattr(tw, name)


def shown_name(room: str, name: str) -> str:
    """Call a name as a user does: tw.Costs, flowtype.Chunk."""
    return f"tw.{name}" if is_on_front_page(room, name) else f"{room}.{name}"


def summary(room: str, name: str) -> str:
    """Take the first sentence of what a name says of itself."""
    value = getattr(tw if room == CRITERIA else import_module(f"thriftwood.{room}"), name)
    if not (inspect.isclass(value) or inspect.isroutine(value)):
        return ""
    return (inspect.getdoc(value) or "").partition("\n\n")[0].replace("\n", " ").replace("|", "\\|")


def room_page(room: str) -> str:
    """Write the page of a room: mkdocstrings fills the entries in when the site is built."""
    if room == CRITERIA:
        return criteria_page()
    about = inspect.getdoc(import_module(f"thriftwood.{room}")) or ""
    parts = [f"# {room}", about.partition("\n\n")[0]]
    for name in rooms()[room]:
        options = [f"heading: {shown_name(room, name)}", f"toc_label: {name}"]
        parts.append(
            "\n".join([f"::: {place(room, name)}", "    options:", *(" " * 8 + each for each in options)])
        )
    return "\n\n".join(parts) + "\n"


def criteria_page() -> str:
    """Write the page of the criteria: their classes are made when first asked for, so there is no source."""
    parts = [
        "# criteria",
        "Criteria with parameters, as values. [Formulas and references](../algorithms.md#criteria).",
    ]
    for name in criteria():
        value = getattr(tw, name)
        parts.append(f'## tw.{name} {{ id="{place(CRITERIA, name)}" }}')
        parts.append(f"```python\n{name}{inspect.signature(value)}\n```")
        parts += _as_markdown(inspect.getdoc(value) or "")
    return "\n\n".join(parts) + "\n"


def _as_markdown(text: str) -> Iterator[str]:
    """Lay a docstring in numpy's form out as Markdown."""
    first, *sections = re.split(r"^(\w[\w ]*)\n-+\n", text, flags=re.MULTILINE)
    yield first.strip()
    for heading, below in zip(sections[::2], sections[1::2], strict=True):
        yield f"**{heading}**"
        if heading == "Examples":
            yield f"```pycon\n{below.strip()}\n```"
        elif heading == "Parameters":
            yield re.sub(r"^(\w+) : (.*)$", r"- `\1` (\2):", below.strip(), flags=re.MULTILINE)
        else:
            yield below.strip()


def index_page() -> str:
    """Write the list of all names, each with its first sentence."""
    parts = [
        "# Reference",
        "Everything public, room by room. `tw.` is `import thriftwood as tw`; other names are imported from "
        "their room: `from thriftwood import flowtype`. `tw.__version__` is the version as text.",
    ]
    for room in rooms():
        lines = [f"## [{room}]({room}.md)", "", "| name | what it is |", "|---|---|"]
        for name in rooms()[room]:
            entry = f"[`{shown_name(room, name)}`][{place(room, name)}]"
            lines.append(f"| {entry} | {summary(room, name)} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"
