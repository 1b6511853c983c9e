"""Trees as JSON files: written exactly, read with suspicion.

A file, version 1, is one JSON object::

    {"format": "thriftwood-tree", "version": 1, "sha256": "...",
     "classes": {"dtype": "str", "values": ["No", "Yes"]},     null for a regression tree
     "answers": ["refer"],                                     those that are no class; left out if none are
     "encoder": {...},                                         Encoder.to_json()
     "costs": {...},                                           Costs.to_dict(), or null
     "note": "Chosen of 6: ...",                               left out where its learner says nothing
     "tree": {"regression": false, "width": 2,                 numbers per node in values
              "feature_values": [3, 0, 0, 2],                  categories per feature, 0: numeric
              "nodes": {"kind": [...], "feature": [...], ...}, one list per field, one entry per node
              "values": [...],                                 n_nodes * width, node by node
              "branch_map": [...],
              "loss": [],                                      a row per class, a column per class and
                                                               answer; or none: 1 for a mistake
              "smoothing": [1.0, 1.0],                         width; left out where shares are not smoothed
              "cases": 120,                                    left out where every case weighs 1
              "surrogates": {"kind": [...], ...}}}             one entry per surrogate

The fields of nodes and surrogates are those of the core (`core/tree/tree.hpp`); nothing is nested by the
depth of the tree. ``sha256`` is the digest of the object without it, as `canonical` writes it, so that a
changed digit cannot pass for another tree. Floats are written so that they read back to the last bit. Reading
a file checks everything, runs nothing, and raises `TreeFileError` for whatever is not such a file.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.costs import Costs
from thriftwood.costs.names import class_name
from thriftwood.models.files.kinds import KINDS, TREE, TreeFileError, refuse
from thriftwood.table import Encoder, Kind

if TYPE_CHECKING:
    from thriftwood.models.tree.tree import Tree

FORMAT, VERSION = TREE, 1
MOST_BYTES = 2**30  # a tree of ten million nodes; more is a mistake or an attack
ENTRIES = ("format", "version", "sha256", "classes", "encoder", "costs", "tree")
OPTIONAL_ENTRIES = ("answers", "note")
LONGEST_NOTE = 2000
TREE_ENTRIES = (
    *("regression", "width", "feature_values", "nodes"),
    *("values", "branch_map", "loss", "surrogates"),
)
OPTIONAL_TREE_ENTRIES = ("smoothing", "cases")
NODE_FIELDS = {"kind": "uint8"}
NODE_FIELDS |= dict.fromkeys(("feature", "first_child", "n_children", "map_offset"), "int32")
NODE_FIELDS |= dict.fromkeys(("missing_route", "unseen_route", "label"), "int32")
NODE_FIELDS |= dict.fromkeys(("first_surrogate", "n_surrogates"), "int32")
NODE_FIELDS |= dict.fromkeys(("threshold", "weight", "impurity", "gain", "risk"), "float64")
SURROGATE_FIELDS = {"kind": "uint8", "feature": "int32", "map_offset": "int32", "flipped": "bool"}
SURROGATE_FIELDS |= dict.fromkeys(("threshold", "agreement", "adjusted"), "float64")
CLASS_DTYPES = (
    *("str", "bool", "object", "float16", "float32", "float64"),
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
)


class Parts(NamedTuple):
    """What a tree is made of."""

    core: _core.Tree
    encoder: Encoder
    classes: NDArray[Any] | None
    costs: Costs | None
    further: tuple[str, ...] = ()
    note: str = ""


# Writing


def to_text(tree: Tree) -> str:
    """Write a tree."""
    return json.dumps(content_of(tree), allow_nan=False)


def content_of(tree: Tree) -> dict[str, Any]:
    """Give the object that a tree's file is, as part of a larger file too."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        "classes": classes_content(tree.classes),
        **({"answers": list(tree.further)} if tree.further else {}),
        "encoder": tree.encoder.to_json(),
        "costs": None if tree.costs is None else tree.costs.to_dict(),
        "tree": core_content(tree.core),
        **({"note": tree.note} if tree.note else {}),
    }
    # What cannot be read back must not be written.
    classes = _read_classes(content["classes"], tree.core)
    _read_further(content.get("answers"), tree.core, classes)
    _check_prices(tree.costs, tree.feature_names)
    read_note(tree.note)
    return {**content, "sha256": digest(content)}


def core_content(core: _core.Tree) -> dict[str, Any]:
    """Give the part of a file that is the tree itself."""
    arrays = core.to_arrays()
    smoothing = core.smoothing.tolist()
    return {
        "regression": core.regression,
        "width": core.width,
        "feature_values": core.feature_values.tolist(),
        "nodes": {name: arrays[name].tolist() for name in NODE_FIELDS},
        "values": core.values.ravel().tolist(),
        "branch_map": core.branch_map.tolist(),
        "loss": core.loss.tolist(),
        **({"smoothing": smoothing} if smoothing else {}),
        **({"cases": core.cases} if core.cases else {}),
        "surrogates": {name: core.surrogates[name].tolist() for name in SURROGATE_FIELDS},
    }


def classes_content(classes: NDArray[Any] | None) -> dict[str, Any] | None:
    """Give the part of a file that is the classes."""
    if classes is None:
        return None
    dtype = {"U": "str", "O": "object"}.get(classes.dtype.kind, classes.dtype.name)
    return {"dtype": dtype, "values": classes.tolist()}


_plainly = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode
# One for all pieces: json.dumps makes an encoder for each, some 5 to 15 % of reading a small file.


def canonical(content: Any) -> Iterator[str]:
    """Write content in the one way that its digest is made of: sorted keys, no spaces, ASCII, no NaN.

    Piece by piece: as one text a large model would be in memory twice.

    Examples
    --------
    >>> "".join(canonical({"b": [1, 2.5], "a": {"c": None}}))
    '{"a":{"c":null},"b":[1,2.5]}'
    """
    if isinstance(content, dict):
        for place, key in enumerate(sorted(content)):
            yield f"{',' if place else '{'}{json.dumps(key)}:"
            yield from canonical(content[key])
        yield "}" if content else "{}"
    elif isinstance(content, list) and any(isinstance(item, dict) for item in content):
        for place, item in enumerate(content):
            yield "," if place else "["
            yield from canonical(item)
        yield "]"
    else:
        plain = content.tolist() if isinstance(content, np.ndarray) else content
        yield _plainly(plain)


def digest(content: dict[str, Any]) -> str:
    """Give the SHA-256 of everything but the entry ``sha256``."""
    found = hashlib.sha256()
    for piece in canonical({key: value for key, value in content.items() if key != "sha256"}):
        found.update(piece.encode("ascii"))
    return found.hexdigest()


# Reading


def bytes_of(path: str | PathLike[str]) -> bytes:
    """Read a file, but no more of it than a model can have."""
    pieces, left = [], MOST_BYTES + 1
    with Path(path).open("rb") as file:
        # Python sets so much aside as it is told to read at most: a gigabyte for a file of some bytes.
        while piece := file.read(min(left, 1 << 20)):
            pieces.append(piece)
            left -= len(piece)
    return b"".join(pieces)


def json_of(text: str | bytes) -> Any:
    """Read JSON that need not be trusted: no key twice, no NaN, nothing nested without end."""
    if len(text) > MOST_BYTES:
        refuse(f"it has more than {MOST_BYTES:,} bytes")
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except TreeFileError:
        raise
    except (ValueError, RecursionError) as problem:  # not JSON, not UTF-8, an infinity, nested without end
        refuse(f"it cannot be read as JSON ({_short(str(problem))})")


def parts_of(content: Any) -> Parts:
    """Read the object that `content_of` made."""
    entries = entries_of(content, "the file", ENTRIES, check_header, OPTIONAL_ENTRIES)
    check_digest(entries)
    core = read_core(entries["tree"])
    if core.regression and core.width != 1:
        refuse(f"a regression tree has one value per node, and this one has {core.width}")
    encoder = read_encoder(entries["encoder"])
    check_features(core, encoder)
    classes = _read_classes(entries["classes"], core)
    further = _read_further(entries.get("answers"), core, classes)
    note = read_note(entries.get("note", ""))
    return Parts(core, encoder, classes, read_costs(entries["costs"], encoder), further, note)


def read_note(content: object) -> str:
    """Read what its learner says about a tree; it is printed, so it must be a line of plain text."""
    if not isinstance(content, str) or not content.isprintable() or len(content) > LONGEST_NOTE:
        refuse(f"its note must be a printable text of up to {LONGEST_NOTE} characters, got {_short(content)}")
    return content


def read_encoder(content: Any) -> Encoder:
    """Read how tables are encoded."""
    try:
        return Encoder.from_json(content, owner="Tree")
    except ValueError as problem:
        refuse(f"its encoder is wrong: {problem}")


def check_digest(content: dict[str, Any]) -> None:
    """Refuse content that was changed since it was written."""
    try:
        unchanged = content["sha256"] == digest(content)
    except (ValueError, RecursionError) as problem:  # an infinity written as a number too large
        refuse(f"it cannot be read as JSON ({_short(str(problem))})")
    if not unchanged:
        refuse("its content does not fit its sha256. It was changed or damaged after it was saved")


def check_header(content: dict[str, Any], written: str = FORMAT, version: int = VERSION) -> None:
    """Refuse other formats and versions before their entries are compared with ours."""
    found = content.get("format")
    if found != written:
        # A list or an object cannot be looked up.
        other = KINDS.get(found) if isinstance(found, str) else None
        hint = f". It is a {other} file, which `load` reads" if other else ""
        refuse(f"its format must be {written!r}, got {_short(found)}{hint}")
    if type(content.get("version")) is not int or content["version"] != version:
        refuse(
            f"its version is {_short(content.get('version'))}; this library reads version {version}. Save it "
            "with the same version of thriftwood, or upgrade"
        )


def read_core(content: object) -> _core.Tree:
    """Read what `core_content` made."""
    entries = entries_of(content, "tree", TREE_ENTRIES, optional=OPTIONAL_TREE_ENTRIES)
    nodes = _columns(entries["nodes"], "tree.nodes", NODE_FIELDS)
    width, regression = entries["width"], entries["regression"]
    if type(regression) is not bool:
        refuse(f"tree.regression must be true or false, got {_short(regression)}")
    n_nodes = len(nodes["kind"])
    values = _array(entries["values"], "tree.values", "float64")
    if type(width) is not int or not 1 <= width <= len(values) or width * n_nodes != len(values):
        refuse(
            f"tree.values has {len(values)} numbers, but there are {n_nodes} nodes of width {_short(width)}"
        )
    arrays = {
        **nodes,
        "values": values.reshape(n_nodes, width),
        "branch_map": _array(entries["branch_map"], "tree.branch_map", "int32"),
        "feature_values": _array(entries["feature_values"], "tree.feature_values", "int32"),
        "loss": _array(entries["loss"], "tree.loss", "float64"),
        "smoothing": _array(entries.get("smoothing", []), "tree.smoothing", "float64"),
        "cases": _count(entries.get("cases", 0), "tree.cases"),
        "regression": regression,
        "surrogates": _columns(entries["surrogates"], "tree.surrogates", SURROGATE_FIELDS),
    }
    try:
        return _core.Tree.from_arrays(arrays)
    except ValueError as problem:
        refuse(str(problem))


def check_features(core: _core.Tree, encoder: Encoder) -> None:
    """See that the tree and the encoder mean the same features."""
    feature_values = core.feature_values.tolist()
    if len(feature_values) != encoder.n_features:
        refuse(f"its tree has {len(feature_values)} features, its encoder {encoder.n_features}")
    for column, count in zip(encoder.columns, feature_values, strict=True):
        wanted = len(column.categories) if column.kind is Kind.NOMINAL else 0
        if count != wanted:
            refuse(f"{column.label} has {wanted} categories in the encoder, but {count} in the tree")


def _read_classes(content: object, core: _core.Tree) -> NDArray[Any] | None:
    if core.regression:
        if content is not None:
            refuse("a regression tree has no classes, so classes must be null")
        return None
    return read_classes(content, core.width)


def _read_further(content: object, core: _core.Tree, classes: NDArray[Any] | None) -> tuple[str, ...]:
    return read_further(content, classes, core.n_answers)


def read_further(content: object, classes: NDArray[Any] | None, n_answers: int) -> tuple[str, ...]:
    """Read the names of the answers that are no class."""
    count = 0 if classes is None else n_answers - len(classes)
    if content is None and not count:
        return ()
    if not isinstance(content, list) or len(content) != count or not count:
        refuse(f"answers must list {count} answers besides the classes, got {_short(content)}")
    if not all(type(name) is str for name in content):
        refuse(f"answers must be texts, got {_short(content)}")
    assert classes is not None  # count
    if len(set(content)) != count or set(content) & {class_name(label) for label in classes.tolist()}:
        refuse("answers must differ from each other and from the classes")
    return tuple(content)


def read_classes(content: object, n_classes: int) -> NDArray[Any]:
    """Read what `classes_content` made."""
    entries = entries_of(content, "classes", ("dtype", "values"))
    dtype, values = entries["dtype"], entries["values"]
    if dtype not in CLASS_DTYPES:
        refuse(f"classes.dtype must be one of {', '.join(CLASS_DTYPES)}, got {_short(dtype)}")
    if not isinstance(values, list) or len(values) != n_classes:
        refuse(f"classes.values must list {n_classes} classes, got {_short(values)}")
    wanted = (str, bool, int, float) if dtype == "object" else (type(np.zeros(1, dtype).tolist()[0]),)
    for value in values:
        if type(value) not in wanted or (type(value) is float and not math.isfinite(value)):
            refuse(f"classes.values must hold values of type {dtype}, got {_short(value)}")
    if len(set(values)) != len(values):
        refuse("classes.values must differ from each other")
    return _exact_array(values, dtype)


def _exact_array(values: list[Any], dtype: str) -> NDArray[Any]:
    try:
        with np.errstate(over="ignore"):
            array = np.array(values, dtype=dtype)
    except (OverflowError, ValueError):
        refuse(f"classes.values do not all fit the type {dtype}")
    if array.tolist() != values:  # a float32 with too many digits, a text that ends in NUL
        refuse(f"classes.values do not all fit the type {dtype}")
    return array


def read_costs(content: object, encoder: Encoder) -> Costs | None:
    """Read what tests and mistakes cost; the prices must fit the columns."""
    if content is None:
        return None
    if not isinstance(content, dict):
        refuse(f"costs must be an object or null, got {_short(content)}")
    try:
        costs = Costs.from_dict(content)
        _check_prices(costs, encoder.feature_names or tuple(f"x{j}" for j in range(encoder.n_features)))
    except (ValueError, TypeError) as problem:
        refuse(f"its costs are wrong: {problem}")
    return costs


def _check_prices(costs: Costs | None, feature_names: tuple[str, ...]) -> None:
    if costs is not None:
        costs.compile(feature_names)


# Pieces of reading


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) != len(pairs):
        refuse("an object in it has the same key twice")
    # The long lists of a tree, as arrays at once: as objects of Python they take five times the room.
    if entries.keys() == NODE_FIELDS.keys():
        return {name: _packed(values, NODE_FIELDS[name]) for name, values in entries.items()}
    if "values" in entries and "branch_map" in entries:
        entries["values"] = _packed(entries["values"], "float64")
    return entries


def _packed(values: Any, dtype: str) -> Any:
    """Return a list that `_array` takes as an array, and anything else as it is."""
    return _array(values, "", dtype) if _holds(values, dtype) else values


def _holds(values: object, dtype: str) -> bool:
    """Tell whether it is a list of numbers that fit the type."""
    wanted = {"float64": float, "bool": bool}.get(dtype, int)
    if not isinstance(values, list) or not set(map(type, values)) <= {wanted}:
        return False
    return wanted is not int or not values or _fits(values, dtype)


def _fits(values: list[int], dtype: str) -> bool:
    limits = np.iinfo(dtype)
    return limits.min <= min(values) and max(values) <= limits.max


def _count(value: object, where: str) -> int:
    if type(value) is not int or not 0 <= value < 2**63:
        refuse(f"{where} must be a whole number from 0, got {_short(value)}")
    return value


def _no_constant(name: str) -> NoReturn:
    refuse(f"it holds {name}, which is no number a tree can have")


def entries_of(
    content: object, where: str, keys: tuple[str, ...], first: Any = None, optional: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return an object that has these entries and no others; `first` looks at it before they are compared."""
    if not isinstance(content, dict):
        refuse(f"{where} must be an object with {', '.join(keys)}, got {_short(content)}")
    if first is not None:
        first(content)
    for key in keys:
        if key not in content:
            refuse(f"{where} lacks the entry {key!r}")
    for key in content:
        if key not in keys and key not in optional:
            refuse(f"{where} has an unknown entry {_short(key)}; entries: {', '.join(keys + optional)}")
    return content


def _columns(content: object, where: str, fields: dict[str, str]) -> dict[str, NDArray[Any]]:
    entries = entries_of(content, where, tuple(fields))
    return {name: _array(entries[name], f"{where}.{name}", dtype) for name, dtype in fields.items()}


def _array(values: object, where: str, dtype: str) -> NDArray[Any]:
    if isinstance(values, np.ndarray):
        return values
    if not _holds(values, dtype):
        wanted = {"float64": float, "bool": bool}.get(dtype, int)
        if isinstance(values, list) and set(map(type, values)) <= {wanted}:
            limits = np.iinfo(dtype)
            refuse(f"{where} must hold integers from {limits.min} to {limits.max}")
        refuse(f"{where} must be a list of {wanted.__name__}s, got {_short(values)}")
    return np.array(values, dtype=dtype)


def _short(value: object) -> str:
    """Say what came, short enough for a message even when it is a megabyte."""
    if isinstance(value, list):
        kinds = sorted({type(item).__name__ for item in value})
        return f"a list of {len(value)} ({', '.join(kinds[:4])})"
    if isinstance(value, dict):
        return f"an object with {len(value)} entries"
    if isinstance(value, int) and value.bit_length() > 200:
        return "a very large number"
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:100]}..."
