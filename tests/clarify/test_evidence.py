"""Free evidence: what messages are made comparable by, and that it is learnt together with calls."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thriftwood.clarify import Model, Profile, Sign, diagnose, learn, pattern_table, signs_of
from thriftwood.clarify.commands import Ran
from thriftwood.clarify.counting import with_signs
from thriftwood.clarify.evidence import MOST_KEPT


def shown(stderr="", command=(), **changes):
    ran = Ran(**{"exit": 1, "timed_out": False, "seconds": 0.1, "stdout": "", "stderr": stderr} | changes)
    return signs_of(ran, command)


def said(stderr, command=()):
    return sorted(sign.text for sign in shown(stderr, command) if sign.kind == "says")


@pytest.mark.parametrize(
    ("line", "shape"),
    [
        ("a/b.c:12: error: ';' expected (got 'total_7')", "* error: ';' expected (got *)"),
        ("x7.c:12:8: error: `}' expected", "* error: `}' expected"),
        ("cannot read /tmp/q (error 0x7f, 12.5 %)", "cannot read * (error #, # %)"),
        ('Unknown customer "Ada Smith".', "Unknown customer *."),
        ("node17 failed after 3 tries", "* failed after # tries"),
        ("\x05 expected", "? expected"),
    ],
)
def test_what_differs_from_input_to_input_is_taken_out(line, shape):
    assert said(line) == [shape]


def test_names_of_the_command_line_are_taken_out():
    line = "missing-brace.c is wrong: missing-brace"
    assert said(line, ["cc", "in/missing-brace.c"]) == ["* is wrong: *"]
    assert said(line) == ["missing-brace.c is wrong: missing-brace"]
    assert said("parse failed", ["cc", "parse"]) == ["parse failed"]  # a word, no file


@pytest.mark.parametrize(
    "command",
    [
        "python order.py",
        "/usr/bin/python3 -X utf8 ./order",
        "python -m order",
        "./order",
        "order",
        "bin/order",
    ],
)
def test_a_program_has_no_name_however_it_is_started(command):
    assert said("order: no such file", command.split()) == ["* no such file"]
    assert said("no order", command.split()) == ["no order"]
    # Models of earlier versions may have learnt the name.
    ran = Ran(1, False, 0.1, "", "order: no such file")
    lines = [
        sign.text for sign in signs_of(ran, command.split(), {"order: disk full"}) if sign.kind == "says"
    ]
    assert lines == ["order: no such file"]


@pytest.mark.parametrize("line", ["stock: no", "cli: no", "cli.py: no", "stock.cli: no"])
def test_a_module_of_a_package_may_have_each_of_its_names(line):
    assert said(line, ["python", "-m", "stock.cli", "new"]) == ["* no"]
    assert said("python: no", ["python", "-m", "stock.cli"]) == ["python: no"]


@pytest.mark.parametrize(
    ("line", "shape"),
    [
        ("error: sign expected", "error: sign expected"),  # no file's name in the middle of a word
        ("an err was met, stderr is closed", "an err was met, stderr is closed"),
        ("err.c:7: error: sign expected", "* error: sign expected"),
        ("cannot write err.o", "cannot write *.o"),
        ("err: sign expected", "* sign expected"),
        ("no module 'err' (err.cc)", "no module '*' (*.cc)"),
        ("in x/err.c", "in *"),
    ],
)
def test_names_are_not_cut_out_of_words(line, shape):
    assert said(line, ["cc", "err.c"]) == [shape]
    assert said("version 112 of 12x, part 12", ["cc", "-n", "12x"]) == ["version # of *, part #"]


TRACEBACK = """warming up
Traceback (most recent call last):
  File "/a/b.py", line 3, in main
    first(x)
  File "/a/b.py", line 9, in first
    return int(x)
           ^^^^^^
ValueError: invalid literal for int() with base 10: 'x'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/a/b.py", line 20, in <module>
    main()
  File "/a/b.py", line 5, in give_up
    raise orders.Refused("item 7 of /x/y.json")
orders.Refused: item 7 of /x/y.json
"""


def test_the_last_exception_and_who_raised_it():
    found = shown(TRACEBACK)
    assert {sign for sign in found if sign.kind in ("raises", "raised in")} == {
        Sign("raises", "orders.Refused"),
        Sign("raised in", "give_up"),
    }
    assert Sign("says", "item # of *") in found
    assert Sign("says", "warming up") in found
    assert not any("return int" in sign.text or "During" in sign.text for sign in found)


COLOURED = (  # as Python 3.13 writes it to a terminal
    "Traceback (most recent call last):\n"
    '  File \x1b[35m"/a/b.py"\x1b[0m, line \x1b[35m3\x1b[0m, in \x1b[35mmain\x1b[0m\n'
    "    return \x1b[31mint\x1b[0m\x1b[1;31m(x)\x1b[0m\n"
    "           \x1b[31m~~~\x1b[0m\x1b[1;31m^^^\x1b[0m\n"
    "\x1b[1;35mValueError\x1b[0m: \x1b[35mno number of 3 letters\x1b[0m\n"
)


@pytest.mark.parametrize(
    ("coloured", "plain"),
    [
        (COLOURED, re.sub("\x1b\\[[0-9;]*m", "", COLOURED)),
        ("\x1b]0;a title\x07\x1b[2K\x1b(B\x1b=bad sign", "bad sign"),
        ("see \x1b]8;;http://x/y\x1b\\the page\x1b]8;;\x1b\\ on it", "see the page on it"),
        ("\x1b]0;a title without an end\nbad sign", "bad sign"),
        ("\x1b[1m" * 2000 + "first\nlast", "first\nlast"),  # nothing is cut: 10 characters are said
    ],
)
def test_what_a_terminal_obeys_is_no_part_of_a_message(coloured, plain):
    assert shown(coloured) == shown(plain)


def test_a_coloured_traceback_tells_what_was_raised():
    raised = {Sign("raises", "ValueError"), Sign("raised in", "main"), Sign("says", "no number of # letters")}
    assert raised <= shown(COLOURED)


@pytest.mark.parametrize(
    ("line", "signs"),
    [
        (
            "terminate called after throwing an instance of 'std::range_error'",
            {Sign("raises", "std::range_error")},
        ),
        (
            "play: mad.c:34: decode: Assertion `n > 0' failed.",
            {Sign("raises", "assertion"), Sign("raised in", "decode")},
        ),
    ],
)
def test_native_programs_raise_too(line, signs):
    assert signs <= shown(line, exit=-6)
    assert Sign("ending", "signal 6") in shown(line, exit=-6)


def test_less_than_a_second_is_no_sign():
    assert not any(sign.kind == "took" for sign in shown(seconds=0.99))
    assert {sign.text for sign in shown(seconds=12.0) if sign.kind == "took"} == {"1", "10"}


def test_a_line_that_was_cut_is_left_out():
    whole = "x" * 50 + "\n"
    text = "lost " + whole * (MOST_KEPT // len(whole) + 1)
    assert said(text) == ["x" * 50]
    assert said("lost\n" + whole) == ["lost", "x" * 50]


@given(st.text(max_size=400), st.lists(st.text(max_size=12), max_size=4))
def test_any_text_has_signs(text, command):
    assert shown(text, command) == shown(text, command)
    assert all("\n" not in sign.text and len(sign.text) <= 400 for sign in shown(text, command))


def test_kinds_can_be_switched_off():
    table = pattern_table([Profile(("f",), {"f": n}) for n in (1, 2, 3, 4)], "fc")
    signs = [shown(TRACEBACK, seconds=3.0)] * 3 + [shown("fine", exit=0)]
    kinds = {"ending": 0, "exception": 2, "message": 0, "duration": 1}
    full = {str(feature) for feature in with_signs(table, signs).patterns}
    for kind in kinds:
        rest = {str(feature) for feature in with_signs(table, signs, [kind]).patterns}
        assert rest < full
    assert with_signs(table, signs, list(kinds)).patterns == table.patterns
    with pytest.raises(ValueError, match="There is evidence of the kinds ending, exception, message, dur"):
        with_signs(table, signs, ["colour"])
    with pytest.raises(ValueError, match="There are 4 runs, and signs of 1"):
        with_signs(table, signs[:1])


@pytest.fixture(scope="module")
def mixed():
    """Four labels: the message tells two pairs apart, calls tell within one of them."""
    labels = ["comma", "brace", "colon", "space"] * 15
    calls = {"comma": 3, "brace": 9, "colon": 3, "space": 3}
    profiles = [Profile(("main", "f"), {"main": 50, "f": calls[label]}) for label in labels]
    texts = {"comma": "bad sign at 7", "brace": "bad sign at 9", "colon": "no room", "space": "at the end"}
    signs = [shown(texts[label]) for label in labels]
    return profiles, labels, signs, texts


def test_signs_and_calls_are_learnt_together(mixed):
    profiles, labels, signs, texts = mixed
    calls = pattern_table(profiles, "fc")
    found = learn(with_signs(calls, signs), labels, features="fc")
    assert found.chosen.accuracy == 1.0
    assert found.chosen.functions == ("f",)
    assert learn(calls, labels, features="fc").chosen.accuracy == 0.5
    model = Model.of(found, build={}, kind="python", messages={})
    for label, profile in zip(labels[:4], profiles[:4], strict=True):
        count = [profile.calls["f"]]
        assert diagnose(model, count, shown=shown(texts[label])).label == label
    assert Model.from_json(model.to_json()).signs == model.signs
    assert model.reads_message


def test_signs_are_free(mixed):
    profiles, labels, signs, _ = mixed
    alone = learn(
        with_signs(pattern_table(profiles, "fc"), signs),
        ["calls" if label == "brace" else "room" if label == "colon" else "other" for label in labels],
        features="fc",
    )
    assert alone.chosen.cost == pytest.approx(alone.mean_calls["f"])
    two = [i for i, label in enumerate(labels) if label in ("colon", "space")]
    table = with_signs(pattern_table([profiles[i] for i in two], "fc"), [signs[i] for i in two])
    free = learn(table, [labels[i] for i in two], features="fc")
    assert (free.chosen.cost, free.chosen.functions, free.chosen.share) == (0.0, (), 0.0)
    assert np.isinf(free.speed_up) or free.blind.cost == 0


def test_without_what_was_shown_signs_are_missing(mixed):
    profiles, labels, signs, _ = mixed
    found = learn(with_signs(pattern_table(profiles, "fc"), signs), labels, features="fc")
    told = diagnose(Model.of(found, build={}, kind="python", messages={}), [3])
    assert {step.count for step in told.steps if not step.watched} == {None}
