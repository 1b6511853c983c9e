"""Cost files of every form, changed at random: read, and used if they can be read."""

import atexit
import functools
import json
import random
import shutil
import tempfile
from pathlib import Path

from fuzz.campaign.kind import check_words
from fuzz.campaign.mutations import mutated_text

import thriftwood as tw

TOML = """payment = "sequential"
errors_default = 1
default_price = 0

[tests]
age = 1
chol = {price = 5.17, needs = ["blood draw"], delayed = true}
thal = {price = 102.9, group = "scan", after = 1}

[shared]
"blood draw" = 2.1

[errors.sick]
healthy = 50
[errors.healthy]
sick = 5.5
"""
JSON = json.dumps(
    {
        "payment": "upfront",
        "tests": {
            "age": 1,
            "chol": {"price": 5, "needs": ["kit"]},
            "thal": {"price": 3, "group": "g", "after": 1},
        },
        "shared": {"kit": 2.5},
        "errors": [[0, 50], [5.5, 0]],
    },
    indent=1,
)
WEKA = ("% rows, columns\n2 2\n0 10 % a miss\n1.0 0.0\n", "% the older form\n0 1 10.0\n1 0 3\n")
C50 = "| predicted, actual: cost\nsick, healthy: 5\nhealthy, sick: 50.5\n"
LOMAX = """0 10
20 0
Attribute-name test-cost discount group binarize-begin binarize-end
age 5.0 5.0 x 0 2
chol 7.5 3 blood 3 4
thal 102.9 1 blood 5 5
"""
UCI = {
    "cost": "age: 1.00\nchol: 7.27\nthal: 102.90\n",
    "expense": "age: 1.00, 1.00\nchol: 7.27, 5.17\nthal: 102.90, 101.90\n",
    "group": "age: -\nchol: A\nthal: A\n",
    "delay": "age: immediate\nchol: delayed\nthal: delayed\n",
}


@functools.cache
def folder():
    """A place for files of this process; in a campaign it lies in the campaign's own folder."""
    made = tempfile.mkdtemp(prefix="thriftwood-fuzz-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return Path(made)


def _written(name, text):
    path = folder() / name
    path.write_bytes(text.encode("utf-8", errors="surrogatepass"))
    return path


def _toml(rng):
    return tw.Costs.from_file(_written("c.toml", mutated_text(TOML, rng)))


def _json(rng):
    return tw.Costs.from_file(_written("c.json", mutated_text(JSON, rng)))


def _weka(rng):
    return tw.Costs.from_weka(_written("c.cost", mutated_text(rng.choice(WEKA), rng)), ["sick", "healthy"])


def _c50(rng):
    return tw.Costs.from_c50(_written("c.costs", mutated_text(C50, rng)))


def _lomax(rng):
    columns, classes = rng.choice(("binary", "attributes")), rng.choice((None, ["sick", "healthy"]))
    return tw.Costs.from_lomax(_written("c.csv", mutated_text(LOMAX, rng)), columns=columns, classes=classes)


def _uci(rng):
    changed = rng.choice(list(UCI))
    for ending, text in UCI.items():
        _written(f"c.{ending}", mutated_text(text, rng) if ending == changed else text)
    return tw.Costs.from_uci(folder(), "c")


READERS = {"toml": _toml, "json": _json, "weka": _weka, "c5.0": _c50, "lomax": _lomax, "uci": _uci}


def read_and_use(kind, seed):
    """Read a changed cost file; use it, if it can be read. Tell whether it could."""
    try:
        costs = READERS[kind](random.Random(seed))
    except tw.CostError as refusal:
        check_words(refusal)
        return False
    try:
        costs.compile([*costs.tests, "another"])
        costs.error_matrix(["sick", "healthy"])
    except ValueError as refusal:  # a price for each column was wanted, other classes
        check_words(refusal)
    assert tw.Costs.from_dict(costs.to_dict()) == costs
    repr(costs)
    return True
