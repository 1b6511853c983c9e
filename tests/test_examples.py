"""Every example runs, and says what its first lines promise."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
SAID = {
    "c45_exactly.py": "Humidity > 75: No         3.385",
    "cost_of_each_prediction.py": "The three dearest cases:",
    "a_page_to_show.py": "report.html: <Report 'When do we play?': 14 cases, 8 nodes>",
    "one_test_at_a_time.py": "Wind for 0.5: None, bill so far 4.5",
    "price_list_in_a_file.py": "cholesterol once sugar was paid costs 5.17",
    "why_it_failed.py": "The customer is not in the list. Was the name misspelt?",
    "which_learner_is_cheapest.py": "the folds do not tell them apart",
}


def test_every_example_is_listed_here():
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(SAID)


@pytest.mark.parametrize("name", SAID)
def test_example_runs(name, tmp_path):
    # From another folder: an example must find its own files.
    run = subprocess.run(
        [sys.executable, "-W", "error", EXAMPLES / name],
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
        env=os.environ | {"PYTHONUTF8": "1"},
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert SAID[name] in run.stdout
    assert not list(tmp_path.iterdir())


def test_the_files_of_a_failure_can_be_kept(tmp_path):
    words = [sys.executable, EXAMPLES / "why_it_failed.py", tmp_path / "keep"]
    subprocess.run(words, capture_output=True, cwd=tmp_path, check=True)
    kept = {path.name for path in (tmp_path / "keep").iterdir()}
    assert {"runs.tsv", "messages.toml", "orders.py", "recording", "model.json", "clarify-runs"} <= kept
