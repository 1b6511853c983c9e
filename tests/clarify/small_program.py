"""A program that says the same whatever goes wrong, and files that make it go wrong in two ways."""

import shlex
import sys
from pathlib import Path

from thriftwood.clarify import read_commands, read_messages, record, train

LINES = 'from thriftwood.clarify import explain\nexplain("model.json")\n'
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


def write_explained_program(folder: Path) -> None:
    """Write the same with the two lines in it and the model that it is explained by, and two inputs more."""
    write_small_program(folder)
    program = folder / "prog.py"
    program.write_text(LINES + program.read_text())
    recording = record(folder / "rec", read_commands(folder / "runs.tsv"))
    train(recording, messages=read_messages(folder / "messages.toml")).model.save(folder / "model.json")
    (folder / "letter.txt").write_text("x 1\n")
    (folder / "fine.txt").write_text("1 2\n")
