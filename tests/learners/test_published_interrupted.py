"""Ctrl-C while a learner learns: heard within a second, and members that are done stay, or no trace does."""

import os
import signal
import threading
import time
import warnings

import numpy as np
import pytest

import thriftwood as tw
from thriftwood.learners.published import ALGORITHMS
from thriftwood.learning.criteria import weight_of

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")

COSTS = tw.Costs(default_price=0.001, errors=[[0, 50], [80, 0]])
HEARD = 1.0
"""Seconds of processor time, here as below: the machine may have other things to do."""


def noisy(n_rows, n_columns=20):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_columns)).astype(np.float32)
    return X, (X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=n_rows) > 0).astype(int)


SMALL, LARGE = noisy(200), noisy(200_000)
WIDER = {"csdt": 4}
"""Learners of small trees, and how many times as many columns keep them busy."""


def learner(name, **settings):
    model = tw.algorithm(name, costs=COSTS, **settings)
    if "random_state" in model.get_params(deep=False):
        model.set_params(random_state=0)
    weight = weight_of(model.criterion) if hasattr(model, "criterion") else None
    if weight is not None and weight.must_be_given:
        model.set_params(**{f"criterion__{weight.name}": 1e-9})
    return model


class Pressed:
    """Ctrl-C, pressed a while after the block begins; `seconds` is what the block took from then on."""

    def __init__(self, after):
        self.after, self.over = after, threading.Event()
        self.at = self.seconds = None

    def press(self):
        while not self.over.wait(0.01):
            if time.process_time() >= self.after:
                self.at = time.process_time()
                os.kill(os.getpid(), signal.SIGINT)
                return

    def __enter__(self):
        self.after += time.process_time()
        threading.Thread(target=self.press).start()
        return self

    def __exit__(self, kind, *_):
        done = time.process_time()
        self.over.set()
        assert self.at is not None, "It was finished before Ctrl-C was pressed: give it more to do."
        self.seconds = done - self.at


def interrupted(work, after=0.15):
    """Do work until Ctrl-C; return whether it was raised, what it took, and the warnings."""
    raised = False
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        with Pressed(after) as pressed:
            try:
                work()
            except KeyboardInterrupt:
                raised = True
    return raised, pressed.seconds, [str(one.message) for one in told]


def is_as_before(model, before):
    return vars(model).keys() == before.keys() and all(vars(model)[name] is before[name] for name in before)


def check_interrupted(model, wider=1):
    """Press Ctrl-C in a fit of a model that is fitted already; what it is then is all or nothing."""
    before = dict(vars(model))
    X, y = np.tile(LARGE[0], wider), LARGE[1]
    raised, seconds, told = interrupted(lambda: model.fit(X, y))
    assert seconds < HEARD
    if raised:
        assert is_as_before(model, before)
    else:
        assert any("Ctrl-C was pressed" in one for one in told)
        assert not is_as_before(model, before)
    asked = SMALL[0] if raised else X[:9]
    assert len(model.predict(asked)) == len(asked)
    return raised


@pytest.mark.parametrize("name", [name for name in ALGORITHMS if name not in ("b-lot", "nobody")])
def test_ctrl_c_is_heard_within_a_second(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = learner(name).fit(*SMALL)
    raised = check_interrupted(model, WIDER.get(name, 1))
    assert raised or ALGORITHMS[name].estimator is not tw.CostTreeClassifier or name in ("lsid3", "act")


@pytest.mark.parametrize("name", ["cart", "lasc", "shortcut-forest", "cocost", "gradient-boosting"])
def test_threads_end_as_well(name):
    before = threading.enumerate()  # another library's pool may have been left by other tests
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = learner(name, n_jobs=2).fit(*SMALL)
    check_interrupted(model)
    others = [one for one in threading.enumerate() if one not in before]
    assert not any(one.name.startswith("ThreadPoolExecutor") for one in others)


def test_lazy_trees_are_interrupted_when_they_answer():
    model = learner("b-lot").fit(*noisy(2000))
    before = dict(vars(model))
    raised, seconds, _ = interrupted(lambda: model.predict(LARGE[0]))
    assert raised
    assert seconds < HEARD
    assert is_as_before(model, before)


MANY = 400
KEPT = {
    "b-pet": {"n_estimators": MANY},
    "costing": {"n_estimators": 10 * MANY},  # each learns from a part of the cases, in 2 ms
    "csb0": {"n_estimators": MANY},
    "lp-csb": {"n_estimators": MANY},
    "bagging": {"n_estimators": MANY},
    "boosting": {"n_estimators": MANY, "estimator": tw.algorithm("id3", max_depth=2)},
    "inverse-boosting": {"n_estimators": MANY},
    "shortcut-forest": {"n_estimators": 10**5},
    "gradient-boosting": {"n_estimators": 10**5},
    "cocost": {"alphas": np.linspace(0.01, 4, 20).round(2).tolist(), "rounds": 1},
}


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("name", KEPT)
def test_members_that_are_done_are_kept(name, n_jobs):
    X, y = noisy(3000)  # trees of some milliseconds: Python itself loses a Ctrl-C in a destructor
    model = learner(name, n_jobs=n_jobs).set_params(**KEPT[name])
    raised, seconds, told = interrupted(lambda: model.fit(X, y), after=0.6)
    assert not raised
    assert seconds < HEARD
    (said,) = [one for one in told if "Ctrl-C" in one]
    done, total = (int(word) for word in said.split() if word.isdigit())
    assert 0 < done < total
    assert len(model.predict(X)) == len(X)
    members = getattr(model, "estimators_", None)
    assert members is None or len(members) == done


def test_a_forest_that_was_interrupted_is_a_smaller_one():
    X, y = noisy(400)
    model = tw.CostForestClassifier(10**5, costs=COSTS, oob=True, random_state=0)
    raised, _, told = interrupted(lambda: model.fit(X, y), after=0.4)
    assert not raised
    assert any("Ctrl-C" in one for one in told)
    smaller = tw.CostForestClassifier(len(model.trees_), costs=COSTS, oob=True, random_state=0).fit(X, y)
    assert (model.predict_proba(X) == smaller.predict_proba(X)).all()
    np.testing.assert_array_equal(model.oob_proba_, smaller.oob_proba_)


def test_models_of_other_libraries_are_kept_too():
    from sklearn.tree import DecisionTreeClassifier

    X, y = noisy(3000)
    model = tw.CostBagClassifier(DecisionTreeClassifier(), costs=COSTS, n_estimators=MANY, random_state=0)
    raised, _, told = interrupted(lambda: model.fit(X, y), after=0.4)
    assert not raised
    assert f"kept are the {len(model.estimators_)} of {MANY} models" in " ".join(told)


def test_a_comparison_keeps_no_part_of_an_ensemble():
    X, y = noisy(400)
    forest = learner("shortcut-forest").set_params(n_estimators=10**5)
    models = {"id3": learner("id3"), "forest": forest}
    found = []
    raised, _, told = interrupted(lambda: found.append(tw.compare(models, X, y, COSTS, cv=3)), after=0.6)
    assert not raised
    assert found[0].unfinished == ("forest",)
    assert "1 of 2 learners were finished" in " ".join(told)
