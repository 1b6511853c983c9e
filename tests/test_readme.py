"""What README.md shows is what happens: snippets run and print what stands below them, commands exist."""

import contextlib
import io
import re
from pathlib import Path

import pytest
from cli.commands import thriftwood

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [(m[1], m[3]) for m in FENCE.finditer(README)]
FILES = {m[2]: m[3] for m in FENCE.finditer(README) if m[2]}  # ```csv patients.csv
PYTHON = [
    (code, BLOCKS[place + 1][1] if BLOCKS[place + 1][0] == "text" else None)
    for place, (language, code) in enumerate(BLOCKS)
    if language == "python"
]
SHELL = [line for language, code in BLOCKS if language == "sh" for line in code.splitlines()]


def lines(text):
    return [line.rstrip() for line in text.strip("\n").splitlines()]


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What each snippet prints; they run one after the other, as a reader would type them."""
    names, results = {}, []
    with contextlib.chdir(tmp_path_factory.mktemp("readme")):
        for name, content in FILES.items():
            Path(name).write_text(content, encoding="utf-8")
        for code, _ in PYTHON:
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(code, "README.md", "exec"), names)  # our own file
            results.append(out.getvalue())
    return results


def test_there_is_something_to_run():
    assert len(PYTHON) >= 6
    assert len(SHELL) >= 8
    assert len(FILES) == 2


@pytest.mark.parametrize("place", range(len(PYTHON)))
def test_snippet_prints_what_is_shown(printed, place):
    _, shown = PYTHON[place]
    assert shown is not None, "every snippet prints something, and a text block below shows it"
    assert lines(printed[place]) == lines(shown)


def test_the_two_set_up_commands_come_first():
    assert SHELL[:2] == ["make demo", "make test"]


@pytest.mark.parametrize(
    "target", sorted(set(re.findall(r"(?:^|`)make ([a-z-]+)(?:`|$)", README, re.MULTILINE)))
)
def test_make_target_exists(target):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_commands_run_in_their_order(tmp_path):
    commands = [line.split() for line in SHELL if line.startswith("thriftwood ")]
    others = [line for line in SHELL if not line.startswith("thriftwood ")]
    assert others == ["make demo", "make test", "pip install .", 'pip install ".[frames]"']
    with contextlib.chdir(tmp_path):
        for name, content in FILES.items():
            Path(name).write_text(content, encoding="utf-8")
        for _, *words in commands:
            run = thriftwood(*words, typed="1\n" * 20)
            assert run.code == 0, (words, run.err)


def test_the_five_commands_are_those_of_the_example():
    example = (ROOT / "examples" / "why_it_failed.py").read_text(encoding="utf-8")
    commands = re.findall(r'^    "(thriftwood clarify .*)",$', example, re.MULTILINE)
    assert len(commands) == 5
    assert re.findall(r"^    (thriftwood clarify .*)$", README, re.MULTILINE) == commands


def test_the_sample_lines_are_those_of_the_example():
    messages = (ROOT / "examples" / "why_it_failed" / "messages.toml").read_text(encoding="utf-8")
    shown = re.findall(r'^".*" = ".*"$', README, re.MULTILINE)
    assert len(shown) == 2
    assert set(shown) <= set(messages.splitlines())
    labels = re.findall(r"^([^\t\n]+)\tpython orders\.py \d+\.json$", README, re.MULTILINE)
    assert labels == [line.split('"')[1] for line in shown]


def test_files_it_points_to_exist():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
