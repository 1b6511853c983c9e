"""What has been learnt and can be asked: trees, panels of trees, boosters, and models of other libraries.

Words
-----
tree
    The finished tree (`Tree`): what users hold, read, save and ask.
panel
    Finished trees that are asked one after the other, each only when its answer is needed (`Panel`).
booster
    The *stages* of gradient boosting (`Booster`): small trees whose steps add up to scores of the classes.
adapter
    An estimator of another library, seen as a model that asks for tests (`adapters`).
"""

from thriftwood.models.booster import Booster
from thriftwood.models.files.loading import load
from thriftwood.models.panel import Panel
from thriftwood.models.tree import Node, Tree

__all__ = ["Booster", "Node", "Panel", "Tree", "load"]
