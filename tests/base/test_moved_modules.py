"""Pickles of the version before are refused with what to do; files that it saved load."""

import importlib
import pickle

import pytest

import thriftwood as tw
from thriftwood.base.moved_modules import MOVED

OLD = {  # what pickles of these begin with: c, the module, the name
    "tree": b"cthriftwood.tree.structure\nTree\n.",
    "panel": b"cthriftwood.ensembles.panel\nPanel\n.",
    "estimator": b"cthriftwood.tree.classifier\nCostTreeClassifier\n.",
}


@pytest.mark.parametrize("kind", OLD)
def test_an_old_pickle_is_refused_with_the_way_out(kind):
    with pytest.raises(ModuleNotFoundError, match=r"thriftwood 0\.1.*save\(\"model\.json\"\).*tw\.load"):
        pickle.loads(OLD[kind])


@pytest.mark.parametrize("name", sorted(MOVED))
def test_no_module_stands_where_one_has_moved_away(name):
    with pytest.raises(ModuleNotFoundError, match="has another name now"):
        importlib.import_module(name)


def test_other_modules_are_not_found_as_usual():
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'thriftwood\.nothing'"):
        importlib.import_module("thriftwood.nothing")


def test_pickles_of_this_version_load():
    model = tw.CostTreeClassifier(tw.CsGain(gamma=0.01), costs=tw.Costs({"x0": 1})).fit(
        [[1], [2]], ["a", "b"]
    )
    assert pickle.loads(pickle.dumps(model)).predict([[1], [2]]).tolist() == ["a", "b"]
