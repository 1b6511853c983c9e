"""CHANGELOG.md has the form of Keep a Changelog, and the version of the package is in it."""

import re
import tomllib
from datetime import date

from markdown_pages import ROOT

KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
SECTION = re.compile(r"^## (.*)$", re.MULTILINE)
RELEASE = re.compile(r"\[(\d+)\.(\d+)\.(\d+)\] - (\d{4}-\d\d-\d\d)")
TEXT = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def sections():
    """The headings, newest first, each with what stands below it."""
    _, *rest = SECTION.split(TEXT)
    return list(zip(rest[::2], rest[1::2], strict=True))


def releases():
    """The versions with their dates, newest first."""
    found = [RELEASE.fullmatch(heading) for heading, _ in sections()[1:]]
    assert all(found), "a release is headed ## [1.2.3] - 2026-11-16"
    return [(tuple(map(int, one.groups()[:3])), date.fromisoformat(one[4])) for one in found]


def test_what_is_not_yet_released_comes_first():
    assert TEXT.startswith("# Changelog\n")
    assert sections()[0][0] == "[Unreleased]"


def test_releases_are_dated_and_newest_first():
    assert releases() == sorted(releases(), reverse=True)
    assert len({version for version, _ in releases()}) == len(releases())


def test_changes_stand_under_their_kind():
    for heading, below in sections():
        _, *parts = re.split(r"^### (.*)$", below, flags=re.MULTILINE)
        kinds = parts[::2]
        assert kinds == [kind for kind in KINDS if kind in kinds], heading
        assert kinds or heading == "[Unreleased]", f"{heading} has no changes"
        for kind, changes in zip(kinds, parts[1::2], strict=True):
            entries = [line for line in changes.splitlines() if line]
            assert entries, f"{kind} of {heading} is empty"
            assert entries[0].startswith("- ")
            assert all(line.startswith(("- ", "  ")) for line in entries), f"{kind} of {heading}"


def test_the_version_of_the_package_is_released_or_about_to_be():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version = tuple(map(int, project["version"].split(".")))
    known = [released for released, _ in releases()]
    assert version in known or (version > known[0] and "### " in sections()[0][1])
