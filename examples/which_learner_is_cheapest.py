"""Which learner makes a case cheapest?

Accuracy is not the question where tests cost money: what counts is the price of a case's tests and the cost
of its answer together, on cases that were not learnt from. All learners meet the same folds, so the difference
between two of them is known better than either cost.
"""

import thriftwood as tw

data = tw.load_dataset("wisconsin-diagnostic")
learners = {
    "c45": tw.algorithm("c45"),
    "eg2": tw.algorithm("eg2"),
    "two tests at most": tw.algorithm("eg2", max_depth=2),
}
ranking = tw.compare(learners, data.X, data.y, data.costs, cv=5)
print(ranking)

first, second = ranking[0], ranking[1]
low, high = second.dearer_than(first)
print(f"\n{second.name} costs between {-low:.0f} less and {high:.0f} more a case than {first.name}: ", end="")
print("the folds do not tell them apart" if low < 0 < high else "that is no chance")
