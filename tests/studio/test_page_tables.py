"""Tables that are dropped on the page: what is read, what is refused, what can be learnt."""

from studio.clinic import HOSTILE
from studio.visiting import downloaded, dropped, set_price

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
    for text in ("u,v\n1,2,3\n1,2\n", "u\n1\n2\n", "u,u\n1,2\n1,2\n", "u,v\ninf,a\n1,b\n"):
        assert "bad.csv" in refused(page, "bad.csv", text) or "inf" in text
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
