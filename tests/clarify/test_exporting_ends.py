"""Exported C in programs of any kind: small stacks of threads, every way to end, and the words for it."""

import subprocess
from dataclasses import replace
from textwrap import dedent

import pytest
from clarify.test_strangers import by_hand
from native_programs import compiled_files, skip_without

from thriftwood.clarify import Ending, Model, Plan, diagnose, learn, signs_of
from thriftwood.clarify.commands import Ran
from thriftwood.clarify.exporting import export_c
from thriftwood.clarify.learning import named_counts
from thriftwood.clarify.native import link_flags
from thriftwood.clarify.patterns import Pattern, Sign
from thriftwood.clarify.profile import Profile
from thriftwood.learning import CostTreeClassifier

ENDS = """
    #include <signal.h>
    #include <stdlib.h>
    #define KEPT __attribute__((noinline))
    KEPT int few(int n) { return n + 1; }
    KEPT int many(int n) { return n * 3; }
    KEPT int never(int n) { return n - 7; }
    int main(int n, char** words) {
      int i, sum = 0, mode = atoi(words[1]), code = atoi(words[2]);
      for (i = 0; i < mode; ++i) sum += mode < 50 ? few(i) : many(i);
      if (n > 3) sum += never(sum);
      if (code < 0) raise(-code);
      exit(sum == 12345 ? 7 : code);
    }
"""
THREAD = """
    #include <pthread.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #define KEPT __attribute__((noinline))
    KEPT int few(int n) { return n + 1; }
    KEPT int many(int n) { return n * 3; }
    KEPT int never(int n) { return n - 7; }
    KEPT int deep(int n) { return n > 0 ? deep(n - 1) + few(n) : 1; }
    static size_t used;
    static int depth;
    static void* go(void* nothing) {
      volatile char* const room = used ? __builtin_alloca(used) : 0;
      size_t i;
      for (i = 0; i < used; ++i) room[i] = 1;
      if (depth) deep(depth);
      return nothing;
    }
    int main(int n, char** words) {
      pthread_t thread;
      pthread_attr_t how;
      int problem;
      used = (size_t)atoi(words[2]) * 1024;
      depth = atoi(words[3]);
      few(3), many(0), deep(n > 4 ? atoi(words[4]) : 0);
      pthread_attr_init(&how);
      pthread_attr_setstacksize(&how, (size_t)atoi(words[1]) * 1024);
      problem = pthread_create(&thread, &how, go, 0);
      if (problem) return fprintf(stderr, "%s\\n", strerror(problem)), 9;
      pthread_join(thread, 0);
      puts("the thread ran");
      return 3;
    }
"""


TELLS_ITSELF = """
    #include "explain.c"
    #include <stdio.h>
    __attribute__((noinline)) int few(int n) { return n + 1; }
    __attribute__((noinline)) int many(int n) { return n * 3; }
    int main(int n, char** words) {
      struct explain_diagnosis found;
      int i, sum = 0;
      for (i = 0; i < 9; ++i) sum += few(i) + (n > 8 ? many(i) : 0);
      if (explain_diagnose(3, 0, &found)) printf("%s: %s", found.label, found.percent);
      else printf("nothing: %s", found.trouble);
      return sum == 12345;
    }
"""


THROWS = """
    #include <stdlib.h>
    #define KEPT extern "C" __attribute__((noinline))
    KEPT int few(int n) { return n + 1; }
    KEPT int many(int n) { return n * 3; }
    KEPT int deep(int n) { int sum = few(n); if (sum < 3) throw sum; return deep(n - 1) + sum; }
    int main(int n, char** words) {
      try { if (atoi(words[1])) many(deep(9)); } catch (int) { many(1); }
      return 3;
    }
"""


@pytest.fixture(scope="module", params=("gcc", "clang"))
def compiler(request):
    skip_without(request.param)
    return request.param


def compiled(compiler, folder, source, model, *options):
    folder.mkdir(exist_ok=True)
    (folder / "program.c").write_text(dedent(source))
    (folder / "explain.c").write_text(export_c(model))
    return compiled_files(compiler, folder, "program.c", "explain.c", options=("-O1", "-pthread", *options))


def ran(*words):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("stack", "used"), [(64, 0), (256, 160), (32, 8)])
def test_threads_have_the_stack_that_they_asked_for(compiler, tmp_path, stack, used):
    program = compiled(compiler, tmp_path, THREAD, by_hand("program!never"))
    done = ran(program, stack, used, 0)
    assert (done.returncode, done.stdout) == (3, "the thread ran\n")


def following():
    """A model that follows activations of `deep`."""
    plan = Plan((Pattern("inside", ("program!deep", "program!few")), Pattern("count", ("program!many",))))
    names = [str(one) for one in plan.patterns]
    tree = CostTreeClassifier().fit(named_counts(names, [(0, 0), (9, 1)] * 5), ["none", "some"] * 5).tree_
    return Model(tree, plan, kind="native")


def test_threads_are_followed_on_small_stacks(compiler, tmp_path):
    program = compiled(compiler, tmp_path, THREAD, following(), "-Dexplain_WHY", "-Dexplain_THREADS")
    assert ran(program, 64, 16, 0).stderr.startswith("Probably: none\n(none")
    assert ran(program, 64, 16, 200).stderr.startswith("some\n(some")
    # The first thread has more room, which takes nothing of any stack.
    assert ran(program, 64, 16, 0, 4000).stderr.startswith("some\n(some")


def counting():
    """A model that is 5 of 8 sure of "no": between 62 and 63 %."""
    plan = Plan((Pattern("count", ("program!few",)), Pattern("count", ("program!many",))))
    rows, labels = [(0, 0)] * 6 + [(9, 0)] * 6, ["no"] * 4 + ["yes"] * 8
    tree = CostTreeClassifier().fit(named_counts([str(one) for one in plan.patterns], rows), labels).tree_
    return Model(tree, plan, kind="native")


def test_confidence_is_rounded_as_by_the_library(compiler, tmp_path):
    model = counting()
    sure = diagnose(model, [0, 0]).confidence
    assert (sure, f"{sure:.0%}") == (0.625, "62%")
    done = ran(compiled(compiler, tmp_path, ENDS, model, "-Dexplain_WHY"), 0, 3)
    assert done.stderr.endswith("(no, confidence 62%)\n")


def test_a_label_that_is_doubted_is_named(compiler, tmp_path):
    model = replace(counting(), endings={"no": {"exit 1": 6}, "yes": {"exit 1": 6}}, messages={"no": "None."})
    done = ran(compiled(compiler, tmp_path, ENDS, model, "-Dexplain_WHY"), 0, 3)
    assert done.stderr.endswith("What was seen is most like: None.\n(most like: no)\n")


def test_depth_of_threads_can_be_chosen(compiler, tmp_path):
    done = ran(compiled(compiler, tmp_path / "few", THREAD, following()), 512, 0, 300)
    assert done.returncode == 3
    assert done.stderr == (
        "Nothing can be said about this failure: calls lie deeper than is followed in a thread "
        "(-Dexplain_THREAD_DEEPEST)\n"
    )
    more = compiled(compiler, tmp_path / "more", THREAD, following(), "-Dexplain_THREAD_DEEPEST=400")
    assert ran(more, 512, 0, 300).stderr == "some\n"


def test_a_status_counts_as_what_the_program_ends_with(compiler, tmp_path):
    program = compiled(compiler, tmp_path, ENDS, by_hand("program!never"))
    assert (ran(program, 7, 256).returncode, ran(program, 7, 256).stderr) == (0, "")
    assert (ran(program, 7, 259).returncode, ran(program, 7, 259).stderr) == (3, "few\n")


def test_a_program_that_asks_is_told_nothing_while_it_is_recorded(compiler, tmp_path, monkeypatch):
    """What is not counted then was taken for what had not happened."""
    (tmp_path / "explain.c").write_text(export_c(counting()))
    (tmp_path / "program.c").write_text(dedent(TELLS_ITSELF))
    program = compiled_files(compiler, tmp_path, "program.c", options=("-O1",))
    assert ran(program).stdout == f"yes: {diagnose(counting(), [9, 0]).confidence:.0%}"
    monkeypatch.setenv("THRIFTWOOD_CLARIFY_DIR", str(tmp_path))
    assert ran(program).stdout == "nothing: it is being recorded, or watched from outside"


def test_a_compiler_of_cplusplus_takes_it_too(tmp_path):
    """It compiles a .c file as C++, where functions have other names for the linker."""
    skip_without("g++")
    (tmp_path / "program.cpp").write_text(dedent(THROWS))
    (tmp_path / "explain.c").write_text(export_c(following()))
    options = ("-O1", "-Wno-missing-field-initializers", *link_flags())
    program = compiled_files("g++", tmp_path, "program.cpp", "explain.c", options=options)
    assert [ran(program, n).stderr for n in (0, 9)] == ["Probably: none\n", "some\n"]


@pytest.mark.parametrize("code", [1, 3, 7])
def test_of_close_causes_the_one_is_named_whose_runs_ended_so(compiler, tmp_path, code):
    plan = Plan((Pattern("count", ("program!few",)),))
    labels = ["quit1", "quit3", "fine", "fine"] * 5
    tree = CostTreeClassifier().fit(
        named_counts([str(plan.patterns[0])], [(9,), (9,), (0,), (0,)] * 5), labels
    )
    endings = {"quit1": {"exit 1": 5}, "quit3": {"exit 3": 5}, "fine": {"exit 0": 10}}
    model = Model(tree.tree_, plan, {"quit3": "It gave up."}, kind="native", endings=endings)
    said = diagnose(model, [9], Ending(code)).said
    assert ("Or: It gave up." in said) == (code != 7)
    assert ran(compiled(compiler, tmp_path, ENDS, model), 9, code).stderr == f"{said}\n"


ENDINGS = {
    "both alike": {"few": {"exit 3": 10}, "many": {"exit 3": 10}},
    "each its own": {"few": {"exit 3": 9, "timeout": 1}, "many": {"signal 6": 8, "exit 0": 2}},
    "not known": {},
}


@pytest.mark.parametrize("in_doubt", [(), ("few",)], ids=["certain", "in doubt"])
@pytest.mark.parametrize("normal", [True, False], ids=["normal", "none"])
@pytest.mark.parametrize("endings", ENDINGS)
def test_it_says_what_the_library_says_of_every_ending(compiler, tmp_path, endings, normal, in_doubt):
    model = replace(by_hand("program!never"), endings=ENDINGS[endings], in_doubt=in_doubt)
    if not normal:
        model = replace(model, normal=None)
    program = compiled(compiler, tmp_path, ENDS, model, "-Dexplain_ALWAYS")
    heard = set()
    for mode in (7, 60):
        for code in (0, 3, 77, -6, -11):
            for more in ((), ("x",)):
                done = ran(program, mode, code, *more)
                assert done.returncode == code
                counts = [mode * (mode < 50), mode * (mode > 50), len(more)]
                shown = signs_of(Ran(code, False, 0.1, "", ""))
                assert done.stderr == f"{diagnose(model, counts, Ending(code), shown).said}\n"
                heard.add(done.stderr)
    assert len(heard) >= 2


def test_endings_that_are_learnt_from_are_odd_as_in_the_library(compiler, tmp_path):
    labels = ["few", "many"] * 20
    runs = [
        Profile(("program!main", f"program!{label}"), {"program!main": 1, f"program!{label}": 5 + k % 9})
        for k, label in enumerate(labels)
    ]
    codes = {"few": 3, "many": -6}
    signs = [signs_of(Ran(codes[label], False, 0.1, "", "")) for label in labels]
    learnt = learn(runs, labels, features="fc", signs=signs)
    endings = {"few": {"exit 3": 20}, "many": {"signal 6": 20}}
    model = Model.of(learnt, build={}, kind="native", messages={"few": "Too few."}, endings=endings)
    program = compiled(compiler, tmp_path, ENDS, model, "-Dexplain_ALWAYS")
    for code in (0, 3, 77, -6, -11):
        shown = signs_of(Ran(code, False, 0.1, "", ""))
        counts = model.plan.count(Profile(("program!few",), {"program!few": 7}))
        assert ran(program, 7, code).stderr == f"{diagnose(model, counts, Ending(code), shown).said}\n"


@pytest.mark.parametrize("strangers", [("libaid.so!other",), ("program!never", "libaid.so.1!other")])
def test_a_tree_of_signs_alone_is_exported_without_strangers_of_libraries(compiler, tmp_path, strangers):
    model = by_hand(*strangers)
    any_of = model.plan.patterns[-1:]
    ending = Sign("ending", "exit 3")
    rows = [(0, 0), (0, 1)] * 10
    names = [str(any_of[0]), str(ending)]
    tree = CostTreeClassifier().fit(named_counts(names, rows), ["many", "few"] * 10).tree_
    signs_alone = Model(tree, Plan(any_of), kind="native", endings=model.endings, signs=(ending,))
    program = compiled(compiler, tmp_path, ENDS, signs_alone)
    assert ran(program, 7, 3).stderr == "few\n"
