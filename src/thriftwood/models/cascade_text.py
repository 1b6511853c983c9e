"""A cascade as text: score cards that a person can count by, the values of a test above their points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from thriftwood.models.cascade_page import Block, CascadePage, StagePage, page_of

if TYPE_CHECKING:
    from thriftwood.models.cascade import Cascade

WIDTH = 100
WIDEST_NAME = 30
"""A longer name has a line of its own."""
GAP = "  "
BEGINS = "counting begins at"
LOSS = "What answers cost beyond the best one: the true class by row, the answer by column"


def cascade_text(cascade: Cascade) -> str:
    """Print a cascade."""
    page = page_of(cascade)
    parts = ["\n".join("\n".join(wrap(line, WIDTH)) for line in page.lead)]
    parts += ["\n".join(_stage(page, stage)) for stage in page.stages]
    parts.append("\n".join(_loss(page)))
    return "\n\n".join([*parts, *([page.note] if page.note else [])])


def _stage(page: CascadePage, stage: StagePage) -> Iterator[str]:
    yield from wrap(stage.heading, WIDTH, subsequent_indent=GAP * 2)
    titles = [BEGINS, *(block.test for block in stage.blocks), *(GAP + name for name in page.scores)]
    name_width = max(len(title) for title in titles if len(title) <= WIDEST_NAME)
    blocks = [Block(BEGINS, [""], [[points] for points in stage.base]), *stage.blocks]
    for block in blocks:
        yield from _block(block, page.scores, name_width)
    yield from wrap(stage.ending, WIDTH, initial_indent=GAP, subsequent_indent=GAP * 2)


def _block(block: Block, scores: Sequence[str], name_width: int) -> Iterator[str]:
    widths = [max(map(len, cells)) for cells in zip(block.values, *block.points, strict=True)]
    title = block.test
    if len(title) > name_width:
        yield GAP + title
        title = ""
    for first, last in _pieces(widths, WIDTH - name_width - len(GAP)):
        columns = widths[first:last]
        heads = _row(title, name_width, block.values[first:last], columns)
        rows = [cells[first:last] for cells in block.points]
        if not scores and block.values == [""]:
            yield _row(title, name_width, rows[0], columns)
            continue
        yield heads
        for label, cells in zip(scores or [""], rows, strict=True):
            yield _row(GAP + label if label else "", name_width, cells, columns)


def _row(label: str, name_width: int, cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
    return (GAP + label.ljust(name_width) + "".join(GAP + cell for cell in padded)).rstrip()


def _pieces(widths: Sequence[int], room: int) -> Iterator[tuple[int, int]]:
    """Divide columns into pieces that fit beside the names."""
    first, used = 0, 0
    for place, width in enumerate(widths):
        used += width + len(GAP)
        if used > room and place > first:
            yield first, place
            first, used = place, width + len(GAP)
    yield first, len(widths)


def _loss(page: CascadePage) -> Iterator[str]:
    if not page.loss:
        yield page.mistake
        return
    yield LOSS
    widths = [max(map(len, cells)) for cells in zip(page.answers, *page.loss, strict=True)]
    name_width = max(map(len, page.classes))
    yield _row("", name_width, page.answers, widths)
    for name, row in zip(page.classes, page.loss, strict=True):
        yield _row(name, name_width, row, widths)
