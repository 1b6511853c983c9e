"""Ctrl-C while a frontier is measured: what is finished is kept."""

import os
import subprocess
import sys
import textwrap

import pytest

PROGRAM = """
    import os, signal, sys, threading, time, warnings
    import numpy as np
    import thriftwood as tw

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(3000, 12)), rng.integers(0, 2, 3000)
    costs = tw.Costs({f"x{i}": i + 1 for i in range(12)})
    model = tw.CostTreeClassifier("csgain", costs=costs, n_jobs=int(sys.argv[1]), pruning=eval(sys.argv[2]))
    pressed = False

    def press(done, total):
        global pressed
        if not pressed and done >= int(sys.argv[3]):
            pressed = True
            os.kill(os.getpid(), signal.SIGINT)

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        values, cv = np.linspace(0, 1e-4, 200), int(sys.argv[4])
        found = tw.frontier(model, X, y, values=values, cv=cv, progress=press)
    print(found.interrupted, 0 < len(found) < 200, len(found.points) == len(found.models) == len(found))
    print(found.cheapest().model.tree_.core == found.cheapest().model.fit(X, y).tree_.core)
    print([str(warning.message) for warning in said])
"""


def run(*arguments):
    command = [sys.executable, "-c", textwrap.dedent(PROGRAM), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ, check=False)


@pytest.mark.parametrize("pruning", ["None", "tw.CostComplexity(0.001)"])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_finished_values_are_kept(n_jobs, pruning):
    done = run(n_jobs, pruning, 8, 3)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[:2] == ["True True True", "True"]
    assert "of 200 values of gamma were finished and are kept" in lines[2]


@pytest.mark.parametrize("pruning", ["None", "tw.CostComplexity(0.001)"])
def test_with_nothing_finished_the_interrupt_is_raised(pruning):
    done = run(1, pruning, 0, 60)
    assert "KeyboardInterrupt" in done.stderr
    assert done.stdout == ""
