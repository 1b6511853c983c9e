"""Ensembles that go by what mistakes cost."""
