"""ECCO: whole trees evolve, and cost what their bill says."""

import numpy as np
import pandas as pd
import pytest
from evolution.evolved_tables import price_lists, tables
from hypothesis import given, settings
from hypothesis import strategies as st

import thriftwood as tw
from thriftwood import _core


def genome(model, X, y, weights=None):
    prepared = model.prepare(X, y, weights)
    return model.make_genome(prepared.problem, _core.Stop()), prepared


def tree_of(model, string, pruned):
    made, prepared = model
    return tw.Tree(made.tree(string, pruned), prepared.encoder, prepared.classes, prepared.problem.costs)


@settings(deadline=None, max_examples=60)
@given(tables(), price_lists(), st.data())
def test_the_cost_of_any_string_is_the_bill_of_its_tree(table, costs, data):
    X, y = table
    places = np.arange(len(X))
    huge = 1e20 ** (places % 2)  # no sum has room for 1 beside them
    weights = data.draw(st.sampled_from([None, places % 2 + 0.0, places / 2 + 0.5, huge]))
    if weights is not None and not weights.any():
        weights = None
    model = tw.EccoClassifier(
        costs, depth=4, cuts_per_feature=3, nominal=data.draw(st.sampled_from(["multiway", "value"]))
    )
    made = genome(model, X, y, weights)
    numbers = st.integers(0, len(made[0].questions))
    n_nodes = (made[0].branches ** made[0].depth - 1) // (made[0].branches - 1)
    string = made[0].encode(data.draw(st.lists(numbers, min_size=n_nodes, max_size=n_nodes)))
    whole, pruned = (tree_of(made, string, cut) for cut in (False, True))
    bill = tw.bill(whole, X, y, costs, sample_weight=weights)
    assert made[0].cost(string) == pytest.approx(bill.mean_cost, rel=1e-9, abs=1e-9)
    assert tw.bill(pruned, X, y, costs, sample_weight=weights).mean_cost <= bill.mean_cost + 1e-9
    assert made[0].encode(made[0].decode(string).tolist()) == string


@settings(deadline=None, max_examples=15)
@given(tables(), price_lists())
def test_the_best_cost_is_the_bill_on_the_training_cases(table, costs):
    X, y = table
    short = tw.Evolution(population=10, trials=50)
    for prune in (False, "always"):
        model = tw.EccoClassifier(costs, evolution=short, depth=3, prune=prune, random_state=0).fit(X, y)
        assert tw.bill(model, X, y).mean_cost == pytest.approx(model.best_cost_, abs=1e-9)
        assert model.history_["best_so_far"].iloc[-1] == model.best_cost_


def test_the_worked_example(days):
    # Questions about single categories; of Humidity and Wind, with two each, about the first alone.
    X = pd.DataFrame({"Humidity": days.X["Humidity"], "Wind": days.X["Wind"], "Outlook": days.X["Outlook"]})
    X = X.astype({"Wind": pd.CategoricalDtype(["Strong", "Weak"])})
    costs = tw.Costs(
        {"Humidity": 2, "Wind": 0.5, "Outlook": 4}, errors={"No": {"Yes": 20}, "Yes": {"No": 10}}
    )
    made = genome(tw.EccoClassifier(costs, depth=2, nominal="value"), X, days.y)
    string = made[0].encode([1, 2, 0])
    assert made[0].cost(string) == pytest.approx(5.821429, abs=1e-6)
    assert tree_of(made, string, True).n_nodes == 3
    bill = tw.bill(tree_of(made, string, True), X, days.y, costs)
    assert bill.mean_cost == pytest.approx(5.571429, abs=1e-6)
    assert made[0].cost(made[0].encode([0, 0, 0])) == pytest.approx(6.428571, abs=1e-6)


def test_depth_goes_by_the_bits(days):
    model = tw.EccoClassifier(random_state=0).fit(days.X, days.y)
    assert (model.depth_, model.n_questions_) == (9, 4)  # 9,841 nodes of 3 bits; a tenth level is too much
    assert tw.EccoClassifier(max_bits=29_523, random_state=0).fit(days.X, days.y).depth_ == 8
    assert tw.EccoClassifier(nominal="value", random_state=0).fit(days.X, days.y).depth_ == 11


def test_too_many_categories_are_refused_in_words():
    words = [f"w{i}" for i in range(40)]
    X, y = pd.DataFrame({"word": words * 2}), ["a", "b"] * 40
    with pytest.raises(ValueError, match=r"depth 5 takes \d+ bits with 1 questions of up to 40 outcomes"):
        tw.EccoClassifier().fit(X, y)
    with pytest.raises(ValueError, match=r"depth 3 takes .* max_bits=100 asks for fewer"):
        tw.EccoClassifier(depth=3, max_bits=100).fit(X, y)
    assert tw.EccoClassifier(nominal="value", random_state=0).fit(X, y).depth_ == 11


def refusal(X, y, **settings):
    with pytest.raises(ValueError, match="asks for fewer") as refused:
        tw.EccoClassifier(random_state=0, **settings).fit(X, y)
    return str(refused.value)


@pytest.mark.filterwarnings("ignore:.* as names of cases have")
def test_a_refusal_gives_advice_that_helps():
    X, y = pd.DataFrame({"age": range(80), "id": [f"i{i}" for i in range(80)]}), ["a", "b"] * 40
    said = refusal(X, y)
    assert "of up to 80 outcomes ('id')" in said
    assert "Leave out 'id', which nearly names the cases" in said
    assert tw.EccoClassifier(random_state=0).fit(X[["age"]], y).depth_ == 11
    assert "(nominal='value')" in said
    assert tw.EccoClassifier(nominal="value", random_state=0).fit(X, y).depth_ >= 5
    assert "(depth=3)" in said
    assert tw.EccoClassifier(depth=3, random_state=0).fit(X, y).depth_ == 3
    assert "max_bits=" not in said.partition("asks for fewer")[2]  # 80 to the fourth, and more
    assert "cuts_per_feature" not in said

    deep = refusal(X, y, depth=30)
    assert "Leave out" not in deep
    assert "nominal" not in deep
    numbers = refusal(X[["age"]], y, max_bits=40)
    assert numbers.endswith(
        "Ask fewer questions about numbers (cuts_per_feature=1); give a smaller depth (depth=3); "
        "or allow more bits (max_bits=125)."
    )
    settings = ({"cuts_per_feature": 1, "max_bits": 40}, {"depth": 3, "max_bits": 40}, {"max_bits": 125})
    for own in settings:
        tw.EccoClassifier(random_state=0, **own).fit(X[["age"]], y)
    with pytest.raises(ValueError, match="from 1 to 10000000"):
        tw.EccoClassifier(max_bits=10**9).fit(X, y)
    assert "column 1" in refusal([[i, f"i{i}"] for i in range(80)], y)


@pytest.mark.filterwarnings("ignore:.* as names of cases have")
def test_time_runs_while_the_table_is_prepared():
    ids = pd.DataFrame({"id": [f"i{i}" for i in range(5_000)]})
    model = tw.EccoClassifier(
        evolution=tw.Evolution(trials=10**9, time_budget=1e-4), nominal="value", random_state=0
    )
    model.fit(ids, ["a", "b"] * 2_500)
    assert (model.ended_, model.n_trials_, model.n_questions_) == ("time", 1, 5_000)


def test_long_strings_are_made_within_the_time():
    X = pd.DataFrame({"word": [f"w{i % 25}" for i in range(100)]})
    model = tw.algorithm("ecco", max_bits=10**7, depth=5, time_budget=0.02, random_state=0, prune=False)
    model.fit(X, ["a", "b"] * 50)
    assert model.ended_ == "time"
    assert len(model.string_) == 406_901  # (25^5 - 1) / 24 nodes of a bit


@pytest.mark.parametrize("missing", [False, True])
def test_questions_about_one_category_divide_as_they_say(missing):
    rng = np.random.default_rng(0)
    words = np.array([f"w{i}" for i in rng.integers(0, 6, 120)], dtype=object)
    if missing:
        words[rng.random(120) < 0.2] = None
    X, y = pd.DataFrame({"word": words}), rng.integers(0, 2, 120)
    made, prepared = genome(tw.EccoClassifier(depth=1, nominal="value"), X, y)
    for number in range(1, 7):
        tree = tree_of((made, prepared), made.encode([number]), False)
        own = words == f"w{number - 1}"
        others = np.array([word is not None for word in words]) & ~own
        spread = (~own & ~others).sum()
        for branch, rows in enumerate((own, others)):
            expected = rows.sum() + spread * rows.sum() / (own.sum() + others.sum())
            assert tree.core.weight[1 + branch] == pytest.approx(expected)


@pytest.mark.parametrize("prune", [True, "always"])
def test_where_no_test_is_affordable_nothing_is_asked(days, prune):
    costs = tw.Costs(default_price=1000, errors_default=1)
    model = tw.EccoClassifier(costs, depth=3, prune=prune, random_state=0).fit(days.X, days.y)
    assert model.tree_.n_nodes == 1
    assert set(model.predict(days.X)) == {"Yes"}


def test_one_class_and_one_value_make_a_leaf():
    model = tw.EccoClassifier(random_state=0).fit([[1.0], [2.0]], ["a", "a"])
    assert (model.tree_.n_nodes, model.n_questions_, model.string_) == (1, 0, "")
    for depth in (None, 64):
        nothing = tw.EccoClassifier(depth=depth, random_state=0).fit([[1.0], [1.0]], ["a", "b"])
        assert (nothing.tree_.n_nodes, nothing.best_cost_) == (1, 0.5)


def test_more_trees_find_cheaper_ones():
    data = tw.load_dataset("wisconsin-diagnostic")
    few, many = (
        tw.algorithm("ecco", costs=data.costs, depth=5, trials=trials, random_state=0).fit(data.X, data.y)
        for trials in (500, 50_000)
    )
    assert many.best_cost_ < few.best_cost_
    assert many.n_trials_ == 50_000
    classes, labels = np.unique(data.y, return_inverse=True)
    untested = (np.bincount(labels) @ data.costs.error_matrix(classes)).min() / len(labels)
    assert tw.bill(many, data.X, data.y).mean_cost <= many.best_cost_ < 0.9 * untested


def test_the_best_stays_if_elitist_and_few_are_replaced_if_the_gap_is_small(days):
    costs = days.costs.replace(errors_default=20)

    def history(**how):
        return tw.algorithm("ecco", costs=costs, depth=4, random_state=0, **how).fit(days.X, days.y).history_

    assert (np.diff(history(mutation=1.0)["best_cost"]) <= 0).all()
    assert (np.diff(history(mutation=1.0, elitist=False)["best_cost"]) > 0).any()
    usual, slow = (history(generation_gap=gap)["mean_cost"] for gap in (1.0, 0.02))
    assert slow[0] == usual[0]
    assert slow.iloc[-1] > usual.iloc[-1]


def test_any_number_of_threads_gives_the_same():
    data = tw.load_dataset("wisconsin-diagnostic")
    one, many = (
        tw.EccoClassifier(data.costs, depth=6, random_state=1, n_jobs=jobs).fit(data.X, data.y)
        for jobs in (1, 3)
    )
    assert one.string_ == many.string_
    assert one.tree_.core == many.tree_.core
    assert one.history_.equals(many.history_)


def test_the_tree_can_do_what_trees_do(days):
    model = tw.EccoClassifier(days.costs.replace(errors_default=20), depth=3, random_state=0)
    model.fit(days.X, days.y)
    assert model.consult(days.X.iloc[0].to_dict()).result == model.predict(days.X[:1])[0]
    assert "Return" in tw.export_python(model.tree_) or "return" in tw.export_python(model.tree_)
    assert tw.make_report(model, days.X, days.y)
    assert model.feature_importances_.sum() in (pytest.approx(0), pytest.approx(1))
    with pytest.raises(ValueError, match="does not grow one tree"):
        model.cost_complexity_pruning_path(days.X, days.y)


def test_strings_of_another_length_are_refused(days):
    made = genome(tw.EccoClassifier(depth=2, nominal="value"), days.X, days.y)[0]
    for call in (made.cost, made.decode, lambda string: made.tree(string, True)):
        with pytest.raises(ValueError, match="bits"):
            call("01")
    with pytest.raises(ValueError, match="0 and 1"):
        made.cost("2" * made.bits)
    with pytest.raises(ValueError, match="There is no question 99"):
        made.encode([99, 0, 0])
    with pytest.raises(ValueError, match="'multiway' or 'value'"):
        _core.Ecco(*ecco_arguments(days, nominal="binary"))


def ecco_arguments(days, nominal):
    problem = tw.EccoClassifier().prepare(days.X, days.y, None).problem
    return (
        *(problem.table, problem.labels, 2, None, None, None),
        *(5, 50_000, 8, nominal, 0.02, 0.2, False, None, _core.Stop()),
    )
