"""`arrow_scorer`: a model as a function of record batches of Arrow, for engines that pass those around."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from thriftwood.costs.names import quoted
from thriftwood.datasets.files.table import no_column
from thriftwood.models.conversion import as_model
from thriftwood.table import Kind


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
        and what was asked for. It can be pickled, so that engines send it to their workers. A batch needs the
        columns that the model asks for; others are passed over.

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
        for name in self.keep:
            if name not in rows.column_names:
                raise no_column("The batch", rows.column_names, name)
        columns = {name: rows[name].combine_chunks() for name in self.keep}
        if not rows.num_rows:
            return self._empty(columns)
        known = self._known(rows)
        table = self.model.table(known)
        columns["answer"] = pa.array(self.model.predict(known))
        if self.shares:
            found = self.model.shares_of(table)
            for name, share in zip(self._share_names(), found.T, strict=True):
                columns[name] = pa.array(np.ascontiguousarray(share))
        if self.costs:
            columns["test_cost"] = pa.array(self.model.ledger_of(table, self.model.costs).test_cost)
        return pa.RecordBatch.from_pydict(columns)

    def _known(self, rows: Any) -> Any:
        """Return the columns that the model knows; one that it never asks for may be absent."""
        import pyarrow as pa

        names, here = self.model.feature_names, rows.column_names
        if all(name in here for name in names) or not hasattr(self.model, "encoder"):
            return rows.select([name for name in names if name in here])
        absent = [name for name in self.model.features_asked if name not in here]
        if absent:
            raise ValueError(
                f"The batch lacks what the model asks for: {quoted(absent)}. Its columns: {quoted(here)}. "
                "Add what is absent, with nulls where values are missing."
            )
        kinds = [pa.float64() if one.kind is Kind.NUMERIC else pa.string() for one in self.model.columns]
        nothing = {name: pa.nulls(len(rows), kind) for name, kind in zip(names, kinds, strict=True)}
        return pa.table({name: rows[name] if name in here else nothing[name] for name in names})

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
