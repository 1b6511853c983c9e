"""The exported C says what the library says: counts, labels, how sure, and what is unknown."""

import subprocess
from dataclasses import replace
from itertools import permutations
from textwrap import dedent

import pytest
from clarify.test_watching import NATIVE, write_inputs
from native_programs import compiled_files, skip_without

from thriftwood.clarify import Command, Ending, Plan, pattern_table, record, train
from thriftwood.clarify.diagnosing import diagnose
from thriftwood.clarify.evidence import signs_of
from thriftwood.clarify.exporting import ExportError, export_c
from thriftwood.clarify.learning import named_counts
from thriftwood.clarify.model import Model
from thriftwood.clarify.native import KEEP_FLAGS
from thriftwood.clarify.patterns import Pattern
from thriftwood.learning import CostTreeClassifier

COMPILERS = ("gcc", "clang")
PRINTER = """
    #include <stdio.h>
    extern unsigned long long explain_counters[];
    __attribute__((destructor)) static void print_counters(void) {
      int i;
      for (i = 0; i < N; ++i) printf("%llu ", explain_counters[i]);
    }
"""
WITHOUT = ("message", "exception")
SPLIT = """
    static KEPT int leaf(int n) { return n * 3; }
    static KEPT int deep(int n) { return n > 0 ? deep(n - 1) + leaf(n) : 1; }
    static KEPT int other(int n) { return n % 2 ? leaf(n) : deep(n); }
    static KEPT int inner(int n) { return leaf(n) + other(n); }
    static KEPT int outer(int n) { return n > 3 ? inner(n) + other(n) : inner(n); }
    int main(int n, char** words) {
      int sum = 0, i;
      for (i = 0; i < atoi(words[1]); ++i) sum += outer(i) + (i % 3 ? other(i) : 0);
      return sum == 12345 ? 7 : 3;
    }
"""


@pytest.fixture(scope="module", params=COMPILERS)
def compiler(request):
    skip_without(request.param)
    return request.param


@pytest.fixture(scope="module")
def trained(compiler, tmp_path_factory):
    folder = tmp_path_factory.mktemp(compiler)
    (folder / "table.c").write_text(NATIVE)
    program = compiled_files(compiler, folder, "table.c")
    commands = [Command((program, str(path)), fault) for fault, path in write_inputs(folder, 8)]
    recording = record(folder / "rec", commands)
    return (
        folder,
        recording,
        train(recording, messages={"number": 'A "number" is wrong, ?? ü.'}, without=WITHOUT),
    )


def test_a_program_explains_itself_as_the_library_does(compiler, trained, tmp_path):
    folder, _, (model, learnt) = trained
    assert learnt.chosen.confirmed == 1.0
    (folder / "explain.c").write_text(export_c(model))
    options = ("-O1", "-Dexplain_WHY")
    program = compiled_files(compiler, folder, "table.c", "explain.c", options=options)
    (tmp_path / "table.c").write_text(NATIVE)
    plain = compiled_files(compiler, tmp_path, "table.c")
    fresh = write_inputs(tmp_path, 3, start=100)
    full = record(tmp_path / "rec", [Command((plain, str(path)), fault) for fault, path in fresh])
    for (fault, path), run, profile in zip(fresh, full.runs, full.profiles(), strict=True):
        ran = subprocess.run([program, str(path)], capture_output=True, text=True, check=False)
        found = diagnose(model, model.plan.count(profile), Ending(run.exit), signs_of(run.ran))
        assert (ran.returncode, found.label, found.unknown) == (1, fault, False)
        said = [found.said, f"({fault}, confidence {found.confidence:.0%})"]
        assert ran.stderr.splitlines() == ["bad file", *said]


def test_doubt_is_worded_as_the_library_words_it(compiler, trained, tmp_path):
    """Every other run of a cause gets another name, so that nothing tells the two apart."""
    folder, recording, _ = trained
    runs = [
        replace(run, label="digit" if run.label == "number" and place % 2 else run.label)
        for place, run in enumerate(sorted(recording.runs, key=lambda run: str(run.label)))
    ]
    texts = {"number": "A number is wrong.", "digit": 'A "digit" is missing.'}
    model = train(replace(recording, runs=tuple(runs)), messages=texts, without=WITHOUT, cv=4).model
    (folder / "explain.c").write_text(export_c(model))
    program = compiled_files(compiler, folder, "table.c", "explain.c")
    heard = set()
    for run, profile in zip(recording.runs, recording.profiles(), strict=True):
        ran = subprocess.run([program, run.command[1]], capture_output=True, text=True, check=False)
        found = diagnose(model, model.plan.count(profile), Ending(run.exit), signs_of(run.ran))
        assert ran.stderr == f"bad file\n{found.said}\n"
        heard.add(found.said)
    first, second = (f"{one}\nOr: {two}" for one, two in permutations(texts.values()))
    assert heard & {f"Perhaps: {first}", f"Perhaps: {second}"}


def test_every_kind_of_pattern_is_counted_as_by_the_library(compiler, tmp_path):
    source = "#include <stdlib.h>\n#define KEPT __attribute__((noinline))\n" + dedent(SPLIT)
    (tmp_path / "split.c").write_text(source)
    program = compiled_files(compiler, tmp_path, "split.c", options=("-O2", "-fno-optimize-sibling-calls"))
    recording = record(tmp_path / "rec", [Command((program, str(n)), str(n)) for n in (3, 9, 20)])
    profiles = list(recording.profiles())
    plan = Plan(tuple(pattern_table(profiles, "ctp").patterns))
    assert {pattern.kind for pattern in plan.patterns} >= {"count", "inside", "chain", "tree", "without"}
    names, rows = [str(one) for one in plan.patterns], [plan.count(profile) for profile in profiles]
    tree = CostTreeClassifier().fit(named_counts(names, rows), ["3", "9", "20"]).tree_
    model = Model(tree, plan, kind="native", endings={label: {"exit 3": 1} for label in ("3", "9", "20")})
    (tmp_path / "explain.c").write_text(export_c(model))
    (tmp_path / "printer.c").write_text(PRINTER.replace("N;", f"{len(plan.lines)};"))
    options = ("-O2", "-fno-optimize-sibling-calls")
    watched = compiled_files(compiler, tmp_path, "split.c", "explain.c", "printer.c", options=options)
    for n, row in zip((3, 9, 20), rows, strict=True):
        ran = subprocess.run([watched, str(n)], capture_output=True, text=True, check=False)
        assert plan.values([int(word) for word in ran.stdout.split()]) == row
        assert ran.stderr == f"Perhaps: {n}\n"


def test_functions_of_one_name_are_told_apart(compiler, tmp_path):
    """Each file has one of its own; profiles number them by address."""
    head = "#include <stdlib.h>\nint third(int n);\nint second(int n);\n"
    same = "__attribute__((noinline)) static int same(int n) { return n * %d + 1; }\n"
    bodies = {
        "program": "int main(int n, char** w) { int i, m = 0; for (i = 0; i < 3; ++i) m += same(i + n); "
        "return second(m) + third(atoi(w[1])) == 12345 ? 7 : 3; }\n",
        "second": "int second(int n) { return same(n) + same(n + 1); }\n",
        "third": "int third(int n) { return n ? same(n) : 0; }\n",
    }
    for number, (file, text) in enumerate(bodies.items()):
        (tmp_path / f"{file}.c").write_text(head + same % (number + 3) + text)
    files = [f"{file}.c" for file in bodies]
    program = compiled_files(compiler, tmp_path, *files)
    runs = record(tmp_path / "rec", [Command((program, n), f"n{n}") for n in "01"])
    plan = Plan(tuple(Pattern("count", (f"program!same{nth}",)) for nth in ("#3", "", "#2")))
    rows = [plan.count(profile) for profile in runs.profiles()]
    assert rows == [(0, 3, 2), (1, 3, 2)]
    tree = CostTreeClassifier().fit(named_counts([str(one) for one in plan.patterns], rows), ["a", "b"]).tree_
    (tmp_path / "explain.c").write_text(export_c(Model(tree, plan, kind="native")))
    (tmp_path / "printer.c").write_text(PRINTER.replace("N;", "3;"))
    watched = compiled_files(compiler, tmp_path, *files, "explain.c", "printer.c")
    for n, row in zip("01", rows, strict=True):
        ran = subprocess.run([watched, n], capture_output=True, text=True, check=False)
        assert tuple(map(int, ran.stdout.split())) == row


def test_crashes_and_ends_that_nobody_recorded(compiler, tmp_path):
    source = """
        #include <stdlib.h>
        __attribute__((noinline)) int often(int n) { return n + 1; }
        int main(int n, char** words) {
          int i, sum = 0, mode = atoi(words[1]);
          for (i = 0; i < mode; ++i) sum += often(i);
          if (mode > 50) abort();
          return mode > 40 ? 9 : mode > 0 ? 2 : sum;
        }
    """
    (tmp_path / "crash.c").write_text(dedent(source))
    program = compiled_files(compiler, tmp_path, "crash.c")
    runs = [Command((program, str(n)), "few" if n < 50 else "crash") for n in [*range(5, 15), *range(55, 65)]]
    # A run at the edge of its label is easily misplaced: of 20 runs these are more than one in twenty.
    model = train(record(tmp_path / "rec", runs), without=(*WITHOUT, "ending"), false_alarms=0.1).model
    assert model.plan.functions
    (tmp_path / "explain.c").write_text(export_c(model, name="why"))
    watched = compiled_files(compiler, tmp_path, "crash.c", "explain.c")
    said = {
        n: subprocess.run([watched, str(n)], capture_output=True, text=True, check=False)
        for n in (0, 7, 45, 60)
    }
    assert (said[0].returncode, said[0].stderr) == (0, "")
    assert (said[7].returncode, said[7].stderr) == (2, "few\n")
    assert (said[45].returncode, said[45].stderr) == (
        9,
        "This does not look like anything that was recorded.\n",
    )
    assert (said[60].returncode, said[60].stderr) == (-6, "crash\n")
    subprocess.run(["strip", watched], check=True)
    stripped = subprocess.run([watched, "7"], capture_output=True, text=True, check=False)
    assert stripped.returncode == 2
    assert stripped.stderr.startswith("Nothing can be said about this failure: it was stripped")


def test_models_that_cannot_be_compiled_in(trained):
    _, recording, (model, _) = trained
    talking = train(recording).model
    if talking.reads_message:
        with pytest.raises(ExportError, match="--without message --without exception"):
            export_c(talking)
    with pytest.raises(ExportError, match=r"thriftwood\.clarify\.explain"):
        export_c(Model(model.tree, model.plan, kind="python"))
    with pytest.raises(ExportError, match="letters, digits and underscores"):
        export_c(model, name="two words")


def test_small_functions_of_optimised_programs_are_kept(compiler, tmp_path):
    source = """
        #include <stdlib.h>
        static int small(int n) { return n * 3; }
        static int last(int n) { return n > 5 ? atoi("7") : small(n); }
        int main(int n, char** words) { return last(atoi(words[1])); }
    """
    (tmp_path / "small.c").write_text(dedent(source))
    seen = {}
    for kept, options in ((False, ("-O2",)), (True, ("-O2", *KEEP_FLAGS)), (None, ("-O0",))):
        program = compiled_files(compiler, tmp_path, "small.c", options=options)
        recording = record(tmp_path / f"rec-{kept}", [Command((program, "2"), "x")])
        (profile,) = recording.profiles()
        seen[kept] = {name.partition("!")[2].partition(".")[0]: n for name, n in profile.calls.items()}
    assert seen[True] == seen[None] == {"main": 1, "last": 1, "small": 1}
    assert "small" not in seen[False]
