"""Omielan & Vadera 2012, figures 4 and 5: ECCO against ICET where one kind of mistake is the dear one.

Each of four medical data sets is divided ten times into two thirds to learn from and a third to judge by. To
overlook a disease costs 10 to 10,000 times (figure 4), or 1.5 to 5 times (figure 5), what a false alarm does.
Trees of ECCO have 5 to 11 levels, pruned or not; tests cost what was published, or nothing. The figure is the
mean cost of a case: tests and mistakes.

    published   what the paper was run with, and what it says came out
    trial       one division of one data set
    reporting   from trials to tables
    experiment  the settings and the trials
"""

from thriftwood.experiments.ecco2012.experiment import Ecco2012

__all__ = ["Ecco2012"]
