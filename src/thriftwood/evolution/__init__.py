"""Trees found by evolution: a population of strings, judged by what their trees cost.

Words
-----
string
    An individual: bits that stand for a tree, or for what a tree is grown by.
genome
    What strings stand for: biases of a learner (`IcetClassifier`), or trees node by node (`EccoClassifier`).
    The core has the genomes, and judges whole populations in parallel.
trial
    The judging of one string: its tree, and the mean cost of a case with it.
evolution
    The loop that all genomes share, and its settings (`Evolution`).
"""

from thriftwood.evolution.ecco import EccoClassifier
from thriftwood.evolution.evolution import Evolution
from thriftwood.evolution.icet import IcetClassifier

__all__ = ["EccoClassifier", "Evolution", "IcetClassifier"]
