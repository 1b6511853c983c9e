import pytest

import thriftwood as tw


@pytest.fixture(scope="session")
def golf_tree(tmp_path_factory):
    """A saved tree of Quinlan's golf table with its example prices."""
    golf = tw.load_dataset("golf-nominal")
    path = tmp_path_factory.mktemp("trees") / "golf.json"
    tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y).tree_.save(path)
    return path


@pytest.fixture(scope="session")
def number_tree(tmp_path_factory):
    """A saved regression tree without prices."""
    path = tmp_path_factory.mktemp("trees") / "numbers.json"
    model = tw.CostTreeRegressor(growth=tw.Growth(max_depth=1))
    model.fit([[1.0], [2.0], [3.0], [4.0]], [10.0, 10.0, 20.0, 20.0]).tree_.save(path)
    return path


PATIENTS = """id,smoker,pulse,cholesterol,state
1,yes,72,310,sick
2,no,80,190,healthy
3,no,,295,sick
4,no,66,180,healthy
5,yes,90,205,sick
6,no,70,240,healthy
7,yes,95,230,sick
8,yes,62,215,healthy
9,no,88,,healthy
10,no,76,320,sick
11,yes,84,300,healthy
12,no,68,200,healthy
"""
PRICES = """[tests]
smoker = 1
pulse = 2
cholesterol = {price = 5, needs = ["blood draw"]}

[shared]
"blood draw" = 3

[errors.sick]
healthy = 100

[errors.healthy]
sick = 20
"""


@pytest.fixture
def clinic(tmp_path, monkeypatch):
    """A folder with a table and its price list, and the place to work in."""
    (tmp_path / "patients.csv").write_text(PATIENTS)
    (tmp_path / "costs.toml").write_text(PRICES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def state_tree(clinic):
    """A saved tree of the patients."""
    data = tw.read_table(clinic / "patients.csv", "state", leave_out=["id"])
    tw.algorithm("c45", costs=tw.Costs.from_file("costs.toml")).fit(data.X, data.y).tree_.save("tree.json")
    return clinic / "tree.json"


@pytest.fixture
def state_panel(clinic):
    """A saved vote of five trees of the patients, asked until it is decided."""
    return saved("shortcut-forest", clinic / "panel.json", trees=5, random_state=0)


@pytest.fixture
def state_chair(clinic):
    """A saved panel of the patients in which a further tree asks the others."""
    return saved("cocost", clinic / "chair.json", alphas=(0.1, 1), rounds=2, random_state=0)


@pytest.fixture
def state_booster(clinic):
    """Saved stages of gradient boosting on the patients."""
    return saved("gradient-boosting", clinic / "booster.json", min_leaf_weight=2, rounds=25, cost_weight=0)


def patients():
    """The table of the clinic, which `clinic` writes."""
    return tw.read_table("patients.csv", "state", leave_out=["id"])


def saved(name, path, **settings):
    """Learn from the patients and save what answers."""
    data = tw.read_table("patients.csv", "state", leave_out=["id"])
    tw.algorithm(name, costs=tw.Costs.from_file("costs.toml"), **settings).fit(data.X, data.y).save(path)
    return path
