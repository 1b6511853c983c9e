"""Rules: merged conditions, and that they say what the tree says."""

import numpy as np
from finished_trees import deep, golf, grown, mixed, random_finished, random_row, table_of
from hypothesis import given, settings
from hypothesis import strategies as st

from thriftwood.models.tree.conditions import Above, AtMost, Between, IsMissing, IsOneOf, OnScale
from thriftwood.models.tree.rules import both, merged

seeds = st.integers(0, 2**32 - 1)


def test_the_rules_of_golf():
    assert [str(rule) for rule in golf().rules()] == [
        "if Outlook = Overcast then Yes  (weight 4, confidence 88.1%, price 4)",
        "if Outlook = Sunny and Humidity <= 75 then Yes  (weight 2, confidence 82.1%, price 6)",
        "if Outlook = Sunny and Humidity > 75 then No  (weight 3, confidence 74.3%, price 6)",
        "if Outlook = Rain and Windy = false then Yes  (weight 3, confidence 85.7%, price 4.5)",
        "if Outlook = Rain and Windy = true then No  (weight 2, confidence 67.9%, price 4.5)",
    ]


def test_a_tree_that_asks_nothing():
    (rule,) = grown([[1.0], [1.0], [1.0]], ["a", "a", "b"]).rules()
    assert str(rule) == "always a  (weight 3, confidence 66.7%)"
    assert rule.price is None
    assert rule.matches({})


def test_conditions_merge():
    assert both(AtMost("x", 3.0), AtMost("x", 2.0)) == AtMost("x", 2.0)
    assert both(Above("x", 1.0), AtMost("x", 2.0)) == Between("x", 1.0, 2.0)
    assert both(Between("x", 1.0, 5.0), Above("x", 2.0)) == Between("x", 2.0, 5.0)
    assert both(IsOneOf("c", ("a", "b", "d")), IsOneOf("c", ("d", "b"))) == IsOneOf("c", ("b", "d"))
    assert both(OnScale("s", ("S", "M", "L"), 0, 1), OnScale("s", ("S", "M", "L"), 1, 2)) == OnScale(
        "s", ("S", "M", "L"), 1, 1
    )
    assert both(IsMissing("x"), IsMissing("x")) == IsMissing("x")
    assert not both(IsMissing("x"), AtMost("x", 1.0)).holds(None)
    order = merged([AtMost("b", 1.0), AtMost("a", 1.0), Above("b", 0.0)])
    assert [condition.feature for condition in order] == ["b", "a"]


def test_missing_values_meet_only_is_missing():
    for condition in (AtMost("x", 1.0), Above("x", 1.0), IsOneOf("x", ("a",)), OnScale("x", ("a",), 0, 0)):
        assert not condition.holds(None)
        assert not condition.holds(float("nan"))
    assert IsMissing("x").holds(float("nan"))
    assert not IsMissing("x").holds(0)


@given(seeds, st.booleans())
@settings(deadline=None, max_examples=100)
def test_exactly_one_rule_matches_a_complete_case_and_gives_the_trees_answer(seed, as_regression):
    rng = np.random.default_rng(seed)
    tree = random_finished(rng, regression=as_regression, surrogates=False, full_maps=True)
    rows = [random_row(rng) for _ in range(20)]
    rules = tree.rules()
    assert all(len({c.feature for c in rule.conditions}) == len(rule.conditions) for rule in rules)
    answers = tree.predict(table_of(tree, rows)).tolist()
    ends = tree.apply(table_of(tree, rows)).tolist()
    for row, answer, node in zip(rows, answers, ends, strict=True):
        (rule,) = [rule for rule in rules if rule.matches(row)]
        assert (rule.answer, rule.node) == (answer, node)


def test_grown_trees_with_subsets_too():
    tree = mixed(missing="majority")
    rng = np.random.default_rng(3)
    rows = [
        {
            "x0": float(rng.normal()),
            "x1": str(rng.choice(["red", "blue", "grey"])),
            "x2": int(rng.integers(3)),
        }
        for _ in range(200)
    ]
    rules = tree.rules()
    for row, answer in zip(rows, tree.predict(table_of(tree, rows)), strict=True):
        assert [rule.answer for rule in rules if rule.matches(row)] == [answer]


def test_rules_of_a_deep_tree():
    rules = deep(3000).rules()
    assert len(rules) == 3001
    assert str(rules[-1].conditions[0]) == "x0 > 5998"
    assert str(rules[1].conditions[0]) == "0 < x0 <= 2"
