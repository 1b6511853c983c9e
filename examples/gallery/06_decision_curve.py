"""When to act: a decision curve.

Net benefit over the threshold, with the tests paid, beside acting on everybody and on nobody.
"""

from sklearn.model_selection import train_test_split

import thriftwood as tw

data = tw.load_dataset("wisconsin-diagnostic")
X, X_new, y, y_new = train_test_split(data.X, data.y, stratify=data.y, random_state=0)
model = tw.algorithm(costs=data.costs).fit(X, y)
ax = tw.plot_decision_curve(tw.decision_curve(model, X_new, y_new))
