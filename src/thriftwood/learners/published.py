"""Published learners by name: `algorithm("c45")` is an estimator with the settings of its authors.

To add a learner: one `Entry` in the list of its family, `entries.py`, `error_costs.py`, `test_costs.py` or
`look_ahead.py` for trees, `optimal.py` for searched ones, `evolution.py` for evolved ones, `ensembles.py` for
ensembles, `baselines.py` for what one would do without a tree; a new family has a list of its own, added
here.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from thriftwood.base.advice import advised
from thriftwood.base.parameters import nearest
from thriftwood.base.remedies import SetInside
from thriftwood.costs import Costs
from thriftwood.costs.selecting import names_prices
from thriftwood.learners.baselines import BASELINES
from thriftwood.learners.ensembles import ENSEMBLES
from thriftwood.learners.entries import BASE_LEARNERS, Entry, Translation, same
from thriftwood.learners.error_costs import ERROR_LEARNERS
from thriftwood.learners.evolution import EVOLVED_LEARNERS
from thriftwood.learners.gated import GATED_LEARNERS
from thriftwood.learners.look_ahead import SAMPLED_LEARNERS
from thriftwood.learners.optimal import OPTIMAL_LEARNERS
from thriftwood.learners.streams import STREAM_LEARNERS
from thriftwood.learners.test_costs import PRICED_LEARNERS
from thriftwood.learning.budget import no_budget_of_each
from thriftwood.learning.criteria import VALUE_OBJECTS, WEIGHTS, facts_of, is_known, unused, users_of
from thriftwood.learning.growth import Growth
from thriftwood.learning.look_ahead import LookAhead
from thriftwood.learning.moved import MOVED
from thriftwood.models import Tree
from thriftwood.models.fixed_panel import FixedPanelModel

ALGORITHMS: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        *BASE_LEARNERS,
        *ERROR_LEARNERS,
        *PRICED_LEARNERS,
        *SAMPLED_LEARNERS,
        *GATED_LEARNERS,
        *OPTIMAL_LEARNERS,
        *EVOLVED_LEARNERS,
        *ENSEMBLES,
        *STREAM_LEARNERS,
        *BASELINES,
    )
}


OWN = "thrift"
"""Our own learner: what one gets who names none."""


def default_name(costs: Costs | None) -> str:
    """Return the learner for those who name none.

    Our own, wherever tests or mistakes have prices. It refuses upfront payment, for which branches cannot be
    searched apart; of the trees that do not, ``"min-total-cost"`` weighs prices and mistakes without a
    setting. Without any price ``"c45"`` grows the tree that most people know.

    Examples
    --------
    >>> default_name(Costs({"age": 1})), default_name(Costs({"age": 1}, payment="upfront"))
    ('thrift', 'min-total-cost')
    >>> default_name(Costs()), default_name(None)
    ('c45', 'c45')
    """
    if costs is None or not (names_prices(costs) or costs.names_errors):
        return "c45"
    return OWN if costs.payment == "sequential" else "min-total-cost"


def algorithm(name: str | None = None, **settings: Any) -> Any:
    """Return an estimator with the settings of a published learner.

    Parameters
    ----------
    name : str, optional
        Such as ``"c45"``, ``"csgain"`` or ``"metacost"``; `algorithms` lists them. None: our own,
        ``"thrift"``, unless the `costs` among the settings want another (`default_name`).
    **settings
        Changes: parameters of the estimator, of its criterion, of its `Growth` and of its pruning rule by
        their own names or as ``set_params`` has them (``gamma``, ``criterion__gamma``), and the names that
        the learner's authors gave their options.

    Returns
    -------
    CostTreeClassifier, or the ensemble that the learner is
        Not fitted yet.

    Examples
    --------
    >>> algorithm("c45", cf=0.1, min_weight=5).pruning
    Pessimistic(cf=0.1)
    >>> algorithm("id3", max_depth=3).growth.max_depth
    3
    >>> algorithm("eg2", w=0.5).criterion
    Eg2(w=0.5)
    >>> algorithm(costs=Costs({"age": 1}, errors_default=50))
    ThriftClassifier(costs=Costs(tests={'age': 1}, errors_default=50))
    """
    if name is None:
        name = OWN if settings.get("costs") is None else default_name(settings["costs"])
    entry = ALGORITHMS.get(name) if isinstance(name, str) else None
    if entry is None:
        hint = _did_you_mean(str(name))
        raise ValueError(
            f"There is no algorithm {name!r}.{hint} Choices: {', '.join(map(repr, ALGORITHMS))}."
        )
    model = entry.make()
    # Whole objects first, so that a setting of the pruning rule finds the rule that was asked for.
    if "criterion" in settings and "criterion" in model.get_params(deep=False):
        model.set_params(**_places(entry, model)["criterion"](settings.pop("criterion")))
    for whole in _OBJECTS:
        if whole in settings and whole in (places := _places(entry, model)):
            model.set_params(**places[whole](_object(name, whole, settings.pop(whole))))
    places = _places(entry, model)
    translated = []
    for setting, value in settings.items():
        if setting in places:
            translated.append(places[setting](value))
        elif _reaches_in(model, setting):
            translated.append({setting: value})
        else:
            raise _unknown(name, model, setting, value, places)
    # A parameter given by its own name wins over one that another option implies, whichever comes first.
    for parameters in sorted(translated, key=len, reverse=True):
        model.set_params(**parameters)
    return model


_OBJECTS = {
    "growth": SetInside("Growth", "max_depth", 3),
    "pruning": SetInside("Pessimistic", "cf", 0.1),
    "look_ahead": SetInside("LookAhead", "r", 5),
    "evolution": SetInside("Evolution", "trials", 5000),
}
"""Settings that are objects with settings of their own, and an example of each."""


def _object(name: str, setting: str, value: Any) -> Any:
    """Return what came for such a setting, if it is one."""
    if value is None or (hasattr(value, "get_params") and not isinstance(value, type)):
        return value
    raise advised(
        TypeError,
        f"The setting {setting!r} of the algorithm {name!r} is an object, ",
        _OBJECTS[setting],
        f". Got {value!r} of type {type(value).__name__}.",
    )


def _did_you_mean(name: str) -> str:
    """Return " Did you mean ...?" for another spelling of a name, such as "C4.5" or "CS_ID3"."""
    same_letters = [known for known in ALGORITHMS if _letters(known) == _letters(name)]
    return f" Did you mean {same_letters[0]!r}?" if same_letters else nearest(name.lower(), ALGORITHMS)


def _reaches_in(model: Any, setting: str) -> bool:
    """Tell whether a setting is spelt as for ``set_params`` and grid searches, ``criterion__gamma``."""
    whole, inside, _ = setting.partition("__")
    return bool(inside) and whole in model.get_params(deep=False)


def _unknown(name: str, model: Any, setting: str, value: Any, places: Collection[str]) -> ValueError:
    """Return the error about a setting that a learner does not have."""
    criterion = getattr(model, "criterion", None)
    refused = f"The algorithm {name!r} has no setting {setting!r}."
    now = MOVED.get(setting.partition("__")[0], setting)
    if is_known(criterion):
        if setting in WEIGHTS:
            return ValueError(unused(f"The algorithm {name!r}", criterion, setting, value))
        if now in places and now in _OBJECTS:
            return advised(ValueError, f"{refused} It is {now!r} now, ", _OBJECTS[now], ".")
        if users := users_of(now):
            names = ", ".join(map(repr, users))
            own = facts_of(criterion).name
            return ValueError(f"{refused} The criterion {own!r} does not use it; these do: {names}.")
    if setting == "budget" and model.learns not in (Tree, FixedPanelModel):
        return ValueError(f"{refused} {no_budget_of_each(type(model).__name__)}")
    hint = _also_called(setting, places) or nearest(setting, places)
    return ValueError(f"{refused}{hint} Choices: {', '.join(sorted(places))}.")


_HOW_MANY = ("trees", "rounds", "bags", "n_estimators")
"""What learners of several trees call the number of them."""


def _also_called(setting: str, places: Collection[str]) -> str:
    """Return " Did you mean ...?" for the number of trees by the name that another learner has for it."""
    known = [repr(name) for name in _HOW_MANY if name in places]
    return f" Did you mean {' or '.join(known)}?" if setting in _HOW_MANY and known else ""


def _letters(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())


def _places(entry: Entry, model: Any) -> dict[str, Translation]:
    """Return what each setting's name stands for; of equal names the authors' wins, then the estimator's."""
    places = {setting: same(place) for setting, place in inner_parameters(model).items()}
    places |= {setting: same(setting) for setting in model.get_params(deep=False)}
    return places | dict(entry.names)


def inner_parameters(model: Any) -> dict[str, str]:
    """Return the parameters of a tree's pruning rule, growth, criterion and evolution: own and full name.

    Of equal names that of the criterion wins, then that of growth. Growth may be None so far, and the
    criterion given by name.

    Examples
    --------
    >>> inner_parameters(algorithm("c45"))["cf"]
    'pruning__cf'
    >>> inner_parameters(algorithm("act"))["r"]
    'criterion__look_ahead__r'
    """
    names: dict[str, str] = {}
    own = model.get_params(deep=False)
    for owner in ("pruning", "growth", "criterion", "evolution"):
        part = own.get(owner)
        if part is None and owner == "growth" and owner in own:
            part = Growth()
        if isinstance(part, str):
            part = VALUE_OBJECTS[part]() if part in VALUE_OBJECTS else None
        if hasattr(part, "get_params"):
            names |= {name: f"{owner}__{name}" for name in part.get_params(deep=False)}
    if "look_ahead" in names:
        names |= {name: f"{names['look_ahead']}__{name}" for name in LookAhead().get_params()}
    return names


class AlgorithmTable(tuple[Entry, ...]):
    """The published learners: a tuple of entries that prints as a table."""

    def __repr__(self) -> str:
        width = max(len(entry.name) for entry in self)
        return "\n".join(
            f"{title:<{width}}  {line}"
            for entry in self
            for title, line in ((entry.name, entry.sentence), ("", entry.formula), ("", entry.reference))
        )


def algorithms() -> AlgorithmTable:
    """List the published learners that `algorithm` knows.

    Examples
    --------
    >>> [entry.name for entry in algorithms()][:3]
    ['id3', 'c45', 'cart']
    """
    return AlgorithmTable(ALGORITHMS.values())
