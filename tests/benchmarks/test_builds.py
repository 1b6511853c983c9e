"""benchmarks.builds: what the command compiles, records and prints, in small."""

import shutil

import pytest
from experiments.small_programs import SmallNative
from native_programs import skip_without

from benchmarks import builds


@pytest.fixture(scope="module", params=builds.COMPILERS)
def row(request, tmp_path_factory):
    skip_without(request.param)
    folder = tmp_path_factory.mktemp("builds")
    return request.param, builds.measure(SmallNative(folder), request.param, folder, 6)


def test_every_build_is_recorded_and_judged(row):
    compiler, found = row
    assert (found.program, found.compiler) == ("adder", compiler)
    assert list(found.accuracy) == ["inlined", "kept", "-O0"]
    assert found.accuracy["kept"] == found.accuracy["-O0"] > 0.9  # its functions are kept in any case
    header, line = builds.table([found])
    assert len(header.split(" | ")) == len(line.split(" | ")) == 7


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
def test_instructions_are_those_by_plain_O2(row):
    _, found = row
    assert found.instructions["plain"] == 1.0
    assert 1.0 <= found.instructions["inlined"] < found.instructions["-O0"]


def test_what_cannot_be_is_refused(capsys, monkeypatch):
    with pytest.raises(SystemExit):
        builds.main(["--runs", "2"])
    monkeypatch.setattr(builds.shutil, "which", lambda name: None)
    assert builds.main(["--compiler", "clang"]) == 2
    assert "None of clang is on the path." in capsys.readouterr().err
