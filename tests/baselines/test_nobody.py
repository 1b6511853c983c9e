"""Nobody is tested: the answer that costs all cases least."""

import numpy as np
import pytest

import thriftwood as tw


def test_the_answer_is_the_constant_of_a_bill():
    data = tw.load_dataset("wisconsin-diagnostic")
    model = tw.algorithm("nobody", costs=data.costs).fit(data.X, data.y)
    bill = tw.bill(model, data.X, data.y)
    assert bill.mean_test_cost == 0
    assert bill.mean_cost == bill.untested_cost
    assert set(model.predict(data.X)) == {bill.untested_answer}
    assert str(bill.untested_answer) in model.tree_.note


def test_it_is_a_tree_with_all_that_trees_have(tmp_path):
    data = tw.load_dataset("golf-nominal")
    model = tw.NobodyClassifier(data.costs).fit(data.X, data.y)
    assert model.get_n_leaves() == 1
    assert model.consult().result == "Yes"
    assert np.allclose(model.predict_proba(data.X), [[5 / 14, 9 / 14]])
    model.save(tmp_path / "leaf.json")
    assert tw.load(tmp_path / "leaf.json").note == model.tree_.note
    assert "return" in tw.export_python(model)


def test_weights_and_costs_by_row_count():
    X, y = [[0.0], [1.0], [2.0]], ["a", "b", "b"]
    assert tw.NobodyClassifier().fit(X, y).predict([[5.0]]) == ["b"]
    assert tw.NobodyClassifier().fit(X, y, sample_weight=[3, 1, 1]).predict([[5.0]]) == ["a"]
    by_row = [[0, 9], [1, 0], [1, 0]]
    assert tw.NobodyClassifier().fit(X, y, error_costs=by_row).predict([[5.0]]) == ["a"]
    assert tw.NobodyClassifier().fit(X, y, error_costs=np.zeros((3, 2))).predict([[5.0]]) == ["a"]
    with pytest.raises(ValueError, match="NobodyClassifier has costs with error costs"):
        tw.NobodyClassifier(tw.Costs(errors_default=1)).fit(X, y, error_costs=by_row)


def test_upfront_payment_costs_nothing():
    data = tw.load_dataset("golf-nominal")
    costs = data.costs.replace(payment="upfront")
    assert tw.bill(tw.NobodyClassifier(costs).fit(data.X, data.y), data.X).mean_test_cost == 0
