"""Ctrl-C while a tree is grown by samples: what is there is finished and kept."""

import os
import subprocess
import sys

import pytest

FIT = """
import os, signal, sys, threading, time
import numpy as np, thriftwood as tw
from thriftwood import _core

sys.setswitchinterval(1000)  # another thread has its turn when the core lets go of Python, and not before
begun = threading.Lock()
begun.acquire()

def press():
    begun.acquire()
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)

def grow(*arguments, real=_core.grow):
    begun.release()
    return real(*arguments)

_core.grow = grow
threading.Thread(target=press).start()
X = np.random.default_rng(0).normal(size=(400, 8))
y = X[:, 0] * X[:, 1] * X[:, 2] > 0
costs = tw.Costs(default_price=1, errors_default=30)
model = tw.CostTreeClassifier({name!r}, costs=costs, random_state=0, n_jobs={n_jobs})
model.set_params(criterion__look_ahead=tw.LookAhead(2**20))
model.fit(X, y)
reached = model.look_ahead_
print(reached.stopped, reached.finished, model.get_n_leaves() > 1, (model.predict(X) == y).mean())
"""


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
@pytest.mark.parametrize(("name", "n_jobs"), [("lsid3", 1), ("act", 2)])
def test_ctrl_c_keeps_the_best_tree_so_far(name, n_jobs):
    command = [sys.executable, "-c", FIT.format(name=name, n_jobs=n_jobs)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    stopped, finished, grew, accuracy = done.stdout.split()
    assert (stopped, finished, grew) == ("interrupt", "False", "True")
    assert float(accuracy) > 0.6
    assert "Ctrl-C was pressed before growth was finished" in done.stderr
