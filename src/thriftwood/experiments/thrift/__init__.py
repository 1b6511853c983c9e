"""Which learner has the lowest bill? Many tables, many price lists, and what users would do instead.

Real tables with prices that are drawn in realistic shapes (and published ones where there are some), mistakes
from cheap to dear against the tests, equally bad or one much worse. Half of the tables were looked at while
the learner was made; figures are of the others unless both are asked for.

    tables      the tables, which were looked at, and settings: a table with a price list
    prices      price lists that are drawn
    trial       one division: every learner learns from one part and pays for the other
    reporting   from trials to tables and notes
    experiment  the settings and the trials
"""

from thriftwood.experiments.thrift.experiment import Thrift

__all__ = ["Thrift"]
