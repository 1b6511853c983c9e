"""Programs of the clarify experiment: inputs by seed, faults that show, sources and builds."""

import hashlib
import os
import subprocess
import tarfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from random import Random

import pytest

from thriftwood.experiments.clarify.programs import PROGRAMS, pdf, sources
from thriftwood.experiments.clarify.programs.building import Build, compiler
from thriftwood.experiments.clarify.programs.c_text import c_text
from thriftwood.experiments.clarify.programs.mp3 import mp3_bytes
from thriftwood.experiments.clarify.programs.rst_text import rst_text
from thriftwood.experiments.clarify.programs.sources import Archive, unpacked

HOME = "THRIFTWOOD_CLARIFY_PROGRAMS"
CLASSES = [(name, fault) for name, program in PROGRAMS.items() for fault in program.classes]
SEEDS = range(40)


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_have_three_to_nine_classes_with_a_message_each(name):
    program = PROGRAMS[name]
    assert 3 <= len(program.classes) <= 9
    assert all(message.endswith(".") for message in program.classes.values())
    assert program.large > 1


@pytest.mark.parametrize(("name", "fault"), CLASSES)
def test_an_input_depends_on_its_seed_alone(name, fault):
    program = PROGRAMS[name]
    assert program.input(3, fault) == program.input(3, fault)
    assert program.input(3, fault) != program.input(3, None)
    assert program.input(3, fault) != program.input(4, fault)


def test_an_unknown_fault_is_named():
    with pytest.raises(ValueError, match=r"tcc has the faults semicolon, .*Got 'colon'"):
        PROGRAMS["tcc"].input(0, "colon")


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_size_is_a_multiple(name):
    program = PROGRAMS[name]
    assert len(program.input(2, None, 6)) > 2 * len(program.input(2, None))


@pytest.mark.parametrize(
    ("fault", "sign", "more"),
    [
        ("semicolon", ";", -1),
        ("parenthesis", ")", -1),
        ("comma", ",", -1),
        ("missing brace", "}", -1),
        ("extra brace", "}", 1),
    ],
)
def test_a_slip_in_c_is_one_sign(fault, sign, more):
    for seed in SEEDS:
        good, bad = (c_text(Random(seed), one) for one in (None, fault))
        assert bad.count(sign) - good.count(sign) == more
        assert sum(good.count(other) for other in ";,(){}") + more == sum(bad.count(o) for o in ";,(){}")


def test_a_missing_operator_leaves_two_values_side_by_side():
    for seed in SEEDS:
        good, bad = (c_text(Random(seed), one) for one in (None, "operator"))
        assert 1 <= len(good) - len(bad) <= 2
        assert sorted(good.split()) != sorted(bad.split())


def test_frames_stand_one_behind_the_other():
    rates = (32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)
    for seed in SEEDS:
        data = mp3_bytes(Random(seed), None)
        place = 10 + int("".join(f"{byte:07b}" for byte in data[6:10]), 2)
        frames = 0
        while place < len(data):
            assert data[place : place + 2] == b"\xff\xfb"
            rate, sampling = data[place + 2] >> 4, data[place + 2] >> 2 & 3
            assert int.from_bytes(data[place + 4 : place + 6]) >> 7 <= min(511, place)  # begins in the file
            place += 144_000 * rates[rate - 1] // (44100, 48000, 32000)[sampling]
            frames += 1
        assert place == len(data)
        assert 25 <= frames <= 90


def test_documents_have_each_kind_of_block_once_more_than_needed():
    for seed in SEEDS:
        text = rst_text(Random(seed), None)
        for mark in ("::\n\n    ", "\n- ", "1. ", "=  =", "+--", ".. image:: ", "\\*"):
            assert mark in text.replace("\n* ", "\n- ").replace("\n+ ", "\n- ")


@pytest.mark.parametrize("stream_table", [False, True])
def test_a_pdf_says_what_was_written(stream_table, tmp_path):
    reading = pytest.importorskip("pdfminer.high_level", reason="pdfminer.six is not installed")
    document = replace(pdf._document(Random(5), 1), stream_table=stream_table)
    for password in (None, b"secret"):
        path = tmp_path / "a.pdf"
        path.write_bytes(pdf._written(replace(document, password=password), Random(5)))
        text = reading.extract_text(path, password=(password or b"").decode())
        assert [line.strip() for line in text.split("\n") if line.strip()] == [
            line for page in document.pages for line in page.lines
        ]


# The programs themselves


def installed(name):
    program = PROGRAMS[name]
    if (reason := program.unavailable()) is not None:
        pytest.skip(reason)
    if program.native and HOME not in os.environ:
        pytest.skip(f"fetches and compiles sources: set ${HOME} to a folder for them")
    return program.install(Path(os.environ.get(HOME, ".")))


def behaviour(name, data, folder):
    """Return all that a run leaves behind."""
    program, folder = PROGRAMS[name], folder / "run"
    folder.mkdir()
    given = folder / f"given{program.suffix}"
    given.write_bytes(data)
    done = subprocess.run(
        program.command(installed(name), given), capture_output=True, stdin=subprocess.DEVNULL, check=False
    )
    left = {path.name: path.read_bytes() for path in folder.iterdir() if path != given}
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    return done.returncode, done.stdout, done.stderr, left


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_valid_input_is_no_trouble(name, tmp_path):
    for seed in range(3):
        code, _, error, _ = behaviour(name, PROGRAMS[name].input(seed, None), tmp_path)
        assert code == 0
        assert not error or name == "mpg321"  # which has something to say about the terminal


@pytest.mark.parametrize(("name", "fault"), CLASSES)
def test_every_fault_shows(name, fault, tmp_path):
    program = PROGRAMS[name]
    good, bad = (behaviour(name, program.input(11, one), tmp_path) for one in (None, fault))
    assert good != bad


# Sources and builds


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """An archive of one folder in a pool of files."""
    with tarfile.open(tmp_path / "a_1.tar.gz", "w:gz") as files:
        info = tarfile.TarInfo("a-1/main.c")
        content = b"int main(void) { return 7; }\n"
        info.size = len(content)
        files.addfile(info, BytesIO(content))
    monkeypatch.setattr(sources, "POOL", f"file://{tmp_path.parent}")
    digest = hashlib.sha256((tmp_path / "a_1.tar.gz").read_bytes()).hexdigest()
    return Archive("a", tmp_path.name, "a_1.tar.gz", digest)


def test_sources_are_fetched_once_and_unpacked(archive, tmp_path):
    home = tmp_path / "home"
    assert (unpacked(archive, home) / "main.c").read_text().startswith("int main")
    (tmp_path / archive.file).unlink()
    assert unpacked(archive, home) == home / "sources" / "a"


def test_another_content_is_refused(archive, tmp_path):
    with pytest.raises(ValueError, match=r"is not the published file.*Delete it"):
        unpacked(replace(archive, sha256="0" * 64), tmp_path / "home")


def test_what_cannot_be_fetched_can_be_brought(archive, tmp_path):
    with pytest.raises(ValueError, match=r"cannot be fetched.*Put the file b.tar.gz into"):
        unpacked(replace(archive, file="b.tar.gz"), tmp_path / "home")


@pytest.mark.skipif(compiler() is None, reason="gcc is not installed")
def test_builds_with_other_flags_stand_apart(archive, tmp_path):
    home = unpacked(archive, tmp_path / "home")
    codes = []
    for flags in ((), ("-Dmain=ignored(void); int main(void) { return 9; } int ignored",)):
        build = Build(tmp_path / "program", flags)
        build.link("a", [home / "main.c"], at=home)
        codes.append(subprocess.run([build.folder / "a"], check=False).returncode)
    assert codes == [7, 9]
    with pytest.raises(ValueError, match=r"gcc .* failed in .*missing.c"):
        build.link("b", [home / "missing.c"], at=home)
    assert not (build.folder / "b").exists()
