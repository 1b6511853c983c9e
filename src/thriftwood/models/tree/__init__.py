"""The finished tree: its nodes, its walk, its prices, and how it reads."""

from thriftwood.models.tree.nodes import Node
from thriftwood.models.tree.tree import Tree

__all__ = ["Node", "Tree"]
