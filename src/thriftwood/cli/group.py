"""The group of all commands: what typer says about wrong options, in plain words."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from thriftwood.base.spelling import decimal_comma

PREFIX = "Value error, "
"""What pydantic, by which typer reads options, puts before the sentence of a check."""

WANTED = {"int_parsing": "a whole number", "float_parsing": "a number"}
"""What was wanted, by pydantic's name of what is wrong."""


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
    """
    details: list[dict[str, Any]] = getattr(error.__cause__, "errors", list)() or [{}]
    wanted = WANTED.get(details[0].get("type", ""))
    if wanted is None:
        return str(error.message).removeprefix(PREFIX)
    typed = str(details[0].get("input"))
    return f"{typed!r} is not {wanted}.{decimal_comma(typed)}"
