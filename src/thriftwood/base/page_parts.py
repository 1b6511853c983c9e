"""Parts of pages that are one file: data inside a script element, hashes for the policy of the page."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from typing import Any


def content_hash(text: str) -> str:
    """Return the hash by which a page's content policy allows a script or a style sheet.

    Examples
    --------
    >>> content_hash("")
    '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    """
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def script_json(data: Any) -> str:
    r"""Write data for a script element: without a letter that could end the element or open a tag.

    Examples
    --------
    >>> print(script_json({"name": "</script>", "cost": float("nan")}))
    {"name":"\u003c/script\u003e","cost":null}
    """
    text = json.dumps(_finite(data), separators=(",", ":"), allow_nan=False)  # ASCII only
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def writable(page: str) -> str:
    r"""Return a page that a file can hold: a lone surrogate in a name becomes a question mark.

    Examples
    --------
    >>> writable("a\ud800b")
    'a?b'
    """
    return page.encode("utf-8", "replace").decode("utf-8")


def _finite(data: Any) -> Any:
    """Replace numbers that JSON does not have by null."""
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data
