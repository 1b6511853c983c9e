"""How an estimator shows itself: in a notebook, and as a page."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from typing import TYPE_CHECKING, Any

from thriftwood.base.estimator import Estimator
from thriftwood.costs import Costs
from thriftwood.models.tree.html import tree_html
from thriftwood.models.tree.tree import Tree

if TYPE_CHECKING:
    from thriftwood import Contender, Frontier, Report, Verdict


class DisplayMixin(Estimator):
    """Reports and notebook pictures of an estimator."""

    tree_: Tree

    def report(
        self,
        X: Any,
        y: Any = None,
        path: str | PathLike[str] | None = None,
        *,
        frontier: Frontier | None = None,
        title: str | None = None,
        costs: Costs | None = None,
        expected: Contender | None = None,
        training: bool = False,
        verdict: Verdict | None = None,
        live: bool | tuple[Any, Any] = False,
        error_costs: Any = None,
    ) -> Report:
        """Make a page of the model on a table of cases, which opens in any browser without a network.

        The same as ``tw.make_report(model, X, y, ...)``, which says what the page shows.

        Examples
        --------
        >>> import thriftwood as tw
        >>> golf = tw.load_dataset("golf-nominal")
        >>> model = tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y)
        >>> model.report(golf.X, golf.y, title="When do we play?")
        <Report 'When do we play?': 14 cases, 8 nodes>
        """
        from thriftwood import make_report  # a higher room: asked for when it is called

        return make_report(
            *(self, X, y, path),
            frontier=frontier,
            title=title,
            costs=costs,
            expected=expected,
            training=training,
            verdict=verdict,
            live=live,
            error_costs=error_costs,
        )

    # scikit-learn's diagram of the settings, and below it the tree, once there is one.

    @property
    def _repr_html_(self) -> Callable[[], str]:
        diagram = super()._repr_html_  # an AttributeError if scikit-learn is set to show text
        return lambda: str(diagram()) + self._tree_html()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)
        if "text/html" in bundle:
            bundle["text/html"] += self._tree_html()
        return bundle

    def _tree_html(self) -> str:
        return tree_html(self.tree_) if hasattr(self, "tree_") else ""
