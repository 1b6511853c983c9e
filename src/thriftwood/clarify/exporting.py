"""`export_c`: a native program explains its own failures: plan, counters and tree as one C file."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from importlib.resources import files

from thriftwood.clarify.builds import owner
from thriftwood.clarify.model import Model
from thriftwood.clarify.normal import ASKED, Normal
from thriftwood.clarify.orders import Orders
from thriftwood.clarify.patterns import Pattern, Sign
from thriftwood.clarify.plan import Plan
from thriftwood.clarify.telling import OTHERWISE, UNKNOWN, close_to, opening

DEEPEST = 4096
"""Open activations of a thread that are followed."""
_PREFIX = "\0"
"""Stands for the name in tables: no text of a model that is quoted for C has it."""


class ExportError(ValueError):
    """A model cannot be written as C; the message says why and what to do."""


def export_c(model: Model, name: str = "explain") -> str:
    """Write a model of a native program as one file of C that is compiled into it.

    Parameters
    ----------
    model : Model
        Of kind "native". What a program writes to standard error is not known inside of it, so the model is
        to be learnt without messages and exceptions.
    name : str
        The beginning of every name in the file.

    Raises
    ------
    ExportError
        If it is the model of a Python program, asks for messages, or watches functions that cannot be found
        by a name.
    """
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) is None:
        raise ExportError(f"A name in C has letters, digits and underscores. Got {name!r}.")
    if model.kind != "native":
        raise ExportError(
            "This is the model of a Python program, which explains itself by two lines: "
            "thriftwood.clarify.explain(FILE)."
        )
    if model.reads_message:
        raise ExportError(
            "The model asks what the program wrote to standard error, which is not known inside of it. Learn "
            "with --without message --without exception."
        )
    tables = [*_plan_tables(model), *_tree_tables(model), *_normal_tables(model)]
    work = files("thriftwood.clarify").joinpath("assets/explain.c").read_text(encoding="ascii")
    return work.replace("NAME", name).replace("/* TABLES */", "\n".join(tables).replace(_PREFIX, name))


# Tables


def _plan_tables(model: Model) -> list[str]:
    asked = {f for pattern in model.plan.patterns if pattern.kind != "any" for f in pattern.functions}
    plan = _with_own_strangers(model.plan, asked)
    functions = Orders(plan.lines).functions
    binaries = {one.name.partition("!")[0] for one in functions}
    if len(binaries) > 1:
        raise ExportError(
            f"The plan watches functions of {', '.join(sorted(binaries))}; what is compiled in finds those "
            "of one program alone. Link the libraries statically, record and learn again."
        )
    names = [one.name.partition("!")[2] for one in functions]
    unnamed = [one for one in names if not one or one.startswith("+")]
    if unnamed:
        raise ExportError(
            "A function of the plan has no name: the program was stripped. Record it unstripped."
        )
    parted = [one.partition("#") for one in names]
    lines = {line: number for number, line in enumerate(plan.lines)}
    calls = [(o.parent, o.grandparent, _hex(o.mark), _hex(o.chain)) for f in functions for o in f.calls]
    done = [(_hex(c.wanted), _hex(c.passed), c.line, c.parent) for f in functions for c in f.completions]
    stubs = [
        f'"  pushq ${number}\\n  jmp {_PREFIX}_thunk\\n.balign 16\\n" ' for number in range(len(functions))
    ]
    return [
        _define("FUNCTIONS", len(functions)),
        _define("LINES", len(plan.lines)),
        _define("DEEPEST", DEEPEST),
        f"#define {_PREFIX}_STUBS {''.join(stubs)}",
        _array("const char *const", "names", [_quoted(first) for first, _, _ in parted]),
        _array("int", "nth", [int(nth or 1) for _, _, nth in parted]),
        _define("ROUNDS", max((int(nth or 1) for _, _, nth in parted), default=0)),
        *_name_tables([first for first, _, _ in parted]),
        _array("char", "stranger", [int(one.name not in asked) for one in functions]),
        _array("char", "opens", [int(one.opens) for one in functions]),
        *_lists("int", "line", "lines", [one.lines for one in functions]),
        _array("int", "first_call", _starts(one.calls for one in functions)),
        _array(f"struct {_PREFIX}_call", "calls", [_braced(one) for one in calls]),
        _array("int", "first_completion", _starts(one.completions for one in functions)),
        _array(f"struct {_PREFIX}_completion", "completions", [_braced(one) for one in done]),
        *_lists("int", "part", "parts", [[lines[line] for line in one.lines] for one in plan.patterns]),
        _array("char", "adds", [int(one.kind == "any") for one in plan.patterns]),
        _define("PATTERNS", len(model.plan.patterns)),
        _define("FEATURES", len(model.plan.patterns) + len(model.signs)),
        _array(f"struct {_PREFIX}_sign", "signs", [_sign(one) for one in model.signs]),
    ]


def _with_own_strangers(plan: Plan, asked: Collection[str]) -> Plan:
    """Leave out strangers of libraries: nothing else of those is watched, and none could be found."""
    binaries = {owner(function) for function in asked or plan.functions}
    patterns = (
        Pattern("any", tuple(f for f in pattern.functions if owner(f) in binaries))
        if pattern.kind == "any"
        else pattern
        for pattern in plan.patterns
    )
    return Plan(tuple(patterns))


def _name_tables(names: Sequence[str]) -> list[str]:
    """Write a hash table of names, half of it empty: the first function of each, and the next of its name."""
    slots = [-1] * (1 << (2 * len(names)).bit_length())
    following = [-1] * len(names)
    last: dict[str, int] = {}
    for number, name in enumerate(names):
        if name in last:
            following[last[name]] = number
        else:
            slot = _hash(name) % len(slots)
            while slots[slot] >= 0:
                slot = (slot + 1) % len(slots)
            slots[slot] = number
        last[name] = number
    return [
        _define("SLOTS", f"{len(slots)}u"),
        _array("int", "slot", slots),
        _array("int", "next", following),
    ]


def _hash(name: str) -> int:
    """Return the FNV-1a of a name, 32 bits."""
    found = 2166136261
    for byte in name.encode(errors="surrogateescape"):
        found = (found ^ byte) * 16777619 & 0xFFFFFFFF
    return found


def _tree_tables(model: Model) -> list[str]:
    flat, labels = model.tree.flat, model.labels
    nodes = range(len(flat.feature))
    cuts = model.tree.core.to_arrays()["threshold"].tolist()
    shares = [dict(zip(labels, model.tree.shares(node), strict=True)) for node in nodes]
    answers = [str(model.tree.answer(node)) for node in nodes]
    weights = [float(flat.weight[node]) for node in nodes]
    counts = [round(share[label] * n) for share, label, n in zip(shares, answers, weights, strict=True)]
    sure = [(n + 1) / (round(all_) + len(labels)) for n, all_ in zip(counts, weights, strict=True)]
    if model.normal is not None:
        sure = [model.normal.confidence(label, one) for label, one in zip(answers, sure, strict=True)]
    others = [close_to(*one) for one in zip(answers, sure, shares, strict=True)]
    endings = sorted({code for known in model.endings.values() for code in map(_ending, known)})
    return [
        _array("int", "test", map(int, flat.feature)),
        _array("int", "child", map(int, flat.first_child)),
        _array(
            "double", "cut", [repr(cut) if f >= 0 else "0" for cut, f in zip(cuts, flat.feature, strict=True)]
        ),
        _array("int", "answer", [labels.index(answer) for answer in answers]),
        _array("double", "sure", map(repr, sure)),
        _array("const char *const", "opening", [_quoted(opening(one)) for one in sure]),
        _array("int", "other", [-1 if other is None else labels.index(other) for other in others]),
        _define("OTHERWISE", _quoted(OTHERWISE)),
        _define("UNKNOWN", _quoted(UNKNOWN)),
        _array("const char *const", "labels", map(_quoted, labels)),
        _array("const char *const", "messages", [_quoted(model.messages.get(one) or None) for one in labels]),
        _array("char", "in_doubt", [int(label in model.in_doubt) for label in labels]),
        # First those of all labels, then those of each.
        _array(
            "int",
            "endings",
            [*endings, *(_ending(one) for label in labels for one in _endings(model, label))],
        ),
        _array(
            "int",
            "first_ending",
            [len(endings) + start for start in _starts(_endings(model, label) for label in labels)],
        ),
        _define("ALL_ENDINGS", len(endings)),
    ]


def _normal_tables(model: Model) -> list[str]:
    normal, labels = model.normal, model.labels
    low: list[float] = []
    high: list[float] = []
    scale: Sequence[float] = ()
    if normal is not None:
        scale = normal.scale
        low = [value for label in labels for value in normal.low[label]]
        high = [value for label in labels for value in normal.high[label]]
    return [
        _define("HAS_NORMAL", int(normal is not None)),
        _define("ENDINGS_COUNT", int(normal is not None and "ending" in normal.kinds)),
        _define("EACH", int(normal is not None and normal.surprise is None)),
        _define("LIMIT", repr(0.0 if normal is None else normal.bound)),
        _array("double", "low", map(repr, low)),
        _array("double", "high", map(repr, high)),
        _array("double", "scale", map(repr, scale)),
        _array("double", "odd_sign", [_surprise(normal, label, ASKED) for label in labels]),
        _array("double", "odd_ending", [_surprise(normal, label, "ending") for label in labels]),
    ]


def _surprise(normal: Normal | None, label: str, kind: str) -> str:
    return repr(1.0 if normal is None or normal.surprise is None else normal.surprise[label].get(kind, 0.0))


def _endings(model: Model, label: str) -> Sequence[str]:
    return () if model.normal is None else sorted(model.normal.known[label].get("ending", ()))


def _ending(words: str) -> int:
    """Write how a run ended as a number: an exit status, the negative of a signal, or what never happens."""
    kind, _, number = words.partition(" ")
    return {"exit": 1, "signal": -1}.get(kind, 0) * int(number or 0) if kind != "timeout" else 1 << 20


def _sign(sign: Sign) -> str:
    if sign.kind == "took":
        return f"{{'t', {sign.text}}}"
    code = _ending(sign.text)
    kind = "-" if sign.text == "timeout" else "s" if code < 0 else "x"
    return f"{{'{kind}', {abs(code)}}}"


# C


def _define(what: str, value: object) -> str:
    return f"#define {_PREFIX}_{what} {value}"


def _array(kind: str, what: str, values: Iterable[object]) -> str:
    listed = [str(value) for value in values] or ["{0}" if kind.startswith("struct") else "0"]
    kind = kind if kind.startswith("const") else f"const {kind}"
    return f"static {kind} {_PREFIX}_{what}[] = {{{', '.join(listed)}}};"


def _lists(kind: str, one: str, many: str, lists: Sequence[Sequence[int]]) -> list[str]:
    """Write lists one behind the other, and where each begins."""
    return [
        _array("int", f"first_{one}", _starts(lists)),
        _array(kind, many, [value for values in lists for value in values]),
    ]


def _starts(lists: Iterable[Sequence[object]]) -> list[int]:
    found = [0]
    for one in lists:
        found.append(found[-1] + len(one))
    return found


def _braced(values: Iterable[object]) -> str:
    return f"{{{', '.join(map(str, values))}}}"


def _hex(number: int) -> str:
    return f"{number:#x}ull"


def _quoted(text: str | None) -> str:
    if text is None:
        return "0"
    plain = set(range(32, 127)) - set(b'"\\?')
    written = (
        chr(byte) if byte in plain else f"\\{byte:03o}" for byte in text.encode(errors="surrogateescape")
    )
    return f'"{"".join(written)}"'
