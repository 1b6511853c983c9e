"""Native programs: what is recorded is what happened, whatever happened."""

from __future__ import annotations

import random
import signal
import subprocess

import pytest
from native_programs import (
    KEPT,
    NEEDS_GCC,
    all_patterns,
    compiled,
    of_trace,
    of_trees,
    recorded,
    run,
    tables,
    watched,
)

from thriftwood.clarify.native import NativeProgramError, check_program
from thriftwood.clarify.reading import read_counts, read_profile

pytestmark = NEEDS_GCC

PARSER = """
#include <stdio.h>
#include <stdlib.h>
KEPT void mistake(int x) { STAY; }
KEPT double parse(double value, int bad) { if (bad) { mistake(1); mistake(2); } STAY; return value * 2; }
KEPT void report(void) { mistake(3); STAY; }
int main(void) {
  printf("%.1f ", parse(1.5, 0));
  printf("%.1f\\n", parse(2.5, 1));
  report();
  fprintf(stderr, "done\\n");
  return 7;
}
"""
PARSER_TREE = (
    "main",
    ("parse",),
    ("parse", ("mistake",), ("mistake",)),
    ("report", ("mistake",)),
)
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
    KEPT int leaf(int n) { STAY; return n; }
    KEPT int middle(int n) { int s = leaf(n); if (n % 3 == 0) s += leaf(s); STAY; return s; }
    int main(void) { volatile int s = 0; for (;;) s += middle(s & 1023); }
    """
    program = compiled(tmp_path, source, "-O2")
    for moment in (0.01, 0.02, 0.03):
        _, files = run(program, "ctp", seconds=moment)
        profile = read_profile(files[0])
        calls, d1, _ = tables(profile)
        assert set(d1) == {("main", frozenset({"middle"})), ("middle", frozenset({"leaf"})),
                           ("middle", frozenset()), ("leaf", frozenset())} - (
            {("middle", frozenset())} if d1["middle", frozenset()] == 0 else set())  # fmt: skip
        assert calls["main"] == 1
        assert calls["middle"] <= calls["leaf"] + 1 <= 2 * calls["middle"] + 2
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


@pytest.mark.parametrize("stripped", [False, True])
def test_templates_and_inline_functions_of_several_files(tmp_path, stripped):
    (tmp_path / "shared.hpp").write_text(
        KEPT
        + """
    template <int N> KEPT int made(int x) { STAY; return x + N; }
    inline KEPT int both(int x) { int s = made<1>(x); STAY; return s + 1; }
    """
    )
    others = []
    for name in ("one", "two", "three"):
        text = f'#include "shared.hpp"\nint {name}(int x) {{ return made<2>(both(x)); }}\n'
        (tmp_path / f"{name}.cpp").write_text(text)
        others.append(str(tmp_path / f"{name}.cpp"))
    source = '#include "shared.hpp"\nint one(int); int two(int); int three(int);' \
             "int main() { return one(1) + two(both(2)) + three(3) - 29; }"  # fmt: skip
    program = compiled(tmp_path, source, "-O2", *others, f"-I{tmp_path}", language="cpp")
    if stripped:
        subprocess.run(["strip", program], check=True)
    both = ("both", ("made<1>",))
    each = [(name, both, ("made<2>",)) for name in ("one", "two", "three")]
    wanted = of_trees(("main", both, *each))
    profile = recorded(program, "ctp")
    found = tables(profile)
    assert [sorted(table.values()) for table in found] == [sorted(table.values()) for table in wanted]
    if not stripped:
        assert found[0] == {"main": 1, "_Z3onei": 1, "_Z3twoi": 1, "_Z5threei": 1, "_Z4bothi": 4,
                            "_Z4madeILi1EEii": 4, "_Z4madeILi2EEii": 3}  # fmt: skip
    check_watched(program, profile)


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


def test_libraries_are_recorded_too(tmp_path):
    library = """
    KEPT void made(void) { STAY; }
    __attribute__((constructor)) void first(void) { made(); STAY; }
    KEPT int inside(int n) { STAY; return n; }
    int shared(int n) { return inside(n) + inside(1); }
    """
    source = """
    int shared(int);
    KEPT int ours(int n) { int s = shared(n); STAY; return s; }
    int main(void) { return ours(1) + shared(2) - 5; }
    """
    compiled(tmp_path, library, "-O2", "-shared", "-fPIC", name="libpart.so")
    program = compiled(tmp_path, source, "-O2", f"-L{tmp_path}", f"-Wl,-rpath,{tmp_path}", "-l:libpart.so")
    profile = recorded(program, "ctp")
    shared = ("shared", ("inside",), ("inside",))
    assert tables(profile) == of_trees(("first", ("made",)), ("main", ("ours", shared), shared))
    assert "libpart.so!shared" in profile.calls
    assert set(profile.build) == {"program", "libpart.so"}
    assert tables(recorded(program, "fc"))[0] == tables(profile)[0]
    check_watched(program, profile)


def test_a_library_that_is_loaded_late(tmp_path):
    library = "KEPT int inner(int n) { STAY; return n; } int outer(int n) { return inner(n) + 1; }"
    source = """
    #include <dlfcn.h>
    int main(int n, char** words) {
      void* part = dlopen(words[1], RTLD_NOW);
      int (*outer)(int) = (int (*)(int))dlsym(part, "outer");
      return outer(2) + outer(3) - 7;
    }
    """
    late = compiled(tmp_path, library, "-O2", "-shared", "-fPIC", name="liblate.so")
    program = compiled(tmp_path, source, "-O2", "-ldl")
    wanted = of_trees(("main", *(("outer", ("inner",)),) * 2))
    profile = recorded(program, "ctp", str(late))
    assert tables(profile) == wanted
    assert tables(recorded(program, "fc", str(late)))[0] == wanted[0]
    check_watched(program, profile, str(late))


def test_functions_of_one_name_are_told_apart(tmp_path):
    (tmp_path / "second.c").write_text(
        "static __attribute__((noinline, noclone, noipa)) void helper(int n) { __asm__ volatile(\"\"); }"
        "void second(void) { helper(1); helper(2); __asm__ volatile(\"\"); }"
    )  # fmt: skip
    source = "void second(void); static KEPT void helper(int n) { STAY; }" \
             "int main(void) { helper(1); second(); return 0; }"  # fmt: skip
    program = compiled(tmp_path, source, "-O2", str(tmp_path / "second.c"))
    profile = recorded(program, "ctp")
    assert sorted(profile.calls.values()) == [1, 1, 1, 2]
    assert {"program!helper", "program!helper#2"} <= set(profile.calls)
    check_watched(program, profile)


def test_a_stripped_program_goes_by_offsets(tmp_path):
    program = compiled(tmp_path, PARSER, "-O2")
    subprocess.run(["strip", program], check=True)
    profile = recorded(program, "ctp")
    assert all(name.startswith("program!+") for name in profile.calls)
    wanted = of_trees(PARSER_TREE)
    assert [sorted(t.values()) for t in tables(profile)] == [sorted(t.values()) for t in wanted]
    check_watched(program, profile)


def test_parts_of_a_function_that_the_compiler_moved_away(tmp_path):
    source = """
    #include <stdlib.h>
    KEPT __attribute__((cold)) void failed(int n) { STAY; }
    KEPT int work(int n) { STAY; if (n > 2) { failed(n); failed(n + 1); STAY; return -1; } return n; }
    int main(int n, char** words) { int s = 0; for (int i = 0; i < 5; ++i) s += work(i * n); return s == 77; }
    """
    program = compiled(tmp_path, source, "-O2")
    symbols = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    assert "work.cold" in symbols
    profile = recorded(program, "ctp")
    failed = ("work", ("failed",), ("failed",))
    assert tables(profile) == of_trees(("main", ("work",), ("work",), ("work",), failed, failed))
    check_watched(program, profile)


def test_a_call_that_never_returns(tmp_path):
    source = """
    #include <stdlib.h>
    KEPT void last(int n) { exit(n); }
    KEPT void fails(int n) { last(n); }
    KEPT void next(void) { STAY; }
    int main(int n, char** words) { if (n > 0) fails(3); next(); return 0; }
    """
    program = compiled(tmp_path, source, "-O2")
    profile = recorded(program, "ctp")
    assert tables(profile) == of_trees(("main", ("fails", ("last",))))
    check_watched(program, profile)


def check_watched(program, profile, *arguments):
    """Watching any pattern counts what follows from the tables of recording everything."""
    patterns = all_patterns(profile)
    # An activation has room for 64 marks, so plans of some patterns each.
    listed = list(patterns)
    random.Random(0).shuffle(listed)
    for at in range(0, len(listed), 40):
        some = listed[at : at + 40]
        assert watched(program, some, *arguments).values == tuple(patterns[p] for p in some)


def random_program(seed: int) -> str:
    """A program of functions that call each other at random, and write down when they begin and end."""
    more = ", long b, long c, long d, long e, long g, long h, long i"  # on the stack in part
    draw = random.Random(seed)
    n = draw.randint(4, 9)
    static = "static " if seed % 2 else ""  # gcc may then use registers as it likes
    text = """
    #include <alloca.h>
    #include <setjmp.h>
    #include <stdio.h>
    #include <stdlib.h>
    static unsigned long key = 1; static int fuel = 3000; static char* log; static size_t used;
    #define QUIET __attribute__((noinline, patchable_function_entry(0), no_instrument_function))
    static QUIET unsigned draw(void) {
      key = key * 6364136223846793005ul + 1442695040888963407ul;
      return key >> 40;
    }
    static QUIET void put(char sign, const char* name) { used += sprintf(log + used, "%c%s\\n", sign, name); }
    #define BEGIN put('+', __func__)
    #define END put('-', __func__)
    static jmp_buf place; static int placed;
    """
    for f in range(n):
        wide = f % 3 == 1
        text += f"{static}KEPT long f{f}(long a{more if wide else ''});\n"
    for f in range(n):
        wide = f % 3 == 1
        text += f"{static}KEPT long f{f}(long a{more if wide else ''}) {{\n"
        text += "  BEGIN; long s = a; if (--fuel > 0 && a < 12) {\n"
        if draw.random() < 0.4:
            text += "  char* space = alloca(16 + draw() % 200); space[0] = (char)a; STAY; s += space[0];\n"
        for _ in range(draw.randint(0, 4)):
            g = draw.randrange(n)
            extra = ", s, 2, 3, 4, 5, 6, 7" if g % 3 == 1 else ""
            text += f"  if (draw() % {draw.randint(2, 4)}) s += f{g}(a + 1{extra});\n"
        if draw.random() < 0.3:
            text += "  if (placed && draw() % 5 == 0) { placed = 0; longjmp(place, 1); }\n"
        text += "  } STAY; END; return s; }\n"
    text += f"""
    int main(int count, char** words) {{
      log = malloc(1 << 22); key = strtoul(words[1], 0, 10);
      BEGIN;
      for (int i = 0; i < 5; ++i) {{
        placed = 1;
        if (setjmp(place) == 0) f0(0); else put('!', "main");
        placed = 0;
        f{n - 1}(0{", 1, 2, 3, 4, 5, 6, 7" if (n - 1) % 3 == 1 else ""});
      }}
      END;
      fwrite(log, 1, used, stdout);
      return 0;
    }}
    """
    return text


@pytest.mark.parametrize("seed", range(6))
def test_random_programs_against_their_own_trace(tmp_path, seed):
    options = (("-O2",), ("-O0",), ("-O3", "-no-pie"), ("-O1", "-fno-omit-frame-pointer"))[seed % 4]
    program = compiled(tmp_path, random_program(seed), *options)
    for key in ("1", "2", "3"):
        done, files = run(program, "ctp", key)
        assert done.returncode == 0
        profile = read_profile(files[0])
        assert tables(profile) == of_trace(done.stdout.decode())
        assert tables(recorded(program, "fc", key))[0] == tables(profile)[0]
    check_watched(program, profile, "3")


def test_programs_that_cannot_be_recorded_are_refused(tmp_path):
    with pytest.raises(NativeProgramError, match="Compile it with gcc -fpatchable-function-entry=8"):
        check_program(compiled(tmp_path, PARSER, "-fno-plain"))
    with pytest.raises(NativeProgramError, match="linked statically"):
        check_program(compiled(tmp_path, PARSER, "-static"))
    program = compiled(tmp_path, PARSER)
    program.chmod(0o4755)
    with pytest.raises(NativeProgramError, match="changes its user"):
        check_program(program)
