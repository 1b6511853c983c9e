"""Functions that no recorded run called: watched for nothing, and told when they are called."""

import shutil
import subprocess
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest
from scipy.sparse import csc_matrix

from thriftwood.clarify import Command, Model, Profile, check_release, learn, record, train, watch
from thriftwood.clarify.bodies import native_sleds
from thriftwood.clarify.counting import PatternTable, pattern_table
from thriftwood.clarify.diagnosing import diagnose_run
from thriftwood.clarify.exporting import export_c
from thriftwood.clarify.native import FLAGS, NativeProgramError, preload_library
from thriftwood.clarify.patterns import Pattern, in_words
from thriftwood.clarify.plan import Plan
from thriftwood.clarify.strangers import place_of_strangers, with_strangers

SOURCE = """
    #include <stdlib.h>
    #define KEPT __attribute__((noinline))
    KEPT int few(int n) { return n + 1; }
    KEPT int many(int n) { return n * 3; }
    KEPT int never(int n) { return n - 7; }
    int main(int n, char** words) {
      int i, sum = 0, mode = atoi(words[1]);
      for (i = 0; i < mode; ++i) sum += mode < 50 ? few(i) : many(i);
      if (n > 2) sum += never(sum);
      return sum == 12345 ? 7 : 3;
    }
"""
UNKNOWN = "This does not look like anything that was recorded.\n"


@pytest.fixture(scope="module", params=("gcc", "clang"))
def learnt(request, tmp_path_factory):
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not there to compile the program")
    try:
        preload_library()
    except NativeProgramError as problem:
        pytest.skip(str(problem))
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "program.c").write_text(dedent(SOURCE))
    program = compiled(request.param, folder, "program.c")
    runs = [Command((program, str(n)), "few" if n < 50 else "many") for n in [*range(5, 15), *range(55, 65)]]
    model = train(record(folder / "rec", runs), without=("message", "exception")).model
    return request.param, folder, program, model


def compiled(compiler, folder, *sources):
    words = [compiler, "-O1", *FLAGS, "-Wno-unknown-attributes", *sources, "-o", "program"]
    subprocess.run(words, cwd=folder, check=True)
    return str(folder / "program")


def test_what_can_be_watched_is_listed(learnt):
    _, _, program, _ = learnt
    assert native_sleds(Path(program)) == ["few", "main", "many", "never"]


def test_a_run_that_calls_one_is_unknown(learnt):
    _, folder, program, model = learnt
    assert model.plan.strangers == ("program!never",)
    for words, unknown in ((["7"], False), (["60"], False), (["7", "x"], True), (["60", "x"], True)):
        found = diagnose_run(model, watch(model, [program, *words], folder / "runs").folder)
        assert found.unknown == unknown
        assert found.odd == (
            ("calls of functions that no recorded run called: 1; in recorded runs 0.",) if unknown else ()
        )


def test_exported_c_says_the_same(learnt, tmp_path):
    compiler, folder, _, model = learnt
    (tmp_path / "program.c").write_text((folder / "program.c").read_text())
    (tmp_path / "explain.c").write_text(export_c(model))
    program = compiled(compiler, tmp_path, "program.c", "explain.c")
    for words, said in ((["7"], "few\n"), (["60"], "many\n"), (["7", "x"], UNKNOWN), (["60", "x"], UNKNOWN)):
        ran = subprocess.run([program, *words], capture_output=True, text=True, check=False)
        assert ran.stderr == said


def test_a_new_build_keeps_those_that_are_left(learnt, tmp_path):
    compiler, folder, _, model = learnt
    text = (folder / "program.c").read_text()
    (tmp_path / "program.c").write_text(text.replace("never", "seldom"))
    program = compiled(compiler, tmp_path, "program.c")
    found = check_release(model, [program])
    assert all("never" not in one.function for one in found.functions)
    assert found.model.plan.strangers == ()
    again = Model.from_json(found.model.to_json())
    assert not diagnose_run(again, watch(again, [program, "7", "x"], tmp_path / "runs").folder).unknown


def test_functions_of_a_label_that_is_left_out_are_strangers():
    """Calls of `main` alone are like those of other labels now and then."""
    levels = {"one": 10, "two": 20, "three": 30, "four": 40}
    labels = [*levels] * 20
    random = np.random.default_rng(1)
    calls = [int(random.integers(1, 60)) if k % 5 == 0 else levels[label] for k, label in enumerate(labels)]
    runs = [
        Profile(("p!main", f"p!{label}"), {"p!main": n, f"p!{label}": 1 + k % 3})
        for k, (label, n) in enumerate(zip(labels, calls, strict=True))
    ]
    table = pattern_table(runs, "fc")
    main = PatternTable(table.patterns[:1], table.counts[:, :1].tocsc(), {"p!main": 25.0})
    assert learn(main, labels, features="fc").normal.figures["noticed"] < 0.5
    plain, found = (learn(table, labels, features="fc", strangers=names) for names in ((), ["p!other"]))
    assert found.normal.figures["noticed"] == 1.0
    assert found.watched_share == plain.watched_share  # they cost nothing
    (place,) = [k for k, feature in enumerate(found.patterns) if feature.kind == "any"]
    assert {found.normal.high[label][place] for label in levels} == {0.0}


def test_any_is_the_sum_of_its_functions():
    plan = Plan((Pattern("any", ("f", "g", "h")), Pattern("count", ("g",)), Pattern("any", ())))
    assert [str(line) for line in plan.lines] == ["f", "g", "h"]
    assert plan.values([1, 2, 4]) == (7, 2, 0)
    assert plan.count(Profile(("f", "g"), {"f": 1, "g": 2})) == (3, 2, 0)
    assert in_words(plan.patterns[0]) == "calls of functions that no recorded run called"


def test_without_strangers_no_column_is_added():
    table = PatternTable((Pattern("count", ("f",)),), csc_matrix([[1.0]]), {"f": 1.0})
    assert with_strangers(table, []) is table
    assert place_of_strangers(table) is None
