"""river's interface for learners of streams: `RiverClassifier` has `learn_one` and `predict_one`.

Needs river (the extra ``river``), which nothing else of thriftwood loads.
"""

from thriftwood.river.classifier import RiverClassifier

__all__ = ["RiverClassifier"]
