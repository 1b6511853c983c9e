"""Tables that are dropped on the page: what is read, what is refused, what can be learnt."""

from studio.clinic import HOSTILE

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
    assert page.inner_text("#problem") == "Line 2 of bad.csv has 1 cells; the first line has 2 names."


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
