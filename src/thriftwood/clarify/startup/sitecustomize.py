"""The first thing that runs in a recorded program: starts the hook and leaves no trace of itself.

Python imports the first module of this name on its path at start-up. `thriftwood.clarify.python_programs`
puts this folder there, so that a program, its arguments, its ``__main__`` and its tracebacks are as without
it. Nothing is imported here that Python has not loaded by itself.
"""

import sys

TYPE_CHECKING = False  # the one of typing, which is not loaded yet
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import CodeType, ModuleType
    from typing import Any

_MODES = ("fc", "ctp", "watch")


def _begin(environ: "Mapping[str, str]") -> None:
    """Load the hook and start it; a problem goes to the folder of profiles, never to the program's output."""
    import _frozen_importlib_external as machinery  # importlib itself may not be loaded
    import _imp

    folder, mode = environ["THRIFTWOOD_CLARIFY_DIR"], environ["THRIFTWOOD_CLARIFY_MODE"]
    path = environ["THRIFTWOOD_CLARIFY_HOOK"]
    if mode == "off" or not path.endswith(tuple(_imp.extension_suffixes())):
        return  # another Python, started by the recorded program
    try:
        if mode not in _MODES:
            raise ValueError(f"THRIFTWOOD_CLARIFY_MODE is {mode!r}. It must be fc, ctp, watch or off.")
        loader = machinery.ExtensionFileLoader("_hook", path)
        spec = machinery.spec_from_file_location("_hook", path, loader=loader)
        assert spec is not None
        hook = _imp.create_dynamic(spec)
        _imp.exec_dynamic(hook)
        key = getattr(machinery, "_RAW_MAGIC_NUMBER", None)
        key = key or getattr(_imp, "pyc_magic_number_token")  # noqa: B009  # where it is from 3.14 on
        if mode == "watch":
            with open(environ["THRIFTWOOD_CLARIFY_PLAN"], encoding="utf-8") as file:
                plan = file.read()
            hook.watch(folder, plan, _tick_maker(machinery), _imp.source_hash, key)
        else:
            hook.record(folder, mode, _imp.source_hash, key)
    except Exception as problem:
        _tell(folder, problem)


def _tell(folder: str, problem: Exception) -> None:
    from os import getpid

    try:
        with open(f"{folder}/{getpid()}.problem", "w", encoding="utf-8") as file:
            file.write(f"{type(problem).__name__}: {problem}\n")
    except OSError:  # the folder is gone or closed; the program runs as without us
        pass


def _tick_maker(machinery: "ModuleType") -> "Callable[[CodeType, object], CodeType] | None":
    """Load `thriftwood.clarify.ticking.with_tick` without the package it is in."""
    if sys.version_info >= (3, 12):
        return None
    path = __file__.replace("startup/sitecustomize.py", "ticking.py")
    code = machinery.SourceFileLoader("ticking", path).get_code("ticking")
    namespace: dict[str, Any] = {"__name__": "ticking"}
    exec(code, namespace)
    with_tick: Callable[[CodeType, object], CodeType] = namespace["with_tick"]
    return with_tick


def _leave_path() -> None:
    """Take this folder off the path again and let the program's own sitecustomize have its turn."""
    here = __file__.rpartition("/")[0]
    if here in sys.path:
        sys.path.remove(here)
    sys.path_importer_cache.pop(here, None)


def _main() -> None:
    from os import environ

    if "THRIFTWOOD_CLARIFY_HOOK" not in environ:
        return
    _leave_path()
    del sys.modules["sitecustomize"]
    try:
        # The program's own. Without one, site expects this very ImportError.
        import sitecustomize  # type: ignore[import-not-found]  # noqa: F401
    finally:
        _begin(environ)


if __name__ == "sitecustomize":
    _main()
