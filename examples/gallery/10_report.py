"""A report: one page to show.

It opens in any browser without a network: the sentence, the figures, the tree that folds, one case step
by step.
"""

from sklearn.model_selection import train_test_split

import thriftwood as tw

data = tw.load_dataset("wisconsin-diagnostic")
X, X_new, y, y_new = train_test_split(data.X, data.y, stratify=data.y, random_state=0)
model = tw.algorithm(costs=data.costs, leaves="class").fit(X, y)
model.report(X_new, y_new, "report.html", title="Which tests to pay for")
