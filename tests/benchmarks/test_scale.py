"""The benchmark of tables that are read in parts runs, and its trees agree."""

from benchmarks import scale


def test_the_trees_of_all_jobs_are_the_same(capsys, tmp_path):
    scale.main(["--rows", "5000", "--memory", "1MB", "--folder", str(tmp_path)])
    printed = capsys.readouterr().out
    assert "all trees are the same" in printed
    assert "fit_scan(1MB)" in printed
