"""What the page may learn by, in the words of the compiled core: learners of the library, no second list."""

from __future__ import annotations

from typing import Any, NamedTuple

from thriftwood.base.value_object import ValueObject
from thriftwood.learners import algorithm
from thriftwood.learners.published import ALGORITHMS
from thriftwood.learning import CostTreeClassifier, ExpectedCost, Pessimistic
from thriftwood.learning.criteria import facts_of, values_of, weight_of
from thriftwood.learning.growth import EXACT_ROWS

THRIFT = "thrift"
OFFERED = ("c45", "csgain", "eg2", "idx", "cs-id3", "min-total-cost", "cstree")
"""Single trees whose learning needs nothing but the core: no altered class weights, no pruning by folds."""
_FIELDS = (
    *("nominal", "missing", "order", "cut_at", "after_surrogates", "max_depth", "max_leaves"),
    *("min_split_weight", "min_branch_weight", "count_cases", "two_branches", "share_rule", "cut_penalty"),
    *("average_gain", "min_gap", "gain_floor", "min_decrease", "min_relative_gain", "slack"),
    *("reuse_nominal", "confidence", "bonferroni", "max_exhaustive", "many_categories", "max_surrogates"),
    *("surrogate_known_only", "bins"),
)


class Offered(NamedTuple):
    """A learner of the page."""

    name: str
    sentence: str
    settings: str
    """Lines for tables whose thresholds are exact."""
    settings_of_many: str
    """Lines for larger ones."""
    weight: str | None
    """The parameter that says what a unit of price weighs."""
    default_weight: float | None
    """None: there is none, and the page takes one by the prices."""

    def to_json(self) -> dict[str, Any]:
        """Return it as the script reads it."""
        return self._asdict()


def offered() -> list[Offered]:
    """Return the learners of the page, our own first.

    Examples
    --------
    >>> [learner.name for learner in offered()][:3]
    ['thrift', 'c45', 'csgain']
    """
    own = (
        "The tree with the lowest bill on cases that it was not learnt from, or no test at all. Trees alone: "
        "the score cards of thriftwood fit may cost less."
    )
    return [Offered(THRIFT, own, "", "", None, None), *map(_published, OFFERED)]


def forest_lines() -> str:
    """Return how a tree of the forest is grown that answers today's panel; features are drawn besides.

    Examples
    --------
    >>> forest_lines().splitlines()[:2]
    ['criterion=gini', 'nominal=binary']
    """
    return settings_lines(CostTreeClassifier(), 1)


def settings_lines(model: CostTreeClassifier, n_rows: int) -> str:
    """Return how a classifier learns, as ``wasm/learning.cpp`` reads it.

    Examples
    --------
    >>> settings_lines(algorithm("c45"), 100).splitlines()[:2]
    ['criterion=gain_ratio', 'nominal=multiway']
    """
    settings = model.core_settings(n_rows)
    facts = facts_of(model.checked_criterion())
    pairs: list[tuple[str, Any]] = [("criterion", facts.name)]
    pairs += [(name, getattr(settings, name)) for name in _FIELDS]
    pairs += [("reuse_is_free", model.cost_reuse == "effective")]
    for parameter, value in values_of(model.criterion):
        if value is not None:
            pairs.append((f"parameter.{parameter.name}", value))
    pairs += _pruning(model.pruning)
    return "".join(f"{name}={_word(value)}\n" for name, value in pairs)


def _published(name: str) -> Offered:
    model = algorithm(name)
    weight = weight_of(model.checked_criterion())
    given = {parameter.name: value for parameter, value in values_of(model.criterion)}
    return Offered(
        name,
        ALGORITHMS[name].sentence,
        settings_lines(model, 1),
        settings_lines(model, EXACT_ROWS + 1),
        None if weight is None else weight.name,
        None if weight is None else given[weight.name],
    )


def _pruning(rule: ValueObject | None) -> list[tuple[str, Any]]:
    if rule is None:
        return [("pruning", "none")]
    if isinstance(rule, Pessimistic) and rule.z == "table":
        own = ("cf", rule.cf), ("subtree_raising", rule.subtree_raising), ("collapse", rule.collapse)
        return [("pruning", "pessimistic"), *own]
    if isinstance(rule, ExpectedCost) and rule.z == "table":
        return [("pruning", "expected_cost"), ("cf", rule.cf)]
    raise ValueError(f"The page prunes by Pessimistic and ExpectedCost with z='table', got {rule!r}.")


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return repr(float(value)) if isinstance(value, float) else str(value)
