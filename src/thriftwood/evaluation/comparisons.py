"""`compare`: several learners on one table, by what a case costs them."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

import joblib
import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier

from thriftwood.base.advice import Advice, advice_of, advised
from thriftwood.base.interrupts import ending_all
from thriftwood.base.progress import Progress, reported
from thriftwood.baselines import NobodyClassifier, TodayClassifier
from thriftwood.baselines.base import PanelLearner
from thriftwood.costs import Costs
from thriftwood.costs.names import class_name
from thriftwood.costs.reasonable import remarks
from thriftwood.ensembles.base import Ensemble
from thriftwood.evaluation.billing import charged_answers, places_among
from thriftwood.evaluation.folds import folds_of
from thriftwood.evaluation.ranking import Contender, Ranking
from thriftwood.evolution.base import EvolvedTree
from thriftwood.learners import algorithm, algorithms
from thriftwood.learning import LookAhead, OptimalTreeClassifier, fit_many
from thriftwood.learning.class_tree import ClassTree
from thriftwood.learning.targets import class_labels
from thriftwood.models.conversion import as_model, is_ours, own_costs
from thriftwood.models.model import Model
from thriftwood.models.own_answers import answers_itself
from thriftwood.table.rows import take_rows, without_column

Learner: TypeAlias = ClassTree | Ensemble | PanelLearner
Folds: TypeAlias = NDArray[np.intp]
HeldOut: TypeAlias = tuple[NDArray[np.float64], NDArray[np.intp], float]


def compare(
    models: Mapping[str, Any] | Iterable[str] | None,
    X: Any,
    y: Any,
    costs: Costs | None = None,
    *,
    cv: int = 10,
    random_state: Any = 0,
    n_jobs: int | None = None,
    progress: bool | Progress = False,
    each: Callable[[Contender], object] | None = None,
) -> Ranking:
    """Rank learners by what a case costs, tests and errors together, on cases they have not seen.

    Every learner is cross-validated on the same folds. A case pays an ensemble for the tests that any of its
    models asks, each once.

    Parameters
    ----------
    models : mapping of name to classifier, list of names, or None
        The learners: ours, or any of scikit-learn's kind, which pay as `bill` charges them (trees of
        scikit-learn and LightGBM for what their paths read, others for every column). Names alone are those
        of `algorithms`, and None means all of them. They are not changed.
    X, y
        As for ``fit``.
    costs : Costs, optional
        What is charged, and what learners without costs of their own learn with. None: the costs of the
        models, which must be the same; if they have none, tests are free and every mistake costs 1.
    cv : int
        The number of folds, at least 2. Classes are spread evenly.
    random_state : int, RandomState or None
        Shuffles the cases before they are dealt into folds, and seeds learners without a seed of their own.
    n_jobs : int, optional
        Threads; None: as each model says. The result is the same for any number.
    progress : bool or callable
        True: a bar on standard error. A function is called with the number of learners done and of all.
    each : callable, optional
        Called with every `Contender` when it is finished. Quick learners come first.

    Returns
    -------
    Ranking
        Cheapest first, with 95 % intervals. Testing nobody is a row among them, and so is today where the
        costs say what is done today (a column of today's answers is for that row alone). A learner that does
        not take the table or the costs is in ``refused`` with its reason. After Ctrl-C: of the learners that
        were finished, with a warning and the others in ``unfinished``.

    Raises
    ------
    ValueError
        If there is no such learner, none takes the table, the table is too small, or the models have
        different costs and nothing says which of them are charged.
    KeyboardInterrupt
        After Ctrl-C, if no learner was finished.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> costs = golf.costs.replace(errors_default=20)
    >>> ranking = compare(["c45", "eg2"], golf.X, golf.y, costs, cv=3)
    >>> [contender.name for contender in ranking], ranking.table["name"].tolist()
    (['c45', 'eg2'], ['nobody', 'c45', 'eg2'])
    """
    named = _learners(models)
    costs = _common_costs(named) if costs is None else costs
    learners = {name: ready_learner(model, costs, random_state, n_jobs) for name, model in named.items()}
    learners = dict(sorted(learners.items(), key=lambda item: _pace(item[1])))  # the quick ones first
    classes, labels = class_labels(y, len(y))
    fold = folds_of(labels, cv, random_state)
    matrix, further = costs.error_matrix(classes), costs.further_answers(classes)
    found: list[Contender] = []
    refused: dict[str, Advice] = {}
    unfinished: tuple[str, ...] = ()
    of_costs = remarks(matrix, [class_name(label) for label in classes.tolist()], further)
    said = dict.fromkeys(of_costs, False)
    answered = costs.today.answers if costs.today is not None else None
    X_today, X = X, X if answered is None else without_column(X, answered)
    rest = y, costs, labels, fold, matrix
    with _warnings_named("nobody", said):
        nobody = _contender("nobody", NobodyClassifier(costs), X, *rest)
    today: Contender | None = None
    if costs.today is not None:
        try:
            with _warnings_named("today", said):
                today = _contender("today", TodayClassifier(costs), X_today, *rest)
        except (ValueError, OSError) as error:
            refused["today"] = advice_of(error)
    with reported(progress, "learners") as tell, ending_all():
        try:
            for name, model in learners.items():
                if tell is not None:
                    tell(len(found) + len(refused), len(learners))
                try:
                    with _warnings_named(name, said):
                        found.append(_contender(name, model, X, *rest))
                    if each is not None:
                        each(found[-1])
                except ValueError as error:
                    refused[name] = advice_of(error)
            if tell is not None:
                tell(len(learners), len(learners))
        except KeyboardInterrupt:
            if not found:
                raise KeyboardInterrupt from None  # the traceback of the pressing says nothing
            finished = {contender.name for contender in found} | set(refused)
            unfinished = tuple(name for name in learners if name not in finished)
    if unfinished:
        warnings.warn(
            f"Interrupted: {len(found)} of {len(learners)} learners were finished and are kept.", stacklevel=2
        )
    if not found:
        name, reason = next(iter(refused.items()))
        raise advised(ValueError, f"No learner takes this table with these costs. {name}: ", reason)
    untested = np.bincount(labels) @ matrix / len(labels)
    own = {one.name: one for one in found if isinstance(learners[one.name], NobodyClassifier)}
    return Ranking(
        contenders=tuple(sorted(found, key=lambda contender: contender.mean_cost)),
        refusals=refused,
        n_cases=len(labels),
        n_folds=int(fold.max()) + 1,
        untested_cost=float(untested.min()),
        unfinished=unfinished,
        nobody=next(iter(own.values()), nobody),
        today=today,
        costs=costs,
    )


def _learners(models: Mapping[str, Any] | Iterable[str] | None) -> dict[str, Any]:
    if models is None:
        return {entry.name: entry.make() for entry in algorithms()}
    if isinstance(models, Mapping):
        named = dict(models)
    else:
        named = {name: algorithm(name) for name in ([models] if isinstance(models, str) else models)}
    for name, model in named.items():
        if not (hasattr(model, "get_params") and hasattr(model, "fit") and is_classifier(model)):
            raise TypeError(
                f"compare takes classifiers, ours or of scikit-learn's kind, and {name!r} is a "
                f"{type(model).__name__}."
            )
    if not isinstance(named.get("nobody", NobodyClassifier()), NobodyClassifier):
        raise ValueError("'nobody' is what the ranking calls testing nobody. Give the learner another name.")
    if "today" in named:
        raise ValueError("'today' is what the ranking calls today's practice. Give the learner another name.")
    if not named:
        raise ValueError("There is nothing to compare: give at least one learner.")
    return named


def _common_costs(models: Mapping[str, Any]) -> Costs:
    """Return the costs that all models with costs have."""
    found = {name: own_costs(model) for name, model in models.items()}
    own = {name: costs for name, costs in found.items() if costs is not None}
    first, costs = next(iter(own.items()), ("", Costs()))
    for name, other in own.items():
        if other != costs:
            raise ValueError(
                f"{first!r} and {name!r} have different costs, so nothing says what a case is charged. "
                "Say costs=, the costs to compare them by."
            )
    return costs


@contextmanager
def _warnings_named(name: str, said: dict[str, bool]) -> Iterator[None]:
    """Prefix warnings with the name of the learner, and repeat none.

    `said` maps texts to True once a learner has warned of them; to False if they are about the costs, and so
    about no learner.
    """
    with warnings.catch_warnings(record=True) as caught:
        yield
    for one in caught:
        lead = "" if str(one.message) in said else f"{name}: "
        told = advised(one.category, lead, advice_of(one.message))
        if not said.get(str(told)):
            said[str(told)] = True
            warnings.warn(told, stacklevel=4)  # the line that called compare


def _pace(model: Any) -> int:
    """Return how soon a learner is done, roughly: single trees, then several models, then searches."""
    if isinstance(model, EvolvedTree | OptimalTreeClassifier) or hasattr(model, "look_ahead"):
        return 3
    if isinstance(getattr(getattr(model, "criterion", None), "look_ahead", None), LookAhead):
        return 3
    if isinstance(model, ClassTree):
        return 0 if model.grows_one_tree or isinstance(model, NobodyClassifier) else 1
    return 1 if isinstance(model, PanelLearner) else 2


def ready_learner(model: Any, costs: Costs, random_state: Any, n_jobs: int | None) -> Any:
    """Return a model of its own with what it leaves open; in a pipeline, each step has it."""
    own = clone(model)
    for one in (own, *(step for _, step in getattr(own, "steps", ()))):
        if not hasattr(one, "get_params"):
            continue  # a step that passes everything through
        settings = one.get_params(deep=False)
        given = {"random_state": random_state} | ({"costs": costs} if is_ours(one) else {})
        unset = {name: value for name, value in given.items() if settings.get(name, value) is None}
        if n_jobs is not None and "n_jobs" in settings:
            unset["n_jobs"] = n_jobs
        one.set_params(**unset)
    return own


def _contender(
    name: str,
    model: Any,
    X: Any,
    y: Any,
    costs: Costs,
    labels: NDArray[np.int32],
    fold: NDArray[np.intp],
    matrix: NDArray[np.float64],
) -> Contender:
    of_tree = isinstance(model, ClassTree) and model.always_a_tree and not answers_itself(model)
    held_out = _of_tree if of_tree else held_out_by
    test_cost, answers, leaves = held_out(model, X, y, costs, fold)
    return Contender(name, test_cost, matrix[labels, answers], answers == labels, fold, leaves)


def _of_tree(model: ClassTree, X: Any, y: Any, costs: Costs, fold: Folds) -> HeldOut:
    """Return what the tests of every held-out case cost, the class answered, and the mean leaves."""
    n_folds = int(fold.max()) + 1
    trees = fit_many(model, X, y, [fold != number for number in range(n_folds)])
    table = trees[0].table(X)
    threads = joblib.effective_n_jobs(model.n_jobs or 1)
    test_cost, answers = np.zeros(len(fold)), np.zeros(len(fold), dtype=np.intp)
    for number, tree in enumerate(trees):
        held_out = fold == number
        charged = tree.charge(table, costs, threads)
        test_cost[held_out] = charged.ledger.test_cost[held_out]
        answers[held_out] = charged_answers(tree, costs, charged.answers, truth=True)[1][held_out]
    return test_cost, answers, float(np.mean([tree.n_leaves for tree in trees]))


def held_out_by(model: Any, X: Any, y: Any, costs: Costs, fold: Folds, **more: Any) -> HeldOut:
    """Return the same for any other classifier, and as leaves those of all its trees; NaN if it has none."""
    labels = np.asarray(y)
    test_cost, answers, leaves = np.zeros(len(fold)), np.zeros(len(fold), dtype=np.intp), []
    for number in range(int(fold.max()) + 1):
        learnt, held_out = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        paid, given, own = answered_by(model, X, labels, costs, learnt, held_out, **more)
        test_cost[held_out], answers[held_out] = paid, given
        leaves.append(own)
    return test_cost, answers, float(np.mean(leaves))


def answered_by(
    model: Any,
    X: Any,
    labels: NDArray[Any],
    costs: Costs,
    learnt: Folds,
    held_out: Folds,
    classes: NDArray[Any] | None = None,
    **of_cases: NDArray[Any] | None,
) -> HeldOut:
    """Learn from some rows; return what others pay for tests, what they are answered, and the leaves.

    `classes` are those of the answers, None: all of `labels`. `of_cases` are given to ``fit``, row by row.
    """
    classes = np.unique(labels) if classes is None else classes
    # Of these learners a class that no row has is no reason to refuse a price list which names it.
    own = model.knowing(classes) if isinstance(model, PanelLearner) else clone(model)
    given = {name: values[learnt] for name, values in of_cases.items() if values is not None}
    own.fit(take_rows(X, learnt), labels[learnt], **given)
    return answered(own, take_rows(X, held_out), costs, classes)


def answered(fitted: Any, X: Any, costs: Costs, classes: NDArray[Any]) -> HeldOut:
    """Return what cases pay for tests, which of these classes they are answered, and the leaves."""
    asked = as_model(fitted)
    charged = asked.charge(asked.table(X), costs)
    further, given = charged_answers(asked, costs, charged.answers, truth=True)
    assert asked.classes is not None  # a classifier
    answers = places_among(classes, asked.classes, further)[given]
    return charged.ledger.test_cost, answers, _n_leaves(asked)


def _n_leaves(model: Model) -> float:
    """Count the leaves of all trees that answer; NaN where there are none: stages of boosters only add up."""
    trees = [part.tree for part in model.parts] if model.parts_answer else []
    return sum(tree.n_leaves for tree in trees) if trees else math.nan
