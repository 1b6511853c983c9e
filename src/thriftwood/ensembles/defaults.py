"""The base estimators that ensembles learn with unless another is given."""

from __future__ import annotations

from thriftwood.costs import Costs
from thriftwood.learning import CostTreeClassifier, Growth, Pessimistic
from thriftwood.learning.criteria import criterion
from thriftwood.learning.presets import C45_GROWTH, LASC_GROWTH
from thriftwood.learning.weighing import has_prices

BOOSTED_DEPTH = 3


def c45() -> CostTreeClassifier:
    """Return C4.5.

    Examples
    --------
    >>> c45().pruning
    Pessimistic()
    """
    return CostTreeClassifier("gain_ratio", growth=Growth(**C45_GROWTH), pruning=Pessimistic())


def shallow_tree(depth: int = BOOSTED_DEPTH) -> CostTreeClassifier:
    """Return a tree of little depth: boosting wants models that leave something to learn.

    Examples
    --------
    >>> shallow_tree()
    CostTreeClassifier(growth=Growth(max_depth=3))
    """
    return CostTreeClassifier(growth=Growth(max_depth=depth))


def probability_tree() -> CostTreeClassifier:
    """Return a tree that estimates probabilities: C4.5, not pruned, its leaves smoothed by Laplace.

    Examples
    --------
    >>> probability_tree().pruning, probability_tree().smoothing
    (None, 'laplace')
    """
    return CostTreeClassifier("gain_ratio", growth=Growth(**C45_GROWTH), smoothing="laplace")


def lasc(alpha: float | None = None) -> CostTreeClassifier:
    """Return LASC.

    Examples
    --------
    >>> lasc(0.5).criterion, lasc().criterion
    (Lasc(alpha=0.5), 'lasc')
    """
    own = {} if alpha is None else {"alpha": alpha}
    return CostTreeClassifier(criterion("lasc", **own), growth=Growth(**LASC_GROWTH))


def priced_or(unpriced: CostTreeClassifier, costs: Costs | None) -> CostTreeClassifier:
    """Return LASC where tests have prices, and the other tree where they have none.

    Examples
    --------
    >>> priced_or(shallow_tree(), Costs({"age": 1})).criterion, priced_or(shallow_tree(), None).criterion
    ('lasc', 'gini')
    """
    return lasc() if isinstance(costs, Costs) and has_prices(costs) else unpriced
