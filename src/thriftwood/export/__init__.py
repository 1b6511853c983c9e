"""Finished trees in other languages, from Python to ONNX, and as a page, a spreadsheet, JSON and rules.

The words of this room:

- the *plan* is a tree as every writer reads it: the tests it can ask, the questions of its nodes, the routes
  of cases without a value, the endings, the prices;
- a *writer* turns the plan into text, or a graph, that needs no thriftwood to run;
- exported functions *ask* for a test when it is bought, and not before; what they buy, in which order and for
  how much is what ``tw.bill`` says.

ONNX graphs have plain comparisons of doubles and lookups only, and refuse what would need several
endings.
"""

from thriftwood.export.arrow import arrow_scorer
from thriftwood.export.c import export_c
from thriftwood.export.javascript import export_javascript
from thriftwood.export.onnx import export_onnx
from thriftwood.export.page import export_html
from thriftwood.export.python import export_python
from thriftwood.export.sql import export_sql
from thriftwood.export.text import export_json, export_rules
from thriftwood.export.xlsx import export_xlsx

__all__ = [
    "arrow_scorer",
    "export_c",
    "export_html",
    "export_javascript",
    "export_json",
    "export_onnx",
    "export_python",
    "export_rules",
    "export_sql",
    "export_xlsx",
]
