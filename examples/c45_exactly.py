"""How do I get C4.5, exactly, and change one of its options?

tw.algorithm gives the published settings under the names that the authors used; everything is an ordinary
scikit-learn parameter as well, so a grid search can reach it.
"""

from sklearn.model_selection import GridSearchCV

import thriftwood as tw

golf = tw.load_dataset("golf-missing")  # Quinlan's table with one unknown outlook
model = tw.algorithm("c45").fit(golf.X, golf.y)
print(model.tree_)  # 3.385 cases: the unknown outlook went down all branches in parts
print()

for rule in model.tree_.rules():
    print(rule)
print()

iris = tw.load_dataset("iris")
search = GridSearchCV(tw.algorithm("c45", min_weight=5), {"pruning__cf": [0.01, 0.1, 0.25]}, cv=5)
search.fit(iris.X, iris.y)
print("best confidence factor:", search.best_params_["pruning__cf"], f"accuracy {search.best_score_:.3f}")
