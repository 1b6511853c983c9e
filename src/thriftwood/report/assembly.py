"""The parts put into one file: templates, styles and script inside it, and a policy that allows no others."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from thriftwood import __version__
from thriftwood.base.page_parts import content_hash, script_json, writable


def filled(name: str, **parts: str) -> str:
    """Fill one of the templates: the parts are HTML."""
    return Template(asset(name)).substitute(parts)


def whole_page(data: dict[str, Any], scripts: tuple[str, ...], **parts: str) -> str:
    """Fill the template: the parts are HTML, the data are for the script."""
    script = '(() => {\n"use strict";\n' + "\n".join(map(asset, scripts)) + "\n})();"
    style = asset("page.css")
    page = Template(asset("page.html")).substitute(
        parts,
        script=script,
        style=style,
        script_hash=content_hash(script),
        style_hash=content_hash(style),
        data=script_json(data),
        version=escape(__version__),
    )
    return writable(page)


def asset(name: str) -> str:
    """Return one of the page's own files."""
    return (files("thriftwood.report") / "assets" / name).read_text(encoding="utf-8").strip()
