"""benchmarks.explaining: a program with the exported file compiled in, beside the library, in small."""

import shutil

import pytest
from experiments.small_programs import SmallNative

from benchmarks import explaining
from thriftwood.clarify.native import NativeProgramError, preload_library
from thriftwood.experiments.clarify.subject import SubjectProgram


def test_what_a_native_program_says_of_itself_is_compared(tmp_path):
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not on the path")
    try:
        preload_library()
    except NativeProgramError as problem:
        pytest.skip(str(problem))
    found = explaining.mpg321(SubjectProgram(SmallNative(tmp_path), tmp_path / "data"), 6, 2)
    assert (found.program, found.runs, found.same) == ("adder", 4, 4)
    assert found.right >= 3
    assert found.line.startswith(
        "adder: 4 of 4 fresh runs say what the library says, which has the right cause in "
    )
    if shutil.which("valgrind"):
        assert 1.0 < found.ratio < 2.0  # a short run: most of it is the start


@pytest.mark.parametrize(
    ("written", "same"),
    [
        ("bad file\nA comma.\n", True),
        ("A comma.\n", True),
        ("bad file\nPerhaps: A comma.\n", False),
        ("bad file\nA comma.\nOr: A brace.\n", False),
        ("bad file\nA comma.", False),
    ],
)
def test_whole_lines_are_compared(written, same):
    assert explaining.ends_with(written, "A comma.") == same


def test_too_few_runs_are_refused():
    with pytest.raises(SystemExit):
        explaining.main(["--runs", "2"])
