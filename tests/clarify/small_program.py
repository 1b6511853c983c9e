"""A program that says the same whatever goes wrong, and files that make it go wrong in two ways."""

import shlex
import sys
from pathlib import Path

PROGRAM = """
import sys
def first(text): return int(text)
def second(text): return 10 / int(text)
def main():
    try:
        with open(sys.argv[1]) as file:
            for line in file:
                a, b = line.split()
                first(a)
                second(b)
    except Exception:
        print("Error 7", file=sys.stderr)
        sys.exit(7)
main()
"""
MESSAGES = 'letter = "Write digits."\nzero = "Nothing can be divided by 0."\n'
RUNS = 6


def write_small_program(folder: Path) -> None:
    """Write prog.py, its inputs, runs.tsv and messages.toml; new.txt has a zero."""
    (folder / "prog.py").write_text(PROGRAM)
    lines = []
    for number in range(RUNS):
        for place, (label, text) in enumerate((("letter", "x 1\n"), ("zero", "1 0\n"))):
            name = f"{2 * number + place:02}.txt"  # which tells nothing of the label
            (folder / name).write_text("1 2\n" * (number if label == "zero" else 0) + text)
            lines.append(f"{label}\t{shlex.quote(sys.executable)} prog.py {name}\n")
    (folder / "runs.tsv").write_text("".join(lines))
    (folder / "messages.toml").write_text(MESSAGES)
    (folder / "new.txt").write_text("1 2\n1 2\n1 0\n")
