"""The types that skops meets in our models, for those who load them with it."""

from __future__ import annotations

import inspect

from sklearn.base import BaseEstimator

import thriftwood
from thriftwood import _core
from thriftwood.baselines.selecting import Step
from thriftwood.costs import Costs, Test, Today
from thriftwood.costs.frozen import FrozenDict
from thriftwood.ensembles.error_costs.forest import ForestModel
from thriftwood.ensembles.error_costs.lazy_options import LazyModel
from thriftwood.ensembles.error_costs.lp_csb import PairsModel
from thriftwood.ensembles.error_costs.metacost import FinalModel
from thriftwood.ensembles.error_costs.pairs import Pairs
from thriftwood.learning.look_ahead import Reached
from thriftwood.learning.thrift_judging import Judged
from thriftwood.models import Booster, Panel, Tree
from thriftwood.models.answer_rule import AnswerRuleModel
from thriftwood.models.bayes_answers import BayesAnswersModel, LeafBayes
from thriftwood.models.cascade import Cascade, Stage
from thriftwood.models.coding import Coding, ColumnCoding
from thriftwood.models.ensemble import EnsembleModel, LearntColumns
from thriftwood.models.fixed_panel import BoosterScores, FixedPanelModel, ForestScores, LogisticScores
from thriftwood.models.score_card import CategoryPoints, NumberPoints, ScoreCard
from thriftwood.models.setup import Setup
from thriftwood.models.today import GivenAnswersModel, SavedPracticeModel
from thriftwood.models.voting import StackedTree, Vote
from thriftwood.streams.charging import Classes
from thriftwood.streams.history import StreamHistory
from thriftwood.streams.keeping import KeptRows
from thriftwood.table import Encoded, Encoder
from thriftwood.table.columns import Column
from thriftwood.table.encoded import SparseColumns

_INSIDE: tuple[type, ...] = (
    *(_core.Tree, _core.Booster, _core.NaiveBayes, Tree, Panel, Booster, Vote, StackedTree),
    *(
        EnsembleModel,
        LearntColumns,
        AnswerRuleModel,
        BayesAnswersModel,
        LeafBayes,
        LazyModel,
        FinalModel,
        Pairs,
        PairsModel,
        ForestModel,
        Setup,
        Reached,
        Judged,
        Step,
        FixedPanelModel,
        LogisticScores,
        BoosterScores,
        ForestScores,
        GivenAnswersModel,
        SavedPracticeModel,
        Coding,
        ColumnCoding,
    ),
    *(Cascade, Stage, ScoreCard, NumberPoints, CategoryPoints),
    *(Classes, KeptRows, StreamHistory),
    *(Costs, Test, Today, FrozenDict, Encoder, Encoded, SparseColumns, Column),
)


def trusted_types() -> list[str]:
    """Name the types of this library that estimators and models are made of, for ``skops.io.load``.

    None of them runs anything when it is made; a tree of the core checks every number it is made of.

    Examples
    --------
    >>> import thriftwood as tw
    >>> "thriftwood.models.tree.tree.Tree" in tw.trusted_types()
    True

    ``skops.io.dump(model, "model.skops")``, and then
    ``skops.io.load("model.skops", trusted=tw.trusted_types())``.
    """
    public = (getattr(thriftwood, name) for name in dir(thriftwood))
    settings = (one for one in public if inspect.isclass(one) and issubclass(one, BaseEstimator))
    return sorted({f"{one.__module__}.{one.__qualname__}" for one in (*settings, *_INSIDE)})
