"""Diagnoses: label, message, way and confidence, from counts or from a profile."""

from pathlib import Path

import pytest
from clarify.plain_calls import profile_of, tree

from thriftwood.clarify import Ending, Model, Pattern, Plan, Profile, ProfileError, diagnose, learn, signs_of
from thriftwood.clarify.commands import Ran

GOLDEN = Path(__file__).parent.parent / "golden"


@pytest.fixture(scope="module")
def model():
    good = profile_of(tree("m:main:1", tree("m:parse:3")), build={"m": "1"})
    bad = profile_of(tree("m:main:1", tree("m:parse:3", tree("m:fail:9"))), build={"m": "1"})
    found = learn([good, bad] * 20, ["fine", "broken"] * 20, features="fc")
    return Model.of(found, build={"m": "1"}, kind="python", messages={"broken": "Mend the input."})


def test_a_failure_is_explained(model):
    said = diagnose(model, [1])
    assert (said.label, said.message) == ("broken", "Mend the input.")
    assert (said.confidence, said.n_of_label, said.n_alike, said.n_runs) == (41 / 42, 20, 20, 40)
    (step,) = said.steps
    assert (step.pattern, step.count, step.condition) == ("m:fail:9", 1, "m:fail:9 > 0")
    assert said.shares == {"broken": 1.0, "fine": 0.0}
    assert said.counts == {"m:fail:9": 1}


def test_a_label_without_a_text_has_no_message(model):
    assert diagnose(model, [0]).message is None


def test_a_label_may_rest_on_what_was_not_seen(model):
    assert diagnose(model, [0]).nothing_seen
    assert not diagnose(model, [1]).nothing_seen


def test_only_what_is_asked_on_the_way_counts_as_seen():
    def run(**calls):
        return Profile(("main", "a", "b"), {"main": 9, **calls})

    runs = [run(), run(b=1), run(a=1), run(a=1, b=1)]  # b matters where a was called
    found = learn(runs * 20, ["none", "none", "a", "both"] * 20, features="fc")
    model = Model.of(found, build={}, kind="python", messages={})
    said = [diagnose(model, one) for one in runs]
    assert [one.label for one in said] == ["none", "none", "a", "both"]
    assert [one.nothing_seen for one in said] == [True, True, False, False]


def test_a_profile_is_diagnosed_like_its_counts(model):
    profile = profile_of(tree("m:main:1", tree("m:fail:9")), build={"m": "1"})
    assert diagnose(model, profile) == diagnose(model, [1])


def test_another_build_is_refused(model):
    with pytest.raises(ProfileError, match="m is another build than the one the model was learnt from"):
        diagnose(model, Profile(("m:fail:9",), {"m:fail:9": 1}, build={"m": "2"}))


def test_a_module_that_was_not_loaded_is_no_other_build(model):
    assert diagnose(model, Profile((), {}, build={})).label == "fine"


def test_calls_alone_do_not_answer_for_call_trees():
    plan = Plan((Pattern("inside", ("f", "g")), Pattern("count", ("f",))))
    calls = Profile(("f", "g"), {"f": 1, "g": 1})
    with pytest.raises(ProfileError, match="asks for call trees, and the profile has calls alone"):
        plan.count(calls)
    assert Plan((Pattern("count", ("f",)),)).count(calls) == (1,)
    assert plan.count(profile_of(tree("f", tree("g")))) == (1, 1)
    assert plan.count(Profile((), {})) == (0, 0)


def test_the_number_of_counts_is_that_of_the_plan(model):
    with pytest.raises(ValueError, match=r"The plan has 1 pattern, so as many counts. Got 2 counts"):
        diagnose(model, [1, 2])


def test_models_of_the_first_version_are_read():
    model = Model.load(GOLDEN / "clarify-v1.json")
    assert (model.signs, model.reads_message) == ((), False)
    said = diagnose(model, [0, 1], Ending(1))
    assert (said.label, said.message, said.doubt) == ("a", "Look at a.", None)


def test_a_model_of_version_2_diagnoses_as_it_did(tmp_path):
    """Lines of messages count 1 each if no run of any label said so; so do signs and endings."""
    model = Model.load(GOLDEN / "clarify-v2.json")
    for again in (model, Model.from_json(model.to_json())):
        shown = signs_of(Ran(3, False, 0.1, "", "error: on fire\nerror: bad input"))
        found = diagnose(again, [0, 0, 0], shown=shown)
        assert (found.label, found.unknown) == ("colon", True)
        assert found.odd == (
            "calls of colon: 0; in recorded runs 1 to 3.",
            "Not so here, but in all recorded runs: It ended with exit 2.",
            "So here, but in no recorded runs: Its message has a line like: error: bad input",
            "No recorded run said anything like: error: on fire",
            "No recorded run of this kind ended so, but with exit 2.",
        )
        much = [amount for _, amount in again.normal.odd("colon", again.row([0, 0, 0], shown), shown)]
        assert much == pytest.approx([1.387622883877068, 1, 1, 1, 1])
