"""`Estimator`: parameters by name, of the class that is asked and not of its parent."""

from __future__ import annotations

import inspect

import pytest
from sklearn.base import BaseEstimator, clone

import thriftwood as tw
from thriftwood.base.estimator import Estimator
from thriftwood.learners.entries import Entry


class Parent(Estimator):
    def __init__(self, b: int = 1) -> None:
        self.b = b


class Child(Parent):
    def __init__(self, a: int = 1, b: int = 2) -> None:
        super().__init__(b)
        self.a = a


def test_every_class_has_its_own_names_whichever_is_asked_first() -> None:
    assert Parent().get_params() == {"b": 1}
    assert Child().get_params() == {"a": 1, "b": 2}
    assert Parent(3).get_params() == {"b": 3}
    assert clone(Child(a=5)).a == 5


def test_a_list_that_was_given_can_be_changed_without_harm() -> None:
    Parent._get_param_names().append("c")
    assert Parent._get_param_names() == ["b"]


@pytest.mark.parametrize("entry", tw.algorithms(), ids=lambda entry: entry.name)
def test_names_are_those_that_scikit_learn_reads_from_the_signature(entry: Entry) -> None:
    kind = type(entry.make())
    assert kind._get_param_names() == BaseEstimator._get_param_names.__func__(kind)


def test_signatures_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tw.algorithm("csgain", gamma=0.1)

    def unread(*args: object, **kwargs: object) -> None:
        raise AssertionError("a signature was read again")

    monkeypatch.setattr(inspect, "signature", unread)
    assert tw.algorithm("csgain", gamma=0.1).criterion.gamma == 0.1
