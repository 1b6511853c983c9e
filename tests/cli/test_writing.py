"""No command writes over what it reads, and a model is not called by a name of something else."""

import errno
import shutil
from pathlib import Path

import pytest
from cli.commands import thriftwood

from thriftwood.cli.writing import table_writer

FIT = ["--target", "state", "--costs", "costs.toml"]


@pytest.mark.parametrize(
    ("words", "output", "what"),
    [
        (["fit", "patients.csv", *FIT], "patients.csv", "table"),
        (["fit", "patients.csv", *FIT], "./costs.toml", "price list"),
        (["fit", "patients.csv", *FIT[:2], "--costs", "costs.json"], "costs.json", "price list"),
        (["frontier", "patients.csv", *FIT], "patients.csv", "table"),
        (["frontier", "patients.csv", *FIT], "link.json", "price list"),
        (["predict", "tree.json", "patients.csv"], "patients.csv", "table"),
        (["predict", "tree.csv", "patients.csv"], "tree.csv", "model"),
        (["bill", "tree.json", "patients.csv"], "patients.csv", "table"),
        (["bill", "tree.csv", "patients.csv"], "tree.csv", "model"),
        (["export", "tree.json", "--to", "c"], "tree.json", "model"),
        (["flowtype", "train", ".", "--costs", "costs.json"], "costs.json", "price list"),
        (["flowtype", "train", "."], "index.jsonl", "index of the corpus"),
        (["clarify", "learn", ".", "--messages", "said.json"], "said.json", "file of messages"),
        (["clarify", "plan", "tree.json", "--messages", "said.json"], "said.json", "file of messages"),
    ],
)
def test_what_a_command_reads_is_not_written_over(state_tree, words, output, what):
    for name in ("costs.json", "said.json", "index.jsonl"):
        Path(name).write_text("{}")
    shutil.copy("tree.json", "tree.csv")
    Path("link.json").symlink_to("costs.toml")
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    run = thriftwood(*words, "-o", output)
    said = f"Error: {Path(output)} is the {what} itself, which would be lost. Name another file.\n"
    assert (run.code, run.out, run.err) == (2, "", said)
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


def test_a_plan_is_not_written_over_its_model(state_tree):
    run = thriftwood("clarify", "plan", "tree.json", "--write", "tree.json")
    assert (run.code, run.out) == (2, "")
    assert "tree.json is the model itself, which would be lost" in run.err


@pytest.mark.parametrize("name", ["m.csv", "m.TSV", "m.toml", "m.parquet", "m.names", "m.csv.gz"])
@pytest.mark.parametrize("words", [["fit", "patients.csv", *FIT], ["frontier", "patients.csv", *FIT]])
def test_a_model_is_not_called_a_table_or_a_price_list(clinic, words, name):
    run = thriftwood(*words, "-o", name)
    ending = Path(name).suffix.lower()
    said = f"Error: A model is a .json file, and {ending} is no ending of one. Got {name!r}.\n"
    assert (run.code, run.out, run.err) == (2, "", said)
    assert not Path(name).exists()


@pytest.mark.parametrize("name", ["answers.csv", "answers.parquet"])
def test_a_disk_that_is_full_is_told_with_the_file_that_was_asked_for(tmp_path, name):
    path = tmp_path / name

    def fill():
        with table_writer(path) as write:
            write({"answer": ["no"]})
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space left on device") as error:
        fill()
    assert error.value.filename == str(path)
    assert list(tmp_path.iterdir()) == []
