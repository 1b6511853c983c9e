"""Published learners by name."""

from thriftwood.learners.published import algorithm, algorithms, default_name
from thriftwood.learners.trusted import trusted_types

__all__ = ["algorithm", "algorithms", "default_name", "trusted_types"]
