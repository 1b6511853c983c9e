"""What if a price changed?

Where the tree changes as the price of a shared resource rises, and what an unseen case costs along the way.
"""

import thriftwood as tw

data = tw.load_dataset("wisconsin-diagnostic")
columns = ["mean texture", "mean concave points", "worst perimeter"]
costs = data.costs.only(columns)
ax = tw.plot_what_if(tw.what_if(data.X[columns], data.y, costs, shared={"needle aspirate": (0, 400)}))
