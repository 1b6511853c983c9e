"""Code of Python 3.11 with a call of a builtin at its start, for watching single functions.

Loaded into watched programs on its own, before anything else: it imports nothing. Jumps of 3.11 are relative
and none leads to the start, so that only the tables of lines and of exception handlers move.
"""

TYPE_CHECKING = False  # the one of typing, which is not loaded yet
if TYPE_CHECKING:
    from types import CodeType

CACHE, POP_TOP, PUSH_NULL, LOAD_CONST, EXTENDED_ARG, RESUME, PRECALL, CALL = 0, 1, 2, 100, 144, 151, 166, 171
MOST_UNITS = 8  # of an entry of the table of lines
ONE_LINE, NO_COLUMNS, LONG, NO_PLACE = 10, 13, 14, 15  # kinds of such entries


def with_tick(code: "CodeType", tick: object) -> "CodeType":
    """Return the code with a call of ``tick()`` where its body begins: of generators at the first resumption.

    Parameters
    ----------
    code : code object
        Of a function, a class body or a module.
    tick : callable
        Called without arguments; it becomes a constant of the code. It must not raise.

    Examples
    --------
    >>> import sys
    >>> def double(x): return 2 * x
    >>> ticks = []
    >>> if sys.version_info < (3, 12):
    ...     double.__code__ = with_tick(double.__code__, lambda: ticks.append(1))
    >>> double(4), ticks in ([1], [])
    (8, True)
    """
    at = _begin_of_body(code.co_code)
    call = _call_of(len(code.co_consts))
    return code.replace(
        co_code=code.co_code[: 2 * at] + call + code.co_code[2 * at :],
        co_consts=(*code.co_consts, tick),
        co_stacksize=max(code.co_stacksize, 2),
        co_linetable=_lines(code.co_linetable, at, len(call) // 2),
        co_exceptiontable=_handlers(code.co_exceptiontable, at, len(call) // 2),
    )


def _begin_of_body(units: bytes) -> int:
    """The place behind the first RESUME, which follows what makes cells and generators."""
    for at in range(0, len(units), 2):
        if units[at] == RESUME:
            return at // 2 + 1
    raise ValueError("This code has no RESUME, so it is no code of Python 3.11.")


def _call_of(constant: int) -> bytes:
    load = [(LOAD_CONST, constant & 255)]
    while constant := constant >> 8:
        load.insert(0, (EXTENDED_ARG, constant & 255))
    call = [(PUSH_NULL, 0), *load, (PRECALL, 0), (CACHE, 0), (CALL, 0), *[(CACHE, 0)] * 4, (POP_TOP, 0)]
    return bytes(byte for unit in call for byte in unit)


def _lines(table: bytes, at: int, added: int) -> bytes:
    """The table of lines with ``added`` units put in; they have the line of what stands before them."""
    done = begin = 0
    while True:  # to the entry that covers the last unit before the place
        end = begin + 1
        while end < len(table) and not table[end] & 128:
            end += 1
        kind, units, rest = table[begin] >> 3 & 15, (table[begin] & 7) + 1, table[begin + 1 : end]
        if done + units >= at:
            break
        done, begin = done + units, end
    before = at - done
    out = bytearray(table[:begin]) + _entry(kind, before, rest)
    while added:
        part = min(added, MOST_UNITS)
        out += _entry(NO_COLUMNS, part, b"\0")
        added -= part
    if before < units:
        out += _entry(*_again(kind, units - before, rest))
    return bytes(out) + table[end:]


def _entry(kind: int, units: int, rest: bytes) -> bytes:
    return bytes([128 | kind << 3 | units - 1]) + rest


def _again(kind: int, units: int, rest: bytes) -> tuple[int, int, bytes]:
    """The second half of an entry: at the same place, so no lines further."""
    if ONE_LINE <= kind < NO_COLUMNS:
        kind = ONE_LINE
    elif kind in (NO_COLUMNS, LONG):
        first = next(i for i, byte in enumerate(rest) if not byte & 64) + 1
        rest = b"\0" + rest[first:]
    return kind, units, rest


def _handlers(table: bytes, at: int, added: int) -> bytes:
    """The table of exception handlers with everything from ``at`` on moved.

    Each entry has four numbers: where it starts, its size, its target and its depth. The last one stays.
    """
    out = bytearray()
    place, end = 0, len(table)
    while place < end:
        begin, place = _number(table, place)
        size, place = _number(table, place)
        target, place = _number(table, place)
        depth = place
        while table[place] & 64:
            place += 1
        place += 1
        if begin < at < begin + size:
            size += added
        first = len(out)
        _write(out, begin + added if begin >= at else begin)
        _write(out, size)
        _write(out, target + added if target >= at else target)
        out += table[depth:place]
        out[first] |= 128
    return bytes(out)


def _number(table: bytes, place: int) -> "tuple[int, int]":
    """The number that begins here, six bits a byte, and the place behind it."""
    byte = table[place]
    value = byte & 63
    while byte & 64:
        place += 1
        byte = table[place]
        value = value << 6 | byte & 63
    return value, place + 1


def _write(out: bytearray, number: int) -> None:
    if number < 64:
        out.append(number)
    elif number < 4096:
        out.append(64 | number >> 6)
        out.append(number & 63)
    else:
        _write(out, number >> 6)
        out[-1] |= 64  # another byte follows
        out.append(number & 63)
