"""docs/glossary.md: every word has its synonyms, and lives where the page says."""

import re

import pytest
from markdown_pages import ROOT

import thriftwood as tw

PAGE = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
ENTRIES = dict(re.findall(r"^\*\*(.+?)\.\*\* (.+?)(?=\n\n|\Z)", PAGE, re.MULTILINE | re.DOTALL))


def test_the_page_is_short_and_has_every_word_once():
    assert 25 <= len(ENTRIES) == PAGE.count("\n**") <= 40


@pytest.mark.parametrize("word", ENTRIES)
def test_a_word_has_synonyms_and_a_file(word):
    meaning, _, rest = ENTRIES[word].partition("\n*Also:* ")
    synonyms, _, places = " ".join(rest.split()).rpartition(" In `")
    assert meaning
    assert synonyms
    files = [name for name in re.findall(r"`([^`]+)`", f"`{places}") if "/" in name]
    assert files
    for name in files:
        folder = ROOT if name.startswith("core/") else ROOT / "src" / "thriftwood"
        assert (folder / name).is_file(), name
    for name in re.findall(r"`tw\.(\w+)`", places):
        assert hasattr(tw, name), name
