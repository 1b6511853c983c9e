"""Trees and score cards as a spreadsheet that asks and answers by formulas, without macros."""

from __future__ import annotations

from os import PathLike
from typing import Any

from thriftwood.base.saving import replacing
from thriftwood.export.cascade_plan import cascade_plan
from thriftwood.export.plan import exported_of, plan
from thriftwood.export.workbook import workbook
from thriftwood.export.xlsx_cards import card_sheets
from thriftwood.export.xlsx_consult import Consultation
from thriftwood.export.xlsx_tree import tree_sheets
from thriftwood.models import Cascade


def export_xlsx(
    model: Any, path: str | PathLike[str] | None = None, *, title: str = "Which test next?"
) -> bytes:
    """Write a tree, or score cards, as a spreadsheet: results are filled in, formulas say what to ask next.

    The first sheet has a row for each test. It says which to run next and what that costs, what was paid so
    far, and, when nothing more is needed, the answer and how sure it is. The sheets behind it are the
    formulas. There are no macros, and names from the data are never a part of a formula.

    Parameters
    ----------
    model : fitted estimator, search, Tree or Cascade
        What to write.
    path : path, optional
        Where to save the file as well.
    title : str
        What stands at the top.

    Returns
    -------
    bytes
        The file (.xlsx).

    Raises
    ------
    ValueError
        If a category or class is neither text, number nor boolean, or the tree is too large for a sheet.

    Notes
    -----
    Answers, purchases and prices are those of ``tw.bill``. Spreadsheets compare numbers to some 15 digits: a
    value that differs from a cut by less than that counts as equal to it.

    Examples
    --------
    >>> from thriftwood.learning import CostTreeClassifier
    >>> export_xlsx(CostTreeClassifier().fit([[1.0], [2.0]], ["no", "yes"]))[:2]
    b'PK'
    """
    exported = exported_of(model)
    if isinstance(exported, Cascade):
        cards = cascade_plan(exported)
        front = Consultation(cards, title, exported.costs)
        behind = card_sheets(cards, front)
    else:
        made = plan(exported)
        front = Consultation(made, title, exported.costs)
        behind = tree_sheets(made, front)
    content = workbook([front.sheet, front.results, *behind, front.lists])
    if path is not None:
        with replacing(path) as new:
            new.write_bytes(content)
    return content
