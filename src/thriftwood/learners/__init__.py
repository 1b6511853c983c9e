"""Published learners by name, from all rooms that have some."""

from thriftwood.learners.published import algorithm, algorithms

__all__ = ["algorithm", "algorithms"]
