"""The page of score cards: the cards, what cases cost that end at each stage, and the bill."""

import re
from html import unescape

import numpy as np
import pytest
from random_cascades import golf_cascade, random_cascade, random_frame
from report.test_page import HOSTILE, Page

import thriftwood as tw


def golf():
    table = tw.load_dataset("golf")
    return golf_cascade(), table.X, table.y


def words_of(html):
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def test_the_page_shows_the_cards_and_where_cases_end():
    cascade, X, y = golf()
    page = tw.make_report(cascade, X, y)
    assert repr(page) == "<Report 'Score cards of 3 stages and their bill': 14 cases, 3 stages>"
    words = words_of(page.html)
    assert "Stage 2 buys Humidity (2.5), Windy (0.5) for 3" in words
    assert "Outlook Sunny -20 Overcast 250 Rain -60 others 0 missing 0" in words
    assert "Made by hand to show every entry." in words
    bill = tw.bill(cascade, X, y)
    for number in (1, 2, 3):
        ends = bill.n_consulted == number
        shown = re.search(rf"stage {number} (\d+) ([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) %", words)
        assert int(shown.group(1)) == ends.sum()
        assert float(shown.group(2)) == pytest.approx(bill.test_cost[ends].mean(), abs=0.006)
        assert float(shown.group(3)) == pytest.approx(bill.error_cost[ends].mean(), abs=0.006)
    assert "The tree" not in words
    assert tw.make_report(cascade, X, y).html == page.html


def test_cases_without_a_truth_and_stages_without_cases():
    cascade, X, _ = golf()
    words = words_of(tw.make_report(cascade, X.head(2)).html)
    assert "stage 1 0 -" in words
    assert "There are no error costs" in words


@pytest.mark.parametrize("n_classes", [2, 3])
def test_hostile_names_are_escaped(n_classes):
    names, classes = HOSTILE[:5], np.array(HOSTILE[5 : 5 + n_classes])
    made = random_cascade(1, n_classes=n_classes, names=names, classes=classes, besides=[HOSTILE[0]])
    frame = random_frame(np.random.default_rng(0), 20, names=names)
    plain = random_cascade(1, n_classes=n_classes, besides=["refer"])
    other = random_frame(np.random.default_rng(0), 20)
    wanted = Page(tw.make_report(plain, other).html).elements
    assert Page(tw.make_report(made, frame).html).elements == wanted


def test_an_estimator_has_the_page_with_its_settings(tmp_path):
    table = tw.load_dataset("wisconsin-diagnostic")
    model = tw.ThriftClassifier(table.costs, leaves="score").fit(table.X, table.y)
    expected = tw.compare({"mine": model}, table.X, table.y, cv=2)[0]
    page = model.report(table.X, table.y, tmp_path / "cards.html", training=True, expected=expected)
    words = words_of((tmp_path / "cards.html").read_text(encoding="utf-8"))
    assert page.n_stages == len(model.cascade_.stages)
    assert "Settings of ThriftClassifier" in words
    assert "Of the cases that the cards learnt from" in words
    assert "leaves of the tree" not in words
