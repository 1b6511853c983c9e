"""Ensembles of trees that go by what tests cost: each tree is asked only when it is needed."""
