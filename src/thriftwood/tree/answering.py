"""Which class a classification tree answers with, and whether the rest of a model goes with that.

Words
-----
cheapest
    The class with the least expected cost, by the error costs and the class shares where a case ends.
most likely
    The class with the largest share, whatever mistakes cost.
"""

from __future__ import annotations

from typing import Any, Literal

from thriftwood.tree.parameters import Choice, Rule, check
from thriftwood.tree.pruning import ExpectedCost
from thriftwood.tree.smoothing import SMOOTHING
from thriftwood.tree.weighing import PRICED

Answer = Literal["cheapest", "most_likely"]
LossInGrowth = Literal["altered_priors", "instance_weights"] | None

_PARAMETERS: dict[str, Rule] = {
    "answer": Choice(("cheapest", "most_likely")),
    "smoothing": SMOOTHING,
    "loss_in_growth": Choice((None, "altered_priors", "instance_weights")),
}


def check_answering(model: Any, *, has_errors: bool) -> None:
    """Refuse values out of bounds, and answers that the criterion or the pruning rule does not count on."""
    check(model, _PARAMETERS)
    if model.answer == "cheapest" or not has_errors:
        return
    weighing = PRICED.get(model.criterion)
    by_criterion = weighing is not None and weighing.in_money
    if not by_criterion and not isinstance(model.pruning, ExpectedCost):
        return
    who = f"criterion={model.criterion!r}" if by_criterion else "pruning=ExpectedCost()"
    raise ValueError(
        f"{model._owner} has answer='most_likely', but {who} weighs what the mistakes of the "
        "cheapest answers cost. Set answer='cheapest', or use another one."
    )
