"""`NobodyClassifier`: no test for anybody, and the answer that costs all cases least."""

from __future__ import annotations

from typing import Any, Self

from thriftwood import _core
from thriftwood.costs import Costs, mean_matrix
from thriftwood.learning.answering import check_by_row
from thriftwood.learning.class_tree import ClassTree, FloatArray, costs_by_row
from thriftwood.learning.classifier import CostTreeClassifier
from thriftwood.learning.estimator import Prepared
from thriftwood.learning.growth import Growth
from thriftwood.learning.problem import Problem
from thriftwood.learning.pruning import Pruning
from thriftwood.models.tree.conditions import category_text
from thriftwood.table import Encoded, Encoder


class NobodyClassifier(ClassTree):
    """Tests nobody, and gives all cases the answer that costs them least.

    What one does who thinks that no test is worth its price: the bill to beat where tests are dear. It is a
    tree of a single leaf, with all that trees have.

    Parameters
    ----------
    costs : Costs, optional
        Costs of the mistakes. None: every mistake costs 1, so the commonest class is answered.
    nominal_features : list of column names or positions, optional
        Columns of numbers that are names of categories: how tables are read.
    n_jobs : int, optional
        Threads that predict; None is 1, -1 all processors.

    Attributes
    ----------
    tree_ : Tree
        The leaf.
    classes_, n_classes_, n_features_in_, feature_names_in_
        As in `CostTreeClassifier`.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> careful = golf.costs.replace(errors={"No": {"Yes": 50}, "Yes": {"No": 10}})
    >>> NobodyClassifier(careful).fit(golf.X, golf.y).tree_.note
    'Nobody is tested: No costs least if all get the same answer.'
    """

    __metadata_request__fit = {"error_costs": True}  # noqa: RUF012  # nobody needs to request it
    grows_one_tree = False
    asks_all_categories = True

    # Nothing grows: there is one leaf.
    growth: Growth | None = None
    pruning: Pruning | None = None
    random_state: Any = None

    def __init__(
        self, costs: Costs | None = None, *, nominal_features: Any = None, n_jobs: int | None = None
    ) -> None:
        self.costs = costs
        self.nominal_features = nominal_features
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None, error_costs: Any = None) -> Self:
        """Find the answer.

        Parameters
        ----------
        X : array, frame, sparse matrix or list of rows, of shape (n_rows, n_features)
            The cases; only how they are read counts.
        y : array-like of shape (n_rows,)
            Their classes.
        sample_weight : array-like of shape (n_rows,), optional
            How much each case counts; one of weight 0 does not at all.
        error_costs : array-like of shape (n_rows, n_classes) or (n_rows, n_classes, n_classes), optional
            What mistakes cost where that differs by row, as in `CostTreeClassifier`. `costs` must not name
            error costs as well.

        Returns
        -------
        self
        """
        prepared = self.prepare(X, y, sample_weight)
        by_row = costs_by_row(prepared, error_costs)
        if by_row is not None:
            check_by_row(self._one_leaf())
        self.set_fitted(prepared, self._leaf(prepared.problem, by_row))
        answers = self.tree_.answers
        assert answers is not None  # classes
        answer = category_text(answers[[self.tree_.core.label[0]]].tolist()[0])
        self.tree_.note = f"Nobody is tested: {answer} costs least if all get the same answer."
        return self

    def prepare(
        self, X: Any, y: Any, sample_weight: Any, encoding: tuple[Encoder, Encoded] | None = None
    ) -> Prepared:
        """Check the parameters, encode the table, and state the problem in terms of the core."""
        return self._one_leaf().prepare(X, y, sample_weight, encoding)

    def grow_tree(self, problem: Problem) -> _core.Tree:
        """Make the leaf of a problem, one of many."""
        return self._leaf(problem, None)

    def checked_growth(self) -> Growth:
        """Return what of a `Growth` there is: a single leaf."""
        return Growth(max_leaves=1)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # it is meant to know nothing
        return tags

    def _leaf(self, problem: Problem, by_row: FloatArray | None) -> _core.Tree:
        leaf = self._one_leaf().grow_tree(problem)
        if by_row is None:
            return leaf
        assert problem.labels is not None  # classes
        loss = mean_matrix(by_row, problem.labels, problem.weights)
        return _core.recount(leaf, problem.table, problem.labels, by_row, loss, problem.weights, None)

    def _one_leaf(self) -> CostTreeClassifier:
        """Return what makes a single leaf of every table."""
        tree = CostTreeClassifier(
            costs=self.costs, growth=self.checked_growth(), nominal_features=self.nominal_features
        )
        tree.part_of = self.owner
        return tree
