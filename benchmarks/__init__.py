"""Measurements of thriftwood beside other programs: `speed`, `agreement` and `optimal`."""
