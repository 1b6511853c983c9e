"""A file read in parts is the file read whole."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thriftwood.datasets.files import decoding, open_parts, open_table, parts


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(parts, "LARGE_TEXT", 0)
    monkeypatch.setattr(parts, "MOST_ROWS", 2)
    monkeypatch.setattr(decoding, "BLOCK", 5)


def outcome(read):
    """What was read, or what was wrong."""
    try:
        return read()
    except ValueError as error:
        return str(error)


def whole(path):
    table = open_table(path)
    return table.names, [list(table[name].texts()) for name in table.names], list(map(str, table.notes))


def in_parts(path):
    opened = open_parts(path)
    found = list(opened.parts(opened.names))
    cells = [[cell for part in found for cell in part[name].texts()] for name in opened.names]
    assert opened.n_rows == sum(part.n_rows for part in found)
    return opened.names, cells, list(map(str, opened.notes))


CELLS = st.text(st.sampled_from('a1,;.\t "\n\r?\u00e4\u20ac-'), max_size=5)


@given(st.lists(st.lists(CELLS, min_size=2, max_size=3), min_size=1, max_size=7), st.sampled_from(",;\t"))
def test_any_text(tmp_path_factory, rows, delimiter):
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_text("\n".join(delimiter.join(row) for row in [["a", "b"], *rows]), newline="")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "LARGE_TEXT", 0)
        patch.setattr(parts, "MOST_ROWS", 2)
        assert outcome(lambda: in_parts(path)) == outcome(lambda: whole(path))


TEXT = "name;height\nJ\u00f6rg;1,80\nZo\u00eb;1,75\nPat;1,9\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1"])
def test_every_encoding(tmp_path, small, encoding):
    path = tmp_path / "people.csv"
    path.write_bytes(TEXT.encode(encoding) + (b"\x81;2,0\n" if encoding == "latin-1" else b""))
    assert in_parts(path) == whole(path)
    assert next(open_parts(path).parts(["height"]))["height"].numbers().tolist() == [1.8, 1.75]


@pytest.mark.parametrize(
    "content",
    [b"", b"a;b", b"\n\n", b"a;a\n1;2\n", b"a;\n1;2\n", b"a\n\xff\0\n", codecs.BOM_UTF16_LE + b"a\0\n"],
)
def test_what_is_wrong_with_the_file(tmp_path, small, content):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    found = outcome(lambda: whole(path))
    assert outcome(lambda: in_parts(path) if content else whole(path)) == found
    assert isinstance(found, str)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252", "ascii", "no-such", "hex"])
def test_an_encoding_that_was_asked_for(tmp_path, small, encoding):
    path = tmp_path / "t.csv"
    path.write_bytes(TEXT.encode("cp1252").replace(b"Zo", b"\x81"))
    found = outcome(lambda: open_table(path, encoding=encoding).names)
    assert outcome(lambda: open_parts(path, encoding=encoding).names) == found


def test_packed_files_that_are_damaged(tmp_path, monkeypatch):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(b"no gzip at all")
    found = outcome(lambda: open_table(path))
    monkeypatch.setattr(parts, "LARGE_PACKED", 0)
    assert outcome(lambda: open_parts(path)) == found


def test_a_damaged_parquet_file(tmp_path):
    path = tmp_path / "t.parquet"
    path.write_bytes(b"PAR1 or so")
    for read in (open_parts, open_table):
        with pytest.raises(ValueError, match=r"t\.parquet cannot be read as Parquet: .*Parquet magic bytes"):
            read(path)
