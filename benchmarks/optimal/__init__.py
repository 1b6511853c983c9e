"""Optimal trees beside STreeD's and ConTree's: the same cost, in less time; and whether limits are kept."""
