"""Entries of the published ensembles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from thriftwood.ensembles.error_costs.cost_bag import CostBagClassifier
from thriftwood.ensembles.error_costs.cost_boost import CostBoostClassifier
from thriftwood.ensembles.error_costs.costing import CostingClassifier
from thriftwood.ensembles.error_costs.lazy_options import LazyOptionTreesClassifier
from thriftwood.ensembles.error_costs.lp_csb import LpCsbClassifier
from thriftwood.ensembles.error_costs.metacost import MetaCostClassifier
from thriftwood.ensembles.test_costs.bagged_trees import BaggedTreesClassifier
from thriftwood.ensembles.test_costs.bayes_answers import BayesAnswers
from thriftwood.ensembles.test_costs.boosted_trees import BoostedTreesClassifier
from thriftwood.ensembles.test_costs.cocost import CocostClassifier
from thriftwood.ensembles.test_costs.gradient_boosting import CostGradientBoostingClassifier
from thriftwood.ensembles.test_costs.inverse_boosted_trees import InverseBoostedTreesClassifier
from thriftwood.ensembles.test_costs.shortcut_forest import ShortcutForestClassifier
from thriftwood.learners.entries import Entry, Translation, same
from thriftwood.learners.test_costs import PRICED_LEARNERS

_COCOST = "Li, Topkara, Coskun & Memon 2009, CoCoST: a computational cost efficient classifier, ICDM"
ROUNDS: dict[str, Translation] = {"rounds": same("n_estimators")}
BAGS: dict[str, Translation] = {"bags": same("n_estimators")}


@dataclass(frozen=True, slots=True)
class EnsembleEntry(Entry):
    """A published ensemble: its settings are those of the estimator alone."""

    def make(self) -> Any:
        """Return a new estimator with the published settings."""
        return self.estimator(**self.settings)


@dataclass(frozen=True, slots=True)
class HybridEntry(Entry):
    """A tree that asks, and another method that answers."""

    def make(self) -> Any:
        """Return a new estimator with the published settings."""
        tree = next(entry for entry in PRICED_LEARNERS if entry.name == "min-total-cost")
        return self.estimator(tree.make(), **self.settings)


def _boosting(name: str, sentence: str, formula: str, reference: str) -> EnsembleEntry:
    return EnsembleEntry(
        name=name,
        sentence=sentence,
        reference=reference,
        formula=formula,
        estimator=CostBoostClassifier,
        settings={"method": name},
        names=ROUNDS,
    )


ENSEMBLES: tuple[Entry, ...] = (
    EnsembleEntry(
        name="metacost",
        sentence="Relabels every training case with the answer of least expected cost, by models of m "
        "bootstrap samples, and learns once from the new labels. estimator is any classifier.",
        reference="Domingos 1999, MetaCost: a general method for making classifiers cost-sensitive, KDD",
        formula="argmin_a sum_j P(j | x) cost(j, a), P the mean over models that did not learn from x",
        estimator=MetaCostClassifier,
        names={
            "m": same("n_estimators"),
            "n": same("max_samples"),
            "p": same("use_probabilities"),
            "q": same("use_all"),
        },
    ),
    _boosting(
        "adacost",
        "Boosting in which dear cases gain more weight when wrong and lose less when right. Two classes.",
        "w exp(-alpha m b), m = 1 and b = 1/2 - c/2 if right, m = -1 and b = 1/2 + c/2 if not; "
        "alpha = 1/2 ln((1 + r) / (1 - r)), r the weighted mean of m b",
        "Fan, Stolfo, Zhang & Chan 1999, AdaCost: misclassification cost-sensitive boosting, ICML",
    ),
    _boosting(
        "csb0",
        "Boosting in which a mistake multiplies a case's weight by its cost. Answers what costs least.",
        "w C, C = 1 if right, the cost of the mistake if not",
        "Ting & Zheng 1998, Boosting trees for cost-sensitive classifications, ECML",
    ),
    _boosting(
        "csb1",
        "CSB0 that also lowers the weight of right answers, the same in all rounds.",
        "w C exp(-m), m = 1 if right, -1 if not",
        "Ting & Zheng 1998, Boosting trees for cost-sensitive classifications, ECML",
    ),
    _boosting(
        "csb2",
        "AdaBoost in which a mistake also multiplies a case's weight by its cost. Answers what costs least.",
        "w C exp(-alpha m), alpha = 1/2 ln((1 + r) / (1 - r)), r the weighted mean of m",
        "Ting 2000, A comparative study of cost-sensitive boosting algorithms, ICML",
    ),
    _boosting(
        "asymboost",
        "AdaBoost in which the dearer class gains weight before every round. Two classes.",
        "w k^(1/2T) for one class and w k^(-1/2T) for the other before each of T rounds, k the ratio of "
        "what their mistakes cost",
        "Viola & Jones 2002, Fast and robust classification using asymmetric AdaBoost and a detector "
        "cascade, NIPS",
    ),
    EnsembleEntry(
        name="lp-csb",
        sentence="Boosting of pairs of a case and an answer; dear answers that are still given count most.",
        reference="Lozano & Abe 2008, Multi-class cost-sensitive boosting with p-norm loss functions, KDD",
        formula="w(x, a) = 1/2 cost(x, a) H(a | x)^(p - 1), and for the cheapest answer the sum of the "
        "others",
        estimator=LpCsbClassifier,
        names=ROUNDS,
    ),
    EnsembleEntry(
        name="b-pet",
        sentence="A bag of trees that are not pruned and estimate probabilities together. Answers what costs "
        "least.",
        reference="Margineantu & Dietterich 2002, Improved class probability estimates from decision tree "
        "models",
        formula="P(c) = mean over trees of (W_c + 1) / (W + k)",
        estimator=CostBagClassifier,
        names=BAGS,
    ),
    EnsembleEntry(
        name="b-lot",
        sentence="For each case and bag a tree along the case's own values that follows up to b tests from a "
        "node. Answers what costs least.",
        reference="Margineantu & Dietterich 2002, Improved class probability estimates from decision tree "
        "models",
        formula="H(class) - H(class | the case's side), classes at equal mass; tests of at least g times the "
        "best gain",
        estimator=LazyOptionTreesClassifier,
        names=BAGS | {"b": same("options"), "g": same("min_share")},
    ),
    EnsembleEntry(
        name="costing",
        sentence="Models of t samples that keep a case with a probability in proportion to what its mistake "
        "costs.",
        reference="Zadrozny, Langford & Abe 2003, Cost-sensitive learning by cost-proportionate example "
        "weighting, ICDM",
        formula="P(keep) = c / max c",
        estimator=CostingClassifier,
        names={"t": same("n_estimators")},
    ),
    EnsembleEntry(
        name="bagging",
        sentence="A vote of trees learnt from bootstrap samples. Of this and the following, prices guide the "
        "trees (LASC unless estimator is another), and a test is paid once, whichever trees ask it.",
        reference="Breiman 1996, Bagging predictors, Machine Learning 24",
        formula="argmax_j sum_t [h_t(x) = j]",
        estimator=BaggedTreesClassifier,
        names=BAGS,
    ),
    EnsembleEntry(
        name="boosting",
        sentence="A vote of trees, each learnt from cases that count more the more often they were answered "
        "wrongly. variant='samme' is made for more than two classes.",
        reference="Freund & Schapire 1997, A decision-theoretic generalization of on-line learning and an "
        "application to boosting, JCSS 55; Zhu, Zou, Rosset & Hastie 2009, Multi-class AdaBoost, Statistics "
        "and its Interface 2",
        formula="w exp(-alpha) if right, alpha = ln((1 - e) / e), for samme + ln(k - 1)",
        estimator=BoostedTreesClassifier,
        names=ROUNDS,
    ),
    EnsembleEntry(
        name="inverse-boosting",
        sentence="Boosting the other way round: cases that were answered rightly count more, so the last "
        "tree, which answers alone, is cheap and sure of the easy ones. Three tracks differ in how fast.",
        reference=_COCOST,
        formula="w ((1 - e) / e)^q if right, q = 1, 2 or 1/2 on track 1, 2 or 3",
        estimator=InverseBoostedTreesClassifier,
        names=ROUNDS,
    ),
    EnsembleEntry(
        name="shortcut-forest",
        sentence="A random forest whose trees are asked one after the other, until no class can catch the "
        "leader.",
        reference=f"Breiman 2001, Random forests, Machine Learning 45; the short cut: {_COCOST}",
        formula="stop when votes(leader) - votes(next) > trees left",
        estimator=ShortcutForestClassifier,
        names={"trees": same("n_estimators")},
    ),
    EnsembleEntry(
        name="cocost",
        sentence="For eight alphas the last trees of boosted and of inverse-boosted LASC, and a LASC above "
        "them that decides whom to ask, for the price of each tree.",
        reference=_COCOST,
        formula="I / (p C + 1 - p) as lasc, C of the upper tree the mean price of a lower tree's tests",
        estimator=CocostClassifier,
    ),
    EnsembleEntry(
        name="gradient-boosting",
        sentence="Stages of small trees, one for all classes, in which a test must be worth what each case "
        "still pays for it; cheap tests come first, and a case that is sure is asked nothing more. Stage t "
        "counts from 0; rounds is the number of stages.",
        reference="ours, after Peter, Diego, Hamprecht & Nadler 2017, Cost efficient gradient boosting, NIPS",
        formula="1/2 sum_k (GL^2/(HL + l2) + GR^2/(HR + l2) - G^2/(H + l2)) - w_t sum_i c(i), c(i) what "
        "case i still pays, w_t = cost_weight (1 + (cheap_first - 1) exp(-t / cheap_rounds)); asked until "
        "max_k p_k >= stop",
        estimator=CostGradientBoostingClassifier,
        names=ROUNDS,
    ),
    HybridEntry(
        name="dtnb",
        sentence="The tree of min-total-cost asks for the tests, and naive Bayes answers by all values that "
        "were paid or cost nothing. estimator is any learner of single trees.",
        reference="Sheng & Ling 2005, Hybrid cost-sensitive decision tree, PKDD",
        formula="argmin_a sum_j P(j | paid) cost(j, a), P(j | paid) ~ P(j) prod_paid p(x_f | j)",
        estimator=BayesAnswers,
        names={name: same(f"estimator__growth__{name}") for name in ("budget", "max_depth")},
    ),
)
