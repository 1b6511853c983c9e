"""Learners by the names of tables: settings that a name stands for, and names that are none."""

import pytest

import thriftwood as tw
from thriftwood.experiments.learners import BY_LEAVES, CUT_BACK, learner_of

COSTS = tw.Costs(default_price=1, errors_default=5)


def test_names_stand_for_settings():
    assert learner_of("optimal 2", COSTS, seed=0).max_depth == 2
    assert isinstance(learner_of(CUT_BACK, COSTS, seed=0).pruning, tw.ExpectedCost)
    assert [learner_of(name, COSTS, seed=0).leaves for name in BY_LEAVES] == ["class", "score"]
    assert learner_of("thrift", COSTS, seed=7).random_state == 7


@pytest.mark.parametrize(
    ("name", "said"), [("optimal deep", "After 'optimal' comes the depth"), ("c54", "c54")]
)
def test_names_that_are_none_are_refused(name, said):
    with pytest.raises(ValueError, match=said):
        learner_of(name, COSTS, seed=0)
