"""Ctrl-C while learners are compared: those that are finished are kept."""

import os
import signal

import numpy as np
import pytest

import thriftwood as tw


def compared(names, press_after):
    """Compare, with Ctrl-C pressed when so many learners are done."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 2, 60)

    def press(done, total):
        if done == press_after:
            os.kill(os.getpid(), signal.SIGINT)

    return tw.compare(names, X, y, cv=3, progress=press)


def test_finished_learners_are_kept():
    with pytest.warns(UserWarning, match="2 of 4 learners were finished and are kept"):
        ranking = compared(["c45", "id3", "cart", "ecco"], 2)
    assert {contender.name for contender in ranking} == {"c45", "id3"}
    assert ranking.unfinished == ("cart", "ecco")
    assert "not finished when Ctrl-C was pressed: cart, ecco" in str(ranking)


def test_a_refused_learner_is_no_result():
    with pytest.raises(KeyboardInterrupt) as raised:
        compared(["csgain", "c45"], 1)
    assert raised.value.__suppress_context__


def test_a_whole_ranking_leaves_nobody_out():
    ranking = compared(["c45"], None)
    assert ranking.unfinished == ()
    assert "Ctrl-C" not in str(ranking)
