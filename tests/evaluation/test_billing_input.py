"""What `tw.bill` takes, and input that cannot be."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from evaluation.billed_trees import golf
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import NotFittedError

from thriftwood.costs import CostError, Costs
from thriftwood.evaluation import bill
from thriftwood.learning import CostTreeClassifier


@pytest.mark.parametrize(
    "truth", [list, np.array, pl.Series, pa.array, pd.Series, lambda y: pd.Series(y, dtype="category")]
)
def test_the_truth_may_come_in_any_container(truth):
    model, data = golf()
    assert bill(model, data.X, truth(list(data.y)), data.costs).accuracy == 1.0


def test_y_of_another_length():
    model, data = golf()
    with pytest.raises(ValueError, match="X has 14 rows and y has 13"):
        bill(model, data.X, data.y[:13], data.costs)


def test_labels_the_model_does_not_know():
    model, data = golf()
    y = ["maybe", None, *list(data.y)[2:]]
    with pytest.raises(ValueError, match=r"does not know: 'maybe', None. Its classes are 'No', 'Yes'"):
        bill(model, data.X, y, data.costs)


def test_costs_that_name_other_columns_or_classes():
    model, data = golf()
    with pytest.raises(CostError, match=r"'Outlok'.*Did you mean 'Outlook'"):
        bill(model, data.X, data.y, Costs({"Outlok": 4}))
    with pytest.raises(CostError, match="'Maybe'"):
        bill(model, data.X, data.y, Costs(errors={"Maybe": {"No": 1}}))


def test_nobody_gave_costs():
    model, data = golf()
    with pytest.raises(ValueError, match="CostTreeClassifier was made without costs"):
        bill(model, data.X, data.y)
    with pytest.raises(ValueError, match="Tree was made without costs"):
        bill(model.tree_, data.X, data.y)
    with pytest.raises(TypeError, match=r"costs must be a Costs object. Got dict"):
        bill(model, data.X, data.y, {"Outlook": 4})


def test_models_without_a_tree():
    _, data = golf()
    with pytest.raises(NotFittedError, match="Call fit"):
        bill(CostTreeClassifier(), data.X, data.y, data.costs)
    for other in (None, "tree"):
        with pytest.raises(TypeError, match="any model that predicts, such as a fitted tree estimator"):
            bill(other, data.X, data.y, data.costs)
    with pytest.raises(NotFittedError, match="This DummyClassifier is not fitted yet"):
        bill(DummyClassifier(), data.X, data.y, data.costs)


def test_a_table_with_other_columns():
    model, data = golf()
    with pytest.raises(ValueError, match="Wind"):
        bill(model, data.X.drop(columns="Wind"), data.y, data.costs)


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        (np.ones(13), r"shape \(14,\)"),
        (np.ones((14, 1)), r"shape \(14,\)"),
        (np.zeros(14), "zero for every case"),
        ([-1.0] + [1.0] * 13, "Got -1.0 in row 0"),
        ([1.0] * 13 + [np.nan], "Got nan in row 13"),
    ],
)
def test_weights_that_cannot_be(weights, words):
    model, data = golf()
    with pytest.raises(ValueError, match=words):
        bill(model, data.X, data.y, data.costs, sample_weight=weights)
