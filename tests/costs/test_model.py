"""Test and Costs as values: what they accept, refuse, and that they behave like numbers do."""

import copy
import dataclasses
import math
import pickle

import numpy as np
import pytest
from costs.strategies import cost_objects
from hypothesis import given
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import ParameterGrid
from sklearn.naive_bayes import GaussianNB

import thriftwood as tw
from thriftwood.costs import CostError, Costs, Test


class Estimator(BaseEstimator):
    def __init__(self, costs=None):
        self.costs = costs


def test_numbers_of_every_kind_are_prices():
    costs = Costs({"a": 1, "b": 1.5, "c": np.float32(0.5), "d": np.int64(3), "e": Test(2)})
    assert {name: test.price for name, test in costs.tests.items()} == {
        "a": 1,
        "b": 1.5,
        "c": 0.5,
        "d": 3,
        "e": 2,
    }
    assert all(type(test.price) is float for test in costs.tests.values())


def test_minus_zero_is_zero():
    assert math.copysign(1, Test(-0.0).price) == 1


def test_a_position_is_the_column_of_a_table_without_names():
    assert Costs({0: 1, np.int64(12): 2}) == Costs({"x0": 1, "x12": 2})
    with pytest.raises(CostError, match="names 'x0' twice"):
        Costs({0: 1, "x0": 2})


def test_class_labels_are_compared_as_text():
    text = Costs(errors={"0": {"1": 5}})
    assert (
        Costs(errors={0: {1: 5}})
        == Costs(errors={0.0: {1.0: 5}})
        == Costs(errors={np.int8(0): {"1": 5}})
        == text
    )
    with pytest.raises(CostError, match="names the class '1' twice"):
        Costs(errors={0: {1: 5, "1": 6}})


@pytest.mark.parametrize("bad", [-1, float("nan"), float("inf"), -np.inf, 10**400])
def test_a_price_that_is_no_amount_names_its_entry(bad):
    with pytest.raises(CostError, match=r"price of test 'chol' .* must be a finite number, 0 or more\. Got"):
        Costs({"age": 1, "chol": bad})
    with pytest.raises(CostError, match=r"shared\['blood'\] must be a finite number, 0 or more"):
        Costs(shared={"blood": bad})
    with pytest.raises(CostError, match="price of a test must be"):
        Test(bad)
    with pytest.raises(CostError, match="default_price must be"):
        Costs(default_price=bad)


@pytest.mark.parametrize("bad", ["5", None, True, [1], 1j])
def test_a_price_that_is_no_number_is_refused_with_its_type(bad):
    with pytest.raises(CostError, match=rf"'chol'.* \({type(bad).__name__}\)"):
        Costs({"chol": bad})


def test_benefits_are_allowed_in_errors_but_not_what_is_no_number():
    assert Costs(errors={"sick": {"sick": -20, "healthy": 50}}).errors["sick"]["sick"] == -20
    with pytest.raises(CostError, match=r"errors\['sick'\]\['healthy'\] must be a finite number\. Got nan"):
        Costs(errors={"sick": {"healthy": float("nan")}})
    with pytest.raises(CostError, match=r"errors\[1, 0\] must be a finite number\. Got inf"):
        Costs(errors=[[0, 1], [np.inf, 0]])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"needs": "blood draw"}, r"Got the string 'blood draw': write \['blood draw'\]"),
        ({"needs": [1]}, r"needs must be a list of names \(strings\)\. Got 1 \(int\)"),
        ({"needs": 3}, r"needs must be a list of names\. Got 3"),
        ({"needs": ["a", "b", "a"]}, "names the resource 'a' twice"),
        ({"delayed": 1}, "delayed must be True or False"),
        ({"group": 3}, "group of a test must be a string"),
        ({"after": 3}, "after=3 needs a group"),
        ({"group": "g", "after": 8}, "after=8 is more than the price 7"),
        ({"group": "g", "after": -1}, r"after, the price .* must be a finite number, 0 or more"),
    ],
)
def test_a_test_checks_itself(arguments, message):
    with pytest.raises(CostError, match=message):
        Test(7, **arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"tests": [1, 2]}, "tests must be a dictionary"),
        ({"tests": {-1: 2}}, "by its position"),
        ({"tests": {True: 2}}, "by its position"),
        ({"shared": 3}, "shared must be a dictionary"),
        ({"shared": {1: 3}}, "shared resource is named by a string"),
        ({"tests": {"a": Test(1, needs=["blod"])}, "shared": {"blood": 1}}, "Did you mean 'blood'"),
        ({"payment": "up front"}, "no payment 'up front'. Did you mean 'upfront'"),
        ({"payment": None}, "no payment None"),
        ({"charge_missing": "yes"}, "charge_missing must be True or False"),
        ({"errors": "0/1"}, "errors must be a dictionary"),
        ({"errors": 3}, "errors must be a dictionary"),
        ({"errors": {"a": 3}}, r"errors\['a'\] must be a dictionary predicted -> cost"),
        ({"errors": [[0, 1]]}, "It has 1 rows, but row 0 has 2 entries"),
        ({"errors": [[0, 1], [2]]}, "It has 2 rows, but row 1 has 1 entries"),
        ({"errors": np.zeros(3)}, "square array .* row 0 has 0.0"),
        ({"errors": np.zeros((2, 2, 2))}, r"errors\[0, 0\] must be a finite number"),
        ({"errors": []}, "errors is an empty array"),
        ({"errors": [[0]], "errors_default": 1}, "errors_default has nothing to add"),
        ({"errors_default": -1}, "errors_default must be"),
    ],
)
def test_costs_check_themselves(arguments, message):
    with pytest.raises(CostError, match=message):
        Costs(**arguments)


def test_a_frame_of_errors_is_refused_with_the_way_out():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[0, 5], [1, 0]], index=["a", "b"], columns=["a", "b"])
    with pytest.raises(CostError, match="orient='index'"):
        Costs(errors=frame)
    assert Costs(errors=frame.to_dict(orient="index")).errors == {
        "a": {"a": 0, "b": 5},
        "b": {"a": 1, "b": 0},
    }


def test_nothing_in_costs_can_change():
    prices = {"a": 1.0}
    costs = Costs(prices, shared={"r": 1}, errors={"a": {"b": 1}})
    prices["a"] = 9.0
    assert costs.tests["a"].price == 1.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        costs.payment = "upfront"
    with pytest.raises(dataclasses.FrozenInstanceError):
        costs.tests["a"].price = 2.0
    for part in (costs.tests, costs.shared, costs.errors, costs.errors["a"]):
        with pytest.raises(TypeError):
            part["a"] = 3
        with pytest.raises(AttributeError):
            part._entries = {}


@given(cost_objects())
def test_copies_pickles_and_rebuilt_objects_are_equal_and_hash_alike(costs):
    rebuilt = costs.replace()
    twins = [copy.copy(costs), copy.deepcopy(costs), pickle.loads(pickle.dumps(costs)), rebuilt]
    assert all(twin == costs and hash(twin) == hash(costs) and repr(twin) == repr(costs) for twin in twins)


@given(cost_objects())
def test_the_repr_of_a_small_object_builds_it_again(costs):
    assert eval(repr(costs), {"Costs": Costs, "Test": Test}) == costs  # noqa: S307 (our own repr)


def test_equality_sees_every_field():
    base = Costs({"a": 1}, {"r": 1}, {"y": {"n": 1}})
    others = [
        base.replace(tests={"a": 2}),
        base.replace(tests={"a": Test(1, needs=["r"])}),
        base.replace(shared={"r": 2}),
        base.replace(errors={"y": {"n": 2}}),
        base.replace(errors=None),
        base.replace(payment="upfront"),
        base.replace(charge_missing=False),
        base.replace(errors_default=1),
        base.replace(default_price=1),
    ]
    assert len({base, *others}) == 10
    with pytest.raises(CostError, match=r"no parameter 'test'\. Did you mean 'tests'"):
        base.replace(test={})


def test_a_set_of_needs_has_an_order_of_its_own():
    assert Test(1, needs={"c", "a", "b"}).needs == ("a", "b", "c")


def test_costs_travel_as_a_parameter_of_an_estimator():
    costs = Costs({"a": Test(1, needs=["r"])}, {"r": 2}, errors=np.array([[0, 5], [1, 0]]))
    estimator = clone(Estimator(costs=costs))
    assert estimator.get_params()["costs"] == costs
    assert "Costs(tests={'a': Test(1, needs=['r'])}" in repr(estimator)
    assert len(list(ParameterGrid({"costs": [costs, costs.replace(payment="upfront")]}))) == 2


def test_the_repr_of_a_long_price_list_is_short():
    costs = Costs({f"f{i}": i for i in range(100_000)})
    assert len(repr(costs)) < 500
    assert repr(costs).endswith("'f19': 19, ... 99,980 more})")


def test_copying_is_free_because_nothing_can_change():
    costs = Costs({"a": Test(1, needs=["r"])}, {"r": 2})
    assert copy.deepcopy(costs) is costs
    assert clone(Estimator(costs=costs)).costs is costs


@pytest.mark.parametrize(
    ("came", "meant"),
    [
        ({"age": 1}, r"tw\.Costs\(tests=\{'age': 1\}\)"),
        ({"sick": {"well": 50}, "well": {"sick": 5}}, r"tw\.Costs\(errors=\{'sick'"),
        ({"tests": {"age": 1}}, r"tw\.Costs\.from_dict\(\.\.\.\)"),
        ({f"c{i}": i for i in range(99)}, r"tw\.Costs\(tests=\{\.\.\.\}\)"),
    ],
)
def test_a_dictionary_in_the_place_of_costs_is_told_what_to_make_of_it(came, meant):
    X, y = [[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1]
    makers = (tw.CostTreeClassifier, tw.CostForestClassifier, tw.MetaCostClassifier, tw.BaggedTreesClassifier)
    for model in (*(make(costs=came) for make in makers), tw.CheapestAnswer(GaussianNB(), came)):
        with pytest.raises(TypeError, match=f"Did you mean costs={meant}"):
            model.fit(X, y)
    with pytest.raises(TypeError, match=f"Did you mean costs={meant}"):
        tw.bill(tw.CostTreeClassifier().fit(X, y), X, y, came)
