"""The columns of a table in the order in which they were learnt."""

from __future__ import annotations

import warnings

from thriftwood.table.reading import Source

SHOWN = 5  # names listed in a message


def in_learnt_order(source: Source, names: tuple[str, ...] | None, n_features: int, owner: str) -> Source:
    """Return a table with its columns where they were at fit: by name, or by position where one has no names.

    Parameters
    ----------
    source : Source
        The table that came.
    names : tuple of str or None
        The names of the columns at fit.
    n_features : int
        Their number.
    owner : str
        The class that learnt them, for messages.

    Raises
    ------
    ValueError
        When columns are missing, or there are others.

    Examples
    --------
    >>> import numpy as np
    >>> came = Source((1, 2), ("age", "chol"), array=np.array([[54, 240]]))
    >>> in_learnt_order(came, ("chol", "age"), 2, "Encoder").array
    array([[240,  54]])
    """
    came = source.names
    if names is not None and came is not None:
        if names == came:
            return source
        if sorted(names) != sorted(came):
            raise names_error(names, came)
        place = {name: j for j, name in enumerate(came)}
        return source.arranged([place[name] for name in names])
    if source.shape[1] != n_features:
        raise ValueError(
            f"X has {source.shape[1]} features, but {owner} is expecting {n_features} features as input."
        )
    # The wording is scikit-learn's, so that its users' warning filters work.
    if came is not None:
        warnings.warn(f"X has feature names, but {owner} was fitted without feature names", stacklevel=3)
    elif names is not None:
        warnings.warn(
            f"X does not have valid feature names, but {owner} was fitted with feature names", stacklevel=3
        )
    return source


def names_error(learnt: tuple[str, ...], came: tuple[str, ...]) -> ValueError:
    """Say which names do not match, in scikit-learn's words."""
    message = "The feature names should match those that were passed during fit.\n"
    for title, names in (
        ("Feature names unseen at fit time:", sorted(set(came) - set(learnt))),
        ("Feature names seen at fit time, yet now missing:", sorted(set(learnt) - set(came))),
    ):
        if names:
            more = ["- ..."] if len(names) > SHOWN else []
            message += "\n".join([title, *(f"- {name}" for name in names[:SHOWN]), *more, ""])
    return ValueError(message)
