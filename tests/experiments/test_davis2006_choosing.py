"""Which gamma counts, by the rules of the protocol, and the ratio that follows."""

from hypothesis import given
from hypothesis import strategies as st

from thriftwood.experiments.davis2006.choosing import Choice, Score, choose, cost_ratio

BASE = Score(correct=180, price=4.0)  # of 200 cases: 90 %, so 178 is the least that counts
GAMMAS = (0.0, 0.1, 1.0)


def test_cheapest_within_one_percentage_point():
    judged = [Score(181, 3.0), Score(178, 1.0), Score(177, 0.5)]
    assert choose(BASE, judged, GAMMAS, 200) == Choice(place=1, eligible=True)


def test_one_percent_is_of_all_cases_and_not_of_the_accuracy():
    # 1 % of 90 % would be 1.8 cases; a percentage point is 2.
    assert choose(BASE, [Score(178, 1.0), Score(180, 2.0)], GAMMAS[:2], 200).place == 0


def test_equal_prices_go_to_the_more_accurate_then_to_the_smaller_gamma():
    assert choose(BASE, [Score(179, 1.0), Score(182, 1.0), Score(182, 1.0)], GAMMAS, 200).place == 1
    reversed_gammas = GAMMAS[::-1]
    assert choose(BASE, [Score(179, 1.0), Score(182, 1.0), Score(182, 1.0)], reversed_gammas, 200).place == 2


def test_none_eligible_takes_the_most_accurate_and_not_the_baseline():
    judged = [Score(170, 9.0), Score(176, 8.0), Score(176, 1.0)]
    choice = choose(BASE, judged, GAMMAS, 200)
    assert choice == Choice(place=1, eligible=False)
    assert cost_ratio(BASE, judged[choice.place]) == 2.0


def test_free_baseline_has_no_ratio_and_a_free_tree_has_ratio_0():
    assert cost_ratio(Score(180, 0.0), Score(180, 0.0)) is None
    assert cost_ratio(BASE, Score(180, 0.0)) == 0.0


judgements = st.builds(Score, st.integers(0, 50), st.sampled_from([0.0, 0.5, 1.0, 1.5]))


@given(baseline=judgements, judged=st.lists(judgements, min_size=1, max_size=8))
def test_nothing_that_was_passed_over_is_better(baseline, judged):
    gammas = [place / 10 for place in range(len(judged))]
    choice = choose(baseline, judged, gammas, 50)
    chosen = judged[choice.place]
    close = [one for one in judged if 2 * (baseline.correct - one.correct) <= 1]  # 1 % of 50 is half a case
    assert choice.eligible == bool(close)
    if close:
        assert chosen in close
        assert all(chosen.price <= one.price for one in close)
        assert all(chosen.correct >= one.correct for one in close if one.price == chosen.price)
    else:
        assert chosen.correct == max(one.correct for one in judged)
    assert judged.index(chosen) == choice.place  # the smallest gamma of equals
