"""Which tests of a consultation are run together."""

from typing import Literal

Strategy = Literal["sequential", "single_batch", "multiple_batch"]
