"""`CostTreeClassifier` as a scikit-learn user meets it."""

import pickle

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import thriftwood as tw
from thriftwood.datasets import make_small
from thriftwood.learning.targets import class_labels
from thriftwood.table.case_names import CaseNamesWarning

X, Y = make_small(200)[:2]
ROWS = [[1.0, "red"], [2.0, "red"], [3.0, "blue"], [4.0, "blue"], [5.0, "green"], [6.0, "green"]]
ANSWERS = ["no", "no", "yes", "yes", "no", "no"]


def fitted(**settings):
    return tw.CostTreeClassifier(**settings).fit(X, Y)


def as_frames():
    columns = {"size": [row[0] for row in ROWS], "colour": [row[1] for row in ROWS]}
    return {
        "pandas": pd.DataFrame(columns),
        "pandas categories": pd.DataFrame(columns).astype({"colour": "category"}),
        "polars": pl.DataFrame(columns),
        "arrow": pa.table(columns),
        "objects": np.array(ROWS, dtype=object),
        "lists": ROWS,
    }


@pytest.mark.parametrize("kind", as_frames())
def test_the_same_table_in_any_container_gives_the_same_tree(kind):
    model = tw.CostTreeClassifier().fit(as_frames()[kind], ANSWERS)
    reference = tw.CostTreeClassifier().fit(ROWS, ANSWERS)
    assert model.tree_.core == reference.tree_.core
    assert model.predict(as_frames()[kind]).tolist() == ANSWERS
    named = kind not in ("objects", "lists")
    assert hasattr(model, "feature_names_in_") == named
    if named:
        assert model.feature_names_in_.tolist() == ["size", "colour"]


def test_names_are_forgotten_when_the_next_table_has_none():
    model = tw.CostTreeClassifier().fit(as_frames()["pandas"], ANSWERS)
    assert not hasattr(model.fit(ROWS, ANSWERS), "feature_names_in_")


def test_columns_in_another_order_are_put_right_and_a_missing_one_is_named():
    frame = as_frames()["pandas"]
    model = tw.CostTreeClassifier().fit(frame, ANSWERS)
    assert model.predict(frame[["colour", "size"]]).tolist() == ANSWERS
    with pytest.raises(ValueError, match="yet now missing:\n- colour"):
        model.predict(frame[["size"]])


@pytest.mark.parametrize("container", [sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array])
def test_sparse_tables(container):
    counts = np.where(X > 0.5, X, 0)
    model = tw.CostTreeClassifier().fit(container(counts), Y)
    assert model.tree_.core == tw.CostTreeClassifier().fit(counts, Y).tree_.core
    assert (model.predict(container(counts)) == model.predict(counts)).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64, np.int8, bool, "F"])
def test_arrays_of_every_type_and_order(dtype):
    table = np.asfortranarray(X.round()) if dtype == "F" else X.round().astype(dtype)
    reference = tw.CostTreeClassifier().fit(table.astype(np.float64), Y)
    assert tw.CostTreeClassifier().fit(table, Y).tree_.core == reference.tree_.core


@pytest.mark.parametrize(
    "labels",
    [
        np.array(ANSWERS),
        np.array(ANSWERS, dtype=object),
        pd.Series(ANSWERS),
        pd.Series(ANSWERS, dtype="category"),
        pd.Series(ANSWERS, dtype="string"),
        pl.Series(ANSWERS),
        pa.array(ANSWERS),
        [answer == "yes" for answer in ANSWERS],
        [-5 if answer == "yes" else 10**12 for answer in ANSWERS],
        np.array([7 if answer == "yes" else 3 for answer in ANSWERS], dtype=np.uint8),
        np.array([100.0 if answer == "yes" else -100.0 for answer in ANSWERS]),
    ],
)
def test_labels_of_every_type_come_back_as_they_were(labels):
    model = tw.CostTreeClassifier().fit(ROWS, labels)
    assert model.predict(ROWS).tolist() == list(np.asarray(labels).tolist())
    assert model.classes_.tolist() == sorted(set(np.asarray(labels).tolist()))
    assert model.n_classes_ == 2


@given(
    st.lists(st.integers(-200, 200), min_size=1, max_size=40),
    st.sampled_from([np.int16, np.int64, np.uint8, np.int8, np.int32]),
)
def test_counting_integer_labels_is_numpys_unique(values, dtype):
    y = np.array(values).astype(dtype)
    classes, labels = class_labels(y, len(y))
    expected, inverse = np.unique(y, return_inverse=True)
    assert classes.dtype == expected.dtype
    assert classes.tolist() == expected.tolist()
    assert labels.tolist() == inverse.tolist()


def test_labels_at_the_ends_of_their_type():
    y = np.array([127, -128, 127], dtype=np.int8)
    classes, labels = class_labels(y, 3)
    assert (classes.tolist(), labels.tolist()) == ([-128, 127], [1, 0, 1])
    far = np.array([2**63 - 1, -(2**63), 0])
    assert class_labels(far, 3)[1].tolist() == [2, 0, 1]


@pytest.mark.parametrize(
    ("y", "words"),
    [
        (None, "requires y to be passed"),
        ([0, 1], "X has 6 rows and y has 2"),
        ([0.5, 1.5, 0.5, 1.5, 0.5, 1.5], "Unknown label type: continuous"),
        ([0, 1, None, 1, 0, 1], r"Input y contains NaN or another missing value.\nIt is None in row 2"),
        ([0.0, 1, np.nan, 1, 0, 1], "Input.*NaN"),
        (np.zeros((6, 2)), "y should be a 1d array"),
    ],
)
def test_wrong_targets(y, words):
    with pytest.raises(ValueError, match=words):
        tw.CostTreeClassifier().fit(ROWS, y)


def test_labels_that_cannot_be_ordered():
    with pytest.raises((TypeError, ValueError), match=r"label|classes"):
        tw.CostTreeClassifier().fit(ROWS, np.array([0, "a", 0, "a", 0, "a"], dtype=object))


def test_a_column_of_labels_is_taken_with_a_warning():
    with pytest.warns(DataConversionWarning, match="column-vector"):
        assert tw.CostTreeClassifier().fit(ROWS, np.array(ANSWERS).reshape(-1, 1)).classes_.tolist() == [
            "no",
            "yes",
        ]


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1, 2], r"one number per case, shape \(6,\). Got shape \(2,\)"),
        (np.ones((6, 1)), r"Got shape \(6, 1\)"),
        ([1, 1, -1, 1, 1, 1], "finite and not negative. Got -1.0 in row 2"),
        ([1, np.nan, 1, 1, 1, 1], "Got nan in row 1"),
        ([1, 1, 1, 1, 1, np.inf], "Got inf in row 5"),
        ([0] * 6, "zero for every case"),
        (["a"] * 6, "must hold one number per case"),
    ],
)
def test_wrong_weights(weights, words):
    with pytest.raises(ValueError, match=words):
        tw.CostTreeClassifier().fit(ROWS, ANSWERS, sample_weight=weights)


def test_weights_count_as_repeats_and_zero_as_absence():
    weights = np.random.default_rng(0).integers(0, 4, len(X))
    weighted = tw.CostTreeClassifier().fit(X, Y, sample_weight=weights)
    repeated = tw.CostTreeClassifier().fit(X.repeat(weights, axis=0), Y.repeat(weights))
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X))
    assert weighted.get_n_leaves() == repeated.get_n_leaves()


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        (
            {"criterion": "ginni"},
            ValueError,
            "'criterion' parameter of CostTreeClassifier.*Did you mean 'gini'?",
        ),
        ({"criterion": "squared_error"}, ValueError, "must be one of 'gini', 'entropy', 'gain_ratio'"),
        ({"criterion": None}, ValueError, "Got None of type NoneType"),
        ({"growth": {"max_depth": 3}}, TypeError, "'growth' parameter.*must be a Growth or None"),
        ({"costs": {"age": 1}}, TypeError, "'costs' parameter.*must be a Costs or None"),
        (
            {"costs": tw.Costs({"x99": 1})},
            ValueError,
            "tests has a price for 'x99', but the table has no such column",
        ),
        ({"costs": tw.Costs(errors={"a": {"b": 1}})}, ValueError, "there is no class 'a' in the data"),
        ({"loss_in_growth": "yes"}, ValueError, "'loss_in_growth' parameter.*one of None, 'altered_priors'"),
        ({"priors": [1, 2, 3]}, ValueError, "priors must be 2 positive numbers"),
        ({"priors": {0: 1, 2: 1}}, ValueError, r"priors must have exactly the classes \[0, 1\]"),
        ({"priors": [0, 1]}, ValueError, "positive numbers"),
        ({"priors": "uniform"}, ValueError, "priors must be 2 positive numbers.*Got 'uniform'"),
        ({"nominal_features": ["colour"]}, ValueError, "There is no column 'colour'"),
    ],
)
def test_wrong_parameters(settings, error, words):
    with pytest.raises(error, match=words):
        fitted(**settings)


def test_before_fit_everything_says_so():
    for method in ("predict", "predict_proba", "apply", "decision_path"):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            getattr(tw.CostTreeClassifier(), method)(X)
    for method in ("get_depth", "get_n_leaves", "consult"):
        with pytest.raises(NotFittedError):
            getattr(tw.CostTreeClassifier(), method)()
    assert not hasattr(tw.CostTreeClassifier(), "feature_importances_")


def test_one_class_one_row_and_columns_without_values():
    assert tw.CostTreeClassifier().fit([[1.0]], ["only"]).predict([[2.0]]).tolist() == ["only"]
    blank = np.column_stack([np.full(len(X), np.nan), X])
    assert tw.CostTreeClassifier().fit(blank, Y).score(blank, Y) > 0.95
    nothing = pd.DataFrame({"a": [None] * 4, "b": [np.nan] * 4})
    assert tw.CostTreeClassifier().fit(nothing, [0, 0, 0, 1]).predict(nothing).tolist() == [0] * 4


@pytest.mark.parametrize("nominal", ["binary", "multiway", "grouped"])
def test_many_categories(nominal):
    n = 10_000 if nominal != "grouped" else 300  # merging takes the cube of their number
    names = np.array([f"c{i}" for i in range(n)], dtype=object).reshape(-1, 1)
    growth = tw.Growth(nominal=nominal, two_branches=True, many_categories=None)
    with pytest.warns(CaseNamesWarning):
        model = tw.CostTreeClassifier(growth=growth).fit(names, np.arange(n) % 2)
    assert model.score(names, np.arange(n) % 2) == 1
    assert model.predict([["never seen"]])[0] in (0, 1)


def test_numbers_that_are_names():
    codes = np.array([[0], [1], [2], [3]] * 5)
    y = [0, 1, 0, 1] * 5
    as_names = tw.CostTreeClassifier(nominal_features=[0]).fit(codes, y)
    as_numbers = tw.CostTreeClassifier().fit(codes, y)
    assert (as_names.get_n_leaves(), as_numbers.get_n_leaves()) == (2, 4)


def test_probabilities_labels_nodes_and_paths_agree():
    model = fitted(growth=tw.Growth(max_depth=4))
    shares = model.predict_proba(X)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert (model.classes_[shares.argmax(axis=1)] == model.predict(X)).all()
    with np.errstate(divide="ignore"):
        np.testing.assert_array_equal(model.predict_log_proba(X), np.log(shares))
    leaves, paths = model.apply(X), model.decision_path(X)
    assert paths.shape == (len(X), model.tree_.n_nodes)
    assert isinstance(paths, sparse.csr_matrix)
    assert (paths[np.arange(len(X)), leaves] == 1).all()
    assert paths.sum(axis=1).max() == model.get_depth() + 1
    assert (paths[:, 0].toarray() == 1).all()
    assert len(np.unique(leaves)) == model.get_n_leaves()


def test_importances_are_shares_of_the_gain():
    model = fitted()
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert (model.feature_importances_ >= 0).all()
    used = {model.tree_.feature_names.index(name) for name in model.tree_.features_used}
    assert used == set(np.flatnonzero(model.feature_importances_).tolist())
    assert tw.CostTreeClassifier().fit([[1.0], [1.0]], [0, 1]).feature_importances_.tolist() == [0.0]


@pytest.mark.parametrize("n_jobs", [1, 2, -1])
def test_threads_do_not_change_the_tree(n_jobs):
    assert fitted(n_jobs=n_jobs).tree_ == fitted().tree_
    assert (fitted(n_jobs=n_jobs).predict(X) == fitted().predict(X)).all()


def test_copies_through_pickle_joblib_and_clone(tmp_path):
    model = fitted(costs=tw.Costs({"x0": 2}), pruning=tw.Pessimistic(), growth=tw.Growth(max_depth=4))
    joblib.dump(model, tmp_path / "model")
    for copy in (pickle.loads(pickle.dumps(model)), joblib.load(tmp_path / "model")):
        assert copy.tree_ == model.tree_
        assert (copy.predict(X) == model.predict(X)).all()
        assert repr(copy) == repr(model)
    fresh = clone(model)
    assert not hasattr(fresh, "tree_")
    assert fresh.fit(X, Y).tree_ == model.tree_


def test_grid_search_over_nested_settings_in_a_pipeline():
    pipeline = make_pipeline(StandardScaler(), tw.CostTreeClassifier(growth=tw.Growth()))
    search = GridSearchCV(pipeline, {"costtreeclassifier__growth__max_depth": [1, 4]}, cv=3).fit(X, Y)
    assert search.best_estimator_[-1].get_depth() <= 4


def test_a_pipeline_that_gives_frames():
    frame = as_frames()["pandas"]
    scaled = make_column_transformer(
        (StandardScaler(), ["size"]), remainder="passthrough", verbose_feature_names_out=False
    )
    pipeline = (
        make_pipeline(scaled, tw.CostTreeClassifier()).set_output(transform="pandas").fit(frame, ANSWERS)
    )
    assert pipeline[-1].feature_names_in_.tolist() == ["size", "colour"]
    assert pipeline.predict(frame).tolist() == ANSWERS


def test_weights_are_routed_when_asked_for():
    weights = np.arange(len(X), dtype=float)
    plain = cross_val_score(tw.CostTreeClassifier(), X, Y, params={"sample_weight": weights}, cv=3)
    with sklearn.config_context(enable_metadata_routing=True):
        model = (
            tw.CostTreeClassifier().set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
        )
        routed = cross_val_score(model, X, Y, params={"sample_weight": weights}, cv=3)
    np.testing.assert_array_equal(plain, routed)


def test_priors_weigh_the_classes():
    few = tw.CostTreeClassifier(priors={0: 0.9, 1: 0.1}, growth=tw.Growth(max_depth=1)).fit(X, Y)
    np.testing.assert_allclose(few.tree_.core.values[0] / few.tree_.core.weight[0], [0.9, 0.1])
    assert few.tree_.core.weight[0] == pytest.approx(len(X))
    as_they_are = np.bincount(Y) / len(Y)
    same = fitted(priors=as_they_are)
    np.testing.assert_allclose(same.predict_proba(X), fitted().predict_proba(X))


def test_error_costs_choose_the_answer_with_the_least_expected_cost():
    X4, y4 = [[0], [0], [0], [0], [0]], ["well", "well", "well", "well", "sick"]
    plain = tw.CostTreeClassifier().fit(X4, y4)
    careful = tw.CostTreeClassifier(costs=tw.Costs(errors={"sick": {"well": 50}, "well": {"sick": 10}})).fit(
        X4, y4
    )
    assert plain.predict([[0]]).tolist() == ["well"]
    assert careful.predict([[0]]).tolist() == ["sick"]  # 4 * 10 < 1 * 50
    np.testing.assert_array_equal(plain.predict_proba([[0]]), careful.predict_proba([[0]]))


@given(st.integers(0, 2**32 - 1))
def test_answers_are_the_cheapest_for_their_probabilities(seed):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 3, (60, 3)).astype(float)
    y = rng.integers(0, 3, 60)
    costs = rng.integers(1, 20, (3, 3)) * (1 - np.eye(3))
    holes = table.copy()
    holes[rng.random(table.shape) < 0.3] = np.nan
    model = tw.CostTreeClassifier(costs=tw.Costs(errors=costs), growth=tw.Growth(max_depth=2)).fit(table, y)
    expected = model.predict_proba(holes) @ costs
    chosen = expected[np.arange(60), np.searchsorted(model.classes_, model.predict(holes))]
    np.testing.assert_allclose(chosen, expected.min(axis=1), rtol=1e-9)


def test_altered_priors_grow_another_tree_but_keep_the_true_shares():
    costs = tw.Costs(errors=[[0, 1], [9, 0]])
    plain = fitted(costs=costs, growth=tw.Growth(max_depth=3))
    altered = fitted(costs=costs, growth=tw.Growth(max_depth=3), loss_in_growth="altered_priors")
    np.testing.assert_allclose(altered.tree_.core.values[0], plain.tree_.core.values[0])
    np.testing.assert_allclose(altered.tree_.core.weight[0], len(X))
    assert altered.tree_.core != plain.tree_.core

    def cost(model):
        answers = model.predict(X)
        return ((Y == 0) & (answers == 1)).sum() + 9 * ((Y == 1) & (answers == 0)).sum()

    assert cost(altered) <= cost(plain)


def test_equal_costs_alter_nothing():
    costs = tw.Costs(errors_default=7)
    np.testing.assert_allclose(
        fitted(costs=costs, loss_in_growth="altered_priors").predict_proba(X), fitted().predict_proba(X)
    )


def test_consult_asks_for_the_tests_of_the_tree():
    model = tw.CostTreeClassifier(costs=tw.Costs({"x0": 3})).fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    talk = model.consult()
    assert talk.next_test == "x0"
    talk.answer(4)
    assert (talk.result, talk.bill) == (1, 3)
