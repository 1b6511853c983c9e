"""What a newcomer has to know stays in few places: counted, so that it does not grow unseen."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "thriftwood"
KINDS = {"Tree", "Panel", "Booster"}


def kinds_told_apart(source: str) -> int:
    """Count `isinstance` with one of the kinds of models that a user meets."""
    return sum(
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "isinstance"
        and bool(KINDS & {part.id for part in ast.walk(call.args[1]) if isinstance(part, ast.Name)})
        for call in ast.walk(ast.parse(source))
    )


@pytest.mark.parametrize("kind", ["Tree", "int | Panel", "(Booster, Tree)"])
def test_kinds_are_counted(kind):
    assert kinds_told_apart(f"isinstance(x, {kind}) or isinstance(Tree, int) or 'isinstance(x, Tree)'") == 1


def test_models_are_told_apart_by_their_interface():
    files = [path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] != "models"]
    told = {path.name: n for path in files if (n := kinds_told_apart(path.read_text("utf-8")))}
    assert sum(told.values()) < 15, told


def test_what_a_missing_value_costs_is_decided_in_few_files():
    """Others ask the prices: `unavailable`, `bought_alike`, `payers`, `most`. Exports are programs too."""
    files = [path for room in ("core", "bindings", "src") for path in (ROOT / room).rglob("*.[chp]*")]
    read = [path for path in files if path.suffix in (".py", ".hpp", ".cpp") and path.parent.name != "export"]
    naming = [
        path.relative_to(ROOT).as_posix() for path in read if "charge_missing" in path.read_text("utf-8")
    ]
    assert "core/costs.hpp" in naming
    assert len(naming) <= 8, naming
