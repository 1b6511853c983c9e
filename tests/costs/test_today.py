"""Today's practice and the words of a price list: what they accept and refuse, and that copies keep them."""

import pickle

import pytest

import thriftwood as tw
from thriftwood.costs import CostError, Costs, Today

CLINIC = Costs(
    {"TSH": 23, "T3": 12, "age": 1},
    errors_default=100,
    today=["TSH", "T3"],
    currency="EUR",
    case_name="patient",
)


def test_a_list_is_the_panel_and_a_dictionary_says_which():
    assert CLINIC.today == Today(["TSH", "T3"]) == Today(("TSH", "T3"))
    assert Costs(today={"tests": [0, 2]}).today == Today(["x0", "x2"])
    assert Costs(today={"answers": "referred", "tests": ["TSH"]}).today == Today(["TSH"], answers="referred")
    assert Costs(today={"model": "old.json"}).today == Today(model="old.json")
    assert Costs(today=[]).today == Today([]) != Costs().today
    assert Costs(today={"T3", "TSH"}).today == Today(["T3", "TSH"])


def test_it_is_said_in_words():
    assert str(Today(["TSH", "T3", "FTI"])) == "TSH, T3 and FTI for everybody"
    assert str(Today([])) == "no tests for everybody"
    assert str(Today(["TSH"], answers="said")) == "the answers in column 'said' after TSH for everybody"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"today": "TSH"}, "must be a list of the tests that everybody gets. Got 'TSH'"),
        ({"today": 3}, "must be a list of the tests"),
        ({"today": ["TSH", "TSH"]}, "names the test 'TSH' twice"),
        ({"today": [1.5]}, "A test is named by its column"),
        ({"today": {}}, "says nothing. Name one of tests, answers, model"),
        ({"today": {"test": ["TSH"]}}, "no key 'test'. Did you mean 'tests'"),
        ({"today": {"model": "m.json", "tests": []}}, "says itself what it asks"),
        ({"today": {"answers": ""}}, "must name the column"),
        ({"currency": None}, "currency must be a text"),
        ({"currency": "E\nUR"}, "in one line"),
        ({"case_name": ""}, "case_name must be a word or two"),
        ({"case_name": " patient"}, "without blanks"),
        ({"case_name": "p" * 41}, "at most 40 letters"),
    ],
)
def test_what_cannot_be_said_is_refused(parameters, message):
    with pytest.raises(CostError, match=message):
        Costs(**parameters)


def test_copies_keep_them():
    for copied in (
        CLINIC.replace(payment="upfront"),
        CLINIC.only(["TSH"]),
        pickle.loads(pickle.dumps(CLINIC)),
        Costs.from_dict(CLINIC.to_dict()),
    ):
        assert (copied.today, copied.currency, copied.case_name) == (CLINIC.today, "EUR", "patient")
    assert CLINIC.cases_name == "patients"
    assert len({CLINIC, CLINIC.replace(today=None), CLINIC.replace(currency=""), CLINIC.replace()}) == 3


def test_the_file_reads_as_documented(tmp_path):
    CLINIC.to_file(tmp_path / "costs.toml")
    assert (tmp_path / "costs.toml").read_text() == (
        'currency = "EUR"\ncase_name = "patient"\nerrors_default = 100\n\n'
        "[tests]\nTSH = 23\nT3 = 12\nage = 1\n\n"
        '[today]\ntests = ["TSH", "T3"]\n'
    )
    assert Costs.from_file(tmp_path / "costs.toml") == CLINIC


def test_a_repr_shows_them():
    shown = repr(CLINIC.replace(tests={}))
    assert shown == "Costs(today=['TSH', 'T3'], currency='EUR', case_name='patient', errors_default=100)"
    assert repr(Costs(today={"model": "m.json"})) == "Costs(today={'model': 'm.json'})"


def test_a_saved_model_keeps_them(tmp_path):
    X, y = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] * 5, ["a", "b"] * 5
    costs = Costs({0: 1}, today=[0], currency="EUR", case_name="patient", errors_default=9)
    for learner in (tw.CostTreeClassifier(costs=costs), tw.ThriftClassifier(costs=costs, leaves="class")):
        learner.fit(X, y).save(tmp_path / "model.json")
        assert tw.load(tmp_path / "model.json").costs == costs
