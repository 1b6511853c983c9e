"""What is recorded of Python programs, on every Python that is there: hand-made call trees."""

import signal

import pytest
from hooked_python import Python, main_only, patterns_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

NONE = frozenset()

TREE = """
def a(): b(); c(); b()
def b(): d()
def c(): pass
def d(): pass
a()
b()
"""

GENERATORS = """
def leaf(): pass
def late(): pass
def numbers(n):
    for i in range(n):
        leaf()
        yield i
def through(n):
    yield from numbers(n)
def primed():
    while True:
        value = yield
        late() if value else leaf()
def helper(generator): generator.send(1)
def use():
    for _ in numbers(3): pass
    list(through(2))
    never = numbers(5)             # made, never begun
    first = next(numbers(5))       # suspended when it is thrown away
    consumer = primed()
    next(consumer)
    helper(consumer)               # somebody else resumes it
    consumer.send(0)
    consumer.close()
use()
"""

TAKING_TURNS = """
def first(): pass
def second(): pass
def third(): pass
def steps():
    first()
    yield
    second()
    yield
    third()
    yield
def helper(generator): next(generator)
def use():
    generator = steps()
    next(generator)
    helper(generator)
    next(generator)
    del generator
use()
"""

UNBEGUN = """
def generator():
    yield 1
def main():
    thrown = generator()
    try: thrown.throw(KeyError)
    except KeyError: pass
    closed = generator()
    closed.close()
    kept.append(generator())
    next(kept[0])
kept = []
main()
"""

COROUTINES = """
import asyncio
def leaf(): pass
async def inner():
    leaf()
    await asyncio.sleep(0)
    leaf()
async def ticks():
    yield 1
    await asyncio.sleep(0)
    yield 2
async def outer():
    await inner()
    async for _ in ticks(): leaf()
    await asyncio.gather(inner(), inner())
asyncio.run(outer())
"""

DELEGATING = """
import asyncio
def leaf(): pass
def late(): pass
async def inner():
    leaf()
    try: await asyncio.sleep(60)
    finally: late()
async def middle():
    await inner()
async def outer():
    task = asyncio.create_task(middle())
    await asyncio.sleep(0)
    task.cancel()
    try: await task
    except asyncio.CancelledError: leaf()
def numbers():
    while True:
        try: yield 1
        except KeyError: late()
def through(): yield from numbers()
def use():
    generator = through()
    next(generator)
    generator.throw(KeyError)
    next(generator)
    generator.close()
asyncio.run(outer())
use()
"""

EXCEPTIONS = """
def fails(): raise KeyError("x")
def passes_on():
    try: fails()
    finally: cleans()
def cleans(): pass
def catches():
    try: passes_on()
    except KeyError: after()
def after(): pass
catches()
after()
def overflow(n): overflow(n + 1)
try: overflow(0)
except RecursionError: after()
"""

CLASSES = """
class Box:
    def __init__(self): self.items = make()
    def __getitem__(self, i): return one(i)
    @property
    def size(self): return len(self.items)
    def __del__(self): one(0)
def make(): return [3, 1, 2]
def one(i): return i
def key(x): return one(x)
def work():
    box = Box()
    for i in range(100): box[i]
    box.size
    sorted(box.items, key=key)
    return [*map(key, box.items)]
for _ in range(30): work()
"""

THREADS = """
import threading
def leaf(): pass
def work(n):
    for _ in range(n): leaf()
threads = [threading.Thread(target=work, args=(100,)) for _ in range(4)]
for t in threads: t.start()
for t in threads: t.join()
work(5)
"""

MADE = """
from dataclasses import dataclass
@dataclass
class Point:
    x: int
    def __post_init__(self): noted(self.x)
def noted(x): pass
space = {"__name__": "made"}
exec("def f():\\n    g()\\ndef g(): pass\\nfor _ in range(3): f()", space)
def user():
    Point(1); space["f"]()
user()
"""

PROGRAMS = {
    "tree": TREE,
    "generators": GENERATORS,
    "taking turns": TAKING_TURNS,
    "unbegun": UNBEGUN,
    "coroutines": COROUTINES,
    "delegating": DELEGATING,
    "exceptions": EXCEPTIONS,
    "classes": CLASSES,
    "threads": THREADS,
    "made": MADE,
}


def test_subtrees_of_depth_0_to_2_are_counted_exactly(python: Python) -> None:
    calls, d1, d2 = main_only(python.script(TREE).profile())
    assert calls == {"<module>": 1, "a": 1, "b": 3, "c": 1, "d": 3}
    assert d1 == {
        ("<module>", frozenset("ab")): 1,
        ("a", frozenset("bc")): 1,
        ("b", frozenset("d")): 3,
        ("c", NONE): 1,
        ("d", NONE): 3,
    }
    b, c = ("b", frozenset("d")), ("c", NONE)
    assert d2 == {
        ("<module>", frozenset({("a", frozenset("bc")), b})): 1,
        ("a", frozenset({b, c})): 1,
        ("b", frozenset({("d", NONE)})): 3,
        ("c", NONE): 1,
        ("d", NONE): 3,
    }


@pytest.mark.parametrize("name", PROGRAMS)
def test_counts_of_calls_are_those_of_call_trees(python: Python, name: str) -> None:
    counted, followed = python.script(PROGRAMS[name], "fc"), python.script(PROGRAMS[name], "ctp")
    assert main_only(counted.profile())[0] == main_only(followed.profile())[0]
    assert (
        sum(followed.profile().d1.values())
        == sum(followed.profile().d2.values())
        == followed.profile().n_calls
    )


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_watched_is_what_was_recorded(python: Python, name: str) -> None:
    expected = dict(patterns_of(python.script(PROGRAMS[name]).profile()))
    seen = python.script(PROGRAMS[name], "watch", plan=expected).counts()
    assert dict(zip(expected, seen.values, strict=True)) == expected
    assert any(value for pattern, value in expected.items() if pattern[0] == "inside")


def test_a_generator_is_one_activation_and_a_child_of_who_began_it(python: Python) -> None:
    calls, d1, d2 = main_only(python.script(GENERATORS).profile())
    assert (calls["numbers"], calls["through"], calls["primed"]) == (3, 1, 1)
    assert {children: n for (f, children), n in d1.items() if f == "numbers"} == {frozenset({"leaf"}): 3}
    assert d1["primed", frozenset({"leaf", "late"})] == 1
    assert d1["helper", NONE] == 1  # it resumed the generator, which another had begun
    (used,) = (children for (f, children) in d2 if f == "use")
    below = {h for g, hs in used if g == "primed" for h in hs}
    assert below == {"leaf"}  # `late` was called when the helper ran it


def test_a_starter_sees_what_its_generator_did_for_it_and_no_more(python: Python) -> None:
    calls, d1, d2 = main_only(python.script(TAKING_TURNS).profile())
    assert d1["steps", frozenset({"first", "second", "third"})] == calls["steps"] == 1
    (used,) = (children for (f, children) in d2 if f == "use")
    assert {("steps", frozenset({"first"})), ("steps", frozenset({"first", "third"}))} <= used
    assert not any("second" in below for _, below in used)


def test_a_generator_that_never_begins_is_no_call(python: Python) -> None:
    calls, d1, _ = main_only(python.script(UNBEGUN).profile())
    assert calls["generator"] == 1
    assert d1["main", frozenset({"generator"})] == 1


def test_coroutines_are_followed_over_their_suspensions(python: Python) -> None:
    calls, d1, _ = main_only(python.script(COROUTINES).profile())
    assert (calls["outer"], calls["inner"], calls["ticks"], calls["leaf"]) == (1, 3, 1, 8)
    assert d1["inner", frozenset({"leaf"})] == 3
    assert d1["outer", frozenset({"inner", "leaf", "ticks"})] == 1


def test_an_exception_thrown_into_a_generator_passes_those_that_wait_for_another(python: Python) -> None:
    _, d1, d2 = main_only(python.script(DELEGATING).profile())
    assert d1["inner", frozenset({"leaf", "late"})] == 1
    assert d1["numbers", frozenset({"late"})] == 1
    (through,) = (children for (f, children) in d2 if f == "through")
    assert ("numbers", frozenset({"late"})) in through
    (middle,) = (children for (f, children) in d2 if f == "middle")
    assert ("inner", frozenset({"leaf", "late"})) in middle


def test_an_exception_ends_every_activation_it_passes(python: Python) -> None:
    calls, d1, d2 = main_only(python.script(EXCEPTIONS).profile())
    assert d1["passes_on", frozenset({"fails", "cleans"})] == 1
    assert d1["catches", frozenset({"passes_on", "after"})] == 1
    assert d1["overflow", NONE] == 1
    assert d1["overflow", frozenset({"overflow"})] == calls["overflow"] - 1
    (top,) = (children for (f, children) in d2 if f == "<module>")
    assert {g for g, _ in top} == {"catches", "after", "overflow"}


def test_recursion_ends_at_the_same_depth_as_without(python: Python) -> None:
    source = """
depth = 0
def down():
    global depth
    depth += 1
    down()
try: down()
except RecursionError: print(depth)
"""
    plain = python.script(source, None)
    assert [python.script(source, mode).out for mode in ("fc", "ctp")] == [plain.out] * 2


def test_deep_recursion_is_recorded(python: Python) -> None:
    source = """
import sys
sys.setrecursionlimit(60_000)
def down(n): return down(n - 1) if n else 0
down(40_000)
"""
    for mode in ("fc", "ctp"):
        outcome = python.script(source, mode)
        assert (outcome.code, outcome.err) == (0, "")
        assert main_only(outcome.profile())[0]["down"] == 40_001


def test_every_thread_has_a_tree_of_its_own(python: Python) -> None:
    profile = python.script(THREADS).profile()
    calls, d1, _ = main_only(profile)
    assert (calls["work"], calls["leaf"]) == (5, 405)
    assert d1["work", frozenset({"leaf"})] == 5
    assert 2 <= profile.threads <= 5


def test_code_made_by_programs_is_recorded_under_its_module(python: Python) -> None:
    profile = python.script(MADE).profile()
    assert (profile.calls["made:f:1"], profile.calls["made:g:3"]) == (4, 4)
    assert profile.d1["made:f:1", frozenset({"made:g:3"})] == 4


def test_code_made_by_programs_is_watched(python: Python) -> None:
    seen = python.script(MADE, "watch", plan=[("count", "made:g:3"), ("inside", "made:f:1", "made:g:3")])
    assert seen.counts().values == (4, 4)


def test_a_killed_program_leaves_its_open_calls(python: Python) -> None:
    source = """
import os, signal
def a(): b()
def b(): c(); d()
def c(): pass
def waiting():
    c()
    yield
def d():
    kept = waiting()
    next(kept)
    os.kill(os.getpid(), signal.SIGKILL)
a()
"""
    outcome = python.script(source)
    assert outcome.code == -signal.SIGKILL
    profile = outcome.profile()
    calls, d1, d2 = main_only(profile)
    assert profile.ended == "open"
    assert calls == {"<module>": 1, "a": 1, "b": 1, "c": 2, "d": 1, "waiting": 1}
    assert d1["b", frozenset("cd")] == d1["d", frozenset({"waiting"})] == d1["waiting", frozenset("c")] == 1
    assert d2["a", frozenset({("b", frozenset("cd"))})] == 1
    expected = dict(patterns_of(profile))
    seen = python.script(source, "watch", plan=expected).counts()
    assert dict(zip(expected, seen.values, strict=True)) == expected


FORKS = """
import os
def a(): pass
def b(): a()
def both(): b()
def parent_only(): a()
def main():
    a()
    if os.fork() == 0:
        both(); both()
        os._exit(0)
    os.wait()
    parent_only()
main()
"""


def test_a_forked_child_has_a_profile_of_its_own(python: Python) -> None:
    parent, child = (main_only(profile) for profile in python.script(FORKS).profiles())
    assert parent[0] == {"<module>": 1, "a": 2, "main": 1, "parent_only": 1}
    assert child[0] == {"both": 2, "b": 2, "a": 2}
    assert ("main", frozenset()) not in child[1]
    counted = python.script(FORKS, "fc").profiles()
    assert [main_only(profile)[0] for profile in counted] == [parent[0], child[0]]


def test_workers_of_multiprocessing_are_recorded(python: Python) -> None:
    for method in ("fork", "spawn"):
        source = f"""
import multiprocessing
def square(x): return x * x
if __name__ == "__main__":
    with multiprocessing.get_context({method!r}).Pool(2) as pool:
        print(sum(pool.map(square, range(20), chunksize=5)))
        pool.close()
        pool.join()
"""
        outcome = python.script(source, "fc")
        assert (outcome.out, outcome.err) == ("2470\n", "")
        names = [f for profile in outcome.profiles() for f in profile.calls if f.endswith(":square:3")]
        counted = sum(profile.calls.get(name, 0) for profile in outcome.profiles() for name in set(names))
        assert counted == 20


def test_the_same_program_has_the_same_profile(python: Python) -> None:
    (python.folder / "helping.py").write_text(
        "def help(): return sorted({'a', 'b', 'c'})\n", encoding="utf-8"
    )
    source = "import json, helping\njson.dumps({'a': [1, 2.5]}, indent=1)\nhelping.help()\n"
    runs = [
        python.script(source, PYTHONHASHSEED=seed, PYTHONPYCACHEPREFIX=str(python.folder / prefix)).profile()
        for seed, prefix in (("1", "p"), ("2", "p"), ("3", "q"))  # p: compiled, then cached; q: compiled
    ]
    for one in runs[1:]:
        assert (one.calls, one.d1, one.d2, one.build) == (
            runs[0].calls,
            runs[0].d1,
            runs[0].d2,
            runs[0].build,
        )
    assert str(python.folder / "helping.py") in runs[0].build


trees = st.recursive(
    st.just(()), lambda below: st.lists(st.tuples(st.sampled_from("abcd"), below), max_size=4), max_leaves=40
)


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(tree=st.lists(st.tuples(st.sampled_from("abcd"), trees), max_size=5))
def test_any_call_tree_is_counted_as_the_definition_says(python: Python, tree: object) -> None:
    bodies = "".join(f"def {f}(tree):\n    for g, below in tree: globals()[g](below)\n" for f in "abcd")
    calls, d1, d2 = main_only(
        python.script(f"{bodies}for f, below in {tree!r}: globals()[f](below)\n").profile()
    )
    expected: list[dict[object, int]] = [{}, {}, {}]

    def visit(f: str, children: object) -> tuple[str, frozenset[str]]:
        inner = [visit(g, below) for g, below in children]
        one, two = (f, frozenset(g for g, _ in inner)), (f, frozenset(inner))
        for table, key in zip(expected, (f, one, two), strict=True):
            table[key] = table.get(key, 0) + 1
        return one

    visit("<module>", tree)
    assert [calls, d1, d2] == expected
