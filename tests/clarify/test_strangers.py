"""Functions that no recorded run called: watched for nothing, and told when they are called."""

import os
import subprocess
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest
from native_programs import compiled_files, skip_without
from scipy.sparse import csc_matrix

from thriftwood.clarify import Command, Model, Profile, bodies, check_release, learn, record, train, watch
from thriftwood.clarify.bodies import native_functions, read_sleds, remember_bodies
from thriftwood.clarify.counting import PatternTable, pattern_table
from thriftwood.clarify.diagnosing import diagnose_run
from thriftwood.clarify.exporting import export_c
from thriftwood.clarify.learning import named_counts
from thriftwood.clarify.normal import Normal, ranges
from thriftwood.clarify.patterns import Pattern, in_words
from thriftwood.clarify.plan import Plan
from thriftwood.clarify.store import Recording
from thriftwood.clarify.strangers import (
    called_in,
    lonely_calls,
    place_of_strangers,
    strange_calls,
    strangers_of,
    with_strangers,
)
from thriftwood.learning import CostTreeClassifier

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
SAID = (  # of runs of `many` the tree asks for `few`, which was not seen
    (["7"], "few\n"),
    (["60"], "Probably: many\n"),
    (["7", "x"], UNKNOWN),
    (["60", "x"], UNKNOWN),
)


@pytest.fixture(scope="module", params=("gcc", "clang"))
def learnt(request, tmp_path_factory):
    skip_without(request.param)
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "program.c").write_text(dedent(SOURCE))
    program = compiled_files(request.param, folder, "program.c")
    runs = [Command((program, str(n)), "few" if n < 50 else "many") for n in [*range(5, 15), *range(55, 65)]]
    model = train(record(folder / "rec", runs), without=("message", "exception")).model
    return request.param, folder, program, model


def test_what_can_be_watched_is_listed(learnt):
    _, _, program, _ = learnt
    assert native_functions(Path(program)).sleds == ["few", "main", "many", "never"]


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
    program = compiled_files(compiler, tmp_path, "program.c", "explain.c")
    for words, said in SAID:
        ran = subprocess.run([program, *words], capture_output=True, text=True, check=False)
        assert ran.stderr == said


def test_a_new_build_keeps_those_that_are_left(learnt, tmp_path):
    compiler, folder, _, model = learnt
    text = (folder / "program.c").read_text()
    (tmp_path / "program.c").write_text(text.replace("never", "seldom"))
    program = compiled_files(compiler, tmp_path, "program.c")
    found = check_release(model, [program])
    assert all("never" not in one.function for one in found.functions)
    assert found.model.plan.strangers == ()
    again = Model.from_json(found.model.to_json())
    assert not diagnose_run(again, watch(again, [program, "7", "x"], tmp_path / "runs").folder).unknown


def test_those_that_cannot_be_watched_any_more_are_left_out(learnt, tmp_path):
    compiler, folder, _, model = learnt
    text = (folder / "program.c").read_text()
    bare = text.replace("KEPT int never", "KEPT __attribute__((patchable_function_entry(0))) int never")
    (tmp_path / "program.c").write_text(bare)
    program = compiled_files(compiler, tmp_path, "program.c")
    found = native_functions(Path(program))
    assert "never" in found.bodies
    assert "never" not in found.sleds
    assert check_release(model, [program]).model.plan.strangers == ()


def test_a_function_with_two_names_is_listed_by_the_one_that_profiles_have(learnt, tmp_path):
    compiler, folder, _, _ = learnt
    alias = (
        'int a_few(int n) __attribute__((alias("few"))); int zero(int n) __attribute__((weak, alias("few")));'
    )
    (tmp_path / "program.c").write_text((folder / "program.c").read_text() + alias)
    program = compiled_files(compiler, tmp_path, "program.c")
    (profile,) = record(tmp_path / "rec", [Command((program, "7"), "few")]).profiles()
    assert "program!a_few" in profile.calls
    assert native_functions(Path(program)).sleds == ["a_few", "main", "many", "never"]


def test_a_binary_is_read_once(learnt, tmp_path, monkeypatch):
    _, _, program, _ = learnt
    read = []
    plain = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: (read.append(str(path)), plain(path))[1])
    remember_bodies(tmp_path, {program: "1f"}, None)
    assert read == [program]
    assert read_sleds(tmp_path) == {"1f": ["few", "main", "many", "never"]}


def by_hand(*strangers):
    """A model of the program with any strangers."""
    plan = Plan((*(Pattern("count", (f"program!{f}",)) for f in ("few", "many")), Pattern("any", strangers)))
    rows = [(n, 0, 0) for n in range(5, 15)] + [(0, n, 0) for n in range(55, 65)]
    labels = ["few"] * 10 + ["many"] * 10
    low, high = ranges(rows, labels)
    normal = Normal(
        low=low,
        high=high,
        spread=dict.fromkeys(("few", "many"), (1.0, 1.0, 1.0)),
        known={"few": {}, "many": {}},
        surprise=None,
        limit=0.5,
        rate=0.05,
        steps=((0.0, 0.95),),
        trust={"few": 1.0, "many": 1.0},
    )
    tree = CostTreeClassifier().fit(named_counts([str(one) for one in plan.patterns], rows), labels).tree_
    endings = {"few": {"exit 3": 10}, "many": {"exit 3": 10}}
    return Model(tree, plan, kind="native", endings=endings, normal=normal)


@pytest.mark.parametrize(
    "more",
    [("program!gone",), ("program!few_too",), ("libaid.so!aid", "libaid.so!other")],
    ids=["gone", "another name of one that is asked for", "of a library"],
)
def test_strangers_that_cannot_be_found_do_no_harm(learnt, tmp_path, more):
    compiler, folder, _, _ = learnt
    alias = 'int few_too(int n) __attribute__((alias("few")));\n'
    (tmp_path / "program.c").write_text((folder / "program.c").read_text() + alias)
    (tmp_path / "explain.c").write_text(export_c(by_hand("program!never", *more)))
    program = compiled_files(compiler, tmp_path, "program.c", "explain.c")
    for words, said in SAID:
        ran = subprocess.run([program, *words], capture_output=True, text=True, check=False)
        assert ran.stderr == said


def test_what_is_asked_for_must_be_there(learnt, tmp_path):
    compiler, folder, _, _ = learnt
    (tmp_path / "program.c").write_text((folder / "program.c").read_text().replace("many", "lots"))
    (tmp_path / "explain.c").write_text(export_c(by_hand("program!never")))
    program = compiled_files(compiler, tmp_path, "program.c", "explain.c")
    ran = subprocess.run([program, "7"], capture_output=True, text=True, check=False)
    assert ran.stderr.startswith(
        "Nothing can be said about this failure: it was stripped, changed, compiled otherwise "
    )


def test_a_thousand_strangers_hardly_delay_the_start(learnt, tmp_path):
    """Best of ten: below 0.5 ms of the processor here. To look for each among all symbols took 40."""
    compiler, folder, _, _ = learnt
    names = [f"some_longer_name_{number}" for number in range(3000)]
    text = "".join(f"KEPT int {name}(int n) {{ return n * {len(name)} + 3; }}\n" for name in names)
    table = f"int (*volatile table[])(int) = {{{', '.join(names)}}};\n"
    (tmp_path / "program.c").write_text((folder / "program.c").read_text() + text + table)
    took = {}
    for strangers in ([], names[:1000]):
        (tmp_path / "explain.c").write_text(export_c(by_hand(*(f"program!{name}" for name in strangers))))
        program = compiled_files(compiler, tmp_path, "program.c", "explain.c")
        took[len(strangers)] = min(processor_seconds(program) for _ in range(10))
    assert took[1000] - took[0] < 0.008


def processor_seconds(program):
    with subprocess.Popen([program, "7"], stderr=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime


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


def test_what_a_label_leaves_behind_is_watched_only_where_there_is_room(monkeypatch):
    """Of the functions that a left-out run alone calls those count that a model without it would watch."""
    table = pattern_table([Profile(("p!a", "p!m", "p!z"), {"p!a": 1, "p!m": 2, "p!z": 4})], "fc")
    here, none = np.array([0]), np.array([], dtype=int)
    for most, counted in ((4, 7), (3, 3), (2, 1), (1, 1)):
        monkeypatch.setattr("thriftwood.clarify.strangers.MOST_STRANGERS", most)
        called = called_in(table, ["p!g", "p!zz"][: most - 1])
        assert strange_calls(called, none, here).tolist() == [counted], most
        assert lonely_calls(called).tolist() == [counted]


def test_strangers_of_libraries_come_after_the_program_s_own(learnt, monkeypatch):
    _, folder, _, _ = learnt
    recording = Recording.read(folder / "rec")
    build = {"program": "1f", "libaid.so.1": "2e"}
    sleds = {"1f": ["few", "never"], "2e": ["aid", "other"]}
    monkeypatch.setattr("thriftwood.clarify.strangers.read_sleds", lambda _: sleds)
    found = strangers_of(recording, build, {"program!few"}, ())
    assert found == ("program!never", "libaid.so.1!aid", "libaid.so.1!other")
    monkeypatch.setattr("thriftwood.clarify.strangers.MOST_STRANGERS", 1)
    assert strangers_of(recording, build, {"program!few"}, ()) == ("program!never",)


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


def runs_of(program):
    return [Command((program, str(n)), "few" if n < 50 else "many") for n in [*range(5, 15), *range(55, 65)]]


def test_what_a_run_without_a_label_called_is_no_stranger(learnt, tmp_path):
    """Such a run is recorded, too, though nothing is learnt from it."""
    _, _, program, model = learnt
    assert model.plan.strangers == ("program!never",)
    recording = record(tmp_path / "rec", [*runs_of(program), Command((program, "7", "x"), None)])
    assert train(recording, without=("message", "exception")).model.plan.strangers == ()
    (tmp_path / "rec" / recording.runs[-1].profile).write_bytes(
        b"damaged"
    )  # that says nothing of any function
    again = train(recording, without=("message", "exception")).model
    assert again.plan.strangers == ("program!never",)


def test_a_recording_begun_by_an_older_version_is_completed(learnt, tmp_path):
    """It has bodies.json, and nothing that could be watched; programs of Python never have."""
    _, _, program, _ = learnt
    remember_bodies(tmp_path, {program: "1f"}, None)
    (tmp_path / "sleds.json").unlink()
    remember_bodies(tmp_path, {program: "1f"}, None)
    assert read_sleds(tmp_path) == {"1f": ["few", "main", "many", "never"]}


def test_sources_are_read_once(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(bodies, "python_bodies", lambda python, paths: (asked.append(dict(paths)), {})[1])
    remember_bodies(tmp_path, {__file__: "1f"}, "python3")
    (tmp_path / "bodies.json").write_text('{"1f": {}}')
    remember_bodies(tmp_path, {__file__: "1f"}, "python3")
    assert asked == [{__file__: "1f"}]
