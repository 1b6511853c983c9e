"""CoCoST 2009: the types of byte streams, told for as few microseconds of computing as possible.

A corpus of files of known types is split by source into two thirds to learn from and a third to judge by,
several times. All learners see the same 88 features; a case pays for the features that it is asked, and for
the steps they need, each once.

    published   what the paper was run with, and what it says came out
    streams     the corpus, its features and prices, split by source
    contest     what is noted of a learner on a split
    selecting   sets of features, chosen forward by what they tell over what they cost
    trees       single trees and the SVM: Tables I and II
    ensembles   CoCoST and short-cut forests of LASC: Table III
    lightgbm    LightGBM, with and without penalties for reading features
    ours        boosted trees that know the price of every feature for every case
    speed       what classifying takes of the processor
    summing     means over splits
    reporting   from means to tables
    claims      what the tables say, in words
    experiment  the settings and the trials
"""

from thriftwood.experiments.cocost2009.experiment import Cocost2009

__all__ = ["Cocost2009"]
