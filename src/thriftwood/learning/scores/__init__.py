"""Score cards learnt from cases, and the stages in which their tests are bought.

Words
-----
basis
    What of a column a score adds up (`basis`): the pieces between some values of a number, the categories of
    a name, whether the value is missing.
logistic
    Weights for such columns, held back towards 0 (`logistic`): logistic regression with a ridge.
panel
    Tests that are bought together. A *path* of panels begins with what is free, and each is the one before
    with one more test, or with all tests that share a step (`panels`).
stages
    Some panels of the path, and when a case goes on to the next (`stages`).
"""

from thriftwood.learning.scores.learner import learnt_cascade

__all__ = ["learnt_cascade"]
