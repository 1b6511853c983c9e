import json
import re
import resource
from pathlib import Path

import pytest
from cli.commands import as_process, thriftwood
from sklearn.model_selection import train_test_split

import thriftwood as tw


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    saved = tmp_path_factory.mktemp("demo") / "tree.json"
    before = worked_by_processes()
    run = as_process("demo", "--save", saved, "--report", saved.with_name("report.html"))
    return run, saved, worked_by_processes() - before


def worked_by_processes():
    """Seconds that the processes we started worked, whatever else the machine did meanwhile."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_demo_prints_frontier_tree_bill_and_consultation(demo):
    run, _, _ = demo
    assert (run.code, run.err) == (0, "")
    for words in (
        *("needle aspirate", "Frontier of budget", "worst concave points?", "together", "bill so far"),
        "Try next",
    ):
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


def test_demo_writes_a_report_of_the_tree_and_its_frontier(demo):
    run, saved, _ = demo
    report = saved.with_name("report.html")
    assert f"Report: {report}. Open it" in run.out
    page = report.read_text(encoding="utf-8")
    data = json.loads(re.search(r'<script type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL)[1])
    assert len(data["nodes"]) == tw.load(saved).n_nodes
    (chosen,) = [point for point in data["frontier"]["points"] if point["chosen"]]
    assert chosen["cheapest"]
    assert f"  {chosen['value']} " in next(line for line in run.out.splitlines() if "cheapest" in line)


def test_demo_compares_with_c45(demo):
    data = tw.load_dataset("wisconsin-diagnostic")
    X, X_new, y, y_new = train_test_split(data.X, data.y, test_size=1 / 3, stratify=data.y, random_state=0)
    bill = tw.bill(tw.algorithm("c45", costs=data.costs).fit(X, y), X_new, y_new)
    row = next(line for line in demo[0].out.splitlines() if line.startswith("C4.5, one test at a time"))
    assert row.split()[-5:-2] == [
        f"{amount:.2f}" for amount in (bill.mean_test_cost, bill.mean_error_cost, bill.mean_cost)
    ]


def test_readme_has_the_figures_of_the_demo(demo):
    shown = demo[0].out[demo[0].out.index("The same on 20 random splits") :]
    blind, tree, chosen = (
        re.search(rf"{name}.*?  +(\d\S+) +(\S+) +(\S+)(?: +(\d+) of 20)?", shown).groups()
        for name in ("C4.5, one test", "thrift, a tree as above", "thrift, tree or score")
    )
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    words = (
        "tests for {} instead of {} a case, mistakes for {} instead of {}; together {} instead of {}, cheaper"
    )
    pairs = (amount for pair in zip(chosen[:3], blind[:3], strict=True) for amount in pair)
    assert words.format(*pairs) + f" in {chosen[3]} of 20" in readme
    assert f"Its single trees: {tree[2]}, cheaper in {tree[3]} of 20" in readme
    assert int(chosen[3]) >= 19


def test_demo_names_a_place_for_its_report_itself(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = thriftwood("demo")
    assert run.code == 0
    assert "Report: thriftwood-results/demo.html." in run.out
    assert (tmp_path / "thriftwood-results" / "demo.html").is_file()


@pytest.mark.parametrize("report", ["no-folder/report.html", "report.txt"])
def test_demo_refuses_a_report_it_cannot_write(tmp_path, monkeypatch, report):
    monkeypatch.chdir(tmp_path)
    run = thriftwood("demo", "--report", report)
    assert (run.code, run.out) == (2, "")
    assert report in run.err


def test_demo_is_quick(demo):
    assert demo[2] < 60  # about 25 s on an idle machine, most of them for score cards of 20 splits


def test_demo_refuses_a_place_it_cannot_write(tmp_path):
    report = ("--report", tmp_path / "report.html")
    run = thriftwood("demo", "--save", tmp_path / "no-folder" / "tree.json", *report)
    assert run.code == 2
    assert run.out == ""
    assert run.err.count("\n") == 1
    assert "no-folder" in run.err


def test_demo_keeps_to_a_plain_terminal(tmp_path):
    report = ("--report", tmp_path / "report.html")
    run = as_process("demo", *report, PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C")
    assert (run.code, run.err) == (0, "")
    assert "worst concave points <= 0.10955" in run.out


def test_demo_says_what_to_install_without_pandas(monkeypatch):
    monkeypatch.setattr("thriftwood.cli.demo.find_spec", lambda name: None)
    run = thriftwood("demo")
    assert (run.code, run.out) == (1, "")
    assert "pip install pandas" in run.err
