"""New builds: what moved, changed or is gone, which labels that puts in doubt, and models that fit them."""

import codecs
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from clarify.small_program import write_small_program
from cli.commands import thriftwood
from native_programs import NEEDS_GCC, compiled

from thriftwood.clarify import (
    Command,
    Model,
    Plan,
    ProfileError,
    check_release,
    diagnose_run,
    read_commands,
    record,
    train,
    watch,
)
from thriftwood.clarify.bodies import native_functions, python_bodies
from thriftwood.clarify.learning import named_counts
from thriftwood.clarify.patterns import Pattern
from thriftwood.learning import CostTreeClassifier

COMMAND = (sys.executable, "prog.py", "new.txt")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("releases")
    write_small_program(folder)
    recording = record(folder / "rec", read_commands(folder / "runs.tsv"))
    train(recording).model.save(folder / "model.json")
    return folder, (folder / "prog.py").read_text()


@pytest.fixture
def folder(recorded, monkeypatch):
    place, program = recorded
    (place / "prog.py").write_text(program)
    monkeypatch.chdir(place)
    return place


def edited(folder, old, new):
    path = folder / "prog.py"
    path.write_text(path.read_text().replace(old, new))
    os.utime(path, (1, 1))
    return check_release(Model.load(folder / "model.json"), COMMAND)


def test_the_same_build_is_unchanged(folder):
    found = edited(folder, "", "")
    assert {one.status for one in found.functions} == {"unchanged"}
    assert found.in_doubt == ()
    assert found.model == Model.load("model.json")


@pytest.mark.parametrize("line", [0, 1])
def test_modules_that_are_frozen_into_python_are_found(line):
    """Their specification names no file, and recordings have no fingerprint of them."""
    begins = codecs.BufferedIncrementalDecoder.decode.__code__.co_firstlineno
    function = f"codecs:BufferedIncrementalDecoder.decode:{begins + line}"
    plan = Plan((Pattern("count", (function,)),))
    tree = CostTreeClassifier().fit(named_counts([str(plan.patterns[0])], [(0,), (9,)] * 5), ["a", "b"] * 5)
    (one,) = check_release(
        Model(tree.tree_, plan, bodies={"m:other:1": "1f"}), (sys.executable, "-c", "pass")
    ).functions
    assert one.status == ("changed" if line else "unchanged")


def test_what_is_compared_is_said(folder):
    said = thriftwood("clarify", "check", "model.json", "--", *COMMAND)
    assert said.code == 0
    compared = "Functions outside of the plan were not compared."
    assert f"By these all 2 labels hold. {compared}" in " ".join(said.out.split())
    edited(folder, "return 10 / int(text)", "return 11 / int(text)")
    said = thriftwood("clarify", "check", "model.json", "--", *COMMAND)
    assert said.code == 0  # what is in doubt is no mistake of the call
    assert f"In doubt: 'letter', 'zero'. {compared}" in " ".join(said.out.split())


def test_lines_that_move_leave_everything_as_it_is(folder):
    before = Model.load("model.json")
    found = edited(folder, "import sys\n", "import sys\n# a remark\n\n")
    assert {one.status for one in found.functions} == {"moved"}
    assert found.in_doubt == ()
    ran = watch(found.model, COMMAND, "moved")
    assert diagnose_run(found.model, ran.folder).label == "zero"
    with pytest.raises(ProfileError, match="see what still holds with `thriftwood clarify check`"):
        diagnose_run(before, watch(before, COMMAND, "refused").folder)


def test_what_changed_puts_its_labels_in_doubt(folder):
    found = edited(folder, "return 10 / int(text)", "return 11 / int(text)")
    assert {one.function.split(":")[1]: one.status for one in found.functions}["second"] == "changed"
    assert found.in_doubt == ("letter", "zero")  # both lie behind its only test
    said = diagnose_run(found.model, watch(found.model, COMMAND, "changed").folder)
    assert said.doubt == "'zero' rests on functions that changed since it was recorded."
    found.model.save("doubt.json")
    assert Model.load("doubt.json") == found.model


def test_what_is_gone_is_said(folder):
    found = edited(folder, "second", "third")
    assert {one.function.split(":")[1]: (one.status, one.now) for one in found.functions}["second"] == (
        "gone",
        None,
    )
    assert found.in_doubt


GUARDED = """import sys
def often(n): return n
def one(n): return n
def two(n): return n
def three(n): return n
for n in range(900): often(n)
(one, two, three)[int(sys.argv[1])](7)
sys.exit(3)
"""


def test_that_a_guard_is_gone_is_nothing_odd(tmp_path, monkeypatch):
    """All labels were said to hold, and all runs of one were like nothing that was recorded."""
    monkeypatch.chdir(tmp_path)
    Path("prog.py").write_text(GUARDED)
    commands = [Command((*COMMAND[:2], str(n)), label) for n, label in enumerate(("one", "two", "three"))] * 5
    model = train(record(tmp_path / "rec", commands)).model
    tested = {model.tree.feature_names[feature] for feature in model.tree.flat.feature if feature >= 0}
    assert "__main__:three:5" in {*model.plan.functions} - tested
    Path("prog.py").write_text(GUARDED.replace("def three(n): return n", "three = int"))
    found = check_release(model, commands[0].words)
    assert {one.function: one.status for one in found.functions}["__main__:three:5"] == "gone"
    assert found.in_doubt == ()
    for command in commands[:3]:
        said = diagnose_run(found.model, watch(found.model, command.words, "runs").folder)
        assert (said.label, said.unknown, said.doubt) == (command.label, False, None)


def test_that_a_guard_changed_is_nothing_odd_and_is_said(tmp_path, monkeypatch):
    """Its range was that of what it had been: a run that calls it twice now was like nothing recorded."""
    monkeypatch.chdir(tmp_path)
    Path("prog.py").write_text(GUARDED)
    commands = [Command((*COMMAND[:2], str(n)), label) for n, label in enumerate(("one", "two", "three"))] * 5
    model = train(record(tmp_path / "rec", commands)).model
    model.save("model.json")
    Path("prog.py").write_text(GUARDED.replace("three(n): return n", "three(n): return n and three(n - 1)"))
    found = check_release(model, commands[0].words)
    assert found.in_doubt == ()
    assert found.unguarded
    assert all("__main__:three:5" in guard for guard in found.unguarded)
    for command in commands[:3]:
        ran = watch(found.model, command.words, "runs")
        told = diagnose_run(found.model, ran.folder)
        assert (told.label, told.unknown) == (command.label, False)
        before = diagnose_run(replace(found.model, normal=model.normal), ran.folder)
        assert before.unknown == (command.label == "three")
    said = thriftwood("clarify", "check", "model.json", "--", *commands[0].words)
    assert "of its labels rest on functions that changed or are gone" in " ".join(said.out.split())
    said = thriftwood("clarify", "check", "model.json", "--json", "--", *commands[0].words)
    assert json.loads(said.out)["unguarded"] == list(found.unguarded)


@pytest.mark.parametrize(
    "words", [("prog.py",), ("-W", "error", "prog.py"), ("-Werror", "prog.py"), ("-X", "utf8", "-m", "tool")]
)
def test_the_file_that_is_run_is_found(folder, words):
    """A package is run by its __main__.py."""
    package = folder / "tool"
    package.mkdir(exist_ok=True)
    (package / "__init__.py").write_text("")
    (package / "__main__.py").write_text((folder / "prog.py").read_text())
    found = check_release(Model.load("model.json"), (sys.executable, *words, "new.txt"))
    assert {one.status for one in found.functions} == {"unchanged"}


TRIED = """def f():
    try:
        a()
        b()
    except E:
        c()
"""


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("f:1", TRIED, TRIED.replace("        b()\n", "") + "    else:\n        b()\n"),  # b outside of try
        ("<lambda>:1", "x = (lambda: 1, lambda: 2)\n", "x = (lambda: 7, lambda: 2)\n"),
        ("<lambda>:1", "x = (lambda: 1, lambda: 2)\n", "x = (lambda: 1, lambda: 7)\n"),
    ],
)
def test_what_python_compiles_to_the_same_steps_has_changed_all_the_same(tmp_path, name, before, after):
    found = []
    for text in (before, after, f"{before}\n# a remark\n"):
        (tmp_path / "m.py").write_text(text)
        found.append(python_bodies(sys.executable, [str(tmp_path / "m.py")])[str(tmp_path / "m.py")][name])
    assert found[0] != found[1]
    assert found[0] == found[2]


SETTER = """    @x.setter
    def x(self, value):
        self.kept = value
"""
PROPERTY = f"""import sys
class Box:
    @property
    def x(self):
        return 1
{SETTER}
box = Box()
for _ in range(int(sys.argv[1])): box.x
for _ in range(int(sys.argv[2])): box.x = 3
sys.exit(3)
"""


def test_two_functions_of_one_name_never_become_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    program = tmp_path / "box.py"
    program.write_text(PROPERTY)
    calls = {"read": (9, 0), "written": (0, 9), "neither": (0, 0)}
    commands = [
        Command((sys.executable, "box.py", *map(str, given)), label)
        for label, given in calls.items()
        for _ in range(5)
    ]
    model = train(record(tmp_path / "rec", commands)).model
    read, write = model.plan.functions
    cases = [
        (SETTER, "", ("unchanged", "gone")),
        (f"return 1\n{SETTER}", "return 2\n", ("changed", "gone")),
        (f"    @property\n    def x(self):\n        return 1\n{SETTER}", SETTER.replace("x.s", "s"),
         ("gone", "moved")),
        (f"return 1\n{SETTER}", f"return 1\n\n\n{SETTER.replace('value', 'new')}", ("unchanged", "changed")),
    ]  # fmt: skip
    for before, after, expected in cases:
        program.write_text(
            "setter = lambda f: f\n" * ("gone" in expected[:1]) + PROPERTY.replace(before, after)
        )
        found = check_release(model, commands[0].words)
        assert {one.function: one.status for one in found.functions} == dict(
            zip((read, write), expected, strict=True)
        )
        now = [one.now for one in found.functions if one.now is not None]
        assert len(set(now)) == len(now)
        assert Model.from_json(found.model.to_json()) == found.model


def test_several_builds_are_learnt_from(folder, tmp_path):
    commands = read_commands("runs.tsv")
    recording = record(tmp_path / "rec", commands)
    first = train(recording).model
    program = Path("prog.py")
    program.write_text(program.read_text().replace("import sys\n", "import sys\n\n\n\n"))
    again = record(tmp_path / "rec", [one for one in commands if one.label == "zero"])
    assert len(again) == 18
    told = thriftwood("clarify", "learn", str(tmp_path / "rec")).err
    assert "6 runs of 18 of older builds are left out: their labels were recorded again." in told
    trained = train(again)
    assert trained.learnt.n_runs == 12  # those of letter, and zero's of the new build
    lines = {name.rpartition(":")[2] for name in trained.model.plan.functions}
    assert lines.isdisjoint({name.rpartition(":")[2] for name in first.plan.functions})
    said = diagnose_run(trained.model, watch(trained.model, COMMAND, tmp_path / "runs").folder)
    assert (said.label, said.unknown) == ("zero", False)


SOURCE = """
#include <stdlib.h>
int small(int x) { STAY; return x + 1; }
KEPT int first(int x) { STAY; return small(x) * 3; }
KEPT int second(int x) { int sum = 0; for (int i = 0; i < x; i++) sum += first(i); STAY; return sum; }
int main(int n, char **words) {
  int x = atoi(words[1]);
  if (x > 5) second(x); else first(x);
  return 3;
}
"""


@NEEDS_GCC
def test_native_functions_that_only_moved_are_the_same(tmp_path):
    one = native_functions(compiled(tmp_path, SOURCE, "-O2", name="one")).bodies
    added = SOURCE.replace("int small", 'KEPT int more(int x) { STAY; return 7 * x + atoi("1"); }\nint small')
    two = native_functions(
        compiled(tmp_path, added.replace("second(x);", "second(more(x));"), "-O2", name="two")
    ).bodies
    assert [one[name] == two[name] for name in ("first", "second", "small")] == [True] * 3
    three = native_functions(compiled(tmp_path, SOURCE.replace("* 3", "* 5"), "-O2", name="three")).bodies
    assert [one[name] == three[name] for name in ("first", "second")] == [False, True]


@NEEDS_GCC
def test_a_native_program_with_a_line_changed_is_still_diagnosed(tmp_path):
    program = compiled(tmp_path, SOURCE, "-O2")
    commands = [Command((str(program), str(n)), "many" if n > 5 else "one") for n in range(1, 11)]
    model = train(record(tmp_path / "rec", commands)).model
    compiled(tmp_path, SOURCE.replace("return 3;", "return 4;"), "-O2")  # main, which no plan watches
    found = check_release(model, commands[0].words)
    assert {one.status for one in found.functions} == {"unchanged"}
    assert found.in_doubt == ()
    ran = watch(found.model, (str(program), "8"), tmp_path / "runs")
    assert diagnose_run(found.model, ran.folder).label == "many"
    with pytest.raises(ProfileError, match="another build"):
        diagnose_run(model, ran.folder)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("progg.py",), "progg.py: There is no such program"),
        (("-m", "nowhere_at_all"), "finds no module 'nowhere_at_all'"),
        (("other.py",), "None of the "),
    ],
)
def test_another_program_is_no_new_build(folder, words, said):
    """All of its functions were called gone, with the advice to record them again."""
    (folder / "other.py").write_text("print(1)\n")
    told = thriftwood("clarify", "check", "model.json", "-o", "new.json", "--", sys.executable, *words)
    assert told.code == 2
    assert said in " ".join(told.err.split())
    assert not (folder / "new.json").exists()


@NEEDS_GCC
def test_another_native_program_is_no_new_build(tmp_path):
    program = compiled(tmp_path, SOURCE, "-O2")
    commands = [Command((str(program), str(n)), "many" if n > 5 else "one") for n in range(1, 11)]
    model = train(record(tmp_path / "rec", commands)).model
    renamed = program.with_name("renamed")
    renamed.write_bytes(program.read_bytes())
    renamed.chmod(0o755)
    with pytest.raises(ValueError, match=r"or has another name\. Check"):
        check_release(model, (str(renamed),))
    subprocess.run(["strip", program], check=True)
    with pytest.raises(ValueError, match=r"it was stripped\. Check"):
        check_release(model, (str(program),))


def test_a_model_without_fingerprints_is_refused(folder):
    golden = Path(__file__).parent.parent / "golden" / "clarify-v1.json"
    with pytest.raises(ValueError, match="The model has no fingerprints of functions"):
        check_release(Model.load(golden), COMMAND)


@NEEDS_GCC
def test_a_model_of_signs_and_strangers_alone_needs_no_fingerprints(tmp_path):
    """Nothing of it can be in doubt; it was refused, with the advice to record and learn again."""
    ends = SOURCE.replace("return 3;", "if (n > 9) second(-x); return x > 5 ? 4 : 3;")
    program = compiled(tmp_path, ends.replace("if (x > 5) second(x); else", ""), "-O2")
    commands = [Command((str(program), str(n)), "many" if n > 5 else "one") for n in range(1, 11)]
    model = train(record(tmp_path / "rec", commands)).model
    assert model.plan.functions == model.plan.strangers != ()
    compiled(tmp_path, ends, "-O2")
    found = check_release(model, commands[0].words)
    assert (found.functions, found.in_doubt) == ((), ())
    ran = watch(found.model, (str(program), "3"), tmp_path / "runs")
    assert diagnose_run(found.model, ran.folder).label == "one"
