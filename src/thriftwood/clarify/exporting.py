"""`export_c`: a native program explains its own failures: plan, counters and tree as one C file."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from importlib.resources import files

from thriftwood.clarify.builds import owner
from thriftwood.clarify.c_tables import PREFIX, array, braced, define, hexadecimal, lists, quoted, starts
from thriftwood.clarify.model import Model
from thriftwood.clarify.normal import ASKED, Normal
from thriftwood.clarify.orders import Orders
from thriftwood.clarify.patterns import Pattern, Sign
from thriftwood.clarify.plan import Plan
from thriftwood.clarify.telling import (
    NEAREST,
    OTHERWISE,
    SUCCESS,
    UNKNOWN,
    changed,
    doubt_about,
    near,
    opening,
    stated,
)

DEEPEST = 4096
"""Open activations of the first thread that are followed."""
_CUT = "\1"
"""Stands for an ending in what is said of it."""


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
    tables = [
        *_plan_tables(model),
        *_tree_tables(model),
        *_ending_tables(model),
        *_normal_tables(model),
    ]
    work = files("thriftwood.clarify").joinpath("assets/explain.c").read_text(encoding="ascii")
    return work.replace("NAME", name).replace("/* TABLES */", "\n".join(tables).replace(PREFIX, name))


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
    follows = any(one.opens for one in functions)
    parted = [one.partition("#") for one in names]
    lines = {line: number for number, line in enumerate(plan.lines)}
    calls = [
        (o.parent, o.grandparent, hexadecimal(o.mark), hexadecimal(o.chain))
        for f in functions
        for o in f.calls
    ]
    done = [
        (hexadecimal(c.wanted), hexadecimal(c.passed), c.line, c.parent)
        for f in functions
        for c in f.completions
    ]
    stubs = [
        f'"  pushq ${number}\\n  jmp {PREFIX}_thunk\\n.balign 16\\n" ' for number in range(len(functions))
    ]
    return [
        define("FUNCTIONS", len(functions)),
        define("LINES", len(plan.lines)),
        define("FOLLOWS", int(follows)),
        define("DEEPEST", DEEPEST if follows else 1),
        f"#define {PREFIX}_STUBS {''.join(stubs)}",
        array("const char *const", "names", [quoted(first) for first, _, _ in parted]),
        array("int", "nth", [int(nth or 1) for _, _, nth in parted]),
        define("ROUNDS", max((int(nth or 1) for _, _, nth in parted), default=0)),
        *_name_tables([first for first, _, _ in parted]),
        array("char", "stranger", [int(one.name not in asked) for one in functions]),
        array("char", "opens", [int(one.opens) for one in functions]),
        *lists("int", "line", "lines", [one.lines for one in functions]),
        array("int", "first_call", starts(one.calls for one in functions)),
        array(f"struct {PREFIX}_call", "calls", [braced(one) for one in calls]),
        array("int", "first_completion", starts(one.completions for one in functions)),
        array(f"struct {PREFIX}_completion", "completions", [braced(one) for one in done]),
        *lists("int", "part", "parts", [[lines[line] for line in one.lines] for one in plan.patterns]),
        array("char", "adds", [int(one.kind == "any") for one in plan.patterns]),
        define("PATTERNS", len(model.plan.patterns)),
        define("FEATURES", len(model.plan.patterns) + len(model.signs)),
        array(f"struct {PREFIX}_sign", "signs", [_sign(one) for one in model.signs]),
    ]


def _with_own_strangers(plan: Plan, asked: Collection[str]) -> Plan:
    """Leave out strangers of libraries: nothing else of those is watched, and none could be found.

    The program is what the functions that are asked for are of; if none are, what is no library by its name.
    """
    binaries = {owner(function) for function in asked}
    if not asked:
        programs = {owner(function) for function in plan.functions if ".so" not in owner(function)}
        binaries = programs if len(programs) == 1 else set()
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
        define("SLOTS", f"{len(slots)}u"),
        array("int", "slot", slots),
        array("int", "next", following),
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
    # Of each leaf twice: where something was seen on the way, and where nothing was.
    worded = [stated(one, nothing_seen=nothing) for one in sure for nothing in (False, True)]
    close = [near(*one) for one in zip(answers, shares, strict=True)]
    return [
        array("int", "test", map(int, flat.feature)),
        array("int", "child", map(int, flat.first_child)),
        array(
            "double", "cut", [repr(cut) if f >= 0 else "0" for cut, f in zip(cuts, flat.feature, strict=True)]
        ),
        array("int", "answer", [labels.index(answer) for answer in answers]),
        array("double", "sure", map(repr, sure)),
        array("const char *const", "percent", [quoted(f"{one:.0%}") for one in sure]),
        array("const char *const", "opening", [quoted(opening(one)) for one in worded]),
        *lists("int", "near", "near", [[labels.index(other) for other in others] for others in close]),
        define("OTHERWISE", quoted(OTHERWISE)),
        define("UNKNOWN", quoted(UNKNOWN)),
        array("const char *const", "labels", map(quoted, labels)),
        array("const char *const", "messages", [quoted(model.messages.get(one) or None) for one in labels]),
        array("char", "in_doubt", [int(label in model.in_doubt) for label in labels]),
    ]


def _ending_tables(model: Model) -> list[str]:
    """Write how recorded runs ended, and what is said of others, cut where their ending is named."""
    labels, known = model.labels, model.endings
    everywhere = sorted({_ending(words) for counts in known.values() for words in counts})
    elsewhere = {**known, "": {_CUT: 1}}
    texts = {
        "changed": [quoted(changed(label)) for label in labels],
        "not_failed": [quoted(doubt_about(label, SUCCESS, elsewhere)) for label in labels],
        "otherwise": [part for label in labels for part in _around(doubt_about(label, _CUT, elsewhere))],
        "never": _around(doubt_about("", _CUT, known)),
    }
    return [
        *(array("const char *const", name, written) for name, written in texts.items()),
        define("NEAREST", quoted(NEAREST)),
        define("EVERYWHERE", len(everywhere)),
        array("int", "everywhere", everywhere),
        *lists("int", "ending", "endings", [[*map(_ending, known.get(label, ()))] for label in labels]),
    ]


def _normal_tables(model: Model) -> list[str]:
    normal, labels = model.normal, model.labels
    low: list[float] = []
    high: list[float] = []
    spread: list[float] = []
    if normal is not None:
        spread = [value for label in labels for value in normal.spread[label]]
        low = [value for label in labels for value in normal.low[label]]
        high = [value for label in labels for value in normal.high[label]]
    return [
        define("HAS_NORMAL", int(normal is not None)),
        define("ENDINGS_COUNT", int(normal is not None and "ending" in normal.kinds)),
        define("EACH", int(normal is not None and normal.surprise is None)),
        define("LIMIT", repr(0.0 if normal is None else normal.bound)),
        array("double", "low", map(repr, low)),
        array("double", "high", map(repr, high)),
        array("double", "spread", map(repr, spread)),
        array("double", "odd_sign", [_surprise(normal, label, ASKED) for label in labels]),
        array("double", "odd_ending", [_surprise(normal, label, "ending") for label in labels]),
        *lists("int", "usual", "usual", [_usual(model, label) for label in labels]),
    ]


def _surprise(normal: Normal | None, label: str, kind: str) -> str:
    return repr(1.0 if normal is None or normal.surprise is None else normal.surprise[label].get(kind, 0.0))


def _around(text: str | None) -> Sequence[str]:
    """Quote what stands before and behind the ending that is named."""
    before, _, after = (text or "").partition(_CUT)
    return [quoted(before), quoted(after)]


def _usual(model: Model, label: str) -> Sequence[int]:
    known = () if model.normal is None else sorted(model.normal.known[label].get("ending", ()))
    return [_ending(words) for words in known]


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
