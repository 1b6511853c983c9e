"""`check_release`: what of a model holds for a new build of its program, and the model made to fit it.

Functions are matched by their qualified names and by fingerprints of their bodies
(`thriftwood.clarify.bodies`). A label is in doubt if a leaf of it lies behind a test of a function that
changed or is gone.
"""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NoReturn

from thriftwood.clarify.bodies import native_functions, python_bodies, without_line
from thriftwood.clarify.builds import MAIN, owner
from thriftwood.clarify.commands import after_options
from thriftwood.clarify.elf import read_elf
from thriftwood.clarify.launching import found_program, kind_of
from thriftwood.clarify.learning import named_counts
from thriftwood.clarify.model import Model
from thriftwood.clarify.native import libraries_of
from thriftwood.clarify.normal import Normal
from thriftwood.clarify.patterns import Pattern, Sign
from thriftwood.clarify.plan import Plan
from thriftwood.clarify.python_programs import interpreter_of
from thriftwood.costs.names import counted, quoted
from thriftwood.models import Tree
from thriftwood.table import Encoder

MOST_CALLS = float(1 << 63)
"""More than anybody counts."""
Status = Literal["unchanged", "moved", "changed", "gone"]
_FIND = """
import json, sys
from importlib.util import find_spec
sys.path[:0] = json.loads(sys.argv[2])
told = {}
for name in json.loads(sys.argv[1]):
    try:
        spec = find_spec(name)
        # A module that is frozen into Python has its source elsewhere.
        state = getattr(spec, "loader_state", None)
        frozen = getattr(state, "filename", None) if spec and spec.origin == "frozen" else None
        path = frozen or (spec.origin if spec else None)
    except Exception:
        path, frozen = None, None
    told[name] = [path, bool(frozen)]
print(json.dumps(told))
"""
_HASH = """
import sys
from importlib.util import source_hash
with open(sys.argv[1], "rb") as file:
    print(source_hash(file.read()).hex())
"""


@dataclass(frozen=True)
class Carried:
    """A function of the plan in the new build."""

    function: str
    status: Status
    now: str | None
    """What it is called in the new build; None if it is gone."""


@dataclass(frozen=True)
class Release:
    """What of a model holds for a new build.

    Attributes
    ----------
    functions : tuple of Carried
        Those of the plan.
    in_doubt : tuple of str
        Labels whose diagnosis rests on functions that changed or are gone.
    model : Model
        The model for the new build: its functions by their new names, its labels in doubt marked.
    unguarded : tuple of str
        What is counted of functions that changed or are gone, though no label in doubt says so: guards, which
        keep runs of unknown causes out of labels. Nothing of it is odd in the new build.
    """

    functions: tuple[Carried, ...]
    in_doubt: tuple[str, ...]
    model: Model
    unguarded: tuple[str, ...] = ()


def check_release(model: Model, words: Sequence[str]) -> Release:
    """Compare the program of a command line with the build that a model was learnt from.

    Raises
    ------
    FileNotFoundError
        If the program, or the script that it is to run, is not there.
    ValueError
        If the model has no fingerprints, the program is of another kind, or nothing of the plan is in it.
    """
    asked = set(model.plan.functions) - set(model.plan.strangers)
    kind = kind_of(words)
    if kind != model.kind:
        raise ValueError(f"{words[0]} is a {kind} program; the model was learnt from a {model.kind} one.")
    sleds: Collection[str] = ()
    before = dict(model.bodies)
    if kind == "python":
        bodies, build, frozen = _python(model, words)
        # Recordings do not have what is frozen into Python: of it names and lines are compared.
        before |= {f: bodies[f] for f in asked & (set(bodies) - set(before)) if owner(f) in frozen}
    else:
        bodies, sleds, build = _native(model, words)
    if asked and not before:
        raise ValueError(
            "The model has no fingerprints of functions: it was learnt from a recording of an older version. "
            "Record its program anew and learn again."
        )
    carried = _carried(sorted(asked), before, bodies)
    # A script of the same name is a new build of the program, whatever is left of it.
    if carried and all(one.now is None for one in carried) and not (kind == "python" and build):
        _refuse_another(
            model, words, [one.function for one in carried], is_stripped=not bodies and bool(build)
        )
    lost = {one.function for one in carried if one.status in ("changed", "gone")}
    in_doubt = labels_behind(model, lost)
    unguarded = tuple(
        str(model.plan.patterns[place]) for place in sorted(_resting_on(model, lost) - _tested(model))
    )
    return Release(carried, in_doubt, _fitted(model, carried, build, in_doubt, bodies, sleds), unguarded)


def _refuse_another(
    model: Model, words: Sequence[str], functions: Sequence[str], *, is_stripped: bool
) -> NoReturn:
    """Say that a program has nothing of the plan."""
    program = shlex.join(words)
    if is_stripped:
        raise ValueError(
            f"{program} names no functions: it was stripped. Check the program with its symbols, as it was "
            "recorded."
        )
    owners = sorted({owner(function) for function in functions})
    known = quoted(sorted(model.build) or owners)
    raise ValueError(
        f"None of the {counted(len(functions), 'function')} of the plan is in {program}: it is another "
        f"program than the one the model was learnt from ({known}), or has another name. Check that program, "
        "by its name, or record this one and learn again."
    )


def labels_behind(model: Model, functions: set[str]) -> tuple[str, ...]:
    """List the labels of leaves that lie behind a test of one of some functions."""
    tree, doubtful = model.tree, _resting_on(model, functions)
    found = set()
    for node in range(tree.n_nodes):
        if tree.flat.feature[node] >= 0:
            continue
        tested = {tree.flat.feature[parent] for parent in tree.path(node)[:-1]}
        if tested & doubtful:
            found.add(str(tree.answer(node)))
    return tuple(sorted(found))


def _resting_on(model: Model, functions: set[str]) -> set[int]:
    """List the places of the patterns that count one of some functions."""
    return {n for n, pattern in enumerate(model.plan.patterns) if functions & set(pattern.functions)}


def _tested(model: Model) -> set[int]:
    """List the places of what the tree asks for; the others guard its labels."""
    return {int(feature) for feature in model.tree.flat.feature if feature >= 0}


def _carried(
    functions: Sequence[str], before: Mapping[str, str], bodies: Mapping[str, str]
) -> tuple[Carried, ...]:
    """Find functions in the new build, what is certain first: what one of them is no other can be.

    A property has two or three functions of one name.
    """
    found: dict[str, Carried] = {}
    left = dict(bodies)
    for status in ("unchanged", "moved", "changed"):
        for function in functions:
            now = None if function in found else _now(function, before.get(function), left, status)
            if now is not None:
                found[function] = Carried(function, status, now)
                del left[now]
    return tuple(found.get(function) or Carried(function, "gone", None) for function in functions)


def _now(function: str, before: str | None, bodies: Mapping[str, str], status: Status) -> str | None:
    """Return what a function is called in the new build if this is what became of it."""
    if status == "unchanged":
        return function if bodies.get(function) == before is not None else None
    named = [other for other in bodies if without_line(other) == without_line(function)]
    if status == "moved":
        named = [other for other in named if bodies[other] == before]
    return named[0] if len(named) == 1 else None


def _python(model: Model, words: Sequence[str]) -> tuple[dict[str, str], dict[str, str], set[str]]:
    """Return the fingerprints of functions, the identities of their files, and which modules are frozen."""
    program = [str(found_program(words[0])), *words[1:]]
    python = interpreter_of(program)
    assert python is not None  # kind_of said that it is Python's
    main, path = _main_of(program, python)
    modules = sorted({owner(function) for function in model.plan.functions} - {MAIN})
    asked = [python, "-c", _FIND, json.dumps([*modules, *([main] if main else [])]), json.dumps(path)]
    told = json.loads(subprocess.run(asked, capture_output=True, text=True, check=True).stdout)
    places = {module: path for module, (path, _) in told.items()}
    if main and not places.get(main):
        raise ValueError(f"{python} finds no module {main!r}. Check the program as it is started.")
    script = places.get(main) if main else _script_of(program, python)
    if main and script and Path(script).name == "__init__.py":  # of a package -m runs another file
        script = str(Path(script).with_name("__main__.py"))
    files = {module: places.get(module) for module in modules} | {MAIN: script}
    found = python_bodies(python, [file for file in files.values() if file])
    bodies = {
        f"{module}:{name}": body
        for module, file in files.items()
        if file
        for name, body in found.get(file, {}).items()
    }
    build = {}
    for tail in model.build:
        for file in filter(None, files.values()):
            if file.endswith(f"/{tail}"):
                build[tail] = subprocess.run(
                    [python, "-c", _HASH, file], capture_output=True, text=True, check=True
                ).stdout.strip()
    return bodies, build, {module for module, (_, is_frozen) in told.items() if is_frozen}


def _main_of(program: Sequence[str], python: str) -> tuple[str | None, list[str]]:
    """Return the module that ``-m`` runs, if any, and what stands before the path."""
    rest = after_options(program)
    if rest[:1] == ["-m"] and len(rest) > 1:
        return rest[1], [str(Path.cwd())]
    script = _script_of(program, python)
    return None, [str(Path(script).parent)] if script else []


def _script_of(program: Sequence[str], python: str) -> str | None:
    if program[0] != python:
        return program[0]
    rest = after_options(program)
    if not rest or rest[0].startswith("-"):  # a text, or standard input
        return None
    if not Path(rest[0]).exists():
        raise FileNotFoundError(2, "There is no such program", rest[0])
    return str(Path(rest[0]).absolute()) if Path(rest[0]).is_file() else None


def _native(model: Model, words: Sequence[str]) -> tuple[dict[str, str], set[str], dict[str, str]]:
    """Return the fingerprints of the functions, those of them that can be watched, and the builds."""
    program = found_program(words[0])
    bodies: dict[str, str] = {}
    sleds: set[str] = set()
    build: dict[str, str] = {}
    owners = {owner(function) for function in model.plan.functions}
    for binary in (read_elf(program), *libraries_of(program)):
        name = binary.path.name
        if name in owners:
            found = native_functions(binary.path)
            bodies |= {f"{name}!{own}": body for own, body in found.bodies.items()}
            sleds |= {f"{name}!{own}" for own in found.sleds}
            build[name] = binary.build
    return bodies, sleds, build


def _fitted(
    model: Model,
    carried: Sequence[Carried],
    build: Mapping[str, str],
    in_doubt: tuple[str, ...],
    bodies: Collection[str],
    sleds: Collection[str],
) -> Model:
    """Return the model with the names of the new build, and of its strangers those that can be watched."""
    now: dict[str, str] = {}
    for one in carried:  # what is gone is not to be counted in another function that has its name and line
        kept = f"{one.function} gone" if one.function in bodies else one.function
        now[one.function] = one.now or kept
    patterns = tuple(
        Pattern("any", tuple(f for f in pattern.functions if f in sleds))
        if pattern.kind == "any"
        else Pattern(pattern.kind, tuple(now[f] for f in pattern.functions), pattern.shape)
        for pattern in model.plan.patterns
    )
    names = [str(feature) for feature in (*patterns, *model.signs)]
    costs = model.tree.costs
    if costs is not None:
        before = model.tree.feature_names
        costs = costs.replace(tests={new: costs.tests[old] for old, new in zip(before, names, strict=True)})
    encoder = Encoder().fit(named_counts(names, [[0] * len(names)]))
    tree = Tree(model.tree.core, encoder, model.tree.classes, costs)
    lost = {now[one.function] for one in carried if one.status in ("changed", "gone")}
    fingerprints = {now[name]: body for name, body in model.bodies.items() if name in now}
    return replace(
        model,
        tree=tree,
        plan=Plan(patterns),
        build={**model.build, **build},
        bodies=fingerprints,
        in_doubt=tuple(sorted({*model.in_doubt, *in_doubt})),
        normal=model.normal and _normal_without(model.normal, (*patterns, *model.signs), lost),
    )


def _normal_without(normal: Normal, features: Sequence[Pattern | Sign], lost: Collection[str]) -> Normal:
    """Return what is normal where nothing about functions that changed or are gone is odd.

    Nobody can call those that are gone, and how often others call one that changed, or it calls others, was
    recorded of what it was: another count says that there is a new build, not that there is a new cause.
    """
    free = [not set(lost).isdisjoint(feature.functions) for feature in features]

    def widened(rows: Mapping[str, Sequence[float]], bound: float) -> dict[str, tuple[float, ...]]:
        return {
            label: tuple(bound if wide else value for wide, value in zip(free, row, strict=True))
            for label, row in rows.items()
        }

    return replace(normal, low=widened(normal.low, 0.0), high=widened(normal.high, MOST_CALLS))
