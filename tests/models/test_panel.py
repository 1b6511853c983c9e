"""What a panel and a booster say of themselves: who may be asked, and for what."""

import numpy as np
from evaluation import plain_ledger
from evaluation.plain_panel import PlainPanel, random_cases, random_panel
from hypothesis import given, settings
from hypothesis import strategies as st

import thriftwood as tw


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_members_and_features_asked_are_those_that_cases_come_to(seed):
    rng = np.random.default_rng(seed)
    values = rng.choice([0, 0, 1, 2, 4], 5).tolist()
    costs = plain_ledger.random_costs(rng, 5)
    panel, arrays, stacked = random_panel(rng, costs, values)
    codes, rows = random_cases(rng, values, 5)
    plain = PlainPanel(arrays, panel.rule, costs, codes[0], stacked)
    assert list(panel.members_asked) == list(plain.may_be_consulted())
    tested = [
        f"x{test}" for member in panel.members_asked for test in plain_ledger.tests_below(arrays[member], 0)
    ]
    assert set(panel.features_used) == set(tested)
    first = list(dict.fromkeys(tested))
    assert list(panel.features_asked[: len(first)]) == first
    bought = tw.bill(panel, rows, costs=costs).per_case["tests"]
    assert {name for names in bought for name in names} <= set(panel.features_asked)


def test_a_single_tree_votes_too():
    model = tw.algorithm("bagging", bags=1, random_state=0).fit([[1], [2]] * 3, ["no", "yes"] * 3)
    assert repr(model.panel_) == "<Panel: 1 tree that votes, classes no, yes>"


def test_stages_are_trees_whose_tests_come_in_the_order_asked():
    golf = tw.load_dataset("golf-nominal")
    learner = tw.CostGradientBoostingClassifier(costs=golf.costs, min_leaf_weight=1, n_estimators=40)
    booster = learner.fit(golf.X, golf.y).booster_
    assert len(booster.trees) == booster.n_stages
    read = [booster.feature_names[f] for stage in booster.stages for f in stage.feature if f >= 0]
    assert set(booster.features_asked) == set(booster.features_used) == set(read)
    assert len(booster.features_asked) > 1
    stage_of = [
        min(n for n, tree in enumerate(booster.trees) if name in tree.features_used)
        for name in booster.features_asked
    ]
    assert stage_of == sorted(stage_of)
    for tree, stage in zip(booster.trees, booster.stages, strict=True):
        assert tree.core.values.tolist() == stage.steps
        assert [tree.condition(node) is None for node in range(tree.n_nodes)].count(True) == 1
