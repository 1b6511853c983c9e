"""docs/algorithms.md says of every published learner what its entry says."""

from pathlib import Path

import thriftwood as tw

PAGE = Path(__file__).parent.parent / "docs" / "algorithms.md"
BEFORE = """# Published learners

`tw.algorithm(name)` makes each of them, and `thriftwood algorithms` lists them in a shell. G is the gain of a test at a node, c what the test
still costs there, W/N the share of the training weight that is at the node; `CostTreeClassifier`'s documentation explains the other
letters.
"""


def section(entry):
    lines = [
        f"## {entry.name}",
        entry.sentence,
        f"Formula: `{entry.formula}`",
        f"Reference: {entry.reference}.",
    ]
    return "\n\n".join(lines)


def test_the_page_is_that_of_the_entries():
    assert PAGE.read_text() == "\n\n".join([BEFORE.rstrip(), *map(section, tw.algorithms())]) + "\n"
