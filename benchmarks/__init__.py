"""Measurements of thriftwood: `speed` compares times with other libraries."""
