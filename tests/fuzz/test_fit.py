"""Any table, target, weights and settings: a sound tree, the same on any number of threads, or an error."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from fuzz.hostile import COLUMNS, REFUSED, cases
from fuzz.sound import assert_all
from hypothesis import HealthCheck, given, settings

import thriftwood as tw

pytestmark = pytest.mark.filterwarnings("ignore:.* as names of cases have")

fixed = settings(derandomize=True, database=None, suppress_health_check=list(HealthCheck))


@given(cases())
@settings(fixed, max_examples=250)
def test_whatever_is_fitted_is_sound_or_refused(case):
    assert_all(case)


@given(cases(sizes=(20_000,), columns=("float", "few", "nan", "text holes", "many", "ordered", "extreme")))
@settings(fixed, max_examples=12)
def test_large_tables_give_the_same_tree_on_two_threads(case):
    assert_all(case)


CHILD = """
import faulthandler, sys, warnings
from pathlib import Path
faulthandler.enable()
warnings.simplefilter("error")
from fuzz.hostile import cases
from fuzz.sound import assert_all
from hypothesis import HealthCheck, Phase, given, seed, settings
last = Path(sys.argv[1])
trees = 0

@seed(20)
@given(cases(sizes=(1, 2, 3, 17, 130, 600)))
@settings(max_examples=200, deadline=None, database=None, suppress_health_check=list(HealthCheck))
def run(case):
    global trees
    last.write_text(repr(case))
    trees += assert_all(case) is not None

run()
sys.stdout.write(str(trees))
"""


def test_no_table_ends_the_process(tmp_path):
    last = tmp_path / "case"
    paths = f"import sys; sys.path[:0] = [{str(Path(__file__).parents[1])!r}]\n"
    done = subprocess.run(
        [sys.executable, "-c", paths + CHILD, last], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{last.read_text()}\n{done.stderr[-3000:]}"
    assert int(done.stdout) > 100  # most cases are fitted, not refused


@pytest.mark.parametrize("kind", REFUSED)
@pytest.mark.parametrize(
    "model", [tw.CostTreeClassifier(), tw.CostTreeRegressor()], ids=["classes", "numbers"]
)
def test_columns_that_no_tree_can_use_are_named(kind, model):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"good": [1.0, 2.0, 3.0], "bad one": REFUSED[kind](rng, 3)})
    with pytest.raises((ValueError, TypeError), match="'bad one'"):
        model.fit(X, [0, 1, 1])


@pytest.mark.parametrize("kind", REFUSED)
def test_they_are_named_at_predict_too(kind):
    model = tw.CostTreeClassifier().fit(pd.DataFrame({"x": [1.0, 2.0, 3.0]}), [0, 1, 1])
    with pytest.raises((ValueError, TypeError), match="'x'"):
        model.predict(pd.DataFrame({"x": REFUSED[kind](np.random.default_rng(0), 3)}))


@pytest.mark.parametrize("kind", COLUMNS)
def test_every_kind_of_column_alone(kind):
    X = pd.DataFrame({"x": COLUMNS[kind](np.random.default_rng(3), 60)})
    y = np.arange(60) % 2
    for model in (tw.CostTreeClassifier(), tw.algorithm("c45"), tw.algorithm("cart"), tw.CostTreeRegressor()):
        assert model.fit(X, y).predict(X).shape == (60,)


WRONG_TARGETS = {
    "short": [0, 1],
    "none": None,
    "two columns": [[0, 1]] * 3,
    "nan": [0, 1, np.nan],
    "infinite": [0, 1, np.inf],
    "None": [0, 1, None],
    "scalar": 3,
    "dict": {0: 1},
    "complex": [0, 1, 1j],
    "empty": [],
    "too large an int": [0, 1, 10**400],
    "lists": [[1, 2], [3], [4]],
}


@pytest.mark.parametrize("y", WRONG_TARGETS.values(), ids=WRONG_TARGETS)
@pytest.mark.parametrize(
    "model", [tw.CostTreeClassifier(), tw.CostTreeRegressor()], ids=["classes", "numbers"]
)
def test_wrong_targets(model, y):
    with pytest.raises((ValueError, TypeError)) as caught:
        model.fit([[1.0], [2.0], [3.0]], y)
    assert len(str(caught.value)) > 20


@pytest.mark.parametrize(
    "y",
    [[1.0, 2.0, 1e61], np.array([1, 2, 3], dtype="M8[D]"), ["a", "b", "c"]],
    ids=["huge", "dates", "text"],
)
def test_numbers_to_predict_must_be_ordinary_numbers(y):
    with pytest.raises(ValueError, match="y "):
        tw.CostTreeRegressor().fit([[1.0], [2.0], [3.0]], y)


WRONG_WEIGHTS = {
    "short": [1.0],
    "negative": [1.0, -1.0, 1.0],
    "nan": [1.0, np.nan, 1.0],
    "infinite": [1.0, np.inf, 1.0],
    "zero": [0.0, 0.0, 0.0],
    "two-dimensional": [[1.0]] * 3,
    "text": ["a", "b", "c"],
    "None": [None] * 3,
    "complex": [1, 1, 1j],
    "overflowing": [1.7e308] * 3,
    "huge": [1e51] * 3,
    "tiny": [1e-52] * 3,
    "denormal": [5e-324] * 3,
    "too large an int": [1, 1, 10**400],
}


@pytest.mark.parametrize("weights", WRONG_WEIGHTS.values(), ids=WRONG_WEIGHTS)
def test_wrong_weights(weights):
    for model in (tw.CostTreeClassifier(), tw.CostTreeRegressor()):
        with pytest.raises(ValueError, match="sample_weight"):
            model.fit([[1.0], [2.0], [3.0]], [0, 1, 1], sample_weight=weights)


def test_a_class_without_weight_is_never_answered():
    X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "c"]
    model = tw.CostTreeClassifier().fit(X, y, sample_weight=[1, 1, 1, 0])
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert model.predict(X).tolist() == ["a", "a", "b", "b"]
    assert model.predict_proba(X)[:, 2].tolist() == [0.0] * 4


@pytest.mark.parametrize("share", [0.9, 1 - 1e-16])
def test_pruning_never_grows_on_the_cases_kept_aside(share):
    # Of two cases one is grown on, however many are to be kept aside: too few to tell classes apart.
    pruning = tw.ReducedError(share), tw.CrossValidatedComplexity(2, validation=share)
    model = tw.CostTreeClassifier(pruning=pruning[0], random_state=0).fit([[0.0], [1.0]], [0, 1])
    assert model.tree_.n_nodes == 1
    tw.CostTreeClassifier(pruning=pruning[1], random_state=0).fit([[0.0], [1.0]], [0, 1])
