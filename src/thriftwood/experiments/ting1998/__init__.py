"""Ting 1998, Tables 1 and 2: trees grown on cases that weigh what mistakes about them cost (C4.5CS).

Ten times, each data set is cross-validated in ten folds. For each fold a matrix of error costs is drawn, and
three trees are grown: C4.5's; C4.5CS's, for which a case weighs what a mistake about its class costs; and one
with altered priors, which grows like C4.5CS and prunes like C4.5. Each answers the cases held out; the first
two also by minimum expected cost. Counted are what the mistakes cost, the size of the tree, the mistakes that
cost more than 1, and all mistakes. The tables have the average of the 100 folds, and ratios of averages.

    published   the figures of the paper
    tables      the data sets, as the paper seems to have had them
    matrices    what mistakes cost: drawn, or Statlog's
    trial       one cross-validation
    summing     from trials to figures
    experiment  the settings, the trials and the tables
"""

from thriftwood.experiments.ting1998.experiment import Ting1998

__all__ = ["Ting1998"]
