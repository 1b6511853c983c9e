"""Models of other libraries: which columns a row reads in trees of scikit-learn and LightGBM."""

from thriftwood.models.adapters.foreign import ForeignModel

__all__ = ["ForeignModel"]
