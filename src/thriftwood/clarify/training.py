"""`train`: from a recording to a model that can be watched with."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from thriftwood.clarify.bodies import own_name, read_bodies
from thriftwood.clarify.builds import relevant
from thriftwood.clarify.counting import PatternTable, pattern_table
from thriftwood.clarify.endings import endings_of
from thriftwood.clarify.evidence import KIND_OF, EvidenceKind, check_kinds, signs_of
from thriftwood.clarify.joining import SeveralBuildsError, joined
from thriftwood.clarify.judging import check_labels
from thriftwood.clarify.launching import ProgramKind
from thriftwood.clarify.learning import Learned, Search, learn
from thriftwood.clarify.model import Model, check_messages
from thriftwood.clarify.noticing import FALSE_ALARMS
from thriftwood.clarify.patterns import Features, Sign
from thriftwood.clarify.pricing import SPANS
from thriftwood.clarify.profile import Profile
from thriftwood.clarify.recording import RecordingWarning
from thriftwood.clarify.store import LabelledBy, Recording, Run
from thriftwood.clarify.strangers import strangers_of
from thriftwood.costs.names import counted, quoted
from thriftwood.evaluation.tradeoff import WITHIN

SHORTEST_TELLING = 3  # letters and digits of a label; "1" or "ok" are in many command lines by coincidence
TOLD_BY: dict[LabelledBy, frozenset[EvidenceKind]] = {
    "ending": frozenset({"ending"}),
    "output": frozenset({"message", "exception"}),
}
"""The evidence that is the label, if labels were given by the ending or the output of runs."""


class Trained(NamedTuple):
    """A model, and how it was found."""

    model: Model
    learnt: Learned


class Cases(NamedTuple):
    """The runs of a recording as a table."""

    table: PatternTable
    labels: tuple[str, ...]
    build: dict[str, str]
    kind: ProgramKind
    identities: tuple[frozenset[str], ...]
    """The builds that each run loaded."""
    signs: tuple[frozenset[Sign], ...]
    """What each run showed for nothing."""
    strangers: tuple[str, ...]
    """Functions that no run called, of a native program."""


def train(
    recording: Recording,
    *,
    features: Features | None = None,
    without: Collection[EvidenceKind] = (),
    messages: Mapping[str, str] | None = None,
    within: float = WITHIN,
    false_alarms: float | None = FALSE_ALARMS,
    cv: int = 5,
    seed: int = 0,
    span: float | None = None,
    search: Search = "thrifty",
    n_jobs: int = 1,
    tell: Callable[[str], object] | None = None,
) -> Trained:
    """Learn from the runs of a recording that have a label.

    Parameters
    ----------
    recording : Recording
        What was recorded.
    features : {"fc", "ctp"}, optional
        Calls alone or patterns of call trees too; None: what was recorded.
    without : collection of {"ending", "exception", "message", "duration"}
        Free evidence that is not looked at: how runs ended, what they raised, what they wrote to standard
        error, how long they took. What labels were given by when recording is left out in any case, with a
        warning: a tree would find the label itself.
    messages : mapping of str to str, optional
        What to tell for each label.
    within, false_alarms, cv, seed, search, n_jobs, tell
        As for `learn`.
    span : float, optional
        As for `learn`; None: what was measured for programs of this kind.

    Raises
    ------
    ValueError
        If there is nothing to learn, or runs of different programs are together.
    """
    check_kinds(without)
    labels = [str(run.label) for run in recording.usable]
    if labels:  # cases_of says more where there are none
        check_labels(labels)
    if messages is not None:
        check_messages(messages, set(labels))
    cases = cases_of(recording, features, tell)
    without = _without_the_labels(recording.usable, cases, without)
    learnt = learn(
        cases.table,
        cases.labels,
        signs=cases.signs,
        without=without,
        strangers=cases.strangers,
        false_alarms=false_alarms,
        features=features or recorded_features(recording),
        within=within,
        cv=cv,
        seed=seed,
        span=SPANS[cases.kind] if span is None else span,
        search=search,
        n_jobs=n_jobs,
        tell=tell,
    )
    build = relevant(cases.build, learnt.mean_calls, cases.table.mean_calls)
    loaded = [not one.isdisjoint(build.values()) for one in cases.identities]
    model = Model.of(
        learnt,
        build=build,
        kind=cases.kind,
        messages=messages or {},
        loaded=sum(loaded) / len(loaded) if build else 0.0,
        endings=endings_of(recording.usable),
        bodies=bodies_of(recording, cases.build, cases.table.mean_calls),
    )
    return Trained(model, learnt)


def cases_of(
    recording: Recording, features: Features | None = None, tell: Callable[[str], object] | None = None
) -> Cases:
    """Read the runs that have a label and a profile, each once, as a table of patterns.

    Raises
    ------
    ValueError
        If there are none, or they do not belong together.
    """
    runs = recording.usable
    if not runs:
        raise ValueError(
            f"{recording.folder} has {counted(len(recording), 'run')}, and none with a label and a profile. "
            "Give labels when recording: in the file of runs, by exit code, or by a pattern in the output."
        )
    _warn_of_telling_names(runs)
    kinds = {run.kind for run in runs}
    if len(kinds) > 1:
        raise ValueError(f"{recording.folder} has runs of Python and of native programs. Record them apart.")
    known = recorded_features(recording)
    wanted = features or known
    if wanted != "fc" and known == "fc":
        raise ValueError(
            f"Some runs of {recording.folder} have calls alone, no call trees. Learn from 'fc' features, or "
            "record all runs with mode 'ctp'."
        )
    if tell is not None:
        tell(f"reading {len(runs)} profiles")
    build: dict[str, str] = {}
    identities: list[frozenset[str]] = []
    try:
        table = pattern_table(_of_one_build(recording.profiles(runs), build, identities), wanted)
    except SeveralBuildsError:
        kept = joined(recording, runs)
        runs, build = kept.runs, dict(kept.build)
        identities = [frozenset(one) for one in kept.identities]
        table = pattern_table(kept.profiles(recording), wanted)
    kind: ProgramKind = "python" if kinds == {"python"} else "native"
    signs = tuple(signs_of(run.ran, run.command) for run in runs)
    strangers = strangers_of(recording, build, table.mean_calls, runs)
    labels = tuple(str(run.label) for run in runs)
    return Cases(table, labels, build, kind, tuple(identities), signs, strangers)


def labels_told(runs: Iterable[Run]) -> list[str]:
    """List the labels that command lines tell: those in all command lines of their runs, and in no others.

    Signs, spaces and capitals do not matter.

    Examples
    --------
    >>> def run(label, word):
    ...     return Run(label, ("play", word), 0, False, 0.0, "fc", "native", "", "")
    >>> labels_told([run("wrong tag", "wrong-tag/1.mp3"), run("zeros", "zeros/1.mp3"), run("cut", "7.mp3")])
    ['wrong tag', 'zeros']
    """
    lines = [(str(run.label), _letters(" ".join(run.command))) for run in runs]
    told = dict.fromkeys(label for label, _ in lines if len(_letters(label)) >= SHORTEST_TELLING)
    for label, line in lines:
        for one in list(told):
            if (_letters(one) in line) != (one == label):
                del told[one]
    return list(told)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _warn_of_telling_names(runs: Collection[Run]) -> None:
    """Warn where names give the labels away: a program that copies its input's name counts its letters."""
    told = labels_told(runs)
    n_others = len({run.label for run in runs}) - len(told)
    if len(told) > 1 or (told and n_others == 1):  # of two labels, one tells both
        warnings.warn(
            f"Command lines tell the labels {quoted(told)}: each is in all command lines of its runs and in "
            "no others. Programs copy and compare names, so a tree may learn the names instead of the faults "
            "and fail on inputs of other names. Give all inputs names that say nothing, of one length, and "
            "record again.",
            RecordingWarning,
            stacklevel=4,  # the line that called train
        )


def _without_the_labels(
    runs: Collection[Run], cases: Cases, without: Collection[EvidenceKind]
) -> frozenset[EvidenceKind]:
    """Leave out the evidence that labels were given by, too; warn of that, and of a sign that is as good."""
    left_out = frozenset(without)
    given_by = {run.labelled_by for run in runs if run.labelled_by is not None}
    for one in sorted(given_by):
        if one != "function" and not left_out.issuperset(told := TOLD_BY[one]):
            left_out |= told
            warnings.warn(
                f"Labels were given by the {one} of runs when recording. Evidence of the kind "
                f"{' and '.join(sorted(told))} would tell them for nothing, and is left out.",
                RecordingWarning,
                stacklevel=3,  # the line that called train
            )
    same = _signs_of_one_label(cases, left_out) if given_by else []
    if same:
        sign, label = same[0]
        warnings.warn(
            f"Labels were given by what runs showed, and {sign} is shown by all runs of {label!r} and no "
            f"others: it may be the label itself. Learn without the evidence "
            f"{KIND_OF[sign.kind]!r} to watch calls.",
            RecordingWarning,
            stacklevel=3,
        )
    return left_out


def _signs_of_one_label(cases: Cases, without: Collection[EvidenceKind]) -> list[tuple[Sign, str]]:
    """List the signs that all runs of a label show and no others, in order."""
    labels: dict[str, set[int]] = {}
    shown: dict[Sign, set[int]] = {}
    for number, (label, signs) in enumerate(zip(cases.labels, cases.signs, strict=True)):
        labels.setdefault(label, set()).add(number)
        for sign in signs:
            shown.setdefault(sign, set()).add(number)
    of_runs = {frozenset(numbers): label for label, numbers in labels.items()}
    found = [
        (sign, of_runs[frozenset(numbers)])
        for sign, numbers in shown.items()
        if KIND_OF[sign.kind] not in without and frozenset(numbers) in of_runs
    ]
    return sorted(found, key=lambda pair: (pair[1], str(pair[0])))


def recorded_features(recording: Recording) -> Features:
    """Tell what all usable runs have: call trees, or calls alone."""
    return "ctp" if all(run.mode == "ctp" for run in recording.usable) else "fc"


def _of_one_build(
    profiles: Iterable[Profile], build: dict[str, str], identities: list[frozenset[str]]
) -> Iterator[Profile]:
    """Pass profiles on, and gather their builds, which must agree."""
    for profile in profiles:
        for name, identity in profile.build.items():
            if build.setdefault(name, identity) != identity:
                raise SeveralBuildsError
        identities.append(frozenset(profile.build.values()))
        yield profile


def bodies_of(recording: Recording, build: Mapping[str, str], functions: Iterable[str]) -> dict[str, str]:
    """Return the fingerprints of functions, as far as the recording has them."""
    functions = list(functions)
    known = read_bodies(recording.folder)
    found = {}
    for function in functions:
        for identity in relevant(build, [function], functions).values():
            body = known.get(identity, {}).get(own_name(function))
            if body is not None:
                found[function] = body
    return found
