import math
from statistics import fmean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import thriftwood as tw
from thriftwood.evaluation.folds import folds_of, held_out
from thriftwood.evaluation.intervals import fold_interval


@pytest.fixture(scope="module")
def cancer():
    return tw.load_dataset("wisconsin-diagnostic")


@pytest.fixture(scope="module")
def ranking(cancer):
    return tw.compare(["c45", "eg2", "idx"], cancer.X, cancer.y, cancer.costs, cv=3)


def test_costs_are_those_of_bills_of_folds(cancer, ranking):
    _, labels = np.unique(cancer.y, return_inverse=True)
    fold = folds_of(labels.astype(np.int32), 3, 0)
    for contender in ranking:
        total = 0.0
        for number in range(3):
            held = fold == number
            model = tw.algorithm(contender.name, costs=cancer.costs).fit(cancer.X[~held], cancer.y[~held])
            bill = tw.bill(model, cancer.X[held], cancer.y[held])
            total += bill.total_cost
            assert math.isclose(contender.cost[held].sum(), bill.total_cost, rel_tol=1e-9)
        assert math.isclose(contender.mean_cost, total / len(cancer.y), rel_tol=1e-9)


def test_the_cheapest_is_first(ranking):
    costs = [contender.mean_cost for contender in ranking]
    assert costs == sorted(costs)
    assert ranking[0].dearer_than(ranking[0]) == (0.0, 0.0)
    assert list(ranking.table["name"]) == [contender.name for contender in ranking.rows]
    assert set(ranking.rows) == {*ranking, ranking.nobody}
    assert "above the first" in str(ranking)
    assert repr(ranking).startswith(f"<Ranking: 3 learners, {ranking[0].name} first")


def test_threads_change_nothing(cancer, ranking):
    again = tw.compare(["c45", "eg2", "idx"], cancer.X, cancer.y, cancer.costs, cv=3, n_jobs=2)
    for one, other in zip(ranking, again, strict=True):
        np.testing.assert_array_equal(one.cost, other.cost)


def test_chance_is_the_comparison_s(cancer):
    once, again = (tw.compare(["cart", "lsid3"], cancer.X, cancer.y, cancer.costs, cv=2) for _ in range(2))
    for one, other in zip(once, again, strict=True):
        assert (one.name, one.mean_cost, one.n_leaves) == (other.name, other.mean_cost, other.n_leaves)


def test_models_with_settings_and_their_own_costs(cancer):
    models = {
        "deep": tw.algorithm("c45"),
        "stump": tw.algorithm("c45", max_depth=1),
        "own": tw.algorithm("eg2", costs=tw.Costs(default_price=1)),
    }
    calls = []
    ranking = tw.compare(
        models, cancer.X, cancer.y, cancer.costs, cv=2, progress=lambda *done: calls.append(done)
    )
    assert {contender.name for contender in ranking} == set(models)
    assert models["deep"].costs is None  # not changed
    stump = next(contender for contender in ranking if contender.name == "stump")
    assert stump.n_leaves == 2
    assert calls == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_without_costs_a_mistake_costs_one(cancer):
    (only,) = tw.compare(["c45"], cancer.X, cancer.y, cv=2)
    assert math.isclose(only.mean_cost, 1 - only.accuracy)


def test_without_costs_the_models_own_are_charged(cancer, ranking):
    models = {"c45": tw.algorithm("c45"), "eg2": tw.algorithm("eg2", costs=cancer.costs)}
    models["idx"] = tw.algorithm("idx", costs=cancer.costs.replace())
    again = tw.compare(models, cancer.X, cancer.y, cv=3)
    assert [contender.name for contender in again] == [contender.name for contender in ranking]
    for one, other in zip(ranking, again, strict=True):
        np.testing.assert_array_equal(one.cost, other.cost)
    models["idx"].set_params(costs=tw.Costs(default_price=1))
    with pytest.raises(ValueError, match=r"'eg2' and 'idx' have different costs.*Say costs="):
        tw.compare(models, cancer.X, cancer.y, cv=3)
    assert len(tw.compare(models, cancer.X, cancer.y, cancer.costs, cv=3)) == 3


def test_a_bar_on_standard_error(cancer, capfd):
    tw.compare(["c45"], cancer.X, cancer.y, cv=2, progress=True)
    out, err = capfd.readouterr()
    assert out == ""
    assert "learners" in err
    assert "1/1" in err
    with pytest.raises(TypeError, match="progress must be True, False or a function"):
        tw.compare(["c45"], cancer.X, cancer.y, cv=2, progress=None)


def test_who_refuses_is_left_out_with_the_reason(cancer):
    ranking = tw.compare(["c45", "csgain"], cancer.X, cancer.y, cancer.costs, cv=2)
    assert [contender.name for contender in ranking] == ["c45"]
    assert "needs gamma" in ranking.refused["csgain"]
    with pytest.raises(
        ValueError, match=r"No learner takes this table with these costs\. csgain: .*needs gamma"
    ):
        tw.compare(["csgain"], cancer.X, cancer.y, cancer.costs, cv=2)


@pytest.mark.parametrize(
    ("models", "error", "said"),
    [
        (["c46"], ValueError, "Did you mean 'c45'"),
        ([], ValueError, "nothing to compare"),
        ({"r": tw.CostTreeRegressor()}, TypeError, "'r' is a CostTreeRegressor"),
    ],
)
def test_wrong_learners(models, error, said):
    with pytest.raises(error, match=said):
        tw.compare(models, [[1], [2]], ["a", "b"], cv=2)


# Folds and intervals


@given(st.lists(st.integers(0, 3), min_size=4, max_size=60), st.integers(2, 6), st.integers(0, 5))
def test_folds_spread_every_class_evenly(labels, cv, seed):
    labels = np.array(labels, dtype=np.int32)
    if np.bincount(labels).max() < cv:
        with pytest.raises(ValueError, match="number of folds must be from 2"):
            folds_of(labels, cv, seed)
        return
    fold = folds_of(labels, cv, seed)
    np.testing.assert_array_equal(fold, folds_of(labels, cv, seed))
    for label in np.unique(labels):
        counts = np.bincount(fold[labels == label], minlength=cv)
        assert counts.max() - counts.min() <= 1


@given(st.lists(st.integers(0, 3), min_size=4, max_size=60), st.floats(0.2, 0.8), st.integers(0, 5))
def test_a_share_of_every_class_is_held_out(labels, share, seed):
    labels = np.array(labels, dtype=np.int32)
    wanted = {label: round(share * int((labels == label).sum())) for label in np.unique(labels)}
    if not 0 < sum(wanted.values()) < len(labels):
        with pytest.raises(ValueError, match="leaves one part empty"):
            held_out(labels, share, seed)
        return
    marked = held_out(labels, share, seed)
    assert {label: int(marked[labels == label].sum()) for label in wanted} == wanted


@pytest.mark.parametrize("share", [0, 1, -0.5, math.nan])
def test_a_share_lies_between_nothing_and_everything(share):
    with pytest.raises(ValueError, match="between 0 and 1"):
        held_out(np.array([0, 1], dtype=np.int32), share, 0)


def test_an_interval_worked_by_hand():
    # four folds of means 1, 2, 3, 6: t(0.975, 3) = 3.182446; Nadeau and Bengio's factor is 1/4 + 1/3
    values, fold = np.array([1.0, 2.0, 3.0, 6.0]), np.arange(4)
    reach = 3.182446 * math.sqrt((1 / 4 + 1 / 3) * stdev(values) ** 2)
    low, high = fold_interval(values, fold)
    assert math.isclose(low, fmean(values) - reach, rel_tol=1e-6)
    assert math.isclose(high, fmean(values) + reach, rel_tol=1e-6)


def test_warnings_name_the_learner_they_are_of_and_those_about_the_costs_nobody():
    X, y = [[float(n)] for n in range(12)], ["a", "b", "c"] * 4
    errors = {"a": {"a": 5, "b": 1, "c": 2}, "b": {"a": 3, "c": 4}, "c": {"a": 1, "b": 1}}
    learners = {name: tw.algorithm(name.split()[0]) for name in ("c45", "c45cs", "c45cs again")}
    with pytest.warns(tw.CostWarning) as caught:
        tw.compare(learners, X, y, tw.Costs(errors=errors), cv=3)
    said = [str(one.message) for one in caught]
    assert len(set(said)) == len(said)
    assert {one.filename for one in caught} == {__file__}
    of_costs = [text for text in said if not text.startswith(("c45cs: ", "c45cs again: "))]
    assert of_costs == tw.costs.reasonable.remarks(tw.Costs(errors=errors).error_matrix("abc"), list("abc"))
    assert of_costs
    assert sum("Cases weigh what the mistakes" in text for text in said) == 2


def test_classifiers_of_scikit_learn_take_part_and_pay_for_what_they_read():
    data = tw.load_dataset("wisconsin-diagnostic")
    X, y, costs = data.X.iloc[:, :5], data.y, data.costs.only(data.X.columns[:5])
    models = {
        "theirs": DecisionTreeClassifier(max_depth=2, random_state=0),
        "ours": tw.CostTreeClassifier(growth=tw.Growth(max_depth=2)),
        "all columns": make_pipeline(StandardScaler(), LogisticRegression()),
    }
    ranking = {contender.name: contender for contender in tw.compare(models, X, y, costs, cv=3)}
    assert set(ranking) == set(models)
    assert (ranking["all columns"].test_cost == costs.total(X.columns)).all()
    assert ranking["theirs"].test_cost.mean() < costs.total(X.columns)
    fitted = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    assert tw.bill(fitted, X, y, costs).mean_test_cost == pytest.approx(
        ranking["theirs"].test_cost.mean(), rel=0.2
    )
    with pytest.raises(TypeError, match="compare takes classifiers, ours or of scikit-learn's kind, and 'x'"):
        tw.compare({"x": DecisionTreeRegressor()}, X, y, costs)


def test_rows_that_were_not_asked_for_are_marked_like_others():
    X, y = [[0, 1], [1, 0]] * 20, ["sick", "well"] * 20
    costs = tw.Costs({"x0": 1, "x1": 30}, errors_default=10, today=["x1"])
    shown = str(tw.compare(["c45"], X, y, costs, cv=4))
    assert "  today !" in shown  # 30 for everybody, where testing nobody costs 5
    assert "  nobody  " in shown
    cheap = costs.replace(tests={"x0": 1, "x1": 2})
    for names in (["c45"], ["c45", "nobody"]):
        assert "  nobody !" in str(tw.compare(names, X, y, cheap, cv=4))


def test_what_is_dearer_than_testing_nobody_is_marked_and_said_first():
    golf = tw.load_dataset("golf-nominal")
    alone = tw.compare(["c45"], golf.X, golf.y, golf.costs, cv=2)
    assert [row.name for row in alone.rows] == ["nobody", "c45"]
    assert str(alone).startswith("c45: DEARER THAN TESTING NOBODY: 0.75 a case (0 to ")
    assert "  c45 !" in str(alone)
    assert "!: dearer than testing nobody" in str(alone)
    assert alone.table["dearer_than"].tolist() == ["", "testing nobody"]


def test_today_is_a_row_with_what_is_saved_against_it(cancer):
    names = list(cancer.X.columns)
    costs = cancer.costs.replace(today=names[:3], case_name="patient")
    found = tw.compare(["c45", "nobody"], cancer.X, cancer.y, costs, cv=3)
    assert {row.name for row in found.rows} == {"c45", "nobody", "today"}
    assert found.nobody is next(one for one in found if one.name == "nobody")  # not a row twice
    assert found.today is not None
    assert (found.today.test_cost == costs.total(names[:3])).all()
    table = found.table.set_index("name")
    against = found[0].cost - found.today.cost
    assert table["against_today"][found[0].name] == pytest.approx(against.mean())
    assert str(found).startswith(f"{found[0].name}: DEARER THAN TODAY'S PANEL: ")
    assert "above today" in str(found)


def test_a_column_of_today_s_answers_is_for_today_alone(cancer):
    frame = cancer.X.iloc[:, :4].assign(said=cancer.y)  # always right: a learner would read nothing else
    costs = cancer.costs.only(frame.columns).replace(today={"answers": "said"})
    found = tw.compare(["c45"], frame, cancer.y, costs, cv=2)
    assert found.today.accuracy == 1
    assert found[0].accuracy < 0.99
    assert (found.today.test_cost == 0).all()


def test_a_today_that_cannot_be_is_left_out_with_its_reason(cancer):
    found = tw.compare(["c45"], cancer.X, cancer.y, cancer.costs.replace(today=["mean moon"]), cv=2)
    assert found.today is None
    assert "today names 'mean moon', which is no column" in found.refused["today"]


def test_each_learner_is_told_quick_ones_first(cancer):
    told = []
    X, y = cancer.X.iloc[::6, :4], cancer.y[::6]
    costs = cancer.costs.only(X.columns)
    tw.compare(["optimal", "thrift", "c45"], X, y, costs, cv=2, each=lambda one: told.append(one.name))
    assert told == ["c45", "thrift", "optimal"]


def test_score_cards_are_compared_as_they_answer():
    table = tw.load_dataset("wisconsin-diagnostic")
    X = table.X[["mean area", "mean texture"]]
    errors = {"malignant": {"benign": 500}, "benign": {"malignant": 50}}
    costs = tw.Costs({"mean area": 2, "mean texture": 2}, errors=errors)
    model = tw.ThriftClassifier(costs, leaves="score")
    (found,) = tw.compare({"cards": model}, X, table.y, cv=2)
    for number in (0, 1):
        held_out = found.fold == number
        own = clone(model).fit(X[~held_out], table.y[~held_out])
        bill = tw.bill(own, X[held_out], table.y[held_out])
        assert (found.test_cost[held_out] == bill.test_cost).all()
        assert (found.error_cost[held_out] == bill.error_cost).all()
    assert np.isnan(found.n_leaves)


def test_nobody_and_today_are_names_of_the_ranking():
    data = tw.load_dataset("golf-nominal")
    for name in ("nobody", "today"):
        with pytest.raises(ValueError, match=f"{name!r} is what the ranking calls"):
            tw.compare({name: tw.algorithm("c45")}, data.X, data.y, cv=3)
    assert tw.compare({"nobody": tw.NobodyClassifier()}, data.X, data.y, cv=3)[0].name == "nobody"
