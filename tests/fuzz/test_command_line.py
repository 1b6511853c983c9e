"""Whatever the files hold: a result, or one sentence and exit code 2; never a fault of ours."""

import contextlib
import random

import pandas as pd
import pytest
from cli.commands import thriftwood
from cli.conftest import PATIENTS, PRICES
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import thriftwood as tw

ARFF = (
    "@relation p\n@attribute smoker {no,yes}\n@attribute pulse real\n@attribute state {sick,healthy}\n@data\n"
)
ARFF += "yes,72,sick\nno,80,healthy\n{1 5}\n'no',?,sick\n"
NAMES = "sick, healthy.\nsmoker: yes, no.\npulse: continuous.\n"
DATA = "yes, 72, sick\nno, ?, healthy\nyes, 80, sick.\n"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Files that are as they should be."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "t.csv").write_text(PATIENTS)
    (folder / "t.arff").write_text(ARFF)
    (folder / "t.names").write_text(NAMES)
    (folder / "t.data").write_text(DATA)
    (folder / "costs.toml").write_text(PRICES)
    frame = pd.read_csv(folder / "t.csv")
    frame.to_parquet(folder / "t.parquet")
    frame.to_feather(folder / "t.feather")
    data = tw.read_table(folder / "t.csv", "state", leave_out=["id"])
    costs = tw.Costs.from_file(folder / "costs.toml")
    tw.algorithm("c45", costs=costs).fit(data.X, data.y).tree_.save(folder / "tree.json")
    return folder


def spoilt(content, seed):
    """Bytes changed, taken out, put in, repeated or cut off."""
    rng = random.Random(seed)
    spoiling = bytearray(content)
    for _ in range(rng.randint(1, 6)):
        place = rng.randrange(len(spoiling) + 1)
        match rng.randrange(5):
            case 0:
                spoiling[place : place + 1] = rng.choice(
                    [b",", b"\n", b'"', b"'", b"{", b"}", b"?", b"\xff", b"|"]
                )
            case 1:
                del spoiling[place : place + rng.randint(1, 8)]
            case 2:
                spoiling[place:place] = rng.choice(
                    [b"1e999", b"nan", b"_", b"\x00", b"\\", b".", b":", b"@data\n"]
                )
            case 3:
                spoiling[place:place] = spoiling[place : place + 20]
            case 4:
                del spoiling[place + 40 :]
    return bytes(spoiling)


LEARN = ["--target", "state"]
COMMANDS = {
    "t.csv": ["fit", "t.csv", *LEARN, "--ignore", "id", "--costs", "costs.toml"],
    "t.arff": ["fit", "t.arff", *LEARN],
    "t.names": ["fit", "t.data"],
    "t.data": ["fit", "t.data"],
    "t.parquet": ["fit", "t.parquet", *LEARN],
    "t.feather": ["costs", "init", "t.feather", *LEARN],
    "costs.toml": ["costs", "check", "costs.toml", "t.csv", *LEARN],
    "tree.json": ["predict", "tree.json", "t.csv"],
}


@pytest.mark.parametrize("name", COMMANDS)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32))
def test_a_spoilt_file_is_read_or_refused_in_words(whole, tmp_path, name, seed):
    for file in whole.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / name).write_bytes(spoilt((whole / name).read_bytes(), seed))
    with contextlib.chdir(tmp_path):
        run = thriftwood(*COMMANDS[name])
    assert run.code in (0, 2), run.err
    assert "Traceback" not in run.err
    if run.code == 2:
        assert run.err.splitlines()[-1].startswith("Error: ")


def test_whole_files_are_read(whole):
    with contextlib.chdir(whole):
        for words in COMMANDS.values():
            assert thriftwood(*words).code == 0, words
