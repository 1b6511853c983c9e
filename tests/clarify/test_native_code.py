"""Native programs as compilers and linkers make them: libraries, templates, stripped files, moved code."""

from __future__ import annotations

import random
import subprocess

import pytest
from native_programs import (
    KEPT,
    NEEDS_GCC,
    PARSER,
    PARSER_TREE,
    check_watched,
    compiled,
    of_trace,
    of_trees,
    recorded,
    run,
    tables,
    watched,
)

from thriftwood.clarify.native import NativeProgramError, check_program
from thriftwood.clarify.profile import ProfileError
from thriftwood.clarify.reading import read_profile

pytestmark = NEEDS_GCC


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
    with pytest.raises(NativeProgramError, match="`thriftwood clarify flags` prints, -fpatchable-f"):
        check_program(compiled(tmp_path, PARSER, "-fno-plain"))
    with pytest.raises(NativeProgramError, match="linked statically"):
        check_program(compiled(tmp_path, PARSER, "-static"))
    program = compiled(tmp_path, PARSER)
    program.chmod(0o4755)
    with pytest.raises(NativeProgramError, match="changes its user"):
        check_program(program)


def test_a_plan_that_cannot_be_followed_is_said_so(tmp_path):
    program = compiled(tmp_path, PARSER)
    too_many = [("inside", "program!main", f"program!f{i}") for i in range(65)]
    with pytest.raises(ProfileError, match="the plan could not be followed"):
        watched(program, too_many)
    assert watched(program, too_many[:64]).values == (0,) * 64
    assert watched(program, [("count", "program!none")]).found == frozenset()


@pytest.mark.parametrize("options", [("-O0",), ("-O2",), ("-O2", "-fomit-frame-pointer")], ids=" ".join)
def test_functions_that_take_room_on_the_stack_as_they_run(tmp_path, options):
    source = """
    #include <alloca.h>
    KEPT void odd(int n) { STAY; }
    KEPT void even(int n) { STAY; }
    KEPT void room(int n) {
      if (n > 0) room(n - 1);
      volatile char* space = alloca(600 * (1 + n % 3));  /* the call before leaves its return address above */
      space[0] = 1;
      if (n % 2) odd(n); else even(n);
      STAY;
    }
    int main(void) { for (int i = 0; i < 9; ++i) room(i); return 0; }
    """

    def tree(n):
        own = ("odd",) if n % 2 else ("even",)
        return ("room", tree(n - 1), own) if n else ("room", own)

    program = compiled(tmp_path, source, *options)
    profile = recorded(program, "ctp")
    assert tables(profile) == of_trees(("main", *map(tree, range(9))))
    check_watched(program, profile)
