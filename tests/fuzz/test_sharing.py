"""Models that are copied, shared by threads, inherited by forked processes and interrupted."""

import copy
import io
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import joblib
import numpy as np
import pytest

import thriftwood as tw

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30_000, 6))
Y = ((X[:, 0] > X[:, 1]) ^ (RNG.random(30_000) < 0.1)).astype(int)
MODEL = tw.CostTreeClassifier(n_jobs=2, costs=tw.Costs({"x0": 2}), growth=tw.Growth(max_depth=8)).fit(X, Y)


def by_joblib(model):
    file = io.BytesIO()
    joblib.dump(model, file)
    file.seek(0)
    return joblib.load(file)


@pytest.mark.parametrize(
    "copied",
    [
        copy.copy,
        copy.deepcopy,
        by_joblib,
        *(lambda m, p=p: pickle.loads(pickle.dumps(m, p)) for p in range(2, 6)),
    ],
)
def test_a_copy_is_the_same_model(copied):
    other = copied(MODEL)
    assert other.tree_ == MODEL.tree_
    assert (other.predict_proba(X[:100]) == MODEL.predict_proba(X[:100])).all()
    assert other.fit(X, Y).tree_ == MODEL.tree_


def test_threads_may_share_a_tree_and_fit_beside_each_other():
    expected = MODEL.predict_proba(X)

    def fit(_):
        return tw.CostTreeClassifier(n_jobs=2, growth=tw.Growth(max_depth=8)).fit(X, Y).tree_.core

    with ThreadPoolExecutor(8) as pool:
        answers = [pool.submit(MODEL.predict_proba, X) for _ in range(8)]
        trees = list(pool.map(fit, range(8)))
        assert all((answer.result() == expected).all() for answer in answers)
    assert all(tree == MODEL.tree_.core for tree in trees)


# In processes of their own: pytest's has threads that a fork would not have, and handles signals.
START = """
import os, signal, sys, threading
import numpy as np
import thriftwood as tw
rng = np.random.default_rng(0)
X = rng.normal(size=(200_000, 8))
y = rng.integers(0, 2, 200_000)
model = tw.CostTreeClassifier(n_jobs=2).fit(X[:60_000], y[:60_000])
"""
FORK = """
child = os.fork()
if child == 0:
    same = tw.CostTreeClassifier(n_jobs=2).fit(X[:60_000], y[:60_000])
    os._exit(0 if same.tree_ == model.tree_ and (same.predict(X) == model.predict(X)).all() else 3)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
INTERRUPT = """
try:
    threading.Timer(0.05, os.kill, [os.getpid(), signal.SIGINT]).start()
    while True:
        tw.CostTreeClassifier().fit(X, y)
except KeyboardInterrupt:
    sys.exit(0)
"""


@pytest.mark.parametrize("script", [FORK, INTERRUPT], ids=["fork", "interrupt"])
def test_processes(script):
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", START + script],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
