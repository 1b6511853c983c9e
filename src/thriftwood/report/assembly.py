"""The parts put into one file: templates, styles and script inside it, and a policy that allows no others."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from thriftwood import __version__


def filled(name: str, **parts: str) -> str:
    """Fill one of the templates: the parts are HTML."""
    return Template(_asset(name)).substitute(parts)


def whole_page(data: dict[str, Any], scripts: tuple[str, ...], **parts: str) -> str:
    """Fill the template: the parts are HTML, the data are for the script."""
    script = '(() => {\n"use strict";\n' + "\n".join(map(_asset, scripts)) + "\n})();"
    style = _asset("page.css")
    page = Template(_asset("page.html")).substitute(
        parts,
        script=script,
        style=style,
        script_hash=_hash(script),
        style_hash=_hash(style),
        data=_json(data),
        version=escape(__version__),
    )
    # A lone surrogate in a name can be written in no file; it becomes a question mark.
    return page.encode("utf-8", "replace").decode("utf-8")


def _asset(name: str) -> str:
    return (files("thriftwood.report") / "assets" / name).read_text(encoding="utf-8").strip()


def _hash(text: str) -> str:
    """Return the hash by which the page's content policy allows a script or a style sheet."""
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _json(data: Any) -> str:
    """Write data for a script element: without a letter that could end the element or open a tag."""
    text = json.dumps(_finite(data), separators=(",", ":"), allow_nan=False)  # ASCII only
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _finite(data: Any) -> Any:
    """Replace numbers that JSON does not have by null."""
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data
