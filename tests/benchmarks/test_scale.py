"""The benchmarks of tables that are read in parts run, and what they compare agrees."""

import pytest

from benchmarks.scale import cap, cluster, fit, sql, workers


def test_the_trees_of_all_jobs_are_the_same(capsys, tmp_path):
    fit.main(["--rows", "5000", "--memory", "1MB", "--folder", str(tmp_path)])
    printed = capsys.readouterr().out
    assert "all trees are the same" in printed
    assert "fit_scan(1MB)" in printed


def test_commands_complete_below_a_cap_on_a_table_larger_than_what_they_may_hold(capsys, tmp_path):
    cap.main(["--cap", "400MB", "--times", "0.02", "--memory", "5MB", "--folder", str(tmp_path)])
    assert "all three completed" in capsys.readouterr().out


def test_the_plain_query_answers_as_a_case_by_hand(capsys):
    sql.main(["--rows", "3000", "--rounds", "1"])
    assert "answers are the same" in capsys.readouterr().out


def test_more_workers_divide_reading_and_counting():
    tasks = workers.Tasks(look=2e-7, code=2e-7, count_first=3e-8, count_later=2e-8, choose=1e-3)
    cluster = workers.Cluster(1e-3, 1.25e9, 8)
    one, ten, many = (workers.simulated(tasks, cluster, 10**9, 8, n) for n in (1, 10, 1000))
    assert one["reading"] == pytest.approx(400.0)
    assert ten["reading"] == pytest.approx(40.0)
    assert one["counting"] == pytest.approx(10**9 * (3e-8 + 7 * 2e-8))
    assert one["rounds"] == 8
    assert one["network"] == 0 < ten["network"]
    assert many["scheduler"] == pytest.approx((8 * (1000 + 125 + 16 + 2 + 1) + 3000) * 1e-3)


@pytest.mark.filterwarnings("ignore:\\s*Port 8787 is already in use")  # by another run of the tests
def test_two_workers_grow_the_tree_of_one_process(capsys):
    pytest.importorskip("distributed")
    cluster.main(["--rows", "20000", "--memory", "1MB"])  # which stops if the trees differ
    printed = capsys.readouterr().out
    assert "growth on two workers takes" in printed
    assert "the same tree" in printed


def test_tasks_are_measured(capsys):
    workers.main(["--measured-rows", "2000", "--rows", "10000000"])
    assert "10,000,000 rows of 30 columns" in capsys.readouterr().out
