"""Downloads, with a stand-in for the network."""

import numpy as np
import pytest
import sklearn.datasets
from sklearn.utils import Bunch

from thriftwood.datasets import DownloadError, list_datasets, load_dataset
from thriftwood.datasets.catalogue import catalogue

PIMA = ["preg", "plas", "pres", "skin", "insu", "mass", "pedi", "age"]


def pima(n_negative=500):
    """What fetch_openml gives for the Pima data, with made-up measurements."""
    data = np.random.default_rng(0).random((768, 8))
    target = np.array(
        ["tested_negative"] * n_negative + ["tested_positive"] * (768 - n_negative), dtype=object
    )
    return Bunch(data=data, target=target, feature_names=PIMA, categories={})


@pytest.fixture
def network(monkeypatch, clean_home):
    """Answers with ``network.answer`` and counts the calls."""
    state = Bunch(calls=[], answer=pima())

    def fetch_openml(**options):
        state.calls.append(options)
        if isinstance(state.answer, Exception):
            raise state.answer
        return state.answer

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch_openml)
    return state


def test_download_gives_data_and_published_prices(network):
    data = load_dataset("diabetes", frame="numpy")
    assert network.calls[0]["data_id"] == 37
    assert np.array_equal(np.column_stack([data.X[name] for name in PIMA]), pima().data)
    assert data.feature_names == tuple(PIMA)
    assert (data.y == "tested_negative").sum() == 500
    assert data.costs.purchase(["plas", "insu"]) == pytest.approx([17.61, 20.68])
    assert "OpenML, data set 37" in data.description


def test_second_load_reads_the_cache(network, clean_home):
    first = load_dataset("diabetes", frame="numpy")
    network.answer = OSError("no network")
    second = load_dataset("diabetes", frame="numpy")
    assert len(network.calls) == 1
    assert first.X.tolist() == second.X.tolist()
    assert np.array_equal(first.y, second.y)
    assert sorted(path.name for path in clean_home.iterdir()) == ["diabetes.csv.gz", "diabetes.json"]
    info = next(info for info in list_datasets() if info.name == "diabetes")
    assert (info.n_rows, info.n_features, info.n_classes, info.source) == (768, 8, 2, "cache")


def test_damaged_cache_is_told(network, clean_home):
    load_dataset("diabetes")
    (clean_home / "diabetes.csv.gz").write_bytes(b"half a file")
    with pytest.raises(ValueError, match="checksum"):
        load_dataset("diabetes")


def test_nominal_columns_keep_declared_values_and_missing_cells(network, clean_home):
    entry = catalogue()["zoo"]
    y = np.repeat([f"kind{i}" for i in range(7)], entry.classes).astype(object)
    data = np.tile([0.0, 1.0], (101, 9))[:, :17]
    names = ["animal", *(f"trait{i}" for i in range(16))]
    categories = {name: ["no", "yes", "never seen"] for name in names}
    network.answer = Bunch(data=data, target=y, feature_names=names, categories=categories)
    loaded = load_dataset("zoo", frame="pandas")
    assert loaded.X.shape == (101, 16)
    assert loaded.X["trait0"].cat.categories.tolist() == ["no", "yes", "never seen"]
    assert loaded.X["trait0"].unique().tolist() == ["yes"]
    network.answer.data[3, 4] = np.nan
    for path in clean_home.iterdir():
        path.unlink()
    with pytest.raises(ValueError, match="empty cells 1, published 0"):
        load_dataset("zoo")


def test_number_labels_lose_their_point(network):
    entry = catalogue()["heart-cleveland"]
    y = np.repeat([0.0, 1.0, 2.0, 3.0, 4.0], entry.classes)
    data = np.ones((303, 13))
    data[:6, 0] = np.nan
    network.answer = Bunch(data=data, target=y, feature_names=[f"c{i}" for i in range(13)], categories={})
    loaded = load_dataset("heart-cleveland", frame="numpy")
    assert loaded.target_names == ("0", "1", "2", "3", "4")
    assert loaded.n_missing == 6
    assert loaded.costs is None  # the columns are not those of the price list


def test_another_table_is_refused_and_not_kept(network, clean_home):
    network.answer = pima(n_negative=499)
    with pytest.raises(
        ValueError, match=r"not the published table: class sizes \(499, 269\), published \(500, 268\)"
    ):
        load_dataset("diabetes")
    assert not clean_home.exists()


def test_failure_says_how_to_point_at_a_folder(network):
    network.answer = OSError("Temporary failure in name resolution")
    with pytest.raises(DownloadError, match=r"name resolution.*THRIFTWOOD_DATA.*data_dir=") as caught:
        load_dataset("diabetes")
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, OSError)


def test_a_set_without_a_copy_on_openml_says_so(network):
    with pytest.raises(ValueError, match=r"'churn-tv' is not in your data folder.*THRIFTWOOD_DATA"):
        load_dataset("churn-tv")
    assert network.calls == []


def test_built_in_sets_never_download(network):
    load_dataset("iris")
    load_dataset("golf")
    assert network.calls == []
