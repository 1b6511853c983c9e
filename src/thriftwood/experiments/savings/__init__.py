"""Savings on four data sets whose mistakes cost every case something else: ours beside LightGBM.

Two tables of loans, one of bank marketing and one of churn, with the costs that Correa Bahnsen and others
gave them. Each is split ten times into two thirds to learn from and one third to answer. Everybody may look
at what mistakes cost the case to be answered; learners are tuned inside the part they learn from.

    data        the tables, and what their mistakes cost
    learners    the learners that compete, and how each is tuned
    experiment  the settings, the trials and the table of savings
"""

from thriftwood.experiments.savings.experiment import Savings

__all__ = ["Savings"]
