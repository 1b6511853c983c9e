"""A column without a single known category is a mistake that somebody should hear of."""

import warnings

import pandas as pd
import pytest

import thriftwood as tw

TRAIN = pd.DataFrame({"answer": ["yes", "no"] * 4, "name": list("abcdefgh")})
Y = ["sick", "well"] * 4


@pytest.fixture(scope="module")
def model():
    costs = tw.Costs({"answer": 1})
    return tw.CostTreeClassifier(costs=costs, growth=tw.Growth(max_depth=1)).fit(TRAIN[["answer", "name"]], Y)


def test_a_whole_unseen_column_is_a_warning(model):
    new = pd.DataFrame({"answer": ["oui", None, "non"], "name": ["a", "b", "c"]})
    said = "None of the 2 known cells of column 'answer' .* 'oui', 'non', there it held 'no', 'yes'"
    for call in (model.predict, model.predict_proba, model.apply, model.tree_.predict):
        with pytest.warns(UserWarning, match=said) as caught:
            call(new)
        assert (len(caught), caught[0].filename) == (1, __file__)
    with pytest.warns(UserWarning, match=said) as caught:
        tw.bill(model, new)
    assert len(caught) == 1


@pytest.mark.parametrize(
    "new",
    [
        {"answer": ["yes", "oui"], "name": ["a", "b"]},  # new categories come up
        {"answer": ["oui"], "name": ["a"]},
        {"answer": ["oui", None], "name": ["a", "b"]},
        {"answer": [None, None], "name": ["a", "b"]},
        {"answer": ["yes", "no"], "name": ["x", "y"]},  # the tree does not ask for names
    ],
)
def test_single_cells_and_columns_that_are_not_asked_for_are_no_reason(model, new):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(pd.DataFrame(new))
