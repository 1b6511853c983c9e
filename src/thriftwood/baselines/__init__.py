"""What one would do without a tree: test nobody, buy everything for everybody, or ask all the same tests.

Words
-----
panel
    The tests that every case is asked, whatever they say; not the trees of a `Panel`.
score
    Numbers of a case that say how likely each class is: by logistic regression, or by LightGBM.
"""

from thriftwood.baselines.everything import EverythingClassifier
from thriftwood.baselines.fixed_panel import FixedPanelClassifier
from thriftwood.baselines.nobody import NobodyClassifier
from thriftwood.baselines.today import TodayClassifier

__all__ = ["EverythingClassifier", "FixedPanelClassifier", "NobodyClassifier", "TodayClassifier"]
