"""Trees whose settings may be those of their criterion, for tests that go through many criteria."""

import thriftwood as tw
from thriftwood.learning.criteria import FACTS, criterion, users_of, weight_of

PRICED = [name for name, facts in FACTS.items() if facts.asks_prices]
COUNTING = [name for name, facts in FACTS.items() if facts.asks_errors]
"""The criteria that look at what mistakes cost."""


def classifier(name, **settings):
    """A classifier with a criterion by name; settings of the criterion go there."""
    own = {setting: settings.pop(setting) for setting in list(settings) if users_of(setting)}
    return tw.CostTreeClassifier(criterion(name, **own), **settings)


def needed(name, value=0.01):
    """The settings without which a criterion does not grow: what a unit of price weighs."""
    weight = weight_of(name)
    return {weight.name: value} if weight is not None and weight.must_be_given else {}
