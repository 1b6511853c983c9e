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
    "content", ["", "{}", "[1, 2]", '{"format": "thriftwood-tree", "version": 99}', "\x00\xff"]
)
def test_show_refuses_what_is_no_tree(tmp_path, content):
    path = tmp_path / "wrong.json"
    path.write_text(content, encoding="utf-8")
    run = thriftwood("show", path)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("Error: This is not a tree file: ")
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
