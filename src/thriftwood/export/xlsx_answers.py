"""The cheapest answer in a sheet, when the shares of the classes are known."""

from __future__ import annotations

from thriftwood.export.cascade_plan import CascadePlan
from thriftwood.export.plan import Plan
from thriftwood.export.workbook import Formula, Look, Sheet, own_place


def least_cost(
    sheet: Sheet, top: int, shares: list[str], made: Plan | CascadePlan, tolerance: float = 1e-12
) -> tuple[list[str], str]:
    """Write the shares of the classes and, below, which answer is cheapest on average.

    Ties up to `tolerance`, a share of the cost, go to the first answer, as in the library.

    Returns
    -------
    tuple of list of str and str
        The cells of the shares, and the cell with the number of the answer, from 1.
    """
    classes, width = len(shares), len(made.answers)
    sheet.row(top, ["class", "share", "what answers cost"], Look.HEAD)
    for place, share in enumerate(shares):
        sheet.put(top + 1 + place, 1, place + 1.0)
        sheet.put(top + 1 + place, 2, Formula(share))
        sheet.row(top + 1 + place, list(made.loss[place * width : (place + 1) * width]), first=3)

    def column(place: int) -> str:
        return f"{own_place(top + 1, place)}:{own_place(top + classes, place)}"

    below = top + classes + 2
    sheet.row(below, ["answer", "cost", "least so far", "its number"], Look.HEAD)
    for answer in range(width):
        row = below + 1 + answer
        sheet.put(row, 1, answer + 1.0)
        cost = (
            f"SUMPRODUCT({column(2)},{column(3 + answer)})"
            if made.loss
            else f"-{own_place(top + 1 + answer, 2)}"
        )
        sheet.put(row, 2, Formula(cost))
        own, least, number = own_place(row, 2), own_place(row - 1, 3), own_place(row - 1, 4)
        # Where shares are compared, the smaller one says how much is rounding.
        better = f"{least}>{own}+{tolerance:.15f}*ABS({own if made.loss else least})"
        sheet.put(row, 3, Formula(f"IF({better},{own},{least})" if answer else own))
        sheet.put(row, 4, Formula(f"IF({better},{answer + 1},{number})" if answer else "1"))
    cells = [sheet.at(top + 1 + place, 2) for place in range(classes)]
    return cells, sheet.at(below + width, 4)
