import pytest
from cli.commands import thriftwood

import thriftwood as tw


def test_consultation_asks_prices_and_answers(golf_tree):
    run = thriftwood("consult", golf_tree, typed="Rain\nWeak\n")
    assert (run.code, run.err) == (0, "")
    assert "Outlook (Sunny, Overcast, Rain) for 4: " in run.out
    assert "for 0.5: " in run.out
    assert "Answer: Yes (confidence 85.7% by 3 cases), bill 4.5" in run.out


def test_what_is_known_is_not_asked_and_is_free(golf_tree):
    run = thriftwood("consult", golf_tree, "--known", "Outlook=Rain", typed="Weak\n")
    assert run.code == 0
    assert "Outlook (" not in run.out
    assert "bill 0.5" in run.out


def test_a_test_that_cannot_be_had(golf_tree):
    run = thriftwood("consult", golf_tree, typed="Rain\n?\n")
    assert "Answer: Yes (confidence 64.3% by 5 cases), bill 4.5" in run.out


def test_a_test_said_to_be_unavailable_is_not_asked(golf_tree):
    run = thriftwood("consult", golf_tree, "--known", "Wind=?", typed="Rain\n")
    assert "Wind (" not in run.out
    assert "Answer: Yes (confidence 64.3% by 5 cases), bill 4\n" in run.out


def test_tests_ordered_together_are_named(tmp_path):
    costs = tw.Costs({"x0": tw.Test(3, delayed=True), "x1": 2})
    model = tw.CostTreeClassifier(costs=costs).fit([[0, 0], [1, 0], [1, 1]], ["a", "b", "c"])
    model.tree_.save(tmp_path / "tree.json")
    run = thriftwood("consult", tmp_path / "tree.json", typed="1\n0\n")
    assert "x0, ordered with x1, for 5: " in run.out
    assert "x1 for 0: " in run.out


def test_undo_takes_the_last_answer_back(golf_tree):
    run = thriftwood("consult", golf_tree, typed="Sunny\nundo\nOvercast\n")
    assert "Answer: Yes (confidence 88.1% by 4 cases), bill 4\n" in run.out


@pytest.mark.parametrize(
    ("slip", "said"),
    [
        ("Rainy", "'Rain'? Type ?"),
        ("Snow", "Type ? if there is none"),
        ("", "Type a value"),
        ("undo", "no answer"),
    ],
)
def test_a_slip_is_explained_and_asked_again(golf_tree, slip, said):
    run = thriftwood("consult", golf_tree, typed=f"{slip}\nOvercast\n")
    assert run.code == 0
    assert said in run.out
    assert "bill 4\n" in run.out


def test_numbers_without_prices(number_tree):
    run = thriftwood("consult", number_tree, typed="abc\ninf\n3.5\n")
    assert run.code == 0
    assert "'abc' is not a number" in run.out
    assert "'inf' is not a number. Type a number, or ? if there is none." in run.out
    assert run.out.endswith("Answer: 20\n")


def test_end_of_input_is_an_error_with_the_bill(golf_tree):
    run = thriftwood("consult", golf_tree, typed="Rain\n")
    assert run.code == 1
    assert run.err == "Error: The consultation stopped at 'Wind'; its bill is 4.\n"


@pytest.mark.parametrize(
    ("known", "code", "said"),
    [
        ("Outlook", 2, "TEST=VALUE"),
        ("Outlok=Rain", 2, "Did you mean 'Outlook'?"),
        ("Outlook=Snow", 2, "has no category 'Snow'"),
    ],
)
def test_wrong_known_values(golf_tree, known, code, said):
    run = thriftwood("consult", golf_tree, "--known", known, typed="Rain\nWeak\n")
    assert run.code == code
    assert said in run.err


def test_a_batch_is_asked_for_in_one_go(tmp_path):
    golf = tw.load_dataset("golf-nominal")
    path = tmp_path / "tree.json"
    tw.algorithm("c45", costs=golf.costs.replace(errors_default=100)).fit(golf.X, golf.y).tree_.save(path)
    run = thriftwood("consult", path, "--strategy", "single_batch", typed="Rain\nundo\nRain\nWeak\nHigh\n")
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("Run together for 6.5: Outlook, Wind, Humidity\n  Outlook (Sunny,")
    assert (run.out.count("Run together"), run.out.count("  Outlook (Sunny,")) == (1, 2)
    assert "  Wind (Weak, Strong): " in run.out
    assert "Answer: Yes (confidence 85.7% by 3 cases), bill 6.5" in run.out
    stopped = thriftwood("consult", path, "--strategy", "multiple_batch", "--budget", "4", typed="Sunny\n")
    assert "Outlook (Sunny, Overcast, Rain) for 4: " in stopped.out
    assert "Humidity exceeds the budget, so No" in stopped.out


def test_a_budget_ends_the_consultation(golf_tree):
    run = thriftwood("consult", golf_tree, "--budget", "4", typed="Rain\n")
    assert "Outlook = Rain: Wind exceeds the budget, so Yes" in run.out
    assert "Answer: Yes (confidence 61.2% by 5 cases), bill 4\n" in run.out


def test_wrong_strategies_and_budgets(golf_tree):
    run = thriftwood("consult", golf_tree, "--strategy", "single")
    assert (run.code, "must be one of 'sequential', 'single_batch'" in run.err) == (2, True)
    run = thriftwood("consult", golf_tree, "--budget", "-3")
    assert (run.code, "a number in the range [0, inf) or None" in run.err) == (2, True)


def test_amounts_have_the_unit_of_the_price_list(tmp_path):
    golf = tw.load_dataset("golf-nominal")
    costs = golf.costs.replace(currency="EUR")
    tw.algorithm("c45", costs=costs).fit(golf.X, golf.y).tree_.save(tmp_path / "tree.json")
    run = thriftwood("consult", tmp_path / "tree.json", typed="Overcast\n")
    assert "for 4 EUR: " in run.out
    assert run.out.rstrip().endswith("bill 4 EUR")
