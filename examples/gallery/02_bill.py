"""A bill, test by test.

What a case pays for each test on average, and what mistakes cost it.
"""

from sklearn.model_selection import train_test_split

import thriftwood as tw

data = tw.load_dataset("wisconsin-diagnostic")
X, X_new, y, y_new = train_test_split(data.X, data.y, stratify=data.y, random_state=0)
model = tw.algorithm(costs=data.costs, leaves="class").fit(X, y)
ax = tw.plot_bill(tw.bill(model, X_new, y_new))
