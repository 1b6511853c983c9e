"""Patterns: their counts follow from exact trees, and equal what walking the call tree gives."""

import numpy as np
import pytest
from clarify.plain_calls import matches, profile_of, tree
from hypothesis import given
from hypothesis import strategies as st

from thriftwood.clarify import Pattern, Plan, pattern_table
from thriftwood.clarify.patterns import ExactTree
from thriftwood.clarify.plan import from_words, to_words, value
from thriftwood.clarify.pricing import prices_of, without_twins

leaves = st.sampled_from("abcd").map(tree)
trees = st.recursive(
    leaves,
    lambda inner: st.tuples(st.sampled_from("abcd"), st.lists(inner, max_size=4).map(tuple)),
    max_leaves=12,
)
runs = st.lists(st.lists(trees, min_size=1, max_size=2), min_size=1, max_size=4)


def column(table, text):
    return table.counts[:, [str(p) for p in table.patterns].index(text)].toarray().ravel().tolist()


def test_a_hand_made_tree():
    # f calls g twice and h; the second g calls h. f is called once more and calls nothing.
    run = (tree("f", tree("g"), tree("h"), tree("g", tree("h"))), tree("f"))
    table = pattern_table([profile_of(*run)])
    seen = {str(p): int(table.counts[0, j]) for j, p in enumerate(table.patterns)}
    assert seen == {
        "f": 2,
        "g": 2,
        "h": 2,
        "f>g": 1,
        "f>h": 1,
        "f>{g,h}": 1,
        "g>h": 1,
        "f>g>h": 1,
        "f>!g": 1,
        "f>!h": 1,
        "f>!{g,h}": 1,
        "g>!h": 1,
        "f>{g,g>h,h}": 1,
        "f>{g>h,h}": 1,
    }


@given(runs)
def test_every_count_is_that_of_walking_the_tree(roots):
    table = pattern_table([profile_of(*run) for run in roots])
    counts = table.counts.toarray()
    for j, pattern in enumerate(table.patterns):
        assert counts[:, j].tolist() == [matches(pattern, *run) for run in roots], pattern


@given(runs)
def test_a_plan_counts_what_the_table_counts(roots):
    profiles = [profile_of(*run) for run in roots]
    table = pattern_table(profiles)
    plan = Plan(tuple(table.patterns))
    assert table.counts.toarray().tolist() == [list(plan.count(profile)) for profile in profiles]
    again = Plan.from_text(plan.text())
    assert again.patterns == plan.lines
    for profile in profiles:
        assert plan.values(again.count(profile)) == plan.count(profile)


@given(runs)
def test_patterns_read_back_from_their_words(roots):
    for pattern in pattern_table([profile_of(*run) for run in roots]).patterns:
        assert from_words(to_words(pattern)) == pattern


@given(runs)
def test_patterns_are_different_and_edges_are_all_there(roots):
    table = pattern_table([profile_of(*run) for run in roots])
    assert len(set(table.patterns)) == len(table.patterns)
    edges = {(f, g) for run in roots for f, g in _edges(run)}
    assert {p.functions for p in table.patterns if p.kind == "inside" and len(p.functions) == 2} == edges


def _edges(nodes):
    for f, children in nodes:
        yield from ((f, child[0]) for child in children)
        yield from _edges(children)


def test_exact_trees_are_counted_as_they_are():
    run = (tree("f", tree("g", tree("h"))), tree("f", tree("g")), tree("f", tree("g"), tree("h")))
    table = pattern_table([profile_of(*run)], "exact")
    assert column(table, "f{g}") == [2.0]
    assert column(table, "f{g,h}") == [1.0]
    assert column(table, "f{g{h}}") == [1.0]
    assert ExactTree(("f", frozenset({("g", frozenset("h"))}))).functions == ("f", "g", "h")


def test_calls_alone():
    table = pattern_table([profile_of(tree("f", tree("g")))], "fc")
    assert [str(p) for p in table.patterns] == ["f", "g"]


def test_features_are_named():
    with pytest.raises(ValueError, match=r"features must be one of 'fc', 'ctp', 'exact'. Got 'all'"):
        pattern_table([], "all")


# Prices


def test_published_example_of_prices_in_context():
    # algorithm B5: E = {f: 100, g: 10, h: 1}; f{g} costs 110, after which g{h} costs 1.
    table = pattern_table([profile_of(tree("f", tree("g", tree("h"))))])
    prices = prices_of(_with_calls(table, {"f": 100.0, "g": 10.0, "h": 1.0}), span=1)
    names = [str(p) for p in table.patterns]
    costs = prices.costs(range(len(names)))
    fg, gh = names.index("f>g"), names.index("g>h")
    assert costs.purchase([f"x{fg}", f"x{gh}"]) == [110.0, 1.0]
    assert prices.together([fg, gh]) == 111.0
    assert prices.total == 111.0


def test_a_span_includes_the_tick():
    table = pattern_table([profile_of(tree("f", tree("g")))])
    prices = prices_of(_with_calls(table, {"f": 10.0, "g": 1.0}), span=5)
    names = [str(p) for p in table.patterns]
    costs = prices.costs(range(len(names)))
    f, fg = f"x{names.index('f')}", f"x{names.index('f>g')}"
    assert costs.purchase([f, fg]) == [10.0, 45.0]
    assert costs.purchase([fg, f]) == [55.0, 0.0]
    assert prices.total == 55.0


def test_a_span_is_never_cheaper_than_a_tick():
    with pytest.raises(ValueError, match=r"at least 1. Got 0.5"):
        prices_of(pattern_table([profile_of(tree("f"))]), span=0.5)


@given(runs, st.floats(1, 100))
def test_prices_agree_with_the_price_list(roots, span):
    table = pattern_table([profile_of(*run) for run in roots])
    prices = prices_of(table, span)
    costs = prices.costs(range(len(table.patterns)))
    alone = prices.alone()
    for j in range(len(table.patterns)):
        assert costs.effective_price(f"x{j}") == pytest.approx(alone[j])
    together = prices.together(range(len(table.patterns)))
    assert costs.total([f"x{j}" for j in range(len(table.patterns))]) == pytest.approx(together)
    assert together <= prices.total * (1 + 1e-12)


@given(runs)
def test_twins_leave_the_cheapest(roots):
    table = pattern_table([profile_of(*run) for run in roots])
    prices = prices_of(table, 5)
    kept = without_twins(table, prices)
    counts, alone = table.counts.toarray(), prices.alone()
    columns = {counts[:, j].tobytes() for j in kept}
    assert len(columns) == len(kept)
    for j in range(counts.shape[1]):
        commonest = np.unique(counts[:, j], return_counts=True)[1].max()
        if commonest >= len(roots) - 1:
            assert counts[:, j].tobytes() not in columns
        else:
            (twin,) = [k for k in kept if (counts[:, k] == counts[:, j]).all()]
            assert alone[twin] <= alone[j]


def _with_calls(table, calls):
    return type(table)(table.patterns, table.counts, calls)


# Plans


def test_a_plan_file():
    plan = Plan((Pattern("count", ("m:f:1",)), Pattern("chain", ("a!f", "a!g", "a!h"))))
    assert plan.text() == "0\tcount\tm:f:1\n1\tchain\ta!f\ta!g\ta!h\n"
    assert plan.functions == ("a!f", "a!g", "a!h", "m:f:1")
    assert plan.spanned == ("a!f", "a!g", "a!h")
    assert plan.events({"a!f": 1.0, "a!g": 2.0, "a!h": 3.0, "m:f:1": 4.0}) == 10.0


@pytest.mark.parametrize(
    "text",
    [
        "1\tcount\tf\n",
        "0\tcount\n",
        "0\tedge\tf\tg\n",
        "0\tchain\tf\tg\n",
        "count f",
        "0\tcount\t\n",
        "0\twithout\tf\tg\n",
        "0\ttree\tf\tg\t2\th\n",
        "0\ttree\tf\tg\n",
    ],
)
def test_a_wrong_plan_file_is_refused(text):
    with pytest.raises(ValueError, match="plan"):
        Plan.from_text(text)


def test_names_that_a_plan_file_cannot_hold_are_refused():
    with pytest.raises(ValueError, match="without tabs"):
        Plan((Pattern("count", ("f\tg",)),))


def test_a_set_counts_what_contains_it():
    profile = profile_of(
        tree("f", tree("g"), tree("h"), tree("k")), tree("f", tree("g"), tree("h")), tree("f", tree("g"))
    )
    assert [value(Pattern("inside", ("f", *s)), profile) for s in ("g", "gh", "gk", "hk", "ghk")] == [
        3,
        2,
        1,
        1,
        1,
    ]
