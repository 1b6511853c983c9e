"""`what_if`: one price turned through a range, and the tree learnt anew all the way."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

from thriftwood.base.progress import reported
from thriftwood.costs import Costs
from thriftwood.evaluation.whatif.paths import Path, Unseen, path_of
from thriftwood.evaluation.whatif.paying import asks, paid_at_most, wide
from thriftwood.evaluation.whatif.result import WhatIf
from thriftwood.evaluation.whatif.setting import check_numbers, held_out_parts, trees_of
from thriftwood.evaluation.whatif.trees import Trees
from thriftwood.evaluation.whatif.varied import Varied, check_prices, varied_of

PER_PATH = 100
"""What one way through the range counts in the progress bar."""


def what_if(
    X: Any,
    y: Any,
    costs: Costs,
    *,
    price: Mapping[Any, tuple[float, float]] | None = None,
    shared: Mapping[str, tuple[float, float]] | None = None,
    error: Mapping[tuple[Any, Any], tuple[float, float]] | None = None,
    learner: Any = None,
    folds: int = 5,
    random_state: int = 0,
    progress: bool | Callable[[int, int], object] = False,
    sample_weight: Any = None,
) -> WhatIf:
    """Say where the tree changes if a price does, and what a case costs along the way.

    One number of the price list is turned through a range, and the tree is learnt anew wherever that matters:
    from all cases, which tells where it changes, and by folds, which tells what an unseen case costs.

    Parameters
    ----------
    X, y, sample_weight
        As for ``fit``: the cases, their classes, how much each counts.
    costs : Costs
        The price list; everything but the number that is turned stays as it says.
    price : mapping of str to (low, high)
        One test and the range of its price: ``{"FTI": (18, 60)}``.
    shared : mapping of str to (low, high)
        Instead: a shared resource and the range of its price.
    error : mapping of (true class, answer) to (low, high)
        Instead: a mistake and the range of what it costs: ``{("sick", "healthy"): (50, 500)}``.
    learner : str or estimator, optional
        What learns a single tree, by name or as it is made; its costs are replaced. None: the best tree of at
        most three tests on a path, or of two if that is clearly cheaper on unseen cases at today's costs,
        with a fee for every leaf.
    folds : int
        Parts of the cases, each billed by trees of the others. Of more than 3,000 cases there is one part, a
        quarter of them.
    random_state : int
        Deals the cases into folds.
    progress : bool or callable
        True: a bar on standard error. A callable is called with what is done and what there is to do.

    Returns
    -------
    WhatIf
        After Ctrl-C: what was found by then, with ``interrupted`` set and a warning.

    Raises
    ------
    ValueError
        If there is no such test, resource or mistake, or no such range.

    Notes
    -----
    Flips are exact where the tree of the least cost is learnt, as by default and by `OptimalTreeClassifier`
    (without rollouts, smoothing and a time limit; with a budget for error costs alone): what each tree costs
    is a straight line, and no tree of the range is missed. Of trees that cost the same all the way the first
    one found stands for all. Any other learner is tried at 65 numbers of the range, and where two neighbours
    differ what is between them is halved up to 12 digits; a tree that comes and goes between two of the 65 is
    not seen.

    Examples
    --------
    Ten cases, one test, mistakes cost 10. Asked, the test is right about everybody; nobody asked, the four
    sick are taken for well, 4 x 10 / 10 = 4 a case. So up to a price of 4 it is bought, and not beyond.

    >>> import thriftwood as tw
    >>> X, y = [[0]] * 6 + [[1]] * 4, ["well"] * 6 + ["sick"] * 4
    >>> costs = tw.Costs({"x0": 1}, errors_default=10)
    >>> learner = tw.OptimalTreeClassifier(max_depth=1)
    >>> found = tw.what_if(X, y, costs, price={"x0": (0, 10)}, learner=learner, folds=2)
    >>> [flip.at for flip in found.flips], found.break_even
    ([4.0], 4.0)
    >>> print(found.sentence)
    x0 is bought by everybody up to 4 and by nobody beyond. An unseen case costs 0 at 0 and 4 at 10; testing
    nobody costs 4.
    """
    check_numbers("what_if", folds, random_state)
    prices = check_prices(costs, "what_if")
    given = {"price": price, "shared": shared, "error": error}
    kind = next((name for name, one in given.items() if one is not None), "price")
    trees = trees_of(X, y, prices, learner, kind, folds, random_state, sample_weight)
    varied = varied_of(given, prices, trees.columns, trees.classes)  # type: ignore[arg-type]
    held = held_out_parts(trees, folds, random_state)
    total = PER_PATH * (len(held) + 1)
    parts: list[tuple[Any, Path]] = []
    break_even, interrupted = None, False
    with reported(progress, "following the tree") as tell:

        def told(number: int) -> Callable[[float], object]:
            return lambda share: tell and tell(PER_PATH * number + int(PER_PATH * share), total)

        main = path_of(trees, varied, trees.weights, told(0))
        interrupted = main.interrupted
        try:
            if not interrupted and varied.kind != "error":
                break_even = _break_even(trees, varied)
            for number, part in enumerate(held if not interrupted else (), 1):
                told(number)(0.0)
                path = path_of(trees, varied, part.weights, told(number), roughly=True)
                if path.interrupted:
                    raise KeyboardInterrupt
                parts.append((part, path))
            told(len(held) + 1)(0.0)
        except KeyboardInterrupt:
            interrupted = True
    if interrupted:
        what = "of the range" if main.interrupted else f"of the {len(held)} folds"
        kept = "the part" if main.interrupted else f"{len(parts)}"
        warnings.warn(f"Ctrl-C was pressed; kept is {kept} {what} that was done.", stacklevel=2)
    unseen = Unseen(trees, varied, parts)
    return WhatIf(varied, trees, main, unseen, break_even, len(held), interrupted)


def _break_even(trees: Trees, varied: Varied) -> float:
    """Return the most that should be paid for what is varied."""
    own = wide(varied, trees)
    columns = tuple(
        place for place, name in enumerate(trees.columns) if name in varied.needed_by(trees.costs)
    )
    begin = trees.learnt(own, own.value(trees.costs, trees.classes), trees.weights)
    without = begin
    if asks(begin, columns):
        without = trees.without(columns).learnt(own, own.low, trees.weights)
        trees.n_fits += 1
    return paid_at_most(trees, own, columns, begin, without)
