"""Entries of the published ensembles."""

from __future__ import annotations

from thriftwood.tree.entries import Entry

ENSEMBLES: tuple[Entry, ...] = ()
