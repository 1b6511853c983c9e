"""What README.md shows is what happens: snippets run and print what stands below them, commands exist."""

import contextlib
import re
import shlex

import pytest
from cli.commands import thriftwood
from markdown_pages import README, ROOT, lines, read_page, run_snippets

import thriftwood as tw
from benchmarks.speed import front_page, record
from thriftwood.experiments import EXPERIMENTS

PAGE = read_page(README)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where a reader tries everything: the snippets write the table that the commands read."""
    return tmp_path_factory.mktemp("readme")


@pytest.fixture(scope="module")
def printed(folder):
    with contextlib.chdir(folder):
        return run_snippets(PAGE)


def test_there_is_something_to_run():
    assert len(PAGE.python) >= 3
    assert len(PAGE.shell) >= 8


def test_it_can_be_read_to_the_end():
    assert len(PAGE.text.splitlines()) <= 320


@pytest.mark.parametrize("place", range(len(PAGE.python)))
def test_snippet_prints_what_is_shown(printed, place):
    _, shown = PAGE.python[place]
    assert shown is not None, "every snippet prints something, and a text block below shows it"
    assert lines(printed[place]) == lines(shown)


def test_the_two_set_up_commands_come_first():
    assert PAGE.shell[:2] == ["make demo", "make test"]


@pytest.mark.parametrize(
    "target", sorted(set(re.findall(r"(?:^|`)make ([a-z-]+)(?:`|$)", PAGE.text, re.MULTILINE)))
)
def test_make_target_exists(target):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{target}:", makefile, re.MULTILINE)


@pytest.mark.usefixtures("printed")
def test_commands_run_in_their_order(folder):
    commands = [shlex.split(line) for line in PAGE.shell if line.startswith("thriftwood ")]
    others = [line for line in PAGE.shell if not line.startswith("thriftwood ")]
    assert others == ["make demo", "make test", 'pip install ".[frames,plots]"']
    with contextlib.chdir(folder):
        for _, *words in commands:
            run = thriftwood(*words, typed="1\n" * 20)
            assert run.code == 0, (words, run.err)


def test_it_names_every_learner_once():
    assert re.search(r"\b(\d+) learners\b", PAGE.text)[1] == str(len(tw.algorithms()))
    table = PAGE.text.partition("| what they go by |")[2].partition("\n\n")[0]
    assert sorted(re.findall("`([a-z0-9-]+)`", table)) == sorted(entry.name for entry in tw.algorithms())


def test_it_names_every_experiment():
    listed = re.findall(r"^\| `thriftwood reproduce (\w+)", PAGE.text, re.MULTILINE)
    pages = {path.stem for path in (ROOT / "docs" / "experiments").glob("*.md")}
    assert len(listed) == len(pages)
    assert set(listed) == pages == set(EXPERIMENTS)


def test_the_table_of_speed_has_the_figures_that_were_measured():
    measured = record.load(ROOT / "benchmarks" / "speed" / "results" / "latest.json")
    shown = PAGE.text.partition(front_page.BEGIN)[2].partition(front_page.END)[0]
    assert lines(shown) == lines(front_page.table(measured)), "python -m benchmarks.speed --again writes it"


def test_the_five_commands_are_those_of_the_example():
    example = (ROOT / "examples" / "why_it_failed.py").read_text(encoding="utf-8")
    commands = re.findall(r'^    "(thriftwood clarify .*)",$', example, re.MULTILINE)
    assert len(commands) == 5
    assert re.findall(r"^    (thriftwood clarify .*)$", PAGE.text, re.MULTILINE) == commands


def test_the_sample_lines_are_those_of_the_example():
    messages = (ROOT / "examples" / "why_it_failed" / "messages.toml").read_text(encoding="utf-8")
    shown = re.findall(r'^".*" = ".*"$', PAGE.text, re.MULTILINE)
    assert len(shown) == 2
    assert set(shown) <= set(messages.splitlines())
    labels = re.findall(r"^([^\t\n]+)\tpython orders\.py \d+\.json$", PAGE.text, re.MULTILINE)
    assert labels == [line.split('"')[1] for line in shown]
