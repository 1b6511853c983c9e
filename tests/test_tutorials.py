"""The stories of docs/tutorials are true: every block runs, in its order, and prints what stands below it."""

import contextlib
import io
import shlex
from itertools import pairwise

import pytest
from cli.commands import thriftwood
from markdown_pages import DOCS, lines, read_page, write_files

PAGES = {path.stem: read_page(path) for path in DOCS if path.parent.name == "tutorials"}
NEED_DATA = {"clinic"}  # tables that are published elsewhere
LONGER = "..."
"""Ends a text block that shows the first lines only."""


def test_there_are_stories():
    assert set(PAGES) == {"clinic", "lender", "developer", "network"}


@pytest.mark.parametrize("name", PAGES)
def test_a_story_can_be_followed(name, tmp_path, request):
    if name in NEED_DATA:
        request.getfixturevalue("published_folder")
    page, names = PAGES[name], {}
    with contextlib.chdir(tmp_path):
        write_files(page)
        for (language, file, code), (kind, _, shown) in pairwise([*page.blocks, ("", "", "")]):
            if file or language not in ("python", "sh"):
                continue
            said = _run_python(code, names) if language == "python" else _run_commands(code)
            if kind == "text":
                assert _begins(lines(said), lines(shown)), said


def test_the_clinic_needs_six_commands_at_most_to_the_end():
    commands = [line for line in PAGES["clinic"].shell if line.startswith("thriftwood ")]
    assert [line.split()[1] for line in commands][:3] == ["costs", "costs", "fit"]
    assert len(commands) <= 7  # with the watchdog, which comes a month later


def _run_python(code, names):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "page", "exec"), names)  # our own file
    return out.getvalue()


def _run_commands(code):
    said = []
    for line in code.splitlines():
        run = thriftwood(*shlex.split(line)[1:], typed="70\n" * 20, COLUMNS="100")
        assert run.code == 0, (line, run.err)
        said.append(run.out)
    return "".join(said)


def _begins(said, shown):
    if shown[-1:] == [LONGER]:
        return said[: len(shown) - 1] == shown[:-1]
    return said == shown
