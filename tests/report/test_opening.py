"""What the page begins with: the sentence, the figures to believe, and no others before them."""

import re
from html import unescape

import numpy as np
import pandas as pd
import pytest

import thriftwood as tw
from thriftwood.evaluation.intervals import Difference, Interval
from thriftwood.report.opening import paid_tests

COSTS = tw.Costs(
    {"age": 0, "TSH": 20, "T3": 10},
    errors_default=90,
    case_name="patient",
    currency="EUR",
    today=["TSH", "T3"],
)


def clinic(n=80):
    """Cases of which TSH tells a half, and T3 the rest; age is free and tells nothing."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {"TSH": rng.integers(1, 3, n), "T3": rng.integers(1, 3, n), "age": rng.integers(20, 90, n)}
    )
    y = np.where((X["TSH"] == 1) & (X["T3"] == 1), "well", "ill")
    return X, y


@pytest.fixture(scope="module")
def learnt():
    X, y = clinic()
    growth = tw.Growth(max_depth=2)
    return tw.CostTreeClassifier("entropy", costs=COSTS, growth=growth).fit(X, y), X, y


def opening(page):
    """The words of the opening, in order; the sentence alone."""
    part = page.html.partition('<div id="opening">')[2].partition("</div>\n<nav")[0]
    sentence = re.search(r'<p class="sentence">(.*?)</p>', part)[1]
    words = " ".join(unescape(re.sub(r"<[^>]+>", " ", part)).split())
    return words, unescape(sentence)


def verdict(cost, nobody, today):
    interval = Interval(cost - 2, cost + 3)
    return tw.Verdict(cost, interval, nobody, today, COSTS, "By 5-fold cross-validation.")


def test_the_sentence_has_the_cost_and_what_it_saves_against_today(learnt):
    model, X, y = learnt
    said = verdict(26.82, Difference(-11.37, -13.5, -9.2), Difference(-48, -53, -43))
    words, sentence = opening(model.report(X, y, training=True, verdict=said))
    assert sentence.endswith("; 26.82 EUR a patient, 48 less than today's panel.")
    assert sentence.startswith("Order ")
    assert words.index(sentence) == 0
    assert "a patient costs 26.82 EUR 24.82 to 29.82 with 95 % confidence" in words
    assert "today's panel 74.82 EUR 48 dearer (43 to 53)" in words
    nobody = "testing nobody 38.19 EUR 11.37 dearer (9.20 to 13.50)"
    assert f'{nobody}; if the answer is "ill" for all' in words
    assert "By 5-fold cross-validation." in words


def test_a_model_that_is_dearer_says_so_first(learnt):
    model, X, y = learnt
    said = verdict(26.82, Difference(2, -1, 5), Difference(-48, -53, -43))
    words, sentence = opening(model.report(X, y, verdict=said))
    assert words.startswith("DEARER THAN TESTING NOBODY: 26.82 EUR a patient")
    assert "2 cheaper (-1 to 5)" in words
    assert sentence.endswith("48 less than today's panel.")


@pytest.mark.parametrize(
    ("nobody", "today", "end"),
    [
        (Difference(-5, -9, -1), None, "5 less than testing nobody."),
        (Difference(-5, -9, 1), None, "5 less than testing nobody, which may be chance."),
        (None, Difference(3, 1, 4), "3 more than today's panel."),
        (None, Difference(0, -1, 1), "the same as today's panel."),
        (None, None, "20 EUR a patient."),
    ],
)
def test_what_is_compared(learnt, nobody, today, end):
    model, X, y = learnt
    _, sentence = opening(model.report(X, y, verdict=verdict(20, nobody, today)))
    assert sentence.endswith(end)


def test_cases_not_learnt_from_are_compared_with_today_by_themselves(learnt):
    model, X, y = learnt
    bill = tw.bill(model, X, y)
    found = tw.verdict(model, X, y)
    words, sentence = opening(model.report(X, y))
    assert f"{bill.mean_cost:.2f}".removesuffix(".00") in sentence
    assert "today's panel" in sentence
    assert f"today's panel {found.cost - found.against_today.mean:g} EUR" in words
    assert "Today's panel is learnt from these cases; none is answered by one that has seen it." in words
    assert "it learnt from" not in words


def test_figures_of_cases_learnt_from_come_last_and_are_no_tiles(learnt):
    model, X, y = learnt
    words, sentence = opening(model.report(X, y, training=True))
    assert sentence == "Order TSH for everybody and T3 for 2 of 5 patients."
    assert (X["TSH"] == 1).mean() == pytest.approx(0.4, abs=0.03)  # the others need no T3
    assert "What a new patient costs is not known here" in words
    assert "The 80 patients that the tree learnt from cost" in words
    assert (
        "tiles"
        not in model.report(X, y, training=True).html.partition('id="opening"')[2].partition("<nav")[0]
    )


def test_cross_validated_figures_come_before_those_learnt_from(learnt):
    model, X, y = learnt
    found = tw.compare({"mine": model}, X, y, cv=4)[0]
    words, sentence = opening(model.report(X, y, training=True, expected=found))
    assert f"; {found.mean_cost:.2f}".removesuffix(".00") in sentence
    assert words.index("By cross-validation.") < words.index("patients that the tree learnt from")
    assert f"right {100 * found.accuracy:.1f} % of patients" in words


def test_today_that_cannot_be_known_is_left_out_with_the_reason(learnt):
    model, X, y = learnt
    page = model.report(X, y, costs=COSTS.replace(today={"model": "nowhere.json"}))
    words, sentence = opening(page)
    assert "Today's practice is left out." in words
    assert "nowhere.json" in words
    assert "testing nobody" in sentence


def test_without_the_truth_only_tests_have_a_cost(learnt):
    model, X, _ = learnt
    words, sentence = opening(model.report(X))
    assert re.search(r"; the tests cost [\d.]+ EUR a patient\.$", sentence)
    assert "mistakes" not in words


def test_free_columns_are_not_bought():
    X, y = clinic()
    costs = COSTS.replace(today=None).only(["age"])
    model = tw.CostTreeClassifier("entropy", costs=costs).fit(X[["age"]], y)
    free = model.report(X[["age"]], y)
    words, sentence = opening(free)
    assert sentence.startswith("Order no test: age, which costs nothing, decides")
    assert "0 bought for a patient" in words
    assert "0 tests · 1 column free of charge" in free.html
    assert "read without paying: age" in free.html
    assert paid_tests(tw.bill(model, X[["age"]], y)) == 0


def test_another_thing_for_a_verdict_is_refused(learnt):
    model, X, y = learnt
    with pytest.raises(TypeError, match=r"what tw\.verdict returns.* Got str"):
        model.report(X, y, verdict="cheap")


def test_an_application_has_its_article(learnt):
    model, X, y = learnt
    page = model.report(X, y, costs=COSTS.replace(case_name="application", currency="", today=None))
    assert "an application costs" in page.html
    assert "The bill of an application" in page.html
    assert "a application" not in page.html
