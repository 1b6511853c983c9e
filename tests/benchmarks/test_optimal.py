"""benchmarks.optimal: when a line of its tables holds, and what the command makes of it."""

from __future__ import annotations

import math

import pytest
from experiments.small_lomax import write_small_lomax

from benchmarks.optimal import __main__ as command
from benchmarks.optimal import limits, numeric, priced
from benchmarks.optimal.verdict import Verdict, same, timed


def test_a_verdict_holds_where_trees_are_equal_and_time_is_within_the_share():
    assert Verdict("fast", 1.0, 2.0, most=0.5).holds
    assert not Verdict("slow", 1.1, 2.0, most=0.5).holds
    assert not Verdict("another tree", 0.1, 2.0, most=0.5, equal=False).holds
    assert Verdict("not judged", 9.0, 1.0).holds
    assert Verdict("instant", 1.0, 0.0).ratio == math.inf


def test_costs_are_the_same_to_nine_digits():
    assert same(1000.0, 1000.0 + 1e-7)
    assert not same(1000.0, 1000.0 + 1e-5)


def test_the_least_of_several_times_counts():
    calls = []
    result, seconds = timed(lambda: calls.append(1) or len(calls), repeats=3)
    assert result == 3
    assert 0 <= seconds < 1


def test_every_setting_is_searched_by_both_programs(tmp_path, monkeypatch):
    folder = write_small_lomax(tmp_path)
    own = priced.ours
    monkeypatch.setattr(priced, "streed", lambda *asked: (10.0, own(*asked)[1] - (asked[0].level == "high")))
    found = list(priced.beside_streed(2, ("lamp",), folder))
    assert len(found) == 3 * 2 * 2
    assert [verdict.holds for verdict in found] == ["high" not in verdict.what for verdict in found]
    assert {verdict.most for verdict in found if "depth 4" in verdict.what} == {0.5}


def test_contree_finds_trees_of_the_same_accuracy():
    pytest.importorskip("pycontree")
    (verdict,) = numeric.beside_contree(("iris",))
    assert verdict.equal
    assert verdict.words == "accuracy 0.993333"


def test_what_is_said_after_a_short_search_is_true():
    found = list(limits.true_gaps())
    assert all(verdict.holds for verdict in found)
    assert found[0].ours >= found[0].theirs - 1e-9


def test_the_command_ends_with_1_where_something_does_not_hold(monkeypatch, capsys):
    lines = [Verdict("good", 1.0, 2.0, most=0.5), Verdict("bad", 3.0, 2.0, most=0.5)]
    monkeypatch.setattr(command, "_limits", lambda: iter(lines))
    assert command.main(["--only", "limits"]) == 1
    assert "DOES NOT HOLD" in capsys.readouterr().out
    monkeypatch.setattr(command, "_limits", lambda: iter(lines[:1]))
    assert command.main(["--only", "limits"]) == 0


def test_a_program_that_is_missing_is_said(monkeypatch, capsys):
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    assert command.main(["--only", "contree"]) == 0
    assert "pip install pycontree" in capsys.readouterr().out


def test_wrong_options_are_refused(capsys):
    with pytest.raises(SystemExit):
        command.main(["--splits", "0"])
    assert "--splits must be 1 or more" in capsys.readouterr().err
