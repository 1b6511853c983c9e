"""Tables that nobody would choose, and learners of every room: fitted, asked and billed."""

import numpy as np
from fuzz.campaign.kind import check_words
from fuzz.hostile import CLASSES, COLUMNS, GROWTH_OPTIONS, NUMBERS, REFUSED, WEIGHTS, Case
from fuzz.sound import assert_sound

import thriftwood as tw

SIZES = (1, 2, 3, 5, 12, 12, 40, 40, 130)
CRITERIA = ("gini", "entropy", "gain_ratio", "gini-loss", "eg2", "idx", "cs_id3", "expected_cost")
TREES = ("id3", "c45", "cart", "c45cs", "csdt", "eg2", "idx", "cs-id3", "pm", "min-total-cost")
SEVERAL = ("bagging", "boosting", "shortcut-forest", "adacost", "csb2", "metacost", "gradient-boosting")
FEW = {
    **{name: {} for name in TREES},
    **{name: {"n_estimators": 2} for name in SEVERAL},
    "optimal": {"max_depth": 2},
}


def fit_and_ask(kind, seed):
    """Fit a model, ask it and bill it. Tell whether it was fitted; refusals have words."""
    rng = np.random.default_rng(seed)
    case = _case(kind, rng, seed)
    X, y, weights = case.table(), case.y(), case.sample_weight()
    try:
        fitted = case.model.fit(X, y, weights)
    except (ValueError, TypeError) as refusal:
        check_words(refusal)
        return False
    answers = fitted.predict(X)
    assert answers.shape == (len(X),)
    if kind != "regression":
        shares = fitted.predict_proba(X)
        assert shares.shape == (len(X), len(fitted.classes_))
        assert np.allclose(shares.sum(axis=1), 1.0)
        assert np.isin(answers, fitted.classes_).all()
    bill = tw.bill(fitted, X, y, case.model.costs or tw.Costs())
    assert np.isfinite(bill.test_cost).all()
    try:  # with categories and holes that were not there
        fitted.predict(case.table(seed_shift=1, n_rows=3))
    except (ValueError, TypeError) as refusal:
        check_words(refusal)
    if kind != "learners" and rng.random() < 0.05:
        assert_sound(fitted.tree_)
    return True


def _case(kind, rng, seed):
    makers = tuple(REFUSED if rng.random() < 0.03 else COLUMNS)
    columns = [str(rng.choice(makers)) for _ in range(rng.integers(1, 5))]
    target = str(rng.choice(list(NUMBERS) if kind == "regression" else CLASSES))
    weights = str(rng.choice(list(WEIGHTS))) if rng.random() < 0.4 else "none"
    case = Case(None, columns, int(rng.choice(SIZES)), target, weights, seed)
    costs = _costs(columns, rng) if rng.random() < 0.6 else None
    if kind == "learners":
        name = str(rng.choice(list(FEW)))
        case.model = tw.algorithm(name, **FEW[name])
        case.model.set_params(costs=costs)
        if "random_state" in case.model.get_params():
            case.model.set_params(random_state=0)
        return case
    growth = {
        name: values[rng.integers(len(values))]
        for name, values in GROWTH_OPTIONS.items()
        if rng.random() < 0.2
    }
    if kind == "regression":
        criterion = str(rng.choice(["squared_error", "absolute_error"]))
        case.model = tw.CostTreeRegressor(criterion, costs=costs, growth=tw.Growth(**growth))
    else:
        criterion = str(rng.choice(CRITERIA))
        case.model = tw.CostTreeClassifier(criterion, costs=costs, growth=tw.Growth(**growth))
    return case


def _costs(columns, rng):
    prices = [0.0, 1e-6, 0.25, 1.0, 1.0, 50.0, 1e60]
    tests = {
        f"{place} {kind}": tw.Test(float(rng.choice(prices)), needs=["kit"][: rng.integers(2)])
        for place, kind in enumerate(columns)
    }
    default = float(rng.choice([0.0, 1.0, 40.0]))
    return tw.Costs(tests, {"kit": 2.0}, errors_default=default or None)
