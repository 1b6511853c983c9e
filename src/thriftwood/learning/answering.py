"""Which class a classification tree answers with, and whether the rest of a model goes with that.

Words
-----
cheapest
    The class with the least expected cost, by the error costs and the class shares where a case ends.
most likely
    The class with the largest share, whatever mistakes cost.

Answers by likelihood are grown and pruned without a loss: every mistake counts alike. Rules and criteria
that weigh prices against the mistakes of the cheapest answers refuse them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from thriftwood.base.advice import advised
from thriftwood.base.parameters import Choice, Rule, check
from thriftwood.base.remedies import SetParameter
from thriftwood.costs import CostError
from thriftwood.costs.further import refuse_both
from thriftwood.costs.names import quoted
from thriftwood.learning.criteria import facts_of
from thriftwood.learning.pruning import ExpectedCost
from thriftwood.learning.smoothing import SMOOTHING
from thriftwood.learning.weighing import LEAF_COST, TOTAL_COST, has_errors, has_prices

Answer = Literal["cheapest", "most_likely"]
LossInGrowth = Literal["altered_priors", "instance_weights"] | None

_PARAMETERS: dict[str, Rule] = {
    "answer": Choice(("cheapest", "most_likely")),
    "smoothing": SMOOTHING,
    "loss_in_growth": Choice((None, "altered_priors", "instance_weights")),
}


def check_answering(model: Any, *, knows_errors: bool) -> None:
    """Refuse values out of bounds, and answers that the criterion or the pruning rule does not count on."""
    check(model, _PARAMETERS)
    if model.answer == "cheapest" or not knows_errors:
        return
    facts = facts_of(model.criterion)
    if not facts.in_money and not isinstance(model.pruning, ExpectedCost):
        return
    who = f"criterion={facts.name!r}" if facts.in_money else "pruning=ExpectedCost()"
    raise advised(
        ValueError,
        f"{model.owner} has answer='most_likely', but {who} weighs what the mistakes of the cheapest "
        "answers cost. ",
        SetParameter("answer", ("cheapest",)),
        ", or use another one.",
    )


def check_further(model: Any, further: Sequence[str]) -> None:
    """Refuse settings for which there are no answers but the classes."""
    if not further:
        return
    said = f"By costs there is the answer {quoted(further)}, which is no class, and {model.owner} has "
    if model.answer != "cheapest":
        raise advised(
            CostError,
            f"{said}answer={model.answer!r}, which answers with classes alone. ",
            SetParameter("answer", ("cheapest",)),
            ", or take the answer out of costs.",
        )
    if model.loss_in_growth is not None:
        raise advised(
            CostError,
            f"{said}loss_in_growth={model.loss_in_growth!r}, by which cases count as much as their mistakes "
            "cost. ",
            SetParameter("loss_in_growth", (None,)),
            ", with a criterion in money such as 'min-total-cost'.",
        )
    if facts_of(model.criterion).name == "gini-loss":
        raise advised(
            CostError,
            f"{said}criterion='gini-loss', which counts mistakes between classes. ",
            SetParameter("criterion", (LEAF_COST, "min-total-cost")),
            ".",
        )


def check_by_row(model: Any) -> None:
    """Refuse what cannot be together with error costs by row."""
    owner = model.owner
    if model.costs is not None and has_errors(model.costs):
        refuse_both(owner, model.costs)
    if model.answer != "cheapest":
        raise ValueError(
            f"{owner} has answer={model.answer!r}, and fit was given error_costs by row, for which trees "
            "answer what costs least. Set answer='cheapest', or leave error_costs out."
        )
    if model.loss_in_growth is not None:
        raise ValueError(
            f"{owner} has loss_in_growth={model.loss_in_growth!r}, by which cases count as much as mistakes "
            "with their class cost, and fit was given error_costs by row, by which each counts as much as "
            "its own answers differ. Set loss_in_growth=None, or leave error_costs out."
        )
    if isinstance(model.pruning, ExpectedCost) and model.costs is not None and has_prices(model.costs):
        raise ValueError(
            f"{owner} has pruning=ExpectedCost(), which adds prices to what mistakes cost a case of each "
            "class, and cannot take error_costs by row where tests have prices. Use pruning=ExpectedLoss(), "
            "which counts mistakes alone, or leave error_costs out."
        )
    facts = facts_of(model.criterion)
    if facts.asks_prices and facts.in_money:
        _check_in_money_by_row(model, facts.name)


def _check_in_money_by_row(model: Any, criterion: str) -> None:
    """Refuse what cannot add prices to error costs by row."""
    if criterion != TOTAL_COST:
        raise ValueError(
            f"criterion={criterion!r} adds prices to what mistakes cost a case of each class, and cannot "
            f"take error_costs by row. Use criterion={TOTAL_COST!r}, which adds them to what mistakes cost "
            f"each case, or {LEAF_COST!r}, which counts mistakes alone."
        )
    if getattr(model.criterion, "allow_negative", False):
        raise ValueError(
            f"{model.owner} has MinTotalCost(allow_negative=True), which goes on until a node has one class, "
            "and fit was given error_costs by row, which have no such end. Set allow_negative=False, or "
            "leave error_costs out."
        )
    if model.pruning is not None:
        raise ValueError(
            f"{model.owner} has pruning={model.pruning!r} with criterion={criterion!r}, which stops where no "
            "test pays for itself; with error_costs by row it is not pruned. Set pruning=None, or "
            f"criterion={LEAF_COST!r}."
        )
    if model.part_of is not None:
        raise ValueError(
            f"{model.part_of} with criterion={criterion!r} draws cases by their votes, and cannot add prices "
            f"to error_costs by row. Use criterion={LEAF_COST!r}, which counts mistakes alone."
        )
