"""AFABench: hard budgets in numbers of tests, where neural networks acquire one feature after the other.

The benchmark of active feature acquisition compares networks, and no tree. Here are its two generated tables
and bank marketing, with its protocol: 60 % of the cases to learn from, 20 % to choose settings by, 20 % to
answer, five times; hard budgets in numbers of tests.

    data        the generated tables, their prices and budgets
    learners    the learners, and what each chooses by the cases kept aside
    experiment  the settings, the trials and the table
"""

from thriftwood.experiments.afabench.experiment import Afabench

__all__ = ["Afabench"]
