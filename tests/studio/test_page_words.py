"""What the studio says: of prices, of what is cheaper, of results that are of the prices before."""

import numpy as np
import pandas as pd
import pytest
from studio.driving import in_node, scripts
from studio.visiting import compared, dropped, price_field, set_price, settled

import thriftwood as tw

SENTENCES = """
const tests = { age: 0, TSH: { price: 0, needs: ["blood"] }, T3: 5 };
const costs = { currency: "EUR", case_name: "patient", tests, shared: { blood: 2 } };
const names = Object.keys(tests);
const table = { columns: names.map((name) => ({ name })), labels: [0, 1, 0, 1], classes: ["ill", "well"] };
const drawn = names.map((name, depth) => ({ name, depth, leaf: false }));
const said = (bought, known) => sentenceOf({ bought, paid: bought.map(() => 0) }, drawn, table, costs, known);
console.log(JSON.stringify([
  said([4, 4, 2]), said([4, 0, 0]), said([0, 0, 0]),
  said([0, 0, 4], { unseen: { cost: 12 }, nobody: 20, today: 10 }),
  said([0, 0, 4], { unseen: { cost: 12 }, nobody: 10, today: 8 }),
  said([0, 0, 4], { unseen: { cost: 12 }, nobody: 20, today: 12.01 }),
  said([0, 0, 4], { unseen: { cost: -4 }, nobody: -5 }),
  said([0, 0, 4], { unseen: { cost: 12 }, nobody: 20, costFirst: true }),
]));
"""
SAID = [
    "Order TSH for everybody, then T3 for 50 % of patients.",
    "Order no test: age, which costs nothing, decides.",
    "Test nobody: this learner finds no test that pays for itself.",
    "DEARER THAN TODAY'S PANEL: A new patient costs 12 EUR, 20 % more than today's panel, 40 % less than "
    "testing nobody. Order T3 for everybody.",
    "DEARER THAN TESTING NOBODY AND TODAY'S PANEL: A new patient costs 12 EUR, 20 % more than testing "
    "nobody, 50 % more than today's panel. Order T3 for everybody.",
    "Order T3 for everybody. A new patient costs 12 EUR, 40 % less than testing nobody, as much as today's "
    "panel.",
    "DEARER THAN TESTING NOBODY: A new patient costs -4 EUR, 1 EUR more than testing nobody. Order T3 for "
    "everybody.",
    "A new patient costs 12 EUR, 40 % less than testing nobody. Order T3 for everybody.",
]


def test_what_is_dearer_is_said_first_and_free_columns_are_not_ordered(tmp_path):
    script = scripts("numbers.js", "costs.js", "figures.js")
    assert in_node(tmp_path, f"{script}\n{SENTENCES}") == SAID


def test_the_page_says_what_its_figures_are_of(visit, clinic):
    page = visit(clinic[0].as_uri())
    compared(page)
    assert page.inner_text("#basis") == "By 10-fold cross-validation."
    assert page.text_content("#frontier-note").endswith(
        "judged at today's prices on cases that it was not learnt from."
    )
    assert page.locator("#frontier-rows tr").count() == 7


BASIS = """
const said = (parts, judged) => basisWords(parts, judged, { labels: { length: 1000 } },
  { case_name: "inquiry" });
console.log(JSON.stringify([said(5, 1000), said(1, 300), said(1, 1000)]));
"""


def test_what_figures_are_of_in_words(tmp_path):
    folds, held_out, learnt_from = in_node(
        tmp_path, f"{scripts('numbers.js', 'costs.js', 'figures.js')}\n{BASIS}"
    )
    assert folds == "By 5-fold cross-validation."
    assert held_out == "Of 300 inquiries held out."
    assert learnt_from.startswith("Of the inquiries it learnt from")


CHEAPER = """
const [lighter, now] = [{ value: 0.25, cost: 11, error: 0.5 }, { value: 1, cost: 12 }];
const bills = [lighter, now, { value: 4, cost: 4.8, error: 2 }];
const cases = (answers, testCost) => ({ answers, testCost });
const scenario = { costs: { currency: "EUR" }, weight: 1 };
console.log(JSON.stringify([
  cheaperWords(bills, scenario, { weight: null }),
  cheaperWords(bills.slice(0, 2), scenario, { weight: "omega" }),
  cheaperWords([bills[1], { value: 4, cost: 11.9, error: 0 }], scenario, { weight: null }),
  cheaperWords([bills[1], { value: 4, cost: 11, error: 1.5 }], scenario, { weight: null }),
  differenceError(cases([0, 1, 1, -1], [1, 1, 1, 0]), cases([0, 0, 0, -1], [2, 2, 2, 0]),
    { labels: [0, 0, 1, 1] }, [[0, 4], [4, 0]]),
]));
"""


def test_a_cheaper_point_of_the_frontier_is_pointed_out(tmp_path):
    script = scripts("numbers.js", "costs.js", "figures.js", "frontier.js")
    dearer, lighter, alike, chance, error = in_node(tmp_path, f"{script}\n{CHEAPER}")
    assert dearer == (
        "A tree of another point seems cheaper: 4.8 EUR if learnt as if mistakes cost 4 \u00d7 as much; "
        "trees of another learner may be, too."
    )
    assert "11 EUR if learnt as if prices weigh (omega) 1/4 as much" in lighter
    assert alike == chance == ""
    assert error == pytest.approx(np.std([-1, 3, -5]) / np.sqrt(3))


@pytest.fixture(scope="module")
def ward(tmp_path_factory):
    """Return the address of a page: age is free, one name is long, and a panel is had today."""
    rng = np.random.default_rng(5)
    sick = rng.random(300) < 0.4
    X = pd.DataFrame(
        {
            "age": rng.integers(20, 60, 300) + 20 * sick,
            "query_on_thyroxine_of_any_kind": np.round(2 * sick + rng.normal(size=300), 2),
            "scan": np.round(3 * sick + rng.normal(size=300), 2),
        }
    )
    costs = tw.Costs(
        {
            "query_on_thyroxine_of_any_kind": tw.Test(3, needs=["blood draw"]),
            "scan": tw.Test(5, needs=["blood draw", "room"]),
        },
        {"blood draw": 2, "room": 1},
        errors={"sick": {"well": 300}, "well": {"sick": 60}},
        today=["scan"],
        currency="EUR",
        case_name="patient",
    )
    folder = tmp_path_factory.mktemp("ward")
    made = tw.make_studio(X, np.where(sick, "sick", "well"), costs, title="Ward")
    return made.save(folder / "ward.html").as_uri()


def test_points_of_the_prices_before_are_grey_until_there_are_others(visit, ward):
    page = visit(ward)
    compared(page)
    page.evaluate(
        """() => {
            window.seen = [];
            new MutationObserver(() => window.seen.push(document.getElementById('frontier-part').ariaBusy))
                .observe(document.getElementById('frontier-part'), { attributeFilter: ['aria-busy'] });
        }"""
    )
    set_price(page, "scan", 7)
    compared(page)
    assert page.evaluate("window.seen") == ["true", None]
    current = page.inner_text("#frontier-rows .current td:nth-child(4)")
    assert current == page.inner_text("#cost")


def test_results_of_the_prices_before_keep_their_prices(visit, ward):
    """What the learner refuses leaves the older tree, which is walked and drawn at the older prices."""
    page = visit(ward)
    compared(page)
    page.locator("#case-next").click()
    words = page.inner_text("#case-steps")
    tree = page.text_content("#tree")
    before = page.inner_text("#sentence")
    page.evaluate(
        """() => { const { postMessage } = Worker.prototype;
            Worker.prototype.postMessage = function (told, ...more) {
                if (told.kind !== 'learn') postMessage.call(this, told, ...more);
            }; }"""
    )
    for name, price in (("scan", 30), ("query_on_thyroxine_of_any_kind", 40)):
        price_field(page, name).fill(str(price))
        price_field(page, name).blur()
    page.locator("#case-back").click()
    page.locator("#case-next").click()
    page.set_viewport_size({"width": 1279, "height": 900})
    page.wait_for_function("() => document.querySelector('#tree svg')")
    assert page.inner_text("#case-steps") == words
    assert page.text_content("#tree") == tree
    assert page.inner_text("#sentence") == before


SLOW = """
window.Worker = class extends Worker {
    set onmessage(hear) {
        super.onmessage = (told) => {
            if (told.data.kind === 'tree') told.data.milliseconds = 1e9;
            hear(told);
        };
    }
};
"""


def test_a_break_even_price_that_is_not_looked_for_says_so(visit, ward):
    page = visit("about:blank", ready=False)
    page.add_init_script(SLOW)  # so that none is looked for unasked
    page.goto(ward)
    compared(page)
    cells = page.locator(":is(#bill-rows, #other-rows) td:last-child")
    assert cells.all_text_contents() == ["\u2013"] * 3
    assert page.is_visible("#worths-left")
    page.click("#worths")
    assert page.is_hidden("#worths-left")
    page.wait_for_function(
        "() => [...document.querySelectorAll('td:last-child')].every((one) => !one.querySelector('[title]'))"
    )
    assert page.is_hidden("#worths-left")
    assert page.locator("#bill-rows th").all_text_contents()[-1] == "age"  # what is free comes last


@pytest.mark.parametrize("width", [1280, 900, 390])
def test_the_bill_and_the_frontier_are_seen_whole(visit, ward, width):
    page = visit(ward)
    page.set_viewport_size({"width": width, "height": 900})
    compared(page)
    page.evaluate("document.getElementById('other-tests').open = true")
    cut = page.evaluate(
        """() => [...document.querySelectorAll('#results .scroll')]
            .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.ariaLabel)"""
    )
    assert cut == []
    assert page.locator("#bill-rows wbr, #other-rows wbr").count() == 5
    assert "a patient pays" in page.inner_text("#results")
    assert "a case" not in page.inner_text("#results")


def test_nothing_in_an_outlined_tree_is_wider_than_its_box(visit, clinic):
    """A long way to an answer is cut before the answer is."""
    page = visit(clinic[0].as_uri())
    page.set_viewport_size({"width": 390, "height": 800})
    settled(page)
    wider = page.evaluate(
        """() => [...document.querySelectorAll('#tree .node')].flatMap((node) => {
            const box = node.querySelector('rect').getBoundingClientRect();
            return [...node.querySelectorAll('text')]
                .filter((text) => text.getBoundingClientRect().right > box.right)
                .map((text) => text.textContent);
        })"""
    )
    assert wider == []
    titles = page.locator("#tree .node:has(.leaf) .name").all_text_contents()
    assert [title for title in titles if "\u2026" in title] != []
    assert {title.rsplit(": ")[-1] for title in titles} == {"sick", "well"}


def test_what_is_added_twice_is_said(visit, ward):
    page = visit(ward)
    page.fill("#new-shared", "room")
    page.click("#add-shared")
    assert page.inner_text("#problem") == "room is there already: its price is above."


def test_the_newest_of_two_files_is_shown_though_the_older_takes_longer(visit, tmp_path):
    page = visit(tw.make_studio().save(tmp_path / "studio.html").as_uri())
    rows = "1,sick\n2,well\n" * 10
    page.evaluate(
        """() => { const { arrayBuffer } = Blob.prototype;
            Blob.prototype.arrayBuffer = async function () {
                if (this.name === 'slow.csv') await new Promise((resolve) => { window.go = resolve; });
                return arrayBuffer.call(this);
            }; }"""
    )
    page.set_input_files(
        "#file", {"name": "slow.csv", "mimeType": "text/csv", "buffer": f"weight,state\n{rows}".encode()}
    )
    page.wait_for_function("() => window.go")
    dropped(page, "fast.csv", f"age,state\n{rows}")
    page.evaluate("window.go()")
    settled(page)
    assert page.inner_text("#table-name").startswith("fast.csv:")
    assert page.input_value("#target") == "state"
