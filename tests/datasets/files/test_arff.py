import numpy as np
import pytest
from datasets.files.complaints import complaint
from hypothesis import given
from hypothesis import strategies as st

from thriftwood.datasets.files.arff import read_arff

WEATHER = """% a comment
@RELATION 'the weather'

@attribute outlook {sunny, overcast, 'rather rainy'}
@Attribute "the temperature" REAL
@attribute windy{TRUE,FALSE}
@attribute note string
@attribute day date "yyyy-MM-dd"
@attribute play {yes, no}

@DATA
sunny, 85, FALSE, 'it\\'s warm', "2001-04-03", no
'rather rainy',?,TRUE,'?',2001-04-04,yes   % the end of a row
overcast, -1.5e1, ?, plain words, ?, yes, {5}
"""


def test_attributes_keep_their_kinds_and_the_order_of_their_categories():
    table = read_arff(WEATHER, "w.arff")
    assert table.names == ("outlook", "the temperature", "windy", "note", "day", "play")
    outlook = table["outlook"].column()
    assert outlook.categories == ("sunny", "overcast", "rather rainy")
    assert outlook.values.tolist() == [0, 2, 1]
    np.testing.assert_array_equal(table["the temperature"].column().values, [85, np.nan, -15])
    assert table["windy"].column().values.tolist() == [1, 0, -1]
    assert table["note"].texts() == ["it's warm", "?", "plain words"]
    assert table.labels("play").tolist() == ["no", "yes", "yes"]


def test_dates_are_refused_only_when_they_are_wanted():
    table = read_arff(WEATHER, "w.arff")
    assert table.features(leave_out=["day", "play"]).shape == (3, 4)
    with pytest.raises(ValueError, match="'day' is a date attribute"):
        table.features(leave_out=["play"])


def test_sparse_rows_have_zeros_and_first_categories_where_nothing_is_listed():
    text = "@relation s\n@attribute a numeric\n@attribute b {x, 'y, z'}\n@attribute c numeric\n@data\n"
    table = read_arff(text + "{}\n{0 2.5, 1 'y, z'}\n{2 ?}\n", "s.arff")
    np.testing.assert_array_equal(table["a"].column().values, [0, 2.5, 0])
    assert table["b"].texts() == ["x", "y, z", "x"]
    np.testing.assert_array_equal(table["c"].column().values, [0, 0, np.nan])


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


values = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=8)


@given(
    name=values.filter(bool),
    categories=st.lists(values, min_size=1, max_size=4, unique=True),
    picks=st.lists(st.none() | st.integers(0, 3), min_size=1, max_size=6),
)
def test_what_is_written_is_read(name, categories, picks):
    rows = [None if pick is None else categories[pick % len(categories)] for pick in picks]
    text = f"@relation r\n@attribute {quoted(name)} {{{', '.join(map(quoted, categories))}}}\n@data\n"
    text += "".join(f"{'?' if cell is None else quoted(cell)}\n" for cell in rows)
    column = read_arff(text, "r.arff")[name].column()
    assert column.categories == tuple(categories)
    assert column.texts().tolist() == rows


@given(
    st.text(max_size=100),
    st.sampled_from(["", "@relation r\n@attribute a {x, y}\n@attribute b real\n@data\n"]),
)
def test_any_text_is_a_table_or_a_clear_error(text, header):
    said = complaint(lambda: [column.column() for column in read_arff(header + text, "f.arff").columns])
    assert said is None or said.endswith(".")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no @data line"),
        ("a,b\n1,2\n", "line 1: @relation, @attribute or @data was wanted"),
        ("@relation r\n@data\n1\n", "declares no @attribute"),
        ("@attribute a complex\n@data\n1\n", "line 1: attribute 'a' has the type 'complex'"),
        ("@attribute a {x, x}\n@data\nx\n", "must be different"),
        ("@attribute a {x, y\n@data\nx\n", "in braces"),
        ("@attribute 'a real\n@data\n1\n", "not closed"),
        ("@attribute a real\n@data\n1, 2\n", "line 3: 2 values, but 1 attributes"),
        ("@attribute a real\n@data\n'1\n", "line 3: a value was wanted"),
        ("@attribute a real\n@data\n{0 1\n", "line 3: the brace"),
        ("@attribute a real\n@data\n{1 1}\n", "a column from 0 to 0"),
        ("@attribute a real\n@data\n", "no rows"),
    ],
)
def test_wrong_files_are_explained(text, said):
    with pytest.raises(ValueError, match=r"f\.arff") as caught:
        read_arff(text, "f.arff")
    assert said in str(caught.value)


def test_a_value_that_was_not_declared_is_named():
    with pytest.raises(ValueError, match="'z', which is not one of its declared values: 'x', 'y'"):
        read_arff("@attribute a {x, y}\n@data\nz\n", "f.arff")["a"].column()
