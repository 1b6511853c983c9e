"""`decision_curve`: the net benefit of going by a model, over how sure it must be before one acts.

Of two classes one is *positive*: what is looked for, and acted upon. At the *threshold* t a case is acted
upon if its chance of being positive is at least t; so whoever chooses t says that acting on a negative case
does t / (1 - t) times the harm of missing a positive one. The *net benefit* is the share of cases that are
acted upon rightly, less the share acted upon wrongly times t / (1 - t) (Vickers & Elkin 2006). Its unit is
the *value* of one positive case that is found.

Tests cost money, and the price list says what a positive case that is found is worth in money: what missing
it costs, less what finding it costs. So tests are taken off in the same unit, as their price divided by that
value. At the threshold of the price list itself the net benefit times the value is what a case saves against
acting on nobody.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.spelling import close_names
from thriftwood.costs import Costs
from thriftwood.costs.names import quoted
from thriftwood.evaluation.billing import bill
from thriftwood.evaluation.decision_page import columns_of, part_of, sentence_of
from thriftwood.evaluation.statement import as_html, as_text
from thriftwood.learning.targets import case_weights
from thriftwood.models.conversion import as_model, own_costs
from thriftwood.models.labels import class_numbers
from thriftwood.models.tree.conditions import category_text
from thriftwood.table.results import to_frame

FloatArray = NDArray[np.float64]

FREE = Costs()
THRESHOLDS = tuple(percent / 100 for percent in range(1, 100))
NORMAL = 1.959963984540054
"""So many standard errors to each side hold 95 %."""


class Judged(NamedTuple):
    """What a model says about each case, and what that costs."""

    chances: FloatArray
    """Of being positive."""
    test_cost: FloatArray


class NetBenefit(NamedTuple):
    """A net benefit with its 95 % interval."""

    net_benefit: float
    low: float
    high: float


@dataclass(frozen=True, eq=False, repr=False)
class DecisionCurve:
    """The net benefit of models over the threshold. Made by `decision_curve`; ``print(curve)`` shows it.

    Attributes
    ----------
    judged : mapping of str to Judged
        What each model says about the cases, by its name, in the order given.
    actual : ndarray of bool, of shape (n_cases,)
        Whether each case is positive.
    weights : ndarray or None
        How much each case counts; None: each once.
    positive, negative : object
        The class that is looked for, and the other.
    thresholds : ndarray
        Where the curve is drawn.
    value : float
        What a positive case that is found is worth, in the unit of the prices.
    own_threshold : float or None
        The threshold by the price list; None if it does not say what mistakes cost.
    costs : Costs
        The price list, for its words.
    """

    judged: Mapping[str, Judged]
    actual: NDArray[np.bool_]
    weights: FloatArray | None
    positive: Any
    negative: Any
    thresholds: FloatArray
    value: float
    own_threshold: float | None = field(default=None)
    costs: Costs = FREE

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models."""
        return tuple(self.judged)

    @property
    def n_cases(self) -> int:
        """The number of cases."""
        return len(self.actual)

    @cached_property
    def prevalence(self) -> float:
        """The share of positive cases."""
        return self._mean(self.actual.astype(float))

    def at(self, name: str, threshold: float, *, tests_paid: bool = True) -> NetBenefit:
        """Return the net benefit of a model at a threshold.

        Parameters
        ----------
        name : str
            The model; "all" and "none" act on all cases, or on none, and test nobody.
        threshold : float
            At least 0, and less than 1.
        tests_paid : bool
            Whether what the tests cost is taken off.
        """
        if not 0.0 <= threshold < 1.0:
            raise ValueError(f"A threshold is at least 0, and less than 1. Got {threshold:g}.")
        if name in self.judged:
            judged = self.judged[name]
            acts, paid = judged.chances >= threshold, judged.test_cost / self.value
        elif name in ("all", "none"):
            acts, paid = np.full(self.n_cases, name == "all"), np.zeros(self.n_cases)
        else:
            raise ValueError(
                f"There is no {name!r} here. Choose from {quoted([*self.names, 'all', 'none'])}."
            )
        gained = np.where(self.actual, 1.0, -threshold / (1.0 - threshold)) * acts
        gained = gained - paid if tests_paid else gained
        mean, reach = self._mean(gained), NORMAL * self._standard_error(gained)
        return NetBenefit(mean, mean - reach, mean + reach)

    def net_benefit(self, name: str, *, tests_paid: bool = True) -> FloatArray:
        """Return the net benefit of a model, or of "all" or "none", at each of the `thresholds`."""
        found = [self.at(name, threshold, tests_paid=tests_paid) for threshold in self.thresholds.tolist()]
        return np.array([one.net_benefit for one in found])

    def useful(self, name: str) -> list[tuple[float, float]]:
        """Return the ranges of `thresholds` at which a model is worth more than acting on all, and on none.

        Its tests are paid. Each range is given by its first and its last threshold.
        """
        others = np.maximum(self.net_benefit("all"), 0.0)
        better = np.concatenate([[False], self.net_benefit(name) > others, [False]])
        turns = np.flatnonzero(better[1:] != better[:-1])
        places = zip(turns[::2].tolist(), turns[1::2].tolist(), strict=True)
        return [(float(self.thresholds[first]), float(self.thresholds[end - 1])) for first, end in places]

    @property
    def columns(self) -> dict[str, Any]:
        """The columns of `table`."""
        return columns_of(self)

    @property
    def table(self) -> Any:
        """A frame with a row for each model and threshold, "all" and "none" among them.

        Columns: name; threshold; net_benefit, with its 95 % interval low, high; tests_free, the net benefit
        if the tests cost nothing.
        """
        return to_frame(self.columns)

    @property
    def sentence(self) -> str:
        """Where each model is worth its tests, and what it saves at the price list's own threshold."""
        return sentence_of(self)

    def plot(self, ax: Any = None) -> Any:
        """Draw it; see `tw.plot_decision_curve`."""
        from thriftwood import plot_decision_curve  # a higher room: asked for when it is called

        return plot_decision_curve(self, ax)

    def __str__(self) -> str:
        return f"{as_text([part_of(self)])}\n\n{self.sentence}"

    def _repr_html_(self) -> str:
        return as_html([part_of(self)])

    def __repr__(self) -> str:
        return (
            f"<DecisionCurve: {', '.join(self.names)} on {self.n_cases:,} cases, "
            f"looking for {category_text(self.positive)}>"
        )

    def _mean(self, values: FloatArray) -> float:
        return float(np.average(values, weights=self.weights))

    def _standard_error(self, values: FloatArray) -> float:
        """Return that of the mean; weights are shares of a sample."""
        shares = np.full(len(values), 1.0) if self.weights is None else self.weights
        shares = shares / shares.sum()
        left_over = 1.0 - float(shares @ shares)
        if left_over <= 0.0:  # a single case
            return math.inf
        spread = float(shares**2 @ (values - shares @ values) ** 2)
        return math.sqrt(spread / left_over)


def decision_curve(
    models: Any,
    X: Any,
    y: Any,
    costs: Costs | None = None,
    *,
    positive: Any = None,
    thresholds: Sequence[float] | None = None,
    value: float | None = None,
    sample_weight: Any = None,
) -> DecisionCurve:
    """Compare going by a model with acting on everybody and on nobody, for any threshold: decision curves.

    Parameters
    ----------
    models : model, or mapping of names to models
        Whatever `bill` takes and that gives probabilities, of two classes; or, in a mapping, the probability
        of the positive class of each case, whose tests are taken to be free.
    X, y
        The cases, best such that no model has learnt from, and their true classes.
    costs : Costs, optional
        What tests and mistakes cost; None: the costs of the first model that has any.
    positive : class label, optional
        What is looked for; None: the class that is dearer to miss, and of equal ones the second.
    thresholds : list of float, optional
        At least 0, and less than 1; None: 0.01, 0.02, ..., 0.99.
    value : float, optional
        What one positive case that is found is worth, in the unit of the prices; None: what missing it costs
        by `costs`, less what finding it costs.
    sample_weight : array-like of shape (n_rows,), optional
        How much each case counts.

    Returns
    -------
    DecisionCurve

    Raises
    ------
    ValueError
        If there are more classes than two, or tests have prices and nothing says what finding a positive case
        is worth.

    Notes
    -----
    Without prices it is the net benefit of the package ``dcurves``: true positives less false positives times
    t / (1 - t), both as shares of all cases; a case is positive if its probability is at least t. Test costs
    are taken off as ``dcurves``' test harm, case by case. The 95 % interval is that of a mean of cases.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> costs = golf.costs.replace(errors={"Yes": {"No": 60}, "No": {"Yes": 20}})
    >>> model = tw.algorithm("c45", costs=costs).fit(golf.X, golf.y)
    >>> curve = tw.decision_curve(model, golf.X, golf.y, thresholds=[0.25, 0.5, 0.75])
    >>> curve.positive, curve.value, curve.own_threshold
    ('Yes', 60.0, 0.25)
    >>> curve.net_benefit("model").round(3), curve.net_benefit("all").round(3)
    (array([0.561, 0.561, 0.561]), array([ 0.524,  0.286, -0.429]))
    """
    named = dict(models) if isinstance(models, Mapping) else {"model": models}
    if not named:
        raise ValueError("There is nobody to compare: give at least one model.")
    for taken in {"all", "none"} & set(named):
        raise ValueError(f"{taken!r} is what the curve calls acting on {taken}. Give the model another name.")
    asked = {name: model for name, model in named.items() if not _is_chances(model)}
    if costs is None:
        known = (own_costs(model) for model in asked.values())
        costs = next((found for found in known if found is not None), Costs())
    labels = np.asarray(y)
    classes = next((as_model(model).classes for model in asked.values()), np.unique(labels))
    place = positive_class(classes, costs, positive)
    assert classes is not None  # positive_class
    for name, model in asked.items():
        check_classes(name, as_model(model).classes, classes)
    judged = {
        name: judge(model, X, costs, place) if name in asked else _chances(name, model, len(labels))
        for name, model in named.items()
    }
    actual = class_numbers(y, classes, len(next(iter(judged.values())).chances)) == place
    return curve_of(judged, actual, classes, place, costs, thresholds, value, sample_weight)


def positive_class(classes: NDArray[Any] | None, costs: Costs, positive: Any = None) -> int:
    """Return the number of the class that is looked for, of two."""
    if classes is None or len(classes) != 2:
        what = "numbers" if classes is None else f"{len(classes)} classes"
        raise ValueError(f"A decision curve is of two classes, one of which is looked for. Got {what}.")
    if positive is None:
        loss = costs.error_matrix(classes)
        return int(loss[0, 1] - loss[0, 0] <= loss[1, 0] - loss[1, 1])
    texts = [str(label) for label in classes.tolist()]
    if str(positive) not in texts:
        meant = close_names(str(positive), texts, most=1)
        hint = f" Did you mean {meant[0]!r}?" if meant else ""
        raise ValueError(f"There is no class {positive!r}; there are {quoted(texts)}.{hint}")
    return texts.index(str(positive))


def check_classes(name: str, own: NDArray[Any] | None, classes: NDArray[Any]) -> None:
    """Raise unless a model tells these two classes apart, in this order."""
    if own is None or own.tolist() != classes.tolist():
        came = "answers numbers" if own is None else f"tells {quoted(map(str, own.tolist()))} apart"
        raise ValueError(
            f"No curve shows both: {name} {came}, and the curve is of {quoted(map(str, classes.tolist()))}."
        )


def judge(model: Any, X: Any, costs: Costs, place: int) -> Judged:
    """Return the chance of a class, by its number, of every case, and what its tests cost."""
    asked, table = as_model(model).read(X)
    return Judged(asked.shares_of(table)[:, place], bill(model, X, None, costs).test_cost)


def curve_of(
    judged: Mapping[str, Judged],
    actual: NDArray[np.bool_],
    classes: NDArray[Any],
    place: int,
    costs: Costs,
    thresholds: Sequence[float] | None = None,
    value: float | None = None,
    sample_weight: Any = None,
) -> DecisionCurve:
    """Make the curve of what models said about cases, of which is known whether they are positive."""
    grid = np.array(THRESHOLDS if thresholds is None else thresholds, dtype=float)
    if grid.ndim != 1 or not len(grid) or not ((grid >= 0.0) & (grid < 1.0)).all():
        raise ValueError("thresholds are one or more numbers that are at least 0, and less than 1.")
    gain, harm = stakes(classes, place, costs)
    if value is None:
        paid = any(one.test_cost.any() for one in judged.values())
        if paid and not costs.names_errors:
            raise ValueError(
                "Tests have prices, and nothing says what finding a positive case is worth beside them. Pass "
                "costs with errors, or value=..., in the unit of the prices."
            )
        value = gain
    if not (math.isfinite(value) and value > 0.0):
        raise ValueError(
            f"Finding a case of {category_text(classes[place])} must be worth more than 0 and something "
            f"finite. Got {value:g}."
        )
    own = harm / (harm + gain) if costs.names_errors and harm >= 0.0 else None
    return DecisionCurve(
        judged,
        np.asarray(actual, dtype=bool),
        case_weights(sample_weight, len(actual)),
        classes.tolist()[place],
        classes.tolist()[1 - place],
        np.sort(grid),
        float(value),
        own,
        costs,
    )


def stakes(classes: NDArray[Any], place: int, costs: Costs) -> tuple[float, float]:
    """Return what finding a positive case gains, and what acting on a negative one costs."""
    loss, other = costs.error_matrix(classes), 1 - place
    return float(loss[place, other] - loss[place, place]), float(loss[other, place] - loss[other, other])


def _is_chances(model: Any) -> bool:
    return not hasattr(model, "predict") and hasattr(model, "__len__")


def _chances(name: str, given: Any, n_rows: int) -> Judged:
    """Check probabilities that somebody else computed."""
    chances = np.asarray(given, dtype=float)
    if chances.shape != (n_rows,) or not ((chances >= 0.0) & (chances <= 1.0)).all():
        raise ValueError(
            f"{name!r} is neither a model nor a probability, from 0 to 1, for each of the {n_rows} cases."
        )
    return Judged(chances, np.zeros(n_rows))
