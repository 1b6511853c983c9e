"""Score cards as text: whoever counts by what is printed comes to the answers of the model."""

import math
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_cascades import golf_cascade, random_cascade, random_frame

import thriftwood as tw
from thriftwood.models.cascade import Cascade, Stage
from thriftwood.models.cascade_page import limits
from thriftwood.models.cascade_text import BEGINS, LOSS, WIDTH
from thriftwood.models.score_card import CategoryPoints, ScoreCard
from thriftwood.table import Encoder


class Printed:
    """A cascade as it is read off its text, and counted by hand."""

    def __init__(self, text):
        lead, *stages, loss = text.split("\n\n")
        self.stages = [self.stage(one.splitlines()) for one in stages]
        one_score = re.match(r"Points for (.+) against (.+): 100 points", lead)
        lines = [line.split() for line in loss.splitlines()]
        if loss.startswith(LOSS):
            self.answers, self.classes = lines[1], [cells[0] for cells in lines[2:]]
            self.loss = [[float(cost) for cost in cells[1:]] for cells in lines[2:]]
        else:
            same = float(re.fullmatch(r"Every mistake costs (\S+)\.", loss).group(1))
            self.classes = [*one_score.groups()[::-1]] if one_score else [*self.stages[0]["base"]]
            self.answers, self.loss = self.classes, (same * (1 - np.eye(len(self.classes)))).tolist()

    def stage(self, lines):
        start = next(n for n, line in enumerate(lines) if line.strip().startswith(BEGINS))
        end = next(n for n, line in enumerate(lines) if line.startswith(("  Stops", "  Answers")))
        ending = " ".join(line.strip() for line in lines[end:])
        stop = re.search(r"at most (\S+)[:,] ", ending)
        blocks = {}
        for line in lines[start:end]:
            cells = re.split(r"  +", line.strip())
            if re.match(r"  \S", line):
                name, *heads = cells
                blocks[name] = (heads, [])
            else:
                blocks[name][1].append(cells)
        heads, rows = blocks.pop(BEGINS)
        base = {row[0]: float(row[1]) for row in rows} or {"": float(heads[0])}
        return {
            "base": base,
            "blocks": blocks,
            "stop": float(stop.group(1)) if stop else math.inf,
            "ending": ending,
        }

    def scores(self, stage, row):
        found = [*stage["base"].values()]
        for name, (heads, rows) in stage["blocks"].items():
            rows = [cells if len(stage["base"]) == 1 else cells[1:] for cells in rows]
            found = [
                total + self.points(row[name], heads, [float(cell) for cell in cells])
                for total, cells in zip(found, rows, strict=True)
            ]
        return found

    @staticmethod
    def points(value, heads, points):
        if pd.isna(value):
            return points[-1]
        if isinstance(value, str):
            known = value in heads[:-1]
            return points[heads.index(value) if known else -2 if heads[-2] == "others" else -1]
        at, points = [float(head) for head in heads[:-1]], points[:-1]
        x = min(max(value, at[0]), at[-1])
        k = max(n for n in range(len(at) - 1) if at[n] <= x)
        return points[k] + (points[k + 1] - points[k]) / (at[k + 1] - at[k]) * (x - at[k])

    def answer(self, row):
        for stage in self.stages:
            scores = [score / 100 for score in self.scores(stage, row)]
            if len(scores) == 1:
                second = float(1.0 / (1.0 + np.exp(-scores[0])))
                shares = [1.0 - second, second]
            else:
                raised = np.exp(np.array(scores) - max(scores))
                shares = (raised / raised.sum()).tolist()
            expected = [0.0] * len(self.answers)
            for share, costs in zip(shares, self.loss, strict=True):
                expected = [total + share * cost for total, cost in zip(expected, costs, strict=True)]
            if min(expected) <= stage["stop"]:
                return self.answers[expected.index(min(expected))]
        raise AssertionError("the last stage answers")

    def by_limits(self, row):
        """The answer of two classes by the limits of scores; None where a score lies at a rounded limit."""
        for stage in self.stages:
            (score,) = self.scores(stage, row)
            said, number = stage["ending"], r"(-?[\d.]*\d)"
            bounds = [
                *((a, -math.inf, x) for a, x in re.findall(rf"(\w+) at {number} points or less", said)),
                *((a, x, math.inf) for a, x in re.findall(rf"(\w+) at {number} points or more", said)),
                *re.findall(rf"(\w+) from {number} to {number} points", said),
            ]
            if any(abs(score - float(bound)) < 0.06 for _, *ends in bounds for bound in ends):
                return None
            for answer, low, high in bounds:
                if float(low) < score < float(high):
                    return answer
            for words in (r"(\w+) always", r"else (?!to)(\w+)"):
                if (found := re.search(words, stage["ending"])) is not None:
                    return found.group(1)
        raise AssertionError("the last stage answers")


def rows_of(frame):
    return [
        dict(zip(frame.columns, row, strict=True)) for row in frame.astype(object).itertuples(index=False)
    ]


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_counting_by_the_text_gives_the_answers(seed):
    cascade = random_cascade(seed)
    frame = random_frame(np.random.default_rng(seed), 40)
    printed, answers = Printed(str(cascade)), cascade.predict(frame).tolist()
    assert [printed.answer(row) for row in rows_of(frame)] == answers
    if len(cascade.classes) == 2:
        found = [printed.by_limits(row) for row in rows_of(frame)]
        assert [a for a in found if a] == [a for a, b in zip(answers, found, strict=True) if b]


@pytest.mark.parametrize("name", ["wisconsin-diagnostic"])
def test_counting_by_the_text_of_a_learnt_cascade(name):
    table = tw.load_dataset(name)
    model = tw.ThriftClassifier(table.costs, leaves="score").fit(table.X, table.y)
    *cards, note = model.cascade_.text().split("\n\n")
    assert note == model.cascade_.note
    assert note.startswith("Score cards were asked for: ")
    printed = Printed("\n\n".join(cards))
    assert [printed.answer(row) for row in rows_of(table.X)] == model.predict(table.X).tolist()


def test_a_card_is_printed_like_this():
    first = """\
Points for Yes against No: 100 points multiply the odds by e = 2.718, 0 points are even odds.
Numbers have points in proportion between the values shown, and beyond them as at the ends.

Stage 1 buys Outlook (2)
  counting begins at  40
  Outlook             Sunny  Overcast  Rain  others  missing
                        -20       250   -60       0        0
  Stops where the answer is expected to cost at most 1.25: No at -133.5 points or less, Yes at 194.6
    points or more; else to stage 2.

Stage 2 buys Humidity (2.5), Windy (0.5) for 3
"""
    last = """\
  Answers No at 51.1 points or less, else Yes.

What answers cost beyond the best one: the true class by row, the answer by column
       No  Yes
  No    0   10
  Yes   6    0

Made by hand to show every entry."""
    text = golf_cascade().text()
    assert text.startswith(first)
    assert text.endswith(last)
    assert 10 / (1 + math.exp(1.946)) == pytest.approx(1.25, abs=1e-3)
    assert 6 / (1 + math.exp(1.335)) == pytest.approx(1.25, abs=1e-3)


def test_prices_are_what_is_paid_after_the_earlier_tests():
    text = golf_cascade().text()
    assert "Stage 3 buys Temperature (1)\n" in text  # its station was paid with Humidity
    assert "buys Temperature\n" in golf_cascade().with_costs(None).text()


def test_payment_upfront_and_delayed_answers_are_told():
    cascade = golf_cascade()
    upfront = cascade.with_costs(cascade.costs.replace(payment="upfront"))
    assert "every case pays for the tests of all stages" in upfront.text()
    late = cascade.with_costs(tw.Costs({"Outlook": tw.Test(2, delayed=True), "Windy": 1}))
    assert "Stage 1 buys Outlook (2); an answer is delayed, so the later stages are ordered" in late.text()


@pytest.mark.parametrize(
    ("loss", "stop", "found"),
    [
        ([[0, 10], [30, 0]], math.inf, [(0, -math.inf, -109.9), (1, -109.9, math.inf)]),
        ([[0, 10], [10, 0]], 2.0, [(0, -math.inf, -138.6), (1, 138.6, math.inf)]),
        ([[0, 10], [10, 0]], -1.0, []),
        ([[0, 0], [5, 0]], math.inf, [(1, -math.inf, math.inf)]),
        ([[0, 0], [0, 0]], math.inf, [(0, -math.inf, math.inf), (1, -math.inf, math.inf)]),
        ([[2, 10], [30, 2]], 1.0, []),
        ([[0, 2], [9, 1]], 1.5, [(0, -math.inf, -160.9), (1, 0, math.inf)]),
        ([[0, 9, 2], [9, 0, 2]], 2.0, [(0, -math.inf, -125.3), (2, -125.3, 125.3), (1, 125.3, math.inf)]),
    ],
)
def test_limits_of_scores_are_where_answers_cost_no_more(loss, stop, found):
    rounded = [(a, *(round(x, 1) for x in ends)) for a, *ends in limits(np.array(loss, dtype=float), stop)]
    assert rounded == [(a, low, high) for a, low, high in found]


def many_categories():
    names = [f"category {number}" for number in range(10, 50)]
    encoder = Encoder()
    encoder.fit_encode(pd.DataFrame({"a name of more than thirty letters": names}))
    points = CategoryPoints(0, tuple((number,) for number in range(40)), (0,))
    stages = [Stage((0,), ScoreCard((0,), (points,)))]
    return Cascade(stages, 1 - np.eye(2), encoder, np.array(["<b>no</b>", "yes"]), note="<i>why</i>")


def test_many_categories_and_long_names_keep_to_the_width():
    text = many_categories().text()
    assert all(len(line) <= WIDTH for line in text.splitlines())
    heads = re.findall(r"category \d+|others|missing", text)
    assert heads == [*(f"category {number}" for number in range(11, 50)), "others", "missing"]
    assert "Every mistake costs 1." in text


def test_html_escapes_what_comes_from_users():
    page = many_categories()._repr_html_()
    assert "<b>no</b>" not in page
    assert "&lt;b&gt;no&lt;/b&gt;" in page
    assert "<i>" not in page
    for number in (2, 3):
        assert random_cascade(5, n_classes=number)._repr_html_().count("<caption>Stage") >= 1


def test_an_answer_that_is_no_class_stands_between_the_classes():
    # From 49 to 51 % sure, mistakes cost more than 49: the logarithm of 51 / 49 is 0.04.
    loss = np.array([[0.0, 100.0, 49.0], [100.0, 0.0, 49.0]])
    assert [(limit.answer, round(limit.low, 6)) for limit in limits(loss, np.inf)] == [
        (0, -np.inf),
        (2, round(-100 * np.log(51 / 49), 6)),
        (1, round(100 * np.log(51 / 49), 6)),
    ]
    loss[:, 2] = 51.0
    assert [limit.answer for limit in limits(loss, np.inf)] == [0, 1]


def test_score_cards_that_refer_are_printed():
    data = tw.load_dataset("wisconsin-diagnostic")
    costs = data.costs.replace(answers={"refer": 100})
    cascade = tw.ThriftClassifier(costs, leaves="score").fit(data.X, data.y).cascade_
    last = [line for line in str(cascade).splitlines() if line.startswith("  Answers ")]
    assert len(last) == 1
    assert "refer from " in last[0]
    assert "benign  malignant  refer" in str(cascade)
    assert "<td>refer</td>" in cascade._repr_html_()


def test_what_is_free_is_read_and_not_bought():
    costs = golf_cascade().costs
    free = golf_cascade().with_costs(costs.replace(tests={**costs.tests, "Windy": 0}))
    assert "Stage 2 reads Windy, which is free, and buys Humidity (2.5)\n" in free.text()
    both = free.with_costs(tw.Costs())
    assert "Stage 2 reads Humidity, Windy, which are free\n" in both.text()
