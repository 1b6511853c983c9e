"""The group of all commands: what typer says about wrong options, in plain words."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from thriftwood.base.spelling import close_names, decimal_comma

PREFIX = "Value error, "
"""What pydantic, by which typer reads options, puts before the sentence of a check."""

WANTED = {"int_parsing": "a whole number", "float_parsing": "a number"}
"""What was wanted, by pydantic's name of what is wrong."""

SHORT = {"js": "javascript", "py": "python", "htm": "html", "page": "html", "excel": "xlsx", "xls": "xlsx"}
"""What people call languages and files of `--to`, which no likeness of letters finds."""

NONE_OF = "' is not one of '"
"""What typer writes between what was typed and the choices."""


class PlainGroup(TyperGroup):
    """Commands whose wrong options are told in plain words."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was named."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = plain_words(error)
            raise


def plain_words(error: typer.BadParameter) -> str:
    """Return what is wrong with an option.

    >>> plain_words(typer.BadParameter("Value error, 'x' is not one of 'c', 'sql'."))
    "'x' is not one of 'c', 'sql'."
    >>> plain_words(typer.BadParameter("Value error, 'js' is not one of 'json', 'javascript'."))
    "'js' is not one of 'json', 'javascript'. Did you mean 'javascript'?"
    """
    details: list[dict[str, Any]] = getattr(error.__cause__, "errors", list)() or [{}]
    wanted = WANTED.get(details[0].get("type", ""))
    if wanted is None:
        said = str(error.message).removeprefix(PREFIX)
        return f"{said}{_meant(said)}"
    typed = str(details[0].get("input"))
    return f"{typed!r} is not {wanted}.{decimal_comma(typed)}"


def _meant(said: str) -> str:
    """Return the sentence with the choice that was probably meant, or nothing."""
    quoted, choosing, listed = said.partition(NONE_OF)
    if not choosing:
        return ""
    typed, choices = quoted[1:], listed.removesuffix("'.").split("', '")
    short = SHORT.get(typed.casefold())
    likely = [short] if short in choices else close_names(typed, choices, most=1)
    return "".join(f" Did you mean {name!r}?" for name in likely)
