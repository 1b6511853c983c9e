"""What if a price changed: where the tree does, what a case costs along the way, and break-even prices.

The words of this room:

- what is *varied* is one number of a price list: the price of a test or of a shared resource, or the cost of
  a mistake;
- a *flip* is where one tree gives way to the next, a *step* what lies between two flips;
- the *break-even price* of a test is the most that one should pay for it: beyond it the tree of all cases
  does not buy it any more.
"""

from thriftwood.evaluation.whatif.break_evens import break_even
from thriftwood.evaluation.whatif.result import Step, WhatIf
from thriftwood.evaluation.whatif.tracing import Flip
from thriftwood.evaluation.whatif.what_ifs import what_if
from thriftwood.evaluation.whatif.worths import BreakEvens, Worth

__all__ = ["BreakEvens", "Flip", "Step", "WhatIf", "Worth", "break_even", "what_if"]
