import numpy as np
import pytest

import thriftwood as tw


@pytest.mark.parametrize(
    ("make", "other"),
    [
        (lambda: tw.Growth(max_depth=3), tw.Growth(max_depth=4)),
        (lambda: tw.Pessimistic(cf=0.1), tw.Pessimistic()),
        (lambda: tw.CostComplexity(alpha=0.1), tw.CostComplexity()),
        (lambda: tw.MDL(), tw.ExpectedLoss()),
        (lambda: tw.CsGain(gamma=0.01), tw.CsGain()),
        (lambda: tw.Act(look_ahead=tw.LookAhead(r=3)), tw.Act(look_ahead=tw.LookAhead(r=4))),
        (lambda: tw.Test(5, needs=["blood draw"]), tw.Test(5)),
        (lambda: tw.Costs({"a": 1}, errors_default=5), tw.Costs({"a": 1})),
    ],
)
def test_value_objects_are_equal_by_their_values(make, other):
    assert make() == make()
    assert make() != other
    assert make() != "another thing"


@pytest.mark.parametrize("make", [tw.Growth, tw.Pessimistic, tw.CsGain, tw.LookAhead])
def test_equal_objects_have_one_hash(make):
    assert len({make(), make()}) == 1


def test_lists_and_arrays_are_compared_as_a_whole():
    from_list, from_array = tw.Growth(max_depth=[1, 2]), tw.Growth(max_depth=np.array([1, 2]))
    assert from_list == from_array
    assert hash(from_list) == hash(from_array)
    assert from_list != tw.Growth(max_depth=[1])
