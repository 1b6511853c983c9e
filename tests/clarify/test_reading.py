"""Profile files: read as they were written, and damage is told from content."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thriftwood.clarify.profile import Profile, ProfileError
from thriftwood.clarify.reading import (
    BLOCK,
    FRAME,
    HEADER,
    MAGIC,
    PAGE,
    RECORDER,
    SHAPE,
    STATE,
    WatchedCounts,
    read_counts,
    read_profile,
)

COUNTS, TREES, WATCH = 1, 2, 3
FUNCTIONS, BUILDS, COUNTERS, RECORDERS, FRAMES, STATES, SHAPES = range(1, 8)


def texts(*names: str) -> bytes:
    entries = b"".join(struct.pack("<I", len(n.encode())) + n.encode() for n in names)
    return struct.pack("<Q", len(entries)) + entries + bytes(32)


def file_of(
    mode: int, blocks: list[tuple[int, int, bytes]], *, exited=1, trouble=0, threads=1, lines=0
) -> bytes:
    """A file as the core writes it. A recorder's content may be a function of the places of all blocks."""
    content, at, places = b"", PAGE, {}
    for kind, _, body in blocks:
        places[kind] = at + BLOCK.size
        at += BLOCK.size + (RECORDER.size if callable(body) else len(body))
    at = PAGE
    for kind, owner, body in blocks:
        bytes_ = body(places) if callable(body) else body
        head = BLOCK.pack(kind, owner, at + BLOCK.size + len(bytes_), at + BLOCK.size, len(bytes_))
        content += head + bytes_
        at += BLOCK.size + len(bytes_)
    head = HEADER.pack(MAGIC, mode, exited, 4711, 0, at, at, trouble, threads, lines, 0)
    return head + bytes(PAGE - len(head)) + content + bytes(100)


# main (function 0) has called parse (1), which is still open and has called fail (2), which is open too. One
# parse ended before, without children.
FRAME_ROWS = [FRAME.pack(0, 0, 3, 0), FRAME.pack(0, 0, 1, 1), FRAME.pack(0, 0, 4, 1)]
STATE_ROWS = [
    STATE.pack(0, 0, 0, 0, 0, 0, 0),
    STATE.pack(1, 1, 1, 0, 0, 0, 0),  # 1: parse{}, ended once
    STATE.pack(0, 2, 0, 0, 0, 0, 0),  # 2: main{}
    STATE.pack(0, 3, 0, 2, 1, 0, 0),  # 3: main{parse{}}
    STATE.pack(2, 4, 0, 0, 0, 0, 0),  # 4: fail{}
]
SHAPE_ROWS = [
    SHAPE.pack(0, 0, 0, 0),
    SHAPE.pack(1, 0, 0, 0),  # 1: parse{}
    SHAPE.pack(0, 0, 0, 0),  # 2: main{}
    SHAPE.pack(0, 2, 1, 1),  # 3: main{parse}
    SHAPE.pack(2, 0, 0, 0),  # 4: fail{}
]


def open_calls(opened: int = 3, **more) -> bytes:
    def recorder(places):
        return RECORDER.pack(opened, places[FRAMES], places[STATES], 5, places[SHAPES], 5)

    blocks = [
        (FUNCTIONS, 0, texts("main", "parse", "fail", "never")),
        (BUILDS, 0, texts("program\tabc")),
        (0, 0, bytes(64)),
        (RECORDERS, 0, recorder),
        (FRAMES, 0, b"".join(FRAME_ROWS)),
        (STATES, 0, b"".join(STATE_ROWS)),
        (SHAPES, 0, b"".join(SHAPE_ROWS)),
    ]
    return file_of(TREES, blocks, **more)


def written(folder: Path, content: bytes) -> Path:
    path = folder / "1-1.profile"
    path.write_bytes(content)
    return path


def test_what_is_open_is_drained_from_the_innermost_out(tmp_path):
    none: frozenset = frozenset()
    parse, parse_fail = ("parse", none), ("parse", frozenset({"fail"}))
    assert read_profile(written(tmp_path, open_calls(exited=0, threads=2))) == Profile(
        functions=("main", "parse", "fail"),
        calls={"main": 1, "parse": 2, "fail": 1},
        d1={parse: 1, parse_fail: 1, ("fail", none): 1, ("main", frozenset({"parse"})): 1},
        d2={
            ("parse", none): 1,
            ("fail", none): 1,
            ("parse", frozenset({("fail", none)})): 1,
            ("main", frozenset({parse, parse_fail})): 1,
        },
        build={"program": "abc"},
        ended="open",
        threads=2,
        pid=4711,
    )


GOES_DOWN, ODD = 1 << 31, 1 << 32


@pytest.mark.parametrize(
    ("change", "n_parse"),
    [
        (1 << 33 | ODD, 2),  # parse{} was counted once, as the word says
        (1 << 33, 3),  # it would be counted twice by now, and was killed before
        (1 << 33 | GOES_DOWN | ODD, 2),
        (1 << 33 | GOES_DOWN, 1),  # a parse{} that had left goes on: it is among the open ones
    ],
)
def test_a_count_that_a_kill_prevented_is_made(tmp_path, change, n_parse):
    profile = read_profile(written(tmp_path, open_calls(3 | change)))
    assert profile.calls == {"main": 1, "parse": n_parse, "fail": 1}
    assert profile.d1.get(("parse", frozenset()), 0) == n_parse - 1


@pytest.mark.parametrize("change", [4 << 33 | GOES_DOWN | ODD, 5 << 33 | ODD, 2**31 - 1])
def test_a_change_that_cannot_have_been_is_damage(tmp_path, change):
    with pytest.raises(ProfileError, match="cut short or written over"):
        read_profile(written(tmp_path, open_calls(change)))


def test_an_empty_file_had_no_room(tmp_path):
    with pytest.raises(ProfileError, match="is empty: there was no room"):
        read_profile(written(tmp_path, b""))


def test_counters_begin_where_their_block_says(tmp_path):
    blocks = [
        (FUNCTIONS, 0, texts("a", "b")),
        (FUNCTIONS, 2, texts("c")),
        (COUNTERS, 1, struct.pack("<2Q", 5, 7)),
        (COUNTERS, 0, struct.pack("<Q", 0)),
    ]
    profile = read_profile(written(tmp_path, file_of(COUNTS, blocks)))
    assert profile.calls == {"b": 5, "c": 7}
    assert profile.functions == ("b", "c")
    assert not profile.has_trees


def test_watched_counts(tmp_path):
    blocks = [(FUNCTIONS, 0, texts("a")), (COUNTERS, 0, struct.pack("<3Q", 5, 0, 9))]
    path = written(tmp_path, file_of(WATCH, blocks, lines=2))
    assert read_counts(path) == WatchedCounts((5, 0), pid=4711, found=frozenset({"a"}))
    with pytest.raises(ProfileError, match="counts of a watched process"):
        read_profile(path)
    with pytest.raises(ProfileError, match="profile of a recorded process"):
        read_counts(written(tmp_path, open_calls()))


def test_more_lines_than_counters_are_damage(tmp_path):
    blocks = [(COUNTERS, 0, struct.pack("<3Q", 5, 0, 9))]
    for lines in (4, 2**32 - 1):
        with pytest.raises(ProfileError, match=f"{lines} lines of a plan, and fewer counters"):
            read_counts(written(tmp_path, file_of(WATCH, blocks, lines=lines)))
    with pytest.raises(ProfileError, match="1 lines of a plan"):
        read_counts(written(tmp_path, file_of(WATCH, [], lines=1)))


def test_a_file_that_could_not_grow_is_no_smaller_profile(tmp_path):
    with pytest.raises(ProfileError, match="there was no room"):
        read_profile(written(tmp_path, open_calls(trouble=1)))
    with pytest.raises(ProfileError, match="could not be instrumented"):
        read_profile(written(tmp_path, open_calls(trouble=2)))


def test_a_file_that_was_cut_short(tmp_path):
    content = open_calls()
    for length in (1, 10, PAGE - 1, PAGE, PAGE + 10, len(content) - 200):
        with pytest.raises(ProfileError, match=r"no profile|cut short"):
            read_profile(written(tmp_path, content[:length]))


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_damage_is_an_error_of_ours_or_no_damage(tmp_path_factory, data):
    content = bytearray(open_calls())
    used = len(content) - 100
    spots = st.one_of(st.integers(0, HEADER.size - 1), st.integers(PAGE, used - 1))
    for spot, value in data.draw(st.lists(st.tuples(spots, st.integers(0, 255)), min_size=1, max_size=8)):
        content[spot] = value
    path = written(tmp_path_factory.mktemp("damaged"), bytes(content))
    try:
        found = read_profile(path)
    except ProfileError:
        return  # any other exception fails
    assert all(count > 0 for count in found.calls.values())
