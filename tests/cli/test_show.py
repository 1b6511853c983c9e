from io import StringIO

import pytest
from cli.commands import as_process, thriftwood
from rich.console import Console

import thriftwood as tw
from thriftwood.cli.printing import print_tree


def test_show_prints_the_tree(golf_tree):
    run = thriftwood("show", golf_tree)
    assert (run.code, run.err) == (0, "")
    assert tw.load(golf_tree).text() in run.out


def test_show_rules(golf_tree):
    run = thriftwood("show", golf_tree, "--rules")
    assert run.code == 0
    assert run.out.splitlines() == [str(rule) for rule in tw.load(golf_tree).rules()]


def test_show_depth_leaves_out_what_lies_deeper(golf_tree):
    run = thriftwood("show", golf_tree, "--depth", "1")
    assert "... 2 more nodes" in run.out
    assert "Humidity = High" not in run.out


def test_show_a_regression_tree(number_tree):
    run = thriftwood("show", number_tree)
    assert run.code == 0
    assert "x0 <= 2.5: 10" in run.out


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("", "model"),
        ("{}", "model"),
        ("[1, 2]", "model"),
        ('{"format": ["thriftwood-tree"]}', "model"),
        ("\x00\xff", "model"),
        ('{"format": "thriftwood-tree", "version": 99}', "tree"),
        ('{"format": "thriftwood-panel", "version": 99}', "panel"),
        ('{"format": "thriftwood-booster", "version": 99}', "booster"),
    ],
)
def test_show_refuses_what_is_no_model(tmp_path, content, kind):
    path = tmp_path / "wrong.json"
    path.write_text(content, encoding="utf-8")
    run = thriftwood("show", path)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith(f"Error: {path}: This is not a {kind} file: ")
    assert run.err.count("\n") == 1


def test_show_names_the_file_that_is_not_there(tmp_path):
    run = as_process("show", tmp_path / "absent.json")
    assert run.code == 2
    assert "absent.json: No such file or directory" in run.err


@pytest.mark.parametrize(
    "wrong", [["--depth", "-1"], ["--depth", "x"], ["--rules", "--depth", "1"], ["--colour"]]
)
def test_show_refuses_wrong_options(golf_tree, wrong):
    run = thriftwood("show", golf_tree, *wrong)
    assert (run.code, run.out) == (2, "")
    assert "Error: " in run.err


@pytest.mark.parametrize(("width", "columns_shown"), [(200, True), (60, False)])
def test_a_narrow_terminal_gets_the_tree_without_counts(golf_tree, width, columns_shown):
    screen = Console(force_terminal=True, width=width, record=True, file=StringIO())
    print_tree(screen, tw.load(golf_tree))
    text = screen.export_text()
    assert ("classes" in text) is columns_shown
    assert "price" in text
    assert "Humidity = High: No" in text


# Pictures and the browser


@pytest.mark.parametrize(("option", "start"), [("--svg", b"<?xml"), ("--png", b"\x89PNG")])
def test_show_draws_the_tree(golf_tree, tmp_path, option, start):
    file = tmp_path / f"tree.{option[2:]}"
    run = as_process("show", golf_tree, option, file)
    assert (run.code, run.err, run.out) == (0, "", f"Written: {file}.\n")
    assert file.read_bytes().startswith(start)
    thriftwood("show", golf_tree, "--depth", "0", option, tmp_path / f"root{file.suffix}")
    assert (tmp_path / f"root{file.suffix}").stat().st_size < file.stat().st_size


@pytest.fixture
def fake_browser(tmp_path):
    """What is opened is written down instead."""
    script = tmp_path / "browser"
    script.write_text(f'#!/bin/sh\necho "$1" > "{tmp_path}/opened"\n')
    script.chmod(0o755)
    return script


def test_show_opens_the_browser(golf_tree, tmp_path, fake_browser):
    run = as_process("show", golf_tree, "--browser", BROWSER=f"{fake_browser} %s", TMPDIR=str(tmp_path))
    assert (run.code, run.err) == (0, "")
    (page,) = tmp_path.glob("thriftwood-*.html")
    assert run.out == f"Opened: {page}.\n"
    assert (tmp_path / "opened").read_text().strip() == page.as_uri()
    assert page.read_text(encoding="utf-8").count("<details") == 3  # Outlook, Humidity, Wind


def test_show_says_where_the_page_is_without_a_browser(golf_tree, tmp_path):
    run = as_process(
        "show", golf_tree, "--browser", BROWSER="false %s", TMPDIR=str(tmp_path), PATH="/nowhere"
    )
    assert (run.code, run.out) == (1, "")
    assert "No browser could be started here. Open " in run.err


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["--svg", "tree.png"], "--svg writes a .svg file. Got 'tree.png'."),
        (["--png", "tree"], "--png writes a .png file. Got 'tree'."),
        (
            ["--svg", "no-folder/tree.svg"],
            "no-folder/tree.svg cannot be written: there is no folder 'no-folder'",
        ),
        (["--svg", "tree.svg", "--rules"], "choose one"),
        (["--browser", "--json"], "choose one"),
        (["--browser", "--depth", "1"], "leave it out"),
    ],
)
def test_show_refuses_pictures_in_words(golf_tree, tmp_path, monkeypatch, wrong, said):
    monkeypatch.chdir(tmp_path)
    run = as_process("show", golf_tree, *wrong)
    assert (run.code, run.out) == (2, "")
    assert said in " ".join(run.err.split())
    assert not list(tmp_path.iterdir())
