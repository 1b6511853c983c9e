"""What measuring costs and what mistakes cost.

The words of this room:

- a *test* is the measuring of one feature; it has a price;
- a *shared resource* is something that tests need and that is paid once, by the test that needs it first;
- a *group* is a set of tests that become cheaper once one of them was bought (their price *after*);
- a test is *delayed* when its answer comes too late to choose the next test by it;
- the *effective price* of a test is what it still costs, given the tests that were paid before;
- an *error cost* is what an answer costs when the truth is another class, or the same one; a benefit is
  a negative cost;
- *today* is the practice that a model is compared with: the same tests for everybody, the answers that were
  given, or another model.

`Costs` holds all of it as one fixed value; `Costs.compile` gives the native core the same content as arrays.
"""

from thriftwood.costs.compiled import PriceList
from thriftwood.costs.error_costs import answer_costs, cost_matrices, mean_matrix
from thriftwood.costs.model import Costs
from thriftwood.costs.names import CostError, CostWarning
from thriftwood.costs.prices import Basket
from thriftwood.costs.test import Test
from thriftwood.costs.today import Today

__all__ = [
    "Basket",
    "CostError",
    "CostWarning",
    "Costs",
    "PriceList",
    "Test",
    "Today",
    "answer_costs",
    "cost_matrices",
    "mean_matrix",
]
