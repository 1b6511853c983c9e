"""Published experiments, run again: our tables beside the printed ones.

Words
-----
experiment
    What a paper did, with its settings; one room each.
trial
    A part of it that is run and stored as a whole, such as one draw of prices.
record
    The result of a trial, as JSON.
comparison
    A printed table and ours.
report
    What comes of a run: comparisons, and notes on how the paper was read.

To add an experiment: a subclass of `Experiment` in a room of its own, a line in `EXPERIMENTS`, and a command
in ``cli/reproduce.py``.
"""

from thriftwood.experiments.afabench import Afabench
from thriftwood.experiments.clarify import Clarify
from thriftwood.experiments.cocost2009 import Cocost2009
from thriftwood.experiments.comparison import Comparison
from thriftwood.experiments.davis2006 import Davis2006
from thriftwood.experiments.ecco2012 import Ecco2012
from thriftwood.experiments.experiment import Experiment, Options, Report
from thriftwood.experiments.lomax2013 import Lomax2013
from thriftwood.experiments.savings import Savings
from thriftwood.experiments.streams import Streams
from thriftwood.experiments.thrift import Thrift
from thriftwood.experiments.ting1998 import Ting1998
from thriftwood.experiments.turney1995 import Turney1995

EXPERIMENTS: dict[str, type[Experiment]] = {
    each.name: each
    for each in (
        *(Davis2006, Clarify, Ting1998, Savings, Turney1995),
        *(Ecco2012, Cocost2009, Lomax2013, Afabench, Thrift, Streams),
    )
}
"""Every experiment by name."""

__all__ = [
    "EXPERIMENTS",
    "Afabench",
    "Clarify",
    "Cocost2009",
    "Comparison",
    "Davis2006",
    "Ecco2012",
    "Experiment",
    "Lomax2013",
    "Options",
    "Report",
    "Savings",
    "Streams",
    "Thrift",
    "Ting1998",
    "Turney1995",
]
