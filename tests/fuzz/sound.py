"""What must hold of every tree, whatever it was grown on."""

import math
import warnings

import numpy as np
from sklearn.base import clone

import thriftwood as tw
from thriftwood import _core
from thriftwood.table.case_names import CaseNamesWarning
from thriftwood.table.unseen import UnseenWarning

# All that may be wrong with the settings and tables of `hostile.cases`.
REFUSALS = (
    *("contains NaN", "needs exact thresholds", "The confidence factor is 1", "bonferroni=True, a rule of"),
    *("surrogates exist for tests", "merges no categories", "cases aside, so there is nothing to prune"),
    *("is in bits, but the gain of", "has no tests of one category", "and squares of it"),
)


def attempt(action):
    """What an action gives, and the words with which it refused, by ValueError or TypeError."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The number of unique classes")
        warnings.filterwarnings("ignore", "The tree is a single leaf")
        warnings.filterwarnings("ignore", "sample_weight adds up to .* so the tree is a single leaf")
        warnings.simplefilter("ignore", tw.CostWarning)
        warnings.simplefilter("ignore", CaseNamesWarning)
        try:
            return action(), ""
        except (ValueError, TypeError) as error:
            return None, str(error) or "an error without a word"


def fitted(case, **settings):
    """The fitted model, or None when fit refused in so many words."""
    model = clone(case.model).set_params(**settings)
    model, refusal = attempt(lambda: model.fit(case.table(), case.y(), case.sample_weight()))
    assert model is not None or any(words in refusal for words in REFUSALS), refusal
    return model


def assert_sound(tree):
    """Facts of any grown tree."""
    core = tree.core
    assert _core.Tree.from_arrays(core.to_arrays()) == core
    for name in ("weight", "impurity", "gain", "risk", "threshold", "values"):
        assert np.isfinite(getattr(core, name)).all(), name
    assert (core.weight >= 0).all()
    assert (core.impurity >= 0).all()
    assert len(tree.text().splitlines()) >= 1
    assert len(tree.rules()) == tree.n_leaves
    assert repr(tree)
    again = type(tree).from_json(tree.to_json())
    assert again == tree


def assert_weights_add_up(tree, model):
    growth = model.growth
    stops = growth.missing == "surrogate" and growth.use_surrogate != 2
    drops = isinstance(model.pruning, tw.MDL) and model.pruning.encoding in ("partial", "hybrid")
    if stops or drops:
        return
    core = tree.core
    for node in np.flatnonzero(core.kind):
        first = core.first_child[node]
        children = core.weight[first : first + core.n_children[node]].sum()
        assert math.isclose(children, core.weight[node], rel_tol=1e-6), (node, children, core.weight[node])


def assert_answers(model, X):
    """Predictions of the right shape, from the right set, and the same by every way of asking."""
    tree, n = model.tree_, len(X)
    ends = model.apply(X)
    assert ends.shape == (n,)
    assert ((ends >= 0) & (ends < tree.n_nodes)).all()
    path = model.decision_path(X)
    assert path.shape == (n, tree.n_nodes)
    assert (np.asarray(path[:, [0]].todense()) == 1).all()
    answers = model.predict(X)
    assert answers.shape == (n,)
    whole = tree.predict(X)
    rows = list(X.itertuples(index=False, name=None))
    decided = [tree.decide(list(row)) for row in rows]
    if tree.classes is None:
        assert np.isfinite(answers).all()
        assert np.allclose(np.array(decided), whole, rtol=1e-12, atol=0)
    else:
        assert np.isin(answers, model.classes_).all()
        shares = model.predict_proba(X)
        assert shares.shape == (n, len(model.classes_))
        assert np.isfinite(shares).all()
        assert (shares >= 0).all()
        assert np.allclose(shares.sum(axis=1), 1.0)
        assert decided == whole.tolist()
        assert not np.isnan(model.predict_log_proba(X)).any()
    return answers


def assert_bill(model, X, y):
    costs = model.costs or tw.Costs(dict.fromkeys(model.tree_.feature_names, 1.5))
    bill = tw.bill(model, X, y, costs)
    assert bill.test_cost.shape == (len(X),)
    assert np.isfinite(bill.test_cost).all()
    assert (bill.test_cost <= bill.full_price.sum() * (1 + 1e-9)).all()
    assert str(bill)
    assert len(bill.per_case) == len(X)


def assert_all(case):
    """Fit a case and look at everything that can be asked of the model; None when fit refused."""
    model = fitted(case)
    if model is None:
        return None
    tree = model.tree_
    assert_sound(tree)
    assert_weights_add_up(tree, model)
    X = case.table()
    assert_answers(model, X)
    other = case.table(seed_shift=1, n_rows=6)  # unseen categories, missing values
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenWarning)
        refusal = attempt(lambda: model.predict(other))[1]
        if not refusal:
            assert_answers(model, other)
    # A column that had no text yet, or no missing value, may not have one now.
    assert not refusal or "now holds" in refusal or "contains NaN" in refusal, refusal
    assert_bill(model, X, case.y())
    same = fitted(case, n_jobs=None if case.model.n_jobs else 2)
    assert same.tree_ == tree, "another number of threads gave another tree"
    return model
