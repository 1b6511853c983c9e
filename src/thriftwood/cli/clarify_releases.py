"""The page of ``thriftwood clarify check``."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import get_args

from rich.console import Console

from thriftwood.clarify.model import Model
from thriftwood.clarify.releases import Carried, Release, Status, check_release
from thriftwood.cli.printing import print_json, print_lines
from thriftwood.costs.names import counted, quoted

_WIDEST = max(map(len, get_args(Status)))
_COMPARED = "Functions outside of the plan were not compared."


def check_and_print(
    out: Console, path: Path, command: Sequence[str], output: Path | None, as_json: bool
) -> None:
    """Compare builds; say what holds and what is in doubt; save the model for the new one."""
    found = check_release(Model.load(path), command)
    if output is not None:
        found.model.save(output)
    if as_json:
        print_json(
            {
                "functions": [asdict(one) for one in found.functions],
                "in_doubt": found.in_doubt,
                "unguarded": found.unguarded,
                "model": None if output is None else str(output),
            }
        )
        return
    for one in found.functions:  # names of functions differ at their ends, which a narrow table would cut off
        print_lines(out, f"{one.status:<{_WIDEST}}  {_names(one)}")
    print_lines(out, _verdict(found))
    if found.in_doubt:
        chosen = " ".join(f"--only {shlex.quote(label)}" for label in found.in_doubt)
        print_lines(out, f"Record them again (record DIR --runs FILE {chosen}), then learn from that folder.")
    if found.unguarded:
        print_lines(out, _unguarded(found))
    if output is not None:
        print_lines(out, f"Written: {output}.")


def _names(one: Carried) -> str:
    """Return the name of a function, and the one that it has now where that is another."""
    return one.function if one.now in (None, one.function) else f"{one.function} -> {one.now}"


def _verdict(found: Release) -> str:
    n_same = sum(one.status in ("unchanged", "moved") for one in found.functions)
    words = f"{n_same:,} of {counted(len(found.functions), 'function')} of the plan do what they did."
    if not found.in_doubt:
        others = "" if n_same == len(found.functions) else ": the tree asks for none of the others"
        return f"{words} By these all {len(found.model.labels)} labels hold{others}. {_COMPARED}"
    rest = [label for label in found.model.labels if label not in found.in_doubt]
    holds = f" {quoted(rest)} {'holds' if len(rest) == 1 else 'hold'}." if rest else ""
    return f"{words} In doubt: {quoted(found.in_doubt)}.{holds} {_COMPARED}"


def _unguarded(found: Release) -> str:
    n = len(found.unguarded)
    who = "guard of its labels rests" if n == 1 else "guards of its labels rest"
    return (
        f"{n:,} {who} on functions that changed or are gone: whatever is counted of those is not odd "
        "in the new build, and causes that nobody recorded are noticed less often until you learn again."
    )
