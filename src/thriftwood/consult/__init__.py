"""Consultations: a model asks for the tests it needs, one at a time or in batches, within a budget.

Words
-----
consultation
    One case, asked until the model can answer; it keeps the running bill, and can be taken back step by step.
strategy
    Which tests are run together: one at a time, or batches that are worth their price.
budget
    The most that a case may cost; what would exceed it is not bought.

What is known at the start is free and opens no discount. A batch is charged as a whole with its first
answer. A budget is hard: a purchase, with all that is ordered with it, is made only if the bill cannot
exceed the budget whichever of its tests turn out to be unavailable; an upfront price above it buys
nothing.
"""

from thriftwood.consult.bayes import BayesConsultation
from thriftwood.consult.booster import BoosterConsultation
from thriftwood.consult.cascade import CascadeConsultation
from thriftwood.consult.consultation import Consultation
from thriftwood.consult.panel import PanelConsultation
from thriftwood.consult.tree import TreeConsultation

__all__ = [
    "BayesConsultation",
    "BoosterConsultation",
    "CascadeConsultation",
    "Consultation",
    "PanelConsultation",
    "TreeConsultation",
]
