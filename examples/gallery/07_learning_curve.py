"""Would more data help?

What unseen cases cost by the number that was learnt from, and a careful extrapolation to twice as many.
"""

import thriftwood as tw

data = tw.load_dataset("wisconsin-diagnostic")
curve = tw.learning_curve(tw.algorithm("eg2"), data.X, data.y, data.costs, cv=5)
ax = tw.plot_learning_curve(curve)
