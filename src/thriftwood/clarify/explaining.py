"""`explain`: a Python program explains its own failures, in two lines and without a wrapper.

    from thriftwood.clarify import explain
    explain("model.json")

From there on only the functions of the plan are watched. When the program ends by an exception or by
``sys.exit`` with anything but success, the clear message stands below the old one. The model is read
without the libraries that it was learnt by: nothing but the standard library is imported, and what only a
failure needs, only then.
"""

from __future__ import annotations

import atexit
import json
import os
import sys
from collections.abc import Sequence
from time import monotonic, time_ns
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import TracebackType

_FORMAT, _VERSIONS = "thriftwood-clarify", (2, 3)
_NUMERIC = 1  # the kind of a node that compares a number
_state: dict[str, Any] = {}


def explain(path: str | os.PathLike[str], *, why: bool = False) -> None:
    """Watch this program by the plan of a model, and explain its failure when it ends.

    To be called as early as possible, once: functions that are running already are not watched. Whatever
    goes wrong with it, such as a model that is missing, is told on standard error and leaves the program
    alone. Children made by ``fork`` explain nothing.

    Parameters
    ----------
    path : str or path
        A model of ``thriftwood clarify learn`` for this program, of kind "python".
    why : bool
        Say how sure it is, too.
    """
    if "THRIFTWOOD_CLARIFY_DIR" in os.environ:
        return
    try:
        if _state:
            raise ValueError("explain is called once in a program.")
        _begin(os.fspath(path), why)
    except Exception as problem:  # a program must not fail because it cannot be explained
        _state.clear()
        _say(f"thriftwood.clarify.explain: {problem}")


def _begin(path: str, why: bool) -> None:
    with open(path, encoding="utf-8") as file:
        model = json.load(file)
    if not isinstance(model, dict) or model.get("format") != _FORMAT or model.get("version") not in _VERSIONS:
        raise ValueError(f"{path} is no model of version 2 or 3. `thriftwood clarify learn` writes one.")
    if model["kind"] != "python":
        raise ValueError(f"{path} is the model of a native program.")
    folder = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"thriftwood-{os.getpid()}-{time_ns()}")
    _state.update(
        model=model, folder=folder, why=why, begin=monotonic(), pid=os.getpid(), exit=0, said="", trace=""
    )
    if model["patterns"]:
        _watch(model, folder)
    _state["hook"], sys.excepthook = sys.excepthook, _raised
    _state["leave"] = sys.exit
    sys.exit = _left  # type: ignore[assignment]  # it does not return either, by the one it calls
    sys.stderr = _Heard(sys.stderr)
    atexit.register(_end)


def _watch(model: dict[str, Any], folder: str) -> None:
    import _frozen_importlib_external as machinery
    import _imp

    from thriftwood.clarify import _hook
    from thriftwood.clarify.plan import Plan, from_words

    maker: Any = None
    if sys.version_info < (3, 12):
        from thriftwood.clarify.ticking import with_tick as maker
    plan = Plan(tuple(from_words(words) for words in model["patterns"]))
    os.mkdir(folder, 0o700)
    _state["plan"] = plan
    key = getattr(machinery, "_RAW_MAGIC_NUMBER", None) or getattr(_imp, "pyc_magic_number_token")  # noqa: B009
    _hook.watch(folder, plan.text(), maker, _imp.source_hash, key)


class _Heard:
    """Standard error, of which the end is remembered."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        _state["said"] = (_state.get("said", "") + text)[-65536:]
        written: int = self._stream.write(text)
        return written

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _raised(kind: type[BaseException], problem: BaseException, trace: TracebackType | None) -> None:
    _state["exit"] = 130 if issubclass(kind, KeyboardInterrupt) else 1
    _state["hook"](kind, problem, trace)


def _left(code: object = None) -> None:
    _state["exit"] = 0 if code is None else code if isinstance(code, int) else 1
    if isinstance(code, str):
        _state["trace"] = code  # Python prints it when this has been called
    _state["leave"](code)


def _end() -> None:
    """Say what happened, if it failed."""
    try:
        if _state["pid"] == os.getpid() and _state["exit"]:
            for line in _diagnosed():
                _say(line)
    except Exception as problem:
        _say(f"thriftwood.clarify.explain: {problem}")
    finally:
        if _state["pid"] == os.getpid():
            _clear(_state["folder"])


def _diagnosed() -> Sequence[str]:
    """Return the message of the run, and how sure it is if that is asked for."""
    from thriftwood.clarify.commands import Ran
    from thriftwood.clarify.evidence import kept, signs_of
    from thriftwood.clarify.normal import Normal
    from thriftwood.clarify.patterns import Sign
    from thriftwood.clarify.telling import UNKNOWN, close_to, told

    model = _state["model"]
    said = kept(_state["said"] + _state["trace"])
    ran = Ran(_state["exit"], False, monotonic() - _state["begin"], "", said)
    shown = signs_of(ran, [sys.executable, *sys.argv])
    signs = [Sign(kind, text) for kind, text in model["signs"]]
    row = [*map(float, _counts()), *(float(sign in shown) for sign in signs)]
    label, runs = _leaf(model["tree"], row)
    if label in model["in_doubt"]:
        return [f"{label!r} rests on functions that changed since it was recorded."]
    if not any(sign.kind == "ending" and sign.text in _endings(model) for sign in shown):
        return [UNKNOWN]
    sure = (runs[label] + 1) / (sum(runs.values()) + len(runs))  # after Laplace
    if model["normal"] is not None:
        normal = Normal.from_content(model["normal"])
        if normal.is_unknown(label, row, shown):
            return [UNKNOWN]
        sure = normal.confidence(label, sure)
    texts, other = model["messages"], close_to(label, sure, runs)
    said = told(texts.get(label) or label, sure, None if other is None else texts.get(other) or other)
    return [said, f"({label}, confidence {sure:.0%})"] if _state["why"] else [said]


def _endings(model: dict[str, Any]) -> set[str]:
    """Return how recorded runs ended."""
    return {words for counts in model["endings"].values() for words in counts}


def _counts() -> Sequence[int]:
    """Read what was counted, in this process: its file is complete at any moment."""
    if "plan" not in _state:
        return ()
    from pathlib import Path

    from thriftwood.clarify.builds import check_build
    from thriftwood.clarify.reading import read_counts

    own = list(Path(_state["folder"]).glob("*.profile"))
    counts = next(one for one in map(read_counts, own) if one.pid == os.getpid())
    check_build(counts.build, _state["model"]["build"])
    values: Sequence[int] = _state["plan"].values(counts.values)
    return values


def _leaf(content: dict[str, Any], row: Sequence[float]) -> tuple[str, dict[str, float]]:
    """Walk the tree; return the label of the leaf, and how many recorded runs of each label are there."""
    tree, classes = content["tree"], content["classes"]["values"]
    nodes, width = tree["nodes"], tree["width"]
    node = 0
    while nodes["feature"][node] >= 0:
        if nodes["kind"][node] != _NUMERIC:
            raise ValueError("the tree has a test that is no comparison of a number")
        beyond = row[nodes["feature"][node]] > nodes["threshold"][node]
        node = nodes["first_child"][node] + int(beyond)
    weights = tree["values"][node * width : (node + 1) * width]
    return str(classes[nodes["label"][node]]), dict(zip(map(str, classes), weights, strict=True))


def _say(text: str) -> None:
    stream = sys.__stderr__
    if stream is not None:
        stream.write(f"{text}\n")
        stream.flush()


def _clear(folder: str) -> None:
    if os.path.isdir(folder):
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
        os.rmdir(folder)
