"""Native programs that do unusual things to the process they run in: they are recorded, and run as ever."""

from __future__ import annotations

import os
import resource
import subprocess
from functools import partial

import pytest
from native_programs import NEEDS_GCC, compiled, of_trees, recorded, run, tables

from thriftwood.clarify.native import FLAGS, preload_library
from thriftwood.clarify.profile import ProfileError
from thriftwood.clarify.reading import read_profile

pytestmark = NEEDS_GCC

DEEP = "KEPT int down(int n) { int s = n ? down(n - 1) : 0; STAY; return s + 1; }\n"


def test_registers_of_the_program_are_left_alone(tmp_path):
    source = """
    #include <stdarg.h>
    #include <stdio.h>
    typedef struct { double x, y; long n; } Point;
    KEPT double sum(double a, double b, double c, double d, double e, double f, double g, double h,
                    double i) {
      STAY; return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i;
    }
    KEPT long six(long a, long b, long c, long d, long e, long f) { STAY; return a - b * c + d * e - f; }
    KEPT double any(int n, ...) {
      va_list list; va_start(list, n); double s = 0;
      while (n--) s = s * 3 + va_arg(list, double);
      va_end(list); return s;
    }
    KEPT Point moved(Point p, double by) { p.x += by; p.y -= by; p.n++; STAY; return p; }
    static KEPT int small(int n) { STAY; return n * 3; }  /* gcc knows which registers it leaves alone */
    KEPT int uses(int n) { int s = 0; for (int i = 0; i < n; ++i) s += small(i) ^ s; return s; }
    int main(int n, char** words) {
      long add = n * 10;
      KEPT long nested(long k) { STAY; return k + add; }  /* finds main's variables by r10 */
      Point p = moved(moved((Point){1, 2, 3}, 0.5), 0.25);
      printf("%g %ld %g %g %g %ld %ld %d\\n", sum(1, 2, 3, 4, 5, 6, 7, 8, 9), six(1, 2, 3, 4, 5, 6),
             any(3, 1.0, 2.0, 3.0), p.x, p.y, p.n, nested(5), uses(20));
      return 0;
    }
    """
    for options in (("-O0",), ("-O2",), ("-O3", "-march=x86-64-v2")):
        program = compiled(tmp_path, source, *options)
        plain = subprocess.run([program], capture_output=True, check=True).stdout
        names = ["sum", "six", "any", "moved", "nested.0", "nested", "uses", "small", "main"]
        plan = "".join(f"{n}\tinside\tprogram!main\tprogram!{name}\n" for n, name in enumerate(names))
        for mode in ("fc", "ctp", "watch"):
            done, files = run(program, mode, plan=plan)
            assert done.stdout == plain
            assert len(files) == 1


def test_a_program_that_closes_its_files_and_goes_elsewhere(tmp_path):
    source = DEEP + """
    #include <stdlib.h>
    #include <unistd.h>
    int main(void) {
      if (chdir("/") != 0) return 1;
      for (int i = 3; i < 1024; ++i) close(i);
      return down(60000) != 60001;  /* the file has to grow */
    }
    """  # fmt: skip
    program = compiled(tmp_path, source, "-O2")
    (tmp_path / "here").mkdir()
    environment = {**os.environ, "LD_PRELOAD": str(preload_library()), "THRIFTWOOD_CLARIFY_MODE": "ctp",
                   "THRIFTWOOD_CLARIFY_DIR": "here"}  # fmt: skip
    subprocess.run([program], env=environment, cwd=tmp_path, check=True)
    (file,) = (tmp_path / "here").glob("*.profile")
    assert read_profile(file).calls["program!down"] == 60001


def test_where_nothing_can_be_written_the_program_runs_as_ever(tmp_path):
    program = compiled(tmp_path, "int main(void) { return 5; }")
    for more in ({"THRIFTWOOD_CLARIFY_DIR": str(tmp_path / "none")}, {"THRIFTWOOD_CLARIFY_DIR": ""}, {}):
        environment = {**os.environ, "LD_PRELOAD": str(preload_library()), "THRIFTWOOD_CLARIFY_MODE": "ctp"}
        done = subprocess.run([program], env=environment | more, capture_output=True)
        assert (done.returncode, done.stdout, done.stderr) == (5, b"", b"")


def test_little_address_space(tmp_path):
    source = DEEP + "int main(void) { return down(1000) != 1001; }"
    program = compiled(tmp_path, source, "-O2")
    (tmp_path / "p").mkdir()
    environment = {**os.environ, "LD_PRELOAD": str(preload_library()), "THRIFTWOOD_CLARIFY_MODE": "ctp",
                   "THRIFTWOOD_CLARIFY_DIR": str(tmp_path / "p")}  # fmt: skip
    limit = (200 << 20, 200 << 20)
    subprocess.run(
        [program],
        env=environment,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit),
    )
    (file,) = (tmp_path / "p").glob("*.profile")
    assert read_profile(file).calls["program!down"] == 1001


def test_programs_started_by_a_program(tmp_path):
    source = """
    #include <stdlib.h>
    #include <sys/wait.h>
    #include <unistd.h>
    KEPT void first(void) { STAY; }
    KEPT void second(void) { STAY; }
    KEPT void gone(void) { _exit(127); }
    int main(int n, char** words) {
      if (n > 2) { second(); return 0; }
      first();
      if (words[1][0] == 'v') {
        if (vfork() == 0) { execl("/no/such/program", "none", (char*)0); gone(); }
        wait(0);
        abort();
      }
      execl(words[0], words[0], words[1], "again", (char*)0);
      return 1;
    }
    """
    program = compiled(tmp_path, source, "-O2")
    done, files = run(program, "ctp", "exec")
    assert done.returncode == 0
    assert [tables(read_profile(file)) for file in files] == [
        of_trees(("main", ("first",))),
        of_trees(("main", ("second",))),
    ]
    # The child of a vfork is still its parent: that it ends does not end the parent.
    profile = recorded(program, "ctp", "vfork")
    assert profile.ended == "open"
    assert profile.calls["program!first"] == 1


def test_coroutines_have_stacks_of_their_own(tmp_path):
    source = """
    #include <ucontext.h>
    static ucontext_t back, there; static char space[65536];
    KEPT void leaf(void) { STAY; }
    KEPT void inner(void) { leaf(); STAY; }
    KEPT void routine(void) { inner(); swapcontext(&there, &back); inner(); STAY; }
    KEPT void outer(void) { leaf(); swapcontext(&back, &there); leaf(); STAY; }
    int main(void) {
      getcontext(&there);
      there.uc_stack.ss_sp = space; there.uc_stack.ss_size = sizeof space; there.uc_link = &back;
      makecontext(&there, routine, 0);
      outer(); outer();
      return 0;
    }
    """
    program = compiled(tmp_path, source, "-O2")
    outer = ("outer", ("leaf",), ("leaf",))
    alone = [("routine",), ("inner",), ("inner",), ("leaf",), ("leaf",)]
    assert tables(recorded(program, "ctp")) == of_trees(("main", outer, outer), *alone)


def test_a_library_that_comes_and_goes(tmp_path):
    library = """
    KEPT int low(int n) { STAY; return n + 1; }
    KEPT int mid(int n) { int s = low(n); STAY; return s; }
    int top(int n) { return mid(n) * 3; }
    """
    # Other code in the same place, of about the same size.
    other = (
        "".join(
            f"KEPT int o{k}(int n) {{ for (int i = 0; i < n; ++i) n ^= i * {k}; return n * {k} + 1; }}\n"
            for k in range(1, 10)
        )
        + "int all(int n) { return "
        + " + ".join(f"o{k}(n)" for k in range(1, 10))
        + "; }"
    )
    source = """
    #include <dlfcn.h>
    #include <pthread.h>
    #include <stdio.h>
    typedef int (*Function)(int);
    void* nothing(void* p) { return p; }
    KEPT int use(const char* path, const char* name, int stays) {
      void* part = dlopen(path, RTLD_NOW);
      int n = ((Function)dlsym(part, name))(50);
      if (stays) {
        pthread_t thread;
        pthread_create(&thread, 0, nothing, 0);  /* counters are locked from now on */
        pthread_join(thread, 0);
        n += ((Function)dlsym(part, name))(50);
      }
      printf("%p %d\\n", dlsym(part, name), n);
      dlclose(part);
      return n;
    }
    int main(int n, char** words) {
      for (int i = 0; i < 3; ++i) use(words[1], "top", 0);
      use(words[2], "all", 1);
      for (int i = 0; i < 3; ++i) { use(words[2], "all", 0); use(words[1], "top", 0); }
      return 0;
    }
    """
    late = compiled(tmp_path, library, "-O2", "-shared", "-fPIC", name="liblate.so")
    program = compiled(tmp_path, source, "-O2", "-ldl", "-pthread")
    for options in (("-fno-plain",), FLAGS):
        swapped = compiled(tmp_path, other, "-O2", "-shared", "-fPIC", *options, name="libother.so")
        words = (str(late), str(swapped))
        plain = subprocess.run([program, *words], capture_output=True, check=True).stdout
        for mode in ("fc", "ctp"):
            done, (file,) = run(program, mode, *words)
            assert done.returncode == 0
            assert [line.split()[1] for line in done.stdout.splitlines()] == [
                line.split()[1] for line in plain.splitlines()
            ]
            calls, d1, d2 = tables(read_profile(file))
            assert (calls["top"], calls["mid"], calls["low"], calls["use"]) == (6, 6, 6, 10)
            assert calls["o9"] == calls["all"] == (5 if options == FLAGS else 0)
            if mode == "ctp":
                assert d2["top", frozenset({("mid", frozenset({"low"}))})] == 6
                assert d1["use", frozenset({"top"})] == 6


def test_a_limit_for_files(tmp_path):
    # The calls afterwards find a recorder that has stopped with frames open.
    source = DEEP + "int main(void) { return down(60000) != 60001 || down(3) != 4; }"
    program = compiled(tmp_path, source, "-O2")
    for limit, files in ((16 << 10, 0), (256 << 10, 1)):
        folder = tmp_path / str(limit)
        folder.mkdir()
        environment = {**os.environ, "LD_PRELOAD": str(preload_library()), "THRIFTWOOD_CLARIFY_MODE": "ctp",
                       "THRIFTWOOD_CLARIFY_DIR": str(folder)}  # fmt: skip
        set_limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (limit, limit))
        subprocess.run([program], env=environment, check=True, preexec_fn=set_limit)
        assert len(list(folder.glob("*.profile"))) == files
    # What was recorded before the file was full is not taken for everything.
    with pytest.raises(ProfileError, match="there was no room"):
        read_profile(next(folder.glob("*.profile")))


def test_a_limit_for_memory(tmp_path):
    """Numbers of more than 512 functions need another page, which the program may not have any more."""
    functions = ["KEPT void f599(void) { STAY; }"]
    functions += [f"KEPT void f{k}(void) {{ f{k + 1}(); STAY; }}" for k in reversed(range(599))]
    source = (
        "#include <sys/resource.h>\n"
        + "\n".join(functions)
        + """
    int main(int n, char** words) {
      struct rlimit none = {4096, 4096};
      if (n > 1) setrlimit(RLIMIT_AS, &none);
      f0();
      return 3;
    }
    """
    )
    program = compiled(tmp_path, source, "-O1")
    done, (file,) = run(program, "ctp")
    assert (done.returncode, sum(read_profile(file).calls.values())) == (3, 601)
    done, (file,) = run(program, "ctp", "limited")
    assert done.returncode == 3
    with pytest.raises(ProfileError, match="there was no room"):
        read_profile(file)
