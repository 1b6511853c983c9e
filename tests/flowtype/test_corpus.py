import json
import shutil

import numpy as np
import pytest
from flowtype.small_corpus import SOURCES, write_small_corpus
from hypothesis import given
from hypothesis import strategies as st

from thriftwood import flowtype
from thriftwood.flowtype.corpus import HEADER_BYTES, chunk_offsets
from thriftwood.flowtype.debian import debian_bundles, require, run


def test_types_and_sources_are_the_names_of_folders(small_corpus):
    assert small_corpus.types == ["ENC", "TXT", "WAV"]
    assert small_corpus.sources == sorted(SOURCES)
    assert len(small_corpus.entries) == 18
    entry = small_corpus.entries[0]
    assert (entry.path, entry.type, entry.source) == ("files/ENC/attic/00.enc", "ENC", "attic")


def test_an_index_is_read_as_it_was_written(small_corpus):
    assert flowtype.Corpus.read(small_corpus.folder) == small_corpus
    lines = (small_corpus.folder / "index.jsonl").read_text().splitlines()
    assert list(json.loads(lines[0])) == ["path", "type", "source", "offsets"]


def test_chunks_are_the_bytes_at_their_offsets(small_corpus):
    chunks = iter(small_corpus.chunks())
    for entry in small_corpus.entries:
        content = (small_corpus.folder / entry.path).read_bytes()
        for offset in entry.offsets:
            assert next(chunks) == content[offset : offset + 16384]
    assert next(chunks, None) is None


def test_a_file_that_has_become_shorter_is_noticed(tmp_path):
    write_small_corpus(tmp_path / "mine", files=1)
    corpus = flowtype.index_folders(tmp_path, [tmp_path / "mine"])
    (tmp_path / corpus.entries[0].path).write_bytes(bytes(9000))
    with pytest.raises(ValueError, match="Index the corpus again"):
        list(corpus.chunks())


@given(st.text(max_size=5), st.integers(20480, 10**7), st.integers(1, 9))
def test_chunks_keep_away_from_the_header_and_from_each_other(name, size, count):
    offsets = chunk_offsets(name, size, count)
    assert 1 <= len(offsets) <= count
    assert offsets[0] >= HEADER_BYTES
    assert offsets[-1] + 16384 <= size
    assert all(np.diff(offsets) >= 16384)
    assert offsets == chunk_offsets(name, size, count)


def test_small_files_and_files_without_a_type_are_left_out(tmp_path):
    write_small_corpus(tmp_path / "mine", files=1)
    (tmp_path / "mine" / "stray.txt").write_bytes(bytes(50_000))
    (tmp_path / "mine" / "TXT" / "attic" / "short.txt").write_bytes(bytes(20_000))
    (tmp_path / "mine" / "TXT" / "alone.txt").write_bytes(bytes(30_000))
    corpus = flowtype.index_folders(tmp_path / "index", [tmp_path / "mine"])
    assert len(corpus.entries) == 10
    assert [entry.source for entry in corpus.entries if entry.path.endswith("alone.txt")] == ["alone.txt"]
    assert next(corpus.chunks())  # files elsewhere are found by their full path


def test_a_table_has_a_row_per_chunk(small_corpus):
    table = flowtype.feature_table(small_corpus, n_jobs=2)
    assert table.values.shape == (small_corpus.n_chunks, 88)
    assert len(table) == small_corpus.n_chunks
    np.testing.assert_array_equal(table.values[0], flowtype.features([next(small_corpus.chunks())])[0])
    assert set(zip(table.y, table.source, table.file, strict=True)) == {
        (entry.type, entry.source, entry.path) for entry in small_corpus.entries
    }


@given(st.lists(st.sampled_from("abcdef"), min_size=2), st.floats(0.01, 0.99), st.integers(0, 9))
def test_no_source_is_on_both_sides(sources, share, seed):
    source = np.array(sources)
    if len(set(sources)) < 2:
        with pytest.raises(ValueError, match="at least two"):
            flowtype.split_by_source(source, share, seed=seed)
        return
    held_out = flowtype.split_by_source(source, share, seed=seed)
    assert set(source[held_out]).isdisjoint(source[~held_out])
    assert held_out.any()
    assert not held_out.all()


def test_what_is_wrong_with_a_corpus_is_said(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no index\.jsonl"):
        flowtype.Corpus.read(tmp_path)
    (tmp_path / "index.jsonl").write_text('{"path": "a", "type": "TXT", "source": "s", "offsets": [0]}\n{}\n')
    with pytest.raises(ValueError, match="Line 2 of"):
        flowtype.Corpus.read(tmp_path)
    with pytest.raises(ValueError, match="FOLDER/TYPE/SOURCE"):
        flowtype.index_folders(tmp_path, [tmp_path])
    with pytest.raises(NotADirectoryError, match="no folder"):
        flowtype.index_folders(tmp_path, [tmp_path / "nowhere"])
    with pytest.raises(ValueError, match="min_bytes must be 20480"):
        flowtype.index_folders(tmp_path, [tmp_path], min_bytes=5)


def test_no_package_is_in_two_bundles():
    packages = [name for names in debian_bundles().values() for name in names]
    assert len(packages) == len(set(packages))


def test_missing_tools_are_named_together():
    with pytest.raises(ValueError, match=r"no-such-tool, nor-this\. Install"):
        require("sh", "no-such-tool", "nor-this")


def test_a_tool_that_fails_is_quoted():
    with pytest.raises(ValueError, match="it went wrong"):
        run("sh", "-c", "echo it went wrong >&2; exit 3")


TOOLS = [tool for tool in ("ffmpeg", "lame", "openssl") if shutil.which(tool) is None]


@pytest.mark.skipif(bool(TOOLS), reason=f"not installed: {', '.join(TOOLS)}")
def test_files_of_eight_types_are_made_of_pictures_sounds_and_texts(tmp_path):
    image = pytest.importorskip("PIL.Image")
    from flowtype.small_corpus import text

    from thriftwood.flowtype.making import _wave, make_files

    random = np.random.default_rng(0)
    sources = tmp_path / "sources"
    sources.mkdir()
    for number in range(4):
        pixels = random.integers(0, 256, (320, 320, 3), dtype=np.uint8)
        image.fromarray(pixels).save(sources / f"{number}.png")
        (sources / f"{number}.txt").write_bytes(text(random, 120_000))
    tone = (9000 * np.sin(np.arange(44100 * 2 * 30) / 20)).astype("<i2").tobytes()
    (sources / "tone.wav").write_bytes(_wave(tone, 44100, 2))
    made = make_files(sources, tmp_path / "files", "mine", 1)
    assert made == dict.fromkeys(flowtype.TYPES, 1)
    begins = {"BMP": b"BM", "JPG": b"\xff\xd8\xff", "WAV": b"RIFF", "ZIP": b"PK", "MPG": b"\x00\x00\x01\xba"}
    for kind, magic in begins.items():
        content = (tmp_path / "files" / kind / "mine" / f"00.{kind.lower()}").read_bytes()
        assert content.startswith(magic)
        assert len(content) >= 50_000


def test_no_type_is_called_unknown(tmp_path):
    """It is the answer for streams of no type."""
    (tmp_path / "mine" / "unknown" / "attic").mkdir(parents=True)
    (tmp_path / "mine" / "unknown" / "attic" / "1.dat").write_bytes(bytes(30_000))
    with pytest.raises(ValueError, match="A type cannot be called 'unknown'"):
        flowtype.index_folders(tmp_path / "new", [tmp_path / "mine"])
    assert not (tmp_path / "new").exists()
    entry = '{"path": "a", "type": "unknown", "source": "s", "offsets": [4096]}\n'
    (tmp_path / "index.jsonl").write_text(entry)
    with pytest.raises(ValueError, match="A type cannot be called 'unknown'"):
        flowtype.Corpus.read(tmp_path)
