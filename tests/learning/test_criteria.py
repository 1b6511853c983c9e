"""The list of criteria as Python sees it: facts, value objects made from them, what is refused."""

import inspect
import pickle

import numpy as np
import pytest
from learning.criterion_trees import PRICED, classifier, needed
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import thriftwood as tw
from thriftwood import _core
from thriftwood.datasets import make_small
from thriftwood.learning.criteria import (
    FACTS,
    PARAMETERS,
    VALUE_OBJECTS,
    Criterion,
    criterion,
    facts_of,
    weight_of,
)

X, Y = make_small(120)[:2]
COSTS = tw.Costs({0: 2, 1: 4}, default_price=1, errors_default=1000)


def other_values(name):
    """For every parameter of a criterion a value that is not its default."""
    others = {}
    for parameter in FACTS[name].parameters:
        others[parameter.name] = {
            "number": 0.125,
            "flag": not parameter.default,
            "choice": parameter.choices[-1] if parameter.choices else None,
        }[parameter.kind]
    return others | ({"look_ahead": tw.LookAhead(2)} if FACTS[name].samples else {})


# Facts


READS = {
    "gini": "",
    "entropy": "",
    "gain_ratio": "split information, average gain",
    "squared_error": "numbers",
    "absolute_error": "numbers",
    **dict.fromkeys(("cs-id3", "idx", "eg2", "mitchell", "csgain"), "prices, average gain"),
    **dict.fromkeys(("csgain-ratio", "cs-c45"), "prices, split information, average gain"),
    "lasc": "prices, two outcomes",
    "pm": "prices, mistakes, split information, average gain, in money",
    **dict.fromkeys(("min-total-cost", "cstree"), "prices, mistakes, gain in money, in money"),
    "gini-loss": "mistakes, gain in money",
    "leaf-cost": "mistakes, gain in money, in money",
    "lsid3": "samples",
    "act": "prices, mistakes, samples, in money",
}


@pytest.mark.parametrize("name", READS)
def test_facts_of_the_published_criteria(name):
    facts = FACTS[name]
    said = {
        "prices": facts.asks_prices,
        "mistakes": facts.asks_errors,
        "split information": facts.asks_split_info,
        "average gain": facts.averages_gain,
        "samples": facts.samples,
        "two outcomes": facts.two_outcomes,
        "numbers": facts.predicts_numbers,
        "gain in money": facts.gain_in_money,
        "in money": facts.in_money,
    }
    assert ", ".join(word for word, so in said.items() if so) == READS[name]
    assert facts.by_median == (name == "absolute_error")


@pytest.mark.parametrize(
    ("name", "weight", "given"),
    [
        *((name, "gamma", True) for name in ("mitchell", "csgain", "csgain-ratio")),
        ("idx", "gamma", False),
        *((name, "w", False) for name in ("eg2", "cs-c45", "act")),
        ("lasc", "alpha", False),
        *((name, None, False) for name in ("gini", "cs-id3", "pm", "cstree", "lsid3")),
    ],
)
def test_what_weighs_prices(name, weight, given):
    found = weight_of(name)
    assert (found.name if found is not None else None) == weight
    assert bool(needed(name)) == given
    assert weight is None or bool(found.tried) != given


def test_estimators_take_the_criteria_of_the_list():
    classes, numbers = tw.CostTreeClassifier.criteria.values, tw.CostTreeRegressor.criteria.values
    assert sorted(classes + numbers) == sorted(FACTS)
    assert numbers == ("squared_error", "absolute_error")


def test_docstrings_name_every_criterion_and_parameter():
    page = tw.CostTreeClassifier.__doc__
    assert all(f'"{name}"' in page for name in tw.CostTreeClassifier.criteria.values)
    assert "{" not in page.partition("Notes")[2].partition("Examples")[0].replace('{"x0"', "")
    for made in VALUE_OBJECTS.values():
        signature = inspect.signature(made)
        assert all(f"\n{name} : " in made.__doc__ for name in signature.parameters)
        assert made.facts.reference in made.__doc__


def test_a_tree_has_at_most_twelve_parameters():
    assert len(inspect.signature(tw.CostTreeClassifier).parameters) <= 12


# Value objects


@pytest.mark.parametrize("name", VALUE_OBJECTS)
def test_value_objects_are_made_from_the_facts(name):
    made = VALUE_OBJECTS[name]
    assert getattr(tw, made.__name__) is made
    assert made.__name__ in dir(tw)
    assert issubclass(made, Criterion)
    own = {parameter: known.default for parameter, known in PARAMETERS[name].items()}
    assert made().get_params(deep=False) == own | ({"look_ahead": None} if FACTS[name].samples else {})
    assert repr(made()) == f"{made.__name__}()"
    assert facts_of(made()) is facts_of(name) is FACTS[name]


@pytest.mark.parametrize("name", VALUE_OBJECTS)
def test_values_go_through_clone_pickle_and_set_params(name):
    given = other_values(name)
    made = VALUE_OBJECTS[name](**given)
    for again in (clone(made), pickle.loads(pickle.dumps(made)), VALUE_OBJECTS[name]().set_params(**given)):
        assert type(again) is type(made)
        assert repr(again) == repr(made)
    tree = clone(tw.CostTreeClassifier(made))
    assert tree.criterion is not made
    given.pop("look_ahead", None)  # cloned too
    assert all(tree.get_params()[f"criterion__{key}"] == value for key, value in given.items())


@pytest.mark.parametrize("name", VALUE_OBJECTS)
def test_values_are_equal_by_their_parameters(name):
    given = other_values(name)
    one, same = VALUE_OBJECTS[name](**given), VALUE_OBJECTS[name](**given)
    assert one == same
    assert len({one, same, clone(one), pickle.loads(pickle.dumps(one))}) == 1
    assert one != VALUE_OBJECTS[name]()
    assert {one: "found"}[same] == "found"
    assert one != "csgain"
    assert all(one != other() for other in VALUE_OBJECTS.values())


@pytest.mark.parametrize("name", VALUE_OBJECTS)
def test_set_params_reaches_into_a_name(name):
    given = {f"criterion__{key}": value for key, value in other_values(name).items()}
    by_name, by_object = tw.CostTreeClassifier(name), tw.CostTreeClassifier(VALUE_OBJECTS[name]())
    assert repr(by_name.set_params(**given)) == repr(by_object.set_params(**given))
    assert repr(tw.CostTreeClassifier().set_params(criterion=name, **given)) == repr(by_name)
    forest = tw.CostForestClassifier(criterion=name).set_params(**given)
    assert repr(forest.criterion) == repr(by_name.criterion)


@pytest.mark.parametrize(
    "name", [name for name in PRICED if name in VALUE_OBJECTS and not FACTS[name].samples]
)
def test_a_name_is_its_value_object_with_defaults(name):
    growth = tw.Growth(nominal="value")
    plain = classifier(name, costs=COSTS, growth=growth, **needed(name))
    spelt = {parameter: known.default for parameter, known in PARAMETERS[name].items()} | needed(name)
    whole = tw.CostTreeClassifier(VALUE_OBJECTS[name](**spelt), costs=COSTS, growth=growth)
    assert plain.fit(X, Y).tree_.core == whole.fit(X, Y).tree_.core


@pytest.mark.parametrize("start", ["csgain", tw.CsGain(gamma=1)])
def test_a_grid_search_reaches_into_the_criterion(start):
    model = tw.CostTreeClassifier(start, costs=COSTS.replace(errors_default=None))
    search = GridSearchCV(model, {"criterion__gamma": [0.0, 0.001, 10.0]}, cv=3).fit(X, Y)
    assert search.best_params_["criterion__gamma"] < 10
    assert search.best_estimator_.criterion.gamma == search.best_params_["criterion__gamma"]
    whole = {"criterion": ["gini", tw.CsGain(gamma=0.001), tw.Eg2(w=0.5)]}
    search = GridSearchCV(model, whole, cv=3).fit(X, Y)
    assert len(set(search.cv_results_["mean_test_score"])) > 1


def test_published_learners_take_parameters_by_their_own_names():
    assert tw.algorithm("csgain", gamma=0.01).criterion.gamma == 0.01
    assert tw.algorithm("csgain").criterion == "csgain"
    assert repr(tw.algorithm("lasc", alpha=2, norm="sum").criterion) == "Lasc(alpha=2, norm='sum')"
    assert repr(tw.algorithm("c45", criterion="csgain", gamma=0.5).criterion) == "CsGain(gamma=0.5)"
    assert repr(tw.algorithm("c45", criterion=tw.CsC45(w=2)).criterion) == "CsC45(w=2)"
    assert tw.algorithm("c45", criterion=tw.CsC45(w=2)).growth.average_gain
    assert not tw.algorithm("c45", criterion=tw.CsGain(gamma=1)).growth.average_gain
    assert tw.algorithm("csgain", criterion__gamma=0.01).criterion == tw.CsGain(gamma=0.01)
    assert tw.algorithm("act", criterion__look_ahead__r=2).criterion == tw.Act(look_ahead=tw.LookAhead(2))
    assert tw.algorithm("id3", growth__max_depth=2).growth.max_depth == 2
    with pytest.raises(ValueError, match="has w=1, which criterion='csgain' does not use"):
        tw.algorithm("csgain", criterion__w=1)
    one, other = tw.algorithm("eg2", w=2), tw.algorithm("eg2", w=2)
    assert one.criterion is not other.criterion


def test_a_frontier_of_a_criterion_with_parameters():
    model = tw.CostTreeClassifier(tw.CsGain(gamma=5, allow_negative=True), costs=COSTS)
    found = tw.frontier(model, X, Y, cv=3, random_state=0)
    assert found.param == "gamma"
    assert [own.criterion.gamma for own in found.models] == list(found.values)
    assert all(own.criterion.allow_negative for own in found.models)
    same = tw.frontier(model, X, Y, param="criterion__gamma", values=found.values, cv=3, random_state=0)
    assert same.param == "gamma"
    assert same.points.equals(found.points)


def test_fits_of_one_growth_do_not_share_parameters():
    costs = tw.Costs({column: 10.0**column for column in range(X.shape[1])})
    trees = [tw.CostTreeClassifier(tw.Eg2(w=w), costs=costs).fit(X, Y).tree_.core for w in (0, 1, 0, 1)]
    assert trees[:2] == trees[2:]
    assert trees[0] != trees[1]


def test_none_is_the_published_value():
    costs = tw.Costs(default_price=2)
    trees = [tw.CostTreeClassifier(tw.Eg2(w=w), costs=costs).fit(X, Y).tree_.core for w in (None, 1)]
    assert trees[0] == trees[1]


# What is refused


def test_parameters_of_another_criterion_are_refused():
    with pytest.raises(
        TypeError, match=r"Eg2 has gamma=1, which criterion='eg2' does not use\. It weighs prices by 'w'"
    ):
        tw.Eg2(gamma=1)
    with pytest.raises(TypeError, match=r"CsGain has no parameter 'gama'\. Did you mean 'gamma'"):
        tw.CsGain(gama=1)
    with pytest.raises(TypeError, match=r"Pm has no parameter 'zeta'\. It has 'info'"):
        tw.Pm(zeta=1)
    with pytest.raises(TypeError, match=r"no positional arguments: .* by name, tw\.CsGain\(gamma=0\.01\)\."):
        tw.CsGain(0.01)
    with pytest.raises(TypeError, match=r"tw\.Lsid3\(look_ahead=tw\.LookAhead\(r=5\)\)"):
        tw.Lsid3(5)
    with pytest.raises(ValueError, match="Invalid parameter 'gama'"):
        tw.CostTreeClassifier("csgain").set_params(criterion__gama=1)
    with pytest.raises(
        ValueError, match="criterion='gini' has no parameters, so there is no criterion__zeta"
    ):
        tw.CostTreeClassifier().set_params(criterion__zeta=1)
    with pytest.raises(
        ValueError, match=r"The algorithm 'eg2' has gamma=1, which .* It weighs prices by 'w'"
    ):
        tw.algorithm("eg2", gamma=1)
    with pytest.raises(ValueError, match="'c45' has no setting 'norm'"):
        tw.algorithm("c45", norm="max")


@pytest.mark.parametrize("name", VALUE_OBJECTS)
def test_a_class_instead_of_a_criterion_is_told_how_to_make_one(name):
    made = VALUE_OBJECTS[name]
    words = rf"is the class {made.__name__}, .* tw\.{made.__name__}\(.*\), or give its name, '{name}'"
    for model in (tw.CostTreeClassifier(made, costs=COSTS), tw.CostForestClassifier(criterion=made)):
        with pytest.raises(ValueError, match=words):
            model.fit(X, Y)


@pytest.mark.parametrize("wrong", [5, None, "csgian", tw.LookAhead()])
def test_what_is_no_criterion_is_refused(wrong):
    with pytest.raises(ValueError, match="'criterion' parameter of CostTreeClassifier must be one of 'gini'"):
        tw.CostTreeClassifier(wrong, answer="most_likely", costs=COSTS).fit(X, Y)
    with pytest.raises(
        ValueError, match="'criterion' parameter of CostTreeRegressor must be one of 'squared"
    ):
        tw.CostTreeRegressor(wrong).fit(X, np.arange(len(X)))


def test_the_core_checks_too():
    settings = _core.Settings()
    settings.criterion = "csgain"
    settings.set_parameter("gamma", 0.5)
    assert settings.parameter("gamma") == 0.5
    settings.criterion = "csgain"
    assert settings.parameter("gamma") == 1.0  # a criterion begins with its defaults
    for name, value in (("gamma", -1.0), ("gamma", True), ("gamma", "much"), ("allow_negative", 1.0)):
        with pytest.raises(ValueError, match=f"The parameter '{name}' of a criterion does not accept"):
            settings.set_parameter(name, value)
    with pytest.raises(ValueError, match="The criterion 'csgain' has no parameter 'w'"):
        settings.set_parameter("w", 1.0)
    with pytest.raises(ValueError, match="has no parameter 'alpha'"):
        settings.parameter("alpha")


def test_a_criterion_by_name_alone():
    assert criterion("csgain") == "csgain"
    assert repr(criterion("pm", info="gain")) == "Pm(info='gain')"
