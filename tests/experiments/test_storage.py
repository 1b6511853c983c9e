import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thriftwood.experiments.storage import Store

SETTINGS = {"seed": 0, "gammas": (0.0, 1e-06, 0.1)}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(records=st.dictionaries(st.text(), st.dictionaries(st.text(), JSON, max_size=3), max_size=4))
def test_what_was_stored_is_read_back(tmp_path_factory, records):
    folder = tmp_path_factory.mktemp("store")
    store = Store.open(folder, "demo", SETTINGS)
    for key, record in records.items():
        store.add(key, record)
    assert Store.open(folder, "demo", SETTINGS).records == records == store.records


@given(data=st.data())
def test_a_write_cut_short_loses_only_the_last_trial(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("store")
    store = Store.open(folder, "demo", SETTINGS)
    for number in range(3):
        store.add(str(number), {"cost": number / 7})
    content = store.path.read_bytes()
    kept = data.draw(st.integers(0, len(content)))
    store.path.write_bytes(content[:kept])

    again = Store.open(folder, "demo", SETTINGS)
    whole_lines = content[:kept].count(b"\n")
    assert list(again.records) == [str(number) for number in range(max(0, whole_lines - 1))]
    again.add("new", {})
    assert Store.open(folder, "demo", SETTINGS).records == again.records


@pytest.mark.parametrize(
    ("experiment", "settings"), [("demo", {**SETTINGS, "seed": 1}), ("other", SETTINGS), ("demo", {})]
)
def test_other_settings_have_a_file_of_their_own(tmp_path, experiment, settings):
    first = Store.open(tmp_path, "demo", SETTINGS)
    first.add("a", {"cost": 1})
    other = Store.open(tmp_path, experiment, settings)
    assert other.records == {}
    assert other.path != first.path
    assert Store.open(tmp_path, "demo", SETTINGS).records == {"a": {"cost": 1}}


def test_another_version_does_not_mix(tmp_path, monkeypatch):
    Store.open(tmp_path, "demo", SETTINGS).add("a", {})
    monkeypatch.setattr("thriftwood.experiments.storage.__version__", "99.0")
    assert Store.open(tmp_path, "demo", SETTINGS).records == {}


def test_first_line_says_what_the_trials_are(tmp_path):
    path = Store.open(tmp_path, "demo", SETTINGS).path
    heading = json.loads(path.read_text().splitlines()[0])
    assert heading["experiment"] == "demo"
    assert heading["settings"] == {"seed": 0, "gammas": [0.0, 1e-06, 0.1]}


def test_settings_that_were_changed_are_named(tmp_path):
    path = Store.open(tmp_path, "demo", SETTINGS).path
    path.write_text("{}\n")
    with pytest.raises(ValueError, match=rf"{path.name}, line 1, .* Delete the file"):
        Store.open(tmp_path, "demo", SETTINGS)


@pytest.mark.parametrize(
    "line", ["nonsense", "5", '"ab"', "[1, {}]", '[["a"], {}]', '["a"]', '["a", 5]', '{"a": 1, "b": 2}']
)
def test_a_damaged_file_is_named_with_its_line(tmp_path, line):
    store = Store.open(tmp_path, "demo", SETTINGS)
    store.add("a", {"cost": 1})
    store.path.write_text(f"{store.path.read_text()}{line}\n")
    with pytest.raises(
        ValueError, match=rf"{store.path.name}, line 3, is not a finished trial.* Delete the file"
    ):
        Store.open(tmp_path, "demo", SETTINGS)
