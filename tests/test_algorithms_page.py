"""docs/algorithms.md says of every published learner what its entry says."""

from pathlib import Path

import thriftwood as tw

PAGE = Path(__file__).parent.parent / "docs" / "algorithms.md"


def test_the_page_has_every_entry_word_for_word():
    sections = [
        f"{entry.name}\n\n{entry.sentence}\n\nFormula: `{entry.formula}`\n\nReference: {entry.reference}."
        for entry in tw.algorithms()
    ]
    _, *found = PAGE.read_text().split("\n## ")
    assert [text.strip() for text in found] == sections
