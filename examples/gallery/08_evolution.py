"""Evolution, generation by generation.

ECCO breeds whole trees; the best so far and the mean of each generation.
"""

import thriftwood as tw

data = tw.load_dataset("wisconsin-diagnostic")
columns = ["mean texture", "mean concave points", "worst perimeter"]
model = tw.EccoClassifier(data.costs.only(columns), depth=3, random_state=0)
ax = tw.plot_history(model.fit(data.X[columns], data.y))
