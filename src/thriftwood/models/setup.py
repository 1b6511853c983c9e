"""`Setup`: how a model is asked where a call does not say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Setup:
    """How a model is asked where a call does not say. No part of what was learnt: neither compared nor saved.

    Parameters
    ----------
    n_threads : int
        Threads of the core.
    refuses_missing : bool
        Whether a missing value in a table is an error.
    steps : tuple of transformers
        What is done to a table first, in this order: the earlier steps of a pipeline.
    owner : str
        The class of the estimator whose model it is, for messages.
    class_counts : tuple of float, optional
        How many training cases of each class there were, where the model itself counts other classes.
    """

    n_threads: int = 1
    refuses_missing: bool = False
    steps: tuple[Any, ...] = ()
    owner: str = ""
    class_counts: tuple[float, ...] | None = None

    def prepared(self, X: Any) -> Any:
        """Return a table as it comes to the model."""
        for step in self.steps:
            X = step.transform(X)
        return X
