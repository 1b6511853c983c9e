"""From a confusing failure to a clear message, in five commands.

`why_it_failed/orders.py` says the same sentence whatever is wrong with its file. Forty files with known
faults are run and recorded; a tree learns what tells the faults apart, with as little watching as possible;
then a new file fails in production, where only that is watched. Give a new folder, `why_it_failed.py
KEEP`, to keep all files there and try the commands yourself.
"""

import json
import random
import shlex
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent / "why_it_failed"
THRIFTWOOD = Path(sys.executable).with_name("thriftwood")
COMMANDS = (
    "thriftwood clarify record recording --runs runs.tsv",
    "thriftwood clarify learn recording --messages messages.toml -o model.json",
    "thriftwood clarify plan model.json",
    "thriftwood clarify watch model.json -- python orders.py new.json",
    "thriftwood clarify diagnose model.json",
)
FAULTS = ("decimal comma", "other date", "unknown customer", "empty basket")


def order(fault, rng):
    """Write an order with one fault."""
    basket = [
        {
            "name": f"item {k}",
            "price": f"{rng.randint(1, 99)}.50",
            "day": f"2026-11-{rng.randint(10, 28)}",
        }
        for k in range(rng.randint(2, 9))
    ]
    made = {"customer": rng.choice(["ada", "bob", "eve"]), "items": basket}
    if fault == "decimal comma":
        rng.choice(basket)["price"] = "3,50"
    elif fault == "other date":
        rng.choice(basket)["day"] = "15.11.2026"
    elif fault == "unknown customer":
        made["customer"] = "adda"
    else:
        basket.clear()
    return json.dumps(made)


def prepare(folder):
    """Copy the program and its messages; write orders and the list of runs."""
    for name in ("orders.py", "messages.toml"):
        (folder / name).write_bytes((HERE / name).read_bytes())
    rng = random.Random(0)
    lines = []
    for number in range(40):
        fault = FAULTS[number % len(FAULTS)]
        (folder / f"{number}.json").write_text(order(fault, rng))
        lines.append(f"{fault}\t{shlex.quote(sys.executable)} orders.py {number}.json\n")
    (folder / "runs.tsv").write_text("".join(lines))
    (folder / "new.json").write_text(order("unknown customer", rng))


def kept_folder():
    """Make the folder that was asked for; without one, a folder that goes away in the end."""
    if len(sys.argv) < 2:
        return TemporaryDirectory()
    Path(sys.argv[1]).mkdir(parents=True)
    return nullcontext(sys.argv[1])


if __name__ == "__main__":
    with kept_folder() as place:
        prepare(Path(place))
        for command in COMMANDS:
            print(f"$ {command}")
            words = [sys.executable if word == "python" else word for word in shlex.split(command)]
            run = subprocess.run(
                [THRIFTWOOD, *words[1:]],
                cwd=place,
                check=False,
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            print(run.stdout)
