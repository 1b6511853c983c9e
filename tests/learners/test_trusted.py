"""Every estimator and every model goes through skops and back."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import thriftwood as tw
from thriftwood.learners.published import ALGORITHMS

skops = pytest.importorskip("skops.io")

NEEDED = {name: {"gamma": 0.01} for name in ("csgain", "csgain-ratio", "mitchell")}
NEEDED |= {name: {"trials": 60, "population": 10} for name in ("icet", "ecco")}
GOLF = tw.load_dataset("golf")
COSTS = tw.Costs(
    {name: tw.Test(1, needs=["lab"]) for name in GOLF.feature_names}, {"lab": 2}, errors_default=2
)
pytestmark = [
    pytest.mark.filterwarnings("ignore:The first tree makes no mistakes"),
    pytest.mark.filterwarnings("ignore:The number of unique classes"),
]


def there_and_back(thing):
    stored = skops.dumps(thing)
    return skops.loads(stored, trusted=tw.trusted_types())


@pytest.mark.parametrize("name", ALGORITHMS)
def test_learners_and_their_models(name):
    model = tw.algorithm(name, costs=COSTS, **NEEDED.get(name, {}))
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    model.fit(GOLF.X, GOLF.y)
    for thing in (model, model.model_):
        again = there_and_back(thing)
        assert type(again) is type(thing)
        assert (again.predict_proba(GOLF.X) == thing.predict_proba(GOLF.X)).all()
        paid = [tw.bill(one, GOLF.X, GOLF.y, COSTS).total_cost for one in (thing, again)]
        assert paid[0] == paid[1]
    assert str(there_and_back(model).get_params()) == str(model.get_params())


def test_forests_rules_around_classifiers_numbers_and_pipelines():
    X, y = np.random.default_rng(0).normal(size=(60, 3)), np.arange(60) % 2
    for model in (
        tw.CostForestClassifier(3, costs=tw.Costs(errors_default=1), random_state=0),
        tw.CheapestAnswer(LogisticRegression(), costs=tw.Costs(errors_default=1)),
        tw.CheapestAnswer(tw.CostTreeClassifier()),
        tw.BayesAnswers(tw.CostTreeClassifier()),
        tw.CostTreeRegressor(growth=tw.Growth(max_depth=2)),
        make_pipeline(tw.algorithm("c45")),
    ):
        again = there_and_back(model.fit(X, y))
        assert (again.predict(X) == model.predict(X)).all()
    for rule in (tw.CheapestAnswer, tw.BayesAnswers):
        model = rule(tw.CostTreeClassifier()).fit(X, y)
        assert (there_and_back(model.model_).predict(X) == model.predict(X)).all()


def test_score_cards():
    table = tw.load_dataset("wisconsin-diagnostic")
    model = tw.ThriftClassifier(table.costs, leaves="score").fit(table.X, table.y)
    for thing in (model, model.model_, model.cascade_):
        again = there_and_back(thing)
        assert (again.predict_proba(table.X) == thing.predict_proba(table.X)).all()
        assert again.cascade_ == model.cascade_ if thing is model else again == thing


def test_a_consultation_of_what_came_back():
    tree = there_and_back(tw.algorithm("c45", costs=COSTS).fit(GOLF.X, GOLF.y).tree_)
    assert tree.consult().answer("Overcast").bill == 3
    assert tree == tw.algorithm("c45", costs=COSTS).fit(GOLF.X, GOLF.y).tree_
