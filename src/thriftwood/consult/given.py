"""Names and values as a user gives them, in the tree's terms: features and codes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Any

from thriftwood.models.model import Model
from thriftwood.models.tree.conditions import list_text
from thriftwood.table import Kind
from thriftwood.table.values import is_missing


class GivenValues:
    """Reads the values given for one case, and explains slips.

    Parameters
    ----------
    model : Model
        The model whose tests are meant.

    Examples
    --------
    >>> import thriftwood as tw
    >>> tree = tw.CostTreeClassifier().fit([[1, 5], [2, 5]], ["no", "yes"]).tree_
    >>> values = GivenValues(tree)
    >>> values.feature("x1"), values.code(1, 7), values.at_start({"x0": 1.5}, [])
    (1, 7.0, {0: 1.5})
    """

    def __init__(self, model: Model) -> None:
        self.model = model

    def at_start(self, known: Any, unavailable: Iterable[str]) -> dict[int, float]:
        """Give the code of every feature that is known, or known not to be had, before any question."""
        given: dict[int, float] = {}
        for name, value in named_values(known):
            feature = self.feature(name)
            if not is_missing(value):
                given[feature] = self.code(feature, value)
        for name in _names(unavailable):
            feature = self.feature(name)
            if feature in given:
                raise ValueError(f"{name!r} is known and unavailable at once. Leave it out of one of them.")
            given[feature] = self.model.columns[feature].encode(None)
        return given

    def feature(self, name: str) -> int:
        """Give the number of a feature."""
        index = self.model.feature_index
        if name not in index:
            near = get_close_matches(str(name), index, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"Tests: {list_text(self.model.features_used)}."
            raise ValueError(f"There is no test {name!r} in this tree's table. {hint}")
        return index[name]

    def code(self, feature: int, value: Any, *, allow_unseen: bool = False) -> float:
        """Encode a value; a category the tree does not know is an error unless `allow_unseen`."""
        column = self.model.columns[feature]
        code = column.encode(value)
        if column.kind is Kind.NUMERIC or is_missing(value) or allow_unseen or column.code_of(value) >= 0:
            return code
        near = get_close_matches(str(value), map(str, column.categories), n=1)
        hint = f"Did you mean {near[0]!r}?" if near else f"Categories: {list_text(column.categories)}."
        raise ValueError(
            f"{self.model.feature_names[feature]!r} has no category {value!r}. {hint} Give None if it is not "
            "available, or pass allow_unseen=True if it is a new category."
        )


def maps_names(values: Any) -> bool:
    """Tell whether something maps names to values: a dictionary, a pandas Series, a row of a database.

    Examples
    --------
    >>> maps_names({"age": 54}), maps_names(54), maps_names("age")
    (True, False, False)
    """
    if getattr(values, "ndim", 1) != 1:  # a whole pandas frame has items, too
        return False
    return callable(getattr(values, "items", None)) or callable(getattr(values, "keys", None))


def named_values(known: Any) -> Iterator[tuple[str, Any]]:
    """Give the names and values of whatever maps one to the other; nothing for None.

    Examples
    --------
    >>> list(named_values({"age": 54}))
    [('age', 54)]
    """
    if known is None:
        return iter(())
    if not maps_names(known):
        raise TypeError(
            f"known must map names of tests to values: a dictionary, or one row as a pandas Series. Got a "
            f"{type(known).__name__}."
        )
    if callable(getattr(known, "items", None)):
        return iter(known.items())
    return ((name, known[name]) for name in known.keys())  # noqa: SIM118, it is no dictionary


def _names(unavailable: Any) -> list[str]:
    if isinstance(unavailable, str) or not isinstance(unavailable, Iterable):
        raise TypeError(f"unavailable must be a list of names of tests. Got {unavailable!r}.")
    return list(unavailable)
