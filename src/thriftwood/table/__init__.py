"""From whatever the user holds to the columns the core accepts.

Words
-----
column
    What was learnt about one feature at fit: its `Kind` and, unless numeric, its categories (`Column`).
numeric
    A column of numbers, NaN where missing. Booleans are the numbers 0 and 1: one cut separates them.
nominal
    A column of names without order: int32 codes into its categories, or `MISSING` (-1), `UNSEEN` (-2).
ordered
    A column of names with an order (a pandas ordered categorical, a polars Enum): its ranks 0, 1, ... as
    float64, NaN where missing or unseen, so that the core cuts it like a number.

Steps
-----
1. `reading.read` recognises the container and gives a `Source`: a 2-D array, a sparse matrix or raw columns.
2. `Encoder.fit` decides the kind of every column and learns its categories.
3. `Encoder.encode` puts columns in the learnt order and gives an `Encoded`, copying only where needed.
"""

from thriftwood.table.columns import MISSING, UNSEEN, Column, Kind
from thriftwood.table.encoded import Encoded, SparseColumns
from thriftwood.table.encoder import Encoder

__all__ = ["MISSING", "UNSEEN", "Column", "Encoded", "Encoder", "Kind", "SparseColumns"]
