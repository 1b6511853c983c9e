"""Tables that are dropped on the page: what is read, what is refused, what can be learnt."""

import pytest
from studio.clinic import HOSTILE
from studio.visiting import downloaded, dropped, price_field, set_price, settled

import thriftwood as tw


def test_a_table_is_dropped_on_an_empty_page(visit, tmp_path):
    page = visit(tw.make_studio(path=None).save(tmp_path / "studio.html").as_uri())
    assert page.is_visible("#drop-part")
    table = tmp_path / "table.csv"
    rows = "".join(f"{i % 7},{'yes' if i % 2 else 'no'},{'sick' if i % 2 else 'well'}\n" for i in range(60))
    table.write_text(f"age,{HOSTILE},state\n{rows}", encoding="utf-8")
    page.set_input_files("#file", table)
    page.wait_for_function("() => document.getElementById('sentence').textContent.includes('for everybody')")
    assert page.inner_text("#sentence").startswith(f"Order {HOSTILE} for everybody")
    page.set_input_files("#file", {"name": "bad.csv", "mimeType": "text/csv", "buffer": b"a,b\n1\n2,3\n"})
    page.wait_for_function("() => document.getElementById('problem').textContent !== ''")
    assert page.inner_text("#problem") == "Line 2 of bad.csv has 1 cell; the first line has 2 names."


def test_a_table_of_another_encoding_is_read_and_said(visit, tmp_path):
    page = visit(tw.make_studio(path=None).save(tmp_path / "studio.html").as_uri())
    rows = "".join(f"{i % 7};{'sick' if i % 2 else 'gesund'}\n" for i in range(60))
    table = f"Größe;Zustand\n{rows}".encode("cp1252")
    page.set_input_files("#file", {"name": "praxis.csv", "mimeType": "text/csv", "buffer": table})
    page.wait_for_selector("#page[data-tree]", state="attached")
    assert "praxis.csv is not UTF-8; it was read as Windows-1252." in page.inner_text("#told")
    assert "Größe" in page.inner_text("#prices")


def test_a_number_as_target_is_refused_and_another_can_be_chosen(visit, tmp_path):
    page = visit(tw.make_studio(path=None).save(tmp_path / "studio.html").as_uri())
    rows = "".join(f"{'sick' if i % 2 else 'well'},{i % 30}.5\n" for i in range(60))
    page.set_input_files(
        "#file", {"name": "age.csv", "mimeType": "text/csv", "buffer": f"state,age\n{rows}".encode()}
    )
    page.wait_for_function(
        "() => document.getElementById('problem').textContent.includes('30 different numbers')"
    )
    page.select_option("#target", "state")
    page.wait_for_selector("#page[data-tree]", state="attached")
    assert page.is_hidden("#problem")


def test_the_columns_to_learn_are_those_of_the_table(visit, tmp_path):
    page = visit(tw.make_studio(path=None).save(tmp_path / "studio.html").as_uri())
    rows = "".join(f"{i % 7},{'sick' if i % 2 else 'well'}\n" for i in range(60))
    options = "[...document.querySelectorAll('#target option')].map((one) => one.value)"
    for first, names in (
        ("\nage,state", ["age", "state"]),
        ('"age\nin years",state', ["age\nin years", "state"]),
    ):
        table = f"{first}\n{rows}".encode()
        page.set_input_files("#file", {"name": "t.csv", "mimeType": "text/csv", "buffer": table})
        page.wait_for_function(
            "wanted => document.querySelector('#target option')?.value === wanted", arg=names[0]
        )
        assert page.evaluate(options) == names
        assert page.input_value("#target") == "state"


def options(page):
    return page.evaluate("[...document.querySelectorAll('#target option')].map((one) => one.value)")


def refused(page, name, text):
    """Drop what cannot be read; return what is said."""
    content = text if isinstance(text, bytes) else text.encode()
    page.set_input_files("#file", {"name": name, "mimeType": "text/csv", "buffer": content})
    page.wait_for_function("() => document.getElementById('problem').textContent !== ''")
    return page.inner_text("#problem")


def test_columns_to_learn_are_offered_where_another_can_help(visit, tmp_path):
    page = visit(tw.make_studio(path=None).save(tmp_path / "studio.html").as_uri())
    assert refused(page, "bad.csv", "u,v\n1,2,3\n1,2\n").startswith("Line 2 of bad.csv has 3 cells")
    assert page.is_hidden("#target-part")
    dropped(page, "one.csv", "age,state\n" + "1,sick\n2,well\n" * 10)
    assert page.is_hidden("#problem")
    for text, said in (
        ("u,v\n1,2,3\n1,2\n", "Line 2 of bad.csv has 3 cells"),
        ("u\n1\n2\n", "bad.csv has one column"),
        ("u,u\n1,2\n1,2\n", "Two columns of bad.csv have the same name."),
        ("u,v\ninf,a\n1,b\n", "Column u holds inf, and numbers must be finite."),
    ):
        assert refused(page, "bad.csv", text).startswith(said)
        assert options(page) == ["age", "state"]
        assert page.inner_text("#target-part").startswith("to learn from one.csv")
        dropped(page, "one.csv", "age,state\n" + "1,sick\n2,well\n" * 10)
    for text, said in (
        ("u,v\n1,2\n2,2\n", "All rows of other.csv have the same v"),
        ("u,v\n1,\n2,NA\n", "No row of other.csv has a value of v"),
        ("u,v\n1,0.5\n2,1\n", "v has 2 different numbers"),
    ):
        assert refused(page, "other.csv", text).startswith(said)
        assert options(page) == ["u", "v"]
        assert page.inner_text("#target-part").startswith("to learn from other.csv")


def test_rows_without_a_class_are_left_out_and_counted(visit, tmp_path):
    page = visit(tw.make_studio(path=None).save(tmp_path / "studio.html").as_uri())
    dropped(page, "one.csv", "age,state\n" + "1,sick\n2,well\n3,\n" * 20)
    assert page.inner_text("#table-name") == "one.csv: 40 cases, 1 test; 20 without state left out"


def test_prices_of_the_page_are_those_of_a_dropped_table_with_what_they_share(visit, tmp_path):
    costs = tw.Costs({"age": tw.Test(2, needs=["visit"]), "constructor": 7}, {"visit": 5, "blood": 3})
    page = visit(tw.make_studio(costs=costs).save(tmp_path / "studio.html").as_uri())
    dropped(page, "one.csv", "age,constructor,toString,state\n" + "1,a,b,sick\n2,a,c,well\n" * 20)
    page.wait_for_selector("#get-costs:enabled")
    found = tw.Costs.from_file(downloaded(page, "get-costs", tmp_path))
    assert found.tests["age"] == costs.tests["age"]
    assert found.shared == {"visit": 5}
    assert (found.tests["constructor"], found.tests["toString"]) == (tw.Test(7), tw.Test(1))


def test_a_column_that_cannot_be_learnt_leaves_the_one_that_is(visit, tmp_path):
    page = visit(tw.make_studio(path=None).save(tmp_path / "studio.html").as_uri())
    dropped(page, "one.csv", "age,state\n" + "0.5,sick\n1,well\n" * 10)
    page.select_option("#target", "age")
    page.wait_for_function("() => document.getElementById('problem').textContent.startsWith('age has 2')")
    assert page.input_value("#target") == "state"
    assert page.locator("#prices .amount").count() == 1


BINARY = [
    ("book.xlsx", b"PK\x03\x04\x14\x00a,b\n", "book.xlsx is a workbook, such as Excel writes."),
    ("book.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1a\nb\nc", "book.xls is a workbook, such as Excel writes."),
    ("scan.png", b"\x89PNG\r\n\x1a\n\x00\x00a,b\n1,2\n2,3\n", "scan.png is no text"),
]


def test_what_is_no_table_leaves_the_one_that_is_there(visit, tmp_path):
    page = visit(tw.make_studio(path=None).save(tmp_path / "studio.html").as_uri())
    dropped(page, "one.csv", "age,state\n" + "1,sick\n2,well\n" * 10)
    page.wait_for_selector("#get-model:enabled")
    for price, (name, content, said) in enumerate(BINARY, 2):
        assert refused(page, name, content).startswith(said)
        assert page.inner_text("#table-name").startswith("one.csv: 20 cases, 1 test")
        assert options(page) == ["age", "state"]
        set_price(page, "age", price)
        assert page.is_hidden("#problem")


def test_a_file_that_was_mended_can_be_chosen_again(visit, tmp_path):
    """Browsers tell no change of a field that holds the same file already."""
    page = visit(tw.make_studio(path=None).save(tmp_path / "studio.html").as_uri())
    dropped(page, "one.csv", "age,state\n" + "1,sick\n2,well\n" * 10)
    with page.expect_file_chooser():
        page.click("#file")
    assert page.evaluate("document.getElementById('file').files.length") == 0


def test_prices_that_nobody_named_are_called_so_until_one_is(visit, tmp_path):
    page = visit(tw.make_studio(path=None).save(tmp_path / "studio.html").as_uri())
    dropped(page, "one.csv", "age,state\n" + "1,sick\n2,well\n" * 10)
    assert page.is_visible("#invented")
    set_price(page, "age", 3)
    assert page.is_hidden("#invented")
    page.click("#undo")
    assert page.is_visible("#invented")
    X, y = [[1.0], [2.0]] * 10, ["sick", "well"] * 10
    for costs, shown in ((None, True), (tw.Costs({"x0": 1}, errors_default=50), False)):
        other = visit(tw.make_studio(X, y, costs).save(tmp_path / "own.html").as_uri())
        other.wait_for_selector("#page[data-tree]", state="attached")
        assert other.is_visible("#invented") is shown


def test_a_link_to_prices_that_nobody_named_calls_them_so(visit, tmp_path):
    empty = tw.make_studio(path=None).save(tmp_path / "empty.html").as_uri()
    own = tw.make_studio([[1.0], [2.0]] * 10, ["sick", "well"] * 10).save(tmp_path / "own.html").as_uri()
    table = "age,state\n" + "1,sick\n2,well\n" * 10
    for address, test in ((empty, "age"), (own, "x0")):
        page = visit(address)
        if address == empty:
            dropped(page, "one.csv", table)
        settled(page)
        other = visit(page.url)
        if address == empty:
            dropped(other, "one.csv", table)
        settled(other)
        assert other.is_visible("#invented")
        set_price(other, test, 3)
        assert other.is_hidden("#invented")


def mistakes(page):
    return page.evaluate("[...document.querySelectorAll('#mistakes input')].map((one) => one.value)")


@pytest.mark.parametrize("name", ["constructor", "toString", "__proto__"])
def test_classes_are_called_as_they_like(visit, tmp_path, name):
    page = visit(tw.make_studio(path=None).save(tmp_path / "studio.html").as_uri())
    dropped(page, "one.csv", "age,state\n" + f"1,{name}\n2,well\n3,{name}\n" * 20)
    settled(page)
    assert mistakes(page) == ["50", "50"]
    assert page.inner_text("#sentence").startswith("Order age for everybody")
    field = page.locator("#mistakes input").first
    field.fill("70")
    field.blur()
    settled(page)
    assert mistakes(page) == ["70", "50"]
    assert page.is_hidden("#problem")


LISTED = tw.Costs(
    {"age": 2, "scan": 90},
    errors={"sick": {"well": 900, "refer": 40}, "well": {"sick": 7, "refer": 45}},
    answers={"later": 60},
    today=["age"],
    currency="EUR",
    case_name="child",
    payment="upfront",
    charge_missing=False,
)


def test_a_price_list_is_that_of_a_dropped_table_with_its_mistakes(visit, tmp_path):
    page = visit(tw.make_studio(costs=LISTED).save(tmp_path / "studio.html").as_uri())
    dropped(page, "one.csv", "age,state\n" + "1,sick\n2,well\n" * 20)
    settled(page)
    assert page.inner_text("#table-name") == "one.csv: 40 children, 1 test"
    assert page.is_hidden("#invented")
    assert page.is_hidden("#problem")
    assert page.input_value("#learner") == "csgain"
    assert mistakes(page) == ["900", "40", "60", "7", "45", "60"]
    wanted = LISTED.replace(
        tests={"age": 2},
        errors={"sick": {"well": 900}, "well": {"sick": 7}},
        answers={"refer": {"sick": 40, "well": 45}, "later": 60},
    )
    assert tw.Costs.from_file(downloaded(page, "get-costs", tmp_path)) == wanted


def test_the_column_of_todays_answers_is_no_test(visit, tmp_path):
    today = tw.Today(["age"], answers="said")
    costs = tw.Costs({"age": 2}, errors_default=9, today=today)
    page = visit(tw.make_studio(costs=costs).save(tmp_path / "studio.html").as_uri())
    dropped(page, "one.csv", "age,said,state\n" + "1,sick,sick\n2,well,well\n" * 20)
    settled(page)
    assert page.inner_text("#table-name") == "one.csv: 40 cases, 1 test"
    assert page.is_hidden("#invented")
    assert page.is_hidden("#today-tile")  # what is answered is not to be learnt
    assert tw.Costs.from_file(downloaded(page, "get-costs", tmp_path)).today == today
    dropped(page, "two.csv", "age,state\n" + "1,sick\n2,well\n" * 20)
    assert tw.Costs.from_file(downloaded(page, "get-costs", tmp_path)).today is None


@pytest.mark.parametrize(
    ("costs", "wanted"),
    [
        (tw.Costs({"age": 2}, errors_default=9), ["9", "9"]),
        (tw.Costs({"age": 2}, errors=[[0, 5], [6, 0]]), ["5", "6"]),
        (tw.Costs({"age": 2}, errors={"sick": {"well": 8}}, errors_default=3), ["8", "3"]),
        (tw.Costs({"age": 2}, errors={"well": {"sick": 2, "dead": 4}, "sick": {"well": 1}}), ["1", "2"]),
    ],
    ids=["one for all", "array", "others", "further class"],
)
def test_mistakes_of_a_price_list_may_be_written_in_any_way(visit, tmp_path, costs, wanted):
    page = visit(tw.make_studio(costs=costs).save(tmp_path / "studio.html").as_uri())
    dropped(page, "one.csv", "age,state\n" + "1,sick\n2,well\n" * 20)
    settled(page)
    assert mistakes(page) == wanted
    assert page.is_hidden("#invented")


def test_what_a_price_list_does_not_name_is_called_nobodys(visit, tmp_path):
    page = visit(tw.make_studio(costs=LISTED).save(tmp_path / "studio.html").as_uri())
    dropped(page, "one.csv", "age,kind,state\n" + "1,a,ill\n2,b,fine\n" * 20)
    settled(page)
    assert mistakes(page) == ["50", "60", "50", "60"]
    assert price_field(page, "age").input_value() == "2"
    assert page.inner_text("#invented").startswith(
        "Nobody named these prices: every test that the price list leaves out is taken to cost 1 and every "
        "mistake 50."
    )
    dropped(page, "two.csv", "age,state\n" + "1,ill\n2,fine\n" * 20)
    settled(page)
    assert page.inner_text("#invented").startswith(
        "Nobody named these prices: every mistake is taken to cost 50."
    )
    dropped(page, "three.csv", "age,kind,state\n" + "1,a,sick\n2,b,well\n" * 20)
    settled(page)
    assert page.inner_text("#invented").startswith(
        "Nobody named these prices: every test that the price list leaves out is taken to cost 1. Set yours"
    )


def test_prices_that_nobody_named_are_nobodys_of_another_table_too(visit, tmp_path):
    X, y = [[1.0], [2.0]] * 10, ["sick", "well"] * 10
    page = visit(tw.make_studio(X, y).save(tmp_path / "studio.html").as_uri())
    dropped(page, "one.csv", "x0,state\n" + "1,sick\n2,well\n" * 10)
    settled(page)
    assert page.is_visible("#invented")
