"""The first line about a model: what a case costs, against testing nobody and today."""

import numpy as np
import pytest

import thriftwood as tw
from thriftwood.evaluation import Difference, Interval, Verdict, against_today
from thriftwood.evaluation.today import fitted_today

CLINIC = tw.Costs(currency="EUR", case_name="patient", today=["TSH"])
LESS, MORE, SAME = Difference(-4, -6, -2), Difference(3, 1, 5), Difference(0, -1, 1)


@pytest.mark.parametrize(
    ("nobody", "today", "said", "dearer"),
    [
        (LESS, LESS, ": 4 (2 to 6) less than testing nobody, 4 (2 to 6) less than today's panel.", ()),
        (LESS, None, ": 4 (2 to 6) less than testing nobody.", ()),
        (SAME, None, ": the same as testing nobody.", ()),
        (
            Difference(-4, -9, 1),
            None,
            ": 4 (-1 to 9) less than testing nobody, which may be chance.",
            (),
        ),
        (
            LESS,
            MORE,
            ", 3 (1 to 5) more than today's panel, 4 (2 to 6) less than testing nobody.",
            ("today's panel",),
        ),
        (
            MORE,
            MORE,
            ", 3 (1 to 5) more than testing nobody, 3 (1 to 5) more than today's panel.",
            ("testing nobody", "today's panel"),
        ),
    ],
)
def test_what_is_cheaper_comes_first_and_loudly(nobody, today, said, dearer):
    verdict = Verdict(12.5, Interval(10, 15), nobody, today, CLINIC)
    lead = f"DEARER THAN {' AND '.join(dearer).upper()}: " if dearer else ""
    assert str(verdict) == f"{lead}12.50 EUR a patient (10 to 15){said}"
    assert verdict.dearer_than == dearer
    assert verdict.content["dearer_than"] == list(dearer)


def test_the_words_are_those_of_the_price_list():
    plain = Verdict(12, Interval(10, 14), None, None, tw.Costs())
    assert str(plain) == "12 a case (10 to 14)."
    loans = Verdict(12, Interval(10, 14), None, None, tw.Costs(case_name="application"), "Of 3 held out.")
    assert str(loans) == "12 an application (10 to 14). Of 3 held out."


def table(n, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, np.where(X[:, 0] + 0.6 * rng.normal(size=n) > 0, "sick", "well")


COSTS = tw.Costs({0: 2, 1: 3, 2: 4}, errors_default=60, today=[0, 1])


def test_it_is_the_bill_and_its_differences():
    model = tw.algorithm(costs=COSTS).fit(*table(200))
    X, y = table(150, seed=1)
    bill, found = tw.bill(model, X, y), tw.verdict(model, X, y)
    assert (found.cost, found.interval) == (bill.mean_cost, bill.interval)
    assert found.against_nobody == bill.against_untested
    practice = fitted_today(COSTS, *table(200))
    known = tw.verdict(model, X, y, learnt_from=table(200))
    assert known.against_today == pytest.approx(bill.against(tw.bill(practice, X, y)), abs=1e-9)
    # Learnt from the same cases in turn, it differs from that a little.
    assert found.against_today.mean == pytest.approx(known.against_today.mean, abs=4)
    assert against_today(bill, X).difference == found.against_today


def test_nobody_has_the_answer_of_training_in_every_group():
    """All of the billed cases are sick, which nobody knew: untested they would be called well."""
    X, y = table(200)
    rare = np.where((y == "sick") & (np.arange(200) % 4 == 0), "sick", "well")
    tree = tw.algorithm("c45", costs=COSTS).fit(X, rare)
    bill = tw.bill(tree, X[:20], ["sick"] * 20)
    assert (bill.untested_answer, bill.untested_cost, bill.in_hindsight) == ("well", 60, False)
    groups = bill.by(["a", "b"] * 10)
    assert [group.untested_answer for group in groups.values()] == ["well", "well"]
    assert tw.total_bill([bill.part(np.arange(5)), bill.part(np.arange(5, 20))]).untested_cost == 60
    assert "turned out" not in str(bill) + str(groups) + str(tw.verdict(tree, X, rare))
    assert tw.bill(tree, X[:20], ["sick"] * 20, COSTS, budget=3).untested_cost == 60


def test_a_model_that_does_not_know_says_that_it_is_hindsight():
    X, y = table(200)
    forest = tw.algorithm("bagging", costs=COSTS).fit(X, y)
    bill = tw.bill(forest, X[:20], ["sick"] * 20)
    assert (bill.untested_answer, bill.untested_cost, bill.in_hindsight) == ("sick", 0, True)
    assert "the answer is the one that turned out cheapest for these cases" in str(bill)
    assert "turned out cheapest for the cases of the group" in str(bill.by(["a", "b"] * 10))
    said = tw.verdict(forest, X, y)
    assert "testing nobody (with the answer that turned out cheapest)" in str(said)
    known = tw.verdict(forest, X, y, learnt_from=table(200))
    assert (known.in_hindsight, "turned out" in str(known)) == (False, False)


def test_what_the_panel_of_today_is_learnt_from_is_said():
    X, y = table(80)
    model = tw.algorithm("c45", costs=COSTS).fit(X, y)
    assert str(tw.verdict(model, X, y)).endswith(
        " Today's panel is learnt from these cases; none is answered by one that has seen it."
    )
    assert "learnt" not in str(tw.verdict(model, X, y, learnt_from=(X, y)))
    with pytest.raises(ValueError, match="two cases of one class at least, and there is one case"):
        tw.verdict(model, X[:1], y[:1])


def test_a_class_that_the_cases_lack_is_no_obstacle_for_today():
    X, y = table(120)
    y = np.where(np.arange(120) % 40 == 0, "dead", y)
    costs = COSTS.replace(errors={"dead": {"well": 99}}, errors_default=60)
    model = tw.algorithm("c45", costs=costs).fit(X, y)
    some = y != "dead"
    for practice in (costs, costs.replace(today=[])):
        found = tw.verdict(model, X[some], y[some], practice)
        assert found.against_today is not None
    ranking = tw.compare(["c45"], X, y, costs, cv=4)
    assert (ranking.today is not None, ranking.refused) == (True, {})


def test_cases_that_do_not_count_are_not_dealt_into_folds():
    X, y = table(150)
    model = tw.algorithm("c45", costs=COSTS).fit(X, y)
    counting = np.isin(np.arange(150), [*np.flatnonzero(y == "sick")[:3], *np.flatnonzero(y == "well")[:3]])
    some = tw.bill(model, X[counting], y[counting], COSTS)
    weighed = tw.bill(model, X, y, COSTS, sample_weight=counting.astype(float))
    alone, among = against_today(some, X[counting]), against_today(weighed, X)
    assert among.mean == pytest.approx(alone.mean)


def test_today_learns_with_the_losses_and_weights_of_the_bill():
    """Losses by row make calling everybody sick right; a panel that did not know them would not."""
    X, y = table(150)
    prices = COSTS.replace(errors_default=None)
    model = tw.algorithm("c45", costs=prices).fit(X, y)
    losses = np.where((y == "sick")[:, None], [[0.0, 90.0]], [[1.0, 0.0]])
    bill = tw.bill(model, X, y, prices, error_costs=losses)
    today = against_today(bill, X)
    nobody_ill = float(losses[:, 0].mean()) + 5  # all called sick, and two tests paid
    assert bill.mean_cost - today.mean < nobody_ill + 1e-9
    weights = np.where(y == "sick", 40.0, 1.0)
    weighed = tw.bill(model, X, y, COSTS, sample_weight=weights)
    paid = weighed.mean_cost - against_today(weighed, X).mean
    assert paid < 5 + 60 * weights[y == "well"].sum() / weights.sum() + 1e-9


def test_a_saved_model_is_taken_to_be_of_other_cases(tmp_path):
    X, y = table(80)
    tw.algorithm("c45", costs=COSTS).fit(X, y).model_.save(tmp_path / "old.json")
    costs = COSTS.replace(today={"model": str(tmp_path / "old.json")})
    said = str(tw.verdict(tw.algorithm("c45", costs=costs).fit(X, y), X, y))
    assert said.endswith("the same as today's model. Today's model is taken not to have learnt from them.")


def test_a_model_that_learnt_from_todays_answers_is_billed_with_them():
    pd = pytest.importorskip("pandas")
    X, y = table(80)
    frame = pd.DataFrame(X, columns=list("abc")).assign(said=y)
    costs = tw.Costs(errors_default=60, today={"answers": "said"})
    model = tw.algorithm("c45", costs=costs).fit(frame, y)
    assert tw.verdict(model, frame, y).cost == 0
    plain = tw.algorithm("c45", costs=costs).fit(frame[list("abc")], y)
    assert tw.verdict(plain, frame, y).cost == tw.bill(plain, frame[list("abc")], y).mean_cost
    assert "80 cases" in repr(tw.make_report(plain, frame, y))


def test_without_the_truth_there_is_none():
    X, y = table(60)
    model = tw.algorithm(costs=COSTS).fit(X, y)
    with pytest.raises(ValueError, match="known only with the true classes"):
        tw.verdict(model, X, None)
