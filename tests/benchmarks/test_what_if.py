"""benchmarks.what_if: what the command measures, in small and without a clock."""

import pytest

from benchmarks import what_if


def test_as_many_trees_are_learnt_as_are_asked_for():
    found = what_if.measure(30, rows=40, columns=4)
    assert found.fits >= 30
    assert found.questions >= 1
    assert found.line.startswith(f"the best tree of at most 3 tests on a path: {found.fits} fits for ")


@pytest.mark.parametrize(("seconds", "code"), [(0.1, 0), (50.0, 1)])
def test_the_command_ends_with_1_where_it_takes_too_long(monkeypatch, capsys, seconds, code):
    made = what_if.Measured("trees", 1000, 5, 3, seconds, seconds)
    monkeypatch.setattr(what_if, "measure", lambda fits, learner=None: made)
    assert what_if.main(["--fits", "1000"]) == code
    assert (
        f"1000 fits of 500 x 15: {seconds:.1f} s of one core, at most 20.0 are allowed."
        in capsys.readouterr().out
    )


def test_a_wrong_number_is_refused():
    with pytest.raises(SystemExit):
        what_if.main(["--fits", "0"])
