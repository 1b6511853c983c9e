"""The exported spreadsheet asks, buys and answers as the library does; names are no formulas there."""

import io
import re
import zipfile
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from export.random_cases import random_case
from export.running import by_library, by_python, framed
from export.spreadsheets import NONE, by_sheet, computed, filled, made_of, needs_office, seen, written
from export.test_cascade_plan import by_python as cards_by_python
from export.test_cascade_plan import rows_of
from export.test_quoting_names import HOSTILE
from random_cascades import golf_cascade, random_cascade, random_frame

import thriftwood as tw
from thriftwood.export.cascade_plan import cascade_plan
from thriftwood.export.workbook import Formula, Sheet, shown, shown_apart

FORMULAS = ["=1+1", "+cmd|' /C calc'!A0", "@SUM(1)", '=HYPERLINK("x")', "-2+3", "</t></is></c>", "&amp;", "'"]


def assert_shown(got, want, made):
    """The sheet shows a decision of the library."""
    assert got.following == "nothing more"
    if isinstance(want.answer, float) and made.classes is None:
        assert float(got.answer) == pytest.approx(want.answer, rel=1e-12, abs=1e-12)
    else:
        assert got.answer == str(want.answer)
    assert got.shares == pytest.approx(want.probabilities, abs=1e-12)
    paid = dict(zip(want.bought, want.paid, strict=True))
    names = [test.name for test in made.tests]
    assert got.paid == pytest.approx([paid.get(name, 0.0) for name in names], abs=1e-9)
    assert got.bill == pytest.approx(want.bill, abs=1e-9)


@needs_office
@pytest.mark.parametrize("seed", range(6))
def test_trees_decide_as_the_library(seed, tmp_path):
    tree, rows = random_case(seed, n_rows=6)
    wanted = by_library(tree, framed(tree, rows))
    for got, want in zip(by_sheet(tree, rows, tmp_path), wanted, strict=True):
        assert_shown(got, want, made_of(tree))


@needs_office
@pytest.mark.parametrize("seed", range(4))
def test_score_cards_decide_as_those_in_python(seed, tmp_path):
    cascade = random_cascade(seed)
    frame = random_frame(np.random.default_rng(seed), 6)
    wanted = cards_by_python(cascade, frame)
    for got, want in zip(by_sheet(cascade, rows_of(frame), tmp_path), wanted, strict=True):
        assert_shown(got, want, made_of(cascade))


@needs_office
@pytest.mark.parametrize("seed", range(2))
def test_it_asks_one_question_after_another_as_the_exported_python(seed, tmp_path):
    tree, rows = random_case(seed, n_rows=4)
    made, content = made_of(tree), tw.export_xlsx(tree)
    for number, (row, want) in enumerate(zip(rows, by_python(tree, rows), strict=True)):
        files = []
        for known in range(len(want.asked) + 1):
            told = {name: row[name] for name in want.asked[:known]}
            values = [written(test, row[test.name]) if test.name in told else None for test in made.tests]
            files.append(filled(content, values))
        folder = tmp_path / str(number)
        folder.mkdir()
        shown = [seen(one, len(made.tests), 0) for one in computed(folder, files)]
        assert [one.following for one in shown] == [*want.asked, "nothing more"]
        assert {one.answer for one in shown[:-1]} <= {"not yet known"}
        assert shown[-1].answer == str(want.answer) or made.classes is None
        assert shown[-1].bill == pytest.approx(want.bill, abs=1e-9)


@needs_office
def test_what_a_reader_sees(tmp_path):
    golf = tw.load_dataset("golf-nominal")
    costs = golf.costs.replace(currency="EUR")
    model = tw.algorithm("c45", costs=costs).fit(golf.X, golf.y)
    content = tw.export_xlsx(model, tmp_path / "golf.xlsx", title="Shall we play?")
    assert (tmp_path / "golf.xlsx").read_bytes() == content == tw.export_xlsx(model, title="Shall we play?")
    names = [test.name for test in made_of(model.tree_).tests]
    at = {name: place for place, name in enumerate(names)}

    def told(**known):
        return filled(content, [known.get(name) for name in names])

    rows = computed(tmp_path, [told(), told(Outlook="Rain"), told(Outlook="Rain", Wind=NONE)])
    assert rows[0][0][0] == "Shall we play?"
    assert rows[0][5][0] == "Paid so far (EUR)"
    begun, asked, done = (seen(one, len(names), 2) for one in rows)
    assert (begun.following, begun.price, begun.bill) == ("Outlook", "4", 0.0)
    assert begun.notes[at["Outlook"]] == "ask this next"
    assert (asked.following, asked.price, asked.bill, asked.answer) == ("Wind", "0.5", 4.0, "not yet known")
    assert (done.following, done.answer, done.bill) == ("nothing more", "Yes", 4.5)
    assert done.shares == pytest.approx([0.4, 0.6])
    assert done.notes[at["Humidity"]] == "not needed"


@needs_office
def test_hostile_names_are_texts_and_nothing_else(tmp_path):
    words = [*FORMULAS, *HOSTILE]
    X = pd.DataFrame({words[k]: [words[(k + i) % len(words)] for i in range(40)] for k in range(6)})
    y = [words[i % 4] for i in range(40)]
    tree = tw.CostTreeClassifier().fit(X, y).tree_
    rows = X.to_dict("records")[:8]
    wanted = by_library(tree, X.iloc[:8])
    for got, want in zip(by_sheet(tree, rows, tmp_path), wanted, strict=True):
        assert got.answer == (" ".join(str(want.answer).split()) or "(empty)")


def test_names_are_never_part_of_a_formula_and_there_are_no_macros():
    words = [*FORMULAS, *HOSTILE]
    X = pd.DataFrame({words[k]: [words[(k + i) % len(words)] for i in range(40)] for k in range(6)})
    content = tw.export_xlsx(tw.CostTreeClassifier().fit(X, [words[i % 4] for i in range(40)]))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        assert not [
            name for name in archive.namelist() if "vba" in name.lower() or "external" in name.lower()
        ]
        texts = [archive.read(name).decode("utf-8") for name in archive.namelist()]
    for text in texts:
        ElementTree.fromstring(text.encode("utf-8"))
        for formula in re.findall(r"<f(?:ormula1?)?>(.*?)</f", text):
            words_used = re.findall(r"[A-Za-z]+(?=[(!])", formula)
            assert set(words_used) <= {
                *("IF", "OR", "AND", "NOT", "SUM", "SUMIF", "SUMPRODUCT", "MIN", "MAX", "INDEX", "COUNT"),
                *("COUNTIF", "EXACT", "ISNUMBER", "LEN", "ABS", "EXP", "MATCH", "UPPER", "TRIM"),
                *("Consult", "Results", "Steps", "Edges", "Ends", "Orders", "Points", "Lists"),
            }


@needs_office
def test_a_tree_that_asks_nothing(tmp_path):
    tree = tw.CostTreeClassifier().fit([[1.0], [1.0]], ["no", "no"]).tree_
    (got,) = by_sheet(tree, [{}], tmp_path)
    assert (got.following, got.answer, got.bill) == ("nothing more", "no", 0.0)


@needs_office
def test_words_for_a_number_are_not_taken(tmp_path):
    model = tw.CostTreeClassifier().fit([[1.0], [2.0]], ["no", "yes"])
    (rows,) = computed(tmp_path, [filled(tw.export_xlsx(model), ["high"])])
    got = seen(rows, 1, 2)
    assert (got.following, got.notes) == ("x0", ["a number is wanted"])


@needs_office
def test_case_and_outer_blanks_of_what_is_typed_are_nothing_and_other_words_are_said_to_be_none(tmp_path):
    X = pd.DataFrame({"pain": ["yes", "no"] * 4, "kind": ["a", "A"] * 4, "size": [1.0, 2.0] * 4})
    model = tw.CostTreeClassifier().fit(X[["pain"]], ["ill", "well"] * 4)
    content = tw.export_xlsx(model)
    cells = ["YES", " no ", "Cannot be had ", "perhaps", "yes"]
    shown = [seen(one, 1, 2) for one in computed(tmp_path, [filled(content, [cell]) for cell in cells])]
    assert [one.answer for one in (shown[0], shown[1], shown[4])] == ["ill", "well", "ill"]
    assert [one.notes for one in shown] == [[""], [""], [""], ["not one of the values"], [""]]
    assert shown[2].shares == pytest.approx([0.5, 0.5])
    kinds = tw.export_xlsx(tw.CostTreeClassifier().fit(X[["kind"]], ["ill", "well"] * 4))
    sizes = tw.export_xlsx(tw.CostTreeClassifier().fit(X[["size"]], ["ill", "well"] * 4))
    files = [
        filled(kinds, ["a"]),
        filled(kinds, ["A"]),
        filled(kinds, ["a "]),
        filled(sizes, ["CANNOT BE HAD"]),
    ]
    small, large, either, none = (seen(one, 1, 2) for one in computed(tmp_path, files))
    assert (small.answer, large.answer, either.notes) == ("ill", "well", ["not one of the values"])
    assert (none.following, none.notes) == ("nothing more", [""])


def test_columns_are_as_wide_as_their_headings():
    costs = tw.Costs({"x0": 1.0}, currency="EUR per case")
    content = tw.export_xlsx(tw.CostTreeClassifier(costs=costs).fit([[1.0], [2.0]], ["no", "yes"]))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        widths = re.findall(r'width="([\d.]+)"', archive.read("xl/worksheets/sheet1.xml").decode())
    assert float(widths[2]) > len("alone costs (EUR per case)")


def test_a_category_that_is_called_like_a_missing_value_stays_one():
    X = pd.DataFrame({"a": ["cannot be had", "b"] * 4})
    content = tw.export_xlsx(tw.CostTreeClassifier().fit(X, [0, 1] * 4))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert "Write: cannot be had_<" in archive.read("xl/worksheets/sheet1.xml").decode()


def test_what_no_cell_can_hold_is_refused():
    X = pd.DataFrame({"pair": [(1, 2), (3, 4)] * 2})
    model = tw.CostTreeClassifier().fit(X, [0, 1, 0, 1])
    with pytest.raises(ValueError, match=r"'pair' has the value \(1, 2\) of type tuple"):
        tw.export_xlsx(model)


def test_long_texts_that_begin_alike_stay_apart():
    names = shown_apart(["x" * 300 + "a", "x" * 300 + "b", "_x0041_", "A"])
    assert len({shown(name) for name in names}) == 4
    sheet = Sheet("Names")
    sheet.put(1, 1, "_x0041_")
    assert "_x005F_x0041_" in sheet.xml()


def test_a_formula_that_no_program_opens_is_refused():
    with pytest.raises(ValueError, match="Learn one with fewer tests"):
        Sheet("Sum").put(1, 1, Formula("+".join(["A1"] * 4000)))


def test_cards_of_many_classes_have_short_formulas():
    X, y = np.repeat(np.arange(26.0), 8)[:, None], np.repeat(list("abcdefghijklmnopqrstuvwxyz"), 8)
    costs = tw.Costs({"x0": 1.0}, errors={}, errors_default=100.0)
    model = tw.algorithm("thrift", costs=costs, leaves="score").fit(X, y)
    with zipfile.ZipFile(io.BytesIO(tw.export_xlsx(model))) as file:
        texts = [file.read(name).decode() for name in file.namelist() if "sheets/" in name]
    assert max(len(one) for text in texts for one in re.findall("<f>(.*?)</f>", text)) < 8192


def ordered_tree(**changes):
    """A late test first, and below it one of two others; the first and the second share a blood draw."""
    rows = [[a, b, c] for a in "xy" for b in "xxxxy" for c in "xyyyy"]
    X = pd.DataFrame(rows * 5, columns=["TSH", "T3", "scan"])
    ill = np.where(X["TSH"] == "x", X["T3"] == "x", X["scan"] == "x")
    tests = {
        "TSH": tw.Test(5, needs=["blood"], delayed=True),
        "T3": tw.Test(6, needs=["blood"]),
        "scan": 7,
    }
    costs = tw.Costs(tests, {"blood": 2}, errors_default=50, currency="EUR").replace(**changes)
    return tw.algorithm("c45", costs=costs).fit(X, np.where(ill, "ill", "well"))


@needs_office
@pytest.mark.parametrize("payment", ["sequential", "upfront"])
def test_it_names_what_is_ordered_at_once_and_the_price_of_all(tmp_path, payment):
    model = ordered_tree(payment=payment)
    made, content = made_of(model.tree_), tw.export_xlsx(model)
    names = [test.name for test in made.tests]

    def told(**known):
        return filled(content, [known.get(name) for name in names])

    files = [told(), told(TSH="x"), told(TSH="x", T3="y"), told(TSH="x", T3="y", scan="x")]
    begun, first, second, done = computed(tmp_path, files)
    assert begun[3][:3] == ["Ask next", "TSH", "ordered together with T3, scan"]
    assert begun[4][1:3] == ["20", "for all of them"]
    assert begun[5][1] == "0"
    assert [first[3][1], first[4][1], first[5][1]] == ["T3", "ordered before", "20"]
    assert first[3][2] == first[4][2] == ""
    assert [second[3][1], second[4][1], second[5][1]] == ["scan", "ordered before", "20"]
    assert [done[3][1], done[5][1], done[6][1]] == ["nothing more", "20", "well"]


@needs_office
def test_a_late_test_that_cannot_be_had_orders_nothing_where_it_is_not_charged(tmp_path):
    model = ordered_tree(charge_missing=False)
    names = [test.name for test in made_of(model.tree_).tests]
    content = tw.export_xlsx(model)
    values = [NONE if name == "TSH" else None for name in names]
    (rows,) = computed(tmp_path, [filled(content, values)])
    assert [rows[3][2], rows[4][2], rows[5][1]] == ["", "", "0"]
    assert rows[4][1] in ("7", "8")


@needs_office
@pytest.mark.parametrize("payment", ["sequential", "upfront"])
def test_score_cards_name_what_is_ordered_at_once(tmp_path, payment):
    """A late test of the first stage brings those of all later ones with it; what is shared is paid once."""
    rng = np.random.default_rng(1)
    sick = rng.random(400) < 0.4
    signs = {
        name: np.round(sick * much + rng.normal(size=400), 2) for name, much in (("TSH", 1.5), ("T3", 1.5))
    }
    tests = {"TSH": tw.Test(1, needs=["blood"]), "T3": tw.Test(9, needs=["blood"])}
    costs = tw.Costs(tests, {"blood": 2}, errors={"sick": {"well": 90}, "well": {"sick": 60}})
    model = tw.ThriftClassifier(costs, leaves="score").fit(
        pd.DataFrame(signs), np.where(sick, "sick", "well")
    )
    assert [len(stage.tests) for stage in cascade_plan(model.cascade_).stages] == [1, 1]
    late = costs.replace(tests={**tests, "TSH": tw.Test(1, needs=["blood"], delayed=True)}, payment=payment)
    content = tw.export_xlsx(model.cascade_.with_costs(late))
    names = [test.name for test in cascade_plan(model.cascade_).tests]
    unsure = [0.7 if name == "TSH" else None for name in names]
    begun, after = computed(tmp_path, [filled(content, [None] * len(names)), filled(content, unsure)])
    assert [*begun[3][1:3], *begun[4][1:3]] == ["TSH", "ordered together with T3", "12", "for all of them"]
    assert [after[3][1], after[4][1], after[5][1]] == ["T3", "ordered before", "12"]


@needs_office
def test_late_tests_of_one_stage_are_ordered_together(tmp_path):
    """As a consultation says: who waited for one of them would wait again for the next."""
    cascade = golf_cascade()
    late = {"Humidity": tw.Test(1.5, needs=["station"], delayed=True), "Windy": tw.Test(0.5, delayed=True)}
    cascade = cascade.with_costs(cascade.costs.replace(tests={**cascade.costs.tests, **late}))
    names, content = [test.name for test in cascade_plan(cascade).tests], tw.export_xlsx(cascade)

    def told(**known):
        return filled(content, [known.get(name) for name in names])

    begun, after = computed(tmp_path, [told(Outlook="Rain"), told(Outlook="Rain", Humidity=78)])
    said = [*begun[3][1:3], *begun[4][1:3]]
    assert said == ["Humidity", "ordered together with Windy, Temperature", "4", "for all of them"]
    assert [after[3][1], after[4][1], after[5][1]] == ["Windy", "ordered before", "6"]
    case = cascade.consult().answer("Rain")
    assert (case.next_tests, case.ordered_with, case.price) == (("Humidity", "Windy"), ("Temperature",), 4.0)


@needs_office
def test_it_says_where_the_cheapest_answer_is_not_the_likeliest(tmp_path):
    cascade = golf_cascade()
    content, names = tw.export_xlsx(cascade), [test.name for test in cascade_plan(cascade).tests]
    known = {"Outlook": "Rain", "Humidity": 78, "Windy": "false", "Temperature": 80}
    warm, sunny = (
        filled(content, [values.get(name) for name in names]) for values in (known, {"Outlook": "Overcast"})
    )
    doubted, sure = computed(tmp_path, [warm, sunny])
    assert doubted[6][1:3] == ["No", "the cheapest by what mistakes cost, not the likeliest"]
    assert sure[6][1:3] == ["Yes", ""]
