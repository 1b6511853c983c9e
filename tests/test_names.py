"""Test files are named after what they test: tests/<room>/test_<module>.py, by the rooms of the source."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TESTS, SOURCE, CORE = ROOT / "tests", ROOT / "src" / "thriftwood", ROOT / "core"
OF_ALL = {"laws", "sklearn_checks"}
"""What holds for all modules of a room at once."""
OTHERS = {
    "cli": {"app", "without_frames"},  # the whole command, and what it needs installed
    "export": {"data_sets", "docs", "writers"},  # every language on the same trees, and the pages about them
    "learning": {"against_scikit_learn"},
}
ROOMS = sorted(room.name for room in SOURCE.iterdir() if (room / "__init__.py").exists())


def nouns(room):
    """The modules and folders of a room, and the rooms of the core: criteria and growing have no Python."""
    found = [path for path in (SOURCE / room).rglob("*") if path.suffix == ".py" or path.is_dir()]
    return {path.stem for path in found} | {path.stem for path in CORE.iterdir()} | {room}


def is_named_after(name, known):
    """Tell whether a test is called by a noun, or by a noun and a part of it: growing_threads."""
    return any(name == noun or name.startswith(f"{noun}_") for noun in known)


@pytest.mark.parametrize("room", ROOMS)
def test_tests_are_named_after_modules(room):
    known = nouns(room) | OF_ALL | OTHERS.get(room, set())
    names = [path.stem.removeprefix("test_") for path in (TESTS / room).rglob("test_*.py")]
    assert names, f"tests/{room} has no tests"
    assert [name for name in names if not is_named_after(name, known)] == []


def test_every_room_of_tests_is_one_of_the_source():
    folders = {path.name for path in TESTS.iterdir() if path.is_dir() and list(path.rglob("test_*"))}
    assert folders - set(ROOMS) == {"benchmarks", "core", "fuzz"}


def test_no_exception_is_needless():
    for room, names in OTHERS.items():
        for name in names:
            assert (TESTS / room / f"test_{name}.py").exists(), name
            assert not is_named_after(name, nouns(room)), name
