"""Turney 1995, section 4.1: what classification costs with ICET, and with four learners that do not search.

Each of five medical data sets, with the prices, shared costs and delays of its tests, is divided ten times
into two thirds to learn from and a third to judge by. Every mistake costs the same, from 10 to 10,000
dollars. EG2, CS-ID3, IDX and C4.5 do not look at that: they have one tree per division. ICET has one for each
error cost. Costs are in percent of a standard cost, so that data sets and error costs can be averaged.

    published   what the paper was run with, and what it says came out
    filling     missing values, as the paper fills them
    trial       one division of one data set
    reporting   from trials to tables
    experiment  the settings and the trials
"""

from thriftwood.experiments.turney1995.experiment import Turney1995

__all__ = ["Turney1995"]
