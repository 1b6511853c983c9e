"""Learners made of other learners.

The words of this room:

- a *forest* is many trees, each grown on a *bag* of the cases (drawn with replacement) and on random
  features;
- the *cheapest answer* is the class with the least expected cost, given how likely each class is.
"""

from thriftwood.ensembles.cheapest_answer import CheapestAnswer
from thriftwood.ensembles.forest import CostForestClassifier

__all__ = ["CheapestAnswer", "CostForestClassifier"]
