"""What a user reads: as sure as the diagnosis is."""

import json
from dataclasses import replace

import pytest

from thriftwood.clarify import Ending, Model, Profile, diagnose, learn, signs_of
from thriftwood.clarify.commands import Ran
from thriftwood.clarify.explained import explained
from thriftwood.clarify.telling import FACT, LIKELY, close_to, opening, told


@pytest.mark.parametrize(
    ("sure", "words"),
    [(0.99, ""), (FACT, "Probably: "), (0.51, "Probably: "), (LIKELY, "Perhaps: "), (0.0, "Perhaps: ")],
)
def test_the_opening_is_by_confidence(sure, words):
    assert opening(sure) == words
    assert told("So.", sure) == f"{words}So."


@pytest.mark.parametrize(
    ("sure", "shares", "other"),
    [
        (0.5, {"a": 0.6, "b": 0.3, "c": 0.1}, "b"),
        (0.5, {"a": 0.4, "b": 0.3, "c": 0.3}, "b"),  # of two that are as close, the first
        (0.5, {"a": 0.7, "b": 0.3}, None),
        (0.9, {"a": 0.6, "b": 0.4}, None),  # folds say that such leaves are right
        (0.1, {"a": 1.0}, None),
        (0.1, {"a": 0.0, "b": 0.0}, None),  # a leaf without runs
    ],
)
def test_two_causes_are_named_where_they_are_close(sure, shares, other):
    assert close_to("a", sure, shares) == other


def test_a_diagnosis_says_its_doubt():
    seen, other = Profile(("f", "m"), {"f": 3, "m": 9}), Profile(("f", "m"), {"m": 9})
    labels = ["a", "b", "c", "c"] * 20
    found = learn([seen, seen, other, other] * 20, labels, features="fc", false_alarms=None)
    model = Model.of(
        found,
        build={},
        kind="python",
        messages={"a": "It is a.", "c": ""},
        endings={label: {"exit 1": 20} for label in "abc"},
    )
    assert diagnose(model, [3]).said == "Perhaps: It is a.\nOr: b"
    assert diagnose(model, [0]).said == "Probably: c"  # an empty message is none
    assert diagnose(model, [3], Ending(0)).said.startswith("The run did not fail (exit 0).")
    assert diagnose(model, [3], Ending(4)).said.endswith("What was seen is most like: It is a.")


def test_what_rests_on_nothing_seen_is_no_fact():
    """A cause that nobody recorded leaves all counts at 0, too."""
    seen, other = Profile(("f", "m"), {"f": 3, "m": 9}), Profile(("f", "m"), {"m": 9})
    learnt = learn([seen, other] * 20, ["a", "b"] * 20, features="fc", false_alarms=None)
    model = Model.of(learnt, build={}, kind="python", messages={"a": "It is a.", "b": "It is b."})
    none, some = diagnose(model, [0]), diagnose(model, [3])
    assert none.confidence == some.confidence > FACT
    assert (none.said, some.said) == ("Probably: It is b.", "It is a.")
    content, ran = json.loads(model.to_json()), Ran(1, False, 0.1, "", "")
    assert explained(content, [0], ran, []) == [none.said]
    assert explained(content, [3], ran, []) == [some.said]


def test_of_close_causes_the_one_is_named_whose_runs_ended_so():
    seen, other = Profile(("f", "m"), {"f": 3, "m": 9}), Profile(("f", "m"), {"m": 9})
    labels = ["quit1", "quit3", "fine", "fine"] * 20
    learnt = learn([seen, seen, other, other] * 20, labels, features="fc", false_alarms=None)
    endings = {"quit1": {"exit 1": 20}, "quit3": {"exit 3": 20}, "fine": {"exit 0": 40}}
    model = Model.of(learnt, build={}, kind="python", messages={"quit3": "It gave up."}, endings=endings)
    found = diagnose(model, [3], Ending(3))
    assert found.label == "quit1"
    assert found.said.endswith("What was seen is most like: quit1\nOr: It gave up.")
    assert diagnose(model, [3], Ending(7)).said.endswith("What was seen is most like: quit1")
    for code in (1, 3, 7):
        said = explained(json.loads(model.to_json()), [3], Ran(code, False, 0.1, "", ""), [])
        assert said == [diagnose(model, [3], Ending(code)).said]


def run_of(label, nth):
    calls = {"m:main:1": 5, f"m:{label}:2": 1 + nth % 3}
    return Profile(tuple(calls), calls)


LABELS = ["brace", "comma"] * 20
CODES = {"brace": 1, "comma": 2}


@pytest.mark.parametrize("in_doubt", [(), ("brace",)], ids=["certain", "in doubt"])
@pytest.mark.parametrize("known", [True, False], ids=["endings", "no endings"])
@pytest.mark.parametrize("without", [(), ("ending",)], ids=["by all", "without ending"])
@pytest.mark.parametrize("code", [0, 1, 2, 7, -11])
def test_a_program_says_of_itself_what_the_library_says(code, without, known, in_doubt):
    def ran_with(code, text="bad"):
        return Ran(code, False, 0.1, "", text)

    signs = [signs_of(ran_with(CODES[label])) for label in LABELS]
    runs = [run_of(label, nth) for nth, label in enumerate(LABELS)]
    learnt = learn(runs, LABELS, features="fc", signs=signs, without=without)
    model = Model.of(
        learnt,
        build={},
        kind="python",
        messages={"brace": "A brace."},
        endings={label: {f"exit {code}": 20} for label, code in CODES.items()} if known else {},
    )
    model = replace(model, in_doubt=in_doubt)
    for text in ("bad", "something else that no run said"):
        for n in (0, 1):
            counts = [n * ("brace" in str(pattern)) for pattern in model.plan.patterns]
            ran = ran_with(code, text)
            found = diagnose(model, counts, Ending(code), signs_of(ran))
            (said,) = explained(json.loads(model.to_json()), counts, ran, [])
            assert said == found.said
