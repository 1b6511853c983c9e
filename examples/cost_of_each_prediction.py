"""What does each prediction cost?

A tree asks a case only for the tests on its own path. The bill says what every case paid for its tests and
what its answer cost, and which tests the money went to.
"""

from sklearn.model_selection import train_test_split

import thriftwood as tw

data = tw.load_dataset("wisconsin-diagnostic")  # scikit-learn's table, with an example price list
X, X_new, y, y_new = train_test_split(data.X, data.y, stratify=data.y, random_state=0)

model = tw.algorithm("c45", costs=data.costs).fit(X, y)
bill = tw.bill(model, X_new, y_new)

print(bill)
print()
print("The three dearest cases:")
dearest = bill.per_case.sort_values("cost", ascending=False).head(3)
print(dearest[["test_cost", "error_cost", "n_tests", "actual", "predicted"]].to_string())
print()
print("If every test of the tree had to be bought in advance, a case would pay", bill.upfront_cost)
