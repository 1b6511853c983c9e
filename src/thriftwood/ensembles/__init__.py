"""Ensembles that know what mistakes cost."""
