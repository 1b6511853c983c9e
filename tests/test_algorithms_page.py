"""docs/algorithms.md says of learners what their entries say, of criteria what the core's list says."""

from pathlib import Path

import thriftwood as tw
from thriftwood import _core
from thriftwood.learning.criteria_text import page_rows

PAGE = Path(__file__).parent.parent / "docs" / "algorithms.md"
LEARNERS, _, CRITERIA = PAGE.read_text().partition("\n# Criteria\n")


def test_the_page_has_every_entry_word_for_word():
    sections = [
        f"{entry.name}\n\n{entry.sentence}\n\nFormula: `{entry.formula}`\n\nReference: {entry.reference}."
        for entry in tw.algorithms()
    ]
    _, *found = LEARNERS.split("\n## ")
    assert [text.strip() for text in found] == sections


def test_the_table_has_every_criterion_of_the_core():
    rows = [line for line in CRITERIA.splitlines() if line.startswith("| `")]
    assert rows == page_rows(_core.criteria())
