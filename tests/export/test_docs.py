"""The pages about exports and files say what is so."""

import contextlib
import io
import json
import re
import subprocess
from pathlib import Path

from export.running import needs_gcc

import thriftwood as tw
from thriftwood.models.files import bayes as bayes_files
from thriftwood.models.files import boosters as booster_files
from thriftwood.models.files import panels as panel_files
from thriftwood.models.files import trees as files

DOCS = Path(__file__).parents[2] / "docs"
EXPORT = (DOCS / "export.md").read_text(encoding="utf-8")
FORMAT = (DOCS / "model-format.md").read_text(encoding="utf-8")


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def golf_model():
    golf = tw.load_dataset("golf-nominal")
    return tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y)


def test_the_python_prints_what_stands_below_it():
    for code, shown in zip(blocks(EXPORT, "python"), blocks(EXPORT, "text"), strict=True):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(code, {})  # our own file
        assert out.getvalue() == shown


@needs_gcc
def test_the_c_compiles_and_runs(tmp_path):
    (tmp_path / "tree.c").write_text(tw.export_c(golf_model()), encoding="ascii")
    (tmp_path / "main.c").write_text(blocks(EXPORT, "c")[0], encoding="ascii")
    subprocess.run(["gcc", "-std=c99", "-Wall", "-Werror", "main.c", "-o", "main"], cwd=tmp_path, check=True)
    run = subprocess.run(["./main"], cwd=tmp_path, capture_output=True, check=True)
    assert run.stdout == b"Yes for 4.5\n"


def test_every_export_is_listed():
    named = set(re.findall(r"tw\.(export_\w+)\(", EXPORT))
    assert named == {name for name in tw.__all__ if name.startswith("export_")}


def test_the_example_file_is_a_tree():
    tree = tw.Tree.from_json(blocks(FORMAT, "json")[0])
    assert tree.rules()[0].condition_text == "age <= 55"
    assert tree.costs == tw.Costs(
        {"age": 1, "smoker": 0.5}, errors={"sick": {"well": 5}, "well": {"sick": 1}}
    )


def test_every_entry_of_a_file_is_described():
    described = set(re.findall(r"`(\w+)`", "\n".join(re.findall(r"^\| (.*?) \|", FORMAT, re.MULTILINE))))
    assert described >= {*files.ENTRIES, *files.TREE_ENTRIES, *files.NODE_FIELDS, *files.SURROGATE_FIELDS}
    assert described >= json.loads(tw.export_json(golf_model()))["encoder"].keys()
    assert described >= {*panel_files.ENTRIES, *booster_files.ENTRIES, *bayes_files.ENTRIES}
    known = {*files.ENTRIES, *files.TREE_ENTRIES, *files.NODE_FIELDS, *files.SURROGATE_FIELDS}
    known |= {*panel_files.ENTRIES, *booster_files.ENTRIES, *bayes_files.ENTRIES}
    optional = {*files.OPTIONAL_ENTRIES, *files.OPTIONAL_TREE_ENTRIES}
    assert described <= known | {"n_features", "names", "categorical", *optional}
    assert described >= optional
