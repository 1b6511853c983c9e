"""What a finished tree costs on a table of cases.

The words of this room:

- the *bill* of a case is what its tests cost (the *test cost*) and what the answer it got costs (the *error
  cost*); the ledger of the native core writes the first part, on the same walk that predicts;
- the *upfront cost* is the price of all tests of the tree, each bought once, before anything happens;
- the *standard cost* is Turney's yardstick: all tests, and the dearest error for everyone outside the
  commonest class; a cost in percent of it is *normalised*;
- a *frontier* sets what tests cost against how well the answers are, for many values of one parameter; a
  point of it is *dominated* when another costs no more and does no worse, and is better in one of the two;
- the *untested* answer is what every case gets if nobody is tested: the one that was cheapest for the cases
  of training or, where a model does not know these, in hindsight, for the cases of the bill;
- the *savings* of answers are what they cost less than the cheapest answer that is the same for all, as a
  share of it;
- an *interval* says where a mean lies with 95 % confidence, a *difference* what a case costs more or less
  than elsewhere, with its interval: of the same cases, case by case;
- a *flip* is the price at which one tree gives way to the next, and the *break-even price* of a test the most
  that one should pay for it (`whatif`);
- the *verdict* on a model is what a case costs, against testing nobody and against today's practice;
- a *contender* is one learner of a comparison, and the *ranking* their order by what a case costs.

A case pays an ensemble for the tests that any of its models asks, each once, in the order of the columns;
for all columns where the models are not trees of ours. A panel's case pays for the trees consulted alone,
in the order of consultation. `CheapestAnswer` asks what its classifier asks.
"""

from thriftwood.evaluation.batches import Batch, Batches, read_batches
from thriftwood.evaluation.bill_groups import BillGroups
from thriftwood.evaluation.billing import bill
from thriftwood.evaluation.bills import Bill
from thriftwood.evaluation.comparisons import compare
from thriftwood.evaluation.confusion import Confusion
from thriftwood.evaluation.decision_curves import DecisionCurve, decision_curve
from thriftwood.evaluation.frontiers import frontier
from thriftwood.evaluation.intervals import Difference, Interval
from thriftwood.evaluation.learning_curves import LearningCurve, learning_curve
from thriftwood.evaluation.ranking import Contender, Ranking
from thriftwood.evaluation.savings import savings_score
from thriftwood.evaluation.scoring import cost_scorer, savings_scorer
from thriftwood.evaluation.today import against_today, verdict
from thriftwood.evaluation.total_bills import TotalBill, total_bill
from thriftwood.evaluation.tradeoff import Frontier, Point
from thriftwood.evaluation.verdicts import Verdict
from thriftwood.evaluation.watches import Check, Watch
from thriftwood.evaluation.watching import watchdog
from thriftwood.evaluation.whatif import BreakEvens, Flip, Step, WhatIf, Worth, break_even, what_if

__all__ = [
    "Batch",
    "Batches",
    "Bill",
    "BillGroups",
    "BreakEvens",
    "Check",
    "Confusion",
    "Contender",
    "DecisionCurve",
    "Difference",
    "Flip",
    "Frontier",
    "Interval",
    "LearningCurve",
    "Point",
    "Ranking",
    "Step",
    "TotalBill",
    "Verdict",
    "Watch",
    "WhatIf",
    "Worth",
    "against_today",
    "bill",
    "break_even",
    "compare",
    "cost_scorer",
    "decision_curve",
    "frontier",
    "learning_curve",
    "read_batches",
    "savings_score",
    "savings_scorer",
    "total_bill",
    "verdict",
    "watchdog",
    "what_if",
]
