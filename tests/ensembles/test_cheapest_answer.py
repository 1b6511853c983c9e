"""The answer rule around any classifier."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OutputCodeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import thriftwood as tw
from thriftwood.costs import CostError

X, Y = make_classification(400, 6, n_informative=4, n_classes=3, random_state=0)
ERRORS = np.array([[0, 1, 9], [2, 0, 3], [7, 4, 0.0]])


class Unweighted(GaussianNB):
    def fit(self, X, y):
        return super().fit(X, y)


def expected_costs(shares, matrices):
    return [
        [sum(p[a] * m[a][j] for a in range(3)) for j in range(3)]
        for p, m in zip(shares, matrices, strict=True)
    ]


def test_the_answer_costs_least_in_expectation():
    rule = tw.CheapestAnswer(LogisticRegression(), tw.Costs(errors=ERRORS)).fit(X, Y)
    expected = np.array(expected_costs(LogisticRegression().fit(X, Y).predict_proba(X), [ERRORS] * len(Y)))
    assert np.array_equal(rule.predict(X), expected.argmin(axis=1))


def test_costs_of_the_case_come_before_those_of_the_problem():
    matrices = np.random.default_rng(0).random((len(Y), 3, 3))
    rule = tw.CheapestAnswer(GaussianNB(), tw.Costs(errors=ERRORS)).fit(X, Y)
    expected = np.array(expected_costs(rule.predict_proba(X), matrices))
    assert np.array_equal(rule.predict(X, error_costs=matrices), expected.argmin(axis=1))


def test_without_costs_the_likeliest_class_is_the_answer():
    assert np.array_equal(
        tw.CheapestAnswer(GaussianNB()).fit(X, Y).predict(X), GaussianNB().fit(X, Y).predict(X)
    )


def test_costs_of_the_training_cases_count_by_their_mean():
    costs = np.random.default_rng(1).random((len(Y), 3))
    costs[np.arange(len(Y)), Y] = 0
    rule = tw.CheapestAnswer(GaussianNB()).fit(X, Y, error_costs=costs)
    assert np.allclose(rule.loss_, [costs[c == Y].mean(axis=0) for c in range(3)])
    by_matrix = tw.CheapestAnswer(GaussianNB(), tw.Costs(errors=rule.loss_)).fit(X, Y)
    assert np.array_equal(rule.predict(X), by_matrix.predict(X))


@pytest.mark.parametrize("calibration", ["isotonic", "sigmoid"])
def test_calibration_makes_probabilities_of_decisions(calibration):
    rule = tw.CheapestAnswer(LinearSVC(), tw.Costs(errors=ERRORS), calibration=calibration).fit(X, Y)
    expected = np.array(expected_costs(rule.predict_proba(X), [ERRORS] * len(Y)))
    assert np.array_equal(rule.predict(X), expected.argmin(axis=1))
    assert np.allclose(rule.predict_proba(X).sum(axis=1), 1)


@pytest.mark.parametrize("calibration", ["isotonic", "sigmoid"])
def test_calibration_mends_probabilities_first(calibration):
    tree = DecisionTreeClassifier(random_state=0)
    rule = tw.CheapestAnswer(tree, calibration=calibration, cv=3).fit(X, Y)
    mended = CalibratedClassifierCV(tree, method=calibration, cv=3, ensemble=False).fit(X, Y)
    assert np.array_equal(rule.predict_proba(X), mended.predict_proba(X))
    assert len(np.unique(tree.fit(X, Y).predict_proba(X))) == 2  # a full tree is always sure
    assert len(np.unique(rule.predict_proba(X))) > 2


def test_our_trees_with_text_and_gaps_can_be_calibrated():
    rng = np.random.default_rng(2)
    table = np.array([rng.choice(["a", "b", None], 90), rng.normal(size=90)], dtype=object).T
    y = np.where(rng.random(90) < 0.3, "yes", "no")
    rule = tw.CheapestAnswer(tw.CostTreeClassifier(), calibration="sigmoid", cv=3).fit(table, y)
    assert np.allclose(rule.predict_proba(table).sum(axis=1), 1)


def test_weights_reach_the_classifier():
    weights = np.random.default_rng(3).random(len(Y))
    rule = tw.CheapestAnswer(GaussianNB()).fit(X, Y, sample_weight=weights)
    assert np.allclose(rule.predict_proba(X), GaussianNB().fit(X, Y, weights).predict_proba(X))


@pytest.mark.parametrize(
    ("rule", "fit", "error", "words"),
    [
        (tw.CheapestAnswer(LinearSVC()), {}, TypeError, "LinearSVC has no predict_proba. Set calibration="),
        (
            tw.CheapestAnswer(OutputCodeClassifier(GaussianNB())),
            {},
            TypeError,
            "predict_proba. Choose another",
        ),
        (tw.CheapestAnswer(GaussianNB(), calibration="isotonik"), {}, ValueError, "Did you mean 'isotonic'"),
        (tw.CheapestAnswer(GaussianNB(), {"errors": 1}), {}, TypeError, "must be a Costs or None"),
        (
            tw.CheapestAnswer(GaussianNB(), tw.Costs(errors=ERRORS)),
            {"error_costs": ERRORS[Y]},
            ValueError,
            "Only one of",
        ),
        (tw.CheapestAnswer(GaussianNB()), {"error_costs": ERRORS}, ValueError, "Got shape"),
        (
            tw.CheapestAnswer(Unweighted()),
            {"sample_weight": np.ones(len(Y))},
            ValueError,
            "does not take it",
        ),
    ],
)
def test_what_does_not_fit_is_refused(rule, fit, error, words):
    with pytest.raises(error, match=words):
        rule.fit(X, Y, **fit)


def test_a_decision_needs_matrices_and_a_fit():
    with pytest.raises(NotFittedError):
        tw.CheapestAnswer(GaussianNB()).predict(X)
    with pytest.raises(ValueError, match="To decide before that"):
        tw.CheapestAnswer(GaussianNB()).fit(X, Y).predict(X, error_costs=ERRORS[Y])


def test_costs_that_make_little_sense_are_told():
    with pytest.raises(CostError, match="every answer costs the same"):
        tw.CheapestAnswer(GaussianNB(), tw.Costs(errors=np.zeros((3, 3)))).fit(X, Y)
    with pytest.warns(tw.CostWarning, match="'1' is never the cheaper answer: '0' costs no more") as told:
        tw.CheapestAnswer(GaussianNB(), tw.Costs(errors=[[0, 1, 1], [0, 0, 1], [1, 1, 0]])).fit(X, Y)
    assert told[0].filename == __file__  # the line that called fit


def test_weights_reach_a_calibrated_classifier_with_routing_and_without():
    weights = np.random.default_rng(3).random(len(Y))
    rule = tw.CheapestAnswer(GaussianNB(), calibration="sigmoid", cv=3)
    plain = rule.fit(X, Y, sample_weight=weights).predict_proba(X)
    with config_context(enable_metadata_routing=True):
        routed = rule.fit(X, Y, sample_weight=weights).predict_proba(X)
    assert np.array_equal(plain, routed)
    assert not np.allclose(plain, rule.fit(X, Y).predict_proba(X))
