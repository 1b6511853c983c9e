"""Published learners by name."""

from thriftwood.learners.published import algorithm, algorithms
from thriftwood.learners.trusted import trusted_types

__all__ = ["algorithm", "algorithms", "trusted_types"]
