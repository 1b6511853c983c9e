"""A capture made on the loopback interface: HTTP with a text, an archive, a sound, an encrypted stream."""

import http.server
import io
import socket
import struct
import threading
import time
import urllib.request
import zlib
from contextlib import closing

import numpy as np
import pytest
from flowtype.small_corpus import text, wave

from thriftwood import Costs, algorithm, flowtype

SIZE = 120_000


def archive(rng, size):
    """A compressed mixture; longer than asked for, so that its middle is as its end."""
    packed = zlib.compress(text(rng, 12 * size) + wave(rng, size), 6)
    return (packed * 3)[:size]


MADE = {"TXT": text, "WAV": wave, "ENC": lambda rng, size: rng.bytes(size), "ZIP": archive}


def answering(served):
    class Answering(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Length", str(len(served[self.path])))
            self.end_headers()
            self.wfile.write(served[self.path])

        def log_message(self, *_):
            pass

    return http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answering)


@pytest.fixture(scope="module")
def captured(tmp_path_factory):
    """A pcap file of four answers, and which port each went to."""
    try:
        listener = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.ntohs(3))
        listener.bind(("lo", 0))
    except (OSError, AttributeError):
        pytest.skip("packets of the loopback interface cannot be captured here (it takes root, on Linux)")
    rng = np.random.default_rng(5)
    served = {f"/{kind}": make(rng, SIZE) for kind, make in MADE.items()}
    path = tmp_path_factory.mktemp("captured") / "lo.pcap"
    over = threading.Event()
    listener.settimeout(0.2)
    server = answering(served)

    def capture():
        with path.open("wb") as file:
            file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 1))
            while True:
                try:
                    packet, where = listener.recvfrom(262144)
                except TimeoutError:
                    if over.is_set():
                        return
                    continue
                if where[2] == 4:  # sent; each is seen again as it is received
                    continue
                file.write(struct.pack("<IIII", int(time.time()), 0, len(packet), len(packet)) + packet)

    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 24)
    threads = [threading.Thread(target=capture), threading.Thread(target=server.serve_forever)]
    for thread in threads:
        thread.start()
    ports = {}
    for kind in MADE:
        with closing(urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/{kind}")) as answer:
            ports[answer.fp.raw._sock.getsockname()[1]] = kind
            assert len(answer.read()) == SIZE
    time.sleep(0.2)
    over.set()
    server.shutdown()
    for thread in threads:
        thread.join()
    server.server_close()
    listener.close()
    return path.read_bytes(), server.server_port, ports


def test_every_answer_is_told_by_its_type(captured):
    data, port, ports = captured
    rng = np.random.default_rng(1)
    cases = [(kind, make(rng, 40_000)[4096:20480], n) for kind, make in MADE.items() for n in range(40)]
    source = np.array([f"day {n % 5}" for *_, n in cases])
    values = flowtype.features([content for _, content, _ in cases])
    table = flowtype.FeatureTable(values, np.array([kind for kind, *_ in cases]), source, source)
    # One price for all: what packed and encrypted bytes differ by is bought, whatever a machine is quick at.
    prices = Costs(dict.fromkeys(flowtype.FEATURES, 1.0))

    def learn(seen):
        return algorithm("gradient-boosting", costs=prices).fit(seen.X, seen.y).model_

    sureness = flowtype.measure_sureness(learn, table, left_out=False)
    found = flowtype.classify_capture(io.BytesIO(data), flowtype.StreamClassifier(learn(table), sureness))
    told = {one.stream.target.port: one for one in found if one.stream.source.port == port}
    answers = {ports[number]: one.answer for number, one in told.items() if number in ports}
    assert answers == {kind: kind for kind in MADE}
    assert all(one.stream.n_bytes > SIZE and one.found.cost > 0 for one in told.values())


def test_a_cut_off_capture_is_told_as_far_as_it_goes(captured):
    data, _, _ = captured
    found = flowtype.read_streams(io.BytesIO(data[: len(data) // 2]))
    first = next(found)
    assert first.n_bytes > 0
    with pytest.raises(flowtype.CaptureError, match="It was cut off; what came before is sound"):
        list(found)
