"""How much prices weigh: parameters, their published values, and what scikit-learn does with them."""

import pickle

import numpy as np
import pytest
from learning.criterion_trees import COUNTING, PRICED, classifier, needed
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

import thriftwood as tw
from thriftwood.datasets import make_small
from thriftwood.learning.criteria import FACTS, users_of

X, Y = make_small(200)[:2]
COSTS = tw.Costs({0: 2, 1: 4}, default_price=1)
SETTINGS = {name: needed(name) for name in PRICED}
for name in PRICED:
    if FACTS[name].samples:
        SETTINGS[name] = needed(name) | {"random_state": 0, "look_ahead": tw.LookAhead(1)}
# Where mistakes count too, cheap enough tests to be worth buying.
CHEAP = COSTS.replace(errors_default=1000)


def model(criterion, **settings):
    costs = CHEAP if criterion in COUNTING else COSTS
    return classifier(criterion, **({"costs": costs} | SETTINGS.get(criterion, {}) | settings))


@pytest.mark.parametrize(
    ("criterion", "published"),
    [("idx", {"gamma": 1}), ("eg2", {"w": 1}), ("cs-c45", {"w": 1.0}), ("lasc", {"alpha": 1})],
)
def test_published_values_are_the_defaults(criterion, published):
    assert model(criterion).fit(X, Y).tree_.core == model(criterion, **published).fit(X, Y).tree_.core
    other = {name: value / 4 for name, value in published.items()}
    costs = tw.Costs({column: 10.0**column for column in range(X.shape[1])})
    trees = [model(criterion, costs=costs, **values).fit(X, Y).tree_.core for values in ({}, other)]
    assert trees[0] != trees[1]


@pytest.mark.parametrize("criterion", ["mitchell", "csgain", "csgain-ratio"])
def test_gamma_has_to_be_given_where_nobody_published_one(criterion):
    words = f"criterion='{criterion}' needs gamma: what one unit of price weighs, in .* try values from"
    with pytest.raises(ValueError, match=words):
        model(criterion, gamma=None).fit(X, Y)
    with pytest.raises(ValueError, match=r"from 0\.0001 to 0\.1; 0 ignores prices"):
        model(criterion, gamma=None, costs=tw.Costs(default_price=10)).fit(X, Y)
    free = tw.Costs(dict.fromkeys(range(X.shape[1]), 0))
    with pytest.raises(ValueError, match=r"from 0\.001 to 1"):
        model(criterion, gamma=None, costs=free).fit(X, Y)


@pytest.mark.parametrize("criterion", PRICED)
@pytest.mark.parametrize(
    ("costs", "came"),
    [(None, "costs is None"), (tw.Costs(errors_default=2), "costs has no price of any test")],
)
def test_a_priced_criterion_needs_prices(criterion, costs, came):
    in_money = FACTS[criterion].in_money
    if in_money and costs is not None and costs.errors_default:
        return  # mistakes are enough, see test_money_criteria
    also = " and what mistakes cost" if in_money else ""
    words = rf"{criterion}' weighs what tests cost{also}, but {came}. Pass costs=tw.Costs"
    with pytest.raises(ValueError, match=words):
        model(criterion, costs=costs).fit(X, Y)


@pytest.mark.parametrize(
    ("criterion", "settings", "words"),
    [
        (
            "csgain",
            {"gamma": -0.1},
            r"'gamma' parameter of CsGain must be a number in the range \[0",
        ),
        ("csgain", {"gamma": float("nan")}, "Got nan of type float"),
        ("csgain", {"gamma": float("inf")}, "Got inf of type float"),
        ("csgain", {"gamma": "0.1"}, "Got '0.1' of type str"),
        ("eg2", {"w": -1}, "'w' parameter of Eg2 must be a number"),
        ("eg2", {"w": True}, "Got True of type bool"),
        ("idx", {"cost_reuse": "lists"}, "must be one of 'effective', 'list'.*Did you mean 'list'"),
        ("csgain", {"allow_negative": 1}, "must be True or False"),
        (
            "eg2",
            {"gamma": 1},
            "gamma=1, which criterion='eg2' does not use. It weighs prices by 'w'. .*'idx'",
        ),
        ("cs-id3", {"gamma": 1}, "criterion='cs-id3' does not use.*: 'idx', 'mitchell', 'csgain'"),
        ("csgain", {"w": 1}, "w=1, which criterion='csgain' does not use.*'gamma'.*: 'eg2', 'cs-c45', 'act'"),
        ("gini", {"gamma": 0}, "gamma=0, which criterion='gini' does not use. Leave gamma out"),
        (
            "idx",
            {"allow_negative": True},
            "allow_negative=True, which criterion='idx' does not use.*'mitchell'",
        ),
        (
            "csgain",
            {"path": "ancestors"},
            "path='ancestors', which criterion='csgain' does not use.*: 'csgain-ratio'",
        ),
        ("gini", {"max_path_factor": 2}, "max_path_factor=2, which criterion='gini' does not use"),
        ("csgain-ratio", {"max_path_factor": 0}, r"'max_path_factor' parameter .* in the range \(0"),
        ("csgain-ratio", {"path": "ancestor"}, "Did you mean 'ancestors'"),
        ("eg2", {"info": "gain"}, "info='gain', which criterion='eg2' does not use.*: 'pm'"),
        ("pm", {"info": "ratio"}, "must be one of 'gain_ratio', 'gain'"),
        ("pm", {"gamma": 1}, "gamma=1, which criterion='pm' does not use"),
        ("min-total-cost", {"w": 1}, "w=1, which criterion='min-total-cost' does not use"),
        ("pm", {"allow_negative": True}, "'csgain-ratio', 'min-total-cost', 'cstree'"),
        ("cstree", {"loss_in_growth": "altered_priors"}, "'cstree' counts these costs itself"),
        (
            "cstree",
            {"growth": tw.Growth(cut_penalty=True)},
            "in bits, but the gain of criterion='cstree' is in money",
        ),
        (
            "min-total-cost",
            {"growth": tw.Growth(average_gain=True)},
            "average_gain=True, a rule of 'gain_ratio'",
        ),
        ("entropy", {"cost_reuse": "list"}, "cost_reuse='list', which criterion='entropy' does not use"),
        (
            "act",
            {"cost_reuse": "list"},
            "'act' does not use. It judges whole trees, in which a test is paid once",
        ),
        ("lasc", {"alpha": 0}, r"'alpha' parameter of Lasc must be a number in the range \(0"),
        ("lasc", {"norm": "maximum"}, "must be one of 'max', 'mean', 'sum', 'none'"),
        ("lasc", {"lookahead": 2}, "must be True or False"),
        ("lasc", {"gamma": 1}, "gamma=1, which criterion='lasc' does not use. It weighs prices by 'alpha'"),
        ("idx", {"alpha": 1}, "alpha=1, which criterion='idx' does not use.*: 'lasc'"),
        ("gini", {"norm": "sum"}, "norm='sum', which criterion='gini' does not use.*: 'lasc'"),
        ("csgain", {"lookahead": False}, "lookahead=False, which criterion='csgain' does not use"),
        ("csgian", {}, "'criterion' parameter.*Did you mean 'csgain'"),
    ],
)
def test_values_that_make_no_sense_are_refused(criterion, settings, words):
    own = {f"criterion__{name}": settings[name] for name in settings if users_of(name)}
    rest = {name: value for name, value in settings.items() if not users_of(name)}
    tree = tw.CostTreeClassifier(costs=CHEAP if criterion in COUNTING else COSTS, **rest)
    with pytest.raises(ValueError, match=words):
        tree.set_params(criterion=criterion, **own).fit(X, Y)


def test_numbers_may_be_of_any_type():
    core = model("csgain", gamma=0.25).fit(X, Y).tree_.core
    assert model("csgain", gamma=np.float32(0.25), allow_negative=np.False_).fit(X, Y).tree_.core == core


def test_prices_of_another_table_are_refused():
    with pytest.raises(ValueError, match="no such column"):
        model("csgain", costs=tw.Costs({"age": 1})).fit(X, Y)


def test_equal_prices_with_other_payment_or_columns_are_not_mixed_up():
    # Compiled prices are kept: what is kept must depend on all of these.
    sequential, upfront = (model("idx", costs=COSTS.replace(payment=p)) for p in ("sequential", "upfront"))
    first = sequential.fit(X, Y).tree_.core
    assert upfront.fit(X, Y).tree_.core != first
    assert sequential.fit(X, Y).tree_.core == first
    wide = np.hstack([X, X])
    assert model("idx").fit(wide, Y).n_features_in_ == 2 * X.shape[1]


@pytest.mark.parametrize("criterion", PRICED)
def test_copies_through_pickle_and_clone(criterion):
    fitted = model(criterion).fit(X, Y)
    again = pickle.loads(pickle.dumps(fitted))
    assert again.tree_.core == fitted.tree_.core
    assert repr(again) == repr(fitted)
    assert clone(fitted).fit(X, Y).tree_.core == fitted.tree_.core


def test_a_grid_search_over_gamma():
    grid = {"criterion__gamma": [0.0, 0.001, 0.01, 1.0]}
    for payment in ("sequential", "upfront"):
        search = GridSearchCV(model("csgain", costs=COSTS.replace(payment=payment)), grid, cv=3).fit(X, Y)
        scores = search.cv_results_["mean_test_score"]
        assert scores[0] > scores[-1]  # at gamma 1 nothing is bought
        assert search.best_params_["criterion__gamma"] < 1


@pytest.mark.parametrize("payment", ["sequential", "upfront"])
@pytest.mark.parametrize("criterion", PRICED)
def test_many_fits_are_single_fits(criterion, payment):
    costs = model(criterion).costs.replace(payment=payment)
    rows = [np.arange(150), np.arange(60, 200), np.arange(0, 200, 2)]
    twice = np.array([3, 3, *range(90)])
    for pruning in (None, tw.Pessimistic()):
        single = model(criterion, costs=costs, pruning=pruning)
        trees = tw.fit_many(single, X, Y, rows)
        assert [tree.core for tree in trees] == [single.fit(X[r], Y[r]).tree_.core for r in rows]
        (drawn,) = tw.fit_many(single, X, Y, [twice])
        weights = np.bincount(twice, minlength=len(X)).astype(float)
        assert drawn.core == single.fit(X, Y, sample_weight=weights).tree_.core
    assert any(tree.n_nodes > 1 for tree in trees)


@pytest.mark.parametrize(
    "pruning", [tw.CostComplexity(), tw.ReducedError(), tw.CrossValidatedComplexity(), tw.MDL()]
)
def test_every_pruning_rule_grows_with_prices(pruning):
    # The first column tells nothing that others do not, and costs too much ever to be bought.
    costs = tw.Costs({0: 1e9}, default_price=0.01, payment="upfront")
    fitted = model("csgain", costs=costs, pruning=pruning, random_state=0).fit(X, Y)
    assert 0 not in fitted.tree_.core.feature
    assert 0 in tw.CostTreeClassifier("entropy").fit(X, Y).tree_.core.feature


def test_the_share_of_the_cases_is_that_of_the_altered_weights():
    # Mistakes about class 1 cost nine times as much, so its nine cases count as half of all: the first column
    # then tells 1 bit, worth a price of 0.9, and otherwise H(0.1) = 0.47 bits.
    rows, y = [[float(i < 9), 0.0] for i in range(90)], [int(i < 9) for i in range(90)]
    costs = tw.Costs({0: 0.9}, errors={0: {1: 1}, 1: {0: 9}})
    leaves = [
        model("csgain", costs=costs, gamma=1, loss_in_growth=loss).fit(rows, y).get_n_leaves()
        for loss in (None, "altered_priors")
    ]
    assert leaves == [1, 2]


@parametrize_with_checks(
    [
        tw.CostTreeClassifier(tw.CsGain(gamma=1e-4), costs=tw.Costs(default_price=1, payment="upfront")),
        tw.CostTreeClassifier("idx", costs=tw.Costs(default_price=1)),
        tw.CostTreeClassifier("cstree", costs=tw.Costs(default_price=1e-3)),
        tw.algorithm("lasc", costs=tw.Costs(default_price=1)),
    ]
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)
