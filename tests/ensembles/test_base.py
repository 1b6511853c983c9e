"""What every ensemble says about costs it cannot use."""

import pytest
from ensembles.learners import TWO_CLASSES, made, mixed_table

import thriftwood as tw
from thriftwood.models.voting import Vote


@pytest.mark.parametrize("name", TWO_CLASSES)
@pytest.mark.parametrize(
    ("costs", "error", "said"),
    [
        (tw.Costs({"age": 1}), ValueError, "but costs has no errors. Add errors, or errors_default = 1"),
        ([[0, 1], [1, 0]], TypeError, "'costs' parameter of .* must be a Costs. Got .* of type list"),
        (tw.Costs(errors_default=0), ValueError, "every answer costs the same"),
        (
            tw.Costs(errors=[[0, 1, 1], [1, 0, 1], [1, 1, 0]]),
            ValueError,
            "3 x 3 array, but there are 2 classes",
        ),
        (tw.Costs(errors={"sick": {"well": 1}}, errors_default=1), ValueError, "no class 'sick' in the data"),
        (
            tw.Costs(errors={"ill": {"well": 1}}),
            ValueError,
            "what it costs to answer 'ill' when the truth is 'well'",
        ),
    ],
)
def test_costs_that_say_nothing_or_something_else(name, costs, error, said):
    with pytest.raises(error, match=said):
        made(name, costs).fit(*mixed_table(30))


@pytest.mark.parametrize("name", TWO_CLASSES)
def test_without_costs_every_mistake_costs_one(name):
    X, y = mixed_table(60)
    plain, told = made(name, None).fit(X, y), made(name, tw.Costs(errors_default=1)).fit(X, y)
    assert (plain.predict(X) == told.predict(X)).all()
    assert (plain.predict_proba(X) == told.predict_proba(X)).all()


@pytest.mark.parametrize("name", [name for name in TWO_CLASSES if name != "asymboost"])  # which refuses it
def test_an_answer_that_never_pays_is_warned_of(name):
    costs = tw.Costs(errors={"ill": {"well": 5}, "well": {"ill": 0}})
    with pytest.warns(tw.CostWarning, match="'well' is never the cheaper answer"):
        model = made(name, costs).fit(*mixed_table(60))
    assert (model.predict(mixed_table(60)[0]) == "ill").mean() > 0.9


@pytest.mark.parametrize("name", [name for name in TWO_CLASSES if name != "b-lot"])
def test_a_base_estimator_that_is_none(name):
    costs = tw.Costs(errors_default=1)
    with pytest.raises(
        TypeError, match=r"'estimator' parameter of .* must be a classifier or None. Got 'tree'"
    ):
        made(name, costs, estimator="tree").fit(*mixed_table(30))


@pytest.mark.parametrize("name", TWO_CLASSES)
def test_numbers_of_models_and_threads(name):
    costs = tw.Costs(errors_default=1)
    whole, threads = "a whole number", "a number of threads"
    for parameter, value, wanted in (
        ("n_estimators", 0, whole),
        ("n_estimators", 2.5, whole),
        ("n_jobs", "two", threads),
        ("n_jobs", 0, threads),
    ):
        with pytest.raises(ValueError, match=f"The '{parameter}' parameter of .* must be {wanted}"):
            made(name, costs, **{parameter: value}).fit(*mixed_table(30))


@pytest.mark.parametrize("name", [name for name in TWO_CLASSES if name != "b-lot"])  # which has no growth
def test_missing_values_are_refused_where_trees_were_told_so(name):
    X, y = mixed_table(60)
    whole = X.fillna({"age": 50.0, "kind": "a"})
    costs = tw.Costs(errors_default=1)
    model = made(name, costs, estimator=tw.CostTreeClassifier(growth=tw.Growth(2, missing="error")))
    model.fit(whole, y)
    assert len(model.predict(whole)) == 60
    for ask in (model.predict, lambda table: model.tests_asked(table, costs)):
        with pytest.raises(ValueError, match=r"column 'age' has no value in row .* refuse missing values"):
            ask(X)
    model.set_params(estimator__growth__missing="majority").fit(whole, y)
    assert len(model.predict(X)) == 60


PANELS = ["bagging", "boosting", "inverse-boosting", "shortcut-forest", "cocost", "gradient-boosting"]


@pytest.mark.parametrize("name", [*TWO_CLASSES, *PANELS])
def test_answers_that_are_no_class_are_refused(name):
    costs = tw.Costs(errors_default=10, answers={"refer": 2})
    model = tw.algorithm(name, costs=costs.replace(default_price=1)) if name in PANELS else made(name, costs)
    with pytest.raises(ValueError, match="classes alone, and by costs there is also the answer 'refer'"):
        model.fit(*mixed_table(30))


def test_no_member_of_an_ensemble_answers_what_is_no_class():
    tree = tw.CostTreeClassifier(costs=tw.Costs(errors_default=10, answers={"refer": 2}))
    X, y = mixed_table(30)
    for ensemble in (tw.BaggedTreesClassifier(tree), tw.MetaCostClassifier(tree)):
        with pytest.raises(ValueError, match="'refer', which is no class"):
            ensemble.fit(X, y)
    with pytest.raises(ValueError, match="answer with classes, and one has answers that are no class"):
        tw.Panel([tree.fit(X, y).tree_], Vote((1.0,)))


def test_forests_and_the_cheapest_answer_refer_by_shares():
    X, y = mixed_table(120)
    costs = tw.Costs(errors_default=10, answers={"refer": 2})
    forest = tw.CostForestClassifier(costs=costs, n_estimators=10, random_state=0).fit(X, y)
    around = tw.CheapestAnswer(tw.CostForestClassifier(n_estimators=10, random_state=0), costs).fit(X, y)
    for model in (forest, around):
        shares, answers = model.predict_proba(X), model.predict(X)
        cheapest = (shares @ costs.error_matrix(model.classes_)).argmin(axis=1)
        assert answers.tolist() == model.model_.answers[cheapest].tolist()
        assert "refer" in answers
        paid = tw.bill(model, X, y)
        assert paid.accuracy == model.score(X, y)
        assert 0 < paid.further_shares["refer"] < 1
