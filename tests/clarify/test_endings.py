"""How runs ended: kept by label, written in words, and what is doubted because of it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as some

from thriftwood.clarify import Run
from thriftwood.clarify.endings import Ending, endings_of, read_ending
from thriftwood.clarify.telling import doubt_about

KNOWN = {"brace": {"exit 1": 3, "signal 6": 1}, "hang": {"timeout": 2}}


def run_of(label, code, timed_out=False):
    return Run(label, ("prog",), code, timed_out, 0.1, "fc", "native", "", "")


def test_endings_are_counted_by_label():
    runs = [*[run_of("brace", 1)] * 3, run_of("brace", -6), *[run_of("hang", -9, True)] * 2, run_of(None, 0)]
    assert endings_of(runs) == KNOWN


@pytest.mark.parametrize(
    ("label", "ended", "said"),
    [
        ("brace", Ending(1), None),
        ("brace", Ending(-6), None),
        ("hang", Ending(-9, timeout=5.0), None),
        ("hang", Ending(-9), "No recorded run ended like this one (signal 9), but with exit 1, "),
        ("hang", Ending(1), "The run ended with exit 1. Recorded runs of 'hang' ended with timeout."),
        ("brace", Ending(0), "The run did not fail (exit 0). Recorded runs of 'brace' ended with exit 1"),
    ],
)
def test_what_is_doubted(label, ended, said):
    doubt = doubt_about(label, ended.words, KNOWN)
    assert doubt is None if said is None else doubt.startswith(said)


@given(some.integers(-64, 255), some.sampled_from(["brace", "hang"]))
def test_a_label_is_doubted_unless_its_runs_ended_so(code, label):
    assert (doubt_about(label, Ending(code).words, KNOWN) is None) == (Ending(code).words in KNOWN[label])


def test_nothing_is_doubted_where_nothing_is_known():
    assert doubt_about("brace", "exit 0", {}) is None


@pytest.mark.parametrize(
    ("facts", "read"),
    [
        ({"exit": -9, "timed_out_after": 1.5}, Ending(-9, 1.5)),
        ({"exit": 0, "timed_out_after": None}, Ending(0)),
        ({"exit": None}, None),
        ([], None),
    ],
)
def test_what_is_written_of_a_run_is_read(tmp_path, facts, read):
    (tmp_path / "run.json").write_text(json.dumps(facts))
    assert read_ending(tmp_path / "run.json") == read


def test_a_run_of_which_nothing_is_written(tmp_path):
    assert read_ending(tmp_path / "run.json") is None
