"""Settings of growth and pruning by name, also when the estimator has neither yet."""

import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import thriftwood as tw
from thriftwood.datasets import make_small

X, Y = make_small(80)[:2]


@pytest.mark.parametrize("kind", [tw.CostTreeClassifier, tw.CostTreeRegressor])
def test_growth_is_made_when_a_setting_of_it_is_given(kind):
    model = kind().set_params(growth__max_depth=3, growth__bins=16, n_jobs=2)
    assert (model.growth.max_depth, model.growth.bins, model.n_jobs) == (3, 16, 2)
    assert kind().growth is None
    assert kind().set_params(growth__max_depth=1).growth is not model.growth
    assert clone(model).get_params()["growth__max_depth"] == 3


def test_a_growth_that_is_there_is_kept():
    model = tw.CostTreeClassifier(growth=tw.Growth(missing="branch")).set_params(growth__max_depth=2)
    assert (model.growth.missing, model.growth.max_depth) == ("branch", 2)
    model.set_params(growth=tw.Growth(order="best"), growth__max_depth=4)
    assert (model.growth.missing, model.growth.order, model.growth.max_depth) == ("fractional", "best", 4)
    assert model.set_params(growth=None, growth__max_depth=5).growth.order == "depth"
    assert model.set_params(growth=None).growth is None


def test_grid_search_over_the_defaults():
    search = GridSearchCV(tw.CostTreeClassifier(), {"growth__max_depth": [1, 2, 30]}, cv=3).fit(X, Y)
    assert search.best_estimator_.get_depth() <= search.best_params_["growth__max_depth"]
    assert search.estimator.growth is None


@pytest.mark.parametrize(
    ("name", "rule"), [("cf", "Pessimistic"), ("alpha", "CostComplexity"), ("no_such", "Pessimistic")]
)
def test_pruning_must_be_chosen_before_its_settings(name, rule):
    model = tw.CostTreeClassifier()
    with pytest.raises(ValueError, match=rf"no pruning__{name} to set.*pruning=tw\.{rule}\(\)"):
        model.set_params(**{f"pruning__{name}": 0.1})
    assert model.pruning is None
    assert model.set_params(pruning=tw.Pessimistic(), pruning__cf=0.1).pruning.cf == 0.1
    assert model.set_params(pruning__cf=0.2).pruning.cf == 0.2


def test_wrong_names_are_named():
    with pytest.raises(ValueError, match="Invalid parameter 'max_dept' for estimator Growth"):
        tw.CostTreeClassifier().set_params(growth__max_dept=3)
    with pytest.raises(ValueError, match="Invalid parameter 'grwth'"):
        tw.CostTreeClassifier().set_params(grwth__max_depth=3)


def test_a_grid_of_max_depth_is_told_its_name():
    search = GridSearchCV(tw.CostTreeClassifier(), {"max_depth": [1, 2]}, cv=2)
    with pytest.raises(ValueError, match=r"'max_depth' .* Did you mean 'growth__max_depth'\?"):
        search.fit(X, Y)
