import numpy as np
import pytest
from datasets.files.complaints import complaint
from hypothesis import given
from hypothesis import strategies as st

from thriftwood.datasets.files.c45 import read_c45, read_names

NAMES = """| Quinlan's labour data, a part of it
good, bad.

duration: continuous.
wage increase first year: continuous   | without a full stop
cost of living: none, tcf,
    tc.
v1.5: a\\, b, c.
shift: discrete 3.
size: [ordered] small, medium, large.
id: ignore.
"""
DATA = """2, 5.0, tcf, a\\, b, day, small, x17, good
?,  2., ?, c,night,?,x18,bad.   | a comment

1, 3, tc, c, day, large, x19, good
"""


def test_attributes_and_rows():
    table = read_c45(NAMES, DATA, "l.names", "l.data")
    assert table.target == "class"
    assert table.names == (
        *("duration", "wage increase first year", "cost of living", "v1.5", "shift", "size"),
        "class",
    )
    np.testing.assert_array_equal(table["duration"].column().values, [2, np.nan, 1])
    np.testing.assert_array_equal(table["wage increase first year"].column().values, [5, 2, 3])
    living = table["cost of living"].column()
    assert (living.categories, living.values.tolist()) == (("none", "tcf", "tc"), [1, -1, 2])
    assert table["v1.5"].texts() == ["a, b", "c", "c"]
    assert table["shift"].column().categories == ("day", "night")
    size = table["size"].column()
    assert (size.kind, size.categories) == ("ordered", ("small", "medium", "large"))
    assert table.labels("class").tolist() == ["good", "bad", "good"]


def test_the_class_may_be_one_of_the_attributes_as_in_c50():
    table = read_c45(
        "play.\nplay: yes, no.\nwind: weak, strong.\n", "yes,weak\nno,strong\n", "g.names", "g.data"
    )
    assert (table.target, table.names) == ("play", ("play", "wind"))


words = (
    st.text("abcdefghij ,:|.\\?-0", min_size=1, max_size=6).map(lambda s: " ".join(s.split())).filter(bool)
)


def escaped(text):
    return "".join("\\" + letter if letter in ",:|.\\" else letter for letter in text)


@given(st.lists(words.filter(lambda w: w != "?"), min_size=2, max_size=5, unique=True), st.data())
def test_what_is_written_is_read(categories, data):
    rows = data.draw(st.lists(st.sampled_from([*categories, None]), min_size=1, max_size=6))
    names = f"p, q.\nx: {', '.join(map(escaped, categories))}.\n"
    cells = "".join(f"{'?' if cell is None else escaped(cell)}, p\n" for cell in rows)
    column = read_c45(names, cells, "r.names", "r.data")["x"].column()
    assert column.categories == tuple(categories)
    assert column.texts().tolist() == rows


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_text_is_a_table_or_a_clear_error(names, data):
    for described in (names, "p, q.\nx: continuous.\ny: a, b.\n"):
        said = complaint(
            lambda names=described: [c.column() for c in read_c45(names, data, "f.names", "f.data").columns]
        )
        assert said is None or said.endswith(".")


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("", "is empty"),
        ("| nothing\n", "is empty"),
        ("yes, no.\n", "declares no attributes"),
        ("yes, no.\nage continuous.\n", "line 2: an attribute with a colon"),
        ("yes, no.\nage: .\nsex: m, f.\n", "says nothing about its values"),
        ("yes, no.\nage: date.\n", "is not understood"),
        ("yes, no.\nsex: m, m.\n", "lists a value twice"),
        ("yes, no.\nclass: a, b.\n", "called 'class'"),
    ],
)
def test_wrong_names_files_are_explained(names, said):
    with pytest.raises(ValueError, match=r"f\.names") as caught:
        read_names(names, "f.names")
    assert said in str(caught.value)


def test_rows_of_another_width_are_named():
    with pytest.raises(ValueError, match=r"f.data, line 2: 3 values, but the names file declares 2"):
        read_c45("yes, no.\nage: continuous.\n", "1, yes\n1, 2, yes\n", "f.names", "f.data")
