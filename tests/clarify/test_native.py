"""Native programs: what is recorded is what happened, whatever happened."""

from __future__ import annotations

import signal
import subprocess

import pytest
from native_programs import (
    NEEDS_GCC,
    PARSER,
    PARSER_TREE,
    check_watched,
    compiled,
    of_trees,
    recorded,
    run,
    tables,
)

from thriftwood.clarify.native import check_program
from thriftwood.clarify.reading import read_counts, read_profile

pytestmark = NEEDS_GCC

BUILDS = {
    "O0": ("-O0",),
    "O2": ("-O2",),
    "no-pie": ("-O2", "-no-pie"),
    "branch protection": ("-O2", "-fcf-protection=full"),
    "sections": ("-O2", "-ffunction-sections", "-Wl,--gc-sections"),
    "hooks": ("-O1", "-finstrument-functions"),
    "hooks no-pie": ("-O2", "-finstrument-functions", "-no-pie"),
}


@pytest.mark.parametrize("options", BUILDS.values(), ids=BUILDS)
def test_a_call_tree_by_hand(tmp_path, options):
    program = compiled(tmp_path, PARSER, *options)
    calls, d1, d2 = of_trees(PARSER_TREE)
    profile = recorded(program, "ctp")
    assert tables(profile) == (calls, d1, d2)
    assert profile.ended == "exit"
    assert profile.threads == 1
    assert tables(recorded(program, "fc")) == (calls, {}, {})


@pytest.mark.parametrize("options", [("-O2",), ("-O2", "-finstrument-functions")], ids=["sleds", "hooks"])
def test_the_program_runs_as_without_it(tmp_path, options):
    program = compiled(tmp_path, PARSER, *options)
    plain = subprocess.run([program], capture_output=True)
    assert plain.stdout == b"3.0 5.0\n"
    for mode in ("fc", "ctp", "off"):
        done, files = run(program, mode)
        assert (done.returncode, done.stdout, done.stderr) == (7, plain.stdout, plain.stderr)
        assert len(files) == (mode != "off")


def test_the_same_run_twice_is_the_same_profile(tmp_path):
    program = compiled(tmp_path, PARSER, "-O2")
    first, second = recorded(program, "ctp"), recorded(program, "ctp")
    assert tables(first) == tables(second)
    assert first.build == second.build
    assert first.build == {"program": check_program(program).build}


ENDING = """
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
KEPT void fail(const char* how) {
  switch (how[0]) {
    case 'k': raise(SIGKILL); break;
    case 's': *(volatile int*)0 = 1; break;
    case 'a': abort();
    case '_': _exit(3);
    case 'e': exit(3);
  }
  STAY;
}
KEPT void inner(const char* how) { fail(how); STAY; }
KEPT void fine(void) { STAY; }
int main(int n, char** words) { fine(); inner(words[1]); STAY; return 0; }
"""


@pytest.mark.parametrize("options", [("-O2",), ("-O2", "-finstrument-functions")], ids=["sleds", "hooks"])
@pytest.mark.parametrize(
    ("how", "code", "ended"),
    [
        ("kill", -signal.SIGKILL, "open"),
        ("segfault", -signal.SIGSEGV, "open"),
        ("abort", -signal.SIGABRT, "open"),
        ("_exit", 3, "exit"),
        ("exit", 3, "exit"),
    ],
)
def test_no_end_loses_anything(tmp_path, how, code, ended, options):
    program = compiled(tmp_path, ENDING, *options)
    wanted = of_trees(("main", ("fine",), ("inner", ("fail",))))
    done, files = run(program, "ctp", how)
    assert done.returncode == code
    profile = read_profile(files[0])
    assert tables(profile) == wanted
    assert profile.ended == ended
    assert tables(recorded(program, "fc", how))[0] == wanted[0]
    check_watched(program, profile, how)


def test_killed_from_outside_at_any_moment(tmp_path):
    source = """
    #include <unistd.h>
    KEPT int leaf(int n) { STAY; return n; }
    KEPT int middle(int n) { int s = leaf(n); if (n % 3 == 0) s += leaf(s); STAY; return s; }
    int main(void) {
      volatile int s = middle(0);
      if (write(1, "!", 1) != 1) return 1;
      for (;;) s += middle(s & 1023);
    }
    """
    program = compiled(tmp_path, source, "-O2")
    for moment in (0.01, 0.02, 0.03):
        _, files = run(program, "ctp", kill_after=moment)
        profile = read_profile(files[0])
        calls, d1, _ = tables(profile)
        assert set(d1) == {("main", frozenset({"middle"})), ("middle", frozenset({"leaf"})),
                           ("middle", frozenset()), ("leaf", frozenset())} - (
            {("middle", frozenset())} if d1["middle", frozenset()] == 0 else set())  # fmt: skip
        assert calls["main"] == 1
        assert calls["middle"] - 1 <= calls["leaf"] <= 2 * calls["middle"]
        assert profile.ended == "open"


def test_a_forked_child_has_a_profile_of_its_own(tmp_path):
    source = """
    #include <sys/wait.h>
    #include <unistd.h>
    KEPT void before(void) { STAY; }
    KEPT void helped(void) { STAY; }
    KEPT void child(void) { helped(); helped(); STAY; }
    KEPT void parent(void) { STAY; }
    KEPT void forks(void) { if (fork() == 0) { child(); _exit(0); } wait(0); parent(); STAY; }
    int main(void) { before(); forks(); return 0; }
    """
    program = compiled(tmp_path, source, "-O2")
    for mode in ("ctp", "fc"):
        _, files = run(program, mode)
        ours, childs = map(read_profile, files)
        wanted = of_trees(("main", ("before",), ("forks", ("parent",))))
        of_child = of_trees(("child", ("helped",), ("helped",)))
        if mode == "fc":
            wanted, of_child = (wanted[0], {}, {}), (of_child[0], {}, {})
        assert tables(ours) == wanted
        assert tables(childs) == of_child
        assert ours.pid != childs.pid
        assert ours.build == childs.build
    patterns = [
        ("count", "program!helped"),
        ("inside", "program!child", "program!helped"),
        ("inside", "program!main", "program!forks"),
        ("inside", "program!forks", "program!child"),
    ]
    plan = "".join("\t".join((str(n), *pattern)) + "\n" for n, pattern in enumerate(patterns))
    _, files = run(program, "watch", plan=plan)
    assert [read_counts(file).values for file in files] == [(0, 0, 1, 0), (2, 1, 0, 0)]


THREADS = """
#include <pthread.h>
#include <stddef.h>
KEPT void leaf(void) { STAY; }
KEPT void odd(void) { leaf(); leaf(); STAY; }
KEPT void even(void) { STAY; }
KEPT void* work(void* n) {
  for (long i = 0; i < 50000; ++i) { if ((i + (long)n) % 2) odd(); else even(); }
  return NULL;
}
int main(void) {
  pthread_t threads[4];
  for (int round = 0; round < 3; ++round) {
    for (long i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  }
  return 0;
}
"""


@pytest.mark.parametrize("options", [("-O2",), ("-O2", "-finstrument-functions")], ids=["sleds", "hooks"])
def test_threads_are_counted_together(tmp_path, options):
    program = compiled(tmp_path, THREADS, *options, "-pthread")
    calls = {"main": 1, "work": 12, "odd": 300000, "even": 300000, "leaf": 600000}
    for mode in ("fc", "ctp"):
        profile = recorded(program, mode)
        assert tables(profile)[0] == calls
        assert profile.threads == 13
    assert tables(profile)[1] == {
        ("main", frozenset()): 1, ("work", frozenset({"odd", "even"})): 12,
        ("odd", frozenset({"leaf"})): 300000, ("even", frozenset()): 300000, ("leaf", frozenset()): 600000,
    }  # fmt: skip
    check_watched(program, profile)


def test_deep_recursion(tmp_path):
    source = """
    #include <signal.h>
    KEPT int down(int n) { int s = n ? down(n - 1) : 0; STAY; return s + 1; }
    int main(int n, char** words) { int s = down(150000) != 150001; if (n > 1) raise(SIGKILL); return s; }
    """
    program = compiled(tmp_path, source, "-O2")
    for more in ((), ("killed",)):
        calls, d1, _ = tables(recorded(program, "ctp", *more))
        assert calls == {"main": 1, "down": 150001}
        assert d1["down", frozenset({"down"})] == 150000
        assert d1["down", frozenset()] == 1


EXCEPTIONS = """
#include <cstdio>
#include <stdexcept>
extern "C" {
KEPT void thrower(int deep) { if (deep) thrower(deep - 1); else throw std::runtime_error("no"); STAY; }
KEPT void after(int) { STAY; }
KEPT void cleaned(int) { STAY; }
struct Guard { ~Guard() { cleaned(1); } };
KEPT void passes() { Guard guard; thrower(2); STAY; }
KEPT void catches() { try { passes(); } catch (const std::exception& e) { after(1); } after(2); STAY; }
}
int main() { for (int i = 0; i < 3; ++i) catches(); after(0); return 0; }
"""
EXCEPTION_TREE = (
    "main",
    *(("catches", ("passes", ("thrower", ("thrower", ("thrower",))), ("cleaned",)), ("after",), ("after",)),)
    * 3,
    ("after",),
)


@pytest.mark.parametrize("options", [("-O2",), ("-O1", "-finstrument-functions")], ids=["sleds", "hooks"])
def test_exceptions_through_frames(tmp_path, options):
    program = compiled(tmp_path, EXCEPTIONS, *options, language="cpp")
    found = tables(recorded(program, "ctp"))
    if (
        "-O2" not in options
    ):  # the hooks also see the functions of the standard library that were compiled along
        found = tuple(type(t)({k: n for k, n in t.items() if "_Z" not in str(k)}) for t in found)
        assert found[0] == of_trees(EXCEPTION_TREE)[0]
        return
    assert found == of_trees(EXCEPTION_TREE)


@pytest.mark.parametrize("options", [("-O2",), ("-O2", "-finstrument-functions")], ids=["sleds", "hooks"])
def test_longjmp_out_of_frames(tmp_path, options):
    source = """
    #include <setjmp.h>
    static jmp_buf place;
    KEPT void jumps(int n) { if (n) jumps(n - 1); else longjmp(place, 1); STAY; }
    KEPT void fine(void) { STAY; }
    KEPT void tries(void) { if (setjmp(place) == 0) jumps(3); fine(); STAY; }
    int main(void) { for (int i = 0; i < 5; ++i) tries(); fine(); return 0; }
    """
    program = compiled(tmp_path, source, *options)
    tries = ("tries", ("jumps", ("jumps", ("jumps", ("jumps",)))), ("fine",))
    assert tables(recorded(program, "ctp")) == of_trees(("main", *(tries,) * 5, ("fine",)))


def test_a_call_from_code_that_is_not_recorded_has_no_parent(tmp_path):
    source = """
    #include <signal.h>
    #include <stdlib.h>
    KEPT void note(void) { STAY; }
    KEPT int order(const void* a, const void* b) { note(); return *(const int*)a - *(const int*)b; }
    KEPT void sorts(void) { int v[] = {2, 1}; qsort(v, 2, sizeof v[0], order); note(); STAY; }
    KEPT void handler(int number) { note(); STAY; }
    KEPT void other(int number) { note(); STAY; }
    int main(void) {
      static char space[65536];
      stack_t stack = {.ss_sp = space, .ss_size = sizeof space};
      struct sigaction apart = {.sa_handler = other, .sa_flags = SA_ONSTACK};
      sorts();
      signal(SIGUSR1, handler);
      raise(SIGUSR1);
      sigaltstack(&stack, NULL);
      sigaction(SIGUSR2, &apart, NULL);
      raise(SIGUSR2);
      sorts();
      return 0;
    }
    """
    program = compiled(tmp_path, source, "-O2")
    profile = recorded(program, "ctp")
    sorts = ("sorts", ("note",))
    # The handler on a stack of its own counts, but of its children nobody knows.
    order, handler = ("order", ("note",)), ("handler", ("note",))
    wanted = of_trees(("main", sorts, sorts), order, order, handler, ("other",), ("note",))
    assert tables(profile) == wanted
    check_watched(program, profile)
