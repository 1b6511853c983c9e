"""A tree with its prices.

Prices stand at the tests, bills at the leaves, and each strip shows the shares of the classes. A resource
that several tests share is paid once on a path.
"""

import thriftwood as tw

data = tw.load_dataset("wisconsin-diagnostic")
model = tw.algorithm(costs=data.costs, leaves="class").fit(data.X, data.y)
ax = tw.plot_tree(model)
