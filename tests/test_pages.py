"""The pages of docs/ say what happens: snippets print what stands below them, commands and links exist."""

import contextlib
import os
import re
import runpy
import shlex
import sys
from pathlib import Path

import pytest
import typer
from markdown_pages import DOCS, README, ROOT, lines, read_page, run_snippets, write_files

import thriftwood as tw
from thriftwood import learning
from thriftwood.cli import app

OTHERS = [
    ROOT / name for name in ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "benchmarks/README.md")
]
PAGES = {str(path.relative_to(ROOT)): read_page(path) for path in (README, *DOCS, *OTHERS)}
TUTORIALS = "docs/tutorials/"  # commands among snippets: see test_tutorials
WITH_SNIPPETS = [
    name
    for name, page in PAGES.items()
    if name.startswith("docs/") and not name.startswith(TUTORIALS) and page.python
]


@pytest.fixture
def broken_orders(tmp_path, monkeypatch):
    """The files of the example about a failure, which docs/clarify.md learns from."""
    runpy.run_path(str(ROOT / "examples" / "why_it_failed.py"))["prepare"](tmp_path)
    # `python` is this one: a model belongs to the program it was recorded from.
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))


def test_every_theme_has_a_page_that_runs():
    only_to_read = {"algorithms", "command-line", "glossary", "model-format"}
    themes = {path.stem for path in DOCS if path.parent.name == "docs"}
    assert set(WITH_SNIPPETS) >= {f"docs/{name}.md" for name in themes - only_to_read}


@pytest.mark.parametrize("name", WITH_SNIPPETS)
def test_snippets_print_what_is_shown(name, tmp_path, request):
    page = PAGES[name]
    if name == "docs/clarify.md":
        request.getfixturevalue("broken_orders")
    with contextlib.chdir(tmp_path):
        write_files(page)
        printed = run_snippets(page)
    for (code, shown), said in zip(page.python, printed, strict=True):
        assert shown is not None, f"every snippet prints something, and a text block below shows it:\n{code}"
        assert lines(said) == lines(shown)


@pytest.mark.parametrize("name", PAGES)
def test_links_point_to_files_and_headings(name):
    page = PAGES[name]
    for target in page.links:
        file, _, anchor = target.partition("#")
        aim = (page.path.parent / file).resolve() if file else page.path
        assert aim.exists(), target
        if anchor:
            assert anchor in read_page(aim).anchors, target


@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if page.commands])
def test_commands_and_their_options_exist(name):
    for line in PAGES[name].commands:
        words = shlex.split(re.split(" [|>] ", line)[0], comments=True)[1:]
        words = words[: words.index("--")] if "--" in words else words
        command = typer.main.get_command(app)
        while hasattr(command, "commands") and words and re.match("[a-z]", words[0]):
            assert words[0] in command.commands, line
            command = command.commands[words.pop(0)]
        if words and words[0].isupper() and hasattr(command, "commands"):
            continue  # `thriftwood VERB --help`: any of them
        options = {option for parameter in command.params for option in parameter.opts} | {"--help"}
        assert {word for word in words if re.match("--?[a-z]", word)} <= options, line


def test_every_page_can_be_found_from_the_readme():
    found, open_pages = set(), [README]
    while open_pages:
        page = open_pages.pop()
        if page in found or page.suffix != ".md":
            continue
        found.add(page)
        open_pages += [(page.parent / link.partition("#")[0]).resolve() for link in read_page(page).links]
    assert set(DOCS) <= found


def test_the_page_of_trees_names_every_pruning_rule_and_leads_to_the_criteria():
    rows = PAGES["docs/trees.md"].text.splitlines()
    [criteria] = [row for row in rows if row.startswith("| `criterion=`")]
    [pruning] = [row for row in rows if row.startswith("| `pruning=`")]
    assert "(algorithms.md#criteria)" in criteria  # where every one is, see test_algorithms_page
    assert set(re.findall(r"`tw\.(\w+)`", pruning)) == set(learning.pruning.__all__) & set(tw.__all__)


def test_the_page_of_ensembles_names_what_makes_them():
    text = PAGES["docs/ensembles.md"].text
    for entry in tw.algorithms():
        model = tw.algorithm(entry.name) if entry.name != "metacost" else tw.MetaCostClassifier
        if type(model).__module__.startswith("thriftwood.ensembles"):
            assert type(model).__name__ in text
            assert f'`"{entry.name}"`' in text
