"""Values and categories that another language might take for something else."""

import numpy as np
import pytest

import thriftwood as tw


def test_nan_in_a_category_column_of_numbers_is_missing_in_sql():
    duckdb = pytest.importorskip("duckdb", reason="needs the extra test")
    rng = np.random.default_rng(1)
    X = rng.integers(0, 3, (60, 1)).astype(float)
    y = np.where(X[:, 0] == 1, "a", "b")
    X[:15], y[:15] = np.nan, "c"
    costs = tw.Costs({"x0": 3.0}, charge_missing=False)
    growth = tw.Growth(nominal="multiway", missing="branch")
    model = tw.CostTreeClassifier(costs=costs, growth=growth, nominal_features=[0]).fit(X, y)
    connection = duckdb.connect()
    connection.execute("create table cases (x0 double)")
    connection.execute("insert into cases values ('nan'::double), (null), (1)")
    found = connection.execute(tw.export_sql(model)).fetchdf().sort_values("case_id")
    assert found["answer"].tolist() == ["c", "c", "a"]
    assert found["bill"].tolist() == [0.0, 0.0, 3.0]


def test_categories_that_c_cannot_tell_apart_are_refused():
    X = np.array([[1], ["1"], [2], [1], ["1"], [2]], dtype=object)
    model = tw.CostTreeClassifier(growth=tw.Growth(nominal="multiway")).fit(X, [0, 1, 2, 0, 1, 2])
    with pytest.raises(ValueError, match="two categories that C writes as '1'"):
        tw.export_c(model)


@pytest.mark.parametrize("name", ["asm", "typeof"])
def test_words_of_the_compiler_are_no_names(name):
    model = tw.CostTreeClassifier().fit([[0], [1]], [0, 1])
    with pytest.raises(ValueError, match="leaves free"):
        tw.export_c(model, name)
