"""Several learners, one frontier each.

EG2 and CSGain weigh information against price by different formulas.
"""

import thriftwood as tw

data = tw.load_dataset("wisconsin-diagnostic")
found = {
    name: tw.frontier(tw.algorithm(name, costs=data.costs), data.X, data.y, cv=5, random_state=0)
    for name in ("eg2", "csgain")
}
ax = tw.plot_frontiers(found)
