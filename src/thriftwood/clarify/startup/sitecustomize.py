"""The first thing that runs in a recorded program: starts the hook and leaves no trace of itself.

Python imports the first module of this name on its path at start-up. `thriftwood.clarify.python_programs` puts
this folder there, so that a program, its arguments, its ``__main__`` and its tracebacks are as without it.
Nothing is imported here that Python has not loaded by itself.
"""

import sys

_MODES = ("fc", "ctp", "watch")


def _begin(environ: "dict[str, str]") -> None:
    """Load the hook and start it; a problem goes to the folder of profiles, never to the program's output."""
    import _imp
    from importlib import _bootstrap_external

    folder, mode = environ["THRIFTWOOD_CLARIFY_DIR"], environ["THRIFTWOOD_CLARIFY_MODE"]
    path = environ["THRIFTWOOD_CLARIFY_HOOK"]
    if mode == "off" or not path.endswith(tuple(_imp.extension_suffixes())):
        return  # another Python, started by the recorded program
    try:
        if mode not in _MODES:
            raise ValueError(
                f"THRIFTWOOD_CLARIFY_MODE must be one of {', '.join(_MODES)}, off. Got {mode!r}."
            )
        loader = _bootstrap_external.ExtensionFileLoader("_hook", path)
        spec = _bootstrap_external.spec_from_file_location("_hook", path, loader=loader)
        hook = _imp.create_dynamic(spec)
        _imp.exec_dynamic(hook)
        key = getattr(_bootstrap_external, "_RAW_MAGIC_NUMBER", None) or _imp.pyc_magic_number_token
        hook.start(folder, mode, _imp.source_hash, key)
    except Exception as problem:
        from os import getpid

        with open(f"{folder}/{getpid()}.problem", "w", encoding="utf-8") as file:
            file.write(f"{type(problem).__name__}: {problem}\n")


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
        import sitecustomize  # noqa: F401  # the program's own; without one, site expects this very ImportError
    finally:
        _begin(environ)


if __name__ == "sitecustomize":
    _main()
