"""Which build a model belongs to: what was learnt from one build does not hold for another.

Profiles name the identity of each binary, by its file name, and of each source file of Python, by its path. A
model keeps those of the functions it watches, source files by the end of their path that follows from the
module's name (``json/decoder.py``), so that an installation in another folder is the same build.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePath

from thriftwood.clarify.profile import ProfileError

MAIN = "__main__"


def owner(function: str) -> str:
    """Return the module or binary that a function belongs to.

    Examples
    --------
    >>> owner("docutils.nodes:Node.walk:17"), owner("tcc!next_nomacro")
    ('docutils.nodes', 'tcc')
    """
    binary, native, _ = function.partition("!")
    return binary if native else function.partition(":")[0]


def relevant(build: Mapping[str, str], watched: Iterable[str], every: Iterable[str]) -> dict[str, str]:
    """Return the identities of what some functions belong to.

    Parameters
    ----------
    build : mapping of str to str
        As profiles have it.
    watched : iterable of str
        The functions.
    every : iterable of str
        All functions recorded: a file that belongs to none of their modules is the program itself.

    Examples
    --------
    >>> build = {"/lib/json/decoder.py": "1f", "/home/prog.py": "2e", "/lib/enum.py": "3d"}
    >>> every = ["json.decoder:f:1", "__main__:main:3", "enum:g:1"]
    >>> relevant(build, ["json.decoder:f:1"], every)
    {'json/decoder.py': '1f'}
    >>> relevant(build, ["__main__:main:3"], every)
    {'prog.py': '2e'}
    """
    owners = {owner(function) for function in watched}
    known = {tail: name for name in sorted({owner(f) for f in every}) for tail in _tails(name)}
    found: dict[str, str] = {}
    for path, identity in sorted(build.items()):
        tail = max((tail for tail in known if is_at(path, tail)), key=len, default=None)
        if identity and (known[tail] if tail is not None else MAIN) in owners:
            found[PurePath(path).name if tail is None else tail] = identity
    return found


def check_build(build: Mapping[str, str], wanted: Mapping[str, str]) -> None:
    """Refuse what another build than the wanted one did; what did not run at all is no other build.

    Raises
    ------
    ProfileError
        Naming what differs.
    """
    for tail, identity in wanted.items():
        others = {path: other for path, other in build.items() if other and is_at(path, tail)}
        if others and identity not in others.values():  # other modules may have files of the same name
            path, other = next(iter(others.items()))
            raise ProfileError(
                f"{path} is another build than the one the model was learnt from ({other[:16]}, not "
                f"{identity[:16]}). Counts of one build say nothing about another: see what still holds with "
                "`thriftwood clarify check`, or record this build and learn again."
            )


def is_at(path: str, tail: str) -> bool:
    """Tell whether a path ends in these parts."""
    return path == tail or path.endswith(f"/{tail}")


def _tails(name: str) -> tuple[str, ...]:
    """How the path of a module's source ends; a binary is called by its own name."""
    parts = name.replace(".", "/")
    return (name, f"{parts}.py", f"{parts}/__init__.py") if name != MAIN else ()
