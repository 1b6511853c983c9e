"""Pictures that commands write."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from thriftwood.base.saving import replacing
from thriftwood.cli.writing import check_folder

ENDINGS = (".png", ".svg", ".pdf")


def check_picture(path: Path | None) -> None:
    """Refuse what cannot be drawn before anything is computed."""
    if path is None:
        return
    if path.suffix.lower() not in ENDINGS:
        raise ValueError(
            f"A picture is a {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]} file. Got {path.name!r}."
        )
    check_folder(path)
    if find_spec("matplotlib") is None:
        raise ValueError("Pictures need matplotlib, which is not installed: pip install matplotlib.")


def check_drawing(path: Path | None, ending: str) -> None:
    """Refuse a file whose name says another format than the option does."""
    if path is not None and path.suffix.lower() != ending:
        raise ValueError(f"--{ending[1:]} writes a {ending} file. Got {path.name!r}.")
    check_picture(path)


def save_picture(axes: Any, path: Path) -> None:
    """Write matplotlib axes to a file."""
    with replacing(path) as new:
        axes.figure.savefig(new, bbox_inches="tight")
