"""Davis, Ha, Rossbach, Ramadan & Witchel 2006, Table 1: how much cheaper trees are that look at prices.

For each data set and trial the price of every feature is drawn from 0 to 1. The baseline is C4.5, which does
not look at prices. Each criterion is tried at several gammas; of the trees whose cross-validated accuracy is
within 1 % of the baseline's, the cheapest counts. Its price by the baseline's is the cost ratio; the table
has the mean over 50 trials. Everything is paid upfront: a tree costs the sum of the tests in it.

    published   the figures of the paper
    trial       one draw of prices and folds, in which every criterion is judged at every gamma
    choosing    which gamma counts, and the ratio
    summing     from trials to figures and notes
    experiment  the settings, the trials and the table
"""

from thriftwood.experiments.davis2006.experiment import Davis2006, grid

__all__ = ["Davis2006", "grid"]
