"""The fast tier: what tests/slow.txt leaves out is there, and every room keeps some tests."""

import ast

import pytest
from fast_tier import ROOT, slow_tests

ROOMS = sorted({path.parent for path in (ROOT / "tests").rglob("test_*.py")} - {ROOT / "tests"})


@pytest.mark.parametrize("name", slow_tests())
def test_what_is_listed_as_slow_exists(name):
    file, _, function = name.partition("::")
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert not function or function in names, name


def test_nothing_is_listed_twice():
    files = [name for name in slow_tests() if "::" not in name]
    assert not [name for name in slow_tests() if "::" in name and name.partition("::")[0] in files]


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_every_room_has_fast_tests(room):
    files = {path.relative_to(ROOT).as_posix() for path in room.glob("test_*.py")}
    assert files - slow_tests().keys(), f"tests/slow.txt leaves nothing of {room.name}"
