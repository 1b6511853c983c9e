"""Captures: packets of every format, streams whatever the order of their pieces, and hostile files."""

import random
import time
from io import BytesIO

import numpy as np
import pytest
from flowtype.made_captures import connection, ethernet, ipv4, ipv6, pcap, pcapng, tcp, udp
from flowtype.small_corpus import text, wave
from fuzz.campaign.captures import read_hostile
from hypothesis import given
from hypothesis import strategies as st

from thriftwood import algorithm, flowtype
from thriftwood.flowtype.captures import CaptureError, read_packets, read_streams
from thriftwood.flowtype.captures.packets import RST, SYN, TCP, Endpoint, Piece
from thriftwood.flowtype.captures.sorting import label_of, read_labels
from thriftwood.flowtype.captures.streams import MOST_EARLY, PATIENCE, Stream

CONTENT = bytes(range(256)) * 300  # 76,800 bytes


def streams(data, **options):
    return list(read_streams(BytesIO(data), **options))


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("written", [pcap, pcapng])
def test_both_formats_in_both_byte_orders(written, order):
    (stream,) = streams(written(connection(CONTENT), order=order))
    assert (stream.protocol, stream.endpoints) == ("TCP", "10.0.0.1:80 > 10.0.0.2:5000")
    assert (stream.n_bytes, stream.gaps) == (len(CONTENT), 0)
    assert stream.content == CONTENT[: 4096 + 16384]


def test_times_in_nanoseconds_and_other_links():
    network = ipv4(17, udp(b"hello"))
    assert len(streams(pcap([ethernet(network)], magic=0xA1B23C4D))) == 1
    for link, head in ((101, b""), (0, b"\x02\0\0\0"), (113, bytes(14) + b"\x08\0"), (228, b"")):
        (stream,) = streams(pcap([head + network], link=link))
        assert (stream.protocol, bytes(stream.content)) == ("UDP", b"hello")
    tagged = bytes(12) + b"\x81\x00\x00\x07\x08\x00" + network
    assert len(streams(pcap([tagged]))) == 1


def test_a_link_type_that_is_not_read_is_named():
    network = ipv4(17, udp(b"hello"))
    with pytest.raises(CaptureError) as error:
        streams(pcap([network] * 3, link=105))
    assert str(error.value).startswith("Link type 105 is not read (Ethernet, raw IP,")
    assert "3 packets passed over" in str(error.value)
    with pytest.raises(CaptureError, match=r"It was cut off; .* Link type 105 is not read"):
        streams(pcap([network] * 3, link=105)[:-1])
    assert streams(pcap([], link=105)) == []


def test_packets_that_are_cut_or_passed_over_are_counted():
    whole = ethernet(ipv4(17, udp(b"x" * 90)))
    content = pcap([whole, ethernet(ipv4(1, bytes(30))), whole[:50]])
    content = content[:-66] + (content[-66:-54] + len(whole).to_bytes(4, "little") + content[-50:])
    interfaces = pcapng([whole]) + pcapng([whole], link=105)  # a section of each
    for data, counts, words in (
        (content, (3, 1, 1, 0), ["1 packet was cut by the capture", "1 packet without a piece of"]),
        (interfaces, (2, 0, 0, 1), ["Link type 105 is not read"]),
        (pcap([whole]), (1, 0, 0, 0), []),
    ):
        packets = flowtype.PacketCounts()
        assert len(streams(data, packets=packets)) == 1
        found = packets.n_packets, packets.n_cut, packets.n_passed_over, packets.unread.total()
        assert found == counts
        assert len(packets.notes) == len(words)
        assert all(note.startswith(begin) for note, begin in zip(packets.notes, words, strict=True))


@pytest.mark.parametrize(
    ("name", "wrap"),
    [
        ("MPLS", lambda inner: bytes(12) + b"\x88\x47\0\1\1\x40" + inner),
        ("PPPoE", lambda inner: bytes(12) + b"\x88\x64\x11\0\0\1\0\x32\0\x21" + inner),
        ("GRE", lambda inner: ethernet(ipv4(47, b"\0\0\x08\0" + inner))),
        ("IPsec", lambda inner: ethernet(ipv6(50, inner)[:6] + b"\x32" + ipv6(50, inner)[7:], 0x86DD)),
    ],
)
def test_tunnels_are_named_and_nothing_but_tunnels_is_an_error(name, wrap):
    inside = wrap(ipv4(6, tcp(b"x" * 50, 1)))
    words = rf"2 packets in tunnels \({name}\) passed over: what they carry is not read"
    with pytest.raises(CaptureError, match=words):
        streams(pcap([inside, inside, ethernet(ipv4(1, bytes(30)))]))
    packets = flowtype.PacketCounts()
    assert len(streams(pcap([inside, inside, ethernet(ipv4(17, udp(b"x")))]), packets=packets)) == 1
    assert packets.notes[0].startswith(f"2 packets in tunnels ({name})")
    assert packets.n_passed_over == 0


def test_interfaces_without_end_are_damage():
    """They are kept, and memory is bounded."""
    empty = pcapng([])
    one = empty[28:]
    assert streams(empty[:28] + 65_536 * one) == []
    with pytest.raises(CaptureError, match="more than 65,536 interfaces"):
        streams(empty[:28] + 65_537 * one)


def test_ipv6_with_a_header_that_is_passed_over():
    (stream,) = streams(pcap(connection(CONTENT, wrap=ipv6)))
    assert stream.endpoints == "[fd00::1]:80 > [fd00::2]:5000"
    assert stream.n_bytes == len(CONTENT)


def test_later_fragments_and_other_protocols_carry_nothing():
    packets = [ethernet(ipv4(17, udp(b"x" * 9), fragment=3)), ethernet(ipv4(1, bytes(30))), b"", bytes(13)]
    assert streams(pcap(packets)) == []


@given(st.integers(0, 9999), st.integers(60, 3000), st.integers(0, 2**32 - 1))
def test_the_order_of_pieces_does_not_matter(seed, size, start):
    rng = random.Random(seed)
    first, *pieces, last = connection(CONTENT[:9000], start=start, size=size)
    pieces += rng.choices(pieces, k=3)  # sent again
    rng.shuffle(pieces)
    (stream, *after) = streams(pcap([first, *pieces, last]))
    assert (stream.content, stream.n_bytes, stream.gaps) == (CONTENT[:9000], 9000, 0)
    assert after == []


def test_pieces_that_overlap_are_taken_once():
    packets = [tcp(CONTENT[a:b], 10 + a) for a, b in ((0, 900), (500, 1500), (2000, 2600), (1400, 2100))]
    (stream,) = streams(pcap([ethernet(ipv4(6, packet)) for packet in packets]))
    assert (stream.content, stream.gaps) == (CONTENT[:2600], 0)


def test_a_gap_that_does_not_close_is_passed_over():
    first, *pieces, last = connection(CONTENT, size=1000)
    (stream, *_) = streams(pcap([first, *pieces[:5], *pieces[7:], last]))
    assert stream.content == (CONTENT[:5000] + CONTENT[7000:])[:20480]
    assert (stream.gaps, stream.n_bytes) == (1, len(CONTENT) - 2000)


def test_many_small_pieces_before_their_turn_take_no_long_time():
    """One of two bytes is missing: 4,000 pieces took 8 seconds, 16 million were allowed."""
    ends = Endpoint(b"\x0a\0\0\1", 80), Endpoint(b"\x0a\0\0\2", 5000)
    stream = Stream("TCP", *ends)
    stream.add(Piece(TCP, *ends, b"", 0, 0, SYN))
    began, most = time.process_time(), 0
    for number in range(10_000):
        stream.add(Piece(TCP, *ends, b"x", 0, 20_001 + 2 * number))
        stream.add(Piece(TCP, *ends, b"y", 0, 1 + number))
        most = max(most, stream.n_early)
    stream.pass_over_gaps()
    assert time.process_time() - began < 5
    assert MOST_EARLY - 65 < most <= MOST_EARLY  # 1,008 pieces of 65
    assert (stream.n_early, stream.n_bytes) == (0, 10_000 + 1008)  # then the others of "y" are behind


def test_a_packet_that_was_captured_in_part_leaves_a_gap():
    cut = [packet[:200] for packet in connection(CONTENT[:5000], size=1000)]
    (stream,) = streams(pcap(cut))
    assert (stream.n_bytes, stream.gaps) == (5000, 5)


def test_a_packet_that_was_captured_in_part_and_came_early_has_all_its_bytes():
    first, *pieces, last = [packet[:200] for packet in connection(CONTENT[:50_000], size=1000)]
    pieces[3:6] = pieces[5], pieces[4], pieces[4], pieces[3]
    (stream,) = streams(pcap([first, *pieces, last]))
    assert (stream.n_bytes, stream.n_packets, stream.gaps) == (50_000, 50, 50)
    assert len(stream.content) == 50 * (200 - 54)


def test_datagrams_without_content_are_no_pieces():
    packets = [ethernet(ipv4(17, udp(content))) for content in (b"hello", b"", b"you")]
    (stream,) = streams(pcap(packets))
    assert (stream.n_bytes, stream.n_packets) == (8, 2)


def test_the_same_ends_can_connect_again():
    again = connection(b"b" * 3000, start=77)
    first = connection(b"a" * 3000)[:-1]  # whose end was not captured
    assert [bytes(s.content[:1]) for s in streams(pcap([*first, *again]))] == [b"a", b"b"]


def test_an_end_that_overtakes_the_last_bytes_is_waited_with():
    *packets, before, last = connection(CONTENT[:5000], size=1000)
    for end in (last, connection(CONTENT[:5000], size=1000, end=RST)[-1]):
        (stream,) = streams(pcap([*packets, end, before]))
        assert (stream.content, stream.gaps) == (CONTENT[:5000], 0)


def test_an_end_whose_last_bytes_are_missing_is_not_waited_with_for_ever():
    *packets, _, last = connection(CONTENT[:5000], size=1000)
    others = [ethernet(ipv4(17, udp(b"x")))] * (PATIENCE + 1)
    given = streams(pcap([*packets, last, *others]))
    assert [(stream.protocol, stream.n_bytes) for stream in given] == [("TCP", 4000), ("UDP", PATIENCE + 1)]
    data = BytesIO(pcap([*packets, last, *others, *others]))
    assert next(read_streams(data)).protocol == "TCP"
    assert data.tell() == len(data.getvalue()) - len(others) * (16 + len(others[0]))


def test_what_is_sent_again_after_the_end_is_no_stream():
    for packets in (connection(CONTENT[:5000], size=1000), connection(CONTENT[:5000], start=7, size=1000)):
        (stream,) = streams(pcap([*packets, packets[-2], packets[0], packets[3], packets[-1]]))
        assert (stream.content, stream.n_packets) == (CONTENT[:5000], 5)
    again = connection(b"b" * 3000, start=6_000)
    for other in (again, again[1:]):  # with its beginning, and captured from its middle on
        given = streams(pcap([*packets, packets[-2], *other]))
        assert [(stream.n_bytes, stream.content[-1:]) for stream in given] == [
            (5000, CONTENT[4999:5000]),
            (3000, b"b"),
        ]


def test_a_beginning_that_is_sent_again_begins_nothing():
    first, *packets = connection(CONTENT[:5000], size=1000)
    (stream,) = streams(pcap([first, first, *packets[:2], first, *packets[2:]]))
    assert (stream.content, stream.n_bytes) == (CONTENT[:5000], 5000)


def test_no_more_streams_are_open_than_were_asked_for():
    packets = [ethernet(ipv4(17, udp(b"x" * 100, ports=(9, n)))) for n in range(1, 200)]
    given = read_streams(BytesIO(pcap(packets)), most_open=10)
    assert next(given).target.port == 1  # the longest silent, long before the end
    assert len(list(given)) == 198


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "This is no capture: it begins with b''"),
        (b"\x89PNG\r\n", "This is no capture: it begins with b'\\x89PNG'"),
        (b"\x1f\x8b\x08\0", "It is packed by gzip: gunzip it first."),
        (pcap([])[:20], "ends in the middle of its header: at byte 4 20 bytes were wanted and 16 came"),
        (pcap([bytes(60)])[:-1], "ends in the middle of a packet: at byte 40 60 bytes were wanted and 59"),
        (pcap([bytes(60)])[:30], "ends in the middle of a packet's header, at byte 30"),
        (pcap([]) + b"\xff" * 16, "damaged at byte 40: a packet of 4,294,967,295 bytes"),
        (pcapng([bytes(60)])[:-3], "ends in the middle of a block"),
        (pcapng([bytes(60)])[:-4] + bytes(4), "a block whose two lengths differ"),
        (pcapng([])[:8] + b"abcd" + pcapng([])[12:], "a section whose byte order is b'abcd'"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(data, words):
    with pytest.raises(CaptureError) as error:
        list(read_packets(BytesIO(data)))
    assert words in str(error.value)


def test_streams_before_the_damage_are_given():
    data = pcap([*connection(CONTENT), *connection(CONTENT, ports=(81, 9))])[:-40]
    found = read_streams(BytesIO(data))
    assert next(found).source.port == 80
    assert next(found).source.port == 81
    with pytest.raises(CaptureError, match="It was cut off"):
        next(found)


@pytest.mark.parametrize("seed", range(0, 400, 100))
def test_hostile_captures_end_in_streams_or_a_sentence(seed):
    assert {read_hostile(case) for case in range(seed, seed + 100)} == {True, False}


@pytest.fixture(scope="module")
def classifier():
    rng = np.random.default_rng(1)
    made = {"TXT": text, "WAV": wave, "ENC": lambda rng, size: rng.bytes(size)}
    cases = [(kind, make(rng, 16384)) for kind, make in made.items() for _ in range(12)]
    X = flowtype.named_columns(flowtype.features([content for _, content in cases]))
    model = algorithm("eg2", costs=flowtype.price_list(rounds=2)).fit(X, [kind for kind, _ in cases])
    return flowtype.StreamClassifier(model.tree_)


def mixed_capture():
    rng = np.random.default_rng(2)
    sent = {80: text(rng, 60_000), 81: wave(rng, 60_000), 82: rng.bytes(60_000), 83: b"too short"}
    packets = [connection(content, ports=(port, 5000)) for port, content in sent.items()]
    order = [number for number, one in enumerate(packets) for _ in one]
    random.Random(0).shuffle(order)
    ways = [iter(one) for one in packets]
    return pcapng([next(ways[number]) for number in order])


def test_every_stream_of_a_capture_is_told(classifier):
    found = flowtype.classify_capture(BytesIO(mixed_capture()), classifier)
    told = {one.stream.source.port: one for one in found}
    assert {port: one.answer for port, one in told.items()} == {80: "TXT", 81: "WAV", 82: "ENC", 83: None}
    assert told[80].found.cost > 0
    assert told[83].found is None


def test_a_corpus_of_captures(tmp_path):
    (tmp_path / "one.pcap").write_bytes(mixed_capture())
    (tmp_path / "labels.tsv").write_text("# by port\nTXT\t*:80 > *\nENC\t10.0.0.1:82 > *\n")
    labels = read_labels(tmp_path / "labels.tsv")
    corpus = flowtype.capture_corpus(tmp_path / "corpus", [tmp_path / "one.pcap"], labels)
    assert {entry.type: entry.source for entry in corpus.entries} == {"TXT": "one", "ENC": "one"}
    assert len(list(corpus.chunks())) == corpus.n_chunks == 6
    for pattern in ("*:99 > *", "*:83 > *"):  # of which one has too few bytes
        with pytest.raises(ValueError, match=r"No stream .* that has 20,480 bytes fits a pattern"):
            flowtype.capture_corpus(tmp_path / "none", [tmp_path / "one.pcap"], [(pattern, "TXT")])
    every = flowtype.capture_corpus(tmp_path / "every", [tmp_path / "one.pcap"], [("*", "TXT")])
    written = [path for path in (tmp_path / "every" / "streams").rglob("*") if path.is_file()]
    assert len(written) == len(every.entries) == 3  # a capture may have a million short streams


def test_a_capture_is_read_from_its_path(classifier, tmp_path):
    (tmp_path / "mixed.pcapng").write_bytes(mixed_capture())
    for path in (tmp_path / "mixed.pcapng", str(tmp_path / "mixed.pcapng")):
        told = flowtype.classify_capture(path, classifier)
        assert sorted(str(one.answer) for one in told) == ["ENC", "None", "TXT", "WAV"]
    (tmp_path / "cut.pcapng").write_bytes(mixed_capture()[:-3])
    with pytest.raises(CaptureError, match=r"cut\.pcapng: The capture ends in the middle of a block"):
        list(flowtype.read_streams(tmp_path / "cut.pcapng"))


def test_a_capture_that_is_cut_off_keeps_no_other_out(tmp_path):
    captures = [tmp_path / name for name in ("cut.pcap", "text.pcap", "one.pcap")]
    captures[0].write_bytes(pcap([*connection(CONTENT), *connection(CONTENT, ports=(81, 9))])[:-40])
    captures[1].write_text("# This is none")
    captures[2].write_bytes(pcap(connection(CONTENT)))
    told = []
    corpus = flowtype.capture_corpus(
        tmp_path / "corpus", captures, [("*:80 > *", "TXT")], tell=lambda *what: told.append(what)
    )
    assert corpus.sources == ["cut", "one"]
    assert [(path, packets.n_packets > 0) for path, packets, _ in told] == list(
        zip(captures, (True, False, True), strict=True)
    )
    cut, text, none = (problem for *_, problem in told)
    assert str(cut).startswith(f"{captures[0]}: The capture ends in the middle of a packet")
    assert str(text).startswith(f"{captures[1]}: This is no capture: it begins with b'# Th'")
    assert none is None


def test_captures_of_one_name_are_sources_apart(tmp_path):
    captures = []
    for day in ("mon", "tue", "wed"):
        (tmp_path / day).mkdir()
        captures.append(tmp_path / day / "x.pcap")
        captures[-1].write_bytes(pcap(connection(day[:1].encode() * 30_000)))
    corpus = flowtype.capture_corpus(tmp_path / "corpus", captures, [("*:80 > *", "TXT")])
    assert corpus.sources == ["x", "x-2", "x-3"]
    assert [chunk[:1] for chunk in corpus.chunks()] == [b"m", b"t", b"w"]


def test_streams_of_an_earlier_run_are_not_mixed_in(tmp_path):
    (tmp_path / "one.pcap").write_bytes(pcap(connection(CONTENT)))
    (tmp_path / "cut.pcap").write_bytes(
        pcap([*connection(CONTENT), *connection(CONTENT, ports=(81, 9))])[:-40]
    )
    labels = [("*:80 > *", "TXT")]
    with pytest.raises(CaptureError, match=r"cut\.pcap: .* It was cut off"):
        flowtype.capture_corpus(tmp_path / "corpus", [tmp_path / "cut.pcap"], labels)
    flowtype.capture_corpus(tmp_path / "corpus", [tmp_path / "one.pcap"], labels)  # nothing is in the way
    with pytest.raises(ValueError, match="has streams of an earlier run"):
        flowtype.capture_corpus(tmp_path / "corpus", [tmp_path / "one.pcap"], [("*:80 > *", "GIF")])
    assert flowtype.Corpus.read(tmp_path / "corpus").types == ["TXT"]


def test_brackets_of_a_pattern_are_those_of_an_address():
    stream = Stream("TCP", Endpoint(bytes(15) + b"\1", 80), Endpoint(b"\x0a\0\0\2", 5000))
    fits = ["[::1]:80 > *", "[::1]:* > 10.0.0.2:5000", "[*]:80 > *", "*"]
    assert [label_of(stream, [(pattern, "TXT")]) for pattern in fits] == ["TXT"] * 4
    other = [
        "[::2]:80 > *",
        "?::1?:80 > *",
        "[::1]:8 > *",
        "[::1]:80 > 10.0.0.2:500",
        "[::1]:80 > 10x0.0.2:*",
    ]
    assert [label_of(stream, [(pattern, "TXT")]) for pattern in other] == [None] * 5


@pytest.mark.parametrize("line", ["TXT *:80 > *", "TXT\t*:80", "\t* > *", ""])
def test_a_file_of_labels_names_what_is_wrong(tmp_path, line):
    (tmp_path / "labels.tsv").write_text(line)
    with pytest.raises(ValueError, match="a tab"):
        read_labels(tmp_path / "labels.tsv")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("../../evil\t* > *", "without / and with no dot in front. Got '../../evil'"),
        ("a/b\t* > *", "without / and with no dot in front. Got 'a/b'"),
        ("unknown\t* > *", "A type cannot be called 'unknown'"),
        ("TXT\t10.0.0.7 > *", "'10.0.0.7' has no port, .* Write 10.0.0.7:443, or 10.0.0.7:"),
        ("TXT\t*:80 > [fd00::7]", r"'\[fd00::7\]' has no port"),
        ("TXT\tfd00::7:80 > *", "an address of IPv6 is in brackets, .* Got 'fd00::7:80'"),
    ],
)
def test_labels_that_cannot_be_are_told_apart(tmp_path, line, words):
    (tmp_path / "labels.tsv").write_text(f"TXT\t*:8* > *\n{line}\n")
    with pytest.raises(ValueError, match=rf"labels\.tsv, line 2: .*{words}"):
        read_labels(tmp_path / "labels.tsv")


def test_ends_that_fit_are_read(tmp_path):
    patterns = ["* > *", "10.0.* > *:443", "[fd00::7]:* > *", "*]:80 > 10.0.0.7:8*0"]
    (tmp_path / "labels.tsv").write_text("".join(f"TXT\t{one}\n" for one in patterns))
    assert read_labels(tmp_path / "labels.tsv") == [(one, "TXT") for one in patterns]
