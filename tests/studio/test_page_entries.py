"""What is typed, moved and undone on the page, and what is refused."""

from studio.clinic import HOSTILE
from studio.visiting import assert_same_aid, downloaded, dropped, price_field, set_price, settled

import thriftwood as tw


def test_a_price_is_typed_with_point_or_comma_and_what_is_none_says_so(visit, clinic):
    file, *_ = clinic
    page = visit(file.as_uri())
    settled(page)
    set_price(page, "T3", "1,5")
    field = page.locator("#prices").get_by_role("textbox", name="T3", exact=True)
    assert field.input_value() == "1.5"
    for typed, wanted in (
        ("1,234", "T3: 1,234 is no price. Write 1234 or 1.234: the comma can be read in two ways."),
        ("cheap", "T3: cheap is no price. A number is wanted, such as 12.5."),
        ("-3", "T3: -3 is no price. It must be 0 or more."),
    ):
        field.fill(typed)
        field.blur()
        assert page.inner_text("#problem") == wanted
        assert field.input_value() == "1.5"
        assert field.get_attribute("aria-invalid") == "true"
    mistake = page.get_by_label("what it costs to say sick when the truth is well")
    mistake.fill("dear")
    mistake.blur()
    assert page.inner_text("#problem").startswith(
        "what it costs to say sick when the truth is well: dear is no cost. A number is wanted"
    )
    assert field.get_attribute("aria-invalid") is None
    assert mistake.get_attribute("aria-invalid") == "true"
    set_price(page, "T3", 2)
    assert mistake.get_attribute("aria-invalid") is None


def test_a_refusal_stays_while_a_tree_is_learnt_and_ends_with_the_next_price(visit, clinic):
    file, *_ = clinic
    page = visit(file.as_uri())
    settled(page)
    trees = page.get_attribute("#page", "data-tree")
    price_field(page, "TSH").fill("3")
    price_field(page, "T3").fill("cheap")  # this learns a tree with the price before
    page.keyboard.press("Tab")
    page.wait_for_function("trees => document.getElementById('page').dataset.tree !== trees", arg=trees)
    assert page.inner_text("#problem").startswith("T3: cheap is no price.")
    set_price(page, "T3", 20)
    assert page.is_hidden("#problem")


def test_what_the_learner_refuses_ends_with_its_next_tree(visit, clinic):
    file, *_ = clinic
    page = visit(file.as_uri())
    settled(page)
    page.select_option("#payment", "upfront")
    page.wait_for_function("() => document.getElementById('problem').textContent.includes('one by one')")
    assert page.inner_text("#problem").endswith("Choose another learner, such as min-total-cost.")
    assert page.evaluate("getComputedStyle(document.getElementById('results')).opacity") == "0.4"
    page.select_option("#payment", "sequential")
    page.wait_for_selector("#get-model:enabled")
    assert page.is_hidden("#problem")
    assert page.evaluate("getComputedStyle(document.getElementById('results')).opacity") == "1"


def slider_of(page, label):
    slider = page.locator("#prices").get_by_role("slider", name=f"{label}, slider")
    slider.scroll_into_view_if_needed()
    return slider


def test_a_slider_that_is_moved_by_keys_is_undone_at_once(visit, clinic):
    file, *_ = clinic
    page = visit(file.as_uri())
    settled(page)
    slider = slider_of(page, "T3")
    slider.focus()
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    assert float(slider.get_attribute("aria-valuetext")) > 100
    page.keyboard.press("Control+z")
    assert slider.get_attribute("aria-valuetext") == "50"
    assert page.is_disabled("#undo")
    page.keyboard.press("Control+y")
    assert float(slider.get_attribute("aria-valuetext")) > 100


def test_a_slider_that_is_dragged_away_and_back_changes_nothing(visit, clinic):
    file, *_ = clinic
    page = visit(file.as_uri())
    settled(page)
    link = page.url
    slider, field = slider_of(page, "T3"), price_field(page, "T3")
    box = slider.bounding_box()
    start, most = int(slider.input_value()), int(slider.get_attribute("max"))
    x, y = box["x"] + 8 + start / most * (box["width"] - 16), box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y)
    assert float(field.input_value()) > 100
    for tenth in range(-40, 41):
        page.mouse.move(x + tenth / 10, y)
        if int(slider.input_value()) == start:
            break
    page.mouse.up()
    assert field.input_value() == "50"
    page.wait_for_function("() => document.querySelectorAll('#frontier-rows tr').length > 0")
    assert page.is_disabled("#undo")
    assert page.url == link
    set_price(page, "TSH", 3)
    page.click("#undo")
    assert (price_field(page, "TSH").input_value(), field.input_value()) == ("2", "50")
    assert page.is_disabled("#undo")


def test_undo_while_a_slider_moves_keeps_what_was(visit, clinic):
    file, *_ = clinic
    page = visit(file.as_uri())
    settled(page)
    set_price(page, "T3", 20)
    slider, field = slider_of(page, "T3"), price_field(page, "T3")
    slider.evaluate("one => { one.value = Number(one.value) + 20; one.dispatchEvent(new Event('input')); }")
    assert float(field.input_value()) > 20
    page.keyboard.press("Control+z")
    assert field.input_value() == "50"
    slider.dispatch_event("blur")
    assert field.input_value() == "50"
    page.keyboard.press("Control+y")
    assert field.input_value() == "20"


def test_groups_delays_and_shared_resources_are_changed_and_undone(visit, clinic, tmp_path):
    file, X, y, costs = clinic
    page = visit(file.as_uri())
    page.wait_for_selector("#page[data-tree]", state="attached")
    page.fill("#new-shared", "blood")
    page.locator("#shared").get_by_role("button", name="Add").click()
    page.locator("#shared").get_by_role("textbox", name="blood", exact=True).fill("3")
    for test, after in (("TSH", None), ("T3", 20)):
        page.locator("#prices summary", has_text="late, group, shared").first.click()
        more = page.locator("#prices .amount", has=page.get_by_role("textbox", name=test, exact=True))
        more.get_by_label("needs blood").check()
        more.get_by_label("group ").fill("thyroid")
        more.get_by_label("group ").blur()
        if after is not None:
            more.get_by_label("after another of its group").fill(str(after))
            more.get_by_label("the result comes late").check()
    wanted = tw.Costs(
        {
            "TSH": tw.Test(2, needs=["blood"], group="thyroid"),
            "T3": tw.Test(50, needs=["blood"], group="thyroid", after=20, delayed=True),
            HOSTILE: 1,
        },
        {"blood": 3},
        errors=costs.errors,
        currency="EUR",
        case_name="patient",
    )
    assert tw.Costs.from_file(downloaded(page, "get-costs", tmp_path)) == wanted
    # A price below that after another: the file says the same for both, and the list remembers.
    set_price(page, "T3", 10)
    changed = tw.Costs.from_file(downloaded(page, "get-costs", tmp_path))
    assert changed.tests["T3"] == tw.Test(10, needs=["blood"], group="thyroid", after=10, delayed=True)
    set_price(page, "T3", 50)
    assert tw.Costs.from_file(downloaded(page, "get-costs", tmp_path)) == wanted
    assert_same_aid(
        downloaded(page, "get-aid", tmp_path),
        tw.ThriftClassifier(wanted, leaves="class").fit(X, y),
        "Thyroid",
    )
    other = visit(page.url)
    other.wait_for_selector("#page[data-tree]", state="attached")
    assert tw.Costs.from_file(downloaded(other, "get-costs", tmp_path)) == wanted
    page.locator("#shared").get_by_role("button", name="remove blood").click()
    without = tw.Costs.from_file(downloaded(page, "get-costs", tmp_path))
    assert without.shared == {}
    assert without.tests["TSH"] == tw.Test(2, group="thyroid")
    for _ in range(11):
        page.click("#undo")
    assert tw.Costs.from_file(downloaded(page, "get-costs", tmp_path)) == costs
    assert page.is_disabled("#undo")


def test_a_slider_that_keys_bring_back_is_where_it_set_out(visit, clinic):
    file, *_ = clinic
    page = visit(file.as_uri())
    settled(page)
    link = page.url
    slider_of(page, HOSTILE).focus()
    page.keyboard.press("ArrowRight")
    assert price_field(page, HOSTILE).input_value() != "1"
    page.keyboard.press("ArrowLeft")
    assert price_field(page, HOSTILE).input_value() == "1"
    assert page.is_disabled("#undo")
    assert page.url == link
    page.keyboard.press("ArrowRight")  # nothing is left to go on from: this is a change of its own
    page.keyboard.press("Control+z")
    assert price_field(page, HOSTILE).input_value() == "1"
    assert page.is_disabled("#undo")


def test_a_slider_that_comes_back_twice_leaves_what_was_changed_before(visit, clinic):
    file, *_ = clinic
    page = visit(file.as_uri())
    settled(page)
    set_price(page, "TSH", 3)
    slider = slider_of(page, "T3")
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    slider.evaluate(
        """one => {
            const start = one.value;
            for (const step of [Number(start) + 20, start]) {
                one.value = step;
                one.dispatchEvent(new Event('input'));
            }
            one.dispatchEvent(new Event('change'));
        }"""
    )
    assert (price_field(page, "TSH").input_value(), price_field(page, "T3").input_value()) == ("3", "50")
    page.keyboard.press("Control+z")
    assert price_field(page, "TSH").input_value() == "2"
    assert page.is_disabled("#undo")


def test_what_has_the_focus_keeps_it_whatever_is_said_of_a_test(visit, tmp_path):
    X, y = [[1.0, 2.0], [2.0, 1.0]] * 10, ["sick", "well"] * 10
    tests = {"x0": tw.Test(1, needs=["blood"])}  # x1 has no price of its own
    costs = tw.Costs(tests, {"blood": 3}, errors_default=50)
    page = visit(tw.make_studio(X, y, costs).save(tmp_path / "studio.html").as_uri())
    settled(page)
    focused = page.locator(":focus")
    price_field(page, "x1").fill("4")
    price_field(page, "x0").click()
    assert focused.and_(price_field(page, "x0")).count() == 1
    row = page.locator("#prices .amount").first
    row.locator("summary").click()
    row.get_by_label("the result comes late").focus()
    page.keyboard.press("Space")
    assert row.locator("summary").inner_text().startswith("comes late")
    assert focused.and_(row.get_by_label("the result comes late")).count() == 1
    row.get_by_label("group ").fill("lab")
    page.keyboard.press("Tab")
    assert focused.and_(row.get_by_label("needs blood")).count() == 1
    page.keyboard.press("Space")
    assert row.locator("summary").inner_text().startswith("comes late · group lab")
    page.keyboard.press("Shift+Tab")
    assert focused.and_(row.get_by_label("after another of its group")).count() == 1
    shared = page.locator("#shared")
    add = shared.get_by_role("button", name="Add")
    shared.get_by_role("textbox", name="the name of another").fill("ward")
    for button in (add, shared.get_by_role("button", name="remove ward")):
        button.focus()
        page.keyboard.press("Enter")
        assert focused.and_(add).count() == 1


def test_a_button_that_has_nothing_left_to_do_keeps_the_focus(visit, clinic):
    file, *_ = clinic
    page = visit(file.as_uri())
    settled(page)
    page.evaluate("delete Element.prototype.ariaDisabled")  # as browsers of 2023
    set_price(page, "T3", 20)
    for button, price in (("undo", "50"), ("redo", "20")):
        page.locator(f"#{button}").focus()
        for _ in range(2):
            page.keyboard.press("Enter")
            assert price_field(page, "T3").input_value() == price
        assert page.is_disabled(f"#{button}")
        assert page.evaluate("document.activeElement.id") == button
    for button in ("case-next", "case-back"):
        page.locator(f"#{button}").focus()
        presses = 0
        while page.is_enabled(f"#{button}"):
            page.keyboard.press("Enter")
            presses += 1
        said = page.inner_text("#case-words")
        page.keyboard.press("Enter")
        assert page.inner_text("#case-words") == said
        assert presses > 0
        assert page.evaluate("document.activeElement.id") == button


def test_mistakes_of_any_classes_have_a_field_each(visit, tmp_path):
    page = visit(tw.make_studio(path=None).save(tmp_path / "studio.html").as_uri())
    classes = ["a", "a b", "b a"]  # "a" and "b a" in a row are "a b" and "a" in a row
    dropped(page, "k.csv", "x,y\n" + "".join(f"{i % 5},{classes[i % 3]}\n" for i in range(60)))
    label = "#mistakes input[aria-label='what it costs to say {} when the truth is {}']"
    one, other = page.locator(label.format("b a", "a")), page.locator(label.format("a", "a b"))
    one.fill("7")
    one.blur()
    assert (one.input_value(), other.input_value()) == ("7", "50")
    page.click("#undo")
    assert (one.input_value(), other.input_value()) == ("50", "50")


def test_a_refusal_does_not_hide_another_for_good(visit, clinic):
    file, *_ = clinic
    page = visit(file.as_uri())
    settled(page)
    page.select_option("#payment", "upfront")
    page.wait_for_function("() => document.getElementById('problem').textContent.includes('one by one')")
    refused = page.inner_text("#problem")
    field = price_field(page, "T3")
    field.fill("cheap")
    field.blur()
    assert page.inner_text("#problem").startswith("T3: cheap is no price.")
    field.fill("20")  # taken: the learner's refusal is what is left
    field.blur()
    assert page.inner_text("#problem") == refused
    page.select_option("#payment", "sequential")
    page.wait_for_selector("#get-model:enabled")
    assert page.is_hidden("#problem")


def test_what_is_said_of_a_test_follows_its_price_after_another(visit, clinic):
    file, *_ = clinic
    page = visit(file.as_uri())
    settled(page)
    more = page.locator("#prices .amount", has=page.get_by_role("textbox", name="TSH", exact=True))
    more.locator("summary").click()
    more.get_by_label("group ").fill("blood")
    more.get_by_label("group ").blur()
    after = more.get_by_label("after another of its group")
    for typed, said in (("0.5", "0.5 after another of blood"), ("", "group blood")):
        after.fill(typed)
        after.blur()
        assert more.locator("summary").inner_text().startswith(said)
