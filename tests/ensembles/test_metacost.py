import numpy as np
import pytest
from ensembles.learners import mixed_table
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_transformer
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import thriftwood as tw

COSTS = tw.Costs(errors={"ill": {"well": 10}, "well": {"ill": 1}})


class Told(ClassifierMixin, BaseEstimator):
    """Says what it was told, the next of the list at each fit: three models for the worked example."""

    said = iter(())

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        self.share_ = next(Told.said, 0.0)
        self.learnt_ = np.asarray(y)
        return self

    def predict_proba(self, X):
        return np.tile([1 - self.share_, self.share_], (len(X), 1))

    def predict(self, X):
        return (self.predict_proba(X)[:, 1] > 0.5).astype(int)


@pytest.mark.parametrize(("use_probabilities", "label"), [(True, 1), (False, 0)])
def test_worked_by_hand(use_probabilities, label):
    # P(1|x) of .5, .2, .2 is .3 on average: answering 0 costs 1.5 and 1 costs .7. As votes all are for 0.
    X, y = np.zeros((40, 1)), np.array([0, 1] * 20)
    Told.said = iter([0.5, 0.2, 0.2])
    costs = tw.Costs(errors=[[0, 1], [5, 0]])
    model = tw.MetaCostClassifier(
        Told(), costs=costs, n_estimators=3, use_all=True, use_probabilities=use_probabilities, random_state=0
    ).fit(X, y)
    assert (model.relabelled_ == label).all()
    assert model.predict(X).tolist() == [label] * 40
    if use_probabilities:
        assert model.probabilities_ == pytest.approx(np.tile([0.7, 0.3], (40, 1)))


def test_a_case_is_judged_by_models_that_did_not_learn_from_it():
    X, y = mixed_table(60)
    model = tw.MetaCostClassifier(costs=COSTS, n_estimators=7, random_state=3).fit(X, y)
    from thriftwood.ensembles.drawing import bootstraps, seeds

    rng = np.random.RandomState(3)
    seeds(8, rng)
    samples = bootstraps(7, 60, 60, rng)
    for row in range(60):
        judges = [tree for tree, rows in zip(model.estimators_, samples, strict=True) if row not in rows]
        shares = [tree.predict_proba(X.iloc[[row]])[0] for tree in judges or model.estimators_]
        assert model.probabilities_[row] == pytest.approx(np.mean(shares, axis=0))
    by_all = tw.MetaCostClassifier(costs=COSTS, n_estimators=7, use_all=True, random_state=3).fit(X, y)
    shares = [tree.predict_proba(X) for tree in by_all.estimators_]
    assert by_all.probabilities_ == pytest.approx(np.mean(shares, axis=0))


def test_a_label_stays_where_no_answer_is_cheaper():
    X, y = (
        [[0.0]] * 6,
        [0, 0, 0, 1, 1, 1],
    )  # nothing tells them apart
    model = tw.MetaCostClassifier(
        DecisionTreeClassifier(),
        costs=tw.Costs(errors_default=1),
        n_estimators=1,
        max_samples=600,
        random_state=0,
    )
    model.fit(X, y)
    share = model.probabilities_[0, 0]
    assert model.relabelled_.tolist() == ([0] * 6 if share > 0.5 else [1] * 6 if share < 0.5 else y)
    Told.said = iter([0.5])
    even = tw.MetaCostClassifier(
        Told(), costs=tw.Costs(errors_default=1), n_estimators=1, use_all=True, random_state=0
    ).fit(X, y)
    assert even.relabelled_.tolist() == y


def test_the_final_model_learns_the_new_labels():
    X, y = mixed_table()
    model = tw.MetaCostClassifier(costs=COSTS, n_estimators=10, random_state=0).fit(X, y)
    assert set(model.relabelled_[model.relabelled_ != y]) == {"ill"}
    plain = tw.algorithm("c45").fit(X, model.relabelled_)
    assert model.tree_.n_nodes == plain.tree_.n_nodes
    np.testing.assert_array_equal(model.predict(X), plain.predict(X))
    bill = tw.bill(model, X, y, COSTS.replace(tests={"age": 2, "kind": 1}))
    np.testing.assert_array_equal(bill.test_cost, tw.bill(plain, X, y, bill.costs).test_cost)
    assert "age" in tw.export_rules(model)


def test_the_authors_options_by_their_letters():
    model = tw.algorithm("metacost", m=10, n=100, p=False, q=True)
    assert (model.n_estimators, model.max_samples) == (10, 100)
    assert (model.use_probabilities, model.use_all) == (False, True)


def test_inside_and_around_a_pipeline():
    X, y = mixed_table()
    X = X.assign(kind=X["kind"].fillna("none"), age=X["age"].fillna(50.0))
    columns = make_column_transformer((OneHotEncoder(), ["kind"]), (StandardScaler(), ["age", "noise"]))
    inside = make_pipeline(
        columns,
        tw.MetaCostClassifier(
            DecisionTreeClassifier(max_depth=3), costs=COSTS, n_estimators=5, random_state=0
        ),
    ).fit(X, y)
    around = tw.MetaCostClassifier(
        make_pipeline(columns, LogisticRegression()), costs=COSTS, n_estimators=5, random_state=0
    ).fit(X, y)
    for model in (inside, around):
        assert (model.predict(X) == "ill").sum() > (y == "ill").sum()
    assert around.n_features_in_ == 3
    assert tw.bill(around, X, y, COSTS.replace(default_price=1)).mean_test_cost == 3  # all columns


def test_tables_that_are_no_tables_of_numbers():
    texts = ["good fun", "bad luck", "good luck", "bad fun"] * 10
    y = ["well", "ill", "well", "ill"] * 10
    model = tw.MetaCostClassifier(
        make_pipeline(CountVectorizer(), MultinomialNB()), costs=COSTS, n_estimators=3, random_state=0
    ).fit(texts, y)
    assert model.predict(["bad", "good"]).tolist() == ["ill", "well"]
    with pytest.raises(TypeError, match="does not say which columns it takes"):
        tw.bill(model, texts, y)


def test_without_probabilities_answers_count_as_votes():
    X, y = mixed_table()
    X = X[["noise"]].assign(age=X["age"].fillna(50.0))
    with pytest.raises(ValueError, match=r"LinearSVC has no predict_proba.*use_probabilities=False"):
        tw.MetaCostClassifier(LinearSVC(), costs=COSTS).fit(X, y)
    model = tw.MetaCostClassifier(
        LinearSVC(), costs=COSTS, n_estimators=5, use_probabilities=False, random_state=0
    ).fit(X, y)
    assert not hasattr(model, "predict_proba")
    assert (model.predict(X) == "ill").mean() > (y == "ill").mean()


def test_samples_of_one_class_answer_that_class():
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 0, 1]
    model = tw.MetaCostClassifier(
        LogisticRegression(), costs=tw.Costs(errors_default=1), n_estimators=20, max_samples=2, random_state=0
    ).fit(X, y)
    assert {type(member).__name__ for member in model.estimators_} == {
        "LogisticRegression",
        "DummyClassifier",
    }
    assert model.predict_proba(X).shape == (4, 2)


def test_testing_nobody_goes_by_the_classes_before_they_were_relabelled():
    """Relabelled, nearly all are ill, and calling all well seems dear; of 100 cases 12 were."""
    X = np.arange(100.0)[:, None] % 10
    y = np.where(X[:, 0] < 3, "maybe", "well")
    y[:12] = "ill"
    costs = tw.Costs(errors={"ill": {"well": 10, "maybe": 10}}, errors_default=2)
    model = tw.MetaCostClassifier(costs=costs, n_estimators=5, random_state=0).fit(X, y)
    assert (model.relabelled_ != y).any()
    nobody = tw.NobodyClassifier(costs).fit(X, y)
    assert tw.bill(model, X, y).untested_answer == tw.bill(nobody, X, y).untested_answer
    counts = np.array([(y == label).sum() for label in model.classes_])
    assert model.model_.setup.class_counts == tuple(counts)
    assert tuple(model.tree_.core.values[0]) != tuple(counts)


def test_a_tree_of_scikit_learn_is_no_tree_of_ours():
    X, y = mixed_table()
    X = X[["noise"]].assign(age=X["age"].fillna(50.0))
    model = tw.MetaCostClassifier(
        DecisionTreeClassifier(max_depth=3), costs=COSTS, n_estimators=3, random_state=0
    ).fit(X, y)
    assert not hasattr(model, "tree_")
    with pytest.raises(AttributeError, match=r"DecisionTreeClassifier .* is no tree of thriftwood"):
        _ = model.tree_
    prices = COSTS.replace(tests={"age": 2, "noise": 1})
    assert model.tests_asked(X, prices).all()
    bill = tw.bill(model, X, y, prices)
    assert set(bill.test_cost) == {3.0}
    assert bill.accuracy == pytest.approx((model.predict(X) == y).mean())
    assert tw.cost_scorer(model, X, y, costs=prices) == -bill.mean_cost
    with pytest.raises(TypeError, match="Got MetaCostClassifier"):
        tw.export_rules(model)
