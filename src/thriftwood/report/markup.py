"""HTML written from values: every text is escaped here, and nowhere else is a tag written around one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def tag(name: str, *content: str, **attributes: str | None) -> Html:
    """Write an element; what is not `Html` is text.

    Underscores in the name of an attribute are dashes; one that is None is left out.

    Examples
    --------
    >>> tag("td", "a < b", class_="num", data_row='"1"')
    '<td class="num" data-row="&quot;1&quot;">a &lt; b</td>'
    >>> tag("tr", tag("td", "x"))
    '<tr><td>x</td></tr>'
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inner = "".join(part if isinstance(part, Html) else escape(part) for part in content)
    return Html(f"<{name}{written}>{inner}</{name}>")


def joined(parts: Iterable[Html]) -> Html:
    """Put elements one after the other."""
    return Html("".join(parts))


def table(
    caption: str, columns: Sequence[str], rows: Iterable[Sequence[str]], *, names: int = 1, class_: str = ""
) -> Html:
    """Write a table that scrolls by itself on narrow screens: the first columns hold names, the rest numbers.

    A cell that is `Html` stands for its whole ``<td>`` element's content.
    """
    head = joined(
        tag("th", name, scope="col", class_=None if place < names else "num")
        for place, name in enumerate(columns)
    )
    body = joined(tag("tr", joined(_cells(row, names))) for row in rows)
    whole = tag(
        "table",
        tag("caption", caption) if caption else "",
        tag("thead", tag("tr", head)),
        tag("tbody", body),
        class_=class_ or None,
    )
    return tag("div", whole, class_="scroll", tabindex="0", role="region", aria_label=caption or "table")


def _cells(row: Sequence[str], names: int) -> Iterable[Html]:
    for place, cell in enumerate(row):
        if place == 0:
            yield tag("th", cell, scope="row")
        else:
            yield tag("td", cell, class_=None if place < names else "num")
