"""A saved tree, or score cards, in the browser."""

from __future__ import annotations

import tempfile
import webbrowser
from html import escape
from pathlib import Path

from thriftwood.models import Cascade, Tree

PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ margin: 2rem; font-family: system-ui, sans-serif; }}
</style>
<h1>{title}</h1>
{tree}
</html>
"""


def tree_page(tree: Tree | Cascade, title: str) -> str:
    """Write a page with a tree that folds: what notebooks show, without a script and without a network."""
    return PAGE.format(title=escape(title), tree=tree._repr_html_())


def open_tree(tree: Tree | Cascade, name: str) -> Path:
    """Open a tree in the browser and return the file of the page, which stays: the browser reads it later."""
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", prefix="thriftwood-", suffix=".html", delete=False
    ) as file:
        file.write(tree_page(tree, name))
    path = Path(file.name)
    if not webbrowser.open(path.as_uri()):
        raise OSError(f"No browser could be started here. Open {path} yourself, or use --svg FILE.")
    return path
