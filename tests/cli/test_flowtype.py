import gzip
import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from cli.commands import thriftwood
from flowtype.made_captures import connection, pcap
from flowtype.small_corpus import text, write_small_corpus

import thriftwood as tw
from thriftwood.flowtype import StreamClassifier
from thriftwood.models.files.trees import digest


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_small_corpus(tmp_path / "mine")
    run = thriftwood("flowtype", "corpus", "streams", "--from", "mine")
    assert (run.code, run.err) == (0, "")
    assert "36 chunks from 3 sources. Written: streams/index.jsonl." in run.out
    return tmp_path / "streams"


def test_files_without_sources_are_told(corpus):
    for source in list(Path("mine/TXT").iterdir()):
        for file in source.iterdir():
            file.rename(f"mine/TXT/{source.name}-{file.name}")
        source.rmdir()
    run = thriftwood("flowtype", "corpus", "streams", "--from", "mine", "--json")
    assert len(json.loads(run.out)["sources"]) == 6 + 3
    assert run.err.startswith(
        "Note: All files of 'TXT' lie right in the folder of their type, so each counts"
    )
    assert "FOLDER/TYPE/SOURCE/file" in run.err
    Path("mine/TXT/attic").mkdir()
    Path("mine/TXT/attic-00.txt").rename("mine/TXT/attic/00.txt")
    assert thriftwood("flowtype", "corpus", "streams", "--from", "mine").err == ""


@pytest.fixture
def model(corpus):
    assert thriftwood("flowtype", "measure", "--rounds", "2", "-o", "prices.toml").code == 0
    options = ("--costs", "prices.toml", "--algorithm", "eg2", "--set", "w=0.5", "-o", "types.json")
    run = thriftwood("flowtype", "train", "streams", *options)
    assert (run.code, run.err) == (0, "")
    assert "On 12 chunks of 1 source that it had not seen: accuracy " in run.out  # by prices of the moment
    return "types.json"


def test_prices_are_printed_and_written(tmp_path):
    run = thriftwood("flowtype", "measure", "--rounds", "2", "-o", tmp_path / "prices.toml")
    assert run.code == 0
    assert "bicoherence.kurtosis" in run.out
    assert len(tw.Costs.from_file(tmp_path / "prices.toml").tests) == 88


def test_features_are_timed_on_a_corpus(corpus):
    run = thriftwood("flowtype", "measure", "--corpus", corpus, "--rounds", "1")
    assert run.code == 0
    assert "All 88 features together" in run.out


def test_a_file_is_told_with_what_it_took(model):
    content = text(np.random.default_rng(5), 30_000)
    Path("letter.dat").write_bytes(content)
    run = thriftwood("flowtype", "classify", "letter.dat", "--model", model)
    assert (run.code, run.err) == (0, "")
    assert re.match(r"TXT \(share [5-9]\d%\)\n", run.out)  # calibrated on sources not learnt from: never 100%
    piped = thriftwood("flowtype", "classify", "letter.dat", "--model", "-", typed=Path(model).read_text())
    assert piped.out.splitlines()[0] == run.out.splitlines()[0]
    assert "microseconds by the price list" in run.out
    assert "The stream is short" not in run.out


def test_what_is_nearly_certain_is_not_called_certain(model):
    content = json.loads(Path(model).read_text())
    content["sureness"]["curves"]["TXT"] = [6.0, 1.0]  # .9975 at least
    del content["sha256"]
    Path("surer.json").write_text(json.dumps({**content, "sha256": digest(content)}))
    letter = text(np.random.default_rng(5), 30_000)
    Path("letter.dat").write_bytes(letter)
    Path("letter.pcap").write_bytes(pcap(connection(letter)))
    run = thriftwood("flowtype", "classify", "letter.dat", "--model", "surer.json")
    assert run.out.startswith("TXT (share >99%)\n")
    run = thriftwood("flowtype", "classify", "letter.pcap", "--model", "surer.json")
    assert run.out.splitlines()[1].split()[4:6] == ["TXT", ">99%"]


def test_one_leaf_is_not_1_leaves(model):
    words = ("--costs", "prices.toml", "--algorithm", "min-total-cost", "--error-cost", "0.0001")
    assert (
        "Learnt by min-total-cost: 1 leaf, depth 0." in thriftwood("flowtype", "train", "streams", *words).out
    )


def test_a_short_file_is_told_with_what_was_read(model):
    Path("note.dat").write_bytes(text(np.random.default_rng(5), 5000))
    run = thriftwood("flowtype", "classify", "note.dat", "--model", model)
    assert (run.code, run.err) == (0, "")
    words = " ".join(run.out.split())
    assert "2048 bytes were read, from byte 2952 on; features of 4, 8, 16 KB could not be had." in words
    run = thriftwood("flowtype", "classify", "note.dat", "--model", model, "--json")
    found = json.loads(run.out)
    assert (found["first_byte"], found["n_bytes"]) == (2952, 2048)
    assert found["sizes_lacking"] == [4096, 8192, 16384]


def test_standard_input_is_read(model):
    content = bytes(np.random.default_rng(6).integers(0, 256, 50_000, dtype=np.uint8))
    run = subprocess.run(
        [Path(sys.executable).with_name("thriftwood"), "flowtype", "classify", "-", "--model", model],
        input=content,
        capture_output=True,
        check=True,
    )
    assert run.stdout.startswith(b"ENC ")


def test_training_without_prices_measures_them(corpus):
    run = thriftwood("flowtype", "train", "streams", "--algorithm", "c45", "--json")
    assert run.code == 0
    assert "the features were timed just now" in run.err
    content = json.loads(run.out)
    assert (content["algorithm"], content["n_sources"], content["model"]) == ("c45", 1, None)


def test_a_cost_of_mistakes_reaches_the_tree(corpus):
    thriftwood("flowtype", "measure", "--rounds", "2", "-o", "prices.toml")
    options = ("--costs", "prices.toml", "--error-cost", "1000", "-o", "types.json", "--algorithm", "c45")
    assert thriftwood("flowtype", "train", "streams", *options).code == 0
    assert tw.load("types.json").costs.errors_default == 1000


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["corpus", "new"], "Give --from FOLDER, --capture FILE, or --debian"),
        (["corpus", "new", "--from", "mine", "--debian"], "Give --from FOLDER, --capture FILE, or --debian"),
        (["corpus", "new", "--debian", "--min-bytes", "30000"], "--min-bytes is for --from"),
        (
            ["corpus", "new", "--capture", "a.pcap", "--labels", "a.tsv", "--min-bytes", "30000"],
            "--min-bytes is for --from; streams of fewer than 20,480 bytes",
        ),
        (["corpus", "new", "--from", "nowhere"], "is no folder"),
        (["train", "mine"], "index.jsonl"),
        (["train", "streams", "--holdout", "2"], "between 0 and 1"),
        (["classify", "nothing.dat", "--model", "nothing.json"], "nothing.json"),
        (["classify", "-", "--model", "-"], "cannot both come from standard input"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(corpus, arguments, words):
    run = thriftwood("flowtype", *arguments)
    assert run.code == 2
    assert words in " ".join(run.err.replace("│", " ").split())


@pytest.mark.filterwarnings("ignore:The first tree makes no mistakes")
@pytest.mark.parametrize(
    ("algorithm", "options", "n_trees"),
    [
        ("cocost", ("--set", "rounds=2"), 16),
        ("cocost", ("--set", "rounds=1", "--set", "alphas=[0.1, 1]"), 4),
        ("boosting", ("--set", "rounds=3"), 1),  # the first tree makes no mistake
        ("shortcut-forest", ("--set", "trees=5"), 5),
        ("inverse-boosting", (), 1),
    ],
)
def test_several_trees_are_learnt_saved_and_asked(corpus, algorithm, options, n_trees):
    assert thriftwood("flowtype", "measure", "--rounds", "2", "-o", "prices.toml").code == 0
    options = ("--costs", "prices.toml", "--algorithm", algorithm, *options, "-o", "types.json", "--json")
    run = thriftwood("flowtype", "train", "streams", *options)
    assert (run.code, run.err) == (0, "")
    assert json.loads(run.out)["n_trees"] == n_trees
    content = text(np.random.default_rng(5), 30_000)
    Path("letter.dat").write_bytes(content)
    run = thriftwood("flowtype", "classify", "letter.dat", "--model", "types.json", "--json")
    assert (run.code, run.err) == (0, "")
    found = json.loads(run.out)
    assert found["answer"] == StreamClassifier(tw.load("types.json")).answer(content) == "TXT"
    assert sum(found["prices"].values()) == pytest.approx(found["cost"])
    assert set(found["computed"]) == set(found["prices"])


def test_features_that_are_not_shown_are_counted(corpus, monkeypatch):
    assert thriftwood("flowtype", "measure", "--rounds", "2", "-o", "prices.toml").code == 0
    words = ("--costs", "prices.toml", "--algorithm", "shortcut-forest", "--set", "trees=9")
    monkeypatch.setattr("thriftwood.cli.flowtype_page.FEATURES_SHOWN", 88)
    whole = thriftwood("flowtype", "train", "streams", *words).out
    assert " more\n" not in whole
    n_paid = whole.partition("share of chunks")[2].count("%")
    assert n_paid > 1
    monkeypatch.setattr("thriftwood.cli.flowtype_page.FEATURES_SHOWN", 1)
    assert thriftwood("flowtype", "train", "streams", *words).out.endswith(f"\nand {n_paid - 1} more\n")


def test_a_list_without_brackets_is_told_how_it_is_written(corpus):
    run = thriftwood("flowtype", "train", "streams", "--algorithm", "cocost", "--set", "alphas=0.1,1")
    assert run.code != 0
    assert "A list is written in brackets: alphas=[0.1,1]." in " ".join(run.err.split())


def test_learners_that_ask_for_everything_are_refused(corpus):
    run = thriftwood("flowtype", "train", "streams", "--algorithm", "b-lot", "--error-cost", "1")
    assert run.code != 0
    assert "asks for all features of every stream" in run.err


def test_streams_of_a_capture_are_told_line_by_line(model):
    rng = np.random.default_rng(3)
    packets = [*connection(text(rng, 60_000)), *connection(b"short", ports=(81, 9))]
    Path("traffic.pcap").write_bytes(pcap(packets))
    run = thriftwood("flowtype", "classify", "traffic.pcap", "--model", model)
    assert (run.code, run.err) == (0, "")
    head, line, total = run.out.splitlines()
    assert head.split() == ["from", "to", "bytes", "type", "share", "microseconds"]
    assert line.split()[:5] == ["TCP", "10.0.0.1:80", "10.0.0.2:5000", "60,000", "TXT"]
    assert 50 < int(line.split()[5].removesuffix("%")) < 100
    assert total.startswith("1 stream: TXT 1; 1 stream of fewer than 2,048 bytes not told. 0.1 MB in ")
    lines = thriftwood("flowtype", "classify", "traffic.pcap", "--model", model, "--json").out.splitlines()
    assert [json.loads(one)["answer"] for one in lines] == ["TXT", None]
    Path("cut.pcap").write_bytes(pcap(packets)[:-3])
    cut = thriftwood("flowtype", "classify", "cut.pcap", "--model", model)
    assert (cut.code, cut.out.splitlines()[1]) == (2, line)
    assert "It was cut off; what came before is sound." in cut.err
    plain = thriftwood("flowtype", "classify", "traffic.pcap", "--model", model, "--plain")
    assert "TXT is the nearest type" in plain.out.splitlines()[0]  # with headers of packets in it


@pytest.fixture
def live(model):
    """The command behind a pipe into which a program captures, and what it has captured until now."""
    command = [Path(sys.executable).with_name("thriftwood"), "flowtype", "classify", "-", "--model", model]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as running:
        packets = connection(text(np.random.default_rng(3), 60_000))
        running.stdin.write(pcap(packets[:-20]))
        running.stdin.flush()
        assert b"microseconds" in running.stdout.readline()  # it reads, and hears Ctrl-C from here on
        yield running, pcap(packets)[len(pcap(packets[:-20])) :]
        running.kill()


def test_ctrl_c_ends_a_live_capture_and_what_is_there_is_told(live):
    running, rest = live
    running.send_signal(signal.SIGINT)
    assert running.stderr.readline().startswith(b"Note: Ctrl-C: what was captured is told as soon as")
    told, _ = running.communicate(rest[:-100])  # what the program captured last; the stream is still open
    assert running.returncode == 2  # cut off in the middle of a packet
    assert b"1 stream: TXT 1." in told


def test_a_second_ctrl_c_ends_it_at_once(live):
    running, _ = live
    running.send_signal(signal.SIGINT)
    running.stderr.readline()
    running.send_signal(signal.SIGINT)
    assert running.wait(20) == 130


def test_a_corpus_is_made_of_captures(model):
    Path("one.pcap").write_bytes(pcap(connection(bytes(60_000))))
    Path("labels.tsv").write_text("NUL\t*:80 > *\n")
    words = ("flowtype", "corpus", "captured", "--capture", "one.pcap")
    run = thriftwood(*words, "--labels", "labels.tsv")
    assert "3 chunks from 1 source. Written: captured/index.jsonl." in run.out
    assert "--capture FILE and --labels FILE go together" in thriftwood(*words).err


def test_what_a_capture_lacks_is_said(model):
    packets = connection(text(np.random.default_rng(3), 60_000))
    Path("wifi.pcap").write_bytes(pcap(packets, link=105))
    for options in ((), ("--json",)):
        run = thriftwood("flowtype", "classify", "wifi.pcap", "--model", model, *options)
        assert run.code == 2
        assert run.err.startswith("Error: Link type 105 is not read (Ethernet, raw IP, loopback")
        assert f"{len(packets)} packets passed over" in run.err
    Path("snap.pcap").write_bytes(snapped(packets, 96))
    run = thriftwood("flowtype", "classify", "snap.pcap", "--model", model)
    assert run.code == 0
    assert run.err.startswith(f"Note: {len(packets) - 2} packets were cut by the capture")
    assert "tcpdump -s 0" in run.err


def test_a_capture_that_is_packed_is_said(model):
    packets = connection(np.random.default_rng(3).bytes(60_000))
    Path("traffic.pcap.gz").write_bytes(gzip.compress(pcap(packets)))
    run = thriftwood("flowtype", "classify", "traffic.pcap.gz", "--model", model)
    assert (run.code, run.err.startswith("Note: This is a capture packed by gzip")) == (0, True)
    Path("noise.gz").write_bytes(gzip.compress(np.random.default_rng(3).bytes(60_000)))
    assert thriftwood("flowtype", "classify", "noise.gz", "--model", model).err == ""


def snapped(packets, most):
    """A capture that keeps so many bytes of each packet."""
    data = bytearray(pcap([packet[:most] for packet in packets]))
    at = 24
    for packet in packets:
        data[at + 12 : at + 16] = len(packet).to_bytes(4, "little")
        at += 16 + min(most, len(packet))
    return bytes(data)


def test_captures_that_are_cut_off_are_named_and_the_others_kept(model):
    whole = pcap(connection(bytes(60_000)))
    Path("one.pcap").write_bytes(whole)
    Path("cut.pcap").write_bytes(whole[:-3])
    Path("labels.tsv").write_text("NUL\t*:80 > *\n")
    words = ("--capture", "cut.pcap", "--capture", "one.pcap", "--labels", "labels.tsv")
    run = thriftwood("flowtype", "corpus", "captured", *words)
    assert run.code == 2
    assert "6 chunks from 2 sources. Written: captured/index.jsonl." in run.out
    noted, error = run.err.splitlines()
    assert noted.startswith("Note: cut.pcap: The capture ends in the middle of a packet")
    assert error == "Error: 1 of 2 captures could not be read to the end; the corpus has what came before."
