"""Figure 1 of the paper: what instrumentation costs, and how much less of it csgain needs."""

BASELINE = {
    "mpg321": 19.4,
    "gcc": 24.2,
    "gzprintf": 20.1,
    "latex": 44.0,
    "foxpro": 3.7,
    "lynx": 1.9,
    "apache": 8.9,
}
"""Cost of C4.5's tree, in percent of all instrumentation, with call-tree profiles."""

SPEED_UP = {
    "mpg321": 158.3,
    "gcc": 1.8,
    "gzprintf": 1.7,
    "latex": 468.1,
    "foxpro": 1_485_943.7,
    "lynx": 552.3,
    "apache": 4_684.2,
}
"""Cost ratio, C4.5's tree to csgain's, at an accuracy lower by at most one point."""

COUNTERPART = {"mpg321": "mpg321", "tcc": "gcc", "gzprintf": "gzprintf", "docutils": "latex"}
"""Our programs, and those of the paper that do the same kind of work."""
