"""Lomax 2013: what classification costs on tables of 0/1 columns with prices, at three levels of error costs.

The benchmark comes with STreeD: every table with a hundred fixed divisions, and for each a price list with
groups and three matrices of error costs, low, middle and high. A learner is judged by what a case of the test
part costs, tests and mistakes together, in percent of the standard cost.

    tables      a table with the costs of one level, and its divisions
    trial       one division: every learner learns from one part and pays for the other
    timing      seconds to the optimal tree, beside STreeD where it is installed
    reporting   from trials to tables and notes
    experiment  the settings and the trials
"""

from thriftwood.experiments.lomax2013.experiment import Lomax2013

__all__ = ["Lomax2013"]
