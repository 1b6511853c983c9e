"""Tables that need not fit in memory: read from their beginning as often as a fit asks, some rows at a time.

source
    who has the rows: files, a dataset, a query (`Source`).
scan
    a source, with what is to be predicted (`Scan`).
batch
    a frame of some of its rows.
"""

from thriftwood.datasets.scans.scan import Roles, Scan, scan
from thriftwood.datasets.scans.source import Source

__all__ = ["Roles", "Scan", "Source", "scan"]
