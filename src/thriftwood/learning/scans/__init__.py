"""Learning from tables that need not fit in memory.

The walk of a fit: the ``survey`` reads the table once: kinds, categories, classes, a sample of numbers.
``coding`` cuts numbers into bins and writes a byte for every cell into a ``cache``. The core counts those
bytes in passes and grows the tree (``counted``).
"""

from thriftwood.learning.scans.counted import CountedProblem, CountedTable
from thriftwood.learning.scans.fitting import fit_scan

__all__ = ["CountedProblem", "CountedTable", "fit_scan"]
