"""Causes that nobody recorded: false alarms as asked for, classes left out noticed, guards where they pay."""

import numpy as np
import pytest

from thriftwood.clarify import Model, Profile, diagnose, learn, pattern_table, signs_of
from thriftwood.clarify.commands import Ran
from thriftwood.clarify.guards import FREE_SHARE, guards_of
from thriftwood.clarify.noticing import _limit
from thriftwood.clarify.pricing import prices_of


def runs(labels, seed=0):
    """Each label calls a function of its own, once to three times; `main` is called a lot."""
    random = np.random.default_rng(seed)
    return [
        Profile(("main", label), {"main": int(random.integers(800, 1200)), label: int(random.integers(1, 4))})
        for label in labels
    ]


LABELS = ["comma", "brace", "colon"] * 20


@pytest.fixture(scope="module")
def found():
    return learn(runs(LABELS), LABELS, features="fc")


def test_labels_that_were_left_out_are_noticed(found):
    figures = found.normal.figures
    assert figures["alarms"] <= 0.05
    assert figures["noticed"] == 1.0
    assert figures["misled"] == 0.0
    assert all(sure > 0.9 for sure in found.normal.trust.values())


def test_what_does_nothing_that_is_known_is_unknown(found):
    assert len(found.chosen.functions) == 2  # two tell three apart
    assert {f for pattern in found.patterns for f in pattern.functions} == set(
        LABELS
    )  # a guard for the third
    assert found.watched_share < 0.01
    model = Model.of(found, build={}, kind="python", messages={})
    nothing = diagnose(model, [0] * len(model.plan.patterns))
    assert nothing.unknown
    assert nothing.odd
    for label, profile in zip(LABELS[:3], runs(LABELS[:3], seed=5), strict=True):
        told = diagnose(model, model.plan.count(profile))
        assert (told.label, told.unknown, told.odd) == (label, False, ())


def test_nothing_is_guarded_where_nobody_asks():
    plain = learn(runs(LABELS), LABELS, features="fc", false_alarms=None)
    assert (plain.normal, len(plain.patterns)) == (None, 2)
    assert plain.watched_share == plain.chosen.share


def test_where_unknown_causes_pass_labels_are_trusted_less():
    # Left out, each label looks like another: all differ in one count alone, which lies between others.
    labels = ["one", "two", "three", "four"] * 20
    level = {"one": 10, "two": 20, "three": 30, "four": 40}
    random = np.random.default_rng(1)
    profiles = [
        Profile(("f", "m"), {"f": int(random.integers(1, 60)) if k % 5 == 0 else level[label], "m": 9})
        for k, label in enumerate(labels)
    ]
    normal = learn(profiles, labels, features="fc").normal
    assert normal.figures["noticed"] < 0.5
    assert min(normal.trust.values()) < 0.8


@pytest.mark.parametrize(("rate", "limit"), [(0.0, 9.0), (0.1, 8.0), (0.25, 7.0), (0.95, 0.0)])
def test_the_limit_leaves_the_share_asked_for_above_it(rate, limit):
    odd = np.arange(10.0)
    assert _limit(odd, rate) == limit
    assert (odd > _limit(odd, rate)).mean() <= rate


def test_guards_cost_as_much_as_the_tree_at_most():
    table = pattern_table(runs(LABELS), "fc")
    prices = prices_of(table, 1)
    values, labels = table.counts.toarray(), np.array(LABELS)
    main = [str(pattern) for pattern in table.patterns].index("main")
    chosen = guards_of(values, labels, prices, ())
    assert main not in chosen  # too dear for what it tells
    assert prices.together(chosen) <= FREE_SHARE * prices.total


@pytest.mark.parametrize("rate", [-0.1, 1.0])
def test_a_rate_is_a_share(rate):
    with pytest.raises(ValueError, match="false_alarms must be a share of the runs"):
        learn(runs(LABELS), LABELS, features="fc", false_alarms=rate)


def saying(texts):
    return [signs_of(Ran(1, False, 0.1, "", text)) for text in texts]


def test_what_a_label_never_said_is_as_odd_as_its_runs_are_alike():
    texts = {"comma": "comma missing", "brace": "brace of {} missing", "colon": "colon missing"}
    names = ["alpha", "beta", "gamma", "delta", "epsilon"]  # each brace says a name of its own, now and then
    said = [texts[label].format(names[k % 5] + "xyz"[k // 20] * (k % 2)) for k, label in enumerate(LABELS)]
    found = learn(runs(LABELS), LABELS, features="fc", signs=saying(said))
    known, surprise = found.normal.known, found.normal.surprise
    assert known["comma"]["says"] == {"comma missing"}
    assert known["comma"]["word"] == {"comma", "missing"}
    assert surprise["comma"]["word"] == pytest.approx(-np.log(1 / 22))
    assert surprise["brace"]["word"] < 1.0 < surprise["comma"]["word"]
    model = Model.of(found, build={}, kind="python", messages={})
    counts = [int(str(pattern) == "comma") for pattern in model.plan.patterns]
    (same, other) = saying(["comma missing", "comma missing\nalpha missing"])
    assert not diagnose(model, counts, shown=same).unknown
    told = diagnose(model, counts, shown=other)  # some braces said so, but no comma
    assert told.unknown
    assert "No recorded run of this kind said the word: alpha" in told.odd


def test_evidence_that_is_switched_off_is_not_looked_at():
    said = saying([f"{label} missing" for label in LABELS])
    found = learn(runs(LABELS), LABELS, features="fc", signs=said, without=("message",))
    assert found.normal.kinds == {"ending"}
