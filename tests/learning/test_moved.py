"""Parameters that estimators had and criteria have now: whoever uses one is told where it is."""

import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import thriftwood as tw
from thriftwood.datasets import make_small
from thriftwood.learning.criteria import FACTS, users_of
from thriftwood.learning.moved import MOVED


@pytest.mark.parametrize("name", sorted(MOVED))
def test_parameters_that_moved_say_where_they_are(name):
    new = MOVED[name]
    text = "tw.LookAhead(r=5)" if new == "look_ahead" else "0.01"
    user = FACTS[users_of(new)[0]]
    words = rf"{name} belongs to the criterion now: criterion=tw\.{user.value_object}\({new}={text}\)\."
    words = words.replace("(r=5)", r"\(r=5\)")
    with pytest.raises(TypeError, match=words):
        tw.CostTreeClassifier(user.name, **{name: 0.01})
    with pytest.raises(TypeError, match=words):
        tw.CostForestClassifier(10, criterion=user.name, **{name: 0.01})
    with pytest.raises(ValueError, match=words + f" .* criterion__{new}"):
        tw.CostTreeClassifier(user.name).set_params(**{name: 0.01})
    with pytest.raises(ValueError, match=words):
        tw.CostForestClassifier().set_params(criterion=user.name, **{name: 0.01})


def test_what_growth_has_too_is_the_criterions_only_where_it_has_it():
    with pytest.raises(TypeError, match=r"growth=tw\.Growth\(lookahead=2\)"):
        tw.CostTreeClassifier("min-total-cost", lookahead=2)
    with pytest.raises(ValueError, match="Did you mean 'growth__lookahead'"):
        tw.CostTreeClassifier("min-total-cost").set_params(lookahead=2)
    assert tw.algorithm("lasc", lookahead=False).criterion.lookahead is False
    assert tw.algorithm("min-total-cost", lookahead=2).growth.lookahead == 2


def test_a_parameter_that_moved_names_the_criterion_at_hand():
    with pytest.raises(TypeError, match=r"criterion=tw\.Mitchell\(gamma=0\.5\)"):
        tw.CostTreeClassifier("mitchell", gamma=0.5)
    with pytest.raises(TypeError, match=r"criterion=tw\.CsGain\(gamma=0\.5\)"):
        tw.CostTreeClassifier(criterion=tw.CsGain(), gamma=0.5)
    with pytest.raises(ValueError, match="criterion__look_ahead__r"):
        tw.CostTreeClassifier("act").set_params(sampling__r=3)
    with pytest.raises(AttributeError, match=r"Sampling is LookAhead now.*tw\.LookAhead\(r=5\)"):
        tw.Sampling  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'CsGains'"):
        tw.CsGains  # noqa: B018


GROWING = [tw.CostTreeClassifier, tw.CostTreeRegressor, tw.CostForestClassifier, tw.IcetClassifier]


@pytest.mark.parametrize("kind", GROWING)
def test_settings_of_growth_that_are_given_to_the_estimator_say_where_they_are(kind):
    with pytest.raises(TypeError, match=r"'max_depth'; growth has: growth=tw\.Growth\(max_depth=3\)"):
        kind(max_depth=3)
    with pytest.raises(TypeError, match=r"growth=tw\.Growth\(min_branch_weight=5\)"):
        kind(min_samples_leaf=5)
    with pytest.raises(ValueError, match="Did you mean 'growth__max_depth'"):
        kind().set_params(max_depth=3)
    with pytest.raises(TypeError, match="unexpected keyword argument 'depth'"):
        kind(depth=3)


def test_a_grid_search_and_a_pipeline_carry_the_hint():
    X, y = [[float(i)] for i in range(20)], [0, 1] * 10
    with pytest.raises(ValueError, match="Did you mean 'growth__max_depth'"):
        GridSearchCV(tw.CostTreeClassifier(), {"max_depth": [1, 2]}, cv=2).fit(X, y)
    with pytest.raises(ValueError, match="Did you mean 'pruning__alpha'"):
        make_pipeline(tw.CostTreeClassifier()).set_params(costtreeclassifier__ccp_alpha=0.1)
    with pytest.raises(TypeError, match=r"pruning=tw\.Pessimistic\(cf=0\.25\)"):
        tw.CostTreeClassifier(cf=0.25)


def test_a_parameter_that_moved_names_every_criterion_that_has_it():
    users = [f"tw.{FACTS[name].value_object}(gamma=0.01)" for name in users_of("gamma")]
    assert len(users) > 3
    with pytest.raises(TypeError) as error:
        tw.CostTreeClassifier(gamma=0.01)
    assert f"criterion={', '.join(users[:-1])} or {users[-1]}. 'gini' has no gamma." in str(error.value)


@pytest.mark.parametrize("setting", ["sampling", "sampling__r"])
def test_published_learners_say_where_a_setting_is_that_moved(setting):
    with pytest.raises(ValueError, match=rf"has no setting '{setting}'. It is 'look_ahead' now, .* r=5"):
        tw.algorithm("act", **{setting: 5})
    with pytest.raises(ValueError, match="'gain_ratio' does not use it; these do: 'lsid3', 'act'"):
        tw.algorithm("c45", **{setting: 5})


def test_a_setting_of_another_criterion_names_that_criterion():
    with pytest.raises(ValueError, match=r"setting 'cf'. The criterion 'lsid3' does not use it; .*: 'act'"):
        tw.algorithm("lsid3", cf=0.1)


@pytest.mark.parametrize("param", ["sampling__r", "sampling"])
def test_a_frontier_says_where_a_parameter_is_that_moved(param):
    model, (X, y, *_) = tw.algorithm("act", costs=tw.Costs(default_price=1)), make_small(60)
    now = f"'criterion__{param.replace('sampling', 'look_ahead')}'"
    with pytest.raises(ValueError, match=f"It belongs to the criterion now: {now}, of .* 'lsid3', 'act'"):
        tw.frontier(model, X, y, param=param, values=[1, 2])
