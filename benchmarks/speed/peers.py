"""The other libraries, each told to grow one tree of the same shape."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from benchmarks.speed.cases import HGB, LIGHTGBM, SKLEARN, XGBOOST, YDF
from benchmarks.speed.contestant import Contestant, Job, NotInstalled, Work
from benchmarks.speed.sample import Features, Sample


def _load(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise NotInstalled(str(error)) from error


class _Peer:
    """What most peers share: no call below their own predict."""

    version: str

    def own_one_row(self, model: Any, X: Features) -> Job:
        raise ValueError(
            f"{type(self).__name__} has no one-row call below predict: leave it out of that case."
        )


class SklearnTree(_Peer):
    """scikit-learn's DecisionTreeClassifier; nominal codes are numbers to it."""

    def __init__(self) -> None:
        self.version = str(_load("sklearn").__version__)
        self._tree = _load("sklearn.tree")

    def fitter(self, sample: Sample, work: Work) -> Job:
        tree = self._tree.DecisionTreeClassifier
        return lambda: tree(max_depth=work.depth, random_state=0).fit(sample.X, sample.y)

    def predictor(self, model: Any, sample: Sample, X: Features) -> Job:
        return lambda: model.predict(X)

    def own_one_row(self, model: Any, X: Features) -> Job:
        return lambda: model.tree_.predict(X)


class HistGradientBoosting(_Peer):
    """scikit-learn's HistGradientBoostingClassifier, one iteration."""

    def __init__(self) -> None:
        self.version = str(_load("sklearn").__version__)
        self._ensemble = _load("sklearn.ensemble")

    def fitter(self, sample: Sample, work: Work) -> Job:
        settings = {
            "max_iter": 1,
            "max_depth": work.depth,
            "max_leaf_nodes": None,
            "min_samples_leaf": 1,
            "learning_rate": 1.0,
            "early_stopping": False,
            "categorical_features": list(sample.nominal) or None,
            "random_state": 0,
        }
        return lambda: self._ensemble.HistGradientBoostingClassifier(**settings).fit(sample.X, sample.y)

    def predictor(self, model: Any, sample: Sample, X: Features) -> Job:
        return lambda: model.predict(X)


class LightGBM(_Peer):
    """LightGBM through its own interface, one boosting round."""

    def __init__(self) -> None:
        self._lightgbm = _load("lightgbm")
        self.version = str(self._lightgbm.__version__)

    def fitter(self, sample: Sample, work: Work) -> Job:
        lgb = self._lightgbm
        settings = {
            "objective": "binary",
            "learning_rate": 1.0,
            "num_threads": work.threads,
            "max_depth": -1 if work.depth is None else work.depth,
            # LightGBM sets up room for all leaves before it starts; 131,072 is the most it accepts.
            "num_leaves": min(131_072, len(sample.y)) if work.depth is None else 2**work.depth,
            "min_data_in_leaf": 1,
            "min_sum_hessian_in_leaf": 0.0,
            "verbosity": -1,
            "seed": 0,
        }
        nominal = list(sample.nominal)

        def fit() -> Any:
            table = lgb.Dataset(sample.X, sample.y, categorical_feature=nominal, params=settings)
            return lgb.train(settings, table, num_boost_round=1)

        return fit

    def predictor(self, model: Any, sample: Sample, X: Features) -> Job:
        return lambda: model.predict(X) > 0.5


class XGBoost(_Peer):
    """XGBoost with histograms from its quantile table, one boosting round."""

    def __init__(self) -> None:
        self._xgboost = _load("xgboost")
        self.version = str(self._xgboost.__version__)

    def fitter(self, sample: Sample, work: Work) -> Job:
        xgb = self._xgboost
        settings = {
            "objective": "binary:logistic",
            "tree_method": "hist",
            "max_bin": 256,
            "nthread": work.threads,
            "max_depth": work.depth or 0,
            "eta": 1.0,
            "lambda": 0.0,
            "min_child_weight": 0.0,
            "base_score": 0.5,
            "seed": 0,
        }
        types = ["c" if j in sample.nominal else "q" for j in range(sample.X.shape[1])]

        def fit() -> Any:
            table = xgb.QuantileDMatrix(
                sample.X,
                sample.y,
                max_bin=256,
                nthread=work.threads,
                feature_types=types,
                enable_categorical=bool(sample.nominal),
            )
            return xgb.train(settings, table, num_boost_round=1)

        return fit

    def predictor(self, model: Any, sample: Sample, X: Features) -> Job:
        if not sample.nominal:
            return lambda: model.inplace_predict(X, validate_features=False) > 0.5
        types = ["c" if j in sample.nominal else "q" for j in range(X.shape[1])]
        table = self._xgboost.DMatrix(X, feature_types=types, enable_categorical=True)
        return lambda: model.predict(table) > 0.5


class Ydf(_Peer):
    """YDF's CART learner; exact thresholds, nothing held back for pruning."""

    def __init__(self) -> None:
        self._ydf = _load("ydf")
        self._ydf.verbose(0)
        self.version = str(self._ydf.__version__)

    def fitter(self, sample: Sample, work: Work) -> Job:
        ydf = self._ydf
        nominal = ydf.Semantic.CATEGORICAL
        learner = ydf.CartLearner(
            label="label",
            num_threads=work.threads,
            min_examples=1,
            validation_ratio=0.0,
            # YDF counts levels of nodes, the others levels of splits.
            max_depth=-1 if work.depth is None else work.depth + 1,
            features=[ydf.Column(f"f{j}", nominal) for j in sample.nominal],
            include_all_columns=True,
        )
        table = {"label": sample.y, **self._columns(sample, sample.X)}
        return lambda: learner.train(table)

    def predictor(self, model: Any, sample: Sample, X: Features) -> Job:
        table = self._columns(sample, X)
        return lambda: model.predict(table) > 0.5

    @staticmethod
    def _columns(sample: Sample, X: Features) -> dict[str, Any]:
        columns: dict[str, Any] = {f"f{j}": np.ascontiguousarray(X[:, j]) for j in range(X.shape[1])}
        columns |= {f"f{j}": columns[f"f{j}"].astype(np.int32) for j in sample.nominal}
        return columns


_BY_NAME: dict[str, type[Contestant]] = {
    SKLEARN: SklearnTree,
    LIGHTGBM: LightGBM,
    HGB: HistGradientBoosting,
    XGBOOST: XGBoost,
    YDF: Ydf,
}


def enter(name: str) -> Contestant:
    """The peer of that name, or `NotInstalled`."""
    return _BY_NAME[name]()
