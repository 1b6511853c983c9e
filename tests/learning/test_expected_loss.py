"""Cost-sensitive pruning: Bradford's expected loss, Knoll's validation cost, cost-complexity by loss."""

import numpy as np
import pytest

import thriftwood as tw
from thriftwood import _core

LOSS = np.array([[0.0, 1.0], [5.0, 0.0]])  # missing the second class costs 5
DEAR = tw.Costs(errors=LOSS)
X = [[0.0]] * 4 + [[1.0]] * 4
Y = [0, 0, 0, 0, 0, 0, 1, 1]


def expected(weights, loss, smoothing="laplace"):
    added = {"laplace": np.ones(len(weights)), None: np.zeros(len(weights))}[smoothing]
    if weights.sum() <= 0:
        return 0.0
    return weights.sum() * ((weights + added) / (weights + added).sum() @ loss).min()


def plainly_pruned(core, loss, smoothing="laplace"):
    """The nodes that are left as inner nodes, by the definition, without missing values."""

    def below(node):
        own = expected(core.values[node], loss, smoothing)
        if core.kind[node] == 0:
            return own, set()
        first = core.first_child[node]
        parts = [below(child) for child in range(first, first + core.n_children[node])]
        if own <= sum(part[0] for part in parts) + 1e-9:
            return own, set()
        return sum(part[0] for part in parts), {node}.union(*(part[1] for part in parts))

    return below(0)


def test_the_worked_numbers():
    assert expected(np.array([6.0, 2.0]), LOSS) == pytest.approx(5.6)
    parts = [expected(np.array(weights), LOSS) for weights in ([4.0, 0.0], [2.0, 2.0])]
    assert parts == pytest.approx([3.333333, 2.0], abs=5e-7)
    assert sum(parts) == pytest.approx(5.333333, abs=5e-7)
    # 5.6 is more than 5.333333: the split stays. With equal costs it is 2.4 against 0.666667 + 2: it goes.
    model = tw.CostTreeClassifier(costs=DEAR, pruning=tw.ExpectedLoss())
    assert model.fit(X, Y).get_n_leaves() == 2
    assert model.set_params(costs=None).fit(X, Y).get_n_leaves() == 1


@pytest.mark.parametrize("smoothing", ["laplace", None])
@pytest.mark.parametrize("seed", range(6))
def test_the_tree_is_the_one_of_the_definition(seed, smoothing):
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(150, 4))
    y = (table[:, 0] + rng.normal(size=150)).argsort().argsort() * 3 // 150
    loss = rng.integers(1, 9, (3, 3)).astype(float)
    np.fill_diagonal(loss, 0)
    model = tw.CostTreeClassifier(costs=tw.Costs(errors=loss), growth=tw.Growth(min_branch_weight=2))
    full = model.fit(table, y).tree_.core
    pruned = model.set_params(pruning=tw.ExpectedLoss(smoothing)).fit(table, y).tree_.core
    whole, inner = plainly_pruned(full, loss, smoothing)
    assert pruned.n_nodes - pruned.n_leaves == len(inner)
    leaves = pruned.values[pruned.kind == 0]
    assert sum(expected(weights, loss, smoothing) for weights in leaves) == pytest.approx(whole)


def test_cases_that_stop_at_a_node_are_a_leaf_of_their_own():
    # Two cases without a value end at the root, with its answer.
    table, y = [[0.0]] * 5 + [[1.0]] * 5 + [[np.nan]] * 2, [0] * 5 + [1] * 5 + [1, 1]
    growth = tw.Growth(missing="surrogate", nominal="binary", use_surrogate=0)
    model = tw.CostTreeClassifier(growth=growth, pruning=tw.ExpectedLoss())
    core = model.fit(table, y).tree_.core
    assert core.n_leaves == 2
    assert core.missing_route[0] == -2


def test_altered_priors_are_pruned_by_the_true_weights():
    rng = np.random.default_rng(0)
    table = rng.normal(size=(200, 3))
    y = (table[:, 0] + rng.normal(size=200) > 1).astype(int)
    model = tw.CostTreeClassifier(
        costs=DEAR, loss_in_growth="altered_priors", growth=tw.Growth(min_branch_weight=2)
    )
    full = model.fit(table, y).tree_.core
    pruned = model.set_params(pruning=tw.ExpectedLoss()).fit(table, y).tree_.core
    assert pruned.n_nodes - pruned.n_leaves == len(plainly_pruned(full, LOSS)[1])
    assert pruned.values[0] == pytest.approx(np.bincount(y))


def test_cost_complexity_and_validation_judge_by_cost():
    rng = np.random.default_rng(2)
    table = rng.normal(size=(300, 3))
    y = (table[:, 0] + rng.normal(size=300) > 0.5).astype(int)
    model = tw.CostTreeClassifier(costs=DEAR, growth=tw.Growth(min_branch_weight=5))
    core = model.fit(table, y).tree_.core
    np.testing.assert_allclose(core.risk, (core.values @ LOSS).min(axis=1))  # R of cost-complexity
    kept = rng.random(300) < 0.4
    problem = model.prepare(table, y, (~kept).astype(float)).problem
    grown = problem.answered(problem.grow())
    judged = _core.prune_reduced_error(grown, problem.table, problem.labels, kept * 1.0, "bottom_up", LOSS)
    of = {
        name: LOSS[y, tree.predict_labels(problem.table)][kept].sum()
        for name, tree in {"full": grown, "pruned": judged}.items()
    }
    assert of["pruned"] <= of["full"]
    by_errors = _core.prune_reduced_error(grown, problem.table, problem.labels, kept * 1.0, "bottom_up")
    assert LOSS[y, by_errors.predict_labels(problem.table)][kept].sum() >= of["pruned"]


@pytest.mark.parametrize("criterion", ["gini", "gini-loss", "leaf-cost"])
@pytest.mark.parametrize(
    "rule",
    [
        tw.ExpectedLoss(),
        tw.ExpectedLoss(2.0),
        tw.ExpectedCost(),
        tw.CostComplexity(),
        tw.CostComplexity(cp=0.05),
        tw.CostComplexity(alpha=0.02),
        tw.ReducedError(),
        tw.CrossValidatedComplexity(repeats=2),
    ],
    ids=repr,
)
@pytest.mark.filterwarnings("ignore::thriftwood.CostWarning")
def test_what_every_answer_costs_a_class_alike_decides_nothing(rule, criterion):
    for seed in range(8):
        rng = np.random.default_rng(seed)
        n_classes = 2 + seed % 2
        table = rng.integers(0, 6, (120, 3)).astype(float)
        y = (table[:, 0] + rng.integers(0, 3, 120)).astype(int) % n_classes
        loss = rng.integers(1, 10, (n_classes, n_classes)).astype(float)
        np.fill_diagonal(loss, 0)
        shifted = loss + rng.integers(-20, 20, (n_classes, 1))
        first, second = (
            tw.CostTreeClassifier(criterion, costs=tw.Costs(errors=errors), pruning=rule, random_state=0)
            .fit(table, y)
            .tree_.core
            for errors in (loss, shifted)
        )
        assert first.feature.tolist() == second.feature.tolist()
        assert first.label.tolist() == second.label.tolist()


def test_only_classes_can_be_pruned_by_loss():
    with pytest.raises(ValueError, match="ExpectedLoss prunes trees that tell classes apart"):
        tw.CostTreeRegressor(pruning=tw.ExpectedLoss()).fit(X, [float(label) for label in Y])
