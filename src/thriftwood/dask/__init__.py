"""Trees learnt from Dask collections, wherever their partitions are: `pip install thriftwood[dask]`.

partition
    some rows of a collection.
group
    coded partitions that are counted together: about one group for every thread of the cluster.
"""

from thriftwood.dask.estimators import DaskCostTreeClassifier, DaskCostTreeRegressor
from thriftwood.dask.fitting import fit_dask

__all__ = ["DaskCostTreeClassifier", "DaskCostTreeRegressor", "fit_dask"]
