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
