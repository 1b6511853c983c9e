"""Parameters that estimators had and criteria have now: whoever uses one is told where it is."""

import pytest

import thriftwood as tw
from thriftwood.learning.criteria import FACTS, users_of
from thriftwood.learning.moved import MOVED


@pytest.mark.parametrize("name", sorted(MOVED))
def test_parameters_that_moved_say_where_they_are(name):
    new = MOVED[name]
    text = "tw.LookAhead(r=5)" if new == "look_ahead" else "0.01"
    user = FACTS[users_of(new)[0]]
    words = rf"{name} belongs to the criterion now: criterion=tw\.{user.value_object}\({new}={text}\)\."
    words = words.replace("(r=5)", r"\(r=5\)")
    with pytest.raises(TypeError, match=words):
        tw.CostTreeClassifier(user.name, **{name: 0.01})
    with pytest.raises(TypeError, match=words):
        tw.CostForestClassifier(10, criterion=user.name, **{name: 0.01})
    with pytest.raises(ValueError, match=words + f" .* criterion__{new}"):
        tw.CostTreeClassifier(user.name).set_params(**{name: 0.01})
    with pytest.raises(ValueError, match=words):
        tw.CostForestClassifier().set_params(criterion=user.name, **{name: 0.01})


def test_a_parameter_that_moved_names_the_criterion_at_hand():
    with pytest.raises(TypeError, match=r"criterion=tw\.Mitchell\(gamma=0\.5\)"):
        tw.CostTreeClassifier("mitchell", gamma=0.5)
    with pytest.raises(TypeError, match=r"criterion=tw\.CsGain\(gamma=0\.5\)"):
        tw.CostTreeClassifier(criterion=tw.CsGain(), gamma=0.5)
    with pytest.raises(ValueError, match="criterion__look_ahead__r"):
        tw.CostTreeClassifier("act").set_params(sampling__r=3)
    with pytest.raises(AttributeError, match=r"Sampling is LookAhead now.*tw\.LookAhead\(r=5\)"):
        tw.Sampling  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'CsGains'"):
        tw.CsGains  # noqa: B018
