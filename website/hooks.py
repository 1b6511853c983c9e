"""What mkdocs calls while it builds the site (`hooks:` in mkdocs.yml)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:  # mkdocs reads this file alone
    sys.path.insert(0, str(ROOT))

from website.commands import commands_page  # noqa: E402
from website.experiments import index_page as experiments_page  # noqa: E402
from website.experiments import pictures, with_picture  # noqa: E402
from website.gallery import gallery  # noqa: E402
from website.landing import PAGE as LIVE  # noqa: E402
from website.landing import studio_page, with_studio  # noqa: E402
from website.pages import BORROWED, borrowed_page, for_the_site  # noqa: E402
from website.reference import index_page, places, room_page, rooms  # noqa: E402


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are made."""
    for name, content in made_files().items():
        files.append(File.generated(config, name, content=content))
    return files


def made_files() -> dict[str, str | bytes]:
    """Make every file of the site that is not one of docs/."""
    made: dict[str, str | bytes] = {name: borrowed_page(source) for source, name in BORROWED.items()}
    made |= {f"reference/{room}.md": room_page(room) for room in rooms()}
    made |= {"reference/index.md": index_page(), "reference/commands.md": commands_page()}
    made |= {"experiments/index.md": experiments_page(), LIVE: studio_page()}
    return made | pictures() | gallery()


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lay a page of docs/ out for the site."""
    where = page.file.src_uri
    if where.startswith("reference/") and where != "reference/formats.md":
        return markdown
    if where == "index.md":
        markdown = with_studio(markdown)
    return for_the_site(with_picture(where, markdown), places())


def on_post_page(output: str, **_: Any) -> str:
    """Name the search for screen readers; the theme leaves it without a name."""
    search = 'data-md-component="search" role="dialog"'
    return output.replace(search, f'{search} aria-label="Search"')
