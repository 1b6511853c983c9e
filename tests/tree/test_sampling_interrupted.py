"""Ctrl-C while a tree is grown by samples: what is there is finished and kept."""

import os
import signal
import subprocess
import sys
import time

import pytest

FIT = """
import numpy as np, thriftwood as tw
X = np.random.default_rng(0).normal(size=(400, 8))
y = X[:, 0] * X[:, 1] * X[:, 2] > 0
costs = tw.Costs(default_price=1, errors_default=30)
sampling = tw.Sampling(2**20)
model = tw.CostTreeClassifier({name!r}, costs=costs, sampling=sampling, random_state=0, n_jobs={n_jobs})
print("growing", flush=True)
model.fit(X, y)
reached = model.sampling_
print(reached.stopped, reached.finished, model.get_n_leaves() > 1, (model.predict(X) == y).mean())
"""


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
@pytest.mark.parametrize(("name", "n_jobs"), [("lsid3", 1), ("act", 2)])
def test_ctrl_c_keeps_the_best_tree_so_far(name, n_jobs):
    command = [sys.executable, "-c", FIT.format(name=name, n_jobs=n_jobs)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "growing\n"
        time.sleep(0.5)
        assert process.poll() is None  # a million samples take longer
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    stopped, finished, grew, accuracy = out.split()
    assert (stopped, finished, grew) == ("interrupt", "False", "True")
    assert float(accuracy) > 0.6
    assert "Ctrl-C was pressed before growth was finished" in err
