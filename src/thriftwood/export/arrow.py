"""`arrow_scorer`: a model as a function of record batches of Arrow, for engines that pass those around."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from thriftwood.models.conversion import as_model


def arrow_scorer(
    model: Any, *, shares: bool = False, costs: bool = False, keep: tuple[str, ...] | list[str] = ()
) -> Callable[[Any], Any]:
    """Turn a model into a function of record batches.

    Parameters
    ----------
    model : fitted estimator or Model
        What answers.
    shares : bool
        Add a column ``share of <class>`` for every class.
    costs : bool
        Add a column ``test_cost``: what the tests of the case cost, by the model's own price list.
    keep : list of str
        Columns of the batch that are given back beside the answers, such as a key.

    Returns
    -------
    callable
        From ``pyarrow.RecordBatch`` (or Table) to ``pyarrow.RecordBatch`` with the columns kept, ``answer``,
        and what was asked for. It can be pickled, so that engines send it to their workers; columns that the
        model does not know are passed over.

    Examples
    --------
    >>> import pyarrow as pa, thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> score = arrow_scorer(tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y), costs=True)
    >>> score(pa.RecordBatch.from_pandas(golf.X[:2])).to_pydict()
    {'answer': ['No', 'No'], 'test_cost': [..., ...]}
    """
    return ArrowScorer(as_model(model, "scoring"), shares, costs, tuple(keep))


class ArrowScorer:
    """What `arrow_scorer` returns."""

    def __init__(self, model: Any, shares: bool, costs: bool, keep: tuple[str, ...]) -> None:
        if shares and model.answers is None:
            raise ValueError("A model that predicts numbers has no shares of classes.")
        if costs and model.costs is None:
            raise ValueError("The model has no price list, so what its tests cost is not known.")
        self.model, self.shares, self.costs, self.keep = model, shares, costs, keep
        for name in ("answer", *self._share_names(), *(["test_cost"] if costs else [])):
            if name in keep:
                raise ValueError(f"keep= names {name!r}, as an answer is called. Rename that column first.")

    def __call__(self, batch: Any) -> Any:
        """Answer the rows of a batch."""
        import pyarrow as pa

        rows = pa.table(batch)
        known = [name for name in self.model.feature_names if name in rows.column_names]
        columns = {name: rows[name].combine_chunks() for name in self.keep}
        if not rows.num_rows:
            return self._empty(columns)
        table = self.model.table(rows.select(known))
        columns["answer"] = pa.array(self.model.predict(rows.select(known)))
        if self.shares:
            found = self.model.shares_of(table)
            for name, share in zip(self._share_names(), found.T, strict=True):
                columns[name] = pa.array(np.ascontiguousarray(share))
        if self.costs:
            columns["test_cost"] = pa.array(self.model.ledger_of(table, self.model.costs).test_cost)
        return pa.RecordBatch.from_pydict(columns)

    def _empty(self, columns: dict[str, Any]) -> Any:
        import pyarrow as pa

        # All answers tell their type, which none of them would not where they are objects.
        answers = np.empty(0) if self.model.answers is None else self.model.answers
        columns["answer"] = pa.array(answers)[:0]
        names = [*self._share_names(), *(["test_cost"] if self.costs else [])]
        columns.update({name: pa.array(np.empty(0)) for name in names})
        return pa.RecordBatch.from_pydict(columns)

    def _share_names(self) -> list[str]:
        return [f"share of {name}" for name in self.model.classes.tolist()] if self.shares else []
