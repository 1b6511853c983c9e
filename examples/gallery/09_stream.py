"""A stream, case by case.

What mistakes cost and how often answers were right, while cases arrive; the tree is learnt
again when the rows have doubled.
"""

import thriftwood as tw

tree = tw.CostTreeClassifier(growth=tw.Growth(max_depth=5))
model = tw.StreamingTree(tree)
history = tw.evaluate_stream(model, tw.make_stream("sea", random_state=0), 20_000)
ax = tw.plot_stream(history)
