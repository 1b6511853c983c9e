"""What a watched program says is passed on and remembered."""

import os
import pty
import subprocess
import sys

import pytest

from thriftwood.clarify.overhearing import overheard

OVERHEAR = """
import subprocess, sys
from thriftwood.clarify.overhearing import overheard
with overheard(True) as heard:
    process = subprocess.Popen([sys.executable, "-c", sys.argv[1]], stderr=heard.writer)
heard.begin()
process.wait()
sys.stdout.buffer.write(heard.end())
"""


def run(program, **options):
    return subprocess.run([sys.executable, "-c", OVERHEAR, program], check=True, timeout=60, **options)


def test_what_is_said_is_passed_on_and_its_end_remembered():
    done = run("import sys; sys.stderr.write('x' * 99_999 + 'end')", capture_output=True)
    assert done.stderr == b"x" * 99_999 + b"end"
    assert done.stdout == (b"x" * 99_999 + b"end")[-65536:]


def test_a_process_that_is_left_behind_is_not_waited_for():
    program = (
        "import subprocess, sys; sys.stderr.write('first');"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(50)'], stdout=subprocess.DEVNULL)"
    )
    done = run(program, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert done.stdout == b"first"


def test_a_process_that_outlives_the_program_can_go_on_writing():
    left = "import os, time; time.sleep(1); os.write(2, b' later'); os.write(2, b' on')"
    program = (
        "import subprocess, sys; sys.stderr.write('first'); sys.stderr.flush();"
        f"subprocess.Popen([sys.executable, '-c', {left!r}], stdout=subprocess.DEVNULL)"
    )
    done = run(program, capture_output=True)
    assert (done.stdout, done.stderr) == (b"first", b"first later on")


def test_nothing_stays_open_if_the_program_cannot_be_started():
    before = os.listdir("/proc/self/fd")
    with pytest.raises(FileNotFoundError), overheard(True) as heard:
        subprocess.Popen(["no such program"], stderr=heard.writer)
    assert os.listdir("/proc/self/fd") == before


def test_a_terminal_stays_a_terminal(tmp_path):
    reader, writer = pty.openpty()
    program = "import sys; sys.stderr.write(str(sys.stderr.isatty()))"
    with (tmp_path / "out").open("wb") as out:
        run(program, stdout=out, stderr=writer)
    os.close(writer)
    assert os.read(reader, 100) == b"True"
    os.close(reader)
    assert (tmp_path / "out").read_bytes() == b"True"
