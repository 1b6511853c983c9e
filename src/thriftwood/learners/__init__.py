"""Published learners by name."""

from thriftwood.learners.published import algorithm, algorithms

__all__ = ["algorithm", "algorithms"]
