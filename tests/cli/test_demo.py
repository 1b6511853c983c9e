import time

import pytest
from cli.commands import as_process, thriftwood
from sklearn.model_selection import train_test_split

import thriftwood as tw


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    saved = tmp_path_factory.mktemp("demo") / "tree.json"
    start = time.monotonic()
    run = as_process("demo", "--save", saved)
    return run, saved, time.monotonic() - start


def test_demo_prints_tree_bill_and_consultation(demo):
    run, _, _ = demo
    assert (run.code, run.err) == (0, "")
    for words in ("needle aspirate", "worst perimeter?", "together", "bill so far", "Try next"):
        assert words in run.out
    assert "\x1b" not in run.out  # no colours into a pipe


def test_demo_says_that_its_prices_are_invented(demo):
    assert "invented" in " ".join(demo[0].out.split())


def test_demo_saves_the_tree_it_prints(demo):
    run, saved, _ = demo
    tree = tw.load(saved)
    assert all(line.rstrip() in run.out for line in tree.text().splitlines())


def test_demo_bill_is_the_library_s(demo):
    run, saved, _ = demo
    tree = tw.load(saved)
    together = next(line for line in run.out.splitlines() if line.startswith("together"))
    data = tw.load_dataset("wisconsin-diagnostic")
    _, X, _, y = train_test_split(data.X, data.y, test_size=1 / 3, stratify=data.y, random_state=0)
    assert f"{tw.bill(tree, X, y).mean_cost:.2f}" in together.split()


def test_demo_is_quick(demo):
    assert demo[2] < 30  # about 2 s on an idle machine


def test_demo_refuses_a_place_it_cannot_write(tmp_path):
    run = thriftwood("demo", "--save", tmp_path / "no-folder" / "tree.json")
    assert run.code == 2
    assert run.out == ""
    assert run.err.count("\n") == 1
    assert "no-folder" in run.err


def test_demo_keeps_to_a_plain_terminal():
    run = as_process("demo", PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C")
    assert (run.code, run.err) == (0, "")
    assert "worst perimeter <= 115.9" in run.out


def test_demo_says_what_to_install_without_pandas(monkeypatch):
    monkeypatch.setattr("thriftwood.cli.demo.find_spec", lambda name: None)
    run = thriftwood("demo")
    assert (run.code, run.out) == (1, "")
    assert "pip install pandas" in run.err
