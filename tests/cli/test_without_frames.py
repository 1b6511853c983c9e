"""The command line with nothing installed but what thriftwood itself requires."""

import subprocess
import sys
from pathlib import Path

import thriftwood as tw

OPTIONAL = ("pandas", "polars", "pyarrow", "matplotlib")
PROGRAM = f"""
import sys
for name in {OPTIONAL}:
    sys.modules[name] = None  # as if it were not there
from thriftwood.cli import app
for words in sys.argv[1:]:
    app(words.split(), standalone_mode=False)
"""


def test_from_table_to_answers_without_a_frame_library(state_tree):
    learn = "patients.csv --target state --ignore id --costs costs.toml"
    commands = [
        f"fit {learn} --algorithm c45 --holdout 0.25 -o bare.json",
        f"compare {learn} --cv 3 --algorithms c45,eg2",
        "predict bare.json patients.csv -o answers.csv",
        "bill bare.json patients.csv --target state -o cases.csv",
    ]
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, *commands], capture_output=True, encoding="utf-8", check=False
    )
    said = "Note: In 4 of 12 rows the answer is the cheapest, not the likeliest (error costs).\n"
    assert (run.returncode, run.stderr) == (0, said)
    assert tw.load("bare.json") == tw.load(state_tree)
    assert len(Path("answers.csv").read_text().splitlines()) == 13
