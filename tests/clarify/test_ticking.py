"""Code with a tick at its start does what it did: tried on functions of the standard library."""

import dis
import importlib
import opcode
import sys
from collections.abc import Iterator
from types import CodeType

import pytest

from thriftwood.clarify import ticking
from thriftwood.clarify.ticking import with_tick

pytestmark = pytest.mark.skipif(
    sys.version_info >= (3, 12), reason="later Pythons are watched without changing code"
)

MODULES = ("argparse", "ast", "asyncio.base_events", "contextlib", "dataclasses", "email.message", "inspect",
           "json.decoder", "re", "subprocess", "tarfile", "typing", "unittest.mock", "zipfile")  # fmt: skip


def codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


def codes_of(module: str) -> Iterator[CodeType]:
    spec = importlib.util.find_spec(module)
    yield from codes(spec.loader.get_code(module))


def test_the_numbers_of_instructions_are_those_of_this_python() -> None:
    names = ("CACHE", "POP_TOP", "PUSH_NULL", "LOAD_CONST", "EXTENDED_ARG", "RESUME", "PRECALL", "CALL")
    assert {name: getattr(ticking, name) for name in names} == {name: opcode.opmap[name] for name in names}


@pytest.mark.parametrize("module", MODULES)
def test_instructions_lines_and_handlers_stay_together(module: str) -> None:
    for code in codes_of(module):
        ticked = with_tick(code, tick := object())
        added = (len(ticked.co_code) - len(code.co_code)) // 2
        at = ticking._begin_of_body(code.co_code)
        before, after = list(code.co_positions()), list(ticked.co_positions())
        assert after[:at] + after[at + added :] == before
        assert {line for line, *_ in after[at : at + added]} == {before[at - 1][0]}
        assert ticked.co_consts[-1] is tick
        moved = lambda place: place + 2 * added * (place >= 2 * at)  # noqa: B023, E731
        handlers = [
            (moved(e.start), moved(e.end), moved(e.target), e.depth, e.lasti)
            for e in dis._parse_exception_table(code)
        ]
        assert [
            (e.start, e.end, e.target, e.depth, e.lasti) for e in dis._parse_exception_table(ticked)
        ] == handlers
        names = [(i.opname, i.argrepr) for i in dis.get_instructions(code) if "JUMP" not in i.opname]
        ticked_names = [(i.opname, i.argrepr) for i in dis.get_instructions(ticked) if "JUMP" not in i.opname]
        rest = [pair for pair in ticked_names if repr(tick) not in pair[1]]
        assert [name for name, _ in rest if name not in TICK] == [
            name for name, _ in names if name not in TICK
        ]


TICK = ("PUSH_NULL", "LOAD_CONST", "PRECALL", "CALL", "POP_TOP", "EXTENDED_ARG")


def test_a_tick_comes_before_the_body_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def plain(x):
        seen.append("body")
        try:
            return 1 / x
        except ZeroDivisionError:
            return None
        finally:
            seen.append("end")

    def numbers(n):
        cell = n
        yield from (cell + i for i in range(n))

    plain.__code__ = with_tick(plain.__code__, lambda: seen.append("tick"))
    assert [plain(2), plain(0)] == [0.5, None]
    assert seen == ["tick", "body", "end"] * 2
    seen.clear()
    numbers.__code__ = with_tick(numbers.__code__, lambda: seen.append("tick"))
    made = numbers(2)
    assert seen == []
    assert [*made] == [2, 3]
    assert seen == ["tick"]


def test_many_constants_need_longer_instructions() -> None:
    seen = []
    source = "def f(): return [" + ", ".join(f"{i}.5" for i in range(70_000)) + ", g()]"
    namespace = {"g": lambda: 7}
    exec(source, namespace)
    f = namespace["f"]
    f.__code__ = with_tick(f.__code__, lambda: seen.append(1))
    assert (f()[-1], len(f()), seen) == (7, 70_001, [1, 1])


def test_code_without_a_start_is_refused() -> None:
    with pytest.raises(ValueError, match="no RESUME"):
        ticking._begin_of_body(b"\x64\x00\x53\x00")
