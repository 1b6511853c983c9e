"""``thriftwood stream``: the running bill, saves, and a kill in the middle."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli.commands import as_process, thriftwood

import thriftwood as tw


@pytest.fixture
def events(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tw.make_stream("sea", random_state=0).frame(6000).to_csv("events.csv", index=False)
    Path("costs.toml").write_text("default_price = 1\nerrors_default = 20\n")
    return tmp_path


def test_the_running_bill_is_that_of_the_library(events):
    run = thriftwood(
        *("stream", "events.csv", "--target", "class", "--costs", "costs.toml", "--every", "2000"),
        *("--algorithm", "c45", "--window", "3000", "--state", "state.json", "-o", "tree.json"),
    )
    assert run.code == 0
    rows = [line.split() for line in run.out.splitlines()]
    assert rows[0] == ["rows", "accuracy", "tests", "mistakes", "bill", "refits", "drifts"]
    assert [row[0] for row in rows[1:]] == ["2,000", "4,000", "6,000"]
    history = json.loads(Path("state.json").read_text())["history"]
    assert rows[-1][1] == f"{history['sums'][1] / history['sums'][0]:.4f}"
    assert isinstance(tw.load("tree.json"), tw.Tree)


def test_rows_that_are_all_in_the_first_batch_are_not_billed_and_that_is_said(events):
    run = thriftwood("stream", "events.csv", "--target", "class", "--algorithm", "c45", "--batch", "6000")
    assert run.code == 0
    assert "No row was billed" in run.err
    run = thriftwood("stream", "events.csv", "--target", "class", "--algorithm", "c45", "--batch", "3000")
    assert "No row was billed" not in run.err


def test_killed_in_the_middle_it_goes_on(events):
    """Lines come through a pipe that stays open; after kill -9 no more than the unsaved rows are lost."""
    lines = Path("events.csv").read_text().splitlines(keepends=True)
    command = [
        str(Path(sys.executable).with_name("thriftwood")),
        "stream",
        "-",
        "--target",
        "class",
        "--batch",
        "500",
    ]
    command += ["--every", "1000", "--state", "state.json"]
    run = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    run.stdin.write("".join(lines[:2700]))
    run.stdin.flush()
    assert [run.stdout.readline().split()[0] for _ in range(3)] == ["rows", "1,000", "2,000"]
    time.sleep(0.1)
    os.kill(run.pid, signal.SIGKILL)
    run.communicate()
    saved = json.loads(Path("state.json").read_text())
    assert saved["n_rows"] == 2000
    rest = as_process(
        *("stream", "events.csv", "--target", "class", "--batch", "500", "--every", "1000"),
        "--state",
        "state.json",
    )
    assert "goes on after 2,000 rows" in rest.err
    assert [line.split()[0] for line in rest.out.splitlines()[1:]] == ["3,000", "4,000", "5,000", "6,000"]
    after = json.loads(Path("state.json").read_text())
    assert after["n_rows"] == 6000
    assert after["history"]["sums"][0] == 5500  # all but the first batch were answered, none twice
    assert after["history"]["points"][:3] == saved["history"]["points"]


def test_what_is_wrong_is_said_in_a_sentence(events):
    run = thriftwood("stream", "events.csv", "--target", "clas")
    assert run.code == 2
    assert "no column 'clas'" in run.err
    Path("empty.csv").write_text("x0,class\n")
    assert "no rows" in thriftwood("stream", "empty.csv", "--target", "class").err
    same = thriftwood("stream", "events.csv", "--target", "class", "--state", "events.csv")
    assert same.code == 2
    assert "events.csv" in same.err


GERMAN = "größe;farbe;zustand\n" + "1,5;rot;gut\n2,5;grün;schlecht\n" * 20
SMALL = ("--target", "zustand", "--algorithm", "c45", "--batch", "10", "-o", "tree.json")


@pytest.mark.parametrize(
    ("name", "content", "options"),
    [
        ("utf8.csv", GERMAN.encode(), ()),
        ("mark.csv", GERMAN.encode("utf-8-sig"), ()),
        ("spreadsheet.csv", GERMAN.encode("cp1252"), ()),
        ("mac.csv", GERMAN.encode("mac_roman"), ("--encoding", "mac_roman")),
        ("packed.csv.gz", gzip.compress(GERMAN.encode(), mtime=0), ()),
        ("bars.tsv", GERMAN.replace(";", "\t").encode(), ()),
    ],
    ids=["utf-8", "mark", "cp1252", "encoding", "packed", "tabs"],  # the same in every process
)
def test_tables_are_read_as_fit_reads_them(name, content, options, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(content)
    run = thriftwood("stream", name, *SMALL, *options)
    assert run.code == 0
    assert ("cp1252" in run.err) == (name == "spreadsheet.csv")
    size, colour = tw.load("tree.json").columns
    assert (size.name, size.kind, colour.categories) == ("größe", "numeric", ("grün", "rot"))


def test_what_is_piped_is_read_as_it_comes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert thriftwood("stream", "-", *SMALL, typed=GERMAN.encode("utf-8-sig")).code == 0
    assert next((c.name, c.kind) for c in tw.load("tree.json").columns) == ("größe", "numeric")
    assert thriftwood("stream", "-", *SMALL, typed=GERMAN.encode("utf-16")).code == 0
    late = GERMAN.encode() + "1,5;blaß;gut\n".encode("cp1252")
    run = thriftwood("stream", "-", *SMALL, typed=late)
    assert run.code == 2
    assert "line 42: the byte 0xdf is not text in UTF-8. Give --encoding" in " ".join(run.err.split())


def test_an_error_in_the_middle_names_the_row_of_the_stream(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("late.csv").write_text(GERMAN + "2,5;rot;gut\nzwei;rot;gut\n", encoding="utf-8")
    err = " ".join(thriftwood("stream", "late.csv", *SMALL).err.split())
    assert "data row 42 of the stream holds 'zwei'" in err
    assert "give --nominal größe" in err
    Path("late.csv").write_text(GERMAN + "2,5;rot;gut\ninf;rot;gut\n", encoding="utf-8")
    err = " ".join(thriftwood("stream", "late.csv", *SMALL).err.split())
    assert "'größe' holds an infinite number in data row 42 of the stream" in err


def test_before_a_row_is_answered_there_are_no_means(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("few.csv").write_text(GERMAN, encoding="utf-8")
    run = thriftwood("stream", "few.csv", "--target", "zustand", "--algorithm", "c45")
    assert run.out.splitlines()[1].split() == ["40", "-", "-", "-", "-", "1", "0"]
