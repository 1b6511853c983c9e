"""Causes that nobody recorded: false alarms as asked for, classes left out noticed, guards where they pay."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from thriftwood.clarify import Model, Profile, diagnose, learn, learning, noticing, pattern_table, signs_of
from thriftwood.clarify.commands import Ran
from thriftwood.clarify.guards import FREE_SHARE, guards_of
from thriftwood.clarify.normal import bound_of, spreads
from thriftwood.clarify.noticing import _limit
from thriftwood.clarify.pricing import prices_of
from thriftwood.clarify.strangers import strange_calls


def runs(labels, seed=0, calls=1):
    """Each label calls a function of its own, one to three times so often; `main` is called a lot."""
    random = np.random.default_rng(seed)
    return [
        Profile(
            ("main", label),
            {"main": int(random.integers(800, 1200)), label: calls * int(random.integers(1, 4))},
        )
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


@pytest.mark.parametrize(("calls", "n_guards"), [(1, 1), (40, 0)])
def test_guards_cost_half_a_percent_of_everything_whatever_the_tree_costs(calls, n_guards):
    table = pattern_table(runs(LABELS, calls=calls), "fc")
    prices = prices_of(table, 1)
    values, labels = table.counts.toarray(), np.array(LABELS)
    names = [str(pattern) for pattern in table.patterns]
    for tree in ((), (names.index("comma"), names.index("brace"))):
        chosen = guards_of(values, labels, prices, tree)
        assert names.index("main") not in chosen  # too dear for what it tells
        more = {*chosen} - {*tree}
        assert prices.together({*tree, *chosen}) - prices.together(tree) <= FREE_SHARE * prices.total
    assert len(more) == n_guards
    dear = [place for place in range(len(names)) if place != names.index("colon")]
    assert prices.together(dear) > prices.together(tree) > FREE_SHARE * prices.total * (calls > 1)


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


def test_a_call_more_than_ever_before_is_no_unknown_cause():
    """A stack that overflowed after .01 % more calls than ever was like nothing that was recorded."""
    labels = ["endless", "short"] * 30
    deep = [24_950 + 7 * (k % 30) for k in range(60)]
    runs = [
        Profile(("main", "call"), {"main": 1, "call": deep[k] if label == "endless" else 3})
        for k, label in enumerate(labels)
    ]
    model = Model.of(learn(runs, labels, features="fc"), build={}, kind="python", messages={})
    at = {str(pattern): place for place, pattern in enumerate(model.plan.patterns)}
    told = {}
    for calls in (max(deep), max(deep) + 3, min(deep) - 3, 10 * max(deep)):
        row = [0] * len(at)
        row[at["call"]] = calls
        told[calls] = diagnose(model, row)
    assert {one.label for one in told.values()} == {"endless"}
    assert [one.unknown for one in told.values()] == [False, False, False, True]


def test_evidence_that_is_switched_off_is_not_looked_at():
    said = saying([f"{label} missing" for label in LABELS])
    found = learn(runs(LABELS), LABELS, features="fc", signs=said, without=("message",))
    assert found.normal.kinds == {"ending"}


# The limit holds for the model that is saved

WORDS = [f"{a}{b}{c}" for a in "bcdfghjk" for b in "aeiou" for c in "lmnrst"]


def talking(seed, n):
    """Runs of six labels, in pairs that call alike, each saying words that few others say."""
    random, labels = np.random.default_rng(seed), [f"L{k}" for k in range(6)] * n
    profiles, said = [], []
    for label in labels:
        number = int(label[1:])
        calls = {"p!main": 5, f"p!f{number // 2}": 1 + int(random.poisson(2))}
        if random.random() < 0.9:
            calls[f"p!g{number}"] = 1 + int(random.poisson(1))
        profiles.append(Profile(tuple(calls), calls))
        said.append(" ".join(WORDS[(7 * number + int(random.zipf(1.7))) % len(WORDS)] for _ in range(2)))
    return profiles, labels, saying(said)


def test_fresh_runs_of_recorded_causes_are_called_unknown_as_seldom_as_was_asked():
    alarms = []
    for seed in range(6):
        profiles, labels, said = talking(seed, 40)
        found = learn(profiles, labels, features="fc", signs=said, search="greedy")
        model = Model.of(found, build={}, kind="native", messages={})
        fresh, _, words = talking(1000 + seed, 40)
        told = [
            diagnose(model, model.plan.count(run), shown=one) for run, one in zip(fresh, words, strict=True)
        ]
        alarms.append(np.mean([one.unknown for one in told]))
    assert np.mean(alarms) <= 0.05


def desk_of(monkeypatch, *given, **options):
    """What normal_of is called with when something is learnt, as a desk; and what it returns."""
    asked = {}

    def spy(*words, **settings):
        asked["desk"] = noticing._Desk(*words, settings["without"], settings["strangers"], settings["called"])
        asked["found"] = noticing.normal_of(*words, **settings)
        return asked["found"]

    monkeypatch.setattr(learning, "normal_of", spy)
    learn(*given, features="fc", search="greedy", **options)
    return asked["desk"], *asked["found"]


@pytest.mark.parametrize("strangers", [(), ("p!other",)])
def test_a_run_alone_is_judged_by_all_others(monkeypatch, strangers):
    profiles, labels, said = talking(0, 8)
    once = replace(profiles[3], functions=("p!main", "p!rare"), calls={"p!main": 5, "p!rare": 2})
    profiles[3] = once
    desk, normal, columns = desk_of(monkeypatch, profiles, labels, signs=said, strangers=strangers)
    every, tree = np.arange(len(labels)), desk.tree.model.tree_
    of_all, expected = desk._spread(desk.values[:, list(columns)], columns), []
    for run in every.tolist():
        others = np.delete(every, run)
        rest = desk.normal(others, columns)
        runs = Counter(desk.labels[others].tolist())
        spread = {name: spreads(rest.low[name], rest.high[name], runs[name], of_all) for name in runs}
        rest = replace(rest, spread=spread, surprise=normal.surprise)
        row = desk.values[run, list(columns)]
        if strangers:
            row[columns.index(desk.strangers)] = strange_calls(desk.called, others, every[[run]])[0]
        label = str(tree.answer(int(tree.apply(desk.offered[[run]])[0])))
        expected.append(rest.oddness(label, row.tolist(), said[run]))
    assert desk.each_alone(normal, columns).tolist() == pytest.approx(expected)
    assert (np.array(expected) > bound_of(normal.limit)).mean() <= 0.05


def test_labels_that_are_left_out_do_not_say_how_far_they_are_misled(monkeypatch):
    trust, asked = noticing._trust, []
    monkeypatch.setattr(
        noticing,
        "_trust",
        lambda names, known, foreign, limit: (
            asked.append(foreign),
            trust(names, known, foreign, limit),
        )[1],
    )
    learn(runs(LABELS), LABELS, features="fc")
    every, *parts = asked
    assert [[one for one in every if one is not left] for left in every] == [list(part) for part in parts]


def test_patterns_are_counted_without_the_column_of_strangers():
    plain, more = (
        learn(runs(LABELS), LABELS, features="fc", strangers=names) for names in ((), ("p!other",))
    )
    assert plain.n_patterns == more.n_patterns
