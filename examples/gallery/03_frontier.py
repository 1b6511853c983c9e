"""A frontier: what accuracy costs.

Every point is one value of CSGain's `gamma`, judged on folds; those that no other beats in both are joined.
"""

import thriftwood as tw

data = tw.load_dataset("wisconsin-diagnostic")
learner = tw.algorithm("csgain", costs=data.costs)
gammas = [0, 0.001, 0.002, 0.005, 0.01, 0.02]
ax = tw.plot_frontier(tw.frontier(learner, data.X, data.y, values=gammas, random_state=0))
