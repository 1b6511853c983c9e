"""`joined`: runs of several builds of one program as runs of the latest.

Functions are matched by their qualified names, whatever their lines. Of a label that was recorded from the
latest build its other runs are left out: it was recorded again because something changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from thriftwood.clarify.bodies import read_bodies, without_line
from thriftwood.clarify.builds import owner, relevant
from thriftwood.clarify.profile import Profile, renamed
from thriftwood.clarify.store import Recording, Run


class SeveralBuildsError(Exception):
    """Profiles come from more than one build."""


@dataclass(frozen=True)
class Joined:
    """Runs that count, and what functions are called in the latest build.

    Attributes
    ----------
    runs : tuple of Run
        In the order recorded.
    build : mapping of str to str
        The latest identity of every file.
    identities : tuple of tuple of str
        For each run those of the files that it loaded, as of the latest build.
    names : mapping of str to str
        From names without lines to those of the latest build, where there is one.
    """

    runs: tuple[Run, ...]
    build: Mapping[str, str]
    identities: tuple[tuple[str, ...], ...]
    names: Mapping[str, str]

    def profiles(self, recording: Recording) -> Iterator[Profile]:
        """Read the profiles of the runs, with the names of the latest build."""
        for profile in recording.profiles(self.runs):
            now = {f: self.names[without_line(f)] for f in profile.functions if without_line(f) in self.names}
            yield renamed(profile, {f: name for f, name in now.items() if f != name})


def joined(recording: Recording, runs: tuple[Run, ...]) -> Joined:
    """Put runs of several builds together; profiles are read one after the other."""
    latest: dict[str, str] = {}
    builds = []
    every: dict[str, None] = {}
    for profile in recording.profiles(runs):
        builds.append(dict(profile.build))
        latest.update(profile.build)
        every.update(dict.fromkeys(profile.functions))
    current = [all(latest[path] == identity for path, identity in build.items()) for build in builds]
    again = {run.label for run, is_current in zip(runs, current, strict=True) if is_current}
    counted = [place for place, run in enumerate(runs) if current[place] or run.label not in again]
    found: dict[str, set[str]] = {}
    for profile in recording.profiles(tuple(run for run, now in zip(runs, current, strict=True) if now)):
        for function in profile.functions:
            found.setdefault(without_line(function), set()).add(function)
    names = {plain: next(iter(those)) for plain, those in found.items() if len(those) == 1}
    return Joined(
        runs=tuple(runs[place] for place in counted),
        build=latest,
        identities=tuple(tuple(latest[path] for path in builds[place]) for place in counted),
        names=names | _never_called(recording, latest, [f for f in every if without_line(f) not in found]),
    )


def _never_called(recording: Recording, latest: Mapping[str, str], functions: list[str]) -> dict[str, str]:
    """Find what functions are called now that no run of the latest build called, by its fingerprints."""
    known = read_bodies(recording.folder)
    found = {}
    for function in functions:
        for identity in relevant(latest, [function], functions).values():
            plain, module = without_line(function), owner(function)
            same = [own for own in known.get(identity, {}) if without_line(f"{module}:{own}") == plain]
            if len(same) == 1 and "!" not in function:
                found[plain] = f"{module}:{same[0]}"
    return found
