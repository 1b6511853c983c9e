"""Tables that are read in parts, and clusters: what they take, and what they survive. A command for each."""
