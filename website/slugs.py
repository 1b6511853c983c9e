"""Names of headings, as links of the pages have them: GitHub's."""

from __future__ import annotations

import re


def github(heading: str, separator: str = "-") -> str:
    """Give what `#...` calls a heading.

    >>> github("Tables that don't fit, 1 & 2")
    'tables-that-dont-fit-1--2'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", separator)
