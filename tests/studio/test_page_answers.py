"""What the page says of answers: of those that bring money, cost nothing, or are no class."""

import numpy as np
import pandas as pd
import pytest
from studio.visiting import compared, downloaded

import thriftwood as tw

TRUTHS = ["sick", "well"]


@pytest.fixture
def page_of(visit, tmp_path):
    """Open a page of a table of one test with some errors, and wait until all is there."""

    def opener(errors, **others):
        rng = np.random.default_rng(0)
        sick = rng.random(300) < 0.4
        X = pd.DataFrame({"TSH": np.round(2 * sick + rng.normal(size=300), 2)})
        costs = tw.Costs({"TSH": 2}, errors=errors, currency="EUR", **others)
        made = tw.make_studio(X, np.where(sick, *TRUTHS), costs)
        page = visit(made.save(tmp_path / "studio.html").as_uri())
        compared(page)
        return page

    return opener


def endings(page):
    """Walk thirty cases; return how they end, by their truth and answer."""
    found = {}
    for number in range(1, 31):
        page.fill("#case", str(number))
        page.locator("#case").blur()
        while page.get_attribute("#case-next", "aria-disabled") == "false":
            page.click("#case-next")
        answer, truth, _ = page.inner_text("#case-words").removeprefix("Answer: ").split(". ", 2)
        truth, ending = truth.removeprefix("The truth is ").split(": ")
        found[truth, answer] = ending
    return found


def test_what_right_answers_bring_is_shown(page_of):
    errors = {"sick": {"sick": -200, "well": 10}, "well": {"sick": 30, "well": -50}}
    page = page_of(errors)
    shown = page.evaluate(
        """() => [...document.querySelectorAll('#mistakes td')]
            .map((cell) => cell.firstElementChild ? cell.firstElementChild.value : cell.textContent)"""
    )
    assert shown == ["-200", "10", "30", "-50"]
    assert endings(page) == {
        ("sick", "sick"): "right, which brings 200 EUR",
        ("sick", "well"): "a mistake that costs 10 EUR",
        ("well", "sick"): "a mistake that costs 30 EUR",
        ("well", "well"): "right, which brings 50 EUR",
    }


def test_points_below_nothing_have_a_place_in_the_chart(page_of):
    page = page_of({"sick": {"sick": -200, "well": 10}, "well": {"sick": 30, "well": -50}})
    ticks = page.locator("#frontier-chart .tick.end").all_text_contents()
    assert float(ticks[0]) < 0
    assert ticks[-1] == "0"
    heights, grid = page.evaluate(
        """() => [['circle', 'cy'], ['.grid', 'y1']].map(([mark, height]) =>
            [...document.querySelectorAll(`#frontier-chart ${mark}`)]
                .map((one) => Number(one.getAttribute(height))))"""
    )
    assert len(set(heights)) > 2
    assert min(grid) < min(heights) < max(heights) < max(grid)


def test_letters_of_the_chart_keep_their_size_on_a_phone(page_of):
    page = page_of({"sick": {"well": 100}, "well": {"sick": 30}})
    page.set_viewport_size({"width": 390, "height": 900})
    page.wait_for_function("() => document.querySelector('#frontier-chart svg').viewBox.baseVal.width < 400")
    scale, words = page.evaluate(
        """() => {
            const chart = document.querySelector('#frontier-chart svg');
            const ticks = [...chart.querySelectorAll('.tick.middle')]
                .map((one) => one.getBoundingClientRect());
            return [chart.getBoundingClientRect().width / chart.viewBox.baseVal.width,
                ticks.slice(1).map((one, i) => one.left - ticks[i].right)];
        }"""
    )
    assert scale == pytest.approx(1, abs=0.02)
    assert min(words) > 0


def test_a_benefit_can_be_typed_where_price_lists_take_one(page_of, tmp_path):
    page = page_of({"sick": {"well": 100}, "well": {"sick": 30}}, answers={"refer": 15})
    field = page.get_by_label("what it costs to say sick when the truth is well")
    field.fill("-5")
    field.blur()
    assert page.is_hidden("#problem")
    assert field.input_value() == "-5"
    listed = downloaded(page, "get-costs", tmp_path)
    assert tw.Costs.from_file(listed).errors == {"sick": {"well": 100}, "well": {"sick": -5}}
    others = page.locator("#prices input.number").first, page.get_by_label("what it costs to say refer").first
    for price, typed, kind in zip(others, ("-6", "-7"), ("price", "cost"), strict=True):
        price.fill(typed)
        price.blur()
        assert page.inner_text("#problem").endswith(f": {typed} is no {kind}. It must be 0 or more.")


def test_a_mistake_that_costs_nothing_is_not_right(page_of):
    page = page_of({"sick": {"well": 0}, "well": {"sick": 0}})
    assert set(endings(page).values()) == {"right", "a mistake that costs nothing"}


def test_an_answer_that_is_no_class_is_no_mistake(page_of):
    page = page_of({"sick": {"well": 200}, "well": {"sick": 60}}, answers={"refer": 15})
    found = endings(page)
    assert found["sick", "refer"] == found["well", "refer"] == "an answer that costs 15 EUR"
    assert found["well", "well"] == "right"
    tests, answers = page.inner_text("#cost-parts").split(", ")
    assert tests.endswith("tests")
    assert "EUR answers; " in answers
    referred = page.locator("#frontier-rows tr").first.locator("td").all_text_contents()
    assert referred == ["0 EUR", "15 EUR", "15 EUR", "0 %"]
    assert page.locator("#frontier-part thead th").all_text_contents()[1] == "answers"
    assert "answers, a case" in page.text_content("#frontier-chart")
