"""The lowest bill on new cases: who competes, who is taken, and what becomes of odd tables."""

import pickle
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.utils.estimator_checks import check_estimator

import thriftwood as tw
from thriftwood.base.interrupts import ending_all
from thriftwood.learning.thrift_bills import bills_of, mean_bill
from thriftwood.learning.thrift_candidates import Candidate, Scores, few_mistakes
from thriftwood.learning.thrift_choice import chosen, duels
from thriftwood.learning.thrift_judging import Judged


def xor_table(n=400, seed=0):
    """Two columns that tell nothing alone; the third is text, and some values are missing."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 5)).round(2), columns=list("abcde"))
    X["color"] = rng.choice(["red", "green", "blue"], n)
    y = np.where((X["a"] > 0) ^ (X["d"] > 0), "sick", "well")
    X.loc[rng.random(n) < 0.05, "b"] = np.nan
    return X, y


PRICES = tw.Costs(dict.fromkeys("abcde", 1.0) | {"color": 0.5}, errors_default=30)


def test_it_finds_tests_that_tell_only_together_and_costs_less_than_greedy_trees():
    X, y = xor_table()
    new = xor_table(seed=1)
    model = tw.ThriftClassifier(PRICES).fit(X, y)
    greedy = tw.algorithm("min-total-cost", costs=PRICES).fit(X, y)
    assert {"a", "d"} <= set(model.model_.features_used)
    assert tw.bill(model, *new).mean_cost < 0.6 * tw.bill(greedy, *new).mean_cost
    assert model.tree_.note in model.tree_.text()


def test_where_no_test_pays_all_get_the_same_answer():
    X, y = xor_table()
    dear = PRICES.replace(tests=dict.fromkeys(X.columns, 1000.0))
    model = tw.ThriftClassifier(dear).fit(X, y)
    assert model.chosen_ == "constant"
    assert model.get_n_leaves() == 1
    assert model.choice_.startswith("No test clearly pays: the same answer for all costs about ")


NEARLY_ALL = 1 - 1e-9


def compared(bills, steady=(), spent=NEARLY_ALL):
    """What candidates with such bills save; this share of what their tests save is spent on them."""
    first = next(iter(bills.values())).mean()
    results = []
    for name, bill in bills.items():
        paid = max(first - bill.mean(), 0.0) * spent / (1.0 - spent)
        results.append(Judged(name, name, *mean_bill(bill, None), bill, paid))
    return duels(results, None, steady)


@pytest.mark.parametrize(("doubt", "least"), [(1.5, 1.5), (None, 0.5)])
def test_tests_must_clearly_save(doubt, least):
    bills = np.zeros((3, 100))
    bills[0] = 10.0
    asked = () if doubt is None else (doubt,)
    for saved, name in ((least - 0.1, "constant"), (least + 0.1, "much doubt")):  # a standard error is 1
        bills[1] = 10.0 - saved + 10.0 * np.tile([1, -1], 50)
        bills[2] = 20.0
        names = ("constant", "much doubt", "some doubt")
        found = compared(dict(zip(names, bills, strict=True)))
        assert names[chosen(found, 0.0, *asked)] == name


def test_one_more_case_of_the_dearest_mistake_is_held_possible():
    """Each of 100 cases saves 1: twice the standard error with a mistake of 190 is less, of 210 more."""
    found = compared({"constant": np.ones(100), "much doubt": np.zeros(100)})
    assert [chosen(found, dearest) for dearest in (190.0, 210.0)] == [1, 0]


def test_trees_with_less_doubt_must_be_clearly_cheaper_than_the_usual_one():
    """A standard error is 1: of the two that save enough the cheapest is taken."""
    swing = 10.0 * np.tile([1, -1], 50)
    for saved, place in (((1.4, 1.0), 1), ((1.6, 1.0), 2), ((1.6, 1.8), 3)):
        bills = [np.full(100, 30.0), np.full(100, 10.0), *(10.0 - one + swing for one in saved)]
        assert chosen(compared({str(i): bill for i, bill in enumerate(bills)}), 0.0) == place


@pytest.mark.parametrize(
    ("nobody", "saved", "name"),
    [(12.0, 0.4, "much doubt"), (12.0, 0.6, "scores"), (7.2, 2.1, "scores"), (7.2, 1.9, "constant")],
)
def test_scores_are_taken_where_they_cost_less_by_half_a_standard_error(nobody, saved, name):
    """The tree costs 9: clearly less than testing nobody if that costs 12. A standard error is 1."""
    swing = 10.0 * np.tile([1, -1], 50)
    tree = 9.0 + np.zeros(100)
    scores = min(tree[0], nobody) - saved + swing
    bills = {"constant": nobody + 0.0 * swing, "much doubt": tree, "scores": scores}
    assert list(bills)[chosen(compared(bills), 0.0)] == name


@pytest.mark.parametrize(
    ("spent", "least"), [(0.0, 0.0), (1 / 256, 0.5), (1 / 16, 1.0), (81 / 256, 1.5), (NEARLY_ALL, 2.0)]
)
def test_the_doubt_about_cards_counts_by_the_fourth_root_of_the_share_paid_for_tests(spent, least):
    """A standard error is 1, and two of them are doubted."""
    for saved, name in ((least + 0.05, "scores"), (least - 0.05, "constant")):
        bills = {
            "constant": np.full(100, 20.0),
            "much doubt": np.full(100, 30.0),
            "scores": 20.0 - saved + 10.0 * np.tile([1, -1], 50),
        }
        assert list(bills)[chosen(compared(bills, spent=spent), 0.0)] == name


@pytest.mark.parametrize(("saved", "name"), [(1.4, "constant"), (1.6, "much doubt")])
def test_trees_are_doubted_whatever_tests_cost(saved, name):
    bills = {
        "constant": np.full(100, 20.0),
        "much doubt": 20.0 - saved + 10.0 * np.tile([1, -1], 50),
        "scores": np.full(100, 30.0),
    }
    assert list(bills)[chosen(compared(bills, spent=0.0), 0.0)] == name


@pytest.mark.parametrize(("saved", "name"), [(0.8, "three tests"), (1.0, "scores")])
def test_scores_must_beat_nobody_too_where_a_tree_is_taken_that_may_not(saved, name):
    """The tree costs 10.4 and nobody 10, with a standard error of 1: half of it must be saved, 0.9 in all."""
    bills = {
        "constant": 10.0 + 10.0 * np.tile([1, -1], 50),
        "three tests": np.full(100, 10.4),
        "scores": np.full(100, 10.4 - saved),
    }
    assert list(bills)[chosen(compared(bills), 0.0)] == name


def test_a_tree_that_asks_nothing_is_no_test():
    """Noise, of few questions: three tests may seem a little dearer than nobody, and find nothing to ask."""
    taken = []
    for seed in range(0, 12, 2):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 2, size=(400, 3)).astype(float)
        y = (rng.random(400) < 0.35).astype(int)
        model = tw.ThriftClassifier(tw.Costs({f"x{i}": 1 for i in range(3)}, errors_default=6)).fit(X, y)
        taken.append(model.chosen_)
        assert (model.tree_.n_leaves == 1) == (model.chosen_ == "constant")
        assert model.choice_.startswith("No test") == (model.chosen_ == "constant")
        assert "three tests" in [one.name for one in model.candidates_]
    assert "constant" in taken


def little_told():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 3))
    y = (rng.random(4000) < 0.3 + 0.12 * (X[:, 0] > 0)).astype(int)
    return X, y, tw.Costs({f"x{i}": 0.05 for i in range(3)}, errors={0: {1: 1.0}, 1: {0: 1.8}})


def test_all_quarters_are_judged_where_one_leaves_open_whether_tests_pay():
    """Of 4,000 cases a feature tells a little: nobody tested costs 0.617 a case, and a tree 0.612."""
    X, y, costs = little_told()
    model = tw.ThriftClassifier(costs, leaves="class").fit(X, y)
    assert model.choice_.endswith("estimated by 4 folds, dealt 3 times.")
    assert model.chosen_ == "much doubt"
    sick = np.random.default_rng(1).random(4000) < 0.2 + 0.6 * (X[:, 0] > 0)  # clear by a quarter
    clear = tw.ThriftClassifier(costs, leaves="class").fit(X, sick.astype(int))
    assert clear.choice_.endswith("estimated on a quarter of the cases, dealt 3 times.")


@pytest.mark.parametrize(("n_sick", "counted"), [(60, 0.0), (4, 50.0)])
def test_one_more_dear_mistake_is_counted_where_there_are_few(monkeypatch, n_sick, counted):
    seen = []

    def chosen_by(compared, dearest, *others):
        seen.append(dearest)
        return 0

    monkeypatch.setattr("thriftwood.learning.thrift.chosen", chosen_by)
    y = np.where(np.arange(200) < n_sick, "sick", "well")
    errors = {"sick": {"well": 50}, "well": {"sick": 50}}
    tw.ThriftClassifier(tw.Costs({"a": 1}, errors=errors)).fit(pd.DataFrame({"a": np.arange(200)}), y)
    assert seen == [counted]


def test_scores_are_compared_with_a_tree_by_steady_bills():
    """By luck the cards missed nobody; with what they expect to miss they are as dear as the tree."""
    bills = {"constant": np.full(100, 20.0), "much doubt": np.full(100, 9.0), "scores": np.full(100, 7.0)}
    steady = [bills["constant"], bills["much doubt"], bills["much doubt"]]
    assert [chosen(compared(bills, given), 0.0) for given in ((), steady)] == [2, 1]


def test_whether_mistakes_are_few_does_not_depend_on_the_scale_of_weights_or_what_every_answer_costs():
    """Testing nobody misses 4 of 100 sick, or 60: 4 or 60 of the dearest mistakes."""
    X = pd.DataFrame({"a": np.arange(200)})
    for n_sick, few in ((4, True), (60, False)):
        y = np.where(np.arange(200) < n_sick, "sick", "well")
        for every, weight in ((0.0, 1.0), (-3.0, 1.0), (30.0, 10.0)):
            errors = {"sick": {"sick": every, "well": every + 5}, "well": {"sick": every + 5, "well": every}}
            model = tw.ThriftClassifier(tw.Costs({"a": 1}, errors=errors))
            assert few_mistakes(model.prepare(X, y, np.full(200, weight)).problem) == few


def test_a_leaf_expects_what_twelve_more_cases_like_all_others_would_cost():
    """Of 24 cases 6 are sick, all of the 12 that smoke are well: 3 of 24 are expected to be sick there."""
    X = pd.DataFrame({"smokes": ["yes"] * 12 + ["no"] * 12})
    y = np.array(["well"] * 12 + ["sick"] * 6 + ["well"] * 6)
    costs = tw.Costs({"smokes": 1}, errors={"sick": {"well": 80}, "well": {"sick": 8}})
    model = tw.OptimalTreeClassifier(costs, max_depth=1).fit(X, y)
    problem = model.prepare(X, y, None).problem
    own, steady, tests = bills_of(model.tree_, problem, None, steady=True)
    assert tests.tolist() == [1.0] * 24
    assert own[:12].tolist() == [1.0] * 12  # answered well, and right
    np.testing.assert_allclose(steady[:12], 1.0 + 0.5 * 80 * 3 / 24)
    # The others are answered sick: (6 + 9) of 24 are expected to be well.
    np.testing.assert_allclose(steady[18:], 1.0 + 0.5 * (8 + 8 * 15 / 24))
    assert bills_of(model.tree_, problem, None, steady=False).steady.tolist() == own.tolist()


@pytest.mark.parametrize(
    ("nobody", "saved", "name"),
    [
        (10.4, 2.9, "three tests"),
        (10.4, 3.1, "much doubt"),
        (9.6, 0.0, "three tests"),
        (9.4, 0.0, "constant"),
    ],
)
def test_the_tree_of_three_tests_gives_way_to_three_standard_errors_and_nobody_to_half_of_one(
    nobody, saved, name
):
    """It costs 10; a standard error of any difference is 1."""
    swing = 10.0 * np.tile([1, -1], 50)
    bills = {
        "constant": nobody + swing,
        "three tests": np.full(100, 10.0),
        "much doubt": 10.0 - saved + swing,
    }
    assert list(bills)[chosen(compared(bills), 0.0)] == name


def test_noise_is_not_learnt():
    rng = np.random.default_rng(3)
    costs = tw.Costs({f"x{i}": 1 for i in range(8)}, errors_default=10)
    taken = [
        tw.ThriftClassifier(costs).fit(rng.normal(size=(150, 8)), rng.integers(0, 2, 150)).chosen_
        for _ in range(10)
    ]
    assert taken.count("constant") >= 9


def test_trees_without_doubt_are_taken_where_cases_need_them():
    """A table of 12 answers, each told by four tests without noise, and few cases."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(100, 10)).astype(float)
    y = (X[:, :4] @ [1, 2, 4, 8]).astype(int) % 12
    costs = tw.Costs({f"x{i}": 1 for i in range(10)}, errors_default=100)
    model = tw.ThriftClassifier(costs).fit(X, y)
    assert model.chosen_ == "no doubt"
    assert tw.bill(model, X, y).mean_cost == pytest.approx(4.0, abs=0.3)


def test_less_doubt_is_not_tried_where_it_has_not_paid():
    """Noise: the second tree costs no less than the first, so there is no third; scores compete anyway."""
    rng = np.random.default_rng(3)
    costs = tw.Costs({f"x{i}": 1 for i in range(8)}, errors_default=10)
    model = tw.ThriftClassifier(costs).fit(rng.normal(size=(150, 8)), rng.integers(0, 2, 150))
    assert [one.name for one in model.candidates_] == ["constant", "much doubt", "some doubt", "scores"]
    assert model.ended_ == "done"


def test_the_same_table_gives_the_same_tree():
    X, y = xor_table(200)
    first, second = (tw.ThriftClassifier(PRICES, n_jobs=jobs).fit(X, y) for jobs in (1, 2))
    assert first.tree_.to_json() == second.tree_.to_json()
    assert [c.cost for c in first.candidates_] == [c.cost for c in second.candidates_]


def test_costs_by_row_count():
    X, y = xor_table(300)
    by_row = np.zeros((300, 2))
    by_row[np.arange(300), (y == "sick").astype(int)] = np.where(X["a"] > 1, 300.0, 1.0)
    free = PRICES.replace(errors=None, errors_default=None)
    model = tw.ThriftClassifier(free).fit(X, y, error_costs=by_row)
    dear = X["a"] > 1
    assert (model.predict(X)[dear] == y[dear]).mean() > 0.9


def test_a_large_table_is_learnt_from_a_sample_and_its_leaves_count_all_cases(monkeypatch):
    monkeypatch.setattr("thriftwood.learning.thrift_judging.MOST_CELLS", 1200)
    X, y = xor_table(1000)
    model = tw.ThriftClassifier(PRICES).fit(X, y)
    assert model.tree_.core.weight[0] == 1000
    assert model.score(X, y) > 0.8


def test_weights_count_as_cases():
    X, y = xor_table(200)
    double = tw.ThriftClassifier(PRICES).fit(X, y, sample_weight=np.full(200, 2.0))
    assert double.predict(X).tolist() == tw.ThriftClassifier(PRICES).fit(X, y).predict(X).tolist()
    assert double.tree_.core.weight[0] == 400


@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([[1.0], [2.0], [3.0]], ["a", "a", "a"]),
        ([[1.0]], ["a"]),
        ([[np.nan], [np.nan], [1.0]], ["a", "b", "a"]),
        ([["x"], ["y"]], [1, 2]),
    ],
)
def test_small_tables_get_an_answer(X, y):
    model = tw.ThriftClassifier(tw.Costs({}, default_price=1, errors_default=5)).fit(X, y)
    assert set(model.predict(X)) <= set(y)


def test_it_keeps_to_the_conventions_of_scikit_learn():
    """All but one: cases are dealt row by row, so a row of weight 2 is not two equal rows."""
    dealt = dict.fromkeys(
        [f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")], "dealt by row"
    )
    check_estimator(tw.ThriftClassifier(), expected_failed_checks=dealt, on_skip=None)


def test_what_was_chosen_is_kept_in_files_and_shown_in_the_report(tmp_path):
    X, y = xor_table(200)
    model = tw.ThriftClassifier(PRICES).fit(X, y)
    assert re.fullmatch(
        r"Chosen of [45]: .+\. It costs about [\d.]+ \(± [\d.]+\) an unseen case, testing nobody about "
        r"[\d.]+ \(± [\d.]+\), estimated by 5 folds\.",
        model.choice_,
    )
    model.save(tmp_path / "tree.json")
    loaded = tw.load(tmp_path / "tree.json")
    assert loaded.note == model.tree_.note
    said = r"Chosen of [45] by what unseen cases cost, estimated by 5 folds: [^.\d]+\."
    assert re.fullmatch(said, loaded.note)  # without figures: those of the best of several are hopeful
    assert str(loaded) == str(model.tree_)
    for shown in (tw.make_report(model, X, y), tw.make_report(loaded, X, y)):
        assert loaded.note in shown.html
    assert loaded.note in loaded._repr_html_()
    assert pickle.loads(pickle.dumps(model)).choice_ == model.choice_


def test_candidates_print_in_a_line():
    model = tw.ThriftClassifier(PRICES).fit(*xor_table(200))
    shown = repr(model.candidates_)
    assert len(shown) < 500
    assert re.match(r"\[<constant: [\d.]+ \+- [\d.]+ an unseen case>, <much doubt: ", shown)


@pytest.mark.parametrize(
    ("X", "y", "said"),
    [
        ([[1.0]], ["a"], "Nothing is tested: there are too few cases to judge tests by."),
        ([[1.0], [2.0], [3.0]], ["a", "a", "a"], "Nothing is tested: all cases are of one class."),
        ([[1.0], [2.0]], ["a", "b"], None),
        (np.arange(4000.0)[:, None], np.arange(4000) % 2, None),
    ],
)
def test_no_sentence_has_a_number_that_is_none(X, y, said):
    model = tw.ThriftClassifier(tw.Costs({}, default_price=1, errors_default=5)).fit(X, y)
    assert said is None or model.choice_ == said
    assert "nan" not in model.choice_
    assert "nan" not in repr(model.candidates_)
    if len(y) == 4000:
        assert "estimated on a quarter of the cases" in model.choice_


@pytest.mark.parametrize("learnt", [12, 17])
def test_ctrl_c_keeps_the_best_of_those_that_were_judged(monkeypatch, learnt):
    """Of 6 candidates in 5 folds: after 12 trees two were judged, after 17 three."""
    X, y = xor_table(200)
    pressed_after(monkeypatch, learnt)
    n_judged = learnt // 5
    with pytest.warns(UserWarning, match=f"kept is the best of the {n_judged} of 6 candidates") as warned:
        model = tw.ThriftClassifier(PRICES).fit(X, y)
    assert warned[0].filename == __file__
    assert len(model.candidates_) == n_judged
    assert f"Ctrl-C ended the judging after {n_judged} of 6 candidates." in model.choice_
    assert model.ended_ == "interrupt"
    assert model.chosen_ in [candidate.name for candidate in model.candidates_]
    assert len(model.predict(X)) == 200


@pytest.mark.parametrize("learnt", [13, 30, 59])
def test_ctrl_c_while_all_quarters_are_judged_keeps_what_one_said(monkeypatch, learnt):
    """Four candidates are judged by a quarter, dealt three times: twelve trees; then by four quarters."""
    X, y, costs = little_told()
    pressed_after(monkeypatch, learnt)
    with pytest.warns(UserWarning, match="candidates as a quarter of the cases judges them"):
        model = tw.ThriftClassifier(costs, leaves="class").fit(X, y)
    assert model.chosen_ == "constant"
    assert model.ended_ == "interrupt"
    said = "estimated on a quarter of the cases, dealt 3 times."
    assert model.choice_.endswith(f"{said} Ctrl-C ended the judging before all quarters of the cases.")


@pytest.mark.parametrize("learnt", [0, 7, 9])
def test_ctrl_c_before_there_is_anything_to_compare_leaves_no_trace(monkeypatch, learnt):
    X, y = xor_table(200)
    pressed_after(monkeypatch, learnt)
    model = tw.ThriftClassifier(PRICES)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert not [name for name in vars(model) if name.endswith("_")]


def test_ctrl_c_ends_a_comparison(monkeypatch):
    X, y = xor_table(100)
    pressed_after(monkeypatch, 17)
    with ending_all(), pytest.raises(KeyboardInterrupt):
        tw.ThriftClassifier(PRICES).fit(X, y)


def pressed_after(monkeypatch, learnt):
    """Press Ctrl-C once, while the tree after so many is learnt."""
    done, real = [], Candidate.learnt

    def pressed(self, problem, by_row):
        done.append(self.name)
        if len(done) == learnt + 1:
            raise KeyboardInterrupt
        return real(self, problem, by_row)

    monkeypatch.setattr(Candidate, "learnt", pressed)


def test_upfront_payment_is_refused_by_its_own_name():
    with pytest.raises(ValueError, match="ThriftClassifier has costs with payment='upfront'"):
        tw.ThriftClassifier(PRICES.replace(payment="upfront")).fit(*xor_table(50))


@pytest.mark.parametrize("name", ["thrift", "optimal"])
def test_a_budget_without_prices_is_refused(name):
    with pytest.raises(ValueError, match="has a budget, the most that a case may pay for tests, but"):
        tw.algorithm(name, budget=10).fit(*xor_table(50))


def test_progress_tells_of_every_tree():
    calls = []
    tw.ThriftClassifier(PRICES, progress=lambda done, total: calls.append((done, total))).fit(*xor_table(80))
    assert [done for done, _ in calls] == list(range(1, len(calls) + 1))


@pytest.mark.parametrize("leaves", ["class", "auto"])
def test_progress_goes_on_where_all_quarters_are_judged(leaves):
    """Score cards are learnt for one of three deals."""
    X, y, costs = little_told()
    calls = []
    tw.ThriftClassifier(costs, leaves=leaves, progress=lambda *told: calls.append(told)).fit(X, y)
    assert len(calls) > 40
    assert [done for done, _ in calls] == list(range(1, len(calls) + 1))
    totals = [total for _, total in calls]
    assert totals == sorted(totals)
    assert calls[-1][0] < calls[-1][1]  # the end is told by the last tree, of all cases


def test_a_loss_by_row_of_a_case_that_does_not_count_decides_nothing():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(401, 3))
    y = (X[:, 0] + rng.normal(size=401) > 0.8).astype(int)
    losses = np.zeros((401, 2))
    losses[np.arange(401), 1 - y] = rng.random(401) * 5 + 1
    weights = np.ones(401)
    weights[400] = 0.0
    costs = tw.Costs(dict.fromkeys(range(3), 0.3))
    chosen_by = []
    for loss in (1.0, 1e6):
        losses[400, 1 - y[400]] = loss
        model = tw.ThriftClassifier(costs, leaves="class").fit(X, y, weights, error_costs=losses)
        chosen_by.append(model.chosen_)
    assert chosen_by == ["much doubt", "much doubt"]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(4, 60), classes=st.integers(1, 4))
def test_it_is_never_dearer_in_training_than_the_worst_answer(seed, n, classes):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, size=(n, 4)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.integers(0, classes, n)
    grouped = {"x1": tw.Test(2, group="g", after=1), "x2": tw.Test(2, group="g", after=0)}
    costs = tw.Costs(grouped, default_price=1, errors_default=9)
    model = tw.ThriftClassifier(costs).fit(X, y)
    assert tw.bill(model, X, y).mean_cost <= 9.0 + 1e-9
    assert len(model.candidates_) in ((1,) if len(set(y)) == 1 else (4, 5, 6, 7))


def table_of_a_readable_tree():
    """Score cards cost a little less than the tree."""
    rng = np.random.default_rng(7)
    X = pd.DataFrame({name: rng.normal(size=300) for name in "abc"})
    steep = X["a"] + 0.3 * X["b"] * (X["a"] > 0) + 0.5 * rng.normal(size=300)
    y = np.where(steep > 0.5, "sick", "well")
    return X, y, tw.Costs({"a": 2, "b": 1, "c": 1}, errors={"sick": {"well": 30}, "well": {"sick": 20}})


def test_a_tree_too_large_to_read_gives_way_to_cards_that_cost_a_little_less(monkeypatch):
    X, y, costs = table_of_a_readable_tree()
    readable = tw.ThriftClassifier(costs).fit(X, y)
    _, tree, *_, cards = readable.candidates_
    assert readable.chosen_ == tree.name
    assert cards.cost < tree.cost
    monkeypatch.setattr("thriftwood.learning.thrift.READABLE", readable.tree_.n_leaves - 1)
    assert tw.ThriftClassifier(costs).fit(X, y).chosen_ == cards.name


@pytest.fixture
def cards_idle_at_last(monkeypatch):
    """Cards that seem cheaper in folds, and find nothing to buy when they learn from all cases."""
    real = Scores.model

    def idle_at_last(self, problem, by_row, seed):
        if problem.weights is None:  # all cases
            problem = replace(problem, costs=problem.costs.replace(tests=dict.fromkeys("abc", 1e6)))
        return real(self, problem, by_row, seed)

    monkeypatch.setattr(Scores, "model", idle_at_last)


def test_where_cards_ask_nothing_at_last_the_tree_answers_that_is_best_without_them(request):
    X, _, costs = table_of_a_readable_tree()
    y = np.where(X.sum(axis=1) > 0.5, "sick", "well")
    tree = tw.ThriftClassifier(costs, leaves="class").fit(X, y)
    assert tree.chosen_ != "constant"
    assert tw.ThriftClassifier(costs).fit(X, y).chosen_ == "scores"
    request.getfixturevalue("cards_idle_at_last")
    model = tw.ThriftClassifier(costs).fit(X, y)
    assert (model.chosen_, model.tree_) == (tree.chosen_, tree.tree_)


@pytest.mark.usefixtures("cards_idle_at_last")
def test_a_tree_too_large_to_read_does_not_give_way_to_cards_that_ask_nothing(monkeypatch):
    X, y, costs = table_of_a_readable_tree()
    tree = tw.ThriftClassifier(costs).fit(X, y).tree_
    monkeypatch.setattr("thriftwood.learning.thrift.READABLE", tree.n_leaves - 1)
    model = tw.ThriftClassifier(costs).fit(X, y)
    assert model.model_ == tree
    assert model.chosen_ != "constant"
