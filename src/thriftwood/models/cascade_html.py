"""A cascade in a notebook or on a page: a table for each score card. What comes from a user is escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from thriftwood.models.cascade_page import Block, CascadePage, StagePage, page_of
from thriftwood.models.cascade_text import BEGINS, LOSS

if TYPE_CHECKING:
    from thriftwood.models.cascade import Cascade

STYLE = (
    "<style>.thriftwood-cards{font:13px/1.5 system-ui,sans-serif;overflow-x:auto}"
    ".thriftwood-cards table{border-collapse:collapse;margin:.3em 0}"
    ".thriftwood-cards caption{text-align:left;font-weight:600;padding:.2em 0}"
    ".thriftwood-cards th{text-align:left;font-weight:600;padding:.2em .8em .2em 0;vertical-align:bottom}"
    ".thriftwood-cards td{text-align:right;padding:.2em .6em;white-space:nowrap;vertical-align:bottom}"
    ".thriftwood-cards tr{border-top:1px solid #8884}"
    ".thriftwood-cards .value{opacity:.7}</style>"
)


def cascade_html(cascade: Cascade) -> str:
    """Write a cascade as HTML.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf")
    >>> "<caption>Stage 1 buys nothing</caption>" in cascade_html(
    ...     tw.ThriftClassifier(leaves="score").fit(golf.X, golf.y).cascade_
    ... )
    True
    """
    note = f"<p>{escape(cascade.note)}</p>" if cascade.note else ""
    return f"{STYLE}{cards_html(cascade)}{note}"


def cards_html(cascade: Cascade) -> str:
    """Write the cards and what answers cost, without a style of their own and without the note."""
    page = page_of(cascade)
    parts = [f"<p>{escape(line)}</p>" for line in page.lead]
    parts += [_stage(page, stage) for stage in page.stages]
    return f'<div class="thriftwood-cards">{"".join(parts)}{_loss(page)}</div>'


def _stage(page: CascadePage, stage: StagePage) -> str:
    blocks = [Block(BEGINS, [""], [[points] for points in stage.base]), *stage.blocks]
    rows = "".join(_row(page, block) for block in blocks)
    card = f"<table><caption>{escape(stage.heading)}</caption>{rows}</table><p>{escape(stage.ending)}</p>"
    return f'<div class="card">{card}</div>'


def _row(page: CascadePage, block: Block) -> str:
    """Write a test: a cell for each value, its points below it."""
    labels = f"<th>{'<br>'.join(['', *map(escape, page.scores)])}</th>" if page.scores else ""
    cells = []
    for value, *points in zip(block.values, *block.points, strict=True):
        head = f'<span class="value">{escape(value)}</span><br>' if value or page.scores else ""
        cells.append(f"<td>{head}{'<br>'.join(map(escape, points))}</td>")
    return f"<tr><th>{escape(block.test)}</th>{labels}{''.join(cells)}</tr>"


def _loss(page: CascadePage) -> str:
    if not page.loss:
        return f"<p>{escape(page.mistake)}</p>"
    heads = "".join(f"<td>{escape(name)}</td>" for name in page.answers)
    rows = "".join(
        f"<tr><th>{escape(name)}</th>{''.join(f'<td>{escape(cost)}</td>' for cost in row)}</tr>"
        for name, row in zip(page.classes, page.loss, strict=True)
    )
    return f"<table><caption>{escape(LOSS)}</caption><tr><th></th>{heads}</tr>{rows}</table>"
