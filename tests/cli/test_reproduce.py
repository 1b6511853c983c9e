import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli.commands import as_process, thriftwood
from experiments.small_data import write_small_data
from experiments.small_lomax import write_small_lomax
from experiments.small_streams import write_small_streams

from thriftwood.experiments import EXPERIMENTS

SMALL = ("--dataset", "zoo", "--dataset", "hepatitis", "--trials", "2")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return write_small_data(tmp_path_factory.mktemp("reproduce") / "data")


@pytest.fixture(scope="module")
def finished(data, tmp_path_factory):
    out = tmp_path_factory.mktemp("out") / "davis"
    return as_process("reproduce", "davis2006", *SMALL, "--data", data, "--out", out), out


def test_alone_it_lists_the_experiments():
    run = as_process("reproduce")
    assert (run.code, run.err) == (0, "")
    for name, experiment in EXPERIMENTS.items():
        assert name in run.out
        assert experiment.reference[:40] in run.out


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_has_a_command_with_an_example(name):
    run = thriftwood("reproduce", name, "--help")
    assert run.code == 0
    assert f"Example: thriftwood reproduce {name}" in run.out


def test_table_is_printed_beside_the_published_one(finished):
    run, out = finished
    assert (run.code, run.err) == (0, "")
    lines = [" ".join(line.split()) for line in run.out.splitlines()]
    titles = lines.index("data set csgain csgain-ratio eg2 mitchell idx")
    zoo, *_ = rows = lines[titles + 1 : titles + 10]
    assert [line.split()[0] for line in rows] == [
        *("zoo", "published", "difference", "hepatitis", "published", "difference"),
        *("average", "published", "difference"),
    ]
    assert zoo.startswith("zoo ours ")
    assert rows[1] == "published 0.524 0.507 0.606 1.045 0.542"
    assert "2 trials, seed 0; 14 gammas from 0 to 1e+06" in " ".join(run.out.split())
    assert str(out / "davis2006.csv") in run.out


def test_table_is_written_as_csv(finished):
    lines = (finished[1] / "davis2006.csv").read_text().splitlines()
    assert lines[0] == "data set,column,published,ours,difference,standard_error"
    assert len(lines) == 1 + 3 * 5
    assert lines[1].startswith("zoo,csgain,0.524,")


def test_picture_is_written(finished):
    pytest.importorskip("matplotlib")
    assert (finished[1] / "davis2006.png").read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib_a_sentence_says_so(data, tmp_path, monkeypatch):
    monkeypatch.setattr("thriftwood.cli.reproduce_page.find_spec", lambda name: None)
    run = thriftwood("reproduce", "davis2006", *SMALL, "--data", data, "--out", tmp_path)
    assert run.code == 0
    assert "pip install matplotlib" in " ".join(run.out.split())
    assert not (tmp_path / "davis2006.png").exists()


def test_json_has_the_settings_and_every_figure(data, finished):
    run = as_process("reproduce", "davis2006", *SMALL, "--data", data, "--out", finished[1], "--json")
    assert run.code == 0
    content = json.loads(run.out)
    assert content["settings"]["folds"] == 10
    figures = content["tables"][0]["figures"]
    assert len(figures) == 3 * 5
    assert figures[0]["published"] == 0.524
    assert figures[0]["difference"] == pytest.approx(figures[0]["ours"] - 0.524)


def test_results_go_to_a_folder_below_the_current_one(data, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = thriftwood("reproduce", "davis2006", "--dataset", "zoo", "--trials", "1", "--data", data)
    assert run.code == 0
    assert (tmp_path / "thriftwood-results" / "davis2006" / "davis2006.csv").exists()


def test_ctrl_c_keeps_finished_trials(data, tmp_path):
    command = [Path(sys.executable).with_name("thriftwood"), "reproduce", "davis2006", "--dataset", "zoo"]
    where = ["--data", data, "--out", tmp_path]
    process = subprocess.Popen(
        [*command, "--trials", "100000", *where],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    while not (lines := _stored(tmp_path)) or lines < 4:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert "the same command goes on from there" in err
    before = _stored(tmp_path)
    done = before - 1  # the first line is the heading
    run = as_process("reproduce", "davis2006", "--dataset", "zoo", "--trials", str(done), *where)
    assert run.code == 0
    assert _stored(tmp_path) == before


def _stored(folder):
    return sum(path.read_bytes().count(b"\n") for path in folder.glob("trials-*.jsonl"))


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["davis06"], 2, "Did you mean 'davis2006'?"),
        (["davis2006", "--dataset", "zo"], 2, "Did you mean 'zoo'?"),
        (["davis2006", "--order", "up"], 2, "one of depth, breadth, best"),
        (["davis2006", "--trials", "0"], 2, "--trials"),
        (["davis2006", "--gammas", "0"], 2, "--gammas"),
        (["davis2006", "--quick", "--trials", "2"], 2, "give one of them"),
        (["davis2006", "--data", "nowhere"], 2, "not a folder"),
        (["ting1998", "--statlog", "paper"], 2, "one of printed, book"),
        (["ting1998", "--quick", "--trials", "2"], 2, "--quick means --trials 1"),
        (["turney1995", "--missing", "drop"], 2, "one of nearest, spread"),
        (["ecco2012", "--dear", "rich"], 2, "one of sick, well"),
        (["clarify", "--program", "tc"], 2, "Did you mean 'tcc'"),
        (["clarify", "--quick", "--runs", "7"], 2, "give one of them"),
        (["ecco2012", "--depth", "0"], 2, "--depth"),
    ],
)
def test_wrong_input_is_one_clear_sentence(tmp_path, arguments, code, words):
    run = as_process("reproduce", *arguments, THRIFTWOOD_DATA="")
    assert (run.code, run.out) == (code, "")
    assert words in " ".join(run.err.split())
    assert "Traceback" not in run.err


def test_several_tables_have_a_file_each_and_a_picture_where_figures_share_an_axis(data, tmp_path):
    pytest.importorskip("matplotlib")
    run = thriftwood(
        "reproduce", "ting1998", "--quick", "--dataset", "hepatitis", "--data", data, "--out", tmp_path
    )
    assert run.code == 0
    assert "1 cross-validation of 10 stratified folds" in " ".join(run.out.split())
    assert _stored(tmp_path) == 2
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix != ".jsonl") == [
        *("ting1998-1.csv", "ting1998-1.png", "ting1998-2.csv"),  # averages of all sizes: no picture
        *("ting1998-3.csv", "ting1998-3.png", "ting1998-4.csv", "ting1998-4.png"),
    ]


def test_long_tables_are_written_and_not_printed(data, tmp_path):
    pytest.importorskip("matplotlib")
    small = ("--quick", "--dataset", "hepatitis", "--depth", "2", "--trees", "50")
    run = thriftwood("reproduce", "ecco2012", *small, "--data", data, "--out", tmp_path)
    assert run.code == 0
    assert "figure 5" in run.out
    assert "all depths" not in run.out
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix != ".jsonl") == [
        *("ecco2012-1.csv", "ecco2012-2.csv", "ecco2012-2.png", "ecco2012-3.csv"),
        *("ecco2012-4.csv", "ecco2012-4.png", "ecco2012-5.csv"),
    ]
    assert len((tmp_path / "ecco2012-5.csv").read_text().splitlines()) == 1 + 2 * 5 * 15


def test_quick_turney_is_one_division(data, tmp_path):
    small = ("--quick", "--dataset", "hepatitis", "--trees", "50")
    run = thriftwood("reproduce", "turney1995", *small, "--data", data, "--out", tmp_path)
    assert run.code == 0
    assert "1 division into 2/3 and 1/3" in " ".join(run.out.split())
    assert "published" not in [line.split()[0] for line in run.out.splitlines() if line.strip()]
    assert _stored(tmp_path) == 2


def test_quick_is_three_trials(data, tmp_path):
    run = thriftwood(
        "reproduce", "davis2006", "--quick", "--dataset", "zoo", "--data", data, "--out", tmp_path
    )
    assert run.code == 0
    assert "3 trials" in run.out
    assert _stored(tmp_path) == 4


def test_a_corpus_of_streams_is_told_apart(tmp_path):
    corpus = write_small_streams(tmp_path / "corpus")
    run = thriftwood("reproduce", "cocost2009", "--quick", "--data", corpus, "--out", tmp_path / "out")
    assert run.code == 0, run.err
    for words in ("Table I", "Table II", "Table III", "figure 5", "published", "the SVM"):
        assert words in run.out
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"cocost2009-tradeoffs.csv", "cocost2009-tradeoffs.png", "cocost2009-4.csv"} <= names
    missing = thriftwood("reproduce", "cocost2009", "--quick", "--data", tmp_path)
    assert missing.code == 2
    assert "thriftwood flowtype corpus" in missing.err


def test_divisions_of_the_benchmark_of_lomax_are_counted(tmp_path):
    folder = write_small_lomax(tmp_path / "data")
    few = ("--dataset", "lamp", "--level", "low", "--learner", "constant", "--learner", "optimal 2")
    run = thriftwood("reproduce", "lomax2013", "--quick", *few, "--data", folder, "--out", tmp_path / "out")
    assert run.code == 0, run.err
    assert "Means over 1 setting and 3 divisions each" in " ".join(run.out.split())
    both = thriftwood("reproduce", "lomax2013", "--quick", "--splits", "2", "--data", folder)
    assert both.code == 2
    assert "--quick means --splits 3" in both.err


def test_where_data_can_be_put_is_said_in_words_of_the_shell(tmp_path):
    words = ("reproduce", "savings", "--quick", "--out", tmp_path / "out")
    run = thriftwood(*words, THRIFTWOOD_DATA="", XDG_CACHE_HOME=str(tmp_path))
    assert run.code == 2
    assert "give --data FOLDER" in run.err
    assert "data_dir" not in run.err
