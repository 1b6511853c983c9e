"""`explain`: a Python program explains its own failures, in two lines and without a wrapper.

    from thriftwood.clarify import explain
    explain("model.json")

From there on only the functions of the plan are watched. When the program ends by an exception or by
``sys.exit`` with anything but success, the clear message stands below the old one. The model is read
without the libraries that it was learnt by: nothing but the standard library is imported, and what only a
failure needs (`thriftwood.clarify.explained`), only then.

The program must end as it would without. Two things of it are replaced, ``sys.exit`` and standard error, when
nothing can go wrong any more; whether a failure ended the program, or was caught, is decided at its end.
"""

from __future__ import annotations

import atexit
import os
import sys
from _thread import get_ident
from time import monotonic, time_ns

TYPE_CHECKING = False  # the one of typing, which need not be loaded yet
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

_FORMAT, _VERSIONS = "thriftwood-clarify", (2, 3, 4)
_MOST_HEARD = 65536
_NO_FAILURE = (SystemExit, KeyboardInterrupt)
"""Exceptions that end no program as one that failed: at a prompt the first does not end it; the second is the
user's wish, and Python would forget to end by its signal if we loaded what a diagnosis needs."""
_begun: list[_Program] = []


def explain(path: str | os.PathLike[str], *, why: bool = False) -> None:
    """Watch this program by the plan of a model, and explain its failure when it ends.

    To be called as early as possible, once: functions that are running already are not watched. A second
    call says so on standard error and changes nothing. Whatever goes wrong with it, such as a model that is
    missing, is told there, too, and leaves the program alone. Children made by ``fork`` explain nothing.

    Parameters
    ----------
    path : str or path
        A model of ``thriftwood clarify learn`` for this program, of kind "python".
    why : bool
        Say label and confidence, too; of what is like nothing that was recorded, what it is most like and
        what is odd.
    """
    if "THRIFTWOOD_CLARIFY_DIR" in os.environ:
        return
    if _begun:
        _say("thriftwood.clarify.explain: explain is called once in a program.")
        return
    try:
        program = _Program(*_read(os.fspath(path)), why)
        program.watch()
    except Exception as problem:  # a program must not fail because it cannot be explained
        _say(f"thriftwood.clarify.explain: {problem}")
        return
    _begun.append(program)
    _listen(program)


def _read(path: str) -> tuple[dict[str, Any], str]:
    """Return what of a model is needed now, and its text: a program that ends well needs no more of it."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    head = _first_line(text)
    if "patterns" not in head:  # of an earlier version, or laid out by somebody else
        import json

        head = json.loads(text)
    if not isinstance(head, dict) or head.get("format") != _FORMAT or head.get("version") not in _VERSIONS:
        raise ValueError(f"{path} is no model of version 2 to 4. `thriftwood clarify learn` writes one.")
    if not text.rstrip().endswith("}"):
        raise ValueError(f"{path} is cut off. Copy it again.")
    if head["kind"] != "python":
        raise ValueError(f"{path} is the model of a native program.")
    return head, text


class _Plainly:
    """What `json.JSONDecoder` tells its scanner."""

    strict, parse_float, parse_int = True, float, int
    object_hook = object_pairs_hook = parse_constant = None


def _first_line(text: str) -> dict[str, Any]:
    """Read the entries on the first line of a model (`Model.to_json`); none if it is laid out otherwise.

    By the scanner that `json` has in C: loading `json` itself takes 5 million instructions, a fifth of what
    a tool paid for explaining itself.
    """
    try:
        from _json import make_scanner

        scan = make_scanner(_Plainly)  # type: ignore[arg-type]  # it asks for these attributes alone
        found: object = scan(text.partition(",\n")[0] + "}", 0)[0]
    except (ImportError, ValueError, StopIteration):
        return {}
    return found if isinstance(found, dict) else {}


class _Program:
    """The program: what it is explained by, and what is remembered of it."""

    def __init__(self, head: dict[str, Any], text: str, why: bool) -> None:
        self.patterns, self.text, self.why = head["patterns"], text, why
        self.pid, self.thread, self.begin = os.getpid(), get_ident(), monotonic()
        self.folder = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"thriftwood-{self.pid}-{time_ns()}")
        self.left: object = None
        self.watches = False
        self.heard: list[str] = []
        self.n_heard = 0

    def watch(self) -> None:
        """Begin to count; nothing is left behind if that fails."""
        if not self.patterns:
            return
        import _frozen_importlib_external as machinery
        import _imp

        from thriftwood.clarify import _hook
        from thriftwood.clarify.plan_text import text_of

        maker: Callable[..., object] | None = None
        if sys.version_info < (3, 12):
            from thriftwood.clarify.ticking import with_tick as maker
        text = text_of(self.patterns)
        os.mkdir(self.folder, 0o700)
        self.watches = True
        try:
            key = getattr(machinery, "_RAW_MAGIC_NUMBER", None) or getattr(_imp, "pyc_magic_number_token")  # noqa: B009
            _hook.watch(self.folder, text, maker, _imp.source_hash, key)
        except BaseException:
            self.clear()
            raise

    def hear(self, text: str) -> None:
        """Remember the end of what is written to standard error."""
        self.heard.append(text)
        self.n_heard += len(text)
        if self.n_heard > 2 * _MOST_HEARD:
            self.heard = [self.said]
            self.n_heard = len(self.heard[0])

    @property
    def said(self) -> str:
        """The end of what was written to standard error."""
        return "".join(self.heard)[-_MOST_HEARD:]

    @property
    def exit(self) -> int:
        """The code it ends with."""
        if self.left is not None:
            return self.left & 0xFF if isinstance(self.left, int) else 1
        # Set before the hook is called of an exception that nobody caught; also by tools that look at others.
        problem = getattr(sys, "last_value", None)
        trace = getattr(problem, "__traceback__", None)
        if trace is None or trace.tb_frame.f_back is not None:
            return 0
        return int(not isinstance(problem, _NO_FAILURE))

    def explained(self) -> Sequence[str]:
        """Return what is to be said of a failure."""
        import json

        from thriftwood.clarify.commands import Ran
        from thriftwood.clarify.evidence import kept
        from thriftwood.clarify.explained import counted_in, explained

        model = json.loads(self.text)
        ran = Ran(self.exit, False, monotonic() - self.begin, "", kept(self.said))
        counts = counted_in(self.folder, model) if self.watches else ()
        return explained(model, counts, ran, sys.orig_argv, why=self.why)

    def clear(self) -> None:
        """Remove what was counted."""
        if not self.watches:
            return
        try:
            for name in os.listdir(self.folder):
                os.unlink(os.path.join(self.folder, name))
            os.rmdir(self.folder)
        except OSError:  # somebody else cleared the folder for temporary files
            pass


def _listen(program: _Program) -> None:
    sys.exit = _noticing(program, sys.exit)  # type: ignore[assignment]  # it does not return either
    if sys.stderr is not None:  # it is None where it was closed when Python began
        sys.stderr = _Heard(sys.stderr, program)
    atexit.register(_end, program)


class _Heard:
    """Standard error, of which the end is remembered: what it takes, for some try whether it takes bytes."""

    def __init__(self, stream: Any, program: _Program) -> None:
        self._stream, self._program = stream, program

    def write(self, text: str) -> int:
        written: int = self._stream.write(text)
        if text:  # an empty text would take room in the list, and print writes one where nothing is printed
            self._program.hear(text)
        return written

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    # These are looked for in the class alone.

    def __enter__(self) -> _Heard:
        self._stream.__enter__()
        return self

    def __exit__(self, *problem: object) -> None:
        self._stream.__exit__(*problem)

    def __iter__(self) -> Iterator[str]:
        return iter(self._stream)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


_CODE = SystemExit.__dict__["code"]


class _Leaving(SystemExit):
    """What ``sys.exit`` raises, which knows whether it ends the program.

    When nobody has caught it the interpreter asks for its code, and then no function of the program runs any
    more. Whoever catches it asks from a function. Threads other than the first are not ended by it, and have
    Python's own, which they know by its type.
    """

    program: _Program | None = None

    @property
    def code(self) -> Any:
        value = _CODE.__get__(self)
        asked_by = sys._getframe().f_back  # noqa: SLF001
        if asked_by is None and self.program is not None:
            self.program.left = 0 if value is None else value
        return value

    @code.setter
    def code(self, value: object) -> None:
        _CODE.__set__(self, value)

    def __reduce__(self) -> Any:
        return SystemExit, self.args


# In messages and logs it is what it would be without us.
_Leaving.__name__ = _Leaving.__qualname__ = "SystemExit"
_Leaving.__module__ = "builtins"


def _noticing(program: _Program, leave: Callable[..., object]) -> Callable[..., object]:
    def exit(code: object = None, /) -> object:
        if get_ident() != program.thread:
            return leave(code)
        try:
            return leave(code)
        except SystemExit as problem:
            if type(problem) is not SystemExit:  # one of the program's own kinds was given
                raise
            given = problem.args
        leaving = _Leaving(*given)
        leaving.program = program
        raise leaving

    return exit


def _end(program: _Program) -> None:
    """Say what happened, if it failed."""
    if program.pid != os.getpid():
        return
    try:
        if not hasattr(sys, "ps1") and program.exit:  # ps1: after a failure somebody went on at the prompt
            for line in program.explained():
                _say(line)
    except Exception as problem:
        _say(f"thriftwood.clarify.explain: {problem}")
    finally:
        program.clear()


def _say(text: str) -> None:
    """Write to standard error, if that is possible; nothing stays in its buffer for Python to fail on."""
    stream = sys.__stderr__
    if stream is None:
        return
    try:
        stream.flush()
        os.write(stream.fileno(), f"{text}\n".encode(stream.encoding, "backslashreplace"))
    except (OSError, ValueError):  # full or closed
        pass
