"""The sets that need no download."""

from collections import Counter

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from thriftwood.datasets import list_datasets, load_dataset
from thriftwood.datasets.builtin import BUILT_IN


@pytest.mark.parametrize("name", BUILT_IN)
def test_size_is_as_listed(name):
    info = next(info for info in list_datasets() if info.name == name)
    data = load_dataset(name, frame="numpy")
    assert (len(data.X), len(data.X.dtype.names)) == (info.n_rows, info.n_features)
    assert (len(data.y), data.feature_names) == (info.n_rows, data.X.dtype.names)
    assert len(data.target_names) == info.n_classes
    assert data.task == info.task
    assert data.description.endswith(".")


def test_golf_has_nine_days_of_play_and_five_without():
    for name in ("golf", "golf-nominal", "golf-missing"):
        assert Counter(load_dataset(name).y.tolist()) == {"Yes": 9, "No": 5}


def test_golf_play_by_outlook():
    data = load_dataset("golf-nominal", frame="numpy")
    pairs = Counter(zip(data.X["Outlook"].tolist(), data.y.tolist(), strict=True))
    assert pairs == {
        ("Sunny", "Yes"): 2,
        ("Sunny", "No"): 3,
        ("Overcast", "Yes"): 4,
        ("Rain", "Yes"): 3,
        ("Rain", "No"): 2,
    }


def test_golf_numbers():
    X = load_dataset("golf", frame="pandas").X
    assert X["Temperature"].tolist() == [85, 80, 83, 70, 68, 65, 64, 72, 69, 75, 75, 72, 81, 71]
    assert X["Humidity"].tolist() == [85, 90, 78, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 80]
    assert X["Windy"].tolist() == [{"f": "false", "t": "true"}[letter] for letter in "ftfffttfffttft"]


def test_golf_missing_lacks_one_outlook():
    whole = load_dataset("golf", frame="pandas").X
    X = load_dataset("golf-missing", frame="pandas").X
    assert np.argwhere(X.isna().to_numpy()).tolist() == [[11, 0]]
    assert load_dataset("golf-missing").n_missing == 1
    assert whole.drop(index=11).equals(X.drop(index=11))


def test_golf_prices():
    costs = load_dataset("golf-nominal").costs
    assert costs.total(["Outlook", "Humidity", "Wind"]) == 6.5
    assert load_dataset("golf").costs is None


def test_wisconsin_prices_cover_every_feature_and_mistake():
    data = load_dataset("wisconsin-diagnostic")
    assert set(data.costs.tests) == set(load_breast_cancer().feature_names)
    # mean radius pays for the aspirate, the worst radius for the scan, the worst area only for itself
    assert data.costs.purchase(["mean radius", "worst radius", "worst area"]) == [22, 16, 6]
    assert data.costs.error_matrix(data.target_names).tolist() == [[0, 500], [5000, 0]]
    assert "invented" in data.description


def test_labels_are_the_names_scikit_learn_gives():
    bunch = load_breast_cancer()
    assert (load_dataset("wisconsin-diagnostic").y == bunch.target_names[bunch.target]).all()


def test_regression_target_is_numbers():
    data = load_dataset("diabetes-progression")
    assert data.task == "regression"
    assert data.target_names == ()
    assert data.y.dtype == np.float64
    assert "target from 25 to 346" in repr(data)


def test_text_tells_size_words_and_features():
    text = str(load_dataset("iris"))
    assert text.startswith("Dataset 'iris': 150 rows, 4 features, 3 classes")
    assert "Fisher" in text
    assert "petal width (cm)" in text
