"""What is normal: ranges, oddness, confidence, and what is read from files."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thriftwood.base.rising import rising
from thriftwood.clarify import Sign
from thriftwood.clarify.normal import ASKED, DRAWN, Normal, ranges, spreads


@pytest.fixture
def normal():
    low, high = ranges([[1, 0, 1], [3, 0, 1], [9, 4, 0]], ["a", "a", "b"])
    return Normal(
        low=low,
        high=high,
        spread={"a": (0.5, 2.0, 0.0), "b": (0.1, 2.0, 0.0)},
        known={
            "a": {"says": frozenset({"no room"}), "ending": frozenset({"exit 1"})},
            "b": {"says": frozenset({"no room", "on fire"}), "ending": frozenset({"exit 1", "signal 9"})},
        },
        surprise={
            "a": {ASKED: 3.0, "says": 2.0, "ending": 4.0},
            "b": {ASKED: 1.0, "says": 0.5, "ending": 1.0},
        },
        limit=1.0,
        rate=0.05,
        steps=((0.5, 0.6), (0.9, 0.8)),
        trust={"a": 1.0, "b": 0.5},
    )


def test_what_is_in_the_range_is_not_odd(normal):
    assert normal.odd("a", [2, 0, 1], {Sign("ending", "exit 1"), Sign("says", "no room")}) == []
    assert not normal.is_unknown("a", [1, 0, 1], None)


def test_counts_are_odd_by_how_far_out_they_are(normal):
    assert normal.oddness("a", [7, 0, 1], None) == pytest.approx(math.log(8 / 4) / 0.5)
    assert normal.oddness("a", [0, 0, 1], None) == pytest.approx(math.log(2) / 0.5)
    assert normal.oddness("b", [19, 4, 0], None) == pytest.approx(
        math.log(2) / 0.1
    )  # in spreads of its label
    assert normal.odd("a", [2, 0, 0], None) == [(2, 3.0)]  # a sign is there or not


@pytest.mark.parametrize("n_runs", [60, 1000])
def test_just_outside_of_a_wide_range_is_hardly_odd_and_of_a_narrow_one_it_is(normal, n_runs):
    """A call count .01 % outside of a range made a run unknown: stacks that overflow a bit later."""
    low, high = {"a": (20_000.0, 700.0, 1.0)}, {"a": (26_000.0, 700.0, 1.0)}
    spread = {"a": spreads(low["a"], high["a"], n_runs, (1.5, 1.5, 0.0))}
    near = replace(normal, low=low, high=high, spread=spread)
    assert near.oddness("a", [26_003, 700, 1], None) < 0.001
    assert near.oddness("a", [26_000 * 1.3, 700, 1], None) == pytest.approx(1.0, rel=0.7)  # as far again
    apart = [near.oddness("a", [26_000, 700 + more, 1], None) for more in (7, 70, 700)]
    assert apart == sorted(apart)
    assert spread["a"][1] == pytest.approx(1.5 * DRAWN / (n_runs + DRAWN))
    assert spread["a"][2] == 0.0


def test_models_of_version_3_have_one_spread_for_all_labels(normal):
    before = {name: entry for name, entry in normal.to_content().items() if name != "spread"}
    old = Normal.from_content(before | {"scale": [0.5, 2.0, 0.0]})
    assert old.spread == dict.fromkeys("ab", (0.5, 2.0, 0.0))


def test_what_is_not_known_is_not_odd(normal):
    assert normal.odd("a", [2, 0, math.nan], None) == []


@pytest.mark.parametrize("limit", [0.1 + 0.2, 1.1, 2.3, 4.7])
def test_a_run_at_the_limit_is_known_however_its_oddness_adds_up(normal, limit):
    """The surprise of a kind is shared among all that is odd; sums of shares miss it by a last digit."""
    low, high = ranges([[1] * 7], ["a"])
    surprise = {"a": {ASKED: limit, "says": 2.0, "ending": 4.0}}
    seven = replace(normal, low=low, high=high, spread={"a": (0.0,) * 7}, surprise=surprise, limit=limit)
    for odd in range(1, 8):
        row = [0] * odd + [1] * (7 - odd)
        assert not seven.is_unknown("a", row, None)
        assert replace(seven, limit=limit * 0.999999).is_unknown("a", row, None)


def test_what_no_run_of_the_label_showed_is_odd(normal):
    exit_1, dead = Sign("ending", "exit 1"), Sign("ending", "signal 9")
    room, fire, rain = (Sign("says", text) for text in ("no room", "on fire", "rain"))
    assert normal.odd("a", [2, 0, 1], {dead, room, fire}) == [(fire, 2.0), (dead, 4.0)]
    assert normal.is_unknown("a", [2, 0, 1], {dead, room, fire})
    assert normal.odd("b", [9, 4, 0], {dead, room, fire}) == []  # runs of b said so
    assert normal.odd("a", [2, 0, 1], {exit_1, fire, rain}) == [(fire, 1.0), (rain, 1.0)]  # one message


def test_one_known_way_to_end_is_enough(normal):
    timeout, killed = Sign("ending", "timeout"), Sign("ending", "signal 9")
    assert normal.odd("b", [9, 4, 0], {timeout, killed}) == []
    assert [much for _, much in normal.odd("a", [2, 0, 1], {timeout, killed})] == [4.0]


def test_without_surprises_each_thing_counts_one(normal):
    plain = replace(normal, surprise=None)
    shown = {Sign("ending", "signal 9"), Sign("says", "rain"), Sign("says", "storm")}
    assert [much for _, much in plain.odd("a", [2, 0, 0], shown)] == [1.0, 1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    ("label", "share", "sure"), [("a", 0.4, 0.6), ("a", 0.89, 0.6), ("a", 0.9, 0.8), ("b", 1, 0.4)]
)
def test_confidence_is_by_steps_and_trust(normal, label, share, sure):
    assert normal.confidence(label, share) == pytest.approx(sure)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=60))
def test_steps_rise_and_never_say_never(cases):
    steps = rising([share for share, _ in cases], [right for _, right in cases])
    assert list(steps) == sorted(steps)
    assert all(0.0 < sure < 1.0 for _, sure in steps)


def test_a_file_holds_all_of_it(normal):
    again = Normal.from_content(normal.to_content())
    assert again == normal
    again.check(["a", "b"], 3)


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("low", {"a": [1, 0, 1]}),
        ("spread", {"a": [0.5], "b": [0.5]}),
        ("spread", {"a": [0.5, 2.0, 0.0]}),
        ("limit", float("nan")),
        ("steps", []),
        ("steps", [[0.9, 0.1], [0.5, 0.2]]),
        ("trust", {"a": "all"}),
        ("known", {"a": {"says": []}, "b": {"says": [1]}}),
        ("known", {"a": {"smells": []}, "b": {"smells": []}}),
        ("known", {"a": {"says": ["no room"]}}),
        ("surprise", {"a": {"says": 1.0}, "b": {"says": 1.0}}),
        ("surprise", {}),
        ("surprise", {"a": {ASKED: "much"}, "b": {ASKED: "much"}}),
    ],
)
def test_what_contradicts_itself_is_refused(normal, entry, value):
    with pytest.raises((ValueError, TypeError, AttributeError)):
        Normal.from_content(normal.to_content() | {entry: value}).check(["a", "b"], 3)
