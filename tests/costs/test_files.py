"""Cost files: a readable layout, exact round trips, clear errors."""

import json
import tempfile
import tomllib
from pathlib import Path

import pytest
from costs.strategies import cost_objects
from hypothesis import example, given
from hypothesis import strategies as st

from thriftwood.costs import CostError, Costs, Test, toml

CLINIC = Costs(
    tests={
        "age": 1,
        "chol": Test(5.17, needs=["blood draw"], delayed=True),
        "thal": Test(102.9, group="scan", after=1),
        "rest.ecg": 15.5,
    },
    shared={"blood draw": 2.1},
    errors={"sick": {"healthy": 50}, "healthy": {"sick": 10}},
    payment="upfront",
    errors_default=1,
)

CLINIC_TOML = """\
payment = "upfront"
errors_default = 1

[tests]
age = 1
chol = {price = 5.17, needs = ["blood draw"], delayed = true}
thal = {price = 102.9, group = "scan", after = 1}
"rest.ecg" = 15.5

[shared]
"blood draw" = 2.1

[errors.sick]
healthy = 50

[errors.healthy]
sick = 10
"""


def written(tmp_path, text, name="costs.toml"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_toml_file_reads_as_documented(tmp_path):
    CLINIC.to_file(tmp_path / "costs.toml")
    assert (tmp_path / "costs.toml").read_text() == CLINIC_TOML
    assert Costs.from_file(str(tmp_path / "costs.toml")) == CLINIC


def test_json_holds_the_same_content(tmp_path):
    CLINIC.to_file(tmp_path / "costs.json")
    assert json.loads((tmp_path / "costs.json").read_text()) == tomllib.loads(CLINIC_TOML)
    assert Costs.from_file(tmp_path / "costs.json") == CLINIC


def test_hand_written_forms_are_the_same_file(tmp_path):
    text = """\ufeff
        errors = [[0, 50], [10, 0]]  # [actual, predicted]
        tests.age = 1
        [tests.chol]
        price = 5.17
        delayed = true
    """
    expected = Costs({"age": 1, "chol": Test(5.17, delayed=True)}, errors=[[0, 50], [10, 0]])
    assert Costs.from_file(written(tmp_path, text)) == expected
    assert Costs.from_file(written(tmp_path, "")) == Costs()


@pytest.mark.parametrize("ending", [".toml", ".json"])
@given(costs=cost_objects())
def test_what_is_written_is_read_back_exactly(ending, costs):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"costs{ending}"
        costs.to_file(path)
        again = Costs.from_file(path)
    assert again == costs
    assert list(again.tests) == list(costs.tests)


@given(costs=cost_objects())
def test_plain_data_describes_everything(costs):
    assert Costs.from_dict(costs.to_dict()) == costs


@given(st.text())
@example('\x00\x1f\x7f\x85\u2028"\\\b\t\n\f\r')
@example("")
def test_any_text_is_a_toml_key_and_a_toml_string(text):
    for data in ({text: text}, {"table": {text: {text: [text, text]}}}):
        assert tomllib.loads(toml.dumps(data)) == data


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("payments = 'upfront'", "no key 'payments'. Did you mean 'payment'"),
        (
            "[tests]\nage = {prize = 1}",
            r"tests.age has no key 'prize'. Did you mean 'price'\? Choices: 'price', 'needs'",
        ),
        ("[tests]\nrest.ecg = 1", r'a column name with a dot must be quoted: "rest.ecg"'),
        ("[tests]\nage = {delayed = true}", "tests.age has no price"),
        (
            "[tests]\nage = {price = -1}",
            "tests.age: The price of a test must be a finite number, 0 or more. Got -1",
        ),
        ("[tests]\nage = nan", "price of test 'age' .* Got nan"),
        ("[tests]\nage = 'one'", "price of test 'age' .* Got 'one'"),
        ("[tests]\nage = {price = 1, needs = ['x']}", "needs 'x', which has no price in shared"),
        ("tests = 3", "tests must be a dictionary"),
        ("[errors]\nsick = 3", r"errors\['sick'\] must be a dictionary"),
        ("[tests]\nage = 1\nage = 2", "not readable as TOML"),
        ("payment = ", "not readable as TOML"),
        ("errors = " + "[" * 100_000, "nested too deeply|not readable"),
    ],
)
def test_a_toml_file_with_a_mistake_names_the_file_and_the_entry(tmp_path, text, message):
    with pytest.raises(CostError, match=message) as caught:
        Costs.from_file(written(tmp_path, text))
    assert "costs.toml" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"tests": {"age": 1, "age": 2}}', "'age' occurs twice"),
        ('{"tests": {"age": NaN}}', "'age' .* Got nan"),
        ('{"tests": {"age": 1e999}}', "'age' .* Got inf"),
        ('{"tests": {"age": 1' + "0" * 5000 + "}}", "not readable as JSON"),
        ("[1]", r"A cost file holds a table with the keys .* Got \[1\]"),
        ("[" * 100_000, "nested too deeply"),
        ("{", "not readable as JSON"),
    ],
)
def test_a_json_file_with_a_mistake_names_the_file_and_the_entry(tmp_path, text, message):
    with pytest.raises(CostError, match=message) as caught:
        Costs.from_file(written(tmp_path, text, "costs.json"))
    assert "costs.json" in str(caught.value)


def test_other_endings_other_encodings_and_missing_files_are_refused(tmp_path):
    with pytest.raises(CostError, match=r"something.toml or something.json. Got 'costs.yaml'"):
        Costs.from_file(tmp_path / "costs.yaml")
    with pytest.raises(CostError, match=r"Got 'costs'"):
        Costs().to_file(tmp_path / "costs")
    (tmp_path / "latin.toml").write_bytes('[tests]\n"Größe" = 1'.encode("latin-1"))
    with pytest.raises(CostError, match="not readable as TOML"):
        Costs.from_file(tmp_path / "latin.toml")
    with pytest.raises(FileNotFoundError):
        Costs.from_file(tmp_path / "none.toml")


def test_a_name_that_no_file_can_hold_leaves_no_file(tmp_path):
    with pytest.raises(CostError, match="Rename it"):
        Costs({"\ud800": 1}).to_file(tmp_path / "costs.toml")
    assert not (tmp_path / "costs.toml").exists()


@given(st.binary(max_size=200), st.sampled_from([".toml", ".json"]))
def test_any_bytes_are_costs_or_a_clear_error(content, ending):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"costs{ending}"
        path.write_bytes(content)
        try:
            costs = Costs.from_file(path)
        except CostError:
            return
        costs.to_file(path)
        assert Costs.from_file(path) == costs


values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["price", "needs", "group", "after", "a"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    st.dictionaries(st.sampled_from(["tests", "shared", "errors", "payment", "errors_default", "x"]), values)
)
def test_any_plain_data_are_costs_or_a_clear_error(data):
    try:
        costs = Costs.from_dict(data)
    except CostError:
        return
    assert Costs.from_dict(costs.to_dict()) == costs


@pytest.mark.parametrize(
    ("name", "text"),
    [("c.toml", "[tests]\nFTI = 22,78 # euro\n"), ("c.json", '{"tests":\n{"FTI": 22,78}}')],
)
def test_a_decimal_comma_is_pointed_out(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(CostError, match=r"numbers have a decimal point, 22\.78"):
        Costs.from_file(path)
